"""What a page computes passes the pool; a full one is told, and the reader can try again."""

import pytest

from views.compute_pool import ORDINARY, Busy

TWO = ["/training-compute?since=2018", "/accelerators?metric=power"]


def slides(page):
    return [text.value for text in page.markdown if text.value[:1].isdigit()]


@pytest.fixture
def full(monkeypatch):
    def refuse(*_anything, **_else):
        raise Busy("Too many answers are being computed already.", retry_after_s=9)

    with monkeypatch.context() as crowded:
        crowded.setattr(ORDINARY, "result", refuse)
        yield crowded


def test_a_full_pool_is_told_and_what_needs_no_computing_stays(full, open_page):
    page = open_page("/deck", view=TWO)
    assert not page.exception
    (warning,) = page.warning
    assert warning.value == "Too many answers are being computed already. Try again in 9 s."
    assert [title.value for title in page.title] == ["2 views, ready as slides"]
    assert not slides(page)
    full.undo()
    page = next(one for one in page.button if one.label == "Try again").click().run()
    assert len(slides(page)) == 2 and not page.warning
