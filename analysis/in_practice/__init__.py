"""Whether measured speed follows bandwidth or FLOP/s when chips are compared."""
