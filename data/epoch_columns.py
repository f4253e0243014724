"""Which column of an export means what, by ``curation/export_columns.csv``: aliases, kinds and unit conversions."""

from dataclasses import dataclass

from data import curation_tables


@dataclass(frozen=True, kw_only=True)
class Column:
    """One column of our tables and every name an export has given it; the schema of the table describes each field.

    ``scale`` turns the export's unit into ours.
    """

    name: str
    aliases: tuple[str, ...]
    kind: str
    scale: float
    zero: bool
    optional: bool


def _columns(table: str) -> tuple[Column, ...]:
    return tuple(
        Column(
            name=line["name"],
            aliases=tuple(line["aliases"].split(";")),
            kind=line["kind"],
            scale=float(line["scale"] or 1),
            zero=line["zero"] == "true",
            optional=line["optional"] == "true",
        )
        for line in curation_tables.read_lines(curation_tables.DIRECTORY / "export_columns.csv")
        if line["table"] == table
    )


MODELS, HARDWARE = _columns("training_runs"), _columns("accelerators")
