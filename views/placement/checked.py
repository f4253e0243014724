"""How wrong predicted speeds are on devices the fit had not seen, row by row."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from analysis.arrays import BoolArray, FloatArray
from analysis.measured.held_out import error_percent
from charts.chart import Line, Mark, Points, Role, XYChart
from data import sources
from data.by_release import kept_by_release
from data.releases import Release
from views import wording
from views.axes import log_axis
from views.placement.blind_test import blind_test
from views.placement.fitted import devices_fitted
from views.placement.places import CLASS_WORDS
from views.result import Cell, Exhibit, Table
from views.table import Getter, column, table

LABELLED = 3

WORDS = {**CLASS_WORDS, "datacenter_gpu": "data-centre GPU", "workstation": "desk workstation"}
SERIES: dict[str, Role] = {
    "Phones, laptops, embedded computers: GPU": "edge",
    "Desktops and workstations: GPU": "memory",
    "Servers: GPU": "compute",
    "Any device: CPU or NPU": "context",
}
DESKS, SERVERS = ("desktop_gpu", "workstation", "workstation_gpu"), ("edge_server", "datacenter_gpu")
FLATTERED = "The form of the devices' fit was chosen on these same errors, which flatters them."


def own_errors() -> str:
    """Return how far off the devices' fit was on speeds that it had not seen."""
    test = blind_test("decode")
    return (
        f"{FLATTERED.removesuffix('.')}: on {test.rows} speeds of {test.devices} devices gathered before any was "
        f"predicted the median error was {test.median_error_percent:.0f} %, and {test.inside_90_percent:.0f} % lay "
        "inside the 90 % interval; they have joined the fit since."
    )


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


def checked_exhibit(*, release: Release, source: str) -> Exhibit:
    """Return measured against predicted speeds of one user, each predicted by a fit without its device."""
    exhibit = _rows(release.stands_on)
    return replace(exhibit, chart=replace(exhibit.chart, source=source))


@kept_by_release(4)
def _rows(release: str) -> Exhibit:
    models = devices_fitted()
    checked, frame = models.decode, models.decode_rows
    measured = np.asarray(checked.decode_tokens_per_s, dtype=float)
    predicted, error = checked.held_out_tokens_per_s, error_percent(checked.residual)
    inside = checked.covered(0.8)
    rows = frame.to_dict("records")
    middle = float(np.median(np.abs(error)))
    mixtures = float(np.median(np.abs(error[checked.cases.mixture])))
    title = f"Predicted speeds on unseen devices: median error {middle:.0f} %, {mixtures:.0f} % for mixtures of experts"
    ends = [float(min(measured.min(), predicted.min())), float(max(measured.max(), predicted.max()))]
    marks: list[Mark] = [
        Line(
            series="Predicted as measured",
            role="context",
            x=(ends[0], ends[1]),
            y=(ends[0], ends[1]),
            dash="dotted",
        )
    ]
    kinds = [series_of(row["device_class"], row["backend"]) for row in rows]
    worst = _worst_devices(checked.cases.device, np.abs(checked.residual))
    for series, role in SERIES.items():
        at = [i for i, kind in enumerate(kinds) if kind == series]
        marks.append(
            Points(
                series=series,
                role=role,
                x=tuple(float(measured[i]) for i in at),
                y=tuple(float(predicted[i]) for i in at),
                names=tuple(str(rows[i]["device"]) for i in at),
                details=tuple(
                    (
                        f"{rows[i]['model']}, {rows[i]['format']}, {rows[i]['backend']}",
                        f"{wording.significant(measured[i], 3)} tokens/s measured",
                        f"{wording.significant(float(predicted[i]), 3)} predicted, {signed(float(error[i]))}",
                    )
                    for i in at
                ),
                marked=tuple((at.index(i), str(rows[i]["device"])) for i in worst if i in at),
            )
        )

    def word(value: float) -> str:
        return f"{value:,g}"

    most = int(np.argmax(np.abs(error)))
    chips = wording.counted(len(set(checked.cases.device)), "chip")
    return Exhibit(
        chart=XYChart(
            title=title,
            subtitle="Tokens a second of one user, measured against predicted by a fit without that chip, log scales; "
            f"above the dotted line the prediction is too fast. {FLATTERED}",
            alt=f"{title}: {len(rows)} measured speeds on {chips} lie about the line where predicted equals measured. "
            f"The worst is {rows[most]['device']}, {signed(float(error[most]))}.",
            source="",
            x=log_axis("Measured tokens a second", ends, word=word),
            y=log_axis("Predicted tokens a second", ends, word=word),
            marks=tuple(marks),
        ),
        table=_table(rows, measured=measured, predicted=predicted, error=error, inside=inside),
    )


def _table(
    rows: Sequence[Mapping[Any, Any]],
    *,
    measured: FloatArray,
    predicted: FloatArray,
    error: FloatArray,
    inside: BoolArray,
) -> Table:
    def text(name: str) -> Callable[[int], Cell]:
        return lambda i: str(rows[i][name])

    def number(values: FloatArray) -> Callable[[int], Cell]:
        return lambda i: float(values[i])

    columns: tuple[Getter[int], ...] = (
        column("device", text("device"), label="Device", kind="text"),
        column(
            "device_class",
            lambda i: WORDS.get(rows[i]["device_class"], rows[i]["device_class"]),
            label="Class",
            kind="text",
        ),
        column("backend", text("backend"), label="Runs on", kind="text"),
        column("model", text("model"), label="Model", kind="text"),
        column("format", text("format"), label="Format", kind="text"),
        column("measured_tokens_per_s", number(measured), label="Measured", unit="tokens/s"),
        column("predicted_tokens_per_s", number(predicted), label="Predicted unseen", unit="tokens/s"),
        column("error_percent", number(error), label="Error", unit="%"),
        column(
            "in_80_percent_interval",
            lambda i: "yes" if inside[i] else "no",
            label="Inside 80 % interval",
            kind="text",
        ),
        column("row_id", text("row_id"), label="Row", kind="text"),
        column("source_id", text("source_id"), label="Source", kind="text"),
        column(
            "locator",
            lambda i: _address(str(rows[i]["locator"]), str(rows[i]["source_id"])),
            label="Place in the source",
            kind="link",
        ),
    )
    return table(columns, range(len(rows)))


def _worst_devices(devices: Sequence[str], off: NDArray[np.floating]) -> list[int]:
    """Return the worst row of each of the worst devices, the worst first."""
    worst: dict[str, int] = {}
    for i in np.argsort(-off, kind="stable").tolist():
        worst.setdefault(str(devices[i]), i)
    return list(worst.values())[:LABELLED]


def _address(locator: str, source_id: str) -> str:
    """Return where a row can be read: its locator where that is an address, else its source's address."""
    if locator.startswith("http"):
        return locator.split()[0]
    return sources.address(source_id)
