"""Command that cuts a release from Epoch AI's current exports: ``python -m data.refresh``, or ``make refresh``.

Nothing is written if a row has an implausible cell, if many rows are gone, or if a rate leaves its interval.
``--accept`` accepts these after a review; rows with an implausible cell are then omitted.
"""

import argparse
import sys
import tomllib
from collections.abc import Sequence
from datetime import UTC, date, datetime

from data import contract, curate, download, drafts, releases, seal
from data.release_name import order

ADDRESSES = contract.DIRECTORY / "exports.toml"
KINDS = tuple(releases.OWN.values())
MOST_GONE = 0.05
"""Maximum share of the newest release's rows that an export may lack. [1]"""


def today() -> date:
    """Return the day (UTC) that names a release."""
    return datetime.now(UTC).date()


def addresses() -> dict[str, str]:
    """Return the address of each export, keyed by kind.

    Raises ValueError if the file does not have both.
    """
    try:
        table = tomllib.loads(ADDRESSES.read_text(encoding="utf-8"))
        return {kind: str(table[kind]) for kind in KINDS}
    except (OSError, ValueError, LookupError) as fault:
        names = " and ".join(KINDS)
        raise ValueError(f"{ADDRESSES} must name the addresses of {names} as TOML: {fault}") from None


def oddities(*, before: releases.Release, after: releases.Release) -> tuple[str, ...]:
    """Return anomalies for a person to review: many missing rows, or a rate outside its former interval."""
    odd = []
    for table in releases.TABLES[:2]:
        old, new = (set(getattr(release, table)["name"]) for release in (before, after))
        gone = sorted(old - new)
        if len(gone) > MOST_GONE * len(old):
            odd.append(
                f"{table}: {len(gone)} of the {len(old):,} rows of {before.name} are gone, such as "
                f"{', '.join(gone[:3])}."
            )
    now = curate.rates(after)
    for label, (_, low, high) in curate.rates(before).items():
        if label not in now:
            odd.append(f"{label}: the growth rate can no longer be computed.")
        elif not low <= now[label][0] <= high:
            odd.append(
                f"{label}: {now[label][0]:.3f}x a year is outside the 90% interval of {before.name}, "
                f"{low:.3f} to {high:.3f}."
            )
    return tuple(odd)


def refresh(*, accept: bool = False) -> bool:
    """Build a release from the current exports unless nothing is new, and report the outcome.

    Returns False, without writing anything, if an anomaly has not been accepted.

    Raises data.download.DownloadError, data.epoch.ExportError or ValueError if the download is not a complete export,
    or a release of that name exists; nothing was written.
    """
    where, name = addresses(), today().isoformat()
    before = releases.load(releases.latest())
    if order(name) <= order(before.name):
        raise ValueError(
            f"the newest release is {before.name}, and {name} is not later. Refresh on a later day."
        )
    content = {kind: download.csv_file(where[kind]) for kind in KINDS}
    cut_from = releases.sealed(before.name).record.provenance.get("inputs", {})
    if all(seal.digest(content[kind]) == cut_from.get(kind, {}).get("sha256") for kind in KINDS):
        print(f"Nothing is new: the exports are those that {before.name} was cut from.")
        return True
    lines: list[str] = []
    exports = {kind: (where[kind], content[kind]) for kind in KINDS}
    built = drafts.draft(exports, release=name, say=lines.append)
    if built.has_tables_of(before.name):
        print(f"Nothing is new: the tables are those of {before.name}.")
        return True
    odd = (*built.release.warnings, *oddities(before=before, after=built.release))
    lines += curate.report(built.release, before=before)
    if odd and not accept:
        end = "Check the changes. If they are right, run the same command with --accept."
        print(*lines, "", "refused, nothing was written:", *odd, end, sep="\n", file=sys.stderr)
        return False
    drafts.write(built, sealed=today())
    releases.look()
    print(*lines, *(f"accepted: {line}" for line in odd), "", f"Release {name} is written.", sep="\n")
    return True


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command. Return 0 after a new release or if nothing is new, otherwise 1."""
    parser = argparse.ArgumentParser(prog="python -m data.refresh", description=__doc__)
    parser.add_argument(
        "--accept", action="store_true", help="accept unusual changes after you have checked them"
    )
    options = parser.parse_args(arguments)
    try:
        return int(not refresh(accept=options.accept))
    except (download.DownloadError, seal.DamagedError, OSError, ValueError) as fault:
        print(f"refused, nothing was written:\n{fault}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
