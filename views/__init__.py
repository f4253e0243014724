"""The views: a question, its settings, and the answer. In a notebook: ``views.ask("/growth-gap?since=2018")``."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from views.notebook import ask

__all__ = ["ask"]


def __getattr__(name: str) -> Any:
    """Return ``ask`` when it is asked for: whoever imports one view does not load them all."""
    if name == "ask":
        from views.notebook import ask

        return ask
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
