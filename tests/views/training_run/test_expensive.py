"""Expensive links wait apart: whatever tries very many plans is expensive, what readers mostly choose is not."""

import random
import tracemalloc
from math import prod
from urllib.parse import urlencode

import pytest

from analysis.training_run import plan_search
from data.releases import latest, load
from scripts.same_results import random_links, random_text
from tests.length import at_length
from views.registry import VIEWS
from views.settings import definitions
from views.training_run.defaults import architectures
from views.training_run.settings import TrainingRunSettings
from views.training_run.view import VIEW, build, expensive
from views.view import LATEST, answer, pinned, read

MOST_PLANS = 100_000
"""Fewer plans than this are computed in a quarter of a second, on one slow core."""
DEAREST = (
    "model=qwen3-30b-a3b&accelerator=gb300&accelerators=786432&batch=805.306368&sequence=65536&memory=100000",
    "model=custom&layers=960&heads=2048&experts=64&accelerators=4096&batch=805.306368&sequence=65536&memory=100000",
    "accelerators=983040&batch=402.653184&memory=10000",
    "accelerators=983040&available=70000",
    "sequence=131072",
    "model=deepseek-v3&sequence=16384",
)
MOST_BYTE = 200e6
"""What one answer with all that a link can show may take. [byte]"""


def awkward_links(count):
    """Return links whose numbers have many divisors, so that many plans split them."""
    draw = random.Random(VIEW.name)
    known = definitions(VIEW.settings)
    for _ in range(count):
        sequence = draw.choice([4096, 8192, 16384, 32768, 65536])
        sequences = draw.choice([768, 1536, 6144, 12288])
        choices = {
            "model": random_text(known["model"], draw),
            "accelerators": min(2 ** draw.randint(6, 19) * draw.choice([1, 3, 5, 9, 15]), 1_000_000),
            "sequence": sequence,
            "batch": round(sequence * sequences / 1e6, 6),
            "memory": draw.choice(["", 192, 1000, 100_000]),
            "domain": draw.choice(["", 72, 100_000]),
        }
        yield f"{VIEW.path}?{urlencode(choices)}"


def settings_of(query):
    """Return the settings of a query, without what of it conflicts."""
    settings, _ = read(VIEW, query)
    assert isinstance(settings, TrainingRunSettings)
    return settings


def tried(settings, monkeypatch):
    """Return how many plans were computed for all that is said of the settings."""
    counts, really = [], plan_search._try

    def counted(*arguments, block, **more):
        counts.append(sum(prod(part.plans().shape) for _, part in block))
        return really(*arguments, block=block, **more)

    monkeypatch.setattr(plan_search, "_try", counted)
    finding = build(settings, load(latest() if settings.release == LATEST else settings.release))
    assert [*finding.changes, *finding.cards] and list(finding.exhibits)
    monkeypatch.setattr(plan_search, "_try", really)
    return sum(counts)


def test_what_is_not_called_dear_tries_few_plans(monkeypatch):
    links = [*random_links(VIEW, at_length(10, few=3)), *awkward_links(at_length(30, few=8))]
    every = [settings_of(link.partition("?")[2]) for link in links]
    cheap = [settings for settings in every if not VIEW.expensive(settings)]
    assert len(every) / 3 < len(cheap) < len(every)
    most = max(tried(settings, monkeypatch) for settings in cheap)
    assert 10_000 < most < MOST_PLANS


@pytest.mark.parametrize("query", DEAREST)
def test_the_dearest_links_are_called_expensive(query):
    assert not read(VIEW, query)[1]
    assert expensive(settings_of(query))


def test_the_defaults_of_every_view_and_every_model_at_them_are_not_expensive():
    assert [view.path for view in VIEWS.values() if view.expensive(pinned(view.settings()))] == []
    links = [f"model={model}" for model in architectures()]
    assert not any(expensive(settings_of(link)) for link in [*links, "accelerators=983040&available=16384"])


TWO_REPLICAS = (
    "model=qwen3-30b-a3b&accelerator=gb300&accelerators=786432&tokens=1000000&batch=805.306368&sequence=65536"
    "&ramp_tokens=1000000&memory=100000&link=100000&domain=100000&available=1000000&sites=1000"
)
"""The link that took 1.7 GB and both replicas with it."""
MOST_FITTING = (
    "model=custom&layers=960&heads=2048&experts=4096&accelerators=786432&batch=805.306368&sequence=65536"
    "&memory=100000&domain=100000"
)
"""More plans fit than of any other link we found."""


@pytest.mark.parametrize("query", at_length([TWO_REPLICAS, MOST_FITTING], few=[TWO_REPLICAS]))
def test_the_dearest_links_take_bounded_memory(query):
    settings = settings_of(query)
    tracemalloc.start()
    try:
        result = answer(VIEW, settings)
        assert [
            list(part) for part in (result.exhibits, result.notes, result.cards, result.sure, result.changes)
        ]
        assert tracemalloc.get_traced_memory()[1] < MOST_BYTE
    finally:
        tracemalloc.stop()
