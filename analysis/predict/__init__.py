"""Shared parts of the three ``predict`` commands: columns, input tables and the command line."""
