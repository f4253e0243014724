"""Native, editable PowerPoint: a view as one slide, several as a deck, in our look or a company's own."""

from charts.powerpoint.deck import presentation
from charts.powerpoint.template import TemplateError
from charts.slide import Slide

__all__ = ["Slide", "TemplateError", "presentation"]
