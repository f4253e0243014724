"""A view as one slide with a native chart."""

from typing import TYPE_CHECKING

from web.forms.form import ExhibitSettings, Form, Order

if TYPE_CHECKING:
    from charts.powerpoint import Slide

MOST_FIGURES = 3


def slide(order: Order) -> "Slide":
    """Return what the slide of the exhibit asked for says."""
    from charts.powerpoint import Slide  # drawing is not loaded until a file is asked for

    result, exhibit = order.result, order.exhibit
    first = exhibit is result.exhibits[0]
    key = [figure for figure in result.figures if figure.key and figure.value is not None]
    sources = [f"{item.publisher}: {item.title} ({item.licence})." for item in result.sources]
    return Slide(
        headline=result.headline if first else exhibit.chart.title,
        chart=exhibit.chart,
        figures=tuple((item.label, item.text, item.interval_text) for item in key[:MOST_FIGURES]),
        source=result.settings_line,
        link=order.link,
        notes="\n".join([*result.notes, *result.method, result.settings_line, *sources, order.link]),
    )


def write(order: Order) -> bytes:
    """Return a presentation of that one slide."""
    from charts.powerpoint import presentation  # drawing is not loaded until a file is asked for

    return presentation(
        [slide(order)],
        title=None,
        contents=False,
        sources=(),
        template=None,
        as_of=order.result.release,
    )


PPTX = Form(
    extension="pptx",
    media_type="application/vnd.openxmlformats-officedocument.presentationml.presentation",
    what="Slide with a native, editable chart",
    write=write,
    options=ExhibitSettings,
    download=True,
)
