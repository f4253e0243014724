"""Builds a release: ``python -m data.curate --models M.csv --hardware H.csv --release 2026-07``.

The change report states growth rates, so ``main`` asks :mod:`analysis` for them when it runs; nothing
else under data/ may. Same files and same curation tables give the same bytes.
"""

import argparse
import json
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any, Literal

import pandas as pd

from data import (
    changes,
    contract,
    curation_tables,
    epoch,
    inputs,
    intake,
    package,
    publish,
    releases,
    seal,
    sources,
    standing,
    table_text,
)
from data.release_name import order

Say = Callable[[str], None]

RELEASE_FILES = {"training_runs.csv", "accelerators.csv", "corrections.csv", "release.json"}


class SubsetError(ValueError):
    """A file that looks like a part of an export, and nobody said that it is meant to be one."""


@dataclass(frozen=True, kw_only=True)
class Draft:
    """A release that is built and not written yet.

    ``texts`` are its tables by file name, ``record`` is what release.json says of where they are from, ``inputs`` what
    the repository keeps of the export, by kind.
    """

    release: releases.Release
    texts: Mapping[str, str]
    record: Mapping[str, Any]
    inputs: Mapping[str, bytes]

    def has_tables_of(self, name: str) -> bool:
        """Return whether its tables are those of another release, byte for byte."""
        sha256 = {table: seal.digest(text.encode()) for table, text in self.texts.items()}
        return sha256 == dict(releases.sealed(name).record.files)


def draft(
    models: bytes,
    hardware: bytes,
    *,
    release: str,
    files: tuple[str, str],
    say: Say,
    strict: bool = False,
    subset: bool = False,
) -> Draft:
    """Return the release ``release`` of an export; nothing is written.

    ``files`` are what errors call the two inputs; ``say`` gets one line per step and per thing that is odd,
    ``warnings`` of the release one per row left out; ``strict`` refuses an input for one faulty row, ``subset`` takes
    one with far fewer rows than the newest release.

    Raises
    ------
    data.epoch.ExportError
        An input that is no export, or a built table outside its contract.
    SubsetError
        An input with far fewer rows than the newest release, without ``subset``.
    """
    say(f"reading and curating {files[0]} and {files[1]}")
    newest = _newest(say=say)
    own = intake.take(
        intake.Files(models=models, hardware=hardware, names=files),
        lines=curation_tables.read(),
        ground={table: getattr(newest, table) for table in intake.TABLES} if newest else {},
        strict=strict,
        keys={"sources": _working_sources()},
    )
    if own.subsets and not subset:
        raise SubsetError("\n".join((*own.subsets, "Give --subset if it is meant to be a part.")))
    for line in (*own.subsets, *own.absent):
        say(f"note: {line}")
    runs, parts = own.both()
    tables = {
        "training_runs": runs.frame,
        "accelerators": parts.frame,
        "corrections": pd.concat([runs.corrections, parts.corrections], ignore_index=True),
    }
    say("checking names, types, bounds, keys and sources")
    _hold_to_contract(tables)
    for name in parts.unmatched:
        say(f"note: {name} has no line in products.csv")
    for name in runs.unmatched:
        say(f"note: training hardware {name} is no accelerator and has no line in hardware_aliases.csv")
    typed = {table: table_text.typed(frame, table=table) for table, frame in tables.items()}
    exports = {"models": models, "hardware": hardware}
    kept = {
        kind: inputs.facts(exports[kind], kind=kind, left_out={problem.row for problem in left_out})
        for kind, left_out in zip(inputs.KINDS, own.left_out.values(), strict=True)
    }
    return Draft(
        release=releases.Release(
            name=release,
            training_runs=typed["training_runs"],
            accelerators=typed["accelerators"],
            corrections=typed["corrections"],
            exclusions=releases.exclusions(typed["training_runs"], typed["accelerators"]),
            refused=(*runs.refused, *parts.refused),
            settled=(*runs.settled, *parts.settled),
            warnings=own.rows_left_out,
        ),
        texts={f"{table}.csv": table_text.text(frame, table=table) for table, frame in tables.items()},
        record={
            "source": "Epoch AI, CC BY 4.0",
            "exported_by": _exported_by(hardware),
            "inputs": {
                kind: {"sha256": seal.digest(content), "bytes": len(content)}
                for kind, content in exports.items()
            },
            "rows": {table: len(frame) for table, frame in tables.items()},
        },
        inputs=kept,
    )


def write(built: Draft, *, output: Path, sealed: date) -> None:
    """Write a release to ``output``, a folder such as data/releases/2026-07, sealed on that day.

    An interrupted write leaves no release. What is kept of the export lies beside our own releases only.

    Raises
    ------
    FileExistsError
        ``output`` holds something that is no release, which would be lost, or a release, which is sealed.
    """
    _refuse_to_lose(output)
    name = built.release.name
    if output == releases.DIRECTORY / name and built.inputs:
        inputs.write(name, contents=built.inputs)
    seal.cut(
        output,
        name=name,
        record=built.record,
        tables=built.texts,
        standing=standing.working(),
        sealed=sealed,
        known=seal.names(releases.DIRECTORY),
    )


def _working_sources() -> set[str]:
    """Return the keys of the sources that the next release will be sealed with."""
    return set(contract.read_table(sources.PATH, table="sources")["source_id"])


def _newest(*, say: Say) -> releases.Release | None:
    """Return the newest release, None where there is none or one is damaged, which is said."""
    try:
        return releases.load(releases.latest())
    except seal.DamagedError as fault:
        say(f"note: {fault}")
        return None


def _refuse_to_lose(output: Path) -> None:
    if output.exists() and not output.is_dir():
        raise FileExistsError(f"{output} is a file; --output names the folder of the release.")
    others = sorted({path.name for path in output.glob("*")} - RELEASE_FILES)
    if others:
        message = f"{output} holds {', '.join(others[:3])}, which is no release and would be lost."
        raise FileExistsError(f"{message} Give a new or empty folder.")


def _hold_to_contract(tables: dict[str, pd.DataFrame]) -> None:
    keys = {"sources": _working_sources()}
    found = [
        epoch.Problem(file=f"{table}.csv", row=breach.row, column=breach.column, message=breach.message)
        for table, frame in tables.items()
        for breach in contract.breaches(table_text.rows(frame, table=table), table=table, keys=keys)
    ]
    if found:
        raise epoch.ExportError(found)


def _exported_by(hardware: bytes) -> str:
    """Return the day of the newest change of a row of an export; empty if it does not say. No clock is read."""
    days = re.findall(rb"\b(20\d\d-\d\d-\d\d) \d\d:\d\d:\d\d\+00:00", hardware)
    return max(days, default=b"").decode()


def register(release: str, *, descriptor: Path) -> bool:
    """Add a release's tables to datapackage.json; return whether they were new there."""
    listed = json.loads(descriptor.read_text(encoding="utf-8"))
    known = {resource["name"] for resource in listed["resources"]}
    fresh = [one for one in package.described(release) if one["name"] not in known]
    if fresh:
        listed["resources"] += fresh
        publish.write_file(descriptor, text=json.dumps(listed, indent=1, ensure_ascii=False) + "\n")
    return bool(fresh)


def report(
    after: releases.Release, *, before: releases.Release | None, rate: changes.Rate | None
) -> list[str]:
    """Return the change report: rows, corrections that do not fit, and rates before and after."""
    title = f"Changes from {before.name} to {after.name}" if before else f"{after.name}, the first release"
    lines = ["", title, "", *changes.row_lines(before=before, after=after), ""]
    lines.append(
        f"corrections applied: {len(after.corrections)}; no longer needed: {len(after.settled)}; "
        f"not applied: {len(after.refused)}"
    )
    lines += [f"  {line}" for line in after.refused]
    if rate:
        lines += ["", "growth rates", *changes.rate_lines(before=before, after=after, rate=rate)]
    return lines


def earlier(release: str) -> releases.Release | None:
    """Return the newest release before ``release``, or None if there is none."""
    older = [name for name in releases.names() if order(name) < order(release)]
    return releases.load(older[-1]) if older else None


def analysed_rate(headline: changes.Headline) -> float:
    """Return the yearly growth of a headline series by least squares, as the views compute it."""
    return _analysed(headline, interval="classical").trend.yearly_growth


def analysed_interval(headline: changes.Headline) -> tuple[float, float]:
    """Return the 90 % interval of that growth, whole organizations resampled, as the views compute it."""
    found = _analysed(headline, interval="clustered")
    return found.growth_low, found.growth_high


def _analysed(headline: changes.Headline, *, interval: Literal["classical", "clustered"]) -> Any:
    from analysis.trend.calendar_year import decimal_year
    from analysis.trend.growth import Series, Window, growth
    from analysis.trend.selection import Rule

    series = Series(
        year=decimal_year(headline.date), value=headline.value, cluster=headline.cluster, name=headline.name
    )
    since = None if headline.since is None else float(headline.since)
    return growth(
        series,
        rule=Rule(kind=headline.rule, top=10),
        window=Window(since=since, until=None),
        estimator="least-squares",
        interval=interval,
        few_clusters="rows",
    )


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; return 0, or 1 with the reasons on standard error.

    A release that a killed run wrote and did not enter into datapackage.json is entered by the next one.
    """
    parser = argparse.ArgumentParser(prog="python -m data.curate", description="Build a release of the data.")
    parser.add_argument("--models", type=Path, required=True, help="Epoch's notable_ai_models.csv")
    parser.add_argument("--hardware", type=Path, required=True, help="Epoch's ml_hardware.csv")
    parser.add_argument("--release", required=True, help="name of the release, a month or a day: 2026-07")
    parser.add_argument("--output", type=Path, help="folder to write (data/releases/<release>)")
    parser.add_argument("--strict", action="store_true", help="refuse a file for a single faulty row")
    parser.add_argument("--subset", action="store_true", help="take a file that is a part of an export")
    options = parser.parse_args(arguments)
    if not seal.is_name(options.release):
        parser.error(
            f"--release is a year and month such as 2026-07, or a day such as 2026-07-18; got {options.release!r}."
        )
    output = options.output or releases.DIRECTORY / options.release
    say: Say = lambda line: print(line, flush=True)  # noqa: E731
    try:
        content = [path.read_bytes() for path in (options.models, options.hardware)]
    except OSError as fault:
        print(f"cannot read {fault.filename}: {fault.strerror}", file=sys.stderr)
        return 1
    descriptor = contract.DIRECTORY / "datapackage.json"
    own = output == releases.DIRECTORY / options.release
    if own:
        for name in seal.names(releases.DIRECTORY):
            if register(name, descriptor=descriptor):
                say(f"note: {name} was missing from {descriptor.name} and is in it now")
    try:
        before = earlier(options.release)
        built = draft(
            *content,
            release=options.release,
            files=(options.models.name, options.hardware.name),
            say=say,
            strict=options.strict,
            subset=options.subset,
        )
        say(f"writing {output}")
        write(built, output=output, sealed=datetime.now(UTC).date())
    except (epoch.ExportError, SubsetError, seal.DamagedError, OSError) as fault:
        if (
            isinstance(fault, OSError) and fault.strerror
        ):  # the system's own; ours say in words what is in the way
            print(f"cannot write {output}: {fault.strerror}; what was there stays as it was", file=sys.stderr)
        else:
            print(f"refused, nothing was written:\n{fault}", file=sys.stderr)
        return 1
    if own:
        releases.look()
        try:
            register(options.release, descriptor=descriptor)
        except OSError as fault:
            print(
                f"{output} is written and whole; it could not be entered into {descriptor.name}: {fault.strerror}. "
                "The next run enters it.",
                file=sys.stderr,
            )
            return 1
    try:
        lines = report(built.release, before=before, rate=analysed_rate)
    except (ArithmeticError, LookupError, OSError, ValueError) as fault:
        print(f"{output} is written and whole; its change report could not be made: {fault}", file=sys.stderr)
        return 1
    say("\n".join((*(f"note: {line}" for line in built.release.warnings), *lines)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
