"""Argument parser that our commands share."""

import argparse


def command(module: str, *, description: str | None) -> argparse.ArgumentParser:
    """Return the parser of a ``python -m`` command. Lines of its help text are not wrapped."""
    return argparse.ArgumentParser(
        prog=f"python -m {module}",
        description=description,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
