"""What memory, time and money fine-tuning a model takes."""
