"""What chips offer together in words: 69 million TB/s, 19 million PFLOP/s, 12 GW."""

from collections.abc import Iterator

from views import wording
from views.fleet.answer import PUBLISHED, WINDOWS, FleetAnswer
from views.fleet.settings import OFFERS, FleetSettings

UNITS = {
    "bandwidth": "byte/s",
    "fp16": "FLOP/s",
    "fp8": "FLOP/s",
    "memory": "byte",
    "power": "W",
    "units": "1",
}
SAID = {
    "bandwidth": (1e12, "TB/s"),
    "fp16": (1e15, "PFLOP/s"),
    "fp8": (1e15, "PFLOP/s"),
    "memory": (1e12, "TB"),
    "power": (1e9, "GW"),
    "units": (1.0, ""),
}
VERBS = {"bandwidth": "read", "fp16": "offer", "fp8": "offer", "memory": "hold", "power": "draw"}
PEAKS = {
    "bandwidth": "Data-sheet peaks",
    "fp16": "Dense 16-bit peaks",
    "fp8": "Dense 8-bit peaks, else 16-bit",
}
"""What is stated as a peak: FLOP/s with their precision, without sparsity."""
AXES = {
    "bandwidth": "Memory bandwidth [million TB/s]",
    "fp16": "FLOP/s at 16 bits [million PFLOP/s]",
    "fp8": "FLOP/s at 8 bits [million PFLOP/s]",
    "memory": "Memory [million TB]",
    "power": "Rated power [GW]",
    "units": "Chips [million]",
}


def axis_unit(offers: str) -> float:
    """Return what one on the axis stands for."""
    size, unit = SAID[offers]
    return size if unit == "GW" else size * 1e6


def amount(value: float, offers: str) -> str:
    """Return an amount in words: 69 million TB/s, 850,000 PFLOP/s, 12 GW, 23 million."""
    size, unit = SAID[offers]
    number = value / size
    word = (
        f"{wording.significant(number / 1e6)} million" if number >= 995_000 else wording.significant(number)
    )
    return f"{word} {unit}".rstrip()


def headline(answer: FleetAnswer) -> str:
    """Return the finding: what they offer together and how that moved in a year, or how it grows."""
    settings, late = answer.settings, answer.last_year
    moved = (
        f"{wording.times(late.factor)} the year before"
        if late
        else f"growing {wording.times(answer.growth.factor)} a year"
    )
    chips = f"{answer.brand or 'AI '}chips"
    now = amount(float(answer.total.middle()[-1]), settings.offers)
    if settings.offers == "units":
        return f"{now} {chips} {'are in use' if answer.stock else 'ship a quarter'}, {moved}"
    whose = f"{chips} in use" if answer.stock else f"A quarter's {chips}"
    return f"{whose} {VERBS[settings.offers]} {now}, {moved}"


def subtitle(answer: FleetAnswer, *, interval: str) -> str:
    """Return whose chips these are, how sure their total is, which makers growth is of, and what is a peak."""
    settings, rate, makers = answer.settings, answer.growth, answer.estimates.makers
    whose = answer.brand.strip() or wording.counted_in_words(len(makers), "maker")
    peaks = f" {PEAKS[settings.offers]}, which no chip reaches in use." if settings.offers in PEAKS else ""
    constant = f"{wording.listed(answer.constant_makers.makers)} alone, since" if len(makers) > 1 else "Since"
    return (
        f"Chips of {whose} at the end of {wording.quarter(float(answer.total.end_year[-1]))}; {interval}. "
        f"{constant} {settings.since}: {wording.times(rate.factor)} a year "
        f"({wording.interval(wording.times(rate.low), wording.times(rate.high))}).{peaks}"
    )


def windows_title(answer: FleetAnswer) -> str:
    """Return what the window does to the published growth, in a title; empty where that is of something else."""
    rates = dict(answer.cases)
    if PUBLISHED not in rates:
        return ""
    by_window = {
        year: answer.growth if year == answer.settings.since else rates.get(f"Since {year}")
        for year in WINDOWS
    }
    windows = [f"{wording.times(rate.factor)} since {year}" for year, rate in by_window.items() if rate]
    published = wording.times(rates[PUBLISHED].factor)
    return f"Published as {published} a year; like for like {wording.listed(windows)}"


def notes(answer: FleetAnswer) -> Iterator[str]:
    """Yield which chips are not counted, and how FLOP per byte of all moves."""
    without, drift = answer.estimates.without, answer.balance_growth
    if without:
        yield f"Without {', '.join(without)}, whose data sheets do not state it."
    if answer.balance and drift:
        pace = "outgrows bandwidth by no more than that" if drift.factor >= 1 else "falls behind bandwidth"
        yield (
            f"All {answer.brand}chips together offer {wording.times(drift.factor)} as many FLOP per byte each year: "
            f"like for like, compute {pace}."
        )
    yield f"Not counted: other makers, and {_not_yet(answer)}; the H200 is counted as H100."


def _not_yet(answer: FleetAnswer) -> str:
    """Return from when each maker's chips are counted: NVIDIA's before 2022, Google's before 2023."""
    shipments = answer.estimates.shipments
    first: dict[str, int] = {}
    for maker, when in zip(shipments.maker, shipments.end_year.tolist(), strict=True):
        first[maker] = min(first.get(maker, 9999), int(when - 0.1))
    by_year: dict[int, list[str]] = {}
    for maker in sorted(first):
        by_year.setdefault(first[maker], []).append(f"{maker}'s")
    return wording.listed([f"{wording.listed(by_year[year])} before {year}" for year in sorted(by_year)])


def settings_line(settings: FleetSettings, *, source: str) -> str:
    """Return the settings in words; those of growth, service life and level where they are off their default."""
    how = "in use" if settings.count == "in-use" else "shipped"
    others = [
        words
        for name, words in {
            "retire": f"retired after {settings.retire} years",
            "since": f"growth since {settings.since}",
            "level": f"{settings.level} % intervals",
        }.items()
        if getattr(settings, name) != getattr(FleetSettings, name)
    ]
    line = ", ".join((f"{OFFERS[settings.offers][0]} of AI chips {how}, by quarter", *others))
    return f"{line}. {source}"
