"""The page /data: rows of the tables, their sources and their corrections."""
