"""How is each number made?"""
