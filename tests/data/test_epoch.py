import tracemalloc
from dataclasses import fields

import pytest
from hypothesis import given
from hypothesis import strategies as st

from data import curation, table_text
from data.curation_tables import HARDWARE, MODELS, Curation
from data.epoch import MAX_BYTES, MAX_ROWS, ExportError, hardware, models, read_date
from data.intake import READERS
from tests.cases import cases
from tests.data import exports

CASES = cases(__file__)

NO_CURATION = Curation(**{table.name: [] for table in fields(Curation)})


def refusal(content: bytes) -> str:
    with pytest.raises(ExportError) as caught:
        models(content, file="m.csv", strict=True)
    return str(caught.value)


@pytest.mark.parametrize("spelling", [0, 1, 2])
def test_columns_are_found_under_the_names_of_either_year(spelling):
    runs = models(exports.models(spelling=spelling), file="m.csv").frame
    parts = hardware(exports.hardware(spelling=spelling), file="h.csv").frame
    assert runs["training_compute_flop"].tolist() == [6e24]
    assert parts["memory_capacity_byte"].tolist() == [8e10]


@pytest.mark.parametrize(("column", "cell", "value"), CASES["rows"])
def test_a_cell_is_read_in_base_units_without_what_surrounds_it(*, column, cell, value):
    if any(one.name == column for one in MODELS):
        frame = models(exports.models({column: cell}), file="m.csv").frame
    else:
        frame = hardware(exports.hardware({column: cell}), file="h.csv").frame
    assert frame[column].tolist() == [value]


@pytest.mark.parametrize("column", [column for column in (*MODELS, *HARDWARE) if column.optional])
def test_an_export_without_one_optional_column_reaches_its_table(column):
    runs, chips = ("training_runs", MODELS, exports.MODEL), ("accelerators", HARDWARE, exports.PART)
    table, columns, row = runs if column in MODELS else chips
    content = exports.written([row], tuple(other for other in columns if other is not column))
    export = READERS[table](content, file="f.csv")
    assert export.absent == (column.aliases[0],)
    frame = curation.curate(export.frame, table=table, curation=NO_CURATION).frame
    assert table_text.text(frame, table=table).count("\n") == 2


@pytest.mark.parametrize(("count", "faulty"), [(40, [2, 3, 4]), (10, [2, 3])])
def test_more_than_one_faulty_row_and_one_in_twenty_are_refused(count, faulty):
    rows = [{"name": f"M{number}"} for number in range(count)]
    for place, row in enumerate(rows[: len(faulty)]):
        row[("published_on", "training_compute_flop")[place % 2]] = "?"
    with pytest.raises(ExportError) as caught:
        models(exports.models(*rows), file="m.csv")
    assert [problem.row for problem in caught.value.problems] == faulty


@pytest.mark.parametrize(("cell", "day", "precision"), CASES["dates"])
def test_a_date_says_how_precisely_it_is_known(*, cell, day, precision):
    assert read_date(cell) == (day, precision)


def test_a_missing_column_is_named_with_all_its_known_spellings():
    columns = tuple(column for column in HARDWARE if column.name != "memory_capacity_byte")
    with pytest.raises(ExportError) as caught:
        hardware(exports.written([exports.PART], columns), file="h.csv")
    assert "column 'Memory (bytes)': this column is missing" in str(caught.value)
    assert "'Memory size per board (Byte)'" in str(caught.value)


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ({"training_compute_flop": "-1"}, "row 2, column 'Training compute (FLOP)': a number above zero"),
        ({"training_compute_flop": "1e999"}, "a finite number is needed; got '1e999'"),
        ({"training_compute_flop": "1_000"}, "a finite number is needed; got '1_000'"),
        ({"finetune_compute_flop": "-3"}, "a number of at least zero is needed; got '-3'"),
        ({"published_on": "2024-02-30"}, "'2024-02-30' is not a day of the calendar"),
        ({"published_on": "1812-01-05"}, "a date between 1940 and 2040 is needed; got '1812-01-05'"),
        ({"published_on": "17.5.2024"}, "a date as YYYY-MM-DD is needed; got '17.5.2024'"),
        ({"confidence": "Sure"}, "the confidence grade 'Sure' is not one of confident, likely, speculative"),
        ({"name": " "}, "the name is empty. Every row needs one"),
        ({"country": "A\x1b[31m"}, r"text without control characters is needed; got 'A\x1b[31m'."),
        ({"country": "A\u202eB"}, r"text without control characters is needed; got 'A\u202eB'."),
        ({"dataset_size_datapoint": "1,000,000"}, "a finite number is needed; got '1,000,000'"),
        ({"training_compute_flop": "x" * 500}, "x…'"),
        (
            {"training_time_s": "1e305"},
            "row 2, column 'Training time (hours)': a number that fits in base units is needed; got '1e305'.",
        ),
        (
            {"dataset_size_datapoint": "1e308,1e308"},
            "column 'Training dataset size (total)': a number that fits in base units is needed; "
            "got '1e308,1e308'.",
        ),
    ],
)
def test_a_cell_that_cannot_be_believed_is_refused_with_row_and_column(row, message):
    assert message in refusal(exports.models(row))


def test_several_problems_come_together_and_at_most_twenty():
    rows = [{"name": f"M{number}", "training_compute_flop": "x"} for number in range(30)]
    with pytest.raises(ExportError) as caught:
        models(exports.models(*rows), file="m.csv")
    assert len(caught.value.problems) == 20
    assert caught.value.problems[0].row == 2
    assert str(caught.value).endswith("and 10 more")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "the file has no row; an export has a header and at least one row"),
        (b"Model\n", "the file has one row"),
        (b"Model\nA\0\n", "the file contains NUL bytes, so it is not text"),
        (b"Model\n\xff\xfe\n", "byte 6 (line 2) is not UTF-8. Save the export as CSV (UTF-8)"),
        (b'Model,Link\n"A"x,b\n', "this is not CSV"),
        (b"Model,Link\nA\n", "row 2: 1 cells where the header has 2"),
        (b"x" * (MAX_BYTES + 1), "the file has 20.0 MB; at most 20 MB are read"),
        (b"%PDF-1.7\nabc\n", "column 'Model': this column is missing"),
        (
            exports.written([exports.MODEL], (*MODELS, MODELS[0])),
            "'Model', 'Model' all mean this column; keep one",
        ),
        (
            exports.models({}, {"name": "Beta"}, {}),
            "row 4, column 'Model': 'Alpha' is already in row 2. Names must be unique.",
        ),
    ],
)
def test_a_file_that_is_no_export_is_refused(content, message):
    assert message in refusal(content)


def test_a_byte_order_mark_and_blank_lines_at_the_end_are_harmless():
    assert len(models(b"\xef\xbb\xbf" + exports.models() + b"\n\n", file="m.csv").frame) == 1


@pytest.mark.parametrize(
    "content",
    [b"a,b\n" + b"x\n" * 1_000_000, b"a,b\n" + b"\n" * 1_000_000 + b"x\n", b"a,b\n" + b"x,y\n" * 100_000],
    ids=["short rows", "blank rows", "rows"],
)
def test_a_file_of_a_million_rows_takes_little_more_than_its_own_size(content):
    tracemalloc.start()
    with pytest.raises(ExportError) as caught:
        models(content, file="m.csv")
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 8 * len(content) + 5e6
    assert len(caught.value.problems) <= 20


def test_a_table_too_wide_or_too_long_is_refused():
    assert "the header has 1,002 cells; at most 1,000 are read" in refusal(b"a," * 1001 + b"a\nb\n")
    for empty in (b"\n", b"\r"):
        assert "more than 5,000 empty lines one after the other" in refusal(b"a,b\n" + empty * (MAX_ROWS + 1))
        assert "more than 5,000 empty lines one after the other" in refusal(empty * 30_000)
    assert "a line has 1,000,003 characters" in refusal(b'a,b\nx,"' + b"y" * 999_999 + b"\n")


def test_too_many_rows_are_refused_with_their_number():
    rows = [{"name": f"Model {n}", "domain": "Language,\nVision"} for n in range(MAX_ROWS)]
    assert models(exports.models(*rows), file="m.csv").of == MAX_ROWS
    words = "the file has 5,001 rows; at most 5,000 are read. Keep those you need"
    assert words in refusal(exports.models(*rows, {"name": "One more"}))
    assert "the file has 19,000 rows" in refusal(b'\xef\xbb\xbf"a,",b\r\n' + b"x,y\r\n" * 19_000)


@given(st.binary(max_size=400))
def test_no_bytes_raise_anything_but_a_refusal(content):
    with pytest.raises(ExportError):
        models(content, file="m.csv")
    with pytest.raises(ExportError):
        models(exports.models() + content + b"\n,", file="m.csv")
