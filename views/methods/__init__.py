"""How is each number computed?"""
