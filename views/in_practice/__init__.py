"""Does the gap show in measured work?"""
