"""The page /growth-gap: whether memory is falling behind compute."""
