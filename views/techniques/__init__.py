"""The page /techniques: how many years of hardware progress a technique is worth."""
