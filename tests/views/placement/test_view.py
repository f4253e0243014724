"""Edge or cloud: the verdict, its figures, what bad input gets, and what rules places out."""

import re
from dataclasses import replace
from typing import Any

import pytest

from views.placement.presets import PRESETS
from views.placement.settings import PlacementSettings
from views.placement.view import VIEW
from views.view import answer, read

ANSWERING = [word for word, preset in PRESETS.items() if not preset.tuning]
FIGURES = {
    "time_to_first_token_s",
    "time_per_output_token_s",
    "cost_usd_per_1000_requests",
    "probability_meets_requirement",
    "binding",
}


def result(**changes) -> Any:
    return answer(VIEW, PlacementSettings(**changes))


def rows(found) -> dict[str, Any]:
    names = [column.name for column in found.table.columns]
    return {row[names.index("word")]: dict(zip(names, row, strict=True)) for row in found.table.rows}


@pytest.mark.parametrize("work", ANSWERING)
def test_each_place_has_time_speed_cost_chance_and_what_binds(work):
    found = result(work=work)
    assert {column.name for column in found.table.columns} >= FIGURES
    for row in rows(found).values():
        assert 0 <= row["probability_meets_requirement"] <= 1
        assert row["time_per_output_token_s_low"] <= row["time_per_output_token_s"]
        assert row["time_per_output_token_s"] <= row["time_per_output_token_s_high"]
        if row["fits"] == "no":
            assert row["probability_meets_requirement"] == 0
            assert row["binding"] in ("capacity", "rule")


@pytest.mark.parametrize("work", ANSWERING)
def test_the_winner_is_the_cheapest_place_that_meets_what_is_asked(work):
    found = result(work=work)
    meeting = [
        row["cost_usd_per_1000_requests"]
        for row in rows(found).values()
        if row["probability_meets_requirement"] >= 0.8 and row["cost_usd_per_1000_requests"] is not None
    ]
    assert found.figure("cost_usd_per_1000_requests").value == pytest.approx(min(meeting))
    assert found.figure("places_that_meet").value >= 1


def test_a_million_support_chats_go_to_a_cloud_and_texts_that_stay_do_not():
    assert "in the cloud" in result(work="support-chat").headline
    kept = result(work="branch-documents")
    assert all(
        row["probability_meets_requirement"] == 0
        for word, row in rows(kept).items()
        if word.startswith("cloud")
    )


def test_what_nothing_meets_is_said_with_the_requirement_and_the_nearest_that_would_do():
    found = result(work="laptop-coding", budget=0.01)
    assert found.headline.startswith("No place meets all that is asked")
    assert any(note.startswith("Without the budget ($") and "would do" in note for note in found.notes)
    offline = result(work="frontier", offline="yes", model="kimi-k2")
    assert any(note.startswith("Could texts travel, the cloud") for note in offline.notes)
    assert any(
        re.match(r"Memory rules out .* has [0-9,]+ GB for [0-9,]+ GB\.$", note) for note in offline.notes
    )


def test_each_requirement_says_what_it_rules_out_alone_and_what_comes_nearest():
    found = result(work="laptop-coding", first_token=0.01, speed=10_000.0, stay="device", budget=0.001)
    told = "\n".join(found.notes)
    assert "That texts stay on the person's own device rules out 13 of 16 places." in told
    assert re.search(
        r"The limit on the first token \(0\.01 s\) alone rules out all 2 .*: first token after ", told
    )
    assert re.search(
        r"The speed asked \(10,000 tokens a second\) alone .* nearest is .* tokens a second\.", told
    )
    assert re.search(
        r"The budget \(\$0\.0010 .*\) alone .* nearest is .*: \$[0-9.]+ per 1,000 requests\.", told
    )
    assert "is not enough: at least two have to give." in told
    assert "Without" not in told


def test_a_fine_tuning_that_nothing_does_says_what_each_limit_rules_out():
    late = result(work="domain-tuning", deadline=0.1, budget=50.0)
    assert any(
        re.match(r"The deadline \(6\.0 min\) alone rules out .*; nearest is ", note) for note in late.notes
    )
    assert "at most $50" in late.settings_line
    large = result(work="domain-tuning", model="kimi-k2", tuning="full")
    assert "Memory rules out 16 of 16 places, even where up to 64 chips split the work." in large.notes
    assert "the cloud (" in large.headline
    kept_in = result(work="domain-tuning", budget=0.01, stay="premises")
    assert any(
        re.match(r"Where texts may go rules out [0-9]+ of 16 places\.$", note) for note in kept_in.notes
    )
    assert any(re.match(r"The budget \(\$0\.010\) alone rules out .*: \$", note) for note in kept_in.notes)
    assert "texts stay in the house" in kept_in.settings_line


def test_memory_that_is_too_small_is_told_with_what_is_needed_and_there():
    found: Any = result(work="frontier", stay="premises", model="kimi-k2")
    bar = next(bar for bar in found.exhibits[0].chart.bars if bar.label.startswith("Edge server"))
    assert re.match(r"needs [0-9,]+ GB, has [0-9]+ GB$", bar.text)
    row = rows(found)["edge-server"]
    assert row["memory_needed_gbyte"] > row["memory_usable_gbyte"] > 300


def test_a_desktop_with_32_binary_gigabytes_uses_95_percent_of_them():
    row = rows(result(work="branch-documents"))["desktop-gpu"]
    assert row["memory_usable_gbyte"] == pytest.approx(0.95 * 32 * 1.073741824)


def test_a_model_that_fits_nowhere_says_so():
    found = result(work="laptop-coding", model="custom", billions=5000.0, stay="device")
    assert found.headline.startswith("No place meets all that is asked")
    assert {row["binding"] for row in rows(found).values()} == {"capacity", "rule"}


def test_zero_requests_and_other_impossible_numbers_are_named():
    settings, ignored = read(VIEW, "work=laptop-coding&year=1999&requests=0&people=-5&model=gpt-nine")
    assert settings == PlacementSettings()
    assert {item.setting: item.allowed for item in ignored if item.setting in ("requests", "people")} == {
        name: "a whole number from 1 to 999999999, or empty for the work's usual number"
        for name in ("requests", "people")
    }
    assert {item.setting for item in ignored} == {"year", "requests", "people", "model"}


@pytest.mark.parametrize("work", PRESETS)
def test_a_number_left_empty_is_the_usual_one_of_the_work_and_its_place_shows_it(work):
    usual: Any = read(VIEW, f"work={work}&requests=&budget=&chips=")[0]
    assert usual == PlacementSettings(work=work)
    assert usual.number("requests") == PRESETS[work].requests
    assert usual.where_empty("requests") == f"{PRESETS[work].requests:,}"
    assert (usual.where_empty("budget"), usual.where_empty("chips")) == ("any price", "the fewest")
    assert usual.where_empty("speed") == (f"{PRESETS[work].speed:g}" if PRESETS[work].speed else "any")
    spelled = PlacementSettings(work=work, requests=PRESETS[work].requests)
    assert rows(result(work=work)) == rows(answer(VIEW, spelled))


def test_dearer_rent_never_makes_a_cloud_cheaper():
    cheap, dear = (rows(result(work="support-chat", rent_change=change)) for change in (100, 200))
    for word in (word for word in cheap if word.startswith("cloud")):
        assert dear[word]["cost_usd_per_1000_requests"] > cheap[word]["cost_usd_per_1000_requests"]


def test_a_phone_at_its_sustained_speed_is_slower():
    first, lasting = (rows(result(work="phone-assistant", sustained=word)) for word in ("never", "always"))
    assert lasting["phone"]["time_per_output_token_s"] > 1.2 * first["phone"]["time_per_output_token_s"]


def test_later_years_bring_faster_devices():
    today, later = (rows(result(work="phone-assistant", year=year)) for year in (2026, 2032))
    assert later["phone"]["time_per_output_token_s"] < today["phone"]["time_per_output_token_s"]


def test_fine_tuning_fits_where_its_method_fits_and_costs_what_its_hours_cost():
    full, lora, qlora = (result(work="domain-tuning", tuning=method) for method in ("full", "lora", "qlora"))
    chips = [rows(found)["cloud-h100"]["chips"] for found in (full, lora, qlora)]
    assert chips[0] > chips[1] >= chips[2]
    row = rows(lora)["cloud-h100"]
    assert row["hours_low"] < row["hours"] < row["hours_high"]
    assert row["cost_usd"] / row["hours"] == pytest.approx(3.81 * row["chips"], rel=0.02)
    assert lora.figure("hours").unit == "h"


def test_every_exhibit_of_every_work_can_be_read_at_both_releases():
    for work in PRESETS:
        found: Any = answer(VIEW, replace(PlacementSettings(work=work), release="2025-11"))
        titles = [exhibit.chart.title for exhibit in found.exhibits]
        assert titles and all(titles)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        (
            {"work": "laptop-coding"},
            r"on a laptop .*; a desktop .* is the cheaper one from about [0-9,]+ requests a day; fixed overheads bind$",
        ),
        ({"work": "phone-assistant"}, r", the cheaper one if the device's price is charged; [a-z ]+ binds?$"),
        ({"work": "support-chat"}, r"in a server room \(8 × H200\), dearer at any load; "),
        ({"work": "branch-documents"}, r"; were texts allowed out, the cloud \(.*\) would cost \$"),
        (
            {"work": "branch-documents", "stay": "anywhere", "offline": "yes"},
            r"; were a connection allowed, the cloud",
        ),
        (
            {"work": "frontier", "model": "kimi-k2"},
            r"; a server room \(8 × H200\) comes nearest of one's own places \(memory too small\); ",
        ),
        (
            {"work": "laptop-coding", "renting": "by-hour", "charged": "0"},
            r", dearer even if the device's price is charged; ",
        ),
        ({"work": "branch-documents", "year": 2032}, r"^In 2032 answering .* \(RTX 5090 of 2032\): \$"),
        (
            {"work": "domain-tuning"},
            r"^Fine-tuning .* costs least on an? .*: \$[0-9.]+ in .* h; in the cloud \(",
        ),
    ],
    ids=str,
)
def test_the_headline_names_the_place_the_price_what_would_change_it_and_what_binds(changes, words):
    assert re.search(words, result(**changes).headline), result(**changes).headline


@pytest.mark.parametrize("requests", [200, 2000, 40_000, 75_000, 1_000_000])
def test_beyond_the_load_told_the_other_side_is_cheapest_and_it_is_told_the_same_from_wherever(requests):
    found = result(work="laptop-coding", requests=requests, people=1)
    said = re.search(r"the cheaper one (from|below) about ([0-9,]+) requests a day", found.headline)
    assert said is not None, found.headline
    even, own_wins = int(said[2].replace(",", "")), said[1] == "below"
    assert own_wins == ("in the cloud" not in found.headline.partition(":")[0])
    where = "runs cheapest in the cloud" if own_wins else "runs cheapest on a"
    for times in (0.9, 0.5, 0.1) if own_wins else (1.1, 2, 10):
        there = result(work="laptop-coding", requests=round(even * times), people=1).headline
        assert where in there, (even, times, there)
    (turns,) = re.findall(
        r"Between about ([0-9,]+) and ([0-9,]+) a day the two take turns", "\n".join(found.notes)
    )
    assert even == int(turns[0 if own_wins else 1].replace(",", ""))
    assert turns == ("14,000", "100,000")


def test_a_side_that_is_cheaper_in_between_alone_is_told_so():
    found = result(work="laptop-coding", charged="0", people=1)
    assert any(
        re.match(r"Between about [0-9,]+ and [0-9,]+ requests a day the cloud ", note) for note in found.notes
    )
    often = result(work="laptop-coding", charged="0", people=1, requests=5000).headline
    assert "runs cheapest in the cloud" in often


def test_nobody_waits_for_their_own_device():
    seldom, often = (
        rows(result(work="laptop-coding", stay="device", requests=number))["laptop"] for number in (10, 400)
    )
    assert often["load"] > 20 * seldom["load"]
    assert often["time_to_first_token_s"] == pytest.approx(seldom["time_to_first_token_s"])


def test_a_cheaper_place_that_is_not_sure_enough_is_named():
    unsure = [note for note in result(work="phone-assistant", sure=95).notes if "would cost" in note]
    assert len(unsure) == 1
    assert re.match(
        r"A phone .* would cost \$0\.00.* but is [0-9]+ % sure to meet all: .* binds?\.$", unsure[0]
    )
    assert not [note for note in result(work="phone-assistant", sure=5).notes if "but is" in note]


def test_a_tie_and_an_accelerator_that_was_never_measured_are_told():
    told = "\n".join(result(work="laptop-coding").notes)
    assert re.search(r"About as cheap, within a tenth: the cloud \(.*\) at \$0\.[0-9]+\.", told)
    assert re.search(
        r"No published full load of AMD Instinct MI300X could be used, .* B200, GB200, H100, H200;", told
    )
    assert "No published full load" not in "\n".join(result(work="support-chat").notes)


def test_what_is_ruled_out_comes_last_and_the_headline_says_what_memory_is_lacking():
    found: Any = result(stay="device", model="kimi-k2")
    assert re.search(
        r"top laptop \(Apple M5 Max\) comes nearest: needs 622 GB, has 103 GB of memory$", found.headline
    )
    words = [bar.text for bar in found.exhibits[0].chart.bars]
    assert words == sorted(words, key=lambda text: text == "ruled out") and words[-1] == "ruled out"
    assert [found.figure(name).text for name in ("cost_usd_per_1000_requests", "time_to_first_token_s")] == [
        "–",
        "–",
    ]
    assert found.figure("time_to_first_token_s").value is None


def test_the_nearest_place_is_the_one_that_misses_by_the_least():
    cheap = result(budget=0.001)
    assert "the cloud (MI300X) comes nearest: the price binds" in cheap.headline
    assert any("nearest is the cloud (MI300X)" in note for note in cheap.notes)
    large = result(model="custom", billions=5000.0)
    assert "5,000 billion" in large.settings_line
    assert not large.headline.endswith("the load binds")


def test_choices_that_are_not_the_usual_ones_stand_in_the_settings_line():
    assert "Chosen:" not in result().settings_line
    line = result(charged="0", utilization=30, years=2.5).settings_line
    assert "Chosen: utilization 30, years kept 2.5, price charged 0." in line


def test_a_fine_tuning_of_a_later_year_pays_the_prices_of_that_year():
    now, later = (rows(result(work="domain-tuning", year=year)) for year in (2026, 2036))
    for place in ("cloud-h100", "server-room"):
        hourly = [
            table[place]["cost_usd"] / table[place]["hours"] / table[place]["chips"] for table in (now, later)
        ]
        assert hourly[1] > 3 * hourly[0], place
    free = rows(result(work="domain-tuning", charged="0"))
    assert free["server-room"]["cost_usd"] == pytest.approx(now["server-room"]["cost_usd"])
    assert free["top-laptop"]["cost_usd"] < now["top-laptop"]["cost_usd"]
