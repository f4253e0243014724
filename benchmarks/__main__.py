"""Print every benchmark: `make bench`, or `python -m benchmarks growth` for one of them."""

import sys

from benchmarks import browser, forms, growth, load

ALL = {
    "growth": growth.main,
    "forms": forms.main,
    "browser": browser.main,
    "load": load.main,
}


def main(names: list[str]) -> int:
    """Run the benchmarks named, or all; return the exit status."""
    unknown = [name for name in names if name not in ALL]
    if unknown:
        print(f"No benchmark is called {', '.join(unknown)}; there are {', '.join(ALL)}.", file=sys.stderr)
        return 2
    for name in names or ALL:
        ALL[name]()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
