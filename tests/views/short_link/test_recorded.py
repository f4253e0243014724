"""Pages as they once were."""

import json

import pytest

from views.short_link.recorded import FILE, Recorded, as_text, digest, from_json, newest, pages, since

PAGE = Recorded(path="/hello", defaults={"since": "2020", "who": ""}, words={"since": (), "who": ("", "ä")})


def test_what_is_written_is_what_is_read():
    assert FILE.read_text(encoding="utf-8") == as_text(pages())
    assert [from_json(item) for item in json.loads(as_text([PAGE, PAGE]))] == [PAGE, PAGE]


@pytest.mark.parametrize(
    "change",
    [{"path": "/hallo"}, {"settings": {"since": {"default": "2021", "words": []}}}, {"settings": {}}],
)
def test_a_changed_record_is_refused(change):
    (item,) = json.loads(as_text([PAGE]))
    with pytest.raises(
        ValueError, match=r"the entry of /h.llo with digest [0-9a-f]{16} was changed\. Restore it"
    ):
        from_json(item | change)


def test_the_newest_record_of_a_page_counts_and_earlier_ones_stay():
    assert newest("/hello") is None
    for place, page in enumerate(pages()):
        assert since(place)[0] == page
        assert pages()[newest(page.path) or 0] == since(place)[-1]


def test_released_records_are_never_changed_moved_or_removed():
    """The digests of the records as they were first released; a new record is a new line at the end."""
    assert [digest(page) for page in pages()][: len(RELEASED)] == RELEASED


RELEASED = [
    "db6ce598cf7bbad1",
    "1d31098296dd4a44",
    "497c1867438ca979",
    "ad89c42d8dee78d8",
    "72303eedc5db6bba",
    "95f12204faae5df0",
    "0e4e8769a3f780b0",
    "4b209b6c04912a7c",
    "8c280178b374e88d",
    "b5eb736b19d2b489",
    "e0ed3125f3a0e5ae",
    "7af1519f478e36ac",
    "ed9465746b3b9871",
    "d6d54316ac672c79",
]
