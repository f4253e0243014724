"""What rules places out, and what comes nearest."""

import re
from typing import Any

from tests.views.placement.placed import result, rows


def test_what_nothing_meets_is_said_with_the_requirement_and_the_nearest_that_would_do():
    shown = result(work="laptop-coding", budget=0.01)
    assert "no option meets all" in shown.headline
    assert any(note.startswith("Without the budget ($") and "would do" in note for note in shown.notes)
    offline = result(work="frontier", offline="yes", model="custom", billions=1500.0)
    assert any(note.startswith("If data could leave, the cloud") for note in offline.notes)
    assert any(
        re.match(r"Memory rules out .* has [0-9,]+ GB for [0-9,]+ GB\.$", note)
        for note in [*offline.notes, *offline.changes]
    )


def test_each_requirement_says_what_it_rules_out_alone_and_what_comes_nearest():
    shown = result(work="laptop-coding", first_token=0.01, speed=10_000.0, stay="device", budget=0.001)
    told = "\n".join([*shown.notes, *shown.changes])
    assert "That data stays on the user's own device rules out 13 of 16 options." in told
    assert re.search(
        r"The limit on the first token \(0\.01 s\) alone rules out all 2 .*: first token after ", told
    )
    assert re.search(
        r"The speed asked \(10,000 tokens a second\) alone .* nearest is .* tokens a second\.", told
    )
    assert re.search(
        r"The budget \(\$0\.0010 .*\) alone .* nearest is .*: \$[0-9.]+ per 1,000 requests\.", told
    )
    assert "is not enough: relax at least two." in told
    assert "Without" not in told


def test_memory_that_is_too_small_is_told_with_what_is_needed_and_there():
    shown: Any = result(work="frontier", stay="premises", model="custom", billions=1500.0)
    row = rows(shown)["edge-server"]
    assert row["memory_needed_gbyte"] > row["memory_usable_gbyte"] > 300
    assert any(note.startswith("Memory rules out ") for note in shown.notes)


def test_a_model_that_fits_nowhere_says_so():
    shown = result(work="laptop-coding", model="custom", billions=5000.0, stay="device")
    assert shown.headline.startswith("Coding assistant: no option meets all; best ")
    assert {row["binding"] for row in rows(shown).values()} == {"capacity", "rule"}


def test_what_is_ruled_out_comes_last_and_the_headline_says_what_memory_is_lacking():
    shown: Any = result(stay="device", model="kimi-k2")
    assert re.search(
        r"top laptop \(Apple M5 Max\) comes nearest, .*: memory too small \(103 GB, 622 GB needed\)\.$",
        shown.subtitle,
    )
    words = [bar.text for bar in shown.exhibits[0].chart.bars]
    assert words == sorted(words, key=lambda text: text == "ruled out") and words[-1] == "ruled out"
    assert [shown.figure(name).text for name in ("cost_usd_per_1000_requests", "time_to_first_token_s")] == [
        "–",
        "–",
    ]
    assert shown.figure("time_to_first_token_s").value is None


def test_the_nearest_place_is_the_one_that_misses_by_the_least():
    cheap = result(budget=0.001)
    assert cheap.subtitle.startswith("The cloud (B200) comes nearest, ") and "over budget" in cheap.subtitle
    assert any("nearest is the cloud (B200)" in note for note in [*cheap.notes, *cheap.changes])
    large = result(model="custom", billions=5000.0)
    assert "5,000 billion" in large.settings_line
    assert "load" not in large.headline
