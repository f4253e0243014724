"""Comparison of two states of a native chart: changed numbers, and the style to keep."""

import copy
from typing import Any

from charts.chart import Chart, Points
from charts.powerpoint.drawingml import C, number

_LOOKS = ("spPr", "marker")
_AXES = ("valAx", "catAx", "dateAx")
_HELPERS = ("Ticks: ",)
_FILL = " (fill)"
_MOST_NAMED = 8

Values = dict[str, dict[str, float]]


def values_of(space: Any) -> Values:
    """Return the numbers of each series of a chart, keyed by category or position along the axis."""
    by_series: Values = {}
    for series in space.iter(f"{{{C}}}ser"):
        title = _title(series)
        if title.startswith(_HELPERS) or title.endswith(_FILL):
            continue
        places, values = _cached(series, "cat", "xVal"), _cached(series, "val", "yVal")
        name = title
        while name in by_series and by_series[name] != _paired(places, values):
            name += " (other edge)"  # the two edges of a band have the same title
        by_series[name] = _paired(places, values)
    return by_series


def changed_values(before: Any, after: Any, *, chart: Chart) -> list[str]:
    """Return a description of each change in a chart's numbers."""
    old, new = values_of(before), values_of(after)
    names = _names(chart)
    lines: list[str] = []
    for title, values in new.items():
        was = old.get(title)
        if was is None:
            lines.append(f"Chart, {title}: new, {len(values)} values")
            continue
        changed = [place for place in values if place in was and was[place] != values[place]]
        added = [place for place in values if place not in was]
        gone = [place for place in was if place not in values]
        if len(changed) + len(added) + len(gone) == 0:
            continue
        numeric = all(place.replace(".", "", 1).replace("-", "", 1).isdigit() for place in values)
        if title in names or len(changed) + len(added) + len(gone) <= _MOST_NAMED or not numeric:
            where = names.get(title, {})
            lines += [
                f"Chart, {title}, {place}: {_short(was[place])} → {_short(values[place])}"
                for place in changed
            ]
            lines += [
                f"Chart, {title}: new, {where.get((place, values[place]), place)}: {_short(values[place])}"
                for place in added
            ]
            lines += [f"Chart, {title}: gone, {place}: {_short(was[place])}" for place in gone]
            continue
        (first, last), (first_was, last_was) = _ends(values), _ends(was)
        lines.append(
            f"Chart, {title}: from {first_was} to {last_was} → from {first} to {last}, and what lies between"
        )
    lines += [f"Chart, {title}: no longer shown" for title in old if title not in new]
    return lines


def carried_over(before: Any, after: Any) -> None:
    """Copy the style of series, axes and text from the previous chart, and any legend that was added to it."""
    looks: dict[str, list[Any]] = {}
    for series in before.iter(f"{{{C}}}ser"):
        looks.setdefault(_title(series), []).append(series)
    for series in after.iter(f"{{{C}}}ser"):
        same = looks.get(_title(series))
        if not same:
            continue
        was = same.pop(0)
        for tag in _LOOKS:
            _take(was, series, tag=tag)
        if _cached(was, "cat") == _cached(series, "cat"):
            for old, new in zip(was.findall(f"{{{C}}}dPt"), series.findall(f"{{{C}}}dPt"), strict=False):
                _take(old, new, tag="spPr")
    for tag in _AXES:
        for old, new in zip(before.iter(f"{{{C}}}{tag}"), after.iter(f"{{{C}}}{tag}"), strict=False):
            for look in ("spPr", "txPr", "majorGridlines"):
                _take(old, new, tag=look)
    for look in ("spPr", "txPr"):
        _take(before, after, tag=look)
    old, new = before.find(f"{{{C}}}chart"), after.find(f"{{{C}}}chart")
    legend, area = old.find(f"{{{C}}}legend"), new.find(f"{{{C}}}plotArea")
    if legend is not None and area is not None and new.find(f"{{{C}}}legend") is None:
        area.addnext(copy.deepcopy(legend))


def _take(old: Any, new: Any, *, tag: str) -> None:
    """Copy the child with this tag from ``old`` to ``new``, if both have one."""
    was, there = old.find(f"{{{C}}}{tag}"), new.find(f"{{{C}}}{tag}")
    if was is not None and there is not None:
        there.getparent().replace(there, copy.deepcopy(was))


def _title(series: Any) -> str:
    title = series.find(f"{{{C}}}tx")
    return "" if title is None else "".join(v.text or "" for v in title.iter(f"{{{C}}}v"))


def _cached(series: Any, *tags: str) -> list[str]:
    for tag in tags:
        reference = series.find(f"{{{C}}}{tag}")
        if reference is not None:
            return [v.text or "" for v in reference.iter(f"{{{C}}}v")]
    return []


def _paired(places: list[str], values: list[str]) -> dict[str, float]:
    by_place: dict[str, float] = {}
    for place, value in zip(places, values, strict=False):
        key, more = place, 1
        while key in by_place:
            more += 1
            key = f"{place} (no. {more})"
        try:
            by_place[key] = float(value)
        except ValueError:
            continue
    return by_place


def _names(chart: Chart) -> dict[str, dict[tuple[str, float], str]]:
    """Return the names of the points of each cloud, keyed by position and value."""
    marks = getattr(chart, "marks", ())
    return {
        mark.series: {
            (number(x), y): name for x, y, name in zip(mark.x, mark.y, mark.names, strict=True) if name
        }
        for mark in marks
        if isinstance(mark, Points)
    }


def _ends(values: dict[str, float]) -> tuple[str, str]:
    listed = list(values.values())
    return (_short(listed[0]), _short(listed[-1])) if listed else ("–", "–")


def _short(value: float) -> str:
    """Return a number as text with four significant digits."""
    if value and not 1e-3 <= abs(value) < 1e6:
        mantissa, exponent = f"{value:.3e}".split("e")
        raised = str(int(exponent)).translate(str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"))
        return f"{float(mantissa):g} × 10{raised}"
    return f"{value:.4g}" if abs(value) < 1e4 else f"{value:,.0f}"
