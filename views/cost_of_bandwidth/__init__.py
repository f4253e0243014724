"""What does a terabyte a second cost, and what a petaFLOP?"""
