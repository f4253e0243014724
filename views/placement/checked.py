"""How wrong predicted speeds are on devices and models that the fits had not seen: by class, and row by row."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import chain
from operator import itemgetter
from typing import Any, cast

import pandas as pd

from analysis.placement.class_errors import (
    FACTOR,
    FEW_DEVICES,
    ClassError,
    UnseenRow,
    decode_errors,
    median_error_percent,
    reading_errors,
    share_inside,
    unseen_rows,
    worst_devices,
)
from charts.chart import Bar, Line, Points, Role
from data import sources, standing
from data.by_release import RowByRelease, kept_by_release
from data.records import serving_fit
from views import wording, written
from views.axes import log_axis
from views.exhibits import ValueAxis, bar_exhibit, xy_exhibit
from views.placement.amounts import CLASS_WORDS
from views.placement.figures import COLUMNS
from views.placement.inputs import devices_fitted
from views.result import Exhibit
from views.table import stated_columns, table

FIRST, SECOND = "2026-11-21", "2026-11-22"


BlindTest = Mapping[str, Any]
"""A row of the table of blind tests: one prediction of an earlier form of the fit against speeds it had not seen."""


def blind_tests(predicted: str, *, tested_on: str = SECOND) -> dict[str, BlindTest]:
    """Return the blind tests of ``decode`` or ``prefill`` of a day, by the subset of rows."""
    table = standing.table("blind_tests")
    rows = table.loc[(table["tested_on"] == pd.Timestamp(tested_on)) & (table["predicted"] == predicted)]
    counts = {name: "Int64" for name in ("n_rows", "n_devices", "n_unknown_devices")}
    return {row["subset"]: cast(BlindTest, row) for row in rows.astype(counts).to_dict("records")}


def _method() -> tuple[str, ...]:
    numbers: dict[str, Any] = {}
    for name, day in (("first", FIRST), ("second", SECOND)):
        numbers |= {f"{name}_day": day, name: blind_tests("decode", tested_on=day)}
        numbers[f"{name}_prompts"] = blind_tests("prefill", tested_on=day)["all"]
    texts = written.paragraphs(__file__, name="method.md")
    return tuple(text.format(**numbers) for text in texts)


METHOD = RowByRelease(_method)


LABELLED = 3
READING = "Reading prompts"
WORDS = {**CLASS_WORDS, "datacenter_gpu": "data-centre GPU", "workstation": "desk workstation"}
SERIES: dict[str, Role] = {
    "Phones, laptops, embedded computers: GPU": "edge",
    "Desktops and workstations: GPU": "memory",
    "Servers: GPU": "compute",
    "Any device: CPU or NPU": "context",
}
DESKS, SERVERS = ("desktop_gpu", "workstation", "workstation_gpu"), ("edge_server", "datacenter_gpu")


def series_of(device_class: str, backend: str) -> str:
    """Return the kind of class that a row is drawn with."""
    personal, desk, server, other = SERIES
    if backend != "GPU":
        return other
    return desk if device_class in DESKS else server if device_class in SERVERS else personal


def class_words(device_class: str, backend: str) -> str:
    """Return a class and, where it does not go without saying, its backend."""
    word = wording.sentence_case(WORDS.get(device_class, device_class))
    usual = device_class.endswith("gpu") or (device_class == "edge_server" and backend == "GPU")
    return word if usual else f"{word}, {backend}"


def signed(percent: float) -> str:
    """Return an error with its sign. [%]"""
    return f"{'+' if percent >= 0 else '−'}{abs(percent):,.0f} %"


def _percent(value: float) -> str:
    return f"{wording.significant(value)} %"


@kept_by_release()
def checked_rows() -> tuple[UnseenRow, ...]:
    """Return every measured decode speed of one user beside what a fit without its chip predicts."""
    return unseen_rows(devices_fitted())


def checked_exhibit(*, source: str) -> Exhibit:
    """Return measured against predicted speeds of one user, each predicted by a fit without its device."""
    rows = checked_rows()
    median, mixtures = median_error_percent(rows), median_error_percent(row for row in rows if row.mixture)
    title = f"Predicted speeds on unseen devices: median error {median:.0f} %, {mixtures:.0f} % for mixtures of experts"
    speeds = [*chain.from_iterable((row.measured, row.predicted) for row in rows)]
    ends = (min(speeds), max(speeds))
    worst = worst_devices(rows, count=LABELLED)

    def points(series: str, role: Role) -> Points:
        own = [row for row in rows if series_of(row["device_class"], row["backend"]) == series]
        return Points(
            series=series,
            role=role,
            x=tuple(row.measured for row in own),
            y=tuple(row.predicted for row in own),
            names=tuple(row["device"] for row in own),
            details=tuple(map(_details, own)),
            marked=tuple((own.index(row), row["device"]) for row in worst if row in own),
        )

    columns = stated_columns(
        COLUMNS["rows"],
        device_class=lambda row: WORDS.get(row["device_class"], row["device_class"]),
        in_80_percent_interval=lambda row: "yes" if row.inside else "no",
        locator=_address,
        **{
            name: itemgetter(name) for name in ("device", "backend", "model", "format", "row_id", "source_id")
        },
    )
    most = max(rows, key=lambda row: abs(row.error_percent))
    chips = wording.counted(len({row.chip for row in rows}), "chip")
    return xy_exhibit(
        [
            Line(series="Predicted as measured", role="context", x=ends, y=ends, dash="dotted"),
            *(points(series, role) for series, role in SERIES.items()),
        ],
        title=title,
        subtitle="Tokens a second of one user, measured against predicted by a fit without that chip, log scales; "
        "above the dotted line the prediction is too fast.",
        alt=f"{title}: {len(rows)} measured speeds on {chips} lie about the line where predicted equals measured. "
        f"The worst is {most['device']}, {signed(most.error_percent)}.",
        source=source,
        x=log_axis("Measured tokens a second", ends, word="{:,g}".format),
        y=log_axis("Predicted tokens a second", ends, word="{:,g}".format),
        numbers=table(columns, rows),
        section="sure",
    )


def _details(row: UnseenRow) -> tuple[str, ...]:
    return (
        f"{row['model']}, {row['format']}, {row['backend']}",
        f"{wording.significant(row.measured, 3)} tokens/s measured",
        f"{wording.significant(row.predicted, 3)} predicted, {signed(row.error_percent)}",
    )


def _address(row: UnseenRow) -> str:
    """Return where a row can be read: its locator where that is an address, else its source's address."""
    locator = row["locator"]
    return locator.split()[0] if locator.startswith("http") else sources.address(row["source_id"])


@dataclass(frozen=True, kw_only=True)
class CheckedClass:
    """How wrong predictions of one class are, under the name and in the colour a reader sees."""

    label: str
    role: Role
    error: ClassError

    @property
    def known(self) -> str:
        """Return how well it is known, in a word."""
        return "well" if self.error.known else "poorly"

    @property
    def bar(self) -> Bar:
        """Return its bar: the median error, and of how many devices it is."""
        error, devices = self.error, wording.counted(self.error.devices, "device")
        lines = [
            f"{wording.counted(error.rows, 'row')} of {devices}",
            f"Worst: {signed(error.worst)} on {error.worst_device}",
            f"{error.within_factor * 100:.0f} % of rows within a factor {FACTOR:g}",
        ]
        if error.inside_80 is not None and error.inside_90 is not None:
            lines.append(
                f"{error.inside_80 * 100:.0f} % in the 80 % interval, {error.inside_90 * 100:.0f} % in the 90 % one"
            )
        return Bar(
            label=self.label,
            value=error.median,
            text=f"{_percent(error.median)}, {devices if error.known else 'poorly known'}",
            role=self.role,
            detail=tuple(lines),
        )


def _checked(error: ClassError, *, of: str = "") -> CheckedClass:
    return CheckedClass(
        label=of + class_words(error.device_class, error.backend),
        role=SERIES[series_of(error.device_class, error.backend)],
        error=error,
    )


@kept_by_release()
def by_class() -> tuple[CheckedClass, ...]:
    """Return how wrong decode predictions are on chips left out, by class and backend, the best known first."""
    return tuple(map(_checked, decode_errors(devices_fitted())))


@kept_by_release()
def reading_by_class() -> tuple[CheckedClass, ...]:
    """Return how wrong the predicted reading of prompts is on chips left out, by class, all of them first."""
    every, *classes = reading_errors(devices_fitted())
    return (
        CheckedClass(label=f"{READING}, all devices", role="context", error=every),
        *(_checked(error, of=f"{READING}: ") for error in classes),
    )


def serving() -> tuple[CheckedClass, ...]:
    """Return how wrong throughput at full load is on sources left out, and by bandwidth alone."""
    kinds: dict[str, tuple[str, Role]] = {
        "source": ("Accelerators at full load", "compute"),
        "bandwidth": ("The same by bandwidth alone", "context"),
    }
    errors: dict[str, Any] = serving_fit()["full_load_errors"]
    return tuple(
        CheckedClass(label=label, role=role, error=ClassError(**errors[of], known=True))
        for of, (label, role) in kinds.items()
    )


def checked_by_class_exhibit(*, source: str) -> Exhibit:
    """Return the median error by class of device on chips left out, and of accelerators on sources left out."""
    classes, reading, (ours, rule) = by_class(), reading_by_class(), serving()
    known, poor = (
        [item.error.median for item in classes if item.error.known is mark] for mark in (True, False)
    )
    title = (
        f"Median error {min(known):.0f} to {max(known):.0f} % for classes of five or more devices, up to "
        f"{max(poor):.0f} % for poorly known ones"
    )
    return bar_exhibit(
        (*classes, reading[0], ours, rule),
        lambda item: replace(item.bar, emphasised=item is ours),
        title=title,
        subtitle="Median error of predicted tokens a second, %: devices by a fit without the chip, "
        "accelerators by one without the source.",
        alt=f"{title}. Accelerators at full load: median error {_percent(ours.error.median)}, by bandwidth alone "
        f"{_percent(rule.error.median)}.",
        source=source,
        axis=ValueAxis(title="Median error [%]", span=(0.0,)),
        columns=stated_columns(COLUMNS["classes"]),
        listed=(*classes, *reading, ours, rule),
        section="sure",
    )


def how_checked() -> Iterator[str]:
    """Yield what measurements say of the predictions, a sentence or two each."""
    (ours, rule), errors = serving(), [item.error for item in by_class()]
    inside_80, inside_90 = share_inside(errors)
    numbers = {
        "inside_80": 100 * inside_80,
        "inside_90": 100 * inside_90,
        "few": FEW_DEVICES,
        "factor": FACTOR,
        "ours_within": 100 * ours.error.within_factor,
        "rule_within": 100 * rule.error.within_factor,
        "reading": _percent(reading_by_class()[0].error.median),
        "test": blind_tests("decode")["all"],
    }
    for text in written.paragraphs(__file__, name="how_checked.md"):
        yield text.format(**numbers)
