"""Where the time of a token goes: its parts add up, and the largest is named."""

from dataclasses import replace

import pytest

from charts.chart import BarChart, Line, XYChart
from data import standing
from data.releases import latest, load, names
from tests.views.latency_floor.answers import ask, columns, floor_answer, placed, value
from tests.views.reading import rows
from views.latency_floor import published as latency_published
from views.latency_floor.answer import PARTS
from views.latency_floor.exhibits import by_chips_exhibit, chips_exhibit, levers_exhibit
from views.latency_floor.published import kind_of, published_exhibit, reach, reach_by_kind, speeds

ROWS = standing.table("published_speeds")
RELEASE = load(latest())


@pytest.mark.parametrize(
    "query", ["", "chip=wse-3", "batch=512", "speculative_tokens=4", "pipeline_parallel=4"]
)
def test_the_parts_add_up_to_the_time_of_a_token(query):
    cells = columns(ask(query).exhibits[2])
    assert sum(cells["time_s"]) == pytest.approx(value(ask(query), "time_per_output_token_s"))
    assert sum(cells["share"]) == pytest.approx(1)
    assert len(cells["part"]) == len(PARTS)


@pytest.mark.parametrize(
    ("settings", "part"),
    [
        ({}, "weights_s"),
        ({"context": 131_072, "batch": 64}, "cache_s"),
        ({"chip": "wse-3"}, "latency_s"),
        ({"context": 1, "batch": 4096}, "compute_s"),
    ],
)
def test_what_binds_is_reading_few_requests_computing_many_and_agreeing_among_wafers(settings, part):
    assert floor_answer(pipeline_parallel=1, **settings).largest == part


def outcomes(query=""):
    """Return speed, throughput, chips and memory by lever."""
    return {row.pop("change"): row for row in rows(ask(query).exhibits[3])}


def test_half_of_what_is_read_at_most_doubles_the_speed():
    own = outcomes()["As chosen"]
    for lever in ("Half the bits a weight", "Half the active parameters", "Twice the chips in each layer"):
        gain = outcomes()[lever]["output_tokens_per_s"] / own["output_tokens_per_s"]
        assert 1.7 < gain < 2, lever
    halved = outcomes()["Half the bits a weight"]["needed_byte"]
    cache = own["needed_byte"] - 2 * (own["needed_byte"] - halved)
    assert cache == pytest.approx(8192 * 327_680)  # 2 × 80 layers × 8 heads × 128 × 2 byte a token
    assert outcomes()["Half the active parameters"]["needed_byte"] == own["needed_byte"]


def test_the_title_names_the_best_lever_and_there_may_be_none():
    best = max(outcomes(), key=lambda lever: outcomes()[lever]["output_tokens_per_s"])
    assert best.startswith("4 draft tokens")
    assert " gains most speed from 4 draft tokens (2.7×)" in ask().exhibits[3].chart.title
    small = {"model": "llama-3.2-1b", "context": 1, "speculative_tokens": 4}
    wide = {"chip": "tpu-v5p", "latency": 20.0, "tensor_parallel": 4096, "pipeline_parallel": 1}
    title = levers_exhibit(floor_answer(**small, **wide), source="").chart.title
    assert title == "No single change makes one request faster"


def test_the_fastest_comes_first_and_the_chosen_one_stands_out():
    exhibit = ask("chip=h200").exhibits[4]
    cells = columns(exhibit)
    assert list(cells["output_tokens_per_s"]) == sorted(cells["output_tokens_per_s"], reverse=True)
    assert isinstance(exhibit.chart, BarChart)
    assert [bar.label for bar in exhibit.chart.bars if bar.emphasised] == ["H200"]
    (ddr5,) = (bar for bar in exhibit.chart.bars if bar.label == "DDR5 server")
    assert "with 4,096+ chips" in ddr5.text and sum("+ chips" in bar.text for bar in exhibit.chart.bars) == 1
    own = cells["chip"].index("H200")
    assert cells["output_tokens_per_s"][own] == value(ask("chip=h200"), "fastest_tokens_per_s")
    assert cells["chips_needed"][own] == value(ask("chip=h200"), "chips_needed")


def test_chips_that_hold_nothing_are_left_out():
    never = {"groq-lpu": placed(chip="groq-lpu", model="llama-3.1-405b", context=10_000_000, batch=4096)}
    exhibit = chips_exhibit(never, chosen="groq-lpu", source="")
    assert exhibit.table.rows == ()
    assert exhibit.chart.title == "Even 4,096 chips of a kind per layer do not hold the model"


def test_of_wafers_the_newest_is_shown_and_an_older_one_where_it_is_chosen():
    assert {"WSE-3"} == {chip for chip in columns(ask().exhibits[4])["chip"] if chip.startswith("WSE")}
    chosen = columns(ask("chip=wse-2").exhibits[4])["chip"]
    assert {"WSE-2", "WSE-3"} == {chip for chip in chosen if chip.startswith("WSE")}


@pytest.mark.parametrize("query", ["", "chip=wse-3", "chip=b200&tensor_parallel=64"])
def test_each_line_has_a_short_name_of_its_own_at_its_end(query):
    chart = ask(query).exhibits[0].chart
    assert isinstance(chart, XYChart)
    names = ["".join(mark.end_label) for mark in chart.marks if isinstance(mark, Line)]
    assert len(set(names)) == len(names) >= 3 and all(0 < len(name) <= 9 for name in names)


@pytest.mark.parametrize("chip", ["h100", "mi300x", "tpu-v7", "wse-3", "groq-lpu"])
def test_the_line_of_today_stands_beside_the_floor_and_never_above_it(chip):
    exhibit = ask(f"chip={chip}").exhibits[0]
    assert isinstance(exhibit.chart, XYChart)
    lines = {mark.series: mark for mark in exhibit.chart.marks if isinstance(mark, Line)}
    (today,) = (series for series in lines if series.endswith(", today's latencies"))
    floor = lines[today.removesuffix(", today's latencies")]
    assert lines[today].x == floor.x and lines[today].dash == "dotted"
    assert all(speed <= most for speed, most in zip(lines[today].y, floor.y, strict=True))
    cells = columns(exhibit)
    own = [row for row, name in enumerate(cells["chip"]) if name == floor.series]
    assert [cells["today_tokens_per_s"][row] for row in own] == pytest.approx(lines[today].y)
    assert exhibit.chart.subtitle.endswith("with today's latencies.")


def test_the_title_says_where_no_number_holds_the_model_and_where_more_keep_helping():
    def title(chip, **settings):
        answer = floor_answer(chip=chip, **settings)
        return by_chips_exhibit({chip: answer.placed}, answer, source="").chart.title

    never = title("groq-lpu", model="llama-3.1-405b", context=10_000_000, batch=4096)
    assert never == "Even 4,096 × GroqChip LPU v1 per layer do not hold the model"
    assert title("ddr5-server") == "More chips help up to at least 4,096 × DDR5 server per layer"


@pytest.mark.parametrize("release", names())
def test_no_published_speed_without_drafts_lies_beyond_the_floor(release):
    for speed in speeds(load(release)):
        assert speed.may_exceed or (0 < speed.share <= 1 and not speed.share_of_today > 1), speed


def test_a_published_speed_beyond_the_floor_would_be_told(monkeypatch):
    every = speeds(RELEASE)
    faster = (replace(every[0], published=every[0].at_best * 2), *every[1:])
    monkeypatch.setattr(latency_published, "speeds", lambda release: faster)
    exhibit = published_exhibit(RELEASE, source="")
    assert exhibit is not None and exhibit.chart.title.startswith("1 of ")
    assert exhibit.chart.title.endswith("exceed our limit")


def test_reach_is_a_range_of_shares_without_those_that_had_drafts():
    every = speeds(RELEASE)
    assert reach(every).endswith("%") and "–" in reach(every)
    assert reach([speed for speed in every if speed.may_exceed]) == ""
    assert reach(every[:1]).count("%") == 1 and "–" not in reach(every[:1])
    none = published_exhibit(replace(RELEASE, accelerators=RELEASE.accelerators.iloc[:0]), source="")
    assert none is None


def test_the_floors_of_wafers_and_of_groq_are_those_of_hops():
    """Llama 3.1 70B and 405B on wafers at 16 bits, Llama 2 70B on Groq chips one after another."""
    by_id = {(speed.model, speed.chip, speed.published): speed for speed in speeds(RELEASE)}
    assert by_id["Llama 3.1 70B", "WSE-3", 450].at_best == pytest.approx(4500, rel=0.02)
    assert by_id["Llama 3.1 405B", "WSE-3", 969].at_best == pytest.approx(1467, rel=0.04)
    assert by_id["Llama 2 70B", "GroqChip LPU v1", 300].today == pytest.approx(931, rel=0.03)


def test_how_near_speeds_come_is_told_by_kind():
    words = reach_by_kind(speeds(RELEASE))
    parts = words.replace(" and ", ", ").split(", ")
    assert [part.split(" ")[0] for part in parts] == ["GPUs", "wafers", "Groq"]
    exhibit = published_exhibit(RELEASE, source="")
    assert exhibit is not None and f": {words}. Speeds with" in (exhibit.chart.subtitle or "")
    assert [kind_of(chip) for chip in ("TPU v7", "DDR5 server", "WSE-2")] == ["TPUs", "servers", "wafers"]


def test_speeds_of_waferllm_are_those_of_its_abstract():
    ours = ROWS.loc[ROWS["source_id"] == "waferllm"].set_index("model")["output_tokens_per_s"]
    assert ours.to_dict() == {"Llama 3 8B": 2700, "Qwen2 72B": 840}
