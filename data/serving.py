"""Published speeds under load: at full load and at each concurrency."""

import numpy as np
import pandas as pd

from data import releases, standing
from data.by_release import kept_by_release


@kept_by_release()
def serving_speeds() -> pd.DataFrame:
    """Return the standing table ``measured_serving``, with prompt lengths from ``serving_tasks``. Read-only."""
    measured = standing.table("measured_serving")
    tasks = standing.rows("serving_tasks", "architecture")
    by_task = {name: float(task["prompt_tokens"]) for name, task in tasks.items()}
    usual = [by_task.get(name, np.nan) for name in measured["architecture"]]
    stated = measured["prompt_tokens"].to_numpy(dtype=float)
    return measured.assign(prompt_tokens=np.where(np.isnan(stated), usual, stated))


@kept_by_release()
def serving_points() -> pd.DataFrame:
    """Return the standing table ``measured_serving_points``, without duplicate measurements. Read-only.

    ``software_year`` is the date of the software as a decimal year.
    """
    points = standing.table("measured_serving_points")
    once = points.loc[points["duplicate_of"] == ""].reset_index(drop=True)
    days = once["software_on"].dt
    length = np.where(days.is_leap_year, 366.0, 365.0)
    return once.assign(software_year=days.year + (days.day_of_year - 1) / length)


@kept_by_release()
def full_load_points() -> pd.DataFrame:
    """Return the points measured with all requests sent at once, in the columns of ``measured_serving``. Read-only.

    The memory is that of the release behind the standing tables.
    """
    points = serving_points()
    points = points.loc[points["load"] == "offline"].reset_index(drop=True)
    parts = releases.load(releases.reference()).accelerators.set_index("name")
    memory = {
        name: points["accelerator"].map(parts[name])
        for name in ("memory_bandwidth_byte_per_s", "memory_capacity_byte")
    }
    return points.assign(**memory, scenario="Offline", token_kind="output")
