"""How wrong predicted speeds are on devices and models the fits had not seen, by class of device."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from analysis.placement.class_errors import (
    FACTOR,
    FEW_DEVICES,
    ClassError,
    decode_errors,
    full_load_errors,
    reading_errors,
    share_inside,
)
from analysis.serving.fitted import FULL_LOAD_ERRORS
from charts.chart import Bar, Role
from data.by_release import kept_by_release
from views import wording
from views.exhibits import ValueAxis, bar_exhibit
from views.placement.checked import FLATTERED, SERIES, class_words, series_of, signed
from views.placement.fitted import devices_fitted
from views.placement.method import blind_test
from views.result import Exhibit
from views.table import Getter, column, table

READING = "Reading prompts"


@dataclass(frozen=True, kw_only=True)
class CheckedClass:
    """How wrong predictions of one class are, under the name and in the colour a reader sees."""

    label: str
    role: Role
    error: ClassError

    @property
    def bar(self) -> Bar:
        """Return its bar: the median error, and of how many devices it is."""
        error = self.error
        known = wording.counted(error.devices, "device") if error.known else "poorly known"
        lines = [
            f"{wording.counted(error.rows, 'row')} of {wording.counted(error.devices, 'device')}",
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
            text=f"{_percent(error.median)}, {known}",
            role=self.role,
            detail=tuple(lines),
        )


def _percent(value: float) -> str:
    return f"{wording.significant(value)} %"


def _checked(error: ClassError, *, of: str = "") -> CheckedClass:
    return CheckedClass(
        label=of + class_words(error.device_class, error.backend),
        role=SERIES[series_of(error.device_class, error.backend)],
        error=error,
    )


def by_class() -> tuple[CheckedClass, ...]:
    """Return how wrong decode predictions are on chips left out, by class and backend, the best known first."""
    return tuple(_checked(error) for error in decode_errors(devices_fitted()))


def reading_by_class() -> tuple[CheckedClass, ...]:
    """Return how wrong the predicted reading of prompts is on chips left out, by class, all of them first."""
    every, *classes = reading_errors(devices_fitted())
    return (
        CheckedClass(label=f"{READING}, all devices", role="context", error=every),
        *(_checked(error, of=f"{READING}: ") for error in classes),
    )


def serving() -> tuple[CheckedClass, ...]:
    """Return how wrong throughput at full load is on models left out, on accelerators left out, and by bandwidth."""
    kinds: tuple[tuple[str, Role, str], ...] = (
        ("Accelerators at full load", "compute", "model"),
        ("Accelerators not in the fit", "context", "accelerator"),
        ("The same by bandwidth alone", "context", "bandwidth"),
    )
    return tuple(
        CheckedClass(
            label=label,
            role=role,
            error=full_load_errors(FULL_LOAD_ERRORS[left_out], known=left_out != "accelerator"),
        )
        for label, role, left_out in kinds
    )


def checked_by_class_exhibit(*, source: str) -> Exhibit:
    """Return the median error by class of device on chips left out, and of accelerators on models left out."""
    exhibit = _by_class()
    return replace(exhibit, chart=replace(exhibit.chart, source=source))


@kept_by_release()
def _by_class() -> Exhibit:
    classes, reading, (ours, others, rule) = by_class(), reading_by_class(), serving()
    known = [item.error.median for item in classes if item.error.known]
    poor = [item.error.median for item in classes if not item.error.known]
    title = (
        f"Median error {min(known):.0f} to {max(known):.0f} % for classes of five or more devices, up to "
        f"{max(poor):.0f} % for poorly known ones"
    )
    exhibit = bar_exhibit(
        (*classes, reading[0], ours, others, rule),
        lambda item: replace(item.bar, emphasised=item is ours),
        title=title,
        subtitle="Median error of predicted tokens a second, %: devices by a fit without the chip, "
        f"accelerators by one without the model. {FLATTERED}",
        alt=f"{title}. Accelerators at full load: median error {_percent(ours.error.median)}, by bandwidth alone "
        f"{_percent(rule.error.median)}.",
        source="",
        axis=ValueAxis(title="Median error [%]", span=(0.0,)),
        columns=COLUMNS,
        section="sure",
    )
    return replace(exhibit, table=table(COLUMNS, (*classes, *reading, ours, others, rule)))


def how_checked() -> Iterator[str]:
    """Yield what measurements say of the predictions, a sentence or two each."""
    reading, (ours, others, rule), test = reading_by_class(), serving(), blind_test("decode")
    inside_80, inside_90 = share_inside([item.error for item in by_class()])
    yield (
        f"Speeds on devices that the fit had not seen: {inside_80 * 100:.0f} % of rows lie in their 80 % interval, "
        f"{inside_90 * 100:.0f} % in their 90 % interval. NPUs, phones and classes of fewer than {FEW_DEVICES} devices "
        "are poorly known."
    )
    yield (
        f"Throughput on accelerators, with models that the fit had not seen: {ours.error.within_factor * 100:.0f} % of "
        f"rows lie within a factor {FACTOR:g}; by bandwidth alone it is {rule.error.within_factor * 100:.0f} %, though "
        "that rule saw every row. On accelerators that the fit had not seen the median error is "
        f"{_percent(others.error.median)} ({others.error.rows} rows)."
    )
    yield (
        "First tokens rest on how fast prompts are read: on devices that the fit had not seen the median error is "
        f"{_percent(reading[0].error.median)}."
    )
    yield (
        "The form of the devices' fit was chosen on these same errors, which flatters them: on "
        f"{test.rows} speeds of {test.devices} devices gathered before any was "
        f"predicted the median error was {test.median_error_percent:.0f} %, and {test.inside_90_percent:.0f} % lay "
        "inside the 90 % interval; they have joined the fit since."
    )


COLUMNS: tuple[Getter[CheckedClass], ...] = (
    column("class", lambda item: item.label, label="Class", kind="text"),
    column("rows", lambda item: item.error.rows, label="Rows"),
    column("devices", lambda item: item.error.devices, label="Devices"),
    column("median_error_percent", lambda item: item.error.median, label="Median error", unit="%"),
    column("worst_error_percent", lambda item: item.error.worst, label="Worst error", unit="%"),
    column("worst_device", lambda item: item.error.worst_device, label="Worst on", kind="text"),
    column("within_factor_1_5", lambda item: item.error.within_factor, label="Within a factor 1.5", unit="1"),
    column(
        "inside_80_percent_interval",
        lambda item: item.error.inside_80,
        label="In the 80 % interval",
        unit="1",
    ),
    column(
        "inside_90_percent_interval",
        lambda item: item.error.inside_90,
        label="In the 90 % interval",
        unit="1",
    ),
    column(
        "known",
        lambda item: "well" if item.error.known else "poorly",
        label="How well known",
        kind="text",
    ),
)
