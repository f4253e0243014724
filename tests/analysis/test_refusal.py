import pytest

from analysis.refusal import Refusal


@pytest.mark.parametrize(
    ("remedy", "text"),
    [
        ("choose fewer", "three do not fit; choose fewer"),
        ("Choose fewer.", "three do not fit. Choose fewer."),
    ],
)
def test_the_text_is_the_reason_and_the_remedy(*, remedy, text):
    refusal = Refusal("three do not fit", remedy=remedy)
    assert str(refusal) == text
    assert (refusal.reason, refusal.remedy) == ("three do not fit", remedy)
    assert isinstance(refusal, ValueError)
