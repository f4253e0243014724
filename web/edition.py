"""Write the site as plain files: `python -m web.edition edition --links links.txt`; `make edition` runs it.

An edition contains every view at its defaults, each step of the story, each table, the briefing, and any given links.
Pages have live charts, pictures, numbers, slides, citations and a search. They open from a folder without a network.
A manifest has the SHA-256 of each file. Parts of the site that need a server are omitted.
"""

import argparse
import base64
import hashlib
import json
import re
import sys
import zipfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from lxml import html
from markupsafe import Markup

from charts import plotly, svg
from charts.style_sheet import style_sheet
from data import releases
from panel.answer import finding, further
from panel.assets import FOLDER, PLOTLY, STYLES, text_of
from panel.deck_file import deck_file
from panel.document import script_safe
from panel.menu import bar
from panel.page import Shown, page_html
from views import deck, written
from views.briefing import briefing
from views.methods import text as methods
from views.registry import VIEWS, tab_title
from views.resolve import LinkError, view_and_settings
from views.result import Result
from views.setting_kinds import Choice
from views.settings import definitions
from views.short_link.letters import ShortLinkError
from views.view import ReleaseSettings, View, answer, link, pinned, read, short, split
from web.code_version import code_version
from web.forms import FORMS, Order
from web.markdown import html_of
from web.search_index import index
from web.shell import Shell
from web.templating import template

EXTENSIONS = ("png", "csv", "json", "pptx", "bib")
BRIEFING, METHODS, SEARCH, MANIFEST = "briefing.pptx", "methods.html", "search.html", "manifest.json"
EACH = (("/story", "step"), ("/data", "table"))
"""Views with a setting whose every option gets a page."""
ZIP_DATE = (1980, 1, 1, 0, 0, 0)
"""Date of every file in the archive. It is constant, so that the archive is reproducible."""
STATED = written.toml(__file__, name="edition.toml")
OF_CLASS = ".//*[contains(concat(' ', @class, ' '), ' {} ')]"
NEEDS_SERVER = "|".join((*STATED["parts"], *map(OF_CLASS.format, STATED["classes"])))
"""XPath of the page parts that need the server or its scripts."""
STYLE = style_sheet(Path(__file__).with_suffix(".css"))

Files = dict[str, bytes]
Local = Callable[[str], str]
"""Function that converts an address of the site to a link from a page of the edition."""


def edition(*, release: str, site: str, today: date, links: Sequence[str] = ()) -> Files:
    """Return every file of the edition, keyed by name.

    ``site`` is scheme and host of the server for other choices. Each of ``links`` has a page besides the defaults.

    Raises LinkError or ShortLinkError if a link has no known view or an invalid setting.
    """
    pages = {link(view, settings): (view, settings) for view, settings in _chosen(release, links)}
    names = {address: _name(view, address) for address, (view, _) in pages.items()}
    others = {deck.PATH: BRIEFING, methods.PATH: METHODS}

    def local(address: str) -> str:
        whole, mark, part = address.partition("#")
        path, _, query = whole.partition("?")
        stem, _, extension = path.rpartition(".")
        view = VIEWS.get(path) or next((one for one in VIEWS.values() if f"/{one.name}" == stem), None)
        name = others.get(path)
        if view and not name:
            query = query if "release=" in query else f"release={release}&{query}"
            name = names.get(link(view, read(view, query)[0]), "")
            name = name if path in VIEWS or not name else f"{name.removesuffix('.html')}.{extension}"
        return f"{name}{mark}{part}" if name else f"{site}{address}"

    notice = f"A copy of {release} in plain files, made on {today.isoformat()}."
    files, made = _assets(), {"local": local, "site": site, "notice": notice, "folder": True}
    for address, (view, settings) in pages.items():
        result = answer(view, settings)
        stem = names[address].removesuffix(".html")
        for extension in EXTENSIONS:
            form = FORMS[extension]
            order = Order(result=result, options=form.options(), origin=site, today=today)
            files[f"{stem}.{extension}"] = form.write(order)
        files[names[address]] = _page(Shown(view=view, settings=settings, result=result), stem=stem, **made)
    entries = [[*one[:3], local(one[3]), *one[4:]] for one in index()["entries"]]
    field = '<article class="panel" id="search"><h1>Search</h1><input aria-label="Search" autofocus><ul></ul></article>'
    data = {"entries": script_safe({"entries": entries})}
    files[SEARCH] = _document(field, path="", title="Search", data=data, **made)
    files[BRIEFING] = deck_file(briefing(read(VIEWS["/"], f"release={release}")[0]), origin=site)
    sections = (*methods.NUMBERS, methods.SETTINGS, *methods.settings_sections())
    words = template("edition_methods.html.j2").render(sections=sections, methods=methods, text=html_of)
    files[METHODS] = _document(words, path=methods.PATH, title=methods.TITLE, **made)
    by_link = names | {short(*pages[address]): name for address, name in names.items()}
    for one in links:
        # Such a character would end the quoted text; links from Share have none.
        if not split(one)[0].endswith(deck.PATH) and not re.search(r'["\\$\s]', one):
            view, settings = view_and_settings(one)
            by_link["?".join(split(one))] = names[link(view, pinned(settings))]
    files["links.map"] = "".join(f'"{address}" /{name};\n' for address, name in by_link.items()).encode()
    digests = {name: hashlib.sha256(files[name]).hexdigest() for name in sorted(files)}
    made_by = {"release": release, "code": code_version(), "made_on": today.isoformat(), "site": site}
    files[MANIFEST] = json.dumps({**made_by, "sha256": digests}, indent=1).encode()
    return files


def one_file(result: Result, *, site: str) -> bytes:
    """Return the page of a view as one file with style, font and scripts. Its links go to the site."""
    path, query = split(result.link)
    view = VIEWS[path]
    style, script = _in_one()
    return _page(
        Shown(view=view, settings=read(view, query)[0], result=result),
        stem=f"{site}/{view.name}",
        query=f"?{query}",
        site=site,
        notice=f"A copy of {result.release} in one file.",
        local=site.__add__,
        style=Markup(f"<style>{style}</style>"),
        script=Markup(f"<script>{script}</script>"),
    )


@cache
def _in_one() -> tuple[str, str]:
    """Return style and script, including the font and the chart library."""
    files = _assets()
    style, script = (files[name].decode() for name in ("edition.css", "edition.js"))
    for name, kind in (("plotly.js", "text/javascript"), ("font.woff2", "font/woff2")):
        data = f"data:{kind};base64,{base64.b64encode(files[name]).decode()}"
        style, script = style.replace(name, data), script.replace(name, data)
    return style, script


def _chosen(release: str, links: Sequence[str]) -> Iterator[tuple[View, ReleaseSettings]]:
    """Yield every view with each set of settings that has its own page."""
    own = f"release={release}"
    for view in VIEWS.values():
        yield view, read(view, own)[0]
    for path, name in EACH:
        setting = definitions(VIEWS[path].settings)[name]
        for word in setting.options if isinstance(setting, Choice) else ():
            yield VIEWS[path], read(VIEWS[path], f"{own}&{name}={word}")[0]
    for address in links:
        path, _, query = address.partition("?")
        if path.endswith(deck.PATH):
            yield from ((item.view, item.settings) for item in deck.parse_deck(query)[0].items)
        else:
            view, settings = view_and_settings(address)
            yield view, pinned(settings)


def _name(view: View, address: str) -> str:
    """Return the name of a page: its view's name and, unless settings are the defaults, a digest of its link."""
    release = re.search(r"release=([^&]+)", address)
    usual = link(view, read(view, f"release={release[1]}")[0]) if release else ""
    stem = (
        view.name if address == usual else f"{view.name}-{hashlib.sha256(address.encode()).hexdigest()[:10]}"
    )
    return "index.html" if stem == "overview" else f"{stem}.html"


def _page(shown: Shown, *, stem: str, site: str, query: str = "", **made: Any) -> bytes:
    """Return the page of a view as on the site, with all exhibits and file addresses."""
    article = html.fromstring(page_html(shown))
    more = further(shown)
    charts = {"chart-1": finding(shown)["chart"]}
    (first,) = article.xpath(".//*[@data-exhibit='1']")
    first.set("data-chart", "chart-1")
    for number, one in enumerate(more["exhibits"], start=2):
        charts[f"chart-{number}"] = one["chart"]
        drawing = Markup(svg.svg(shown.result.exhibits[number - 1].chart))
        text = template("edition_exhibit.html.j2").render(one=one, number=number, drawing=drawing)
        (place,) = article.xpath(f".//*[@data-exhibits='{one['section']}']")
        place.append(html.fragment_fromstring(text.strip()))
    leads = Markup(more["leads"])
    names = {FORMS[extension].what: f"{stem}.{extension}{query}" for extension in EXTENSIONS}
    return _document(
        html.tostring(article, encoding="unicode"),
        path=shown.view.path,
        title=shown.view.title,
        description=shown.result.headline,
        address=f"{site}{shown.result.link}",
        leads=leads,
        names=names,
        data={name: script_safe(chart) for name, chart in charts.items()},
        **made,
    )


def _document(page: str, *, path: str, title: str, local: Local, leads: str = "", **words: Any) -> bytes:
    """Return a complete document. Links are local if the edition has their target."""
    text = template("edition.html.j2").render(
        bar=Markup(_local(bar(path), local)),
        page=Markup(_local(page, local)),
        leads=Markup(_local(leads, local)) if leads else "",
        title=tab_title(title),
        **words,
    )
    return text.encode()


def _local(fragment: str, local: Local) -> str:
    """Return HTML without the parts that need a server, with links converted for the edition."""
    whole = html.fragment_fromstring(fragment, create_parent=True)
    for needless in whole.xpath(NEEDS_SERVER):
        needless.drop_tree()
    for anchor in whole.xpath(".//a[starts-with(@href, '/')]"):
        anchor.set("href", local(anchor.get("href")))
    return "".join(str(html.tostring(part, encoding="unicode")) for part in whole)


def _assets() -> Files:
    """Return style, script, Plotly and font, keyed by name in templates."""
    own = Path(__file__).with_suffix(".js").read_text("utf-8")
    script = _in_place("chart.js", "draw") + _in_place("find.js", "find") + own
    (streamlit,) = (
        find_spec("streamlit") or sys.exit("Streamlit is not installed.")
    ).submodule_search_locations or ("",)
    folder = Path(streamlit, "static")
    font = Shell.of((folder / "index.html").read_text("utf-8")).font
    face = '@font-face{font-family:"Source Sans";font-weight:200 900;src:url("font.woff2") format("woff2")}'
    return {
        "edition.css": f"{face}{text_of(*STYLES)}{svg.STYLE}{plotly.STYLE}{STYLE}".encode(),
        "edition.js": script.encode(),
        "plotly.js": (FOLDER / PLOTLY).read_bytes(),
        "font.woff2": (folder / font.removeprefix("/")).read_bytes(),
    }


def _in_place(module: str, gives: str) -> str:
    """Return a panel module as a classic script. It also loads on a page opened from a folder."""
    code = re.sub(r"^export ", "", text_of(module), flags=re.MULTILINE)
    code = re.sub(r"new URL\(.*?import\.meta\.url\)\.href", '"plotly.js"', code)
    return f"const {gives} = (() => {{\n{code}\nreturn {gives};\n}})();\n"


def write(files: Mapping[str, bytes], folder: Path) -> None:
    """Write the files into a new folder, and a reproducible archive beside it."""
    folder.mkdir(parents=True)
    with zipfile.ZipFile(folder.with_suffix(".zip"), "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in sorted(files.items()):
            (folder / name).write_bytes(content)
            archive.writestr(
                zipfile.ZipInfo(f"{folder.name}/{name}", ZIP_DATE), content, zipfile.ZIP_DEFLATED
            )


def main(arguments: Sequence[str] | None = None) -> int:
    """Write an edition. Return 2 if arguments are invalid."""
    parser = argparse.ArgumentParser(prog="python -m web.edition", description=__doc__)
    parser.add_argument("folder", type=Path, help="new folder; the archive is written beside it")
    parser.add_argument("--release", default=releases.latest(), help="data release (default: the newest)")
    parser.add_argument(
        "--links", type=Path, help="file with one link per line, of views, comparisons or decks"
    )
    parser.add_argument(
        "--site", default="http://127.0.0.1:8501", help="address of the server for other choices"
    )
    parser.add_argument(
        "--date", type=date.fromisoformat, default=date.today(), help="its date, today if unset"
    )
    options = parser.parse_args(arguments)
    try:
        if options.folder.exists():
            raise FileExistsError(f"{options.folder} already exists. Choose a new folder.")
        if options.release not in releases.names():
            raise LinkError(
                f"There is no release {options.release!r}; there are {', '.join(releases.names())}."
            )
        lines = options.links.read_text("utf-8").splitlines() if options.links else ()
        links = [line.strip() for line in lines if line.strip()]
        write(
            edition(release=options.release, site=options.site, today=options.date, links=links),
            options.folder,
        )
    except (LinkError, ShortLinkError, OSError) as error:
        print(error, file=sys.stderr)
        return 2
    pages = len(list(options.folder.glob("*.html")))
    print(f"{pages} pages in {options.folder} and {options.folder.with_suffix('.zip')}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
