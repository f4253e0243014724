"""Finding of /latency-floor: the least time per token, and the number of chips that it needs."""

from collections.abc import Iterator
from functools import partial

from analysis.latency_floor.enough_chips import ENOUGH, MOST_CHIPS, Placed
from data.releases import Release
from views import wording, written
from views.chips.linked import CHIPS, NAMES, SHORT_NAMES
from views.exhibits import stated_figure
from views.latency_floor.answer import PARTS, FloorAnswer, milliseconds
from views.latency_floor.exhibits import by_chips_exhibit, chips_exhibit, levers_exhibit, parts_exhibit
from views.latency_floor.notes import caveats, changes, subtitle, sure
from views.latency_floor.published import published_exhibit
from views.latency_floor.settings import LatencyFloorSettings, placed
from views.models import names as model_names
from views.result import Figure
from views.sources import ARCHITECTURES, CURATION, EPOCH_AI, LINK_SOURCE
from views.view import Finding, View

SOURCES = (EPOCH_AI, CURATION, ARCHITECTURES, LINK_SOURCE)


def build(settings: LatencyFloorSettings, release: Release) -> Finding:
    """Return the finding on the least time per token, its parts, and where more chips stop helping."""
    chosen = settings.chosen_words(
        "model", "chip", "tensor_parallel", "pipeline_parallel", "latency", "draft_share"
    )
    source = f"{_words(settings)} {chosen}Release {release.name}."
    kinds = _kinds(settings, release)
    chips = chips_exhibit(kinds, chosen=settings.chip, source=source)
    if settings.chip not in kinds:
        name = NAMES[settings.chip]
        return Finding(
            headline=f"{wording.sentence_case(release.words)} states too little about the {name}",
            subtitle="The limit needs the bandwidth, memory and links of a chip. The chart shows the other chips.",
            figures=(),
            exhibits=(chips,),
            settings_line=source,
            notes=("Choose another chip, or a newer release.",),
            sources=SOURCES,
        )
    answer = FloorAnswer(settings=settings, release=release, placed=kinds[settings.chip])
    if answer.stages > 1 and not settings.pipeline_parallel:
        source += f" {answer.stages} stages of {wording.counted(answer.tensor, 'chip')}."
    exhibits = (
        by_chips_exhibit(kinds, answer, source=source),
        published_exhibit(release, source=f"Published speeds, {release.words}."),
        parts_exhibit(answer, source=source),
        levers_exhibit(answer, source=source),
        chips,
    )
    return Finding(
        headline=_headline(answer),
        subtitle=subtitle(answer),
        figures=tuple(figures(answer)),
        exhibits=tuple(exhibit for exhibit in exhibits if exhibit is not None),
        settings_line=source,
        notes=tuple(caveats(answer)),
        sure=tuple(sure(answer)),
        changes=tuple(changes(answer)),
        sources=SOURCES,
    )


def _kinds(settings: LatencyFloorSettings, release: Release) -> dict[str, Placed]:
    """Return the model on each kind of chip in the release, except superseded wafers that are not chosen."""
    kinds = {word: kind for word in CHIPS if (kind := placed(settings, release, chip=word)) is not None}
    wafers = {word: kind.chip.released_year for word, kind in kinds.items() if kind.chip.mesh is not None}
    newest = max(wafers.values(), default=0.0)
    return {
        word: kind
        for word, kind in kinds.items()
        if word == settings.chip or wafers.get(word, newest) == newest
    }


_figure = partial(stated_figure, written.toml(__file__, name="figures.toml"))


def _tokens_per_s(speed: float) -> str:
    return f"{wording.significant(speed)} tokens/s"


def figures(answer: FloorAnswer) -> Iterator[Figure]:
    """Yield the figures of the finding."""
    total, placed, today = answer.total_s, answer.placed, answer.today_tokens_per_s
    share, part = wording.percent(answer.largest_share), PARTS[answer.largest]["brief"]
    best = f"today: {wording.significant(today)} tokens/s" if today > 0 else "at best"
    yield _figure("output_tokens_per_s", value=1 / total, text=_tokens_per_s(1 / total), interval_text=best)
    text = milliseconds(total)
    yield _figure("time_per_output_token_s", value=total, text=text, interval_text=f"{share} {part}")
    size, fewest = wording.quantity(placed.resident_byte, "byte"), placed.fewest
    yield _figure("chips_needed", value=float(fewest), text=f"{fewest:,}", interval_text=f"{size} in all")
    yield from _enough(answer)
    if today > 0:
        yield _figure("today_tokens_per_s", value=today, text=_tokens_per_s(today))
    requests, exchange = answer.groups * placed.request.batch, float(answer.floor.exchange_s) / total
    rate, many = requests / total, f"{wording.counted(requests, 'concurrent request')}"
    yield _figure("throughput_tokens_per_s", value=rate, text=_tokens_per_s(rate), interval_text=many)
    yield _figure("requests_under_way", value=float(requests), text=f"{requests:,}")
    yield _figure("communication_share", value=exchange, text=wording.percent(exchange))
    yield _figure("pipeline_parallel", value=float(answer.stages), text=f"{answer.stages:,}")


def _enough(answer: FloorAnswer) -> Iterator[Figure]:
    """Yield figures of the best number of chips per layer and its speed, or nothing if the model never fits."""
    best = answer.best
    if best is None:
        return
    speed = 1 / answer.best_s
    text, ends, many = wording.counted(best, "chip"), "at best", "enough chips"
    method = f"within {wording.percent(ENOUGH)} of the least time, searched from 1 to {MOST_CHIPS:,}"
    if best == MOST_CHIPS:
        text, ends, many = f"over {best:,} chips", f"at {best:,}", f"{best:,} per layer"
        method = f"the most tried; more still help, so {best:,} do not suffice"
    ends = f"{_tokens_per_s(speed)} {ends}"
    yield _figure("fastest_chips_per_layer", value=float(best), text=text, interval_text=ends, method=method)
    label = f"Tokens a second with {many}"
    yield _figure("fastest_tokens_per_s", label=label, value=speed, text=_tokens_per_s(speed))


def _headline(answer: FloorAnswer) -> str:
    """Return a headline of at most twelve words on the maximum speed, or that the model does not fit."""
    chip, chips, fewest = answer.settings.chip, answer.chips, answer.placed.fewest
    model = model_names()[answer.settings.model]
    name = _brief(chip, several=max(chips, fewest) > 1, beside=model)
    if not answer.fits:
        if fewest > chips:
            return f"{model} needs at least {fewest:,} {name}, not {chips:,}"
        return f"{model} does not fit on {chips:,} {name} in {wording.counted(answer.stages, 'stage')}"
    speed = wording.significant(1 / answer.total_s)
    start = f"{model} on {'one' if chips == 1 else f'{chips:,}'} {name} reaches at most {speed}"
    return wording.fitting(f"{start} tokens a second", f"{start} tokens/s")


def _brief(chip: str, *, several: bool, beside: str) -> str:
    """Return a chip's short name for a headline, plus "chips" for several chips if a model's name leaves room."""
    name = (NAMES[chip] if len(NAMES[chip].split()) < 3 else SHORT_NAMES[chip]).removesuffix(" SXM")
    if not several or name.endswith("server"):
        return f"{name}s" if several else name
    return f"{name} chips" if len(f"{beside} {name}".split()) < 5 else name


def _words(settings: LatencyFloorSettings) -> str:
    words = (
        f"{settings.format.upper()} weights, {settings.cache_format.upper()} KV cache, {settings.context:,} tokens "
        f"of context, {wording.counted(settings.batch, 'concurrent request')}."
    )
    if settings.active_share < 1:
        words += f" {wording.percent(settings.active_share)} of the active parameters."
    if settings.speculative_tokens:
        drafts = wording.counted(settings.speculative_tokens, "draft token")
        words += f" {drafts}, {wording.percent(settings.acceptance)} accepted."
    return words


VIEW = View(settings=LatencyFloorSettings, build=build, **written.page(__file__, path="/latency-floor"))
