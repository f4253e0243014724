"""Which published statements about the gap hold?"""
