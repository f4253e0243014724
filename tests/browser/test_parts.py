"""The parts of a page below its chart: opened by the address, sorted, searched, read by those who do not see."""

from tests.browser.reader import choose, open_exhibits, panel, result_of, spaced, until_shows


def rows_of(page, *, exhibit=1):
    return panel(page).locator(f'[data-table="{exhibit}"] tbody tr')


def column(page, number):
    return page.locator(f"#table tbody td:nth-child({number})").all_inner_texts()


def open_table(page):
    panel(page).locator("#table > summary").click()
    panel(page).locator("#table .scroller tbody tr").first.wait_for()


def test_an_exhibit_named_in_the_address_is_opened_with_its_section_and_brought_into_sight(open_page):
    page = open_page("/growth-gap#exhibit-4")
    exhibit = panel(page).locator("#exhibit-4")
    exhibit.locator(".live.js-plotly-plot .main-svg").first.wait_for(state="visible")
    assert exhibit.evaluate("one => one.open && one.parentElement.closest('details').open")
    assert panel(page).locator(".exhibit[open]").count() == 1
    assert not panel(page).locator("#method").evaluate("one => one.open")
    page.wait_for_timeout(500)  # what comes later above it does not take it out of sight
    box = exhibit.bounding_box() or {}
    assert -1 <= box["y"] < 700, box


def test_exhibits_stand_closed_are_drawn_when_opened_and_have_tables_and_sources_of_their_own(open_page):
    page = open_page("/growth-gap")
    result = result_of("/growth-gap")
    titles = panel(page).locator(".exhibit .title").all_text_contents()
    assert sorted(map(spaced, titles)) == sorted(exhibit.chart.title for exhibit in result.exhibits[1:])
    closed = panel(page).locator("details.exhibit")
    assert closed.count() >= 2 and panel(page).locator("details[open]").count() == 0
    panel(page).locator(".source").first.scroll_into_view_if_needed()
    page.wait_for_timeout(300)
    assert panel(page).locator(".exhibit .plot[data-drawn]").count() == 0
    assert panel(page).locator(".source:visible").count() == 1
    section = closed.last.locator("xpath=ancestor::details")
    section.locator("> summary").click()
    closed.last.locator("> summary").click()
    closed.last.locator(".live.js-plotly-plot .main-svg").first.wait_for(state="visible")
    assert panel(page).locator(".exhibit .plot[data-drawn]").count() == 1
    open_exhibits(page)
    own = [one.chart.source for one in result.exhibits[1:] if one.chart.source != result.settings_line]
    assert own and panel(page).locator(".source:visible").count() == 1 + len(own)
    for number, exhibit in enumerate(result.exhibits[1:], start=2):
        section = panel(page).locator(f'[data-table="{number}"]')
        section.locator("> summary").click()
        section.locator(".scroller tbody tr").first.wait_for()
        assert section.locator(".tools").inner_text().strip().startswith(f"{len(exhibit.table.rows):,} row")
        assert spaced(section.locator("caption").inner_text()) == exhibit.chart.title


def check_sections(page):
    """A section with nothing in it is not shown."""
    for name in ("sure", "changes"):
        section = panel(page).locator(f"#{name}")
        assert section.is_visible() == (section.locator("> div > *").count() > 0)
    panel(page).locator("#method > div").evaluate("one => one.replaceChildren()")
    assert not panel(page).locator("#method").is_visible()


def test_a_part_named_in_the_address_later_is_opened_too_and_a_reader_who_scrolls_is_left_alone(open_page):
    page = open_page("/training-compute")
    page.evaluate("() => { location.hash = 'method' }")
    page.wait_for_function("() => document.querySelector('.panel #method').open")
    seen = "() => document.querySelector('.panel #method').getBoundingClientRect().top < innerHeight"
    page.wait_for_function(seen)
    page.mouse.move(600, 400)
    page.mouse.wheel(0, -3000)
    page.wait_for_timeout(400)
    choose(page, "since", to="2018")
    page.wait_for_timeout(400)
    assert page.locator("h1").bounding_box()["y"] > 0


def test_the_table_is_whole_says_how_long_it_is_is_sorted_up_and_down_and_follows_the_choices(open_page):
    page = open_page("/accelerators")
    open_table(page)
    table = result_of("/accelerators").table
    tools = panel(page).locator("#table .tools")
    assert tools.inner_text().strip() == f"{len(table.rows):,} rows"
    headings = panel(page).locator("#table th").all_inner_texts()
    assert len(headings) == len(table.columns)
    for heading, of in zip(headings, table.columns, strict=True):
        assert of.label in heading
    place = next(k for k, of in enumerate(table.columns) if of.kind == "number")
    head = panel(page).locator("#table th").nth(place)
    for order, backwards in (("ascending", False), ("descending", True)):
        head.get_by_role("button").click()
        assert head.get_attribute("aria-sort") == order
        names = column(page, 1)
        values = dict(zip([row[0] for row in table.rows], [row[place] for row in table.rows], strict=True))
        shown = [values[name] for name in names]
        there = [value for value in shown if value is not None and value == value]
        assert shown[: len(there)] == there == sorted(there, reverse=backwards)  # the empty ones last
    choose(page, "since", to="2024")
    fewer = len(result_of("/accelerators?since=2024").table.rows)
    page.wait_for_function(
        "text => document.querySelector('#table .tools').innerText.trim() === text", arg=f"{fewer:,} rows"
    )


def test_a_cell_of_ours_leads_there_and_one_of_the_web_to_another_tab(open_page):
    page = open_page("/claims#table")
    panel(page).locator("#table .scroller tbody tr").first.wait_for()
    ours = panel(page).locator("#table td a[href^='/']").first
    assert ours.get_attribute("target") is None
    assert panel(page).locator("#table td a[href^='https://']").first.get_attribute("target") == "_blank"
    link = ours.get_attribute("href") or ""
    ours.click()
    until_shows(page, link)


def test_a_long_table_is_drawn_as_the_reader_goes_down_and_words_find_their_rows(open_page):
    page = open_page("/training-compute?rule=notable#table")
    box = panel(page).get_by_role("searchbox", name="Search the table")
    box.wait_for()
    every = len(result_of("/training-compute?rule=notable").table.rows)
    panel(page).locator("#table .scroller tbody tr").first.wait_for()
    assert rows_of(page).count() < every
    for _ in range(40):
        panel(page).locator("#table .scroller").evaluate("one => { one.scrollTop = one.scrollHeight }")
        page.wait_for_timeout(30)
    assert rows_of(page).count() == every
    box.fill("llama 405b")
    count = panel(page).locator("#table .tools").inner_text().strip()
    matches, _, of = count.partition(" of ")
    assert 0 < int(matches) < 10 and of == f"{every:,} rows"
    for row in rows_of(page).all_inner_texts():
        assert "llama" in row.lower() and "405b" in row.lower()
    check_sections(page)
    box.fill("nothing like this")
    assert panel(page).locator("#table .tools").inner_text().strip() == f"0 of {every:,} rows"
    assert rows_of(page).count() == 0
