"""Conversion of the settings of /placement into the work, requirements, places, fitted models and draws."""

from dataclasses import dataclass, replace

from analysis.arrays import BoolArray, FloatArray
from analysis.model.architecture import Architecture
from analysis.model.typical import typical_dense
from analysis.placement import years
from analysis.placement.fits import PlacementFits
from analysis.placement.places import Conditions, among
from analysis.placement.question import Question
from analysis.placement.served import residuals_at
from analysis.placement.speed_draws import DRAWS, draw_speeds, sustained_ratios
from analysis.placement.tables import models as devices_fitted
from analysis.placement.work import Requirements, Work, work_of
from analysis.serving.tables import model as serving_fitted
from data import standing
from data.by_release import kept_by_release
from data.releases import Release
from views.chips import rents as listed
from views.chips.rows import QUANTITIES, flagships
from views.models import architecture
from views.placement import settings as choices
from views.placement.places import PlaceLabel, compared


@kept_by_release()
def fitted() -> PlacementFits:
    """Return the fitted models of devices and serving accelerators."""
    return PlacementFits(devices=devices_fitted(), serving=serving_fitted())


@kept_by_release()
def sustained() -> FloatArray:
    """Return published ratios of phones' sustained speed to initial speed, shape (n,). [1]"""
    return sustained_ratios(standing.table("measured_decode"))


@kept_by_release(12)
def slopes(release: str, rents: str) -> years.Slopes:
    """Return the fitted growth of quantities, keyed by group of places and by quantity.

    Accelerators follow the flagships among data-centre chips, and their rents a scenario.
    """
    chips = {"price": years.rent_slope(listed.newer(release), listed.rate(release, rents))}
    for quantity, metric in QUANTITIES.items():
        chips[quantity] = years.fitted_slope(flagships(release, metric))
    return {**years.device_slopes(standing.table("edge_devices")), years.ACCELERATOR: chips}


SUSTAINED_RULES = {"by-work": None, "always": True, "never": False}


@dataclass(frozen=True, kw_only=True)
class PlacementInputs:
    """The question, the labels of its places, and the model's name and number of parameters."""

    question: Question
    labels: tuple[PlaceLabel, ...]
    model: str
    n_parameters: float

    @property
    def names(self) -> tuple[str, ...]:
        """Return the full labels of the places."""
        return tuple(label.text for label in self.labels)

    def of_class(self, word: str) -> BoolArray:
        """Return a mask of the places in a class, shape (places,)."""
        classes = [label.class_word for label in self.labels]
        return among(classes, words=classes if word == choices.ANY else {word})


def bits_of(settings: choices.PlacementSettings) -> float:
    """Return the bits per weight on devices, including each weight's share of the scales."""
    on_devices = choices.FORMATS[settings.usual("format")].on_devices
    return float(standing.rows("quantisation", "name")[on_devices]["bits_per_weight"])


def model_of(settings: choices.PlacementSettings, *, word: str | None = None) -> tuple[str, Architecture]:
    """Return the name and architecture of the model. ``word`` replaces the chosen model."""
    word = word or settings.usual("model")
    if word == choices.CUSTOM:
        model = typical_dense(settings.billions * 1e9)
        return f"A dense model of {settings.billions:,.12g} billion parameters", model
    model = architecture(word)
    return model.name, model


def work(settings: choices.PlacementSettings, *, model: str | None = None) -> tuple[str, Work]:
    """Return the model's name, and the work with weights in the chosen format. ``model`` replaces the chosen model."""
    name, shape = model_of(settings, word=model)
    weights = choices.FORMATS[settings.usual("format")]
    return name, work_of(
        shape,
        bits_per_weight=bits_of(settings),
        kept_tokens=settings.number("kept"),
        prompt_tokens=settings.number("prompt"),
        output_tokens=settings.number("output"),
        requests_per_day=settings.number("requests"),
        people=settings.number("people"),
        peak_factor=settings.number("peak"),
        format_family=weights.family,
        served_format=weights.on_accelerators,
    )


def requirements(settings: choices.PlacementSettings) -> Requirements:
    """Return the requirements on an answer under the settings."""
    first = settings.number("first_token")
    speed = settings.number("speed")
    return Requirements(
        time_to_first_token_s=first if 0 < first < choices.ALL_TIME_S else None,
        # An answer of one token has no speed to wait for.
        output_tokens_per_s=speed if speed > choices.NO_SPEED and settings.number("output") > 1 else None,
        cost_usd_per_1000_requests=settings.budget,
        data_residency=settings.usual("stay"),
        offline=settings.offline == "yes",
    )


def conditions(settings: choices.PlacementSettings) -> Conditions:
    """Return the conditions of the work under the settings. The name of a typical engine is empty."""
    on_devices, on_accelerators = settings.engine, settings.serving_engine
    return Conditions(
        utilization=settings.utilization / 100,
        by_hour=settings.renting == "by-hour",
        years=settings.years,
        share=settings.share,
        usd_per_kwh=settings.electricity,
        price_times=settings.rent_change / 100,
        engine="" if on_devices == choices.TYPICAL else choices.engine_options()[on_devices][0],
        serving_engine="" if on_accelerators == choices.TYPICAL else on_accelerators,
    )


def inputs_of(
    settings: choices.PlacementSettings, release: Release, *, model: str | None = None
) -> PlacementInputs:
    """Return all inputs of the answer. ``model`` replaces the chosen model."""
    labels, places = compared(settings, release)
    name, chosen = work(settings, model=model)
    fits, ratios, around = fitted(), sustained(), conditions(settings)
    residuals = residuals_at(places, chosen, conditions=around, fit=fits.serving)
    question = Question(
        work=chosen,
        places=places,
        fits=fits,
        conditions=around,
        requirements=requirements(settings),
        speed_draws=draw_speeds(places, fits=fits, residuals=residuals, sustained=ratios),
        residuals=residuals,
        sustained=ratios,
        sustained_rule=SUSTAINED_RULES[settings.sustained],
        required_probability=settings.sure / 100,
    )
    if settings.year > choices.FIRST_YEAR:
        trends, names = slopes(release.stands_on, settings.rents), years.groups(places)
        ahead = float(settings.year - choices.FIRST_YEAR)
        question = replace(
            question,
            growth=years.middle_growth(trends, names, ahead=ahead),
            drawn_growth=years.drawn_growth(trends, names, ahead=ahead, draws=DRAWS),
        )
    n_parameters = float(chosen.weights_byte) * 8 / bits_of(settings)
    return PlacementInputs(question=question, labels=labels, model=name, n_parameters=n_parameters)
