"""What is the fastest possible answer?"""
