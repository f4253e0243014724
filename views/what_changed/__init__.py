"""What did a release change, and does a number that was quoted still hold?"""
