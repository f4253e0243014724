"""Our own 16:9 base: two plain layouts in the colours of the charts, on white.

It is a file, house.pptx, whose master and layouts can be changed in PowerPoint. A test holds its colours to ours.
"""

from dataclasses import replace
from pathlib import Path

from pptx import Presentation

from charts.powerpoint.paint import house_paint
from charts.powerpoint.template import Base, base_of

THEME = "Scaling Gap"
_FILE = Path(__file__).with_name("house.pptx")


def house_base() -> Base:
    """Return an empty presentation in our own look."""
    return replace(base_of(Presentation(str(_FILE)), ours=True), paint=house_paint())
