from typing import Any

import pytest

from analysis.fine_tuning.time import SHARE_OF_MATMUL
from analysis.model_errors.of_fine_tuning import of_fine_tuning
from data import standing


def compared(*, source="", faster=1.0):
    """Return the comparisons, the runs of a source faster than published."""
    table = standing.table("measured_fine_tuning").copy()
    table.loc[table["source_id"] == source, "achieved_tokens_per_s_per_accelerator"] *= faster
    table.loc[table["source_id"] == source, "duration_s"] /= faster
    lines: Any = table.to_dict("records")
    rates: Any = standing.table("published_matmul").to_dict("records")
    return of_fine_tuning(lines, matmul_rates=rates, architectures=standing.rows("architectures", "name"))


def test_full_and_lora_runs_of_the_fit_are_there_and_no_qlora():
    """What QLoRA's dequantization takes was set on pairs of these runs."""
    table = standing.table("measured_fine_tuning")
    kept = table.loc[table["in_fit"] & (table["method"] != "qlora")]
    rows = compared()
    assert [row.row_id for row in rows] == kept["run_id"].tolist()
    assert {row.held_out_by for row in rows} == {"without its source"}
    assert {row.kind for row in rows} == {"Full fine-tuning", "LoRA"}


@pytest.mark.parametrize(
    ("source", "faster"),
    [("torchtune-readme", 0.25), ("nemo-automodel-performance", 4.0), ("qwen-readme", 0.25)],
)
def test_no_source_has_a_part_in_its_own_predictions(*, source, faster):
    """Were its runs faster or slower, what is predicted of them would stay; that of other sources would not."""
    before, after = compared(), compared(source=source, faster=faster)
    for was, now in zip(before, after, strict=True):
        own = was.source_id == source
        assert now.measured == pytest.approx(was.measured * (faster if own else 1))
        if own:
            assert now.predicted == pytest.approx(was.predicted)
    others = [(was, now) for was, now in zip(before, after, strict=True) if was.source_id != source]
    assert any(now.predicted != was.predicted for was, now in others)


def test_together_the_sources_reach_the_share_that_the_model_keeps():
    """Share of the matrix rate, published: 0.56, the median over sources; without one of them it moves little."""
    (share,) = [SHARE_OF_MATMUL * row.ratio for row in compared() if row.row_id == "f015"]
    assert share == pytest.approx(SHARE_OF_MATMUL, rel=0.2)
