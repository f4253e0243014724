"""Serving speed and throughput of accelerators under load."""
