"""Edge or cloud, for this work, in this year?"""

from dataclasses import replace

import numpy as np

from analysis.placement.places import TODAY
from data.releases import Release
from views import wording
from views.on_demand import OnDemand
from views.placement.answers import Answers, answers
from views.placement.cheapest_map import cheapest_map_exhibit
from views.placement.checked import checked_exhibit
from views.placement.checked_classes import checked_by_class_exhibit
from views.placement.inputs import Inputs, inputs
from views.placement.places import of_year
from views.placement.settings import FIRST_YEAR, NETWORKS, PlacementSettings
from views.placement.table import LEVEL_WORDS, chance, places_exhibit, seconds, usd
from views.placement.tiers import tiers_exhibit, why_not
from views.placement.tornado import tornado_exhibit
from views.placement.tuning import tuning_finding
from views.placement.words import headline, notes, sides
from views.placement.years import drawn_growth, middle_growth, years_exhibit
from views.result import Figure, Source
from views.view import CURATION, EPOCH_AI, Finding, View

TABLES = Source(
    title="Devices, prices, networks, model shapes and measured speeds gathered from public sources",
    publisher="Scaling Gap",
    url="/data",
    licence="CC BY 4.0",
)
SOURCES = (EPOCH_AI, CURATION, TABLES)


def build(settings: PlacementSettings, release: Release) -> Finding:
    """Return where the work runs best, how sure that is, and what would change it."""
    if settings.preset.tuning:
        return tuning_finding(settings, release, sources=SOURCES)
    found = inputs(settings, release)
    ahead = settings.year > FIRST_YEAR
    growth = middle_growth(release, found, year=settings.year) if ahead else TODAY
    drawn = drawn_growth(release, found, year=settings.year) if ahead else None

    def ask(changed: Inputs) -> Answers:
        return answers(changed, sure=settings.sure / 100, growth=growth, drawn_growth=drawn)

    today, found = found, replace(found, places=of_year(found.places, settings.year))
    given = ask(found)
    both, source = (
        sides(found, given, growth, sure=settings.sure / 100),
        settings_line(settings, found, release),
    )
    title = headline(settings, found, given, ask, both)

    def exhibits():
        yield places_exhibit(found, given, title=title, sure=settings.sure, source=source)
        yield cheapest_map_exhibit(settings, release, found, source=source, growth=growth)
        yield years_exhibit(settings, release, today, source=source)
        yield tornado_exhibit(settings, release, found, source=source, growth=growth)
        yield tiers_exhibit(settings, release, found, source=source, growth=growth)
        yield checked_by_class_exhibit(release=release, source=source)
        yield checked_exhibit(release=release, source=source)

    def told():
        yield from notes(found, given, ask, both)
        yield why_not(settings, release, found, growth=growth)

    return Finding(
        headline=title,
        figures=figures(found, given),
        exhibits=OnDemand(exhibits),
        settings_line=source,
        notes=OnDemand(told),
        sources=SOURCES,
    )


def settings_line(settings: PlacementSettings, found: Inputs, release: Release) -> str:
    """Return the settings in words."""
    asked, work = found.requirements, found.work
    limits = []
    if asked.time_to_first_token_s is not None:
        limits.append(f"first token within {asked.time_to_first_token_s:,.6g} s")
    if asked.output_tokens_per_s is not None:
        limits.append(f"{asked.output_tokens_per_s:,.6g} tokens a second")
    if asked.cost_usd_per_1000_requests is not None:
        limits.append(f"at most {usd(asked.cost_usd_per_1000_requests)} per 1,000 requests")
    if asked.stay != "anywhere":
        limits.append("texts stay in the house" if asked.stay == "premises" else "texts stay on the device")
    if asked.offline:
        limits.append("works offline")
    tokens = (
        f"{settings.number('kept'):,.0f} tokens in the cache + {settings.number('prompt'):,.0f} read anew"
    )
    return (
        f"{found.model} at {settings.usual('format')}, {tokens}, {float(work.output_tokens):,.0f} out, "
        f"{wording.counted(round(float(np.max(work.requests_per_day))), 'request')} a day of "
        f"{wording.counted(round(float(np.max(work.people))), 'person', 'people')}. "
        f"Asked: {', '.join(limits) or 'nothing'}, {settings.sure} % sure. {_year(settings)}; "
        f"rent {settings.renting.replace('-', ' ')}; {NETWORKS[settings.usual('network')]}. "
        f"Intervals {LEVEL_WORDS}, 1,000 draws. Chips: Epoch AI (CC BY 4.0), curated, release {release.name}."
    )


def _year(settings: PlacementSettings) -> str:
    if settings.year == FIRST_YEAR:
        return str(FIRST_YEAR)
    return f"{settings.year}, devices, chips and rents moved along their trends"


def figures(found: Inputs, given: Answers) -> tuple[Figure, ...]:
    """Return the key figures of the place that wins, or comes nearest."""
    i = given.cheapest if given.cheapest is not None else given.nearest
    name = found.places.name[i]

    def spanned(key: str, label: str, unit: str, word, *, shown: bool) -> Figure:  # type: ignore[no-untyped-def]
        spans = {
            "time_to_first_token_s": given.first_s,
            "time_per_output_token_s": given.token_s,
            "cost_usd_per_1000_requests": given.cost_usd,
            "energy_j_per_request": given.energy_j,
        }[key]
        low, value, high = float(spans.low[i]), float(spans.median[i]), float(spans.high[i])
        known = np.isfinite(value)
        return Figure(
            name=key,
            label=label,
            value=value if known else None,
            unit=unit,
            text=word(value),
            low=low if known else None,
            high=high if known else None,
            level=0.9 if known else None,
            interval_text=wording.interval(word(low), word(high)) if known else "",
            method=f"median and 90 % of 1,000 draws at {name}",
            n=1000,
            key=shown,
        )

    return (
        spanned("cost_usd_per_1000_requests", "Cost of 1,000 requests", "USD", usd, shown=True),
        spanned("time_to_first_token_s", "First token", "s", seconds, shown=True),
        spanned("time_per_output_token_s", "Time per token", "s", seconds, shown=True),
        Figure(
            name="probability_meets_requirement",
            label="Chance to meet all",
            value=float(given.probability[i]),
            unit="1",
            text=chance(float(given.probability[i])),
            method=f"share of 1,000 draws at {name} in which every requirement is met",
            n=1000,
        ),
        spanned(
            "energy_j_per_request",
            "Energy per request",
            "J",
            lambda value: f"{wording.significant(value)} J",
            shown=False,
        ),
        Figure(
            name="places_that_meet",
            label="Places that meet it",
            value=float(given.meets.sum()),
            unit="",
            text=f"{int(given.meets.sum())} of {len(found.places)}",
            key=False,
        ),
    )


VIEW = View(
    path="/placement",
    title="Placement",
    question="Edge or cloud, for this work, in this year?",
    settings=PlacementSettings,
    build=build,
    method=(
        "Devices: a token takes a fixed overhead plus bytes read over effective bandwidth, both fitted by class of "
        "device on measured speeds and pooled by backend; bytes are the weights a token reads and the KV cache at the "
        "middle of its answer. A prompt takes 2 FLOP per active parameter and token at the useful rate fitted for the "
        "class and the maker of the GPU, with factors for mixtures, long prompts and matrix units. "
        "Requests that share a step read the weights once (Pope et al., arXiv:2211.05102).",
        "Accelerators, rented or in an edge server: the throughput model fitted to published results at full load, "
        "with compute, weights, cache at 8 bits, links and steps each ideal time × one fitted factor. A smaller batch "
        "is the same sum; on one H200 at 1 to 256 requests at once, which the fit had not seen, steps come out 2–65 % "
        "too long, most at one request. As many chips hold a copy as are cheapest for the load: the fewest, two or "
        "four times as many.",
        "The batch is the largest that memory holds and that keeps the required speed in nine draws of ten. Machines "
        "in the house are bought, and rented by the hour, until the busiest hour keeps the utilization and the mean "
        "wait keeps the first token (Sakasegawa 1977; Pollaczek-Khinchine); on a device of their own people wait for "
        "nobody. The share of a price is charged of people's own devices; machines in the house are charged "
        "whole. Paid by use, a request costs its share of "
        "a copy at the stated utilization.",
        "Uncertainty: 1,000 seeded draws per place from the errors on devices (or models) left out of the fit, "
        "for devices that were measured themselves on rows left out; prompts and steps apart on devices, together on "
        "accelerators. Probability is the share of draws that meet "
        "everything asked.",
        "A blind test: 98 published speeds of one user on 25 devices, 23 of their chips unknown to the fit, were "
        "gathered before any was predicted from class, bandwidth and bytes alone. Decode was off by 12 % in the middle "
        "(dense models 11 %, mixtures 23 %; laptop GPUs 4 %, desktop GPUs 17 %), with 76 % of rows inside the 90 % "
        "interval; prefill, on 35 rows, by 54 %. Worst were Pascal and older AMD cards (too fast), server CPUs (half "
        "the speed) and mixtures on Ryzen AI Max. The rows have since joined the fit, which now tells makers of GPUs "
        "apart.",
        "Phones slow down under lasting work: in between first and sustained speed as the busiest hour, or one answer "
        "of up to ten minutes, keeps them busy; the straight line is assumed, the ratios are published tests.",
        "Assumed: computers around cards cost $1,000 (desktop), $2,000 (workstation), $6,000 per four cards (edge "
        "server), $40,000 per four chips (server room) and draw 100, 150, 300 and 1,400 W; phones without a source 5 W; "
        "rented chips draw 1.5 times their own power, PUE 1.2; a token is 4 bytes on the way. Prices are the median listed on-demand rent, taxes and idle power left "
        "out; paid by use, it is rent at the stated utilization without a margin. Memory is counted in the binary "
        "gigabytes it is sold in. Batches on devices rest on few measured pairs.",
        "Later years: every class of device moves along its growth within product lines since 2016, data-centre chips "
        "along that of the flagships. A chip's rent rises with its bandwidth to the power fitted across the "
        "accelerators listed today, since the listed history is too short for a trend of its own. The chance by year "
        "counts what is on sale by then, earlier hardware included; the table, the map and the tornado of a chosen "
        "year hold that year's hardware alone.",
        "Known limits: MLPerf's prompt lengths in the throughput fit are assumed (294, 778 and 9,428 tokens; 294 is "
        "the published mean answer of Llama 2 70B, not its prompt). First tokens at load have no published table they "
        "were checked against. NPUs and phones are known from few devices.",
    ),
)
