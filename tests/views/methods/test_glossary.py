import re

from views.methods import glossary
from views.methods import text as methods
from views.registry import VIEWS

TERMS = """
training compute, peak throughput, precision, sparse, memory bandwidth, capacity, link bandwidth,
machine balance, ridge point, arithmetic intensity, yearly growth, slope, doubling time, confidence
interval, prediction interval, level, origin, horizon, coverage, backtest, parameters, active, kv
cache, prefill, decode, time to first token, time per output token, output tokens per second,
utilization, mfu, mbu, tensor, pipeline, data, expert, source, locator, estimate, confidence grade,
decimal year, adapters, qlora, break-even, edge, cloud, place, limits, bootstrap, least squares,
matrix unit, order of magnitude, thermal design power, token, pue, sustained speed, bubble,
interleaving, micro-batch, ramp, critical batch, recomputation, all-reduce, ring, tree, all-to-all,
jitter, scale-up domain, grouped-query attention, latent attention, flashattention
"""


def entries():
    return re.sub(r"\n  ", " ", glossary.TEXT).strip().split("\n")


def test_every_term_of_the_names_we_use_is_explained():
    bold = ", ".join(re.findall(r"\*\*(.+?)\*\*", " ".join(entries())))
    terms = [" ".join(term.split()) for term in TERMS.split(",")]
    assert len(terms) > 60
    missing = [term for term in terms if not re.search(rf"\b{re.escape(term)}\b", bold, flags=re.IGNORECASE)]
    assert not missing


def test_every_entry_is_one_line_that_starts_with_its_term_and_they_are_in_order():
    starts = []
    for entry in entries():
        found = re.match(r"- \*\*(.+?)\*\*(,| [a-z]+ \*\*|: )", entry)
        assert found, entry
        starts.append(found.group(1).casefold())
    assert starts == sorted(starts)
    assert len(starts) == len(set(starts))


def test_every_link_of_the_glossary_is_a_view():
    assert set(re.findall(r"\]\((/[^)]*)\)", glossary.TEXT)) <= set(VIEWS)


def test_the_glossary_stands_on_the_methods_page():
    assert glossary.TEXT in [section.text for section in methods.NUMBERS]
