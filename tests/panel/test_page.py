"""The page of a view as HTML: what is in it, and that no text of a link is ever markup."""

import re
from dataclasses import replace
from urllib.parse import urlencode

import pytest

from charts.colours import contrast
from panel.assets import STYLES, text_of
from panel.cells import NOTHING
from panel.controls import controls
from panel.page import (
    FIRST_ALLOWED,
    MOST_WARNINGS,
    Onward,
    brief,
    form_address,
    leads_html,
    page_html,
    page_parts,
    table_rows,
)
from panel.terms import as_set
from tests.panel.shown import EVERY_VIEW, page_of, shown_of
from tests.web.document import inside, words
from views.deck import parse_deck
from views.registry import VIEWS
from views.result import Card, CardLink, Column, Fact, Table
from views.setting_kinds import Choice, Decimal, WholeNumber
from views.settings import definitions
from views.story.settings import STEPS
from views.view import read


@EVERY_VIEW
def test_every_view_s_page_at_its_defaults_has_all_its_parts_once(view):
    page = inside(page_html(shown_of(view.path)))
    assert len(page.xpath("//article[contains(@class, 'panel')]")) == 1
    assert page.xpath("//*[@data-part='warnings']/*") == page.xpath("//*[@data-part='chips']/*") == []
    names = page.xpath("//form//*[@name]/@name | //*[@form = //form/@id]/@name")
    assert sorted(names) == sorted([*definitions(view.settings), *["vs"] * view.comparable])
    assert page.xpath("//*[@data-exhibit='1']//*[local-name()='svg']")
    ids = page.xpath("//article/@id | //article//*[not(ancestor-or-self::*[local-name()='svg'])]/@id")
    assert len(ids) == len(set(ids))
    for name, setting in definitions(view.settings).items():
        for control in page.xpath(f"//*[@name='{name}'][not(@type='hidden')]"):
            assert control.get("aria-description") == (as_set(setting.help) or None)
            if isinstance(setting, WholeNumber | Decimal):
                bounds = [float(control.get(name)) for name in ("min", "max", "data-step")]
                assert bounds == [setting.low, setting.high, getattr(setting, "step", 1)]


def test_text_keeps_its_spaces_in_a_control_and_a_number_its_per_cent_sign_on_its_line():
    found = page_of("/data", urlencode({"find": "90 % of"}))
    assert found.xpath("//input[@name='find']/@value") == ["90 % of"]
    assert page_of("/data", "note=Ours").xpath("//span[@class='sender']/bdi/text()") == ["“Ours”"]
    places = page_of("/training-compute").xpath("//h1 | //*[@data-part='figures'] | //*[@data-part='source']")
    assert places and not any(" %" in "".join(place.itertext()) for place in places)


def test_of_what_was_ignored_and_of_what_is_allowed_the_first_are_named_and_the_rest_counted():
    query = urlencode({f"x{number}": "1" for number in range(1000)})
    lines = [words(line) for line in page_of("/training-compute", query).xpath("//p[@class='warning']")]
    assert len(lines) == MOST_WARNINGS + 1
    assert lines[0].startswith("x0=1 was ignored; allowed: the settings release, ")
    assert lines[-1] == "995 more parts of the link were ignored."
    [warning] = page_of("/placement", "model=zzz").xpath("//p[@class='warning']")
    assert words(warning).startswith("model=zzz was ignored; allowed: usual, custom, ")
    model = definitions(VIEWS["/placement"].settings)["model"]
    assert isinstance(model, Choice)
    assert words(warning).endswith(f" and {len(model.options) - FIRST_ALLOWED} more.")
    assert brief(whole := ", ".join("abcdefghijkl")) == whole


def test_choices_off_their_default_are_counted_and_chips_and_only_a_phone_shows_those_of_the_first_row():
    parts = page_parts(shown_of("/training-compute", "since=2018&interval=classical"))
    chips = inside(parts["chips"])
    assert chips.xpath("//button[contains(@class, 'in-sight')]/@data-reset") == ["since", "*"]
    assert chips.xpath("//button[not(contains(@class, 'in-sight'))]/@data-reset") == ["interval"]
    assert (parts["adjusted"], parts["changed"]) == (" (1)", " (2)")
    two = inside(page_parts(shown_of("/training-compute", "level=50&interval=classical"))["chips"])
    assert two.xpath("//button/@data-reset")[-1] == "*"
    for vs, pin in (("", "Pin"), ("since%3D2016", "Unpin"), ("every:domain", "Show one")):
        assert page_parts(shown_of("/training-compute", f"vs={vs}"))["pin"] == pin


def test_a_control_that_changes_nothing_now_is_hidden_and_what_few_replace_folded():
    for query, hidden in (("", True), ("estimator=quantile", False)):
        [field] = page_of("/training-compute", query).xpath("//*[@data-field='tau']")
        assert (field.get("hidden") is not None) == hidden
    for query, opened in (("", False), ("peak=1500", True)):
        folded = page_of("/training-run", query).xpath("//details[contains(@class, 'adjust')]/details")
        own = [one for one in folded if one.get("class") == "fold"]
        folds = {one.findtext("summary"): "open" in one.attrib for one in own}
        assert folds == {"Own chip": opened, "Reliability": False}


def test_of_own_data_there_is_no_address():
    shown = shown_of("/training-compute")
    own = replace(shown, result=replace(shown.result, link=""))
    assert form_address(own.result, "csv") == ""
    assert form_address(shown.result, "csv").startswith("/training-compute.csv?release=20")
    assert inside(page_html(own, embedded=True)).xpath("//a/@href") == ["/training-compute"]


def test_a_cell_leads_to_the_web_or_to_a_page_of_ours_and_nowhere_else():
    column = Column(name="l", label="Link", kind="link")
    sound = ("https://arxiv.org/abs/1", "http://a.example", "/training-compute?since=2018")
    unsound = ("javascript:alert(1)", "//evil.example", "data:text/html,x", "arxiv.org", None, 3)
    unsound += ("/\\evil.example", "/\t/evil.example", "\t//evil.example", "/\n/evil.example")
    rows = table_rows(Table(columns=(column,), rows=tuple((cell,) for cell in (*sound, *unsound))))["rows"]
    assert [row[0]["address"] for row in rows] == [*sound, *[""] * len(unsound)]


@EVERY_VIEW
def test_every_link_of_a_table_can_be_followed(view):
    for exhibit in shown_of(view.path).result.exhibits:
        rows = table_rows(exhibit.table)
        for row in rows["rows"]:
            for cell, column in zip(row, rows["columns"], strict=True):
                assert bool(cell["address"]) == (column["kind"] == "link" and cell["text"] != NOTHING)


def test_where_to_go_on_is_a_link_with_its_finding_where_that_is_known():
    leads = [Onward(path="/a", question="Why <b>?", finding="So."), Onward(path="/c", question="D")]
    page = inside(leads_html(leads))
    assert page.xpath("//a/@href") == ["/a", "/c"]
    assert words(page.xpath("//a")[0]) == "Why <b>?"
    assert [words(one) for one in page.xpath("//span")] == ["So."]
    assert leads_html([]) == ""


@pytest.mark.parametrize("name", ["ink", "quiet", "link", "good", "part", "bad"])
def test_every_colour_of_words_can_be_read_on_the_page_in_light_and_in_dark(name):
    colours = re.findall(r"--(\w+): light-dark\((#\w{6}), (#\w{6})\)", text_of(*STYLES))
    pairs = {name: pair for name, *pair in colours}
    assert all(contrast(*both) >= 4.5 for both in zip(pairs[name], pairs["ground"], strict=True))


def test_a_card_says_its_verdict_in_words_beside_its_tone_and_its_facts_as_a_list():
    facts = (Fact(label="Ours", text="28%", note="19–37%"), Fact(label="Claimed", text="4×"))
    links = (CardLink(address="/growth-gap", text="Our number"),)
    said = {"title": "Memory keeps up <b>", "verdict": "Does not hold", "text": "The claim lies outside."}
    card = Card(name="c1", tone="bad", **said, facts=facts, links=links)
    shown = shown_of("/training-compute")
    page = inside(page_html(replace(shown, result=replace(shown.result, cards=(card,))), drawn=False))
    [section] = page.xpath("//section[@class='card']")
    assert (section.get("id"), section.get("data-tone")) == ("c1", "bad")
    texts = [words(one) for one in section.xpath("p[@class='verdict'] | h2 | .//dt | .//dd")]
    assert sorted(texts) == ["28% 19–37%", "4×", "Claimed", "Does not hold", "Memory keeps up <b>", "Ours"]
    assert section.xpath(".//a/@href") == ["/growth-gap"]
    for tone in ("good", "part", "bad"):
        look = rf'data-tone="{tone}"\] {{ --tone: var\(--{tone}\); --sign: "\S"'
        assert re.search(look, text_of(*STYLES)), tone


def doors(shown, **how):
    return inside(page_html(shown, **how)).xpath("//nav[@data-part='doors']/a")


def test_the_start_page_has_four_doors_that_lead_somewhere_without_a_script():
    shown = shown_of("/", "since=2016")
    links = doors(shown)
    names = [words(door.find("b")) for door in links]
    assert names == ["Quote it", "Decide with it", "Check a claim", "Present it"]
    quote, decide, check, present = (door.get("href") for door in links)
    assert quote == form_address(shown.result, "bib")
    assert [door.get("data-act") for door in links] == ["quote", None, None, None]
    assert {decide, check} <= set(VIEWS)
    deck, ignored = parse_deck(present.partition("?")[2])
    assert present.startswith("/deck?") and not ignored
    assert deck.items[0].link == shown.result.link
    assert not doors(shown, embedded=True) and not doors(shown_of("/growth-gap"))
    own = replace(shown, result=replace(shown.result, link="", short_link="", printed_link=""))
    assert [door.get("href") for door in doors(own)] == ["#share", "/placement", "/claims"]


@pytest.mark.parametrize("step", STEPS, ids=lambda step: step.word)
def test_a_walk_has_its_steps_in_order_marks_the_one_shown_and_leads_on_and_back(step):
    page = page_of("/story", f"step={step.word}&release=2025-11")
    listed = page.xpath("//ol[@class='steps']/li/a")
    assert [link.get("data-word") for link in listed] == [one.word for one in STEPS]
    assert [link.get("data-word") for link in listed if link.get("aria-current") == "step"] == [step.word]
    addresses = [link.get("href") for link in listed]
    assert addresses[0] == "/story?release=2025-11"
    assert addresses[3] == "/story?release=2025-11&step=chips"
    at = STEPS.index(step)
    assert words(page.xpath("//nav[@class='ways']//b")[0]) == f"Step {at + 1} of {len(STEPS)}"
    ways = {link.get("rel"): link.get("href") for link in page.xpath("//nav[@class='ways']/a")}
    assert ways.pop("prev", None) == (addresses[at - 1] if at else None)
    assert ways == ({"next": addresses[at + 1]} if at + 1 < len(STEPS) else {})


def test_a_step_is_no_choice_its_chart_stands_before_its_verdict_and_an_earlier_one_leads_to_the_first():
    held = controls(shown_of("/story", "step=gap").settings)
    assert not held.chips and not held.pills and [one.name for one in held.steps] == ["step"]
    page = page_of("/story", "step=gap")
    order = [one.get("id") or one.get("data-part") for one in page.xpath("//article/*")]
    places = [order.index(name) for name in ("chart", "figures", "ways", "cards", "steps")]
    assert places == sorted(places)
    assert page.xpath("//form[@id='controls']//input[@name='step']/@value") == ["gap"]
    assert not page_of("/story", "step=gap", embedded=True).xpath("//nav")
    verdicts = page.xpath("//ol//span[@class='verdict']")
    shown = [(words(one), one.get("data-tone")) for one in verdicts[2:4]]
    assert shown == [("Wrong", "bad"), ("Supported", "good")]
    page = page_of("/story", "step=place")
    assert not page.xpath("//ol[@class='steps']//*[@aria-current]")
    assert page.xpath("//nav[@class='ways']/a/@href") == ["/story"]


def test_the_story_is_presented_as_the_deck_it_makes():
    present, slides, quote = (door.get("href") for door in doors(shown_of("/story", "step=gap")))
    assert present == f"{slides}&present=1"
    deck, ignored = parse_deck(slides.partition("?")[2])
    assert not ignored and len(deck.items) == len(STEPS)
    assert quote.partition("?")[0] == "/story.bib"


def test_what_changes_this_links_to_all_options_of_each_setting_that_has_few():
    page = page_of("/training-run", "accelerators=2048")
    links = page.xpath("//details[@id='changes']//a[@data-choose='vs']")
    for link in links:
        (path, _, query), word = link.get("href").partition("?"), link.get("data-word")
        settings, ignored = read(VIEWS[path], query)
        assert (settings.vs, ignored, settings.described()["accelerators"]) == (word, (), "2048")
    assert "Matrix precision" in [link.text for link in links]
    assert not page_of("/claims").xpath("//a[@data-choose='vs']")
