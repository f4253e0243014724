from pages.text import plain
from views.overview import leads
from views.registry import VIEWS


def test_the_start_page_shows_the_finding_of_each_view_it_leads_to(open_page):
    page = open_page("/", release="2025-11")
    told = [caption.value for caption in page.caption]
    for lead in leads(VIEWS, release="2025-11"):
        assert plain(lead.finding) in told
