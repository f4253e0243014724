"""What limits this training run?"""
