"""Native, editable PowerPoint: a slide per view, or a deck, in our design or a company's template."""

from charts.powerpoint.deck import presentation
from charts.powerpoint.template import TemplateError
from charts.slide import Slide

__all__ = ["Slide", "TemplateError", "presentation"]
