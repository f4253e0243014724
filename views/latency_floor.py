"""What is the fastest possible answer?"""

from dataclasses import dataclass, replace

import numpy as np

from analysis.decoder import Decoder
from analysis.latency_floor import (
    Chip,
    Floor,
    Request,
    best_chips,
    fewest_chips,
    latency_floor,
    resident_byte,
    stages_needed,
)
from data.releases import Release
from views import wording
from views.decoder_models import decoder, meanings, row
from views.decoder_models import names as model_names
from views.latency_exhibits import (
    MOST_CHIPS,
    PARTS,
    Case,
    by_chips_exhibit,
    chips_exhibit,
    levers_exhibit,
    parts_exhibit,
)
from views.linked_chips import CHIPS, LINK_SOURCE, LINKS, NAMES, linked_chip
from views.phase_roofline import roofline_exhibit
from views.result import Exhibit, Figure, Source
from views.settings import Conflict, choice, decimal, whole_number
from views.view import CURATION, EPOCH_AI, Finding, ReleaseSettings, View

FORMATS = {
    "fp32": (4.0, "32 bits a weight"),
    "fp16": (2.0, "16 bits a weight (FP16 or BF16)"),
    "fp8": (1.0, "8 bits a weight, computed in FP8 where the chip can"),
    "int8": (1.0, "8 bits a weight"),
    "int4": (4.15625 / 8, "4 bits a weight and a scale for every 128, computed at 16 bits"),
    "mxfp4": (4.25 / 8, "4 bits a weight and a scale for every 32"),
}
CACHE_FORMATS = {"fp16": (2.0, "16 bits"), "fp8": (1.0, "8 bits"), "int4": (0.5, "4 bits")}

ARCHITECTURES = Source(
    title="Architectures of models (their own papers and configuration files, row by row)",
    publisher="Scaling Gap",
    url="/data",
    licence="CC BY 4.0",
)


@dataclass(frozen=True, kw_only=True)
class LatencyFloorSettings(ReleaseSettings):
    """Which model runs on which chips, split how, for how many requests at once."""

    model: str = choice(
        "llama-3.1-70b",
        meanings(),
        label="Model",
        help="The model that generates, from the table of architectures.",
        first_row=True,
    )
    format: str = choice(
        "fp8",
        {name: words for name, (_, words) in FORMATS.items()},
        label="Weights",
        help="How many bits each weight takes, with its share of the scales.",
        first_row=True,
    )
    chip: str = choice(
        "h100",
        CHIPS,
        label="Chip",
        help="The kind of chip; its links are stated on /methods.",
        first_row=True,
    )
    tensor_parallel: int = whole_number(
        8,
        low=1,
        high=MOST_CHIPS,
        label="Chips per layer",
        help="How many chips share every layer (tensor parallelism): they read its weights at the same time.",
        first_row=True,
    )
    pipeline_parallel: int = whole_number(
        0,
        low=0,
        high=256,
        label="Pipeline stages",
        help="How many groups of chips hold different layers; 0 takes as few as hold the model. A token passes "
        "through all stages in turn: they add memory and throughput, no speed.",
    )
    context: int = whole_number(
        8192, low=1, high=10_000_000, label="Context", help="How many tokens each new token looks back at."
    )
    batch: int = whole_number(
        1, low=1, high=4096, label="Batch", help="How many requests generate together, sharing each reading."
    )
    cache_format: str = choice(
        "fp16",
        {name: words for name, (_, words) in CACHE_FORMATS.items()},
        label="KV cache",
        help="How many bits each number of the KV cache takes.",
    )
    active_share: float = decimal(
        1.0,
        low=0.01,
        high=1.0,
        step=0.05,
        label="Active share",
        help="The share of the model's usual active parameters that each token uses. All stay in memory; "
        "every request is taken to use the same ones.",
    )
    speculative_tokens: int = whole_number(
        0, low=0, high=16, label="Draft tokens", help="How many tokens a draft model proposes for each pass."
    )
    acceptance: float = decimal(
        0.8,
        low=0.0,
        high=1.0,
        step=0.05,
        label="Acceptance",
        help="How likely each proposed token is accepted; used with draft tokens.",
    )
    draft_share: float = decimal(
        0.05,
        low=0.0,
        high=1.0,
        step=0.01,
        label="Draft size",
        help="Weights of the draft model as a share of the model's own; used with draft tokens.",
    )
    latency: float = decimal(
        1.0,
        low=0.0,
        high=20.0,
        step=0.5,
        label="Latency, times stated",
        help="Multiplies the stated latency of every hop and step; 0 leaves bandwidth only.",
    )

    def conflicts(self) -> tuple[Conflict, ...]:
        """Return the conflict of more pipeline stages than the model has layers, if there is one."""
        layers = decoder(self.model).n_layers
        if self.pipeline_parallel > layers:
            return (
                Conflict(
                    names=("pipeline_parallel", "model"),
                    allowed=f"at most one stage a layer: {layers} in {model_names()[self.model]}",
                ),
            )
        return ()


def sized(settings: LatencyFloorSettings) -> Decoder:
    """Return the model, with fewer active parameters where the settings ask for it."""
    model = decoder(settings.model)
    if settings.active_share == 1:
        return model
    active = (model.n_active_parameters - model.lookup_parameters) * settings.active_share
    return replace(model, n_active_parameters=active, lookup_parameters=0.0)


def requested(settings: LatencyFloorSettings) -> Request:
    """Return what is generated, as the settings say."""
    return Request(
        context_tokens=settings.context,
        batch=settings.batch,
        weight_byte=FORMATS[settings.format][0],
        cache_byte=CACHE_FORMATS[settings.cache_format][0],
        draft_tokens=settings.speculative_tokens,
        acceptance=settings.acceptance,
        draft_share=settings.draft_share,
    )


def chip_of(settings: LatencyFloorSettings, release: Release, word: str | None = None) -> Chip | None:
    """Return the chosen chip, or another one under the same settings."""
    byte = FORMATS[settings.format][0]
    return linked_chip(word or settings.chip, release, weight_byte=byte, latency_scale=settings.latency)


def stages_of(settings: LatencyFloorSettings, model: Decoder, request: Request, chip: Chip) -> int:
    """Return the pipeline stages asked for; where none are, the fewest that hold the model if any do."""
    if settings.pipeline_parallel:
        return settings.pipeline_parallel
    found = float(stages_needed(model, request, chip=chip, tensor_parallel=settings.tensor_parallel))
    return int(found) if np.isfinite(found) else model.n_layers


def build(settings: LatencyFloorSettings, release: Release) -> Finding:
    """Return the least time per token, what it is made of, and where more chips stop helping."""
    model, request = sized(settings), requested(settings)
    source = f"{_words(settings)} Data: architectures of models, accelerators of release {release.name}."
    cases = {
        word: Case(name=NAMES[word], chip=chip, model=model, request=request)
        for word in CHIPS
        if (chip := chip_of(settings, release, word)) is not None
    }
    chips = chips_exhibit(cases, chosen=settings.chip, source=source)
    if settings.chip not in cases:
        return Finding(
            headline=f"Release {release.name} does not have enough numbers of the {NAMES[settings.chip]}",
            figures=(),
            exhibits=(chips,),
            settings_line=source,
            notes=(
                f"A floor needs bandwidth, memory and links of the {NAMES[settings.chip]}. Choose another chip, "
                "or a newer release.",
            ),
            sources=(EPOCH_AI, CURATION, ARCHITECTURES, LINK_SOURCE),
        )
    case = cases[settings.chip]
    stages = stages_of(settings, model, request, case.chip)
    floor = latency_floor(
        model,
        request,
        chip=case.chip,
        tensor_parallel=settings.tensor_parallel,
        pipeline_parallel=stages,
    )
    best = best_chips(model, request, chip=case.chip, most=MOST_CHIPS)
    headline = _headline(settings, case, floor, stages=stages, best=best)
    exhibits: list[Exhibit] = [
        by_chips_exhibit(cases, chosen=settings.chip, tensor=settings.tensor_parallel, source=source),
        parts_exhibit(case, floor, headline=headline, source=source),
        levers_exhibit(case, tensor=settings.tensor_parallel, stages=stages, source=source),
        chips,
        roofline_exhibit(case, context=settings.context, source=source),
    ]
    return Finding(
        headline=headline,
        figures=_figures(settings, case, floor, stages=stages, best=best),
        exhibits=tuple(exhibits),
        settings_line=source,
        notes=_notes(settings, case, floor, stages=stages),
        sources=(EPOCH_AI, CURATION, ARCHITECTURES, LINK_SOURCE),
    )


def _fits(case: Case, floor: Floor) -> bool:
    return float(floor.memory_byte_per_chip) <= case.chip.memory_capacity_byte * (1 + 1e-9)


def _group(settings: LatencyFloorSettings, stages: int) -> str:
    name, tensor = NAMES[settings.chip], settings.tensor_parallel
    if stages == 1:
        return f"{tensor:,} × {name}" if tensor > 1 else f"one {name}"
    return f"{tensor * stages:,} × {name} ({wording.counted(stages, 'stage')} of {tensor:,})"


def _headline(
    settings: LatencyFloorSettings, case: Case, floor: Floor, *, stages: int, best: int | None
) -> str:
    model = model_names()[settings.model]
    group = _group(settings, stages)
    if not _fits(case, floor):
        need = fewest_chips(case.model, case.request, case.chip)
        return (
            f"{model} at {settings.format.upper()} does not fit {group}: it needs at least {need:,} "
            f"{'chip' if need == 1 else 'chips'}"
        )
    speed = wording.significant(1 / float(floor.total_s))
    more = ""
    if best == MOST_CHIPS:
        more = f"; up to {MOST_CHIPS:,} a layer, more chips keep helping"
    elif best is not None and best > settings.tensor_parallel:
        more = f"; beyond {best:,} sharing each layer, more chips add no speed"
    elif best is not None:
        more = "; more chips sharing each layer add no speed"
    return f"{model} cannot answer faster than {speed} tokens a second on {group}{more}"


def _figures(
    settings: LatencyFloorSettings, case: Case, floor: Floor, *, stages: int, best: int | None
) -> tuple[Figure, ...]:
    total = float(floor.total_s)
    method = "peak rates of the chips, no software overhead"
    need = fewest_chips(case.model, case.request, case.chip)
    binds = max(PARTS, key=lambda name: float(getattr(floor, name)))
    share = float(getattr(floor, binds)) / total
    figures = [
        Figure(
            name="output_tokens_per_s",
            label="One request",
            value=1 / total,
            unit="tokens/s",
            text=f"{wording.significant(1 / total)} tokens/s",
            interval_text="at best",
            method=method,
        ),
        Figure(
            name="time_per_output_token_s",
            label="Time per token",
            value=total,
            unit="s",
            text=f"{wording.significant(total * 1e3)} ms",
            interval_text=f"{wording.percent(min(share, 1.0))} {PARTS[binds]}",
            method=method,
        ),
        Figure(
            name="chips_needed",
            label="Chips to hold it",
            value=float(need),
            unit="chips",
            text=f"{need:,}",
            interval_text=f"{wording.quantity(resident_byte(case.model, case.request), 'byte')} in all",
            method="weights and KV cache over memory of a chip",
        ),
    ]
    if best is not None:
        fastest = float(case.times(np.array([best]))[0])
        figures.append(
            Figure(
                name="fastest_chips_per_layer",
                label="Fastest split of a layer",
                value=float(best),
                unit="chips",
                text=wording.counted(best, "chip"),
                interval_text=f"{wording.significant(1 / fastest)} tokens/s at best",
                method=f"searched from 1 to {MOST_CHIPS:,}",
            )
        )
        figures.append(
            Figure(
                name="fastest_tokens_per_s",
                label="Tokens a second at the fastest split",
                value=1 / fastest,
                unit="tokens/s",
                text=f"{wording.significant(1 / fastest)} tokens/s",
                method=method,
                key=False,
            )
        )
    throughput = settings.batch * stages / total
    figures += [
        Figure(
            name="throughput_tokens_per_s",
            label="Throughput, every stage busy",
            value=throughput,
            unit="tokens/s",
            text=f"{wording.significant(throughput)} tokens/s",
            method="batch and stages over time per token",
            key=False,
        ),
        Figure(
            name="communication_share",
            label="Share of communication",
            value=float(floor.exchange_s) / total,
            unit="1",
            text=wording.percent(float(floor.exchange_s) / total),
            method=method,
            key=False,
        ),
        Figure(
            name="pipeline_parallel",
            label="Pipeline stages",
            value=float(stages),
            unit="stages",
            text=f"{stages:,}",
            method="as set, or as few as hold the model",
            key=False,
        ),
    ]
    return tuple(figures)


def _words(settings: LatencyFloorSettings) -> str:
    draft = (
        f" {settings.speculative_tokens} draft tokens, each accepted with {wording.percent(settings.acceptance)}."
        if settings.speculative_tokens
        else ""
    )
    share = (
        f" {wording.percent(settings.active_share)} of the active parameters."
        if settings.active_share < 1
        else ""
    )
    return (
        f"{model_names()[settings.model]}, weights {settings.format.upper()}, KV cache "
        f"{settings.cache_format.upper()}, {settings.context:,} tokens of context, "
        f"{wording.counted(settings.batch, 'request')} at once.{share}{draft}"
    )


def _notes(settings: LatencyFloorSettings, case: Case, floor: Floor, *, stages: int) -> tuple[str, ...]:
    notes = [
        "This is a floor, not a forecast: peak bandwidth, ideal splits, no software. Real systems are slower, "
        "often by a factor of two."
    ]
    if not _fits(case, floor):
        notes.append(
            "The speed shown is what bandwidth would allow if the memory were larger. Add stages or chips, or "
            "choose a smaller format."
        )
    elif stages > 1:
        alone = float(replace(floor, stages_s=np.zeros(())).total_s)
        notes.append(
            f"{stages} stages give {stages} times the memory, and as many tokens a second when {stages} groups "
            f"of requests are under way; one request gets no faster ({wording.significant(alone * 1e3)} ms "
            f"without, {wording.significant(float(floor.total_s) * 1e3)} ms with handing over)."
        )
    if not np.isfinite(case.chip.peak_flop_per_s):
        notes.append(f"Nobody states a dense peak of the {case.name}; computing is taken to cost nothing.")
    links = LINKS.get(settings.chip)
    if links is not None and links.stated:
        notes.append(f"Links of the {case.name}: {links.stated}.")
    window = int(model_window(settings))
    if settings.context > window:
        notes.append(
            f"{model_names()[settings.model]} was made for at most {window:,} tokens of context; the number "
            "beyond that is arithmetic."
        )
    return tuple(notes)


def model_window(settings: LatencyFloorSettings) -> float:
    """Return how many tokens of context the model was made for. [tokens]"""
    return float(row(settings.model)["context_tokens"])


VIEW = View(
    path="/latency-floor",
    title="Latency floor",
    question="What is the fastest possible answer?",
    settings=LatencyFloorSettings,
    build=build,
    method=(
        "Time per token = bytes read / (chips × bandwidth) + communication. Bytes are the weights a step uses "
        "and the KV cache of every request. A dense model reads all weights but the input embedding; a mixture "
        "of experts reads what is active, and with a batch every expert some request is sent to, "
        "E (1 − (1 − k/E)^b). Computing counts where it takes longer than reading (roofline), and so do the "
        "four dependent matrix steps of a layer, each as long as all parts of a chip need to agree.",
        "Chips that share every layer agree twice a layer by all-reduce. Short messages travel whole, in log2 n "
        "hops through switches or across a torus; long ones are scattered and gathered (Thakur, Rabenseifner "
        "and Gropp 2005). Beyond the scale-up domain a second exchange crosses the network. Assumed: 1 µs a hop "
        "inside a domain (0.7 µs Groq, 5 µs between wafers), 5 µs through the network, 1.5 µs a step on a chip "
        "(0.2 µs Groq). Pipeline stages run one after another for one token: they leave the reading per token "
        "as it is.",
        "Speculative decoding: one pass checks g proposals and yields (1 − a^(g+1))/(1 − a) tokens (Leviathan, "
        "Kalman and Matias 2023). Keys and values are taken as split evenly over the chips of a layer.",
        "Scale-up domains: 8 for HGX H100, H200, B200 and MI300X, 72 for GB200, 8,960, 256 and 9,216 for TPU "
        "v5p, v6e and v7, 576 for a Groq rack pair, 16 wafers. A DDR5 server is one socket with twelve channels "
        "of DDR5-6400, 768 GB, 60 cores with AMX at 2 GHz.",
    ),
)
