import pytest

from charts.chart import BarChart
from data import standing
from views.claims.view import VIEW, ClaimSettings
from views.view import answer


def result(**settings):
    return answer(VIEW, ClaimSettings(**settings))


def cells(found, column):
    place = [item.name for item in found.table.columns].index(column)
    return [row[place] for row in found.table.rows]


def test_contradictions_stand_side_by_side_with_both_verdicts():
    found = result().exhibits[-1]
    pairs = standing.table("claim_contradictions")
    verdicts = dict(zip(cells(result(), "claim_id"), cells(result(), "verdict"), strict=True))
    decided = sum("supported" in (row[2], row[4]) for row in found.table.rows)
    assert found.chart.title == (
        f"{len(pairs)} pairs of statements contradict each other; one side holds in {decided}"
    )
    for row, pair in zip(found.table.rows, pairs.to_dict("records"), strict=True):
        assert str(row[1]).startswith(pair["one_id"]) and str(row[3]).startswith(pair["other_id"])
        assert (row[2], row[4]) == (verdicts[pair["one_id"]], verdicts[pair["other_id"]])


@pytest.mark.parametrize("find", ["", "S2-18", "no such words", "memory"])
def test_counts_stand_on_an_axis_of_whole_numbers(find):
    for exhibit in result(find=find).exhibits:
        if exhibit.chart.x.title != "Statements":
            continue
        labels = [tick.label for tick in exhibit.chart.x.ticks]
        assert len(labels) == len(set(labels)) >= 2
        assert all(label.isdigit() for label in labels)


def test_statements_of_which_no_number_can_be_compared_are_counted_by_verdict():
    found = result(find="S2-18")
    chart = found.exhibits[0].chart
    assert isinstance(chart, BarChart)
    counts = [bar.value for bar in chart.bars]
    assert counts == [
        found.figure(f"n_{name}").value for name in ("supported", "off", "wrong", "not_checkable")
    ]
    assert found.exhibits[0].chart.title == found.headline


def test_articles_are_drawn_by_the_share_that_holds():
    """7 of 7 was drawn half as long as 14 of 28."""
    exhibit = result().exhibits[1]
    assert exhibit.section == "sure"
    assert exhibit.chart.title == "42–100 % of an article's testable statements hold"
    assert exhibit.chart.x.title == "Share that holds"
    assert isinstance(exhibit.chart, BarChart)
    for bar, row in zip(exhibit.chart.bars, exhibit.table.rows, strict=True):
        holds, tested = int(row[2] or 0), sum(int(cell or 0) for cell in row[2:5])
        assert bar.value == pytest.approx(holds / tested)
        assert bar.text.endswith(f"{holds} of {tested} tested")


def test_columns_of_sentences_are_broken_into_lines_and_no_claimed_number_lacks_its_unit():
    wide = {column.name: column.wide for column in result().table.columns}
    assert min(wide["statement"], wide["ours"], wide["why"]) > 200
    assert wide["verdict"] == wide["claim_id"] == 0
    claimed = cells(result(), "claimed")
    assert not [text for text in claimed if str(text).isdigit()]
    assert dict(zip(cells(result(), "claim_id"), claimed, strict=True))["S4-10"] == "to the power of 2"


def test_contradictions_are_those_of_the_statements_shown():
    assert len(result(article="S4").exhibits[-1].table.rows) == 3
    assert len(result(find="S2-18").exhibits) == 2
