"""The gap in figures, and what weakens it in words."""

import pytest

from tests.views.growth_gap.answers import LEVELS, PLAIN, ask, found_levels
from views.growth_gap.figures import caveats, figures


@pytest.mark.parametrize("compare", ["all", *LEVELS])
def test_every_comparison_has_the_figures_of_the_gap_each_named_once(compare):
    result = ask(compare=compare)
    found = [figure.name for figure in result.figures]
    assert len(set(found)) == len(found)
    assert set(PLAIN) <= set(found)
    prefixes = [level.replace("-", "_") for level in LEVELS]
    assert {f"{prefix}_{name}" for prefix in prefixes for name in PLAIN} <= set(found)
    level = "run-chip" if compare == "all" else compare
    for name in PLAIN:
        assert result.figure(name).value == result.figure(f"{level.replace('-', '_')}_{name}").value
    assert sum(figure.key for figure in result.figures) == 3


def test_years_of_one_interval_have_one_unit():
    result = ask()
    assert (result.figure("years_to_10x").text, result.figure("years_to_10x").interval_text) == (
        "1.8 years",
        "90 %: 1.6–2.1 years",
    )
    assert result.figure("chip_chip_years_to_10x").interval_text.endswith(" years or never")
    shrinking = ask(compare="chip-chip", chips="flagships", since=2022, level="50")
    assert shrinking.headline == "Chip against chip, the gap narrows 10 % a year"
    figure = shrinking.figure("years_to_10x")
    assert (figure.text, figure.interval_text) == ("never", "50 %: no growth")


def test_a_gap_that_narrows_never_multiplies_and_its_figures_are_told_apart_by_their_prefix():
    level = found_levels(chips="flagships", since=2022, level="50")["chip-chip"]
    named = {figure.name: figure for figure in figures(level, prefix="x_", key=False)}
    assert set(named) == {f"x_{name}" for name in PLAIN}
    assert not any(figure.key for figure in named.values())
    assert named["x_years_to_100x"].value == float("inf")
    how = named["x_gap_growth"].method
    assert how.startswith("bootstrap that resamples whole organizations (")
    assert how.endswith(", of the ratio of each row")
    assert named["x_gap_total"].label == "Gap, 2022 to 2026"


def test_a_projection_beyond_its_reach_is_told_of_each_line_once():
    levels = [*found_levels(since=2020).values()]
    near, far = caveats(levels, to=2027), caveats(levels, to=2040)
    assert len(far) == len(set(far)) > len(near)
    assert any("the line fades" in sentence for sentence in far)
    assert all(any(sentence.startswith(level.title) for level in levels) for sentence in far)


def test_what_weakens_both_sides_is_told_of_the_comparison_and_what_weakens_one_of_that_side():
    levels = [*found_levels(since=2016).values()]
    sentences = caveats(levels, to=2040)
    assert any(
        sentence.startswith("Run against chip, compute per run: the fit spans") for sentence in sentences
    )
    assert any(sentence.startswith("Run against its chips: the fit spans") for sentence in sentences)
    assert not any(
        sentence.startswith("Run against its chips, FLOP/s of the run: the fit spans")
        for sentence in sentences
    )
