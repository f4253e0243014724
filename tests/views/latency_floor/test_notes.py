"""What is said beside a floor: what does not fit, what stages do, and what is assumed."""

from tests.views.latency_floor.answers import ask
from views.latency_floor.published import reach_of_today


def test_stages_wait_for_the_fullest_though_all_together_have_room():
    """858 GB were said not to fit 880 GB."""
    result = ask("model=llama-3.1-405b&format=fp16&tensor_parallel=1")
    note = result.changes[1]
    assert note.startswith("Handing a token from stage to stage takes")
    assert "with 12 of 126 layers: a batch for each stage would need 81.7 GB on each of its chips" in note


def test_a_context_longer_than_the_model_was_made_for_is_said():
    assert any(
        "made for a context of at most 4,096 tokens" in note
        for note in ask("model=llama-2-7b&context=8192").notes
    )
    assert not any("made for a context" in note for note in ask("model=llama-2-7b&context=4096").notes)


def test_a_peak_that_nobody_states_and_links_that_are_assumed_are_told():
    wafer = ask("chip=wse-3")
    assert "No dense peak of the WSE-3 is published, so computing is taken to cost nothing." in wafer.notes
    assert any(note.startswith("Links of the WSE-3: ") and "assumed" in note for note in wafer.sure)
    assert (ask().notes, len(ask().sure)) == ((), 2)


def test_what_is_not_seen_in_its_source_is_said_and_what_is_of_today_by_kind():
    groq = ask("chip=groq-lpu")
    assert groq.sure[-1].endswith("check before relying on it: the time of a hop of the GroqChip LPU v1.")
    assert not any("Not seen" in line for query in ("", "chip=wse-3") for line in ask(query).sure)
    words = {
        "": "launches of kernels",
        "chip=wse-3": "hops between cores",
        "chip=tpu-v7": "hops between chips",
    }
    for query, said in words.items():
        assert "Today's latencies allow " in ask(query).subtitle
        assert ask(query).sure[1].startswith(f"Today's line counts {said}")
    assert "One chip after another allows 880 a second." in groq.subtitle


def test_what_published_speeds_reach_of_latencies_of_today_is_said_where_there_are_any():
    assert ask("chip=groq-lpu").sure[1].endswith("Of what latencies of today would allow they reach 9–33 %.")
    assert not any("latencies of today" in line for line in ask("chip=tpu-v7").sure)
    assert not any("oday" in line for line in ask("chip=ddr5-server").sure)
    assert reach_of_today([]) == ""


def test_all_stages_are_busy_where_every_batch_fits():
    assert any(note.startswith("4 stages give 4 times") for note in ask("pipeline_parallel=4").notes)
    (note,) = [note for note in ask("pipeline_parallel=4").changes if note.startswith("Handing")]
    assert note.endswith(
        "All 4 are busy when as many batches of 1 request are under way; their KV caches fit."
    )
