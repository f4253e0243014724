"""The page of a view as HTML: what is in it, and that no text of a link is ever markup."""

import re
from dataclasses import replace
from urllib.parse import urlencode

import lxml.html
import pytest
from jinja2 import UndefinedError

from panel.assets import style
from panel.cells import NOTHING
from panel.controls import controls
from panel.page import (
    FIRST_ALLOWED,
    FIRST_ROWS,
    MOST_WARNINGS,
    Onward,
    Shown,
    brief,
    form_address,
    leads_html,
    page_html,
    page_parts,
    table_rows,
    template,
)
from panel.terms import as_set
from tests.views.links import corpus
from views.deck import parse_deck
from views.registry import VIEWS
from views.result import Card, CardLink, Column, Fact, Table
from views.setting_kinds import Choice
from views.settings import definitions
from views.story.steps import STEPS
from views.view import answer, read

EVERY_VIEW = pytest.mark.parametrize("view", VIEWS.values(), ids=lambda view: view.name)
HOSTILE = "\"'><img src=x onerror=alert(1)></script><b>&amp;"


def shown_of(path, query: str | dict[str, list[str]] = ""):
    view = VIEWS[path]
    chosen, ignored = read(view, query)
    return Shown(view=view, settings=chosen, result=answer(view, chosen, ignored=ignored))


def parsed(html):
    return lxml.html.fragment_fromstring(html, create_parent=True)


def words(element):
    return " ".join("".join(map(str, element.itertext())).split())


def part(page, name):
    """Return the markup inside a part of a page, as a browser has it."""
    every = page.xpath(f"//*[@data-part='{name}']")
    found = every[0]
    assert len({words(one) for one in every}) == 1, name
    return (found.text or "") + "".join(str(lxml.html.tostring(one, encoding="unicode")) for one in found)


@EVERY_VIEW
def test_every_view_s_page_at_its_defaults_has_all_its_parts_once(view):
    shown = shown_of(view.path)
    page = parsed(page_html(shown))
    assert len(page.xpath("//article[contains(@class, 'panel')]")) == 1
    assert page.xpath("//*[@data-part='warnings']/*") == []
    assert page.xpath("//*[@data-part='chips']/*") == []
    names = page.xpath("//form//*[@name]/@name | //*[@form = //form/@id]/@name")
    assert sorted(names) == sorted(definitions(view.settings))
    assert page.xpath("//*[@data-exhibit='1']//*[local-name()='svg']")
    ids = page.xpath("//article/@id | //article//*[not(ancestor-or-self::*[local-name()='svg'])]/@id")
    assert len(ids) == len(set(ids))


@EVERY_VIEW
def test_a_part_sent_alone_is_what_the_page_has_there(view):
    for choices in corpus(view, most=5):
        query = urlencode(choices, doseq=True)
        shown = shown_of(view.path, query)
        page = parsed(page_html(shown, drawn=False))
        for name, html in page_parts(shown).items():
            places = page.xpath(f"//*[@data-part='{name}']")
            assert places, name
            alone = parsed(f"<div data-part='{name}'>{html}</div>")
            assert part(page, name).split() == part(alone, name).split(), name


@pytest.mark.parametrize("path", ["/data", "/claims"])
def test_text_of_a_link_is_shown_to_the_letter_and_is_never_markup(path):
    shown = shown_of(path, urlencode({"find": HOSTILE, HOSTILE: HOSTILE}))
    for html in (page_html(shown), *page_parts(shown).values(), page_html(shown, embedded=True)):
        page = parsed(html)
        assert page.xpath("//img | //script | //b[not(ancestor::dd)]") == []
        assert page.xpath("//@*[starts-with(name(), 'on')]") == []
    page = parsed(page_html(shown))
    assert page.xpath("//input[@name='find']/@value") == [HOSTILE]
    assert HOSTILE in words(page.xpath("//*[@data-part='warnings']")[0])


def test_a_text_a_reader_typed_keeps_its_spaces_in_its_control():
    shown = shown_of("/data", urlencode({"find": "90 % of"}))
    assert parsed(page_html(shown)).xpath("//input[@name='find']/@value") == ["90 % of"]


def test_on_the_page_a_number_and_its_per_cent_sign_stay_on_one_line():
    html = page_html(shown_of("/training-compute"), drawn=False)
    page = parsed(html)
    for place in page.xpath("//h1 | //*[@data-part='figures'] | //*[@data-part='source']"):
        assert " %" not in "".join(place.itertext())


def test_five_ignored_parts_are_named_and_the_rest_counted():
    query = urlencode({f"x{number}": "1" for number in range(1000)})
    lines = parsed(page_html(shown_of("/training-compute", query))).xpath("//p[@class='warning']")
    assert len(lines) == MOST_WARNINGS + 1
    assert words(lines[0]).startswith("x0=1 was ignored; allowed: the settings release, ")
    assert words(lines[-1]) == "995 more parts of the link were ignored."


@pytest.mark.parametrize(
    "value", ["\x00", "a" * 10_000, "🦆", "../../etc/passwd", "2030-13", "-1", "", "None"]
)
@pytest.mark.parametrize("name", ["since", "top", "rule", "tau", "release"])
def test_a_hostile_value_gives_the_default_view_and_says_so(name, value):
    shown = shown_of("/training-compute", {name: [value]})
    default = shown_of("/training-compute")
    page = parsed(page_html(shown, drawn=False).replace("\x00", ""))
    assert words(page.xpath("//h1")[0]) == " ".join(default.result.headline.split())
    [warning] = page.xpath("//p[@class='warning']")
    assert words(warning).startswith(f"{name}=")
    assert len(words(warning)) < 500


def test_of_a_long_list_of_what_is_allowed_the_first_words_are_named_and_the_rest_counted():
    [warning] = parsed(page_html(shown_of("/placement", "model=zzz"))).xpath("//p[@class='warning']")
    said = words(warning)
    assert said.startswith("model=zzz was ignored; allowed: usual, custom, ")
    model = definitions(VIEWS["/placement"].settings)["model"]
    assert isinstance(model, Choice)
    models = len(model.options)
    assert said.endswith(f" and {models - FIRST_ALLOWED} more.")
    assert brief("one, two") == "one, two"


def test_choices_off_their_default_are_counted_and_chips_and_only_a_phone_shows_those_of_the_first_row():
    shown = shown_of("/training-compute", "since=2018&interval=classical")
    parts = page_parts(shown)
    chips = parsed(parts["chips"])
    assert chips.xpath("//button[contains(@class, 'in-sight')]/@data-reset") == ["since", "*"]
    assert chips.xpath("//button[not(contains(@class, 'in-sight'))]/@data-reset") == ["interval"]
    assert (parts["adjusted"], parts["changed"]) == (" (1)", " (2)")
    two = parsed(page_parts(shown_of("/training-compute", "level=50&interval=classical"))["chips"])
    assert two.xpath("//button/@data-reset")[-1] == "*"


def test_a_control_that_changes_nothing_now_is_there_and_hidden():
    page = parsed(page_html(shown_of("/training-compute"), drawn=False))
    [field] = page.xpath("//*[@data-field='tau']")
    assert field.get("hidden") is not None
    page = parsed(page_html(shown_of("/training-compute", "estimator=quantile"), drawn=False))
    assert page.xpath("//*[@data-field='tau']")[0].get("hidden") is None


def test_in_a_frame_there_is_the_finding_and_the_way_to_the_full_view_and_nothing_to_press():
    shown = shown_of("/training-compute", "since=2018")
    page = parsed(page_html(shown, embedded=True))
    assert page.xpath("//button | //form | //select | //input | //details | //dl") == []
    assert page.xpath("//a/@href") == [shown.result.link]
    assert shown.result.settings_line.split()[0] in words(page.xpath("//*[@class='source']")[0])


def test_of_own_data_there_is_no_address():
    shown = shown_of("/training-compute")
    own = replace(shown, result=replace(shown.result, link=""))
    assert form_address(own.result, "csv") == ""
    assert form_address(shown.result, "csv").startswith("/training-compute.csv?release=20")
    page = parsed(page_html(own, embedded=True))
    assert page.xpath("//a/@href") == ["/training-compute"]


def test_a_long_table_says_how_much_more_there_is_and_where():
    shown = shown_of("/data")
    rows = table_rows(shown.result.table, csv="/data.csv", most=FIRST_ROWS)
    assert len(rows["rows"]) == FIRST_ROWS
    assert rows["more"] == len(shown.result.table.rows) - FIRST_ROWS > 0
    page = parsed(page_html(shown))
    [line] = page.xpath("//*[@id='table']//p[@class='quiet']")
    assert words(line) == f"{rows['more']} more rows: all of them as CSV."
    assert line.xpath("a/@href") == [form_address(shown.result, "csv")]


def test_a_cell_leads_to_the_web_or_to_a_page_of_ours_and_nowhere_else():
    column = Column(name="l", label="Link", kind="link")
    sound = ("https://arxiv.org/abs/1", "http://a.example", "/training-compute?since=2018")
    unsound = ("javascript:alert(1)", "//evil.example", "data:text/html,x", "arxiv.org", None, 3)
    unsound += ("/\\evil.example", "/\t/evil.example", "\t//evil.example", "/\n/evil.example")
    rows = tuple((cell,) for cell in (*sound, *unsound))
    found = [row[0]["address"] for row in table_rows(Table(columns=(column,), rows=rows))["rows"]]
    assert found == [*sound, *[""] * len(unsound)]


@EVERY_VIEW
def test_every_link_of_a_table_can_be_followed(view):
    for exhibit in shown_of(view.path).result.exhibits:
        rows = table_rows(exhibit.table)
        for row in rows["rows"]:
            for cell, column in zip(row, rows["columns"], strict=True):
                assert bool(cell["address"]) == (column["kind"] == "link" and cell["text"] != NOTHING)


def test_where_to_go_on_is_a_link_with_its_finding_where_that_is_known():
    html = leads_html(
        [Onward(path="/a", question="Why <b>?", finding="So."), Onward(path="/c", question="D")]
    )
    page = parsed(html)
    assert page.xpath("//a/@href") == ["/a", "/c"]
    assert words(page.xpath("//a")[0]) == "Why <b>?"
    assert [words(one) for one in page.xpath("//span")] == ["So."]
    assert leads_html([]) == ""


def test_a_template_that_is_not_given_all_it_needs_is_refused():
    with pytest.raises(UndefinedError, match="'view' is undefined"):
        template("panel.html.j2").render(embedded=False, table_first=False)


def colours(name):
    """Return a colour of the style sheet in light and in dark, as red, green and blue."""
    found = re.search(rf"--{name}: light-dark\((#\w{{6}}), (#\w{{6}})\)", style())
    assert found is not None, name
    return [tuple(int(text[at : at + 2], 16) for at in (1, 3, 5)) for text in found.groups()]


def contrast(one, other):
    """Return the contrast of two colours as WCAG 2.2 has it."""

    def light(colour):
        parts = [part / 255 for part in colour]
        linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2] + 0.05

    brighter, darker = sorted((light(one), light(other)), reverse=True)
    return brighter / darker


@pytest.mark.parametrize("name", ["ink", "quiet", "link", "good", "part", "bad"])
def test_every_colour_of_words_can_be_read_on_the_page_in_light_and_in_dark(name):
    for words_in, ground in zip(colours(name), colours("ground"), strict=True):
        assert contrast(words_in, ground) >= 4.5


def test_a_card_says_its_verdict_in_words_beside_its_tone_and_its_facts_as_a_list():
    card = Card(
        name="c1",
        title="Memory keeps up <b>",
        verdict="Does not hold",
        tone="bad",
        facts=(Fact(label="Ours", text="28 %", note="19–37 %"), Fact(label="Claimed", text="4×")),
        text="The claim lies outside.",
        links=(CardLink(address="/growth-gap", text="Our number"),),
    )
    shown = shown_of("/training-compute")
    page = parsed(page_html(replace(shown, result=replace(shown.result, cards=(card,))), drawn=False))
    [found] = page.xpath("//section[@class='card']")
    assert (found.get("id"), found.get("data-tone")) == ("c1", "bad")
    assert words(found.xpath("p[@class='verdict']")[0]) == "Does not hold"
    assert words(found.xpath("h2")[0]) == "Memory keeps up <b>"
    assert [words(one) for one in found.xpath(".//dt")] == ["Ours", "Claimed"]
    assert [words(one) for one in found.xpath(".//dd")] == ["28 % 19–37 %", "4×"]
    assert found.xpath(".//a/@href") == ["/growth-gap"]
    for tone in ("good", "part", "bad"):
        assert re.search(rf'data-tone="{tone}"\] {{ --tone: var\(--{tone}\); --sign: "\S"', style()), tone


def doors(path, query: str | dict[str, list[str]] = ""):
    return parsed(page_html(shown_of(path, query))).xpath("//nav[@data-part='doors']/a")


def test_the_start_page_has_four_doors_that_lead_somewhere_without_a_script():
    found = doors("/", "since=2016")
    assert [words(door.find("b")) for door in found] == [
        "Quote it",
        "Decide with it",
        "Check a claim",
        "Present it",
    ]
    quote, decide, check, present = (door.get("href") for door in found)
    result = shown_of("/", "since=2016").result
    assert quote == form_address(result, "bib")
    assert [door.get("data-act") for door in found] == ["quote", None, None, None]
    assert {decide, check} <= set(VIEWS)
    deck, ignored = parse_deck(present.partition("?")[2])
    assert present.startswith("/deck?") and not ignored
    assert deck.items[0].link == result.link


def test_the_doors_follow_the_choices_and_other_pages_have_none():
    shown = shown_of("/", "since=2016")
    assert page_parts(shown)["doors"] == part(parsed(page_html(shown)), "doors")
    assert page_parts(shown)["doors"] != page_parts(shown_of("/"))["doors"]
    assert not doors("/growth-gap") and "doors" not in page_parts(shown_of("/growth-gap"))
    assert not parsed(page_html(shown, embedded=True)).xpath("//nav")


def test_a_readers_own_data_can_be_quoted_but_no_deck_can_carry_them():
    shown = shown_of("/")
    own = replace(shown, result=replace(shown.result, link="", short_link="", printed_link=""))
    found = parsed(page_html(own)).xpath("//nav[@data-part='doors']/a")
    assert [door.get("href") for door in found] == ["#share", "/placement", "/claims"]


def steps_of(query):
    """Return the links of the way on and back by what they are, and all steps, as (word, address, current)."""
    page = parsed(page_html(shown_of("/story", query)))
    ways = {link.get("rel"): link for link in page.xpath("//nav[@class='ways']/a")}
    listed = page.xpath("//ol[@class='steps']/li/a")
    return ways, [(link.get("data-word"), link.get("href"), link.get("aria-current")) for link in listed]


def test_a_walk_has_its_steps_in_order_as_links_and_marks_the_one_shown():
    _, listed = steps_of("step=gap&release=2025-11")
    assert [word for word, _, _ in listed] == [step.word for step in STEPS]
    assert [word for word, _, current in listed if current == "step"] == ["gap"]
    assert listed[0][1] == "/story?release=2025-11"
    assert listed[3][1] == "/story?release=2025-11&step=like-for-like"
    verdicts = parsed(page_html(shown_of("/story", "step=gap"))).xpath("//ol//span[@class='verdict']")
    assert [(words(one), one.get("data-tone")) for one in verdicts[:4]] == [
        ("Supported", "good"),
        ("Supported", "good"),
        ("Wrong", "bad"),
        ("Not in the articles", "none"),
    ]


@pytest.mark.parametrize("step", STEPS, ids=lambda step: step.word)
def test_a_step_leads_to_the_one_before_and_the_one_after(step):
    ways, listed = steps_of(f"step={step.word}")
    at = STEPS.index(step)
    addresses = [address for _, address, _ in listed]
    expected = {
        **({"prev": addresses[at - 1]} if at else {}),
        **({"next": addresses[at + 1]} if at + 1 < len(STEPS) else {}),
    }
    assert {way: link.get("href") for way, link in ways.items()} == expected


def test_a_step_is_no_choice_to_take_back_and_its_chart_stands_before_its_verdict():
    shown = shown_of("/story", "step=gap")
    held = controls(shown.settings)
    assert not held.chips and not held.pills and [one.name for one in held.steps] == ["step"]
    page = parsed(page_html(shown))
    order = [one.get("id") or one.get("data-part") for one in page.xpath("//article/*")]
    assert (
        order.index("chart")
        < order.index("figures")
        < order.index("ways")
        < order.index("cards")
        < order.index("steps")
    )
    assert page.xpath("//form[@id='controls']//input[@name='step']/@value") == ["gap"]
    assert not parsed(page_html(shown, embedded=True)).xpath("//nav")


def test_the_story_is_presented_as_the_deck_it_makes():
    present, slides, quote, check = (door.get("href") for door in doors("/story", "step=gap"))
    assert present == f"{slides}&present=1"
    deck, ignored = parse_deck(slides.partition("?")[2])
    assert not ignored and len(deck.items) == len(STEPS)
    assert (quote.partition("?")[0], check) == ("/story.bib", "/claims")


@EVERY_VIEW
def test_every_control_tells_its_help_to_who_does_not_see(view):
    page = parsed(page_html(shown_of(view.path)))
    for name, setting in definitions(view.settings).items():
        told = as_set(setting.help) or None
        for control in page.xpath(f"//*[@name='{name}'][not(@type='hidden')]"):
            assert control.get("aria-description") == told
