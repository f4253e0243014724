"""Every view there is stands in the registry once."""

from importlib import import_module
from pathlib import Path

from views.methods import text as methods
from views.registry import MENU, VIEWS
from views.view import View

VIEW_FILES = Path(__file__).parents[2] / "views"


def test_every_module_that_has_a_view_is_listed():
    having = [
        import_module(".".join(path.relative_to(VIEW_FILES.parent).with_suffix("").parts)).VIEW
        for path in sorted(VIEW_FILES.rglob("*.py"))
        if "\nVIEW = View(" in path.read_text(encoding="utf-8")
    ]
    assert len(having) > 10 and all(isinstance(view, View) for view in having)
    assert {view.path for view in having} == set(VIEWS)


def test_each_view_stands_once_in_the_menu_under_its_own_address():
    listed = [path for pages in MENU.values() for path in pages.values()]
    assert listed == [*VIEWS, methods.PATH] and len(MENU) == 8
    assert all(VIEWS[path].path == path for path in VIEWS)


def test_addresses_titles_and_names_are_told_apart():
    for name in ("title", "question", "name", "module"):
        assert len({getattr(view, name) for view in VIEWS.values()}) == len(VIEWS)
    assert all(path.startswith("/") and path == path.lower() for path in VIEWS)
