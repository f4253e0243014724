"""Shared argument parser of our commands."""

import argparse


def command(module: str, *, description: str | None) -> argparse.ArgumentParser:
    """Return the parser of a command run as ``python -m`` a module, with unwrapped help text."""
    return argparse.ArgumentParser(
        prog=f"python -m {module}",
        description=description,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
