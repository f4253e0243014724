"""Published speeds under load, each with its prompt: that of its task where the source does not say."""

from functools import cache

import numpy as np
import pandas as pd

from data import standing


@cache
def serving_speeds() -> pd.DataFrame:
    """Return the standing table ``measured_serving`` with prompts from ``serving_tasks``; read-only: it is shared."""
    measured = standing.table("measured_serving")
    tasks = standing.rows("serving_tasks", "architecture")
    by_task = {name: float(task["prompt_tokens"]) for name, task in tasks.items()}
    usual = [by_task.get(name, np.nan) for name in measured["architecture"]]
    stated = measured["prompt_tokens"].to_numpy(dtype=float)
    return measured.assign(prompt_tokens=np.where(np.isnan(stated), usual, stated))
