import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.predict.columns import CaseColumn, CaseError, Dialect
from analysis.predict.table import completed, plain_heading, read_table

DIALECT = Dialect(
    columns=(
        CaseColumn(name="device", others={"accelerator": 1.0}),
        CaseColumn(name="speed_byte_per_s", others={"speed_gbyte_per_s": 1e9}),
        CaseColumn(name="count", others={}),
    ),
    added=("count", "days", "note", "problem"),
    needs=(("device", "speed_byte_per_s"),),
    slips={"velocity": "speed_gbyte_per_s"},
    joined=("note",),
    passed=("counts",),
)


def table(tmp_path, text, *, encoding="utf-8"):
    path = tmp_path / "cases.csv"
    path.write_bytes(text if isinstance(text, bytes) else text.encode(encoding))
    return read_table(path, dialect=DIALECT)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
@pytest.mark.parametrize("mark", [",", ";", "\t"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_one_table_is_read_from_whatever_a_spreadsheet_saves(*, tmp_path, encoding, mark, end):
    lines = ["device,Größe,count", "a,1,2", ",,", "b,3,4"]
    read = table(tmp_path, end.join(lines).replace(",", mark) + end, encoding=encoding)
    assert read.heading == ("device", "Größe", "count")
    assert read.rows == ((2, ("a", "1", "2")), (4, ("b", "3", "4")))
    assert read.cases() == [{"device": "a", "count": "2"}, {"device": "b", "count": "4"}]


def test_headings_are_kept_as_written_and_read_in_any_case(tmp_path):
    read = table(tmp_path, "Speed GByte-per s,DEVICE\n1,a\n")
    assert read.heading == ("Speed GByte-per s", "DEVICE")
    assert read.columns == ("speed_gbyte_per_s", "device")
    assert plain_heading(" Speed GByte-per s ") == "speed_gbyte_per_s"


def test_short_rows_are_filled_and_nameless_columns_passed_through(tmp_path):
    read = table(tmp_path, "device,,mine,,\na,1\nb,,2\n")
    assert read.heading == ("device", "", "mine")
    assert read.rows == ((2, ("a", "1", "")), (3, ("b", "", "2")))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("device,device\na,b\n", "cases.csv: column device stands twice in the heading. Keep one of them."),
        ("device,mine,mine\na,b,c\n", "cases.csv: column mine stands twice in the heading. Keep one of them."),
        ("a,b\n1,2\n", "no column of the heading is one of ours; got a, b. The first row names the columns: device, "),
        ("count\n1\n", "cases.csv has no column device (or speed_byte_per_s). Add it, filled for every case."),
        ("count,velocity\n1,2\n", "column velocity is not read; was speed_gbyte_per_s meant? Rename it to that, or"),
        ("device\n", "cases.csv holds no cases. Add a row for each below the heading."),
        ("", "cases.csv holds no cases."),
        ("device\na,b\n", "cases.csv, row 2: more cells than the heading has columns (1), as parted by commas. Quote"),
        ('device\n"a\n', "cases.csv is no table of commas: unexpected end of data. Check its quotes."),
        (b"device\n\xe4\n", "cases.csv is no text in UTF-8; save it as CSV (UTF-8)."),
        (b"\xff\xfe\x00", "cases.csv is no text in UTF-8; save it as CSV (UTF-8)."),
    ],
)  # fmt: skip
def test_a_file_without_cases_is_refused_with_what_to_do(*, tmp_path, text, words):
    with pytest.raises(CaseError) as refusal:
        table(tmp_path, text)
    assert words in str(refusal.value)


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(
        CaseError, match=r"none\.csv cannot be read: No such file or directory\. Check its name\."
    ):
        read_table(tmp_path / "none.csv", dialect=DIALECT)


def test_slips_of_the_pen_are_found_only_where_the_column_is_free(tmp_path):
    assert table(tmp_path, "devise,speed_byte_per_s\na,1\n").misspelt == (("devise", "device"),)
    assert table(tmp_path, "device,velocity\na,1\n").misspelt == (("velocity", "speed_gbyte_per_s"),)
    assert table(tmp_path, "device,devise,counts,given_count,days\na,b,1,2,3\n").misspelt == ()


def test_a_note_goes_behind_the_readers_own(tmp_path):
    read = table(tmp_path, "note,device\nmine,a\n,b\nso,c\nmine,d\n")
    answers = [{"note": "so"}] * 3 + [CaseError("bad")]
    rows = completed(read, answers=answers, dialect=DIALECT)
    assert [row[0] for row in rows] == ["note", "mine; so", "so", "so", "mine"]


def test_a_table_that_came_out_may_go_in_again(tmp_path):
    read = table(tmp_path, "Mine,device,days\nx,a,7\n")
    answers = [{"count": "3", "days": "1.5", "note": "so"}]
    rows = completed(read, answers=answers, dialect=DIALECT)
    again = table(tmp_path, "".join(",".join(row) + "\n" for row in rows))
    assert again.kept == ()
    once = [dict(zip(rows[0], row, strict=True)) for row in rows[1:]]
    rows = completed(again, answers=answers, dialect=DIALECT)
    assert [dict(zip(rows[0], row, strict=True)) for row in rows[1:]] == once


cells = st.lists(st.text(alphabet='ab ,;"\t\nß=', max_size=6), min_size=3, max_size=3)


@given(rows=st.lists(cells, min_size=1, max_size=5), mark=st.sampled_from(",;\t"))
def test_no_row_and_no_cell_is_lost(*, tmp_path_factory, rows, mark):
    filled = [row for row in rows if any(map(str.strip, row))]
    text = io.StringIO()
    csv.writer(text, delimiter=mark).writerows([["device", "mine", "yours"], *rows])
    path = tmp_path_factory.mktemp("table") / "cases.csv"
    path.write_bytes(text.getvalue().encode())
    if not filled:
        with pytest.raises(CaseError, match="holds no cases"):
            read_table(path, dialect=DIALECT)
        return
    read = read_table(path, dialect=DIALECT)
    answers = [CaseError("bad")] * len(filled)
    assert [row[:3] for row in completed(read, answers=answers, dialect=DIALECT)[1:]] == filled
