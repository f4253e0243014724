"""A view as one slide with a native chart."""

from data.release_name import correction_of
from views.slides import slide_words
from web.forms.form import Order


def write(order: Order) -> bytes:
    """Return a presentation of the one slide that the exhibit asked for makes."""
    from charts.powerpoint import presentation  # drawing is not loaded until a file is asked for

    words = slide_words(order.result, origin=order.origin, exhibit=order.options.exhibit)
    return presentation(
        [words],
        title=None,
        contents=False,
        sources=(),
        template=None,
        as_of=correction_of(order.result.release),
    )
