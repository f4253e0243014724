"""Every form of a view, by its extension; a new view has them all, a new form is one line here."""

from web.forms import citation, numbers, picture, slide
from web.forms.form import Form, Order

__all__ = ["FORMS", "Form", "Order"]

FORMS: dict[str, Form] = {
    form.extension: form for form in (*picture.FORMS, numbers.CSV, numbers.JSON, slide.PPTX, citation.BIB)
}
