"""A table of calls that are refused becomes one test, named by what the refusal says."""

import re
from collections.abc import Callable

import pytest


def refusals(
    rows: dict[str | re.Pattern[str], Callable[[], object]], *, error: type[Exception] = ValueError
) -> Callable[..., None]:
    """Return the test that each call raises the error, with a text that contains the words or fits the pattern."""

    @pytest.mark.parametrize(("words", "call"), rows.items(), ids=[str(words) for words in rows])
    def test(words: str | re.Pattern[str], call: Callable[[], object]) -> None:
        with pytest.raises(error) as refusal:
            call()
        text = str(refusal.value)
        assert words in text if isinstance(words, str) else words.search(text), text

    return test
