"""Every form of a view, by its extension; a new view has them all, a new form is one line here and in forms.toml."""

from functools import partial
from typing import Any

from views import written
from web.forms import citation, numbers, picture, slide
from web.forms.form import ExhibitSettings, Form, Order

__all__ = ["FORMS", "Form", "Order"]

PICTURES: Any = ("png", "svg", "pdf")
WRITERS: dict[str, dict[str, Any]] = {
    **{
        one: {"write": partial(picture.write, format=one), "options": picture.PictureSettings}
        for one in PICTURES
    },
    "csv": {"write": numbers.write_csv, "options": ExhibitSettings},
    "json": {"write": numbers.write_json},
    "pptx": {"write": slide.write, "options": ExhibitSettings},
    "bib": {"write": citation.write},
}
FORMS: dict[str, Form] = {
    extension: Form(extension=extension, **WRITERS[extension], **stated)
    for extension, stated in written.toml(__file__, name="forms.toml").items()
}
