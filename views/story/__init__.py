"""What do the five articles argue, step by step, and does it hold?"""
