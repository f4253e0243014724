"""The work that is placed: presets with their usual numbers, and the settings of model, load and requirements."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from views import written
from views.models import MODEL_OPTIONS
from views.placement.options import ALL_TIME_S, ANY, NO_SPEED, WORDS
from views.settings import choice, decimal, whole_number
from views.view import ReleaseSettings


@dataclass(frozen=True, kw_only=True)
class Preset:
    """A kind of work with its usual numbers; each number has the name of its setting, ``label`` is its short name.

    ``first_token`` [s] and ``speed`` [tokens/s] are what an answer must be, 0 where that does not matter.
    ``kept`` tokens are in the cache from earlier turns, ``prompt`` are read anew. ``share`` of a device's price is
    charged to the work, 0 where people have it anyway. Fine-tuning reads ``tuning_tokens`` million tokens within
    ``deadline`` hours.
    """

    label: str
    words: str
    noun: str
    model: str
    format: str = "4-bit"
    prompt: int = 1000
    output: int = 300
    kept: int = 0
    requests: int = 1000
    people: int = 1
    peak: float = 4.0
    first_token: float = 0.0
    speed: float = 0.0
    stay: str = "anywhere"
    network: str = "fixed"
    share: float = 1.0
    edge_model: str = "llama-3.2-3b"
    kept_on_edge: int = 70
    tuning: str = ""
    tuning_tokens: float = 0.0
    deadline: float = 0.0


PRESETS = {word: Preset(**fields) for word, fields in written.toml(__file__, name="presets.toml").items()}
"""Works that read like life, by their word in a link."""
USUAL = "usual"
CUSTOM = "custom"
USUAL_NUMBER = "the workload's usual number"
FIRST_YEAR, LAST_YEAR = 2026, 2040
MOST_PEOPLE = 10_000_000


@dataclass(frozen=True, kw_only=True)
class WorkloadSettings(ReleaseSettings):
    """Which work is placed. ``usual``, and a number left empty, stand for what the chosen work usually has."""

    work: str = choice(
        "laptop-coding",
        computed={word: (preset.label, preset.words) for word, preset in PRESETS.items()},
        **WORDS["work"],
    )
    model: str = choice(USUAL, computed=MODEL_OPTIONS, **WORDS["model"])
    stay: str = choice(USUAL, **WORDS["stay"])
    year: int = whole_number(FIRST_YEAR, low=FIRST_YEAR, high=LAST_YEAR, **WORDS["year"])
    people: int | None = whole_number(None, low=1, high=MOST_PEOPLE, unset=USUAL_NUMBER, **WORDS["people"])
    each: float | None = decimal(None, low=0.0, high=10_000.0, step=5.0, unset=USUAL_NUMBER, **WORDS["each"])
    only: str = choice(ANY, **WORDS["only"])
    format: str = choice(USUAL, **WORDS["format"])
    billions: float = decimal(8.0, low=0.1, high=5000.0, step=1.0, **WORDS["billions"])
    prompt: int | None = whole_number(None, low=1, high=1_000_000, unset=USUAL_NUMBER, **WORDS["prompt"])
    kept: int | None = whole_number(None, low=0, high=1_000_000, unset=USUAL_NUMBER, **WORDS["kept"])
    output: int | None = whole_number(None, low=1, high=100_000, unset=USUAL_NUMBER, **WORDS["output"])
    requests: int | None = whole_number(
        None, low=1, high=999_999_999, unset=USUAL_NUMBER, **WORDS["requests"]
    )
    peak: float | None = decimal(None, low=1.0, high=100.0, step=0.5, unset=USUAL_NUMBER, **WORDS["peak"])
    first_token: float | None = decimal(
        None, low=0.01, high=ALL_TIME_S, step=0.5, unset=USUAL_NUMBER, **WORDS["first_token"]
    )
    speed: float | None = decimal(
        None, low=NO_SPEED, high=10_000.0, step=5.0, unset=USUAL_NUMBER, **WORDS["speed"]
    )
    budget: float | None = decimal(None, low=0.001, high=1_000_000.0, step=0.5, **WORDS["budget"])
    offline: str = choice("no", **WORDS["offline"])
    sure: int = whole_number(80, low=5, high=99, **WORDS["sure"])

    @property
    def preset(self) -> Preset:
        """Return the usual numbers of the chosen work."""
        return PRESETS[self.work]

    def usual(self, name: str) -> str:
        """Return a choice, or the work's usual one where the reader left it."""
        value = getattr(self, name)
        return getattr(self.preset, name) if value == USUAL else value

    @classmethod
    def as_meant(cls, values: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return the values with the total that stood when changing people did not change requests.

        A link that spells out every setting and does not know ``each`` is of that time; a short one of today names
        ``requests`` only to replace the product.
        """
        before = "requests" in values and "each" not in values
        if before and values["requests"] is None and values.get("people") is not None:
            return {**values, "each": 0.0}
        return values

    @property
    def each_a_day(self) -> float:
        """Return the requests of one person a day."""
        return self.total / self.number("people")

    @property
    def total(self) -> float:
        """Return the requests of all people a day: their product, unless a total is given."""
        if self.requests is not None:
            return float(self.requests)
        usual = self.preset.requests / self.preset.people
        if self.each == 0 or (self.each is None and self.people is None):
            return float(self.preset.requests)
        return self.number("people") * (usual if self.each is None else self.each)

    def number(self, name: str) -> float:
        """Return a number, or the work's usual one where the reader left it empty."""
        if name == "requests":
            return self.total
        value = getattr(self, name)
        return float(getattr(self.preset, name) if value is None else value)
