"""The page /growth-accounting: where the growth of training compute comes from."""
