"""The page /claims: whether published claims about the gap are supported."""
