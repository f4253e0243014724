"""The accelerator that a run is on: by its name, by its numbers, or by its name with some numbers of the run's own."""

from collections.abc import Mapping, Sequence
from typing import Any

from analysis.case_table import CaseError, cell_of
from analysis.hardware.accelerator_names import UnknownAccelerator, find_accelerator
from analysis.training_run import case_columns as columns
from analysis.training_run.case_columns import number_of

BY_NUMBERS = "accelerator by numbers"


def accelerator_row(
    row: Mapping[str, str], *, precision: str, accelerators: Sequence[Mapping[str, Any]]
) -> dict[str, Any]:
    """Return the accelerator of a case as a row of the table of accelerators; the case's own numbers come first.

    Raises
    ------
    CaseError
        No name of ours, and not all the numbers that stand for one; or numbers in another unit.
    """
    values = {column.name: number_of(row, column) for column in columns.CHIP}
    for column in columns.CHIP:
        value, least = values[column.name], columns.LEAST[column.name]
        if value is not None and value < least:
            cell = cell_of(row, column)
            raise CaseError(
                f"{cell.called} is {least / cell.factor:g} or more; got {cell.text!r}. Check its unit."
            )
    names = (f"peak_{precision}_dense_flop_per_s", "memory_bandwidth_byte_per_s", "memory_capacity_byte")
    numbers = {name: value for name, value in zip(names, values.values(), strict=True) if value is not None}
    name = cell_of(row, columns.ACCELERATOR).text
    try:
        return {**find_accelerator(name, rows=accelerators), **numbers}
    except UnknownAccelerator as error:
        if len(numbers) < len(names):
            raise CaseError(str(error)) from None
        return {"product": name or BY_NUMBERS, **numbers}


def accelerator_words(row: Mapping[str, str], *, product: str) -> str:
    """Return what a prediction calls its accelerator: the product, and which numbers are the row's own."""
    cells = [cell for cell in (cell_of(row, column) for column in columns.CHIP) if cell.text]
    own = ", ".join(f"{cell.called} {cell.text}" for cell in cells)
    return f"{product} with {own}" if own else product
