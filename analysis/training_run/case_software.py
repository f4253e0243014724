"""The date of the software that a run is made with, from what people write in a table."""

import re
from collections.abc import Mapping

from analysis.case_table import CaseError
from analysis.training_run import case_columns as columns

_DAY = re.compile(r"(?<![\d.])(20\d\d)-(\d\d)(?:-\d\d)?(?!\d)")
_YEAR = re.compile(r"(?<![\d.])(20\d\d(?:\.\d+)?)(?![\d-])")
_VERSION = re.compile(r"(?<![\d.])([12]\d)\.(\d\d)(?!\d)")
_CONTAINER = re.compile(r"containers? \d\d\.\d\d", re.IGNORECASE)


def software_year_of(row: Mapping[str, str]) -> float | None:
    """Return the date of the software of a row as a decimal year, None where it does not say.

    A version by year and month ("26.04", "container 26.04.01"), a date ("2026-04", "2026-04-30") or a year ("2026.3";
    a year alone is its middle); a name alone says nothing. Where the column is empty, a version that the row's note
    calls a container's.

    Raises
    ------
    CaseError
        Numbers that are no date.
    """
    for name in columns.SOFTWARE.names:
        text = (row.get(name) or "").strip()
        if not text:
            continue
        year = _year_of(text, called=name)
        if year is not None:
            return year
        if not re.search(r"[A-Za-z]", text):
            raise CaseError(
                f"{name} is a date, such as 2026-04 or 2026.3, or a version by year and month, such as 26.04; got "
                f"{text!r}. Leave it empty for software of the chip's time."
            )
    told = _CONTAINER.search(row.get(columns.NOTE.name) or "")
    return _year_of(told[0], called=columns.NOTE.name) if told else None


def _year_of(text: str, *, called: str) -> float | None:
    if found := _DAY.search(text):
        year, month = int(found[1]), int(found[2])
    elif found := _YEAR.search(text):
        return float(found[1]) + (0.0 if "." in found[1] else 0.5)
    elif found := _VERSION.search(text):
        year, month = 2000 + int(found[1]), int(found[2])
    else:
        return None
    if not 1 <= month <= 12:
        raise CaseError(f"{called} has a month from 01 to 12; got {text!r}. Write 2026-04, or 26.04.")
    return year + (month - 0.5) / 12
