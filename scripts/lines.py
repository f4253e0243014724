"""Print the number of lines of Python in each part, with its goal, and fail above a limit: `python -m scripts.lines`.

`make check` runs it. A limit may only be lowered, down to the sum of the goals.
"""

import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent.parent
GOALS = {
    ("views",): 23_500,
    ("analysis",): 22_500,
    ("charts",): 7_500,
    ("web", "panel", "pages", "app.py"): 5_500,
    ("data", "scripts", "benchmarks", "deploy"): 5_000,
}
TESTS_GOAL = 38_000
LIMIT, TESTS_LIMIT = 65_930, 38_000


def lines(*names: str, root: Path = HERE) -> int:
    """Return the number of lines of Python in folders or files with these names."""
    files = (
        file for name in names for file in ([root / name] if "." in name else (root / name).rglob("*.py"))
    )
    return sum(file.read_bytes().count(b"\n") for file in files)


def main(root: Path = HERE) -> int:
    """Print the table of line counts. Return 1 if a limit is exceeded."""
    parts = {", ".join(names): (lines(*names, root=root), goal) for names, goal in GOALS.items()}
    total = sum(count for count, _ in parts.values())
    tests = lines("tests", root=root)
    print(f"{'lines of Python':34}{'today':>8}{'goal':>8}{'limit':>8}")
    for part, (count, goal) in parts.items():
        print(f"{part:34}{count:>8,}{goal:>8,}")
    print(f"{'all outside tests':34}{total:>8,}{sum(GOALS.values()):>8,}{LIMIT:>8,}")
    print(f"{'tests':34}{tests:>8,}{TESTS_GOAL:>8,}{TESTS_LIMIT:>8,}")
    over = total > LIMIT or tests > TESTS_LIMIT
    if over:
        print("There are more lines than the limit. Cut some, or say in review why not.", file=sys.stderr)
    return int(over)


if __name__ == "__main__":
    sys.exit(main())
