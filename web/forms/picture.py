"""A view as a finished picture: PNG, SVG or PDF, headline above, settings, source and link below."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from views.settings import choice
from views.slides import without_scheme
from web.forms.form import ExhibitSettings, Order

if TYPE_CHECKING:
    from charts.picture import Format


@dataclass(frozen=True, kw_only=True)
class PictureSettings(ExhibitSettings):
    """How large a picture is and on which ground."""

    size: str = choice(
        "slide",
        {
            "slide": "1920 by 1080 pixels",
            "wide": "1200 by 630 pixels, the size of link previews",
            "square": "1080 by 1080 pixels",
            "print": "720 by 480 points; a PNG has three times as many pixels",
        },
        label="Size",
        help="The shape of the picture, and how large its text is in it.",
    )
    theme: str = choice(
        "light",
        {"light": "dark text on white", "dark": "light text on a dark ground"},
        label="Theme",
        help="The colours of the picture.",
    )


def write(order: Order, *, format: "Format") -> bytes:
    """Return the picture of the exhibit asked for."""
    from charts.picture import render  # drawing is not loaded until a file is asked for

    options = order.options
    return render(
        order.exhibit.chart,
        format=format,
        size=options.size,
        theme=options.theme,
        footer=without_scheme(f"{order.origin}{order.result.printed_link}"),
        link=order.link,
    )
