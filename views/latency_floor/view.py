"""What is the fastest possible answer?"""

from analysis.latency_floor.enough_chips import Placed
from analysis.latency_floor.floor import Floor
from data.releases import Release
from views import wording, written
from views.chips.linked import CHIPS, NAMES, SHORT_NAMES
from views.latency_floor.by_chips import by_chips_exhibit
from views.latency_floor.chips import chips_exhibit
from views.latency_floor.figures import figures
from views.latency_floor.levers import levers_exhibit
from views.latency_floor.notes import caveats, changes, fits, subtitle, sure
from views.latency_floor.parts import parts_exhibit
from views.latency_floor.published import published_exhibit
from views.latency_floor.roofline import roofline_exhibit
from views.latency_floor.settings import LatencyFloorSettings, placed, stages_of
from views.models import names as model_names
from views.result import Exhibit
from views.sources import ARCHITECTURES, CURATION, EPOCH_AI, LINK_SOURCE
from views.view import Finding, View

SOURCES = (EPOCH_AI, CURATION, ARCHITECTURES, LINK_SOURCE)
MOST_WORDS = 12
"""So many words has a headline at most."""
MOST_NOTES = 3
"""So many notes stand beside the chart at most."""


def build(settings: LatencyFloorSettings, release: Release) -> Finding:
    """Return the least time per token, what it is made of, and where more chips stop helping."""
    source = f"{_words(settings)} Release {release.name}."
    kinds = _kinds(settings, release)
    chips = chips_exhibit(kinds, chosen=settings.chip, source=source)
    if settings.chip not in kinds:
        name = NAMES[settings.chip]
        return Finding(
            headline=f"Release {release.name} has too few numbers for the {name}",
            subtitle="A floor needs the bandwidth, memory and links of a chip; the others are shown.",
            figures=(),
            exhibits=(chips,),
            settings_line=source,
            notes=("Choose another chip, or a newer release.",),
            sources=SOURCES,
        )
    chosen, tensor = kinds[settings.chip], settings.tensor_parallel
    stages = stages_of(settings, chosen)
    floor = chosen.floor(tensor=tensor, stages=stages)
    best = chosen.best
    exhibits: list[Exhibit] = [
        by_chips_exhibit(kinds, chosen=settings.chip, tensor=tensor, source=source),
        parts_exhibit(floor, chip=chosen.name, source=source),
        levers_exhibit(chosen, tensor=tensor, stages=stages, source=source),
        chips,
        roofline_exhibit(chosen, context=settings.context, source=source),
    ]
    published = published_exhibit(release, source=f"Published speeds, release {release.name}.")
    if published is not None:
        exhibits.insert(1, published)
    told = caveats(settings, chosen, floor=floor, stages=stages)
    return Finding(
        headline=_headline(settings, chosen, floor=floor, stages=stages),
        subtitle=subtitle(settings, chosen, floor=floor, stages=stages, release=release),
        figures=figures(chosen, floor, tensor=tensor, stages=stages, best=best),
        exhibits=tuple(exhibits),
        settings_line=source,
        notes=told[:MOST_NOTES],
        sure=(*sure(settings, chosen, release=release), *told[MOST_NOTES:]),
        changes=changes(settings, chosen, floor=floor, stages=stages, best=best),
        sources=SOURCES,
    )


def _kinds(settings: LatencyFloorSettings, release: Release) -> dict[str, Placed]:
    """Return the model on every kind of chip the release knows; of wafers on the newest and the chosen one."""
    kinds = {word: kind for word in CHIPS if (kind := placed(settings, release, chip=word)) is not None}
    wafers = {word: kind.chip.released_year for word, kind in kinds.items() if kind.chip.mesh is not None}
    newest = max(wafers.values(), default=0.0)
    return {
        word: kind
        for word, kind in kinds.items()
        if word == settings.chip or wafers.get(word, newest) == newest
    }


def _headline(settings: LatencyFloorSettings, placed: Placed, *, floor: Floor, stages: int) -> str:
    """Return the finding in twelve words: the speed at most, or how many chips the model needs."""
    model, chips = model_names()[settings.model], settings.tensor_parallel * stages
    name = _brief(settings.chip, several=chips != 1)
    if not fits(placed, floor):
        if placed.fewest > chips:
            name = _brief(settings.chip, several=placed.fewest != 1)
            return f"{model} needs at least {placed.fewest:,} {name}, not {chips:,}"
        return f"{model} does not fit on {chips:,} {name} in {wording.counted(stages, 'stage')}"
    speed = wording.significant(1 / float(floor.total_s))
    start = f"{model} on {'one' if chips == 1 else f'{chips:,}'} {name}: at most {speed}"
    whole = f"{start} tokens a second"
    return whole if len(whole.split()) <= MOST_WORDS else f"{start} tokens/s"


def _brief(chip: str, *, several: bool) -> str:
    """Return a chip's name as a headline has room for: H100, Groq LPU, DDR5 servers."""
    name = NAMES[chip] if len(NAMES[chip].split()) < 3 else SHORT_NAMES[chip]
    return f"{name}s" if several and name.endswith("server") else name.removesuffix(" SXM")


def _words(settings: LatencyFloorSettings) -> str:
    drafts = settings.speculative_tokens
    draft = (
        f" {wording.counted(drafts, 'draft token')}, {wording.percent(settings.acceptance)} accepted."
        if drafts
        else ""
    )
    share = (
        f" {wording.percent(settings.active_share)} of the active parameters."
        if settings.active_share < 1
        else ""
    )
    return (
        f"{settings.format.upper()} weights, {settings.cache_format.upper()} KV cache, "
        f"{settings.context:,} tokens of context, {wording.counted(settings.batch, 'request')} at once.{share}{draft}"
    )


VIEW = View(
    path="/latency-floor",
    title="Response speed",
    question="What is the fastest possible answer?",
    settings=LatencyFloorSettings,
    build=build,
    leads_to=("/model-errors",),
    method=written.method(__file__),
)
