"""What a language model is and needs: its shape, weights, cache, operations and memory."""
