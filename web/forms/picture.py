"""A view as a finished picture: PNG, SVG or PDF, headline above, settings, source and link below."""

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from views.settings import choice
from views.slides import without_scheme
from web.forms.form import ExhibitSettings, Form, Order

if TYPE_CHECKING:
    from charts.picture import Format

SVG_POLICY = "default-src 'none'; style-src 'unsafe-inline'"
"""An SVG opened as a page of its own runs nothing and loads nothing."""


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


FORMS = (
    Form(
        extension="png",
        media_type="image/png",
        what="Picture",
        write=partial(write, format="png"),
        options=PictureSettings,
    ),
    Form(
        extension="svg",
        media_type="image/svg+xml",
        what="Vector picture",
        write=partial(write, format="svg"),
        options=PictureSettings,
        policy=SVG_POLICY,
    ),
    Form(
        extension="pdf",
        media_type="application/pdf",
        what="Vector picture for print",
        write=partial(write, format="pdf"),
        options=PictureSettings,
    ),
)
