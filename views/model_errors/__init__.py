"""How accurate are the models on held-out measurements?"""
