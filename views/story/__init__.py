"""The page /story: the argument of the five articles, step by step, with our tests."""
