"""Models fitted to published speeds of devices: decoding, reading prompts, and how wrong they are."""
