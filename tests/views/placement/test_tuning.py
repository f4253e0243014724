"""Fine-tuning as the work."""

import re
from typing import Any

from data.releases import load
from tests.views.placement.placed import result, rows
from views.placement.places import SERVER_ROOM
from views.placement.settings import PlacementSettings
from views.placement.tuning import tuning_answer


def test_a_fine_tuning_that_nothing_does_says_what_each_limit_rules_out():
    def told(shown, pattern):
        return any(re.match(pattern, note) for note in [*shown.notes, *shown.changes])

    late = result(work="domain-tuning", deadline=0.1, budget=50.0)
    assert told(late, r"On its own, the deadline \(6\.0 min\) rules out .*\. The nearest is ")
    assert "at most $50" in late.settings_line
    large = result(work="domain-tuning", model="kimi-k2", tuning="full")
    assert "Memory rules out all 16 options, even if up to 64 chips split the work." in large.notes
    assert large.headline == "Domain fine-tuning: all 16 options ruled out, memory is too small"
    assert large.subtitle.startswith("The cloud (")
    kept_in = result(work="domain-tuning", budget=0.01, stay="premises")
    assert told(kept_in, r"The limit on where data may go rules out [0-9]+ of 16 options\.$")
    assert told(kept_in, r"On its own, the budget \(\$0\.010\) rules out .*: \$")
    assert "data stays on premises" in kept_in.settings_line


def test_the_headline_the_catch_and_the_card_name_the_cheapest_and_the_next():
    shown = result(work="domain-tuning")
    assert shown.headline == "Domain fine-tuning: $1.12 in 5.7 h on a desktop with a GPU"
    assert shown.subtitle.endswith("$0.54–$2.41. On rented MI300X, it would cost $3.48 and take 1.3 h.")
    (card,) = shown.cards
    assert (card.title, card.tone) == ("Fine-tune Llama 3.1 8B on a desktop with a GPU (RTX 5090)", "good")
    assert card.text.startswith("Runner-up: $1.88 in 4.4 h on a workstation GPU")


def test_a_class_asked_about_is_answered_yes_or_no():
    assert result(work="domain-tuning", only="cloud").headline == "In the cloud: yes, done in 1.3 h for $3.48"
    assert result(work="domain-tuning", only="phone").headline == "On a phone: no, memory is too small"
    late = result(work="domain-tuning", only="cloud", deadline=0.5).headline
    assert re.match(r"In the cloud: no, it takes [0-9]+ min, 30 min allowed$", late), late


def test_what_is_ruled_out_or_too_large_has_no_cost_but_the_reason():
    shown: Any = result(work="domain-tuning", tuning="full", stay="premises")
    words = {bar.label: bar.text for bar in shown.exhibits[0].chart.bars}
    reasons = {"rule": "ruled out", "capacity": "memory too small"}
    for row in [row for row in rows(shown).values() if row["place"] in words]:
        assert reasons.get(row["binding"], "$") in words[row["place"]]
    assert set(reasons.values()) <= set(words.values())


def test_chips_are_counted_out_where_they_are_several_and_the_name_does_not_say_so():
    answer = tuning_answer(PlacementSettings(work="domain-tuning", tuning="full"), load("2026-07"))
    places = {place.label.word: place for place in answer.places}
    for word, counted in ((SERVER_ROOM, False), ("cloud-h100", True)):
        assert places[word].chips > 1 and places[word].several is counted
    assert not any(place.several for place in answer.places if place.chips == 1)
    cloud = places["cloud-h100"]
    assert cloud.where() == f"on {cloud.chips:g} rented H100"
    assert cloud.where(counting=False) == "on rented H100"
