"""How wrong predicted speeds are on devices the fit had not seen, row by row."""

from dataclasses import replace
from itertools import chain

from analysis.placement.class_errors import UnseenRow, median_error_percent, unseen_rows, worst_devices
from charts.chart import Line, Mark, Points, Role
from data import sources
from data.by_release import kept_by_release
from data.releases import Release
from views import wording
from views.axes import log_axis
from views.exhibits import xy_exhibit
from views.placement.fitted import devices_fitted
from views.placement.places import CLASS_WORDS
from views.result import Exhibit
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
    exhibit = _exhibit(release.stands_on)
    return replace(exhibit, chart=replace(exhibit.chart, source=source))


@kept_by_release(4)
def _exhibit(release: str) -> Exhibit:
    del release  # what is kept is told apart by it
    rows = unseen_rows(devices_fitted())
    middle, mixtures = median_error_percent(rows), median_error_percent(row for row in rows if row.mixture)
    title = f"Predicted speeds on unseen devices: median error {middle:.0f} %, {mixtures:.0f} % for mixtures of experts"
    speeds = [*chain.from_iterable((row.measured, row.predicted) for row in rows)]
    ends = (min(speeds), max(speeds))
    worst = worst_devices(rows, count=LABELLED)
    marks: list[Mark] = [Line(series="Predicted as measured", role="context", x=ends, y=ends, dash="dotted")]
    for series, role in SERIES.items():
        own = [
            row
            for row in rows
            if series_of(row.measurement["device_class"], row.measurement["backend"]) == series
        ]
        marks.append(
            Points(
                series=series,
                role=role,
                x=tuple(row.measured for row in own),
                y=tuple(row.predicted for row in own),
                names=tuple(row.measurement["device"] for row in own),
                details=tuple(map(_details, own)),
                marked=tuple((own.index(row), row.measurement["device"]) for row in worst if row in own),
            )
        )
    most = max(rows, key=lambda row: abs(row.error_percent))
    chips = wording.counted(len({row.chip for row in rows}), "chip")
    return xy_exhibit(
        marks,
        title=title,
        subtitle="Tokens a second of one user, measured against predicted by a fit without that chip, log scales; "
        f"above the dotted line the prediction is too fast. {FLATTERED}",
        alt=f"{title}: {len(rows)} measured speeds on {chips} lie about the line where predicted equals measured. "
        f"The worst is {most.measurement['device']}, {signed(most.error_percent)}.",
        source="",
        x=log_axis("Measured tokens a second", ends, word="{:,g}".format),
        y=log_axis("Predicted tokens a second", ends, word="{:,g}".format),
        numbers=table(COLUMNS, rows),
        section="sure",
    )


def _details(row: UnseenRow) -> tuple[str, ...]:
    of = row.measurement
    return (
        f"{of['model']}, {of['format']}, {of['backend']}",
        f"{wording.significant(row.measured, 3)} tokens/s measured",
        f"{wording.significant(row.predicted, 3)} predicted, {signed(row.error_percent)}",
    )


def _text(name: str, *, label: str) -> Getter[UnseenRow]:
    return column(name, lambda row: str(row.measurement[name]), label=label, kind="text")


def _address(row: UnseenRow) -> str:
    """Return where a row can be read: its locator where that is an address, else its source's address."""
    locator = str(row.measurement["locator"])
    if locator.startswith("http"):
        return locator.split()[0]
    return sources.address(row.measurement["source_id"])


COLUMNS: tuple[Getter[UnseenRow], ...] = (
    _text("device", label="Device"),
    column(
        "device_class",
        lambda row: WORDS.get(row.measurement["device_class"], row.measurement["device_class"]),
        label="Class",
        kind="text",
    ),
    _text("backend", label="Runs on"),
    _text("model", label="Model"),
    _text("format", label="Format"),
    column("measured_tokens_per_s", lambda row: row.measured, label="Measured", unit="tokens/s"),
    column("predicted_tokens_per_s", lambda row: row.predicted, label="Predicted unseen", unit="tokens/s"),
    column("error_percent", lambda row: row.error_percent, label="Error", unit="%"),
    column(
        "in_80_percent_interval",
        lambda row: "yes" if row.inside else "no",
        label="Inside 80 % interval",
        kind="text",
    ),
    _text("row_id", label="Row"),
    _text("source_id", label="Source"),
    column("locator", _address, label="Place in the source", kind="link"),
)
