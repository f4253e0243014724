"""Settings that choose training runs and the fit of their growth, and text on these choices."""

from dataclasses import dataclass

from analysis.trend.selection import Kind, Rule
from views import written
from views.settings import choice, month, whole_number
from views.trend import fit as fit_settings

WORDS = written.settings(__file__)
KINDS: dict[str, Kind] = {"frontier": "frontier", "notable": "all", "records": "records"}


@dataclass(frozen=True, kw_only=True)
class TrainingComputeSettings(fit_settings.FitSettings):
    """Settings of a trend of training runs: the runs, the start year, and the fit of the growth."""

    rule: str = choice("frontier", **WORDS["rule"])
    top: int = whole_number(10, low=1, high=100, **WORDS["top"])
    domain: str = choice("all", **WORDS["domain"])
    since: str = month("2012", low=fit_settings.FIRST_YEAR, high=fit_settings.LAST_YEAR, **WORDS["since"])
    finetunes: str = choice("include", **WORDS["finetunes"])
    confidence: str = choice("all", **WORDS["confidence"])
    undisclosed: str = choice("ignore", **WORDS["undisclosed"])


def rule(settings: TrainingComputeSettings) -> Rule:
    """Return the rule that selects the runs for the fit."""
    return Rule(kind=KINDS[settings.rule], top=settings.top)


def subject(settings: TrainingComputeSettings) -> str:
    """Return the quantity and the runs as text that begins a headline."""
    kind = " of language models" if settings.domain == "language" else ""
    return {
        "frontier": f"Frontier training compute{kind}",
        "notable": f"Training compute{kind or ' of notable models'}",
        "records": f"Record training compute{kind}",
    }[settings.rule]


def rule_words(settings: TrainingComputeSettings) -> str:
    """Return a description of the chosen runs: Top-10 runs by compute at release, language models, since 2020."""
    which = {
        "frontier": f"Top-{settings.top} runs by compute at release",
        "notable": "All notable runs",
        "records": "Record-setting runs",
    }[settings.rule]
    parts = [which, "language models" if settings.domain == "language" else ""]
    parts.append("without fine-tunes" if settings.finetunes == "exclude" else "")
    parts.append(
        {"all": "", "likely": "likely or confident", "confident": "confident only"}[settings.confidence]
    )
    parts.append(fit_settings.window_words(settings.since, settings.until))
    return ", ".join(filter(None, parts))
