"""A document as those who are sent it read it: a crawler its head, a reader its page, a script its data."""

import json
import re
from typing import Any
from urllib.parse import urlsplit

import lxml.html

RUNS = ("", "module", "text/javascript", "importmap", "speculationrules")
"""Types of a script element that a browser acts on."""
ADDRESSED = ("href", "src", "action", "formaction", "data", "poster")


class Document:
    """One document, parsed."""

    def __init__(self, html: str) -> None:
        self.html = html
        self.root = lxml.html.document_fromstring(html)
        head = self.root.find("head")
        assert head is not None
        self.titles = [element.text for element in head.findall("title")]
        self.meta: dict[str, str] = {}
        for element in head.findall("meta"):
            name = element.get("property") or element.get("name")
            if name:
                assert name not in self.meta, f"{name} stands twice"
                self.meta[name] = element.get("content", "")
        self.links: dict[str, list[str]] = {}
        for element in head.findall("link"):
            self.links.setdefault(element.get("rel", ""), []).append(element.get("href", ""))

    def one(self, path: str) -> Any:
        """Return the one element that an XPath names."""
        (element,) = self.root.xpath(path)
        return element

    def words(self, path: str) -> str:
        """Return the text of the one element that an XPath names, as it is read."""
        return words(self.one(path))

    @property
    def answer(self) -> Any:
        """Return what the document tells its script of the finding."""
        return json.loads(self.one("//script[@id='first-answer']").text)

    @property
    def streamlit(self) -> Any:
        """Return what the document tells its script of Streamlit's files; None to leave Streamlit out."""
        return json.loads(self.one("//script[@data-boot]").get("data-streamlit"))

    @property
    def scripts(self) -> list[Any]:
        """Return every script that a browser would run."""
        return [element for element in self.root.iter("script") if element.get("type", "") in RUNS]

    @property
    def assets(self) -> set[str]:
        """Return every address of a file of the panel."""
        named = (element.get(name, "") for element in self.root.iter("*") for name in ("href", "src"))
        return {address for address in named if urlsplit(address).path.startswith("/assets/")}

    def foreign(self) -> list[str]:
        """Return what a text of a link may never put into a document: handlers, and addresses that run."""
        faults = []
        for element in self.root.iter("*"):
            for name, value in element.attrib.items():
                runs = name in ADDRESSED and re.match(r"\s*(javascript|vbscript|data:text/html)", value, re.I)
                if name.startswith("on") or runs:
                    faults.append(f"<{element.tag} {name}={value!r}>")
        return faults


def words(element: Any) -> str:
    """Return the text of an element as it is read: spaces are one, unbroken ones too."""
    return " ".join("".join(element.itertext()).split())


def inside(html: str) -> Any:
    """Return markup, as it is put into an element, as that element."""
    return lxml.html.fragment_fromstring(html, create_parent=True)
