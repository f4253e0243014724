"""A presentation as a file: one slide of one view, or a deck with title, contents, changes and sources."""

import datetime
import io
import re
import zipfile
from collections.abc import Sequence

from charts.powerpoint.deck_pages import (
    add_changes,
    add_contents,
    add_opening,
    add_sources,
    drop_empty,
    link_contents,
    number_page,
)
from charts.powerpoint.drawingml import plain
from charts.powerpoint.house import house_base
from charts.powerpoint.scale import enlarge_page, scale_of
from charts.powerpoint.template import Base, TemplateError, company_base, refused_if_damaged
from charts.powerpoint.view_slide import add_view
from charts.powerpoint.workbook import FIRST_DAY
from charts.slide import Slide


def presentation(
    slides: Sequence[Slide],
    *,
    title: str | None,
    contents: bool,
    sources: Sequence[str],
    template: bytes | None,
    as_of: str,
    changes: Sequence[tuple[str, str, str]] = (),
) -> bytes:
    """Return a .pptx file; the same input gives the same bytes.

    With ``title`` None there is no title slide; ``contents`` adds a page that links to each slide;
    ``changes`` are (view, before, after) and make a table of what moved; ``template`` is a company's .pptx
    or .potx. ``as_of`` is the date of the data, yyyy-mm-dd or yyyy-mm.

    Raises
    ------
    ValueError
        If ``slides`` is empty or ``as_of`` is not a date.
    TemplateError
        If the template cannot be used.
    """
    if not slides:
        raise ValueError("A presentation needs at least one slide; got none. Choose a view first.")
    _date(as_of)

    def built(base: Base) -> bytes:
        if title is not None:
            add_opening(base, title=title, subtitle=f"Data as of {as_of}")
        listing = add_contents(base, headlines=[slide.headline for slide in slides]) if contents else ()
        pages = [add_view(base, slide) for slide in slides]
        link_contents(base, listing, targets=pages)
        add_changes(base, changes)
        add_sources(base, sources)
        for page in base.deck.slides:
            enlarge_page(page, scale_of(base.deck))
            number_page(page)
            drop_empty(page)
        return _file(base, title=title or slides[0].headline, made=_date(as_of))

    if template is None:
        return built(house_base())
    base = company_base(template)
    try:
        with refused_if_damaged():
            return built(base)
    except TemplateError:
        built(house_base())  # what is wrong with the slides themselves shows here, as itself
        raise


def _date(as_of: str) -> datetime.datetime:
    """Return the date of the data as the file's own date, so that the file does not depend on the clock."""
    found = re.fullmatch(r"(\d{4})-(\d{2})(?:-(\d{2}))?", as_of)
    if found:
        try:
            return datetime.datetime(int(found[1]), int(found[2]), int(found[3] or 1))
        except ValueError:
            pass
    raise ValueError(f"as_of is the date of the data, as 2026-07-31 or 2026-07; got {as_of!r}.")


def _file(base: Base, *, title: str, made: datetime.datetime) -> bytes:
    properties = base.deck.core_properties
    properties.title = plain(title)[:255]
    properties.author = properties.last_modified_by = "Scaling Gap"
    properties.subject = properties.keywords = properties.comments = properties.category = ""
    properties.created = properties.modified = made
    properties.revision = 1
    saved = io.BytesIO()
    base.deck.save(saved)
    return _restamped(saved.getvalue())


def _restamped(file: bytes) -> bytes:
    """Return a zip file whose entries all bear the first date a zip can hold, so that no clock shows."""
    stamped = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(file)) as archive, zipfile.ZipFile(stamped, "w") as restamped:
        for entry in archive.infolist():
            content = archive.read(entry)
            entry.date_time = FIRST_DAY
            restamped.writestr(entry, content)
    return stamped.getvalue()
