"""What a place lacks of what is asked, and by how much: the requirement it misses by the most."""

import math
from dataclasses import dataclass
from enum import StrEnum

from analysis.placement.answers import Answers
from analysis.placement.tuning import Tuned, TuningTask


class Lack(StrEnum):
    """What a place may lack; the value stands in no link or file."""

    RULE = "rule"
    MEMORY = "memory"
    FIRST_TOKEN = "first token"
    SPEED = "speed"
    COST = "cost"
    PRICE = "price"
    TIME = "time"
    CHANCE = "chance"


@dataclass(frozen=True, kw_only=True)
class Shortfall:
    """What a place lacks, what it reaches and what is required.

    Both are bytes of memory, seconds until the first token, tokens a second, dollars (an unknown price is NaN), hours
    of a fine-tuning, or the chance to meet everything; NaN where a rule excludes the place. ``rule`` is that rule.
    """

    lack: Lack
    reached: float = math.nan
    required: float = math.nan
    rule: str = ""


def shortfall(answers: Answers, i: int) -> Shortfall | None:
    """Return why a place does not meet what is asked, None where it does."""
    question, requirements = answers.question, answers.question.requirements
    if answers.meets[i]:
        return None
    if answers.binding[i] == "rule":
        return Shortfall(lack=Lack.RULE, rule=requirements.rule)
    if not answers.fits[i]:
        need, usable = answers.placed.need_byte[0, i], answers.placed.usable_byte[0, i]
        return Shortfall(lack=Lack.MEMORY, reached=float(usable), required=float(need))
    first, speed = float(answers.first_s.median[i]), 1 / float(answers.token_s.median[i])
    limit = requirements.time_to_first_token_s
    missed: list[tuple[float, Shortfall]] = []
    if limit is not None and first > limit:
        missed.append((first / limit, Shortfall(lack=Lack.FIRST_TOKEN, reached=first, required=limit)))
    limit = requirements.output_tokens_per_s
    if limit is not None and speed < limit:
        missed.append((limit / speed, Shortfall(lack=Lack.SPEED, reached=speed, required=limit)))
    missed += _over_budget(float(answers.cost_usd.median[i]), requirements.cost_usd_per_1000_requests)
    if missed:
        return max(missed, key=lambda pair: pair[0])[1]
    return Shortfall(lack=Lack.CHANCE, reached=float(answers.probability[i]), required=question.sure)


def _over_budget(cost_usd: float, budget_usd: float | None) -> list[tuple[float, Shortfall]]:
    """Return by what factor a cost exceeds a budget; an unknown price exceeds any."""
    if budget_usd is None or cost_usd <= budget_usd:
        return []
    if math.isnan(cost_usd):
        return [(math.inf, Shortfall(lack=Lack.PRICE, required=budget_usd))]
    return [(cost_usd / budget_usd, Shortfall(lack=Lack.COST, reached=cost_usd, required=budget_usd))]


def tuning_shortfall(tuned: Tuned, i: int, *, task: TuningTask) -> Shortfall | None:
    """Return why a place does not do a fine-tuning within its limits, None where it does."""
    if tuned.meets[i]:
        return None
    question = tuned.question
    if tuned.ruled_out[i]:
        return Shortfall(lack=Lack.RULE, rule=question.requirements.rule)
    if tuned.too_small[i]:
        return Shortfall(lack=Lack.MEMORY)
    hours = float(tuned.time.median[i])
    if task.deadline_h and hours > task.deadline_h:
        return Shortfall(lack=Lack.TIME, reached=hours, required=task.deadline_h)
    for _, lack in _over_budget(float(tuned.cost.median[i]), task.budget_usd or None):
        return lack
    return Shortfall(lack=Lack.CHANCE, reached=float(tuned.probability[i]), required=question.sure)
