"""What a reader must know of a price: what is thin, what it leaves out, what would change it."""

from collections.abc import Iterator
from dataclasses import replace

from views import wording
from views.chips import rents
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
    if not place.points and not place.other_points:
        said.append(
            f"No point of {found.inputs.model} was measured here: the price is the serving model's alone."
        )
    chips = float(d.tensor[at] * d.data[at])
    if chips > place.instance:
        said.append(
            f"Rents are of single accelerators or servers; the {chips:.0f} of the {place.short} here share one rack."
        )
    if found.settings.year != str(TODAY):
        said.append(
            f"Figures of {found.settings.year} follow trends; nothing was measured on accelerators to come."
        )
    said.append("Rent alone: no margin, staff, network egress, failed requests, or training of the model.")
    return tuple(said[:3])


def _engine(word: str) -> str:
    return {"vllm": "vLLM", "sglang": "SGLang", "trtllm": "TensorRT-LLM"}.get(word, word)


def sure(found: Found) -> Iterator[str]:
    """Return how sure the finding is: errors of the model shown, and what rents rest on."""
    made = pairs(found)
    if made:
        yield (
            "The mechanisms alone, fitted to these points among others, are off by "
            f"{wording.percent(round(median_error(made), 2))} (median) in the price of "
            f"{wording.counted(len(made), 'measured point')} of {found.inputs.model}; prices shown are corrected "
            "by points alike, and "
            "Model errors has each accelerator predicted without its own."
        )
    else:
        yield f"No point of {found.inputs.model} was measured in a closed loop; errors are those of other models."
    last = rents.rate(found.inputs.release, rents.AS_LAST_YEAR)
    yield f"Same offers moved {rents.rate_words(last)}; whether rents rise or fall is not settled by the table."
    if found.best is not None:
        place = found.place(found.best)
        listed = place.listed
        yield (
            f"The dearest of {wording.counted(listed.providers, 'provider')} of the {place.short} asks "
            f"{wording.multiple(listed.high / listed.low)} the cheapest. Medians of two accelerators may rest on "
            "different providers: large clouds ask more than small ones."
        )


def changes(found: Found) -> Iterator[str]:
    """Return what would change the finding."""
    if found.best is None:
        return
    base = price(found, found.settings)
    alone = price(found, found.settings, batch=1.0) / base
    idle = price(found, replace(found.settings, utilization=max(found.settings.utilization // 2, 1))) / base
    yield (
        f"Load: one request at a time costs {wording.multiple(alone)} as much a token, half the hours in use "
        f"{wording.times(idle)}."
    )
    yield (
        "Draft tokens, narrower weights and prompts kept in the cache are settings of this page. Software is "
        "held in all "
        "years, so later prices are those of hardware and rents alone."
    )
    if found.cheaper:
        names = wording.listed([found.place(one).short for one in found.cheaper])
        yield f"Measured points of {found.inputs.model} on {names}, or more providers, could move the headline there."
