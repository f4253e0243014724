"""How wrong predicted speeds are on devices and models the fits had not seen, by class of device."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from analysis.placement.class_errors import (
    FACTOR,
    FEW_DEVICES,
    ClassError,
    decode_errors,
    reading_errors,
    share_inside,
)
from analysis.serving.fitted import FULL_LOAD_ERRORS
from charts.chart import Bar, Role
from data.by_release import kept_by_release
from views import wording, written
from views.exhibits import ValueAxis, bar_exhibit
from views.placement.checked import FLATTERED, SERIES, class_words, series_of, signed
from views.placement.fitted import devices_fitted
from views.placement.method import blind_test
from views.result import Exhibit
from views.table import Getter, column

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

    def left_out(what: str, label: str, *, role: Role = "context") -> CheckedClass:
        recorded: dict[str, Any] = {**FULL_LOAD_ERRORS[what], "known": what != "accelerator"}
        return CheckedClass(label=label, role=role, error=ClassError(**recorded))

    return (
        left_out("model", "Accelerators at full load", role="compute"),
        left_out("accelerator", "Accelerators not in the fit"),
        left_out("bandwidth", "The same by bandwidth alone"),
    )


def checked_by_class_exhibit(*, source: str) -> Exhibit:
    """Return the median error by class of device on chips left out, and of accelerators on models left out."""
    exhibit = _by_class()
    return replace(exhibit, chart=replace(exhibit.chart, source=source))


@kept_by_release()
def _by_class() -> Exhibit:
    classes, reading, (ours, others, rule) = by_class(), reading_by_class(), serving()
    known, poor = (
        [item.error.median for item in classes if item.error.known is mark] for mark in (True, False)
    )
    title = (
        f"Median error {min(known):.0f} to {max(known):.0f} % for classes of five or more devices, up to "
        f"{max(poor):.0f} % for poorly known ones"
    )
    return bar_exhibit(
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
        listed=(*classes, *reading, ours, others, rule),
        section="sure",
    )


def how_checked() -> Iterator[str]:
    """Yield what measurements say of the predictions, a sentence or two each."""
    (ours, others, rule), errors = serving(), [item.error for item in by_class()]
    inside_80, inside_90 = share_inside(errors)
    numbers = {
        "inside_80": 100 * inside_80,
        "inside_90": 100 * inside_90,
        "few": FEW_DEVICES,
        "factor": FACTOR,
        "ours_within": 100 * ours.error.within_factor,
        "rule_within": 100 * rule.error.within_factor,
        "others": _percent(others.error.median),
        "others_rows": others.error.rows,
        "reading": _percent(reading_by_class()[0].error.median),
        "test": blind_test("decode"),
    }
    for text in written.paragraphs(__file__, name="how_checked.md"):
        yield text.format(**numbers)


def _inside(level: int) -> Callable[[CheckedClass], float | None]:
    return lambda item: getattr(item.error, f"inside_{level}")


COLUMNS: tuple[Getter[CheckedClass], ...] = (
    column("class", lambda item: item.label, label="Class", kind="text"),
    column("rows", lambda item: item.error.rows, label="Rows"),
    column("devices", lambda item: item.error.devices, label="Devices"),
    column("median_error_percent", lambda item: item.error.median, label="Median error", unit="%"),
    column("worst_error_percent", lambda item: item.error.worst, label="Worst error", unit="%"),
    column("worst_device", lambda item: item.error.worst_device, label="Worst on", kind="text"),
    column("within_factor_1_5", lambda item: item.error.within_factor, label="Within a factor 1.5", unit="1"),
    *(
        column(
            f"inside_{level}_percent_interval", _inside(level), label=f"In the {level} % interval", unit="1"
        )
        for level in (80, 90)
    ),
    column(
        "known", lambda item: "well" if item.error.known else "poorly", label="How well known", kind="text"
    ),
)
