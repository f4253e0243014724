"""Print the benchmarks: `make bench`, or `python -m benchmarks load` for one of them."""

import argparse

from benchmarks import browser, load

ALL = {"browser": browser.main, "load": load.main}


def main(arguments: list[str] | None = None) -> None:
    """Run the benchmarks named, or all."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("names", nargs="*", choices=ALL, default=list(ALL))
    for name in parser.parse_args(arguments).names:
        ALL[name]()


if __name__ == "__main__":
    main()
