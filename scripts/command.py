"""What every command of ours has alike."""

import argparse


def command(module: str, *, description: str | None) -> argparse.ArgumentParser:
    """Return a parser of a command that is run as ``python -m`` a module, whose lines its help shows as they are."""
    return argparse.ArgumentParser(
        prog=f"python -m {module}",
        description=description,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
