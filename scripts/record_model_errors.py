"""Record all held-out predictions of measured rows, for the /model-errors page and the README."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from datetime import date
from pathlib import Path
from typing import Any, cast

import pandas as pd

from analysis.model_errors.comparison import Comparison, as_text, by_model, from_text
from analysis.model_errors.of_devices import of_decode, of_prompts
from analysis.model_errors.of_fine_tuning import of_fine_tuning
from analysis.model_errors.of_serving import of_serving
from analysis.model_errors.of_training import of_training
from analysis.serving.fit_points import left_out
from analysis.serving.tables import measured_points, model
from analysis.training_run.tables import known, unpaced_runs
from data import releases, seal, standing
from views import wording
from views.model_errors.settings import FOLDER, MONTH, read
from views.model_errors.words import percent
from views.placement.checked import class_words
from views.placement.inputs import devices_fitted

TOLERANCE = 2e-3
"""Maximum relative difference between a number and its record, for rounding and other machines. [1]"""

DIGESTS = "digests.json"
"""File with digests of the record's inputs and files: a fingerprint of all tables, and SHA-256s."""
START, END = "<!-- model errors: begin -->", "<!-- model errors: end -->"
README_NAMES = {
    "prompts": "prefill",
    "serving: first token": "serving: time to first token",
    "training": "training: speed",
}
"""README's names of models that have another name in links."""
README = Path(__file__).parents[1] / "README.md"


def _lines(table: str) -> list[dict[str, Any]]:
    return cast(list[dict[str, Any]], standing.table(table).to_dict("records"))


def _serving() -> tuple[Comparison, ...]:
    points, fit = measured_points(), model()
    without_source = left_out(points, groups=points.deployments.source, start=fit.factors)
    return of_serving(points, fit, without_source=without_source)


PROVIDERS: Mapping[str, Callable[[], tuple[Comparison, ...]]] = {
    "decode": lambda: of_decode(devices_fitted(), kind=class_words),
    "fine_tuning": lambda: of_fine_tuning(
        _lines("measured_fine_tuning"),
        matmul_rates=_lines("published_matmul"),
        architectures=standing.rows("architectures", "name"),
    ),
    "prompts": lambda: of_prompts(devices_fitted(), kind=class_words),
    "serving": _serving,
    "training": lambda: of_training(
        _lines("published_training_rates"),
        unpaced_runs(releases.reference()),
        recipes=standing.rows("training_recipes", "run_id"),
        known=known(releases.reference()),
    ),
}
"""Functions that compute the rows of each recorded file, keyed by file name."""


def differs(now: Sequence[Comparison], before: Sequence[Comparison]) -> str:
    """Return the first difference between rows and their record, as text. Empty if they are equal."""
    fresh, recorded = (pd.DataFrame([asdict(row) for row in rows]) for rows in (now, before))
    try:
        pd.testing.assert_frame_equal(fresh, recorded, rtol=TOLERANCE, obj="rows")
    except AssertionError as difference:
        return " ".join(str(difference).split())
    return ""


def digests(folder: Path) -> dict[str, str]:
    """Return the content of :data:`DIGESTS` for a record of the current tables."""
    files = {path.name: seal.digest(path.read_bytes()) for path in sorted(folder.glob("*.csv"))}
    return {"tables": releases.shelf().fingerprint, **files}


def readme_table(rows: Sequence[Comparison]) -> str:
    """Return README's table of each model's errors on held-out sources."""
    lines = [
        "| prediction | median error | covered by 90% intervals | sources | rows |",
        "|---|---|---|---|---|",
    ]
    for name, errors in sorted(by_model(rows).items()):
        cells = (README_NAMES.get(name, name), percent(errors.size), wording.share(errors.inside))
        lines.append(f"| {' | '.join(cells)} | {errors.sources} | {errors.rows:,} |")
    return "\n".join(lines)


def with_table(readme: str, *, rows: Sequence[Comparison]) -> str:
    """Return README's text with the current table.

    Raises ValueError if the text lacks the two marks around the table.
    """
    before, start, rest = readme.partition(START)
    _, end, after = rest.partition(END)
    if not (start and end):
        raise ValueError(
            f"README has lost the marks {START} and {END}, between which the table of errors stands."
        )
    return f"{before}{START}\n{readme_table(rows)}\n{END}{after}"


def record() -> None:
    """Compute the held-out predictions, write the changes, and print a summary."""
    for name, compared in PROVIDERS.items():
        file = FOLDER / f"{name}.csv"
        text = as_text(compared())
        before = from_text(file.read_text(encoding="utf-8")) if file.exists() else ()
        difference = differs(from_text(text), before)
        print(f"{name}: {difference or 'on record'}")
        if difference:
            file.write_text(text, encoding="utf-8")
            MONTH.write_text(f"{date.today():%Y-%m}\n", encoding="utf-8")
    (FOLDER / DIGESTS).write_text(f"{json.dumps(digests(FOLDER), indent=1)}\n", encoding="utf-8")
    README.write_text(with_table(README.read_text(encoding="utf-8"), rows=read()), encoding="utf-8")
