import re

import pytest

from views.methods import text as methods
from views.registry import VIEWS
from views.setting_kinds import Choice
from views.settings import definitions


@pytest.mark.parametrize("view", VIEWS.values(), ids=lambda view: view.name)
def test_methods_explain_every_setting_its_default_and_every_option(view):
    section = next(item for item in methods.settings_sections() if item.heading.endswith(f": {view.path}"))
    for name, setting in definitions(view.settings).items():
        row = next(line for line in section.text.splitlines() if line.startswith(f"| `{name}` |"))
        assert setting.help in row
        assert row.count("|") == 5, "a bar inside a cell would break the table"
        if isinstance(setting, Choice):
            for word in setting.options:
                assert f"`{word}` **{setting.label_of(word)}** {setting.more_of(word)}".rstrip() in row
        assert f"| {setting.label} |" in row
    for paragraph in view.method:
        assert paragraph in section.text


def test_formulas_are_closed_and_headings_differ():
    for section in methods.NUMBERS:
        assert section.text.count("$") % 2 == 0
        assert re.search(r"\S", section.text)
    assert len({section.heading for section in methods.NUMBERS}) == len(methods.NUMBERS)


def test_every_section_is_in_the_contents_under_an_address_of_its_own():
    sections = (*methods.NUMBERS, methods.SETTINGS, *methods.settings_sections())
    anchors = [section.anchor for section in sections]
    assert len(set(anchors)) == len(anchors)
    assert all(re.fullmatch(r"[a-z][a-z-]*", anchor) for anchor in anchors)
    assert set(re.findall(r"\]\(#([^)]*)\)", methods.contents())) == set(anchors)
    assert "glossary" in anchors


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
    return re.sub(r"\n  ", " ", methods.GLOSSARY).strip().split("\n")


def test_every_term_of_the_names_we_use_is_explained():
    bold = ", ".join(re.findall(r"\*\*(.+?)\*\*", " ".join(entries())))
    terms = [" ".join(term.split()) for term in TERMS.split(",")]
    assert len(terms) > 60
    missing = [term for term in terms if not re.search(rf"\b{re.escape(term)}\b", bold, flags=re.IGNORECASE)]
    assert not missing


def test_every_entry_is_one_line_that_starts_with_its_term_and_they_are_in_order():
    starts = []
    for entry in entries():
        match = re.match(r"- \*\*(.+?)\*\*(,| [a-z]+ \*\*|: )", entry)
        assert match, entry
        starts.append(match.group(1).casefold())
    assert starts == sorted(starts)
    assert len(starts) == len(set(starts))


def test_every_link_of_the_glossary_is_a_view():
    assert set(re.findall(r"\]\((/[^)]*)\)", methods.GLOSSARY)) <= set(VIEWS)
