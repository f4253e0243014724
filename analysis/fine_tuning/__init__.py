"""Memory, time and cost of fine-tuning a model."""
