"""Test of whether measured speed follows bandwidth or FLOP/s when chips are compared."""
