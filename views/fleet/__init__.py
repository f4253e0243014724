"""How much compute and bandwidth has been shipped?"""
