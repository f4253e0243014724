"""Is memory falling behind compute?"""
