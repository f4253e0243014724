"""What the choices of /placement stand for: work, requirements, places, fitted models and their draws."""

from dataclasses import dataclass

from analysis.model.architecture import Architecture
from analysis.model.typical import typical_dense
from analysis.placement.luck import DRAWS, luck
from analysis.placement.places import TODAY, Conditions, HardwareGrowth, Places
from analysis.placement.question import Question
from analysis.placement.served import unexplained_at
from analysis.placement.work import Requirements, Work, work_of
from analysis.placement.years import drawn_growth, groups, middle_growth
from data import standing
from data.by_release import kept_by_release
from data.releases import Release
from views.models import architecture
from views.placement.asked import CUSTOM, FIRST_YEAR
from views.placement.fitted import fitted, slopes, sustained
from views.placement.options import ALL_TIME_S, NO_SPEED
from views.placement.places import compared, names_of_year
from views.placement.settings import PlacementSettings

ON_DEVICES = {"fp16": "FP16", "8-bit": "Q8_0", "6-bit": "Q6_K", "4-bit": "Q4_K_M", "3-bit": "Q3_K_M"}
ON_ACCELERATORS = {"fp16": "FP16", "8-bit": "FP8", "6-bit": "FP8", "4-bit": "NVFP4", "3-bit": "NVFP4"}
FAMILIES = {
    "fp16": "16-bit",
    "8-bit": "8-bit",
    "6-bit": "block 4-bit",
    "4-bit": "block 4-bit",
    "3-bit": "block 4-bit",
}


SUSTAINED_RULES = {"by-work": None, "always": True, "never": False}


@dataclass(frozen=True, kw_only=True)
class PlacementInputs:
    """The question, with what readers call its parts.

    ``names`` are the places' names in the chosen year and ``words`` their words in a link. ``bits`` are those of a
    weight on devices. ``measured`` are the accelerators of which measured points stand in the model of serving.
    """

    question: Question
    names: tuple[str, ...]
    words: tuple[str, ...]
    model: str
    bits: float
    measured: tuple[str, ...]


@kept_by_release()
def _bits() -> dict[str, float]:
    table = standing.table("quantisation")
    return dict(zip(table["name"], map(float, table["bits_per_weight"]), strict=True))


def model_of(settings: PlacementSettings, *, word: str | None = None) -> tuple[str, Architecture]:
    """Return the name and the shape of the model; ``word`` replaces the chosen one."""
    word = word or settings.usual("model")
    if word == CUSTOM:
        model = typical_dense(settings.billions * 1e9)
        return f"A dense model of {settings.billions:,.12g} billion parameters", model
    model = architecture(word)
    return model.name, model


def work(settings: PlacementSettings, *, model: str | None = None) -> tuple[str, Work]:
    """Return the name of the model and the work on devices' format; ``model`` replaces the chosen one."""
    name, shape = model_of(settings, word=model)
    format_name = settings.usual("format")
    return name, work_of(
        shape,
        bits_per_weight=_bits()[ON_DEVICES[format_name]],
        kept_tokens=settings.number("kept"),
        prompt_tokens=settings.number("prompt"),
        output_tokens=settings.number("output"),
        requests_per_day=settings.number("requests"),
        people=settings.number("people"),
        peak_factor=settings.number("peak"),
        format_family=FAMILIES[format_name],
        served_format=ON_ACCELERATORS[format_name],
    )


def requirements(settings: PlacementSettings) -> Requirements:
    """Return what an answer must be."""
    first = settings.number("first_token")
    speed = settings.number("speed")
    return Requirements(
        time_to_first_token_s=first if 0 < first < ALL_TIME_S else None,
        # After an answer of one token nothing is waited for.
        output_tokens_per_s=speed if speed > NO_SPEED and settings.number("output") > 1 else None,
        cost_usd_per_1000_requests=settings.budget,
        stay=settings.usual("stay"),
        offline=settings.offline == "yes",
    )


def conditions(settings: PlacementSettings) -> Conditions:
    """Return what surrounds the work."""
    return Conditions(
        utilization=settings.utilization / 100,
        by_hour=settings.renting == "by-hour",
        years=settings.years,
        share=settings.share,
        usd_per_kwh=settings.electricity,
        price_times=settings.rent_change / 100,
        engine=settings.device_engine,
        serving_engine=settings.accelerator_engine,
    )


def inputs_of(settings: PlacementSettings, release: Release, *, model: str | None = None) -> PlacementInputs:
    """Return everything the answer is computed from; ``model`` replaces the chosen one."""
    words, places = compared(settings, release)
    name, chosen = work(settings, model=model)
    fits, ratios, around = fitted(), sustained(), conditions(settings)
    middle, drawn = _growth(settings, places, release=release.stands_on)
    unexplained = unexplained_at(places, chosen, conditions=around, fit=fits.serving)
    question = Question(
        work=chosen,
        places=places,
        fits=fits,
        conditions=around,
        requirements=requirements(settings),
        luck=luck(places, fits=fits, unexplained=unexplained, sustained=ratios),
        unexplained=unexplained,
        sustained=ratios,
        sustained_rule=SUSTAINED_RULES[settings.sustained],
        sure=settings.sure / 100,
        growth=middle,
        drawn_growth=drawn,
    )
    return PlacementInputs(
        question=question,
        names=names_of_year(places.name, year=settings.year),
        words=words,
        model=name,
        bits=_bits()[ON_DEVICES[settings.usual("format")]],
        measured=fits.accelerators,
    )


def _growth(
    settings: PlacementSettings, places: Places, *, release: str
) -> tuple[HardwareGrowth, HardwareGrowth | None]:
    """Return how far each place has grown by the year at the fitted trends, and its draws relative to that."""
    if settings.year == FIRST_YEAR:
        return TODAY, None
    trends, names = slopes(release, settings.rents), groups(places)
    ahead = float(settings.year - FIRST_YEAR)
    middle = middle_growth(trends, names, ahead=ahead)
    return middle, drawn_growth(trends, names, ahead=ahead, draws=DRAWS)
