"""The page /methods: how each number is computed."""
