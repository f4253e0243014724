"""How many FLOP per byte will chips offer, and which work then becomes bound by memory?"""
