"""Command that builds a release from an export, or a correction of a release from its stored export:

    python -m data.curate --models M.csv --hardware H.csv --release 2026-07
    python -m data.curate --correct 2026-07

The change report states growth rates and therefore imports the views when it runs; nothing else under data/ may.
"""

import argparse
import sys
import tomllib
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

from data import changes, drafts, releases, seal, standing
from data.release_name import correction_of, is_name, order


def report(after: releases.Release, *, before: releases.Release) -> list[str]:
    """Return the change report: rows, corrections that no longer match, and rates before and after."""
    lines = [
        *("", f"Changes from {before.name} to {after.name}", ""),
        *changes.row_lines(before=before, after=after),
        *changes.standing_lines(before=before.name, now=standing.working()),
        "",
        (
            f"corrections applied: {len(after.corrections)}; no longer needed: {len(after.settled)}; "
            f"not applied: {len(after.refused)}"
        ),
    ]
    lines += [*(f"  {line}" for line in after.refused), "", "growth rates"]
    old = {label: f"{rate:.3f}x" for label, (rate, _, _) in rates(before).items()}
    for label, (rate, _, _) in rates(after).items():
        lines.append(f"  {label:50} {old.get(label, '-'):>8} -> {rate:.3f}x a year")
    return lines


def earlier(release: str) -> releases.Release:
    """Return the release with which to compare a release: the newest before it, or the oldest if none is older."""
    older = [name for name in releases.names() if order(name) < order(release)]
    return releases.load(older[-1] if older else releases.names()[0])


def rates(release: releases.Release) -> dict[str, tuple[float, float, float]]:
    """Return a release's quoted growth rates with their intervals, keyed by name in the report.

    A release that is not served yet is read with the standing tables of the newest one; a rate with too few rows is
    omitted.
    """
    from views.registry import VIEWS
    from views.view import answer, read, split

    if release.name not in releases.names():
        release = replace(release, origin="own models and hardware", base=releases.latest())
    quoted = tomllib.loads(Path(__file__).with_name("quoted_rates.toml").read_text(encoding="utf-8"))
    rates = {}
    for label, link in quoted.items():
        path, query = split(link)
        result = answer(VIEWS[path], read(VIEWS[path], query)[0], release=release)
        growth = next((figure for figure in result.figures if figure.name == "yearly_growth"), None)
        if growth and growth.value is not None and growth.low is not None and growth.high is not None:
            rates[label] = (growth.value, growth.low, growth.high)
    return rates


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command. Return 0 on success, or 1 after printing the reasons to standard error."""
    options = _options(arguments)
    output = releases.DIRECTORY / (options.release or options.correct)
    say = partial(print, flush=True)
    try:
        if options.correct:
            built = drafts.correction(options.correct, say=say)
        else:
            files = {"models": options.models, "hardware": options.hardware}
            exports = {kind: (path.name, path.read_bytes()) for kind, path in files.items()}
            choices = {"strict": options.strict, "subset": options.subset}
            built = drafts.draft(exports, release=options.release, say=say, **choices)
        output = releases.DIRECTORY / built.release.name
        before = earlier(built.release.name)
        say(f"writing {output}")
        drafts.write(built, sealed=datetime.now(UTC).date())
    except (LookupError, ValueError, seal.DamagedError, OSError) as fault:
        if not (isinstance(fault, OSError) and fault.strerror):  # our own errors describe the obstacle
            print(f"refused, nothing was written:\n{fault}", file=sys.stderr)
        elif fault.filename in (str(options.models), str(options.hardware)):
            print(f"cannot read {fault.filename}: {fault.strerror}", file=sys.stderr)
        else:
            print(f"cannot write {output}: {fault.strerror}; nothing was changed", file=sys.stderr)
        return 1
    releases.look()
    try:
        lines = report(built.release, before=before)
    except (ArithmeticError, LookupError, OSError, ValueError) as fault:
        print(f"{output} was written completely, but its change report failed: {fault}", file=sys.stderr)
        return 1
    say("\n".join((*(f"note: {line}" for line in built.release.warnings), *lines)))
    return 0


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m data.curate", description="Build a release of the data.")
    parser.add_argument("--models", type=Path, help="Epoch's notable_ai_models.csv")
    parser.add_argument("--hardware", type=Path, help="Epoch's ml_hardware.csv")
    parser.add_argument("--release", help="name of the release, a month or a day: 2026-07")
    parser.add_argument("--correct", metavar="RELEASE", help="cut the next correction of a release: 2026-07")
    parser.add_argument("--strict", action="store_true", help="reject a file with any faulty row")
    parser.add_argument("--subset", action="store_true", help="accept a file that is only part of an export")
    options = parser.parse_args(arguments)
    export = (options.models, options.hardware, options.release)
    if not all(export) and (any(export) or not options.correct):
        parser.error("give --models, --hardware and --release, or --correct and a release.")
    name = options.release or options.correct
    if not is_name(name) or (options.release and correction_of(name) != name):
        option = "--release" if options.release else "--correct"
        parser.error(
            f"{option} is a year and month such as 2026-07, or a day such as 2026-07-18; got {name!r}."
        )
    return options


if __name__ == "__main__":
    sys.exit(main())
