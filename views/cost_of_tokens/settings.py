"""Which model answers how fast, on what, in which year and at which rents: the settings of /cost-of-tokens."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from data import standing
from data.by_release import ByRelease, kept_by_release
from data.releases import beside, load
from views.chips.rents import RENTS, STEADY
from views.models import MODEL_OPTIONS, slug
from views.settings import Option, choice, decimal, whole_number
from views.trend.fit import confidence_level
from views.view import ReleaseSettings

TODAY, LAST_YEAR = 2026, 2032
ALL = "all"
BEST = "best"
ENGINES = {
    BEST: ("Cheapest measured", "the cheapest of those that the model was measured with; vLLM where none"),
    "vllm": ("vLLM", "vLLM"),
    "sglang": ("SGLang", "SGLang; vLLM on TPUs"),
    "trtllm": ("TensorRT-LLM", "TensorRT-LLM on NVIDIA's accelerators; vLLM on others"),
}
PUBLISHED = "published"
FORMATS = {
    PUBLISHED: ("As published", "the format in which the model's weights are published"),
    "bf16": ("BF16", "16 bits a weight"),
    "fp8": ("FP8", "8 bits a weight; computed in 16 where the accelerator has no FP8"),
    "fp4": (
        "4 bits",
        "NVFP4 on NVIDIA's accelerators, MXFP4 on others and where published; computed wider if needed",
    ),
}
CERTAINTIES = {
    str(share): (f"{share} %", f"in {share} of 100 draws of trends, rents and errors")
    for share in (50, 80, 90)
}


def accelerator_names() -> Mapping[str, str]:
    """Return the accelerators of data centres that are listed for rent, by their word in a link; read-only.

    Those of the newest release come first, the newest first, then what earlier releases had: their links are followed.
    """
    return {word: name for word, (_, name) in accelerators().items()}


def short_names() -> Mapping[str, str]:
    """Return what those accelerators are called in a sentence: B200, A100 80 GB, by their whole name."""
    return {name: short for short, name in reversed(list(accelerators().values()))}


@kept_by_release()
def accelerators() -> Mapping[str, tuple[str, str]]:
    """Return the options of the setting: word, label and meaning; read-only."""
    listed: Any = standing.table("cloud_prices")
    rented = set(listed.loc[(listed["tier"] == "on-demand") & ~listed["stale"], "accelerator"])
    options: dict[str, tuple[str, str]] = {}
    for release in reversed(beside()):
        chips: Any = load(release).accelerators
        chips = chips.loc[chips["name"].isin(rented) & (chips["segment"] == "data-centre")]
        chips = chips.sort_values(["released_on", "name"], ascending=[False, True])
        for row in chips.to_dict("records"):
            options.setdefault(slug(row["product"]), (str(row["product"]), str(row["name"])))
    return options


FOR_RENT: ByRelease[str, Option] = ByRelease(
    lambda: {ALL: ("All for rent", "every data-centre accelerator whose rent is listed"), **accelerators()}
)


@dataclass(frozen=True, kw_only=True)
class CostOfTokensSettings(ReleaseSettings):
    """Which model answers how fast, on what, in which year and at which rents."""

    model: str = choice(
        "deepseek-v3",
        MODEL_OPTIONS,
        label="Model",
        help="The model that answers, from the table of architectures.",
        first_row=True,
    )
    speed: int = whole_number(
        30,
        low=1,
        high=5000,
        label="Speed, tokens/s per user",
        help="How many tokens a second each user gets at least, after the first one.",
        first_row=True,
    )
    accelerator: str = choice(
        ALL,
        FOR_RENT,
        label="Accelerator",
        help="What serves the model. The cheapest one that was measured with it makes the headline.",
        first_row=True,
    )
    year: str = choice(
        str(TODAY),
        {
            str(year): (
                "Today" if year == TODAY else str(year),
                "accelerators and rents of today"
                if year == TODAY
                else f"each accelerator's successor of {year}",
            )
            for year in range(TODAY, LAST_YEAR + 1)
        },
        label="Year",
        help="Accelerators of later years follow the trends of flagships since 2016, rents the scenario.",
        first_row=True,
    )
    format: str = choice(
        PUBLISHED,
        FORMATS,
        label="Weight format",
        help="How many bits each weight takes.",
        group="Model",
    )
    drafts: int = whole_number(
        0,
        low=0,
        high=8,
        label="Draft tokens",
        help="Tokens that a draft head proposes at each step; each is accepted in 75 % of cases where all before "
        "it were.",
        group="Model",
    )
    engine: str = choice(
        BEST,
        ENGINES,
        label="Serving software",
        help="What runs the model, in its versions of 2026.",
        group="Model",
    )
    prompt: int = whole_number(
        1024,
        low=1,
        high=1_000_000,
        label="Prompt, tokens",
        help="Tokens that each request brings.",
        group="Workload",
    )
    answer: int = whole_number(
        1024,
        low=2,
        high=1_000_000,
        label="Answer, tokens",
        help="Tokens that each request gets, those of reasoning included.",
        group="Workload",
    )
    cached: int = whole_number(
        0,
        low=0,
        high=99,
        label="Prompt found in cache, %",
        help="Share of the prompt whose keys and values are kept from earlier requests: held in memory, not read "
        "again.",
        group="Workload",
    )
    wait: float = decimal(
        5.0,
        low=0.1,
        high=600.0,
        step=0.5,
        label="First token within, s",
        help="The longest mean wait for the first token.",
        group="Workload",
    )
    price: float | None = decimal(
        None,
        low=0.0,
        high=10_000.0,
        step=0.1,
        label="Price wanted, $",
        help="The page says when a million output tokens cost so much at most, at the speed.",
        group="Money",
        unset="half of today's price",
        zero_is_unset=True,
    )
    certainty: str = choice(
        "50",
        CERTAINTIES,
        label="Required certainty",
        help="How likely the price must be for a year to count as possible.",
        group="Statistics",
    )
    rents: str = choice(
        STEADY,
        RENTS,
        label="Rents",
        help="How rents move from today's median on-demand price.",
        group="Money",
    )
    utilization: int = whole_number(
        60,
        low=1,
        high=100,
        label="Utilization, %",
        help="Share of rented hours with load; the rest are idle but paid for.",
        group="Money",
    )
    pue: float = decimal(
        1.2,
        low=1.0,
        high=3.0,
        step=0.01,
        label="PUE",
        help="Power of the data centre over the power of its servers, for the energy of a token.",
        group="Money",
    )
    level: str = confidence_level()
