"""The views: questions, their settings, and their answers. In a notebook: ``views.ask("/growth-gap?since=2018")``."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from views.notebook import ask

__all__ = ["ask"]


def __getattr__(name: str) -> Any:
    """Import ``ask`` on first access, so that importing one view does not load all of them."""
    if name == "ask":
        from views.notebook import ask

        return ask
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
