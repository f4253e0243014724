"""The page /data: rows of the tables, with their sources and corrections."""
