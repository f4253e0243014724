"""What accelerators ask at the speed side by side: price with its interval, and the energy of a token."""

from charts.chart import Bar
from views import wording, written
from views.cost_of_tokens.answer import PriceAnswer, Served
from views.cost_of_tokens.settings import TODAY
from views.cost_of_tokens.words import between, usd
from views.exhibits import ValueAxis, bar_exhibit
from views.result import Exhibit
from views.table import Getter, stated_columns

COLUMNS: tuple[Getter[Served], ...] = stated_columns(
    written.toml(__file__, name="columns.toml")["accelerators"]
)


def accelerators_exhibit(answer: PriceAnswer, *, source: str) -> Exhibit:
    """Return the price on each accelerator at the speed."""
    rows, best, speed = list(answer.served.values()), answer.leader, answer.settings.speed
    others = [row for row in rows if row is not best and not row.why_not]
    second = f", on the next measured, the {others[0].short}, {usd(others[0].usd)}" if others else ""
    ends = [value for row in rows for value in (row.usd, row.low, row.high) if 0 < value < float("inf")]
    return bar_exhibit(
        rows,
        lambda row: Bar(
            label=row.short,
            value=row.usd,
            low=row.low,
            high=min(row.high, max(ends)),
            text=_with_reason(usd(row.usd), row),
            role="context" if row.why_not else "memory",
            emphasised=row is best,
            detail=(
                f"{row.tokens_per_s:,.0f} tokens/s each at ${row.rent.value:.2f} an hour, "
                f"{wording.counted(row.place.listed.providers, 'provider')}",
                f"{wording.counted(row.place.points, 'measured point')} of the model",
                between(row.low, row.high),
            ),
        ),
        title=f"At {speed} tokens/s a million tokens cost {usd(best.usd)} on the {best.short}{second}",
        subtitle=f"Price of a million output tokens. Lines: {answer.settings.level} % interval of speeds. Grey: not "
        "measured with this model and format, or rented by fewer than three providers.",
        source=source,
        axis=ValueAxis(title="Price of a million output tokens [$]", word=usd, log=True),
        base=min(ends),
        dots=True,
        columns=COLUMNS,
    )


def energy_exhibit(answer: PriceAnswer, *, source: str) -> Exhibit | None:
    """Return tokens per joule of each accelerator at the speed; None for later years, or where no power is known."""
    with_power = [row for row in answer.served.values() if row.tokens_per_j > 0]
    rows = sorted(with_power, key=lambda row: -row.tokens_per_j)
    if not rows or answer.settings.year != str(TODAY):
        return None
    known = next((row for row in rows if not row.why_not), rows[0])
    which = "" if known is rows[0] else "Of those measured and widely rented, "
    return bar_exhibit(
        rows,
        lambda row: Bar(
            label=row.short,
            value=row.tokens_per_j,
            text=_with_reason(wording.significant(row.tokens_per_j), row),
            role="context" if row.why_not else "edge",
            emphasised=row is known,
        ),
        title=wording.sentence_case(
            f"{which}the {known.short} gives the most tokens per joule: {wording.significant(known.tokens_per_j)}"
        ),
        subtitle=f"Output tokens per joule at {answer.settings.speed} tokens/s, with the energy of prompts; chip "
        f"and server at work, PUE {answer.settings.pue:g}. Times 1,000 gives tokens a second per kW.",
        source=source,
        axis=ValueAxis(title="Tokens per joule", word=lambda value: f"{value:,.3g}", span=(0.0,)),
        columns=COLUMNS,
    )


def _with_reason(text: str, row: Served) -> str:
    """Return a text with why the accelerator does not carry the headline."""
    return f"{text}, {row.why_not}" if row.why_not else text
