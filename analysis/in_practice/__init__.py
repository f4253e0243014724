"""Does measured work follow bandwidth or FLOP/s from chip to chip?"""
