"""What will a million tokens cost, at which speed, by year?"""
