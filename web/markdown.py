"""Conversion of our texts from Markdown to HTML. Formulas are not supported."""

import re

from markupsafe import Markup, escape

_INLINE = re.compile(
    r"`(?P<code>[^`]+)`|\$(?P<tex>(?=\S)[^$]+(?<=\S))\$(?!\d)|\*\*(?P<bold>.+?)\*\*"
    r"|\[(?P<words>[^\]]+)\]\((?P<to>[^)\s]+)\)"
)
"""Pattern of code, formulas (not sums of money), bold words and links."""
_ITEM = re.compile(r"(?:^|\n) *(?:- |\d+\. )")


def html_of(text: str) -> Markup:
    """Return a text as HTML. Unsupported Markdown is shown literally."""
    return Markup("\n").join(_block(block) for block in re.split(r"\n{2,}", text.strip()))


def _block(block: str) -> Markup:
    if block.startswith("$$"):
        return Markup("<pre>{}</pre>").format(block.strip("$\n"))
    if block.startswith("|"):
        head, _, *lines = block.splitlines()
        rows = Markup("").join([_row(head, "th"), *(_row(line, "td") for line in lines)])
        return Markup('<div class="rows"><table>{}</table></div>').format(rows)
    kind = "ul" if block.startswith("- ") else "ol"
    if _ITEM.match(block):
        items = (Markup("<li>{}</li>").format(_inline(item)) for item in _ITEM.split(block)[1:])
        return Markup("<{0}>{1}</{0}>").format(Markup(kind), Markup("").join(items))
    return Markup("<p>{}</p>").format(_inline(block))


def _row(line: str, kind: str) -> Markup:
    cells = map(_inline, line.split("|")[1:-1])
    inside = Markup("").join(Markup("<{0}>{1}</{0}>").format(Markup(kind), cell) for cell in cells)
    return Markup("<tr>{}</tr>").format(inside)


def _inline(text: str) -> Markup:
    parts, at = [], 0
    for match in _INLINE.finditer(text := " ".join(text.split())):
        parts.append(escape(text[at : match.start()]))
        at = match.end()
        if plain := match["code"] or match["tex"]:
            parts.append(Markup("<code>{}</code>").format(plain))
        elif match["bold"]:
            parts.append(Markup("<strong>{}</strong>").format(_inline(match["bold"])))
        else:
            parts.append(Markup('<a href="{}">{}</a>').format(match["to"], _inline(match["words"])))
    return Markup("").join([*parts, escape(text[at:])])
