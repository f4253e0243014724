"""How many years of hardware is a technique worth?"""
