"""What does a million tokens cost, at which speed, by year?"""
