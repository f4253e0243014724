import sys
from pathlib import Path
from urllib.parse import parse_qsl

import pytest

from pages.text import plain
from views.deck import PATH as DECK_PATH
from views.methods import text as methods
from views.registry import VIEWS
from views.settings import definitions
from views.view import answer, link, read

ROOT = Path(__file__).resolve().parent.parent.parent
EVERY_VIEW = pytest.mark.parametrize("path", list(VIEWS))


@EVERY_VIEW
def test_every_page_opens_without_exception_and_shows_the_headline_of_its_view(path, open_page):
    page = open_page(path)
    result = answer(VIEWS[path], VIEWS[path].settings())
    assert not page.exception
    assert [title.value for title in page.title] == [plain(result.headline)]
    assert page.caption[0].value == plain(VIEWS[path].question)
    assert not page.warning
    assert not page.error


@pytest.mark.parametrize("path", [methods.PATH, DECK_PATH])
def test_the_pages_beside_the_views_open_too(path, open_page):
    page = open_page(path)
    assert not page.exception
    assert page.title


@EVERY_VIEW
def test_a_canonical_link_opens_the_page_it_came_from_with_nothing_ignored(path, open_page):
    view = VIEWS[path]
    page = open_page(path, **dict(parse_qsl(link(view, view.settings()).partition("?")[2])))
    assert not page.exception
    assert not page.warning
    assert page.title[0].value == plain(answer(view, view.settings()).headline)


@EVERY_VIEW
def test_every_setting_has_a_control_with_its_label_and_help(path, open_page):
    page = open_page(path)
    controls = {item.label: item for item in [*page.selectbox, *page.number_input, *page.text_input]}
    for setting in definitions(VIEWS[path].settings).values():
        assert setting.label in controls
        assert setting.help in (controls[setting.label].help or "")


@pytest.mark.parametrize(
    ("path", "query"),
    [
        ("/training-compute", {"since": "2020", "domain": "language"}),
        ("/training-compute", {"since": "2018-06", "until": "2024", "estimator": "quantile", "tau": "0.9"}),
        (
            "/accelerators",
            {"metric": "fp16", "rule": "flagships", "vendor": "nvidia", "interval": "classical"},
        ),
        ("/accelerators", {"curation": "as-exported"}),
        ("/", {"since": "2015", "chips": "all"}),
        ("/data", {"table": "corrections", "find": "NVIDIA"}),
    ],
)
def test_a_link_opens_its_own_numbers(*, path, query, open_page):
    page = open_page(path, **query)
    settings, ignored = read(VIEWS[path], {name: [value] for name, value in query.items()})
    result = answer(VIEWS[path], settings)
    assert not ignored and not page.exception and not page.warning
    assert page.title[0].value == plain(result.headline)
    assert [item.value for item in page.metric] == [item.text for item in result.figures if item.key][:4]


def test_a_damaged_link_says_what_it_ignored_and_keeps_the_rest(open_page):
    page = open_page("/training-compute", since="2020", top="many", nonsense="<b>x</b>")
    said = [warning.value for warning in page.warning]
    assert not page.exception
    assert said == [
        plain("top=many was ignored; allowed: a whole number from 1 to 100."),
        plain(
            "nonsense=<b>x</b> was ignored; allowed: this view has the settings "
            f"{', '.join(definitions(VIEWS['/training-compute'].settings))}."
        ),
    ]
    settings, _ = read(VIEWS["/training-compute"], "since=2020")
    assert page.title[0].value == plain(answer(VIEWS["/training-compute"], settings).headline)


def test_a_link_with_a_thousand_unknown_parts_names_five_and_counts_the_rest(open_page):
    page = open_page("/training-compute", **{f"x{number}": "1" for number in range(1000)})
    assert not page.exception
    assert len(page.warning) == 6
    assert page.warning[-1].value == "995 more parts of the link were ignored."


@pytest.mark.parametrize(
    "value", ["\x00", "a" * 10_000, "🦆", "../../etc/passwd", "2030-13", "-1", "", "None"]
)
@pytest.mark.parametrize("name", ["since", "top", "rule", "tau", "release"])
def test_a_hostile_value_opens_the_default_view_and_says_so(*, name, value, open_page):
    page = open_page("/training-compute", **{name: value})
    assert not page.exception
    assert len(page.warning) == 1
    assert page.warning[0].value.startswith(f"{plain(name)}\\=") or name in page.warning[0].value
    default = answer(VIEWS["/training-compute"], VIEWS["/training-compute"].settings())
    assert page.title[0].value == plain(default.headline)


def test_too_few_points_are_a_sentence_with_the_next_step(open_page):
    page = open_page("/accelerators", since="2029")
    assert not page.exception
    assert page.title[0].value.endswith("no trend can be fitted")
    assert any("Widen the window" in item.value for item in page.markdown)


def test_changing_a_control_changes_the_answer(open_page):
    page = open_page("/training-compute")
    page.selectbox(key="rule").select("notable").run()
    settings, _ = read(VIEWS["/training-compute"], "rule=notable")
    assert not page.exception
    assert page.title[0].value == plain(answer(VIEWS["/training-compute"], settings).headline)


def test_a_window_made_impossible_by_a_control_says_so_and_stays_open(open_page):
    page = open_page("/training-compute", since="2020")
    page.selectbox(key="until").select("2015").run()
    assert not page.exception
    assert plain("until must not come before since (2020)") in page.warning[0].value


def test_methods_lists_every_setting_of_every_view(open_page):
    page = open_page(methods.PATH)
    shown = "\n".join(item.value for item in page.markdown)
    for view in VIEWS.values():
        assert any(expander.label.endswith(f": {view.path}") for expander in page.expander)
        for name, setting in definitions(view.settings).items():
            assert f"| `{name}` |" in shown
            assert setting.help in shown


def test_the_data_page_offers_an_upload_and_promises_not_to_keep_it(open_page):
    page = open_page("/data")
    assert any("Nothing is stored, and nobody else sees them" in item.value for item in page.markdown)
    assert len(page.get("file_uploader")) == 2


def test_no_page_file_is_named_like_a_package_or_a_module_of_python():
    packages = {folder.name for folder in ROOT.iterdir() if (folder / "__init__.py").exists()}
    for file in (ROOT / "pages").glob("*.py"):
        assert file.stem not in packages
        assert file.stem not in sys.stdlib_module_names


def test_every_view_has_a_page_and_the_same_file_name():
    files = {file.stem for file in (ROOT / "pages").glob("*.py")}
    assert {view.build.__module__.split(".")[1] for view in VIEWS.values()} <= files


@pytest.mark.parametrize(
    "text",
    [
        "<b>x</b>",
        "[a](javascript:alert(1))",
        "$x$ :smile: `c`",
        "a_b*c*",
        "# h",
        "1. x",
        "a\n\nb",
        "~~x~~",
        "&lt;",
    ],
)
def test_text_from_a_link_is_never_markup(text):
    import re

    made_safe = plain(text)
    assert not re.search(r"(?<!\\)[`*_\[\]<>$#~|&:]", made_safe)
    assert "\n" not in made_safe
    assert re.sub(r"\\(.)", r"\1", made_safe) == " ".join(text.split())
