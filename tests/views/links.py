"""Settings and links drawn at random for the tests of the views."""

from hypothesis import strategies as st

from views.setting_kinds import Choice, Decimal, Month, Setting, Text, WholeNumber
from views.settings import definitions
from views.view import ReleaseSettings, View


def value_texts(setting: Setting) -> st.SearchStrategy[str]:
    """Return what a link may say for a setting."""
    if isinstance(setting, Choice):
        return st.sampled_from(list(setting.options))
    if isinstance(setting, WholeNumber):
        return _or_empty(setting, st.integers(setting.low, setting.high).map(str))
    if isinstance(setting, Decimal):
        return _or_empty(setting, st.decimals(str(setting.low), str(setting.high), places=3).map(str))
    if isinstance(setting, Month):
        years = st.integers(setting.low, setting.high).map(str)
        months = st.tuples(years, st.integers(1, 12)).map(lambda pair: f"{pair[0]}-{pair[1]:02d}")
        return st.one_of(years, months, *([st.just(setting.unbounded)] if setting.unbounded else []))
    assert isinstance(setting, Text)
    return st.text(
        st.characters(categories=("L", "N", "P", "S", "Zs"), include_characters=" "), max_size=setting.longest
    ).filter(str.isprintable)


def _or_empty(setting: WholeNumber | Decimal, texts: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.one_of(st.just(""), texts) if setting.unset else texts


def queries(view: View) -> st.SearchStrategy[dict[str, list[str]]]:
    """Return valid queries that give any part of a view's settings."""
    known = definitions(view.settings)
    return st.fixed_dictionaries(
        {}, optional={name: value_texts(setting).map(lambda text: [text]) for name, setting in known.items()}
    )


def settings(view: View) -> st.SearchStrategy[ReleaseSettings]:
    """Return sound settings of a view."""

    def parsed(query: dict[str, list[str]]) -> ReleaseSettings:
        from views.view import read

        return read(view, query)[0]

    return queries(view).map(parsed)
