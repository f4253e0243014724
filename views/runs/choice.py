"""Which training runs are followed and how their growth is fitted: the settings, and their words."""

from dataclasses import dataclass

from analysis.trend.selection import Kind, Rule
from views.settings import Conflict, Option, choice, month, whole_number
from views.trend import fit as fit_settings

DOMAINS: dict[str, Option] = {
    "all": ("All domains", "models of every domain"),
    "language": ("Language models", "models whose domains include language"),
}
UNDISCLOSED: dict[str, Option] = {
    "ignore": ("Left out", "only models with a compute value"),
    "bounds": ("As bounds", "the interval takes in the fits with each at its least and at its most"),
    "censored": ("As intervals", "each is known to lie between its least and its most: interval regression"),
    "sensitivity": ("Value by value", "as left out, beside the rate for each value assumed"),
}
"""What may be done with flagships that have no compute value."""
KINDS: dict[str, Kind] = {"frontier": "frontier", "notable": "all", "records": "records"}


@dataclass(frozen=True, kw_only=True)
class TrainingComputeSettings(fit_settings.FitSettings):
    """Which training runs, since when, and how their growth is fitted."""

    rule: str = choice(
        "frontier",
        {
            "frontier": ("Frontier runs", "runs among the top k by compute when they were released"),
            "notable": ("All notable runs", "every notable run with known compute"),
            "records": ("Record setters", "only runs that exceeded every earlier run"),
        },
        label="Which runs",
        help="A growth rate depends on which points enter it; frontier is the rule most often quoted.",
        first_row=True,
    )
    top: int = whole_number(
        10,
        low=1,
        high=100,
        label="Frontier size (top k)",
        help="How many runs count as the frontier at any time. Used for frontier runs only.",
        group="Data",
    )
    domain: str = choice(
        "all",
        DOMAINS,
        label="Domain",
        help="Which models are considered, before the rule picks among them.",
        first_row=True,
    )
    since: str = month(
        "2012",
        low=fit_settings.FIRST_YEAR,
        high=fit_settings.LAST_YEAR,
        label="Since",
        help="The first month or year that enters the fit. "
        "The frontier is always ranked against all earlier runs.",
        first_row=True,
    )
    finetunes: str = choice(
        "include",
        {
            "include": ("Included", "models built on another model count too"),
            "exclude": ("Left out", "only models trained from scratch"),
        },
        label="Fine-tunes",
        help="Whether models that name a base model are considered.",
        group="Data",
    )
    confidence: str = choice(
        "all",
        {
            "all": ("All", "every estimate"),
            "likely": ("Likely or confident", "estimates graded likely or confident"),
            "confident": ("Confident only", "only estimates graded confident"),
        },
        label="Compute estimates",
        help="How sure Epoch AI is of the compute of a run; confident is within about a factor of 3, "
        "likely 10, speculative 30.",
        group="Data",
    )
    undisclosed: str = choice(
        "ignore",
        UNDISCLOSED,
        label="Undisclosed flagships",
        help="What is done with known flagships since July 2025 whose training compute is not published.",
        group="Data",
    )

    def applies(self, name: str) -> bool:
        """Return whether a setting can change the result: the size of the frontier only where it is followed."""
        return super().applies(name) and (name != "top" or self.rule == "frontier")

    def conflicts(self) -> tuple[Conflict, ...]:
        """Return what contradicts: a window that ends before it starts, intervals that a fit cannot use."""
        conflicts = super().conflicts()
        sound = self.estimator == "least-squares" and self.interval in ("bootstrap", "clustered")
        if self.undisclosed == "censored" and not sound:
            others = ", ".join(word for word in UNDISCLOSED if word != "censored")
            allowed = f"{others}, or least squares with a bootstrap or clustered interval"
            conflicts += (Conflict(names=("undisclosed",), allowed=allowed),)
        return conflicts


def rule(settings: TrainingComputeSettings) -> Rule:
    """Return the selection rule that the setting names."""
    return Rule(kind=KINDS[settings.rule], top=settings.top)


def subject(settings: TrainingComputeSettings) -> str:
    """Return what grows, as the start of a headline."""
    kind = " of language models" if settings.domain == "language" else ""
    return {
        "frontier": f"Frontier training compute{kind}",
        "notable": f"Training compute{kind or ' of notable models'}",
        "records": f"Record training compute{kind}",
    }[settings.rule]


def rule_words(settings: TrainingComputeSettings) -> str:
    """Return which runs, in words: Top-10 runs by compute at release, language models, since 2020."""
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
