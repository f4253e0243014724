"""/cost-of-tokens: what is measured carries the headline, exhibits agree with figures, errors say what to change."""

import re
from functools import partial

import numpy as np
import pytest

from analysis.intervals import Estimate, chance_below
from analysis.serving.tables import measured_points
from charts.chart import BarChart, Line, Span, XYChart
from data.records import serving_fit
from data.releases import latest
from tests.views.reading import answer_to, columns, rows, value
from views import written
from views.chips import rents
from views.cost_of_tokens.answer import between, usd
from views.cost_of_tokens.inputs import FEWEST_PROVIDERS, engines_of, inputs_of, work_of
from views.cost_of_tokens.settings import CostOfTokensSettings
from views.cost_of_tokens.view import VIEW
from views.result import Exhibit, Result
from views.view import pinned

TABLES = written.toml(__file__, name="impossible.toml")

ask = partial(answer_to, VIEW, holds=True)


def series(result: Result) -> list[str]:
    chart = result.exhibits[0].chart
    assert isinstance(chart, XYChart)
    return [mark.series for mark in chart.marks if not isinstance(mark, Span)]


def titled(result: Result, words: str) -> Exhibit:
    return next(exhibit for exhibit in result.exhibits if words in exhibit.chart.title)


@pytest.mark.parametrize("model", ["deepseek-v3", "llama-3.1-70b"])
def test_what_was_not_measured_or_is_rented_by_few_never_wins_silently(model):
    result = ask(f"model={model}&format=fp8" if model == "llama-3.1-70b" else f"model={model}")
    for row in rows(titled(result, "At 30 tokens/s, a million output tokens cost ")):
        sound = row["measured_points"] > 0 and row["providers"] >= FEWEST_PROVIDERS
        if f"on the {row['accelerator']}" in result.headline:
            assert sound
            return
        assert not sound and row["accelerator"] in result.subtitle
    pytest.fail("the headline names none of the accelerators")


def test_a_model_that_nobody_measured_says_so():
    result = ask("model=glm-4.5")
    assert result.subtitle.endswith("is the cheapest. No measurement of this model supports this price.")
    alone = ask("model=llama-3.1-405b")
    assert any("At full load" in line and "$5.53" in line for line in alone.sure)
    assert alone.subtitle.endswith(
        " The H200 is the only accelerator with enough providers and measurements."
    )


@pytest.mark.parametrize("speed", [30, 100])
def test_the_order_of_the_two_cheapest_is_a_chance_that_their_intervals_give(speed):
    result = ask(f"speed={speed}")
    rows_here = rows(titled(result, f"At {speed} tokens/s, a million output tokens cost "))
    one, other = [
        row for row in rows_here if row["measured_points"] > 0 and row["providers"] >= FEWEST_PROVIDERS
    ][:2]
    both = [
        Estimate(value=row["usd_per_million"], low=row["low_usd"], high=row["high_usd"])
        for row in (one, other)
    ]
    chance = f"{100 * chance_below(*both, level=0.9):.0f}% likely to undercut the {other['accelerator']}"
    assert f"The {one['accelerator']} is {chance}, the next with enough" in result.subtitle


def colours(query: str) -> dict[str, str]:
    chart = ask(query).exhibits[0].chart
    assert isinstance(chart, XYChart)
    return {mark.end_label[0]: mark.role for mark in chart.marks if isinstance(mark, Line) and mark.end_label}


def test_an_accelerator_has_one_colour_at_every_speed_in_every_year_and_with_every_model():
    slow, *others = (colours(query) for query in ("speed=60", "speed=80", "year=2028", "model=gpt-oss-120b"))
    assert list(slow) != list(others[0]), "the ranks differ"
    for other in others:
        assert all(slow.get(name, role) == role for name, role in other.items())
    assert (slow["GB300"], slow["B200"], slow["H200"]) == ("memory", "edge", "links")


def test_the_bar_of_an_accelerator_says_its_tokens_per_joule_as_the_figure_does():
    chart = titled(ask(), "At 30 tokens/s, a million output tokens cost ").chart
    assert isinstance(chart, BarChart)
    (best,) = (bar for bar in chart.bars if bar.emphasised)
    assert f"{ask().figure('tokens_per_j').text} tokens per joule" in best.detail


def test_models_of_one_shape_cost_the_same():
    costs = {value(ask(f"model=llama-{version}-70b"), "usd_per_million") for version in ("3", "3.1", "3.3")}
    assert len(costs) == 1


def test_reserved_rents_lower_the_price_by_what_lists_say():
    result = ask("contract=reserved")
    share = np.median(rents.contract_shares(latest()) or np.nan)
    reserved = value(ask(), "usd_per_million") * share if np.isfinite(share) else None
    assert [one.value for one in result.figures[:1]] == ([pytest.approx(reserved)] if reserved else [])
    assert "eserved rents" in (" ".join(result.sure) if reserved else result.headline)


def test_a_cached_prompt_and_a_slower_answer_cost_less_a_longer_prompt_more_and_prompts_share_the_price():
    base = value(ask("accelerator=h200"), "usd_per_million")
    assert value(ask("accelerator=h200&speed=15"), "usd_per_million") < base
    assert value(ask("accelerator=h200&prompt=8192"), "usd_per_million") > base
    long = "accelerator=h200&prompt=8192&wait=60"
    assert value(ask(f"{long}&cached=90"), "usd_per_million") < value(ask(long), "usd_per_million")
    result = ask("prompt=3072")
    assert value(result, "usd_per_million_blended") == pytest.approx(value(result, "usd_per_million") / 4)


def test_scenarios_order_the_years_and_today_is_the_headline():
    result = ask("accelerator=b200")
    cells = rows(titled(result, "or a successor"))
    names = ("Falling with each generation", "Steady", "Rising for one more year")
    falls, steady, last = (
        [row["usd_per_million"] for row in cells if row["rents"] == name] for name in names
    )
    figure, first = result.figure("usd_per_million"), cells[0]
    assert steady[0] == pytest.approx(figure.value)
    ends = [first["low_usd"], first["high_usd"]]
    assert [figure.low, figure.high] == pytest.approx(ends), "one interval in figure and table"
    assert (np.diff(steady) <= 1e-9).all()
    assert falls[-1] < steady[-1] < last[-1]
    assert steady[-1] == pytest.approx(value(result, "usd_per_million_2032"))


def test_a_price_in_reach_has_a_year_more_certainty_takes_longer_and_so_does_what_cannot_be_had_today():
    years = [ask(f"accelerator=b200&certainty={share}").figure("first_year").value for share in (50, 80, 90)]
    numbers = [2033 if year is None else year for year in years]
    assert numbers == sorted(numbers)
    assert ask("price=1000").figure("first_year").value == 2026
    assert ask("price=0.001").figure("first_year").text == "after 2032"
    query = "accelerator=trainium1&speed=40&year=2032&wait=93&certainty=90&rents=as-last-year"
    figure = ask(query).figure("first_year")
    assert figure.label == "First year at any price" and 2026 < float(figure.value or 0) < 2032


def test_the_year_of_the_frontier_follows_the_same_trends_as_the_years():
    later = ask("accelerator=b200&year=2029")
    assert later.headline.endswith("successors in 2029") or "2029" in later.headline
    exhibit = titled(later, "or a successor")
    steady = columns(exhibit)["usd_per_million"][7:14]
    assert steady[3] == pytest.approx(value(later, "usd_per_million"))


def test_levers_start_from_the_headline_and_idle_hours_scale():
    result = ask()
    exhibit = titled(result, "The price rises most with “one request at a time”")
    levers = dict(zip(columns(exhibit)["change"], columns(exhibit)["usd_per_million"], strict=True))
    assert levers["As chosen"] == pytest.approx(value(result, "usd_per_million"))
    assert levers["20% of rented hours in use"] == pytest.approx(3 * levers["As chosen"])
    assert levers["90% of rented hours in use"] == pytest.approx(levers["As chosen"] * 60 / 90)
    assert levers["One request at a time"] > 10 * levers["As chosen"]
    assert "8-bit weights" not in levers, "what changes nothing is not shown"
    half = usd(value(result, "usd_per_million") / 2)
    assert result.figure("first_year").label == f"First year at {half} or less"


def test_measured_points_lie_on_the_chart_and_the_error_is_told():
    assert "GB300, measured" in series(ask()) and "Measurements on the GB300 give $" in ask().subtitle
    error = next(line for line in ask().sure if "predicted DeepSeek-V3 prices have a median error" in line)
    percent, points = (int(number) for number in re.findall(r"(\d+)(?:%| measured)", error))
    assert percent < 25 and points > 300
    assert "on 5 accelerators and in 2 number formats." in error
    assert not any(name.endswith(", measured") for name in series(ask("drafts=2")))


def test_one_provider_has_one_price():
    result = ask("accelerator=mi350x&model=mixtral-8x22b&speed=5")
    titled(result, "One provider rents out the MI350X, for $4.40 an hour")
    assert any("1 provider rents out the MI350X, at $4.40 an hour" in text for text in result.sure)


def test_rents_start_from_the_median_and_move_for_three_years_as_their_scenario_says():
    chart = titled(ask("accelerator=h200"), "an hour for the H200; the median is").chart
    assert isinstance(chart, XYChart)
    lines = {mark.series: mark for mark in chart.marks if isinstance(mark, Line) and mark.end_label}
    last, steady = lines["Rents: rising for one more year"], lines["Rents: steady"]
    assert last.x[-1] - last.x[0] == pytest.approx(3)
    assert steady.y == pytest.approx([steady.y[0]] * len(steady.y))
    assert chart.title.endswith(f"; the median is {usd(steady.y[0])}")
    assert f"rose at a rate of {last.y[-1] / last.y[0]:.2f}× a year" in chart.subtitle
    assert "of the A100 80 GB, B200, H100 PCIe, H100 SXM and H200, and" in chart.subtitle
    assert "the yearly rate is extrapolated from 4 months." in chart.subtitle
    assert last.y[2] == pytest.approx(last.y[-1]), "the rise ends after a year"


@pytest.mark.parametrize(("query", "headline", "advice"), TABLES["impossible"])
def test_what_nothing_does_is_said_with_what_would_help(*, query, headline, advice):
    result = ask(query)
    assert result.headline == headline
    assert advice in result.subtitle
    assert result.figures == ()


def test_lengths_beyond_what_was_measured_are_told():
    beyond = "Answers were measured from 100 to 32,768 tokens; this price is extrapolated beyond that."
    assert beyond in ask("answer=2").notes
    assert not any("extrapolated" in note for note in ask("prompt=8000&answer=100").notes)


def inputs(**choices: object):
    settings = pinned(CostOfTokensSettings(**choices))  # type: ignore[arg-type]
    assert isinstance(settings, CostOfTokensSettings)
    return settings, inputs_of(settings, latest())


def test_a_part_without_known_links_is_shared_by_no_more_than_one_instance_has():
    places = inputs()[1].places
    assert places["NVIDIA GH200"].rented.chip.domain_size == 1
    assert places["NVIDIA GB300 (Blackwell Ultra)"].rented.chip.domain_size == 72


def test_software_is_what_the_model_was_measured_with():
    settings, made = inputs()
    nvidia, amd = (made.places[name].rented.chip for name in ("NVIDIA B200", "AMD Instinct MI300X"))
    assert set(engines_of(settings, nvidia)) == {"sglang", "trtllm", "vllm"}
    assert set(engines_of(settings, amd)) == {"sglang", "vllm"}
    assert engines_of(inputs(model="qwen3-4b")[0], nvidia) == ("vllm",)


@pytest.mark.parametrize(("choices", "vendor", "expected"), TABLES["formats"])
def test_formats_are_those_of_model_and_vendor(choices, *, vendor, expected):
    assert work_of(inputs(**choices)[0], vendor=vendor).format_name == expected


def test_a_share_of_the_prompt_is_cached_and_one_token_at_least_is_read():
    assert work_of(inputs(prompt=1, cached=99)[0], vendor="NVIDIA").cached_tokens == 0
    assert work_of(inputs(prompt=1000, cached=25)[0], vendor="NVIDIA").cached_tokens == 250


def test_prices_have_two_or_three_digits_and_ranges_may_be_open():
    prices = {0.1234: "$0.12", 1.156: "$1.16", 25.4: "$25", 1300.0: "$1,300", 2.5e6: "$2.50 million"}
    assert {value: usd(value) for value in prices} == prices
    assert usd(float("inf")) == "not possible"
    assert between(0.72, 2.25) == "$0.72–$2.25"
    assert between(5.0, float("inf")) == "$5.00 or more"
    assert between(float("inf"), float("inf")) == "possibly at no price"


def test_servers_as_installed_cost_more_at_a_speed_and_their_own_points_are_drawn():
    tuned, installed = ask(), ask("tuning=installed")
    assert value(installed, "usd_per_million") > 1.1 * value(tuned, "usd_per_million")
    assert "Server set-up: As installed" in installed.settings_line
    exhibit = next(each for each in tuned.exhibits if "change" in columns(each))
    levers = dict(zip(columns(exhibit)["change"], columns(exhibit)["usd_per_million"], strict=True))
    assert levers["Servers as installed, not tuned"] > 1.1 * levers["As chosen"]
    step, first = (serving_fit()["factors"][name] for name in ("installed", "installed_first"))
    method = " ".join(VIEW.method)
    assert f"{step:.1f} times as long" in method and f"{first:.1f} times as long" in method
    assert f"{measured_points().deployments.tuning.count('installed')} measurements" in method
