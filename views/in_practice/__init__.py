"""The page /in-practice: whether the gap shows in measured work."""
