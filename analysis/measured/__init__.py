"""Decode and prefill models fitted to published measurements, and their errors."""
