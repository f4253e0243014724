"""Language models: shape, weights, KV cache, operations and memory."""
