"""Widgets for the settings of a view; what they hold stands in the page's address."""

from collections.abc import Mapping
from typing import Any

import streamlit as st

from views.setting_kinds import Choice, Decimal, Month, Setting, Text, WholeNumber
from views.settings import Ignored, Settings, SettingsType, definitions, parse
from views.view import View

SHOWN = "view shown last"
"""Where a session keeps whose page was drawn last."""

WIDTH = 171
"""Width of a control, so that two stand side by side on a phone. [px]"""


def _options(setting: Month, current: str) -> list[str]:
    years = [str(year) for year in range(setting.high, setting.low - 1, -1)]
    special = [setting.unbounded] if setting.unbounded else []
    own = [current] if current not in years and current not in special else []
    return [*special, *own, *years]


def _meanings(setting: Choice) -> str:
    lines = "\n".join(f"- **{option}**: {meaning}" for option, meaning in setting.options.items())
    return f"{setting.help}\n\n{lines}"


def _control(name: str, setting: Setting, *, default: Any, chosen: Settings) -> Any:
    shared: dict[str, Any] = {"key": name, "bind": "query-params", "width": WIDTH}
    if isinstance(setting, Choice):
        options = list(setting.options)
        return st.selectbox(
            setting.label,
            options,
            index=options.index(default),
            help=_meanings(setting),
            **shared,
        )
    if isinstance(setting, Month):
        options = _options(setting, getattr(chosen, name))
        return st.selectbox(
            setting.label,
            options,
            index=options.index(default),
            help=setting.help,
            accept_new_options=True,
            **shared,
        )
    if isinstance(setting, WholeNumber):
        return st.number_input(
            setting.label,
            setting.low,
            setting.high,
            default,
            step=1,
            help=setting.help,
            placeholder=chosen.where_empty(name) or None,
            **shared,
        )
    if isinstance(setting, Decimal):
        return st.number_input(
            setting.label,
            float(setting.low),
            float(setting.high),
            default,
            step=float(setting.step),
            help=setting.help,
            placeholder=chosen.where_empty(name) or None,
            **shared,
        )
    if isinstance(setting, Text):
        return st.text_input(setting.label, default, max_chars=setting.longest, help=setting.help, **shared)
    raise TypeError(
        f"No widget for the setting {name!r} of kind {type(setting).__name__}; add one to controls."
    )


def keep_apart(view: View, *, arrived_with_choices: bool) -> None:
    """Give each page its own choices: none of another page's, and its own again on return through the menu.

    A control's key is the parameter of the address, so pages with a setting of the same name share the key. On the
    first run of a page after another, what the other left is put away, and what this page had comes back, unless the
    reader arrived by a link with choices of its own.
    """
    state = st.session_state
    known = definitions(view.settings)
    if state.get(SHOWN) != view.name:
        own = {} if arrived_with_choices else state.get(f"choices of {view.name}", {})
        for name in known:
            state.pop(name, None)
        state.update(own)
        st.query_params.update({name: known[name].text(value) for name, value in own.items()})
        state[SHOWN] = view.name


def remember(view: View) -> None:
    """Keep what the reader chose on this page, for when they come back."""
    known, default = definitions(view.settings), view.settings()
    state = st.session_state
    state[f"choices of {view.name}"] = {
        name: state[name] for name in known if name in state and state[name] != getattr(default, name)
    }


def settings_from_controls(
    settings: type[SettingsType], *, asked: SettingsType
) -> tuple[SettingsType, tuple[Ignored, ...]]:
    """Draw the controls, the first row in sight and the rest behind one button; return what they say.

    ``asked`` are the settings the address asked for; the widgets read the same address, so both agree on
    arrival. Returned with the settings are those a reader's latest change made impossible together.
    """
    known = definitions(settings)
    default = settings()
    for name, setting in known.items():
        if name in st.session_state and not _fits(setting, st.session_state[name]):
            del st.session_state[name]
    values: dict[str, Any] = {}
    with st.container(horizontal=True, vertical_alignment="bottom"):
        for name, setting in known.items():
            if setting.first_row:
                values[name] = _control(name, setting, default=getattr(default, name), chosen=asked)
        chosen, _ = parse(settings, _as_query(known, vars(asked) | values))
        with (
            st.popover("More choices", icon=":material/tune:"),
            st.container(horizontal=True, vertical_alignment="bottom"),
        ):
            for name, setting in known.items():
                if not setting.first_row:
                    values[name] = _control(name, setting, default=getattr(default, name), chosen=chosen)
    return parse(settings, _as_query(known, values))


def _fits(setting: Setting, value: object) -> bool:
    """Return whether a widget can hold what another page left behind for a setting of the same name."""
    if isinstance(setting, Choice):
        return value in setting.options
    if isinstance(setting, WholeNumber | Decimal) and value is None:
        return bool(setting.unset)
    if isinstance(setting, WholeNumber):
        return isinstance(value, int) and setting.low <= value <= setting.high
    if isinstance(setting, Decimal):
        return isinstance(value, float) and setting.low <= value <= setting.high
    return isinstance(value, str)


def _as_query(known: Mapping[str, Setting], values: Mapping[str, Any]) -> dict[str, list[str]]:
    return {name: [known[name].text(value)] for name, value in values.items()}
