"""Notes on the least time per token: the caveat, missing memory, published speeds, and improvements."""

import math
from collections.abc import Iterator

from analysis.latency_floor.enough_chips import Placed
from analysis.latency_floor.floor import resident_byte
from views import wording, written
from views.chips.linked import OFFERED, unseen
from views.latency_floor.answer import PARTS, FloorAnswer, milliseconds
from views.latency_floor.published import percent, reach, speeds
from views.models import names as model_names
from views.models import row

FLOOR = (
    "The roofline speed is a limit, not a forecast: it assumes peak bandwidth, evenly divided work, the lowest "
    "possible latencies and no software overhead."
)

UNSEEN: dict[str, str] = written.toml(__file__, name="names.toml")["unseen"]
"""Descriptions of latencies that our table may not have verified, keyed by quantity."""


def subtitle(answer: FloorAnswer) -> str:
    """Return a subtitle with the caveat: what does not fit or, if all does, the slowest part and published speeds."""
    settings, placed = answer.settings, answer.placed
    if not answer.fits:
        needed = wording.quantity(float(answer.floor.memory_byte_per_chip), "byte")
        held = wording.quantity(placed.chip.memory_capacity_byte, "byte")
        each = "the chip" if answer.chips == 1 else "the fullest chip"
        return f"With {settings.format.upper()} weights, {each} would need {needed} but has {held}."
    share, part = percent(answer.largest_share), PARTS[answer.largest]["label"]
    without = (
        "software overhead" if settings.speculative_tokens else "software overhead or speculative decoding"
    )
    return f"Without {without}, {part} takes {share} of a token's time. {_today(answer)}{_published(answer)}"


def caveats(answer: FloorAnswer) -> Iterator[str]:
    """Yield the necessary caveats, one sentence each, most important first."""
    settings, placed, stages = answer.settings, answer.placed, answer.stages
    if not answer.fits:
        yield (
            "The speed is what bandwidth would allow if memory were larger. Add stages or chips, or choose a "
            "smaller format."
        )
    elif stages > 1:
        yield f"{stages} stages have {stages} times the memory of one, but do not make a request faster."
    window = int(row(settings.model)["context_tokens"])
    if settings.context > window:
        yield (
            f"{model_names()[settings.model]} supports a context of at most {window:,} tokens, so this is only "
            "arithmetic."
        )
    if not math.isfinite(placed.peak_flop_per_s):
        yield f"No dense peak of the {placed.name} is published, so computation is assumed to take no time."


def sure(answer: FloorAnswer) -> Iterator[str]:
    """Yield sentences on uncertainty: what the limit omits, the accuracy of current latencies, and assumptions."""
    chip, name = answer.settings.chip, answer.placed.name
    yield FLOOR
    if today := _today_words(answer.placed):
        share = reach(answer.published, "share_of_today")
        yield today + (f" Published speeds reach {share} of what today's latencies allow." if share else "")
    if stated := OFFERED[chip]["stated"]:
        yield f"Links of the {name}: {stated}."
    if unseen(chip):
        latencies = wording.listed([UNSEEN[latency] for latency in unseen(chip)])
        yield f"We could not verify {latencies} of the {name} in a source, so use this limit with care."


def _today(answer: FloorAnswer) -> str:
    speed, today = answer.today_tokens_per_s, answer.placed.today
    if not speed > 0:
        return ""
    how = "Chips that work in turn allow" if today and today.in_a_row else "Today's latencies allow"
    return f"{how} at most {wording.significant(speed)} tokens/s. "


def _today_words(placed: Placed) -> str:
    """Return a sentence on the assumptions of the “Today” line. Empty if no current latencies are known."""
    today = placed.today
    if today is None:
        return ""
    if today.in_a_row:
        return "The “Today” line assumes that the chips work one after another, each on the weights it holds."
    if today.launch_s is not None:
        return "The “Today” line uses today's times for kernel launches and communication."
    between = "cores" if today.core_hop_s is not None else "chips"
    return f"The “Today” line uses today's latency of hops between {between}."


def changes(answer: FloorAnswer) -> Iterator[str]:
    """Yield a sentence on how the stages work together, which would change the limit."""
    if answer.stages > 1 and answer.fits:
        yield (
            f"Passing a token between stages takes {milliseconds(float(answer.floor.stages_s))} of the "
            f"{milliseconds(answer.total_s)} per token. {_busy(answer)}"
        )


def _published(answer: FloorAnswer) -> str:
    """Return a sentence on how close published speeds come to the limit."""
    name = answer.placed.name
    if share := reach(answer.published):
        return f"Published speeds on the {name} reach {share} of their limits."
    share = reach(speeds(answer.release))
    return f"No speed on the {name} is published; those on other chips reach {share} of their limits."


def _busy(answer: FloorAnswer) -> str:
    """Return sentences on the batches in the pipeline, and on what keeps all stages busy."""
    placed, stages, groups = answer.placed, answer.stages, answer.groups
    batch = wording.counted(answer.settings.batch, "request")
    if groups == stages:
        return f"All {stages} stages are busy, each with a batch of {batch}, whose KV caches fit."
    layers, of_layers = math.ceil(placed.model.n_layers / stages), placed.model.n_layers
    all_byte = float(resident_byte(placed.model, placed.request, groups=stages))
    needed = all_byte * layers / of_layers / answer.tensor
    fitting = f"Only one batch of {batch} fits" if groups == 1 else f"Only {groups} batches of {batch} fit"
    return (
        f"{fitting} at once, so stages wait for one another. The fullest stage decides, with {layers:,} of "
        f"{of_layers:,} layers. A batch for each stage would need {wording.quantity(needed, 'byte')} on each of its "
        f"chips, which hold {wording.quantity(placed.chip.memory_capacity_byte, 'byte')}."
    )
