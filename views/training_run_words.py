"""Shares and lengths of a training run in a reader's words."""

from views import wording


def percent(share: float) -> str:
    """Return a share with two digits: 63 %, 2.5 %, less than 0.1 %."""
    if share < 0.001:
        return "less than 0.1 %"
    return f"{wording.significant(100 * share)} %" if share < 0.995 else f"{100 * share:.0f} %"


def days_words(days: float) -> str:
    """Return a run's length as a reader says it: 3.1 hours, 54 days, 12 years, practically forever."""
    if days < 1:
        return f"{wording.significant(days * 24)} hours"
    if days > 365.25e6:
        return "practically forever"
    if days > 1000:
        return f"{wording.significant(days / 365.25)} years"
    return f"{wording.significant(days, 3 if days >= 100 else 2)} days"
