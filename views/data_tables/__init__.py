"""Which rows, from where, and what was corrected?"""
