"""Does measured speed follow bandwidth or FLOP/s from chip to chip?"""
