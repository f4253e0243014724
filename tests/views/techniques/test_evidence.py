"""The evidence of techniques is that of the standing table, and speaks of what the catalogue computes."""

from analysis.techniques.catalogue import (
    ACTIVE_EXPERTS,
    ADAPTER_SHARE,
    DRAFT_TOKENS,
    EXPERTS,
    GROUPS,
    REQUESTS,
)
from analysis.techniques.setup import PHASES
from data import standing
from views.techniques.evidence import EVIDENCE
from views.techniques.inputs import next_memory


def test_every_row_is_evidence_with_the_address_of_its_source():
    assert list(EVIDENCE) == standing.table("techniques")["technique"].tolist()
    assert EVIDENCE["lora"].source == "https://arxiv.org/abs/2106.09685"
    assert all(item.source.startswith("https://") for item in EVIDENCE.values())


def test_an_empty_cell_is_what_is_usual():
    assert EVIDENCE["fp8-weights"].idle == "This phase does not use what it changes."
    assert EVIDENCE["mixed-precision"].acts_on == "the technique acts on something else"
    assert EVIDENCE["mixed-precision"].limit_phases == PHASES
    assert EVIDENCE["batching"].limit_phases == ("decode", "prefill")


def test_the_numbers_in_words_are_those_that_are_computed_with():
    assert f"into {EXPERTS} experts, {ACTIVE_EXPERTS} of them" in EVIDENCE["experts"].meaning
    assert f"heads, or {GROUPS}, instead" in EVIDENCE["grouped-query"].meaning
    assert EVIDENCE["speculative"].meaning.startswith(f"{DRAFT_TOKENS} tokens proposed")
    assert f"batch set, or {REQUESTS}, instead" in EVIDENCE["batching"].meaning
    assert all(f"{100 * ADAPTER_SHARE:g} % of" in EVIDENCE[name].meaning for name in ("lora", "qlora"))


def test_the_steps_of_memory_in_words_are_those_of_its_generations():
    kinds = standing.table("memory_generations")["memory"].tolist()
    steps = [(kind, *next_memory(kind)) for kind in kinds]
    words = ", ".join(f"{new} after {kind} {step:.2f}×" for kind, new, step in steps if new)
    assert EVIDENCE["memory-generation"].meaning == f"what follows the chip's memory: {words}"
