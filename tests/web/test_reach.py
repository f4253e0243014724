import re

import lxml.etree as etree
import pytest

from panel.menu import PLAIN_PAGES
from tests.web.served import client
from views.registry import VIEWS
from web.forms import FORMS

PUBLIC = "https://gap.example"


@pytest.fixture
def public():
    return client(PUBLIC_URL=PUBLIC)


def test_the_map_of_the_site_names_every_page_once(public):
    answer = public.get("/sitemap.xml")
    assert answer.headers["content-type"].startswith("application/xml")
    root = etree.fromstring(answer.content)
    places = [place.text for place in root.iterfind(".//{http://www.sitemaps.org/schemas/sitemap/0.9}loc")]
    assert places == [f"{PUBLIC}{path}" for path in (*VIEWS, *PLAIN_PAGES)]


def test_crawlers_are_told_where_the_map_is_and_kept_from_sessions(public):
    answer = public.get("/robots.txt")
    assert answer.headers["content-type"].startswith("text/plain")
    assert f"Sitemap: {PUBLIC}/sitemap.xml\n" in answer.text
    assert "Disallow: /_stcore/\n" in answer.text
    assert not any(f"Disallow: {path}\n" in answer.text for path in VIEWS)


def test_a_language_model_is_told_every_view_and_form_and_each_address_answers(public):
    answer = public.get("/llms.txt")
    assert answer.headers["content-type"].startswith("text/markdown")
    assert answer.text.startswith("# Scaling Gap\n\n> ")
    for view in VIEWS.values():
        assert f"]({PUBLIC}{view.path}): {view.question}" in answer.text
    for extension in FORMS:
        assert f"`.{extension}`" in answer.text
    own = re.findall(rf"`{PUBLIC}(\S+?)`|\]\({PUBLIC}(/api\S+?)\)", answer.text)
    paths = [one or other for one, other in own]
    assert len(paths) == 4
    for path in paths:
        assert public.get(path, headers={"Host": "gap.example"}).status_code == 200


@pytest.mark.parametrize("path", ["/robots.txt", "/sitemap.xml", "/llms.txt"])
def test_the_files_are_only_read(public, path):
    assert public.head(path).status_code == 200
    assert public.post(path).status_code == 404  # as any other address that takes no such thing
