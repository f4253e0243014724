"""How many years of hardware a technique is worth: the answer as a whole."""

from tests.views.techniques.answers import ask


def test_where_a_technique_does_nothing_the_page_says_so():
    result = ask("phase=prefill")
    assert result.headline == "4-bit weights save 0 % of time here"
    assert any(
        "Compute is the limit here, and smaller weights only shorten reading" in note
        for note in result.changes
    )
    result = ask("technique=checkpointing")
    assert "Gradient checkpointing saves 0 %" in result.headline
    assert any("no backward pass" in note for note in result.changes)


def test_a_technique_that_costs_says_what():
    assert "costs 1.54× the operations" in ask("technique=speculative&measure=flop").headline


def test_too_few_chips_say_what_to_widen():
    result = ask("since=2029")
    assert "too few chips" in result.headline
    assert any("Widen the window" in note for note in result.notes)
