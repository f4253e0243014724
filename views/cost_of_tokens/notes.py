"""What a reader must know of a price: what is thin, what it leaves out, what would change it."""

from collections.abc import Iterator
from dataclasses import replace

from analysis.serving.tables import measured_lengths
from views import wording
from views.chips import rents
from views.chips.measured_lengths import beyond_words
from views.cost_of_tokens.found import Found
from views.cost_of_tokens.levers import price
from views.cost_of_tokens.measured import median_error, pairs
from views.cost_of_tokens.settings import TODAY
from views.cost_of_tokens.words import plan, usd


def notes(found: Found) -> tuple[str, ...]:
    """Return the caveats beside the chart, three at most."""
    if found.best is None:
        return ()
    place, at = found.place(found.best), found.best.place_of(found.speed)
    d, listed = found.best.at.deployments, found.place(found.best).listed
    apart = ", prompts read by others" if d.apart[at] else ""
    said = [
        f"{place.short}: "
        f"{plan(tensor=float(d.tensor[at]), data=float(d.data[at]), requests=float(d.concurrency[at]))}, "
        f"{_engine(d.engine[at])}{apart}; rents run from {usd(listed.low)} to {usd(listed.high)} an hour.",
    ]
    said += beyond_words(
        measured_lengths(), prompt=found.settings.prompt, answer=found.settings.answer, of="price"
    )
    if not place.points and not place.other_points:
        said.append(
            f"It was never measured with {found.inputs.model}: the price comes from the serving model alone."
        )
    chips = float(d.tensor[at] * d.data[at])
    if chips > place.instance:
        said.append(
            f"Rents are for single accelerators or servers, but here {chips:.0f} {place.short} share one rack."
        )
    if found.settings.year != str(TODAY):
        said.append(f"Figures for {found.settings.year} follow trends; no measurement stands behind them.")
    said.append(
        "Only rent is counted: no margin, staff, network egress, failed requests or training of the model."
    )
    return tuple(said[:3])


def _engine(word: str) -> str:
    return {"vllm": "vLLM", "sglang": "SGLang", "trtllm": "TensorRT-LLM"}.get(word, word)


def sure(found: Found) -> Iterator[str]:
    """Return how sure the finding is: errors of the model shown, and what rents rest on."""
    made = pairs(found)
    if made:
        yield (
            f"The serving model alone is off by {wording.percent(round(median_error(made), 2))} (median) in the price "
            f"of {wording.counted(len(made), 'measured point')} of {found.inputs.model}, which are among those it was "
            "fitted to. Prices shown are corrected by similar measured points; Model errors shows each accelerator "
            "predicted without its own."
        )
    else:
        yield f"{found.inputs.model} was not measured in a closed loop; errors are those of other models."
    last = rents.rate(found.inputs.release, rents.AS_LAST_YEAR)
    yield f"Prices of the same offers moved {rents.rate_words(last)}; they do not settle whether rents rise or fall."
    if found.best is not None:
        place = found.place(found.best)
        listed = place.listed
        yield (
            f"Rents of the {place.short} differ by {wording.multiple(listed.high / listed.low)} between "
            f"{wording.counted(listed.providers, 'provider')}. Medians of two accelerators may rest on different "
            "providers, and large clouds charge more than small ones."
        )


def changes(found: Found) -> Iterator[str]:
    """Return what would change the finding."""
    if found.best is None:
        return
    base = price(found, found.settings)
    alone = price(found, found.settings, batch=1.0) / base
    idle = price(found, replace(found.settings, utilization=max(found.settings.utilization // 2, 1))) / base
    yield (
        f"One request at a time costs {wording.multiple(alone)} as much per token; half as many hours in use cost "
        f"{wording.times(idle)}."
    )
    yield (
        "Draft tokens, narrower weights and cached prompts are settings of this page. Software stays the same in all "
        "years, so later prices reflect hardware and rents alone."
    )
    if found.cheaper:
        names = wording.listed([found.place(one).short for one in found.cheaper])
        yield f"Measurements of {found.inputs.model} on {names}, or more providers of them, could change the headline."
