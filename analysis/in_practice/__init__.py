"""Does measured speed follow bandwidth or FLOP/s when chips are compared?"""
