"""Predicts speeds of a table of cases: ``python -m analysis.placement predict cases.csv --output out.csv``."""

import argparse
import sys
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from analysis.case_table import ADDED, read_table, table_text
from analysis.hardware import names as lookup_devices
from analysis.model import names as lookup
from analysis.placement.cases import KNOWN_COLUMNS
from analysis.placement.predict import predict
from analysis.placement.predict_rows import Known, Size, read_cases
from analysis.placement.tables import models, tables
from data.whole_file import write_whole

__all__ = ["ADDED", "known", "main"]

COLUMNS = (
    "Columns: each case names a device or gives memory_bandwidth_gbyte_per_s, and names a model or gives "
    f"weights_gbyte. All that is read: {', '.join(KNOWN_COLUMNS)}; upper or lower case. Further columns are passed "
    "through, blank rows left out. peak_tflop_per_s is the dense peak of the tensor or matrix units at 16 bits, in "
    "TFLOP/s; it tells how fast prompts are read where no device is named. Without format, weights_gbyte alone is "
    "taken as 16-bit parameters unless it is the size of a file we know."
)


@cache
def known() -> Known:
    """Return what named devices, models and formats can be looked up in."""
    ours = tables()
    files = ours.measured.loc[ours.measured["weights_byte"].notna()].drop_duplicates(["model", "format"])
    sizes = zip(files["weights_byte"], files["n_parameters"], files["model"], files["format"], strict=True)
    found = lookup.models(ours.measured, ours.architectures)
    whole = {model.name: model for model in found.values()}
    return Known(
        devices=lookup_devices.devices(ours.measured, ours.edge_devices, ours.accelerators),
        models=found,
        formats=lookup.formats(ours.measured, ours.quantisation),
        classes=models().decode.model.columns.levels("class_overhead"),
        sizes=(
            *(
                Size(weights_byte=size, n_parameters=parameters, words=f"{model} in {format_name}")
                for size, parameters, model, format_name in sizes
            ),
            *(
                Size(
                    weights_byte=2 * model.n_parameters,
                    n_parameters=model.n_parameters,
                    words=f"{name} in FP16",
                )
                for name, model in whole.items()
            ),
        ),
    )


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit code: 0, or 2 where a case or file is wrong."""
    parser = argparse.ArgumentParser(prog="python -m analysis.placement", description=__doc__)
    command = parser.add_subparsers(dest="command", required=True)
    asked = command.add_parser("predict", help="predict decode and prefill speeds of cases", epilog=COLUMNS)
    asked.add_argument("cases", type=Path, help="CSV with named things or plain numbers, one case a row")
    asked.add_argument("--output", type=Path, help="where the table goes (default: printed)")
    asked.add_argument("--level", type=float, default=0.9, help="of the intervals, in (0, 1); default 0.9")
    given = parser.parse_args(arguments)
    try:
        table = read_table(given.cases)
        cases = read_cases(table.cases(), known=known())
        text = table_text(table, cases=cases, found=predict(cases, models=models(), level=given.level))
        if given.output:
            write_whole(given.output, text)
        else:
            sys.stdout.write(text)
    except (ValueError, OSError) as error:
        print(error, file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
