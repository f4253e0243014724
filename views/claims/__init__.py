"""Which published claims about the gap hold?"""
