"""The page /placement: whether given work should run at the edge or in a cloud, in a given year."""
