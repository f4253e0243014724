"""Why a place falls short of the targets: what it lacks, and by how much."""

import math
from dataclasses import dataclass

from analysis.placement.answers import Answers
from analysis.placement.work import Requirements
from views import wording
from views.placement.table import chance, gigabytes, seconds, usd


@dataclass(frozen=True, kw_only=True)
class Shortfall:
    """What a place lacks in a word or two, and the number reached with the one required."""

    word: str
    detail: str


def apart(reached: str, required: str, *, exact: tuple[str, str]) -> tuple[str, str]:
    """Return two numbers in words, with more digits where they would read alike."""
    return exact if reached.split()[0] == required.split()[0] else (reached, required)


def shortfall(answers: Answers, i: int, *, sure: float) -> Shortfall | None:
    """Return why a place does not meet the targets, None where it does."""
    requirements = answers.requirements
    if answers.meets[i]:
        return None
    if answers.binding[i] == "rule":
        return Shortfall(word="Ruled out", detail=rule(requirements))
    if not answers.fits[i]:
        need, there = (
            float(values[0, i]) for values in (answers.placed.need_byte, answers.placed.usable_byte)
        )
        return Shortfall(word="Memory too small", detail=f"{gigabytes(there)}, {gigabytes(need)} needed")
    first, speed = float(answers.first_s.median[i]), 1 / float(answers.token_s.median[i])
    cost = float(answers.cost_usd.median[i])
    missed: list[tuple[float, Shortfall]] = []
    limit = requirements.time_to_first_token_s
    if limit is not None and first > limit:
        is_, allowed = apart(seconds(first), seconds(limit), exact=(f"{first:.4g} s", f"{limit:.4g} s"))
        missed.append(
            (first / limit, Shortfall(word="First token too late", detail=f"{is_}, {allowed} allowed"))
        )
    limit = requirements.output_tokens_per_s
    if limit is not None and speed < limit:
        is_, needed = apart(
            f"{wording.significant(speed)}", f"{limit:,.6g}", exact=(f"{speed:.4g}", f"{limit:,.6g}")
        )
        missed.append((limit / speed, Shortfall(word="Too slow", detail=f"{is_} tokens/s, {needed} needed")))
    limit = requirements.cost_usd_per_1000_requests
    if limit is not None and not cost <= limit:
        if math.isnan(cost):
            missed.append(
                (math.inf, Shortfall(word="Price unknown", detail=f"budget {usd(limit)} per 1,000"))
            )
        else:
            is_, allowed = apart(usd(cost), usd(limit), exact=(f"${cost:.4g}", f"${limit:.4g}"))
            missed.append(
                (cost / limit, Shortfall(word="Over budget", detail=f"{is_} per 1,000, {allowed} allowed"))
            )
    if missed:
        return max(missed, key=lambda pair: pair[0])[1]
    likely, required = chance(float(answers.probability[i])), wording.percent(sure)
    return Shortfall(word="Not sure enough", detail=f"{likely} likely, {required} required")


def rule(requirements: Requirements) -> str:
    """Return the rule that keeps work from a place."""
    if requirements.stay == "device":
        return "data must stay on the device"
    if requirements.stay == "premises":
        return "data must stay on premises"
    return "it must work offline"
