"""Edge or cloud, for this work, in this year?"""
