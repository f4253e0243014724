"""Training runs as views take them: which, from which rows, made of what."""
