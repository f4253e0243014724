"""What a reader must know of a price: what is thin, what it leaves out, what would change it."""

from collections.abc import Iterator

from analysis.cost_of_tokens.measured_prices import whole_points
from analysis.rents import Listed
from analysis.serving.tables import measured_lengths
from views import wording
from views.chips.measured_lengths import beyond_words
from views.cost_of_tokens.answer import PriceAnswer, usd
from views.cost_of_tokens.settings import ENGINES, TODAY


def notes(answer: PriceAnswer) -> tuple[str, ...]:
    """Return the caveats beside the chart, three at most."""
    place, at = answer.leader.place, answer.leading.place_of(answer.speed)
    d = answer.leading.at.deployments
    apart = ", prompts read by others" if d.disaggregated[at] else ""
    how = wording.counted(int(d.tensor[at]), "accelerator")
    if d.data[at] > 1:
        how = f"{d.data[at]:.0f} accelerators with experts spread over them"
    made = [
        f"{place.short}: {how}, {wording.counted(round(d.concurrency[at]), 'request')} at once, "
        f"{ENGINES[d.engine[at]][0]}{apart}; {_rents(place.listed)}.",
    ]
    made += beyond_words(
        measured_lengths(), prompt=answer.settings.prompt, answer=answer.settings.answer, of="price"
    )
    if not place.points and not place.other_points:
        made.append(
            f"It was never measured with {answer.inputs.model}: the price comes from the serving model alone."
        )
    chips = float(d.tensor[at] * d.data[at])
    if chips > place.instance:
        made.append(
            f"Rents are for single accelerators or servers, but here {chips:.0f} {place.short} share one rack."
        )
    if answer.settings.year != str(TODAY):
        made.append(f"Figures for {answer.settings.year} follow trends; no measurement stands behind them.")
    made.append(
        "Only rent is counted: no margin, staff, network egress, failed requests or training of the model."
    )
    return tuple(made[:3])


def sure(answer: PriceAnswer) -> Iterator[str]:
    """Yield what errors and rents rest on, where the charts do not say it."""
    if not len(answer.measured(whole_points()).at):
        yield f"{answer.inputs.model} was not measured in a closed loop; errors are those of other models."
    yield (
        "Medians of two accelerators may rest on different providers, and large clouds charge more than small ones."
    )


def _rents(listed: Listed) -> str:
    """Return what providers ask for an hour, one price or from the least to the most."""
    if listed.low == listed.high:
        return f"rent is {usd(listed.middle)} an hour"
    return f"rents run from {usd(listed.low)} to {usd(listed.high)} an hour"


def changes(answer: PriceAnswer) -> Iterator[str]:
    """Return what would change the finding."""
    yield (
        "Draft tokens, narrower weights and cached prompts are settings of this page. Software stays the same in all "
        "years, so later prices reflect hardware and rents alone."
    )
    if answer.cheaper:
        names = wording.listed([answer.place(one).short for one in answer.cheaper])
        yield f"Measurements of {answer.inputs.model} on {names}, or more providers of them, could change the headline."
