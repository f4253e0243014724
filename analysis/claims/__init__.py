"""What a claimed number is, and whether ours bears it out."""
