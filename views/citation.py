"""Citation of a view as a plain sentence and as a BibTeX entry."""

import re
from datetime import date

from views.result import Result

PUBLISHER = "Scaling Gap"
_TEX = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    **{sign: f"\\{sign}" for sign in "&%$#_{}"},
}


def sentence(result: Result, *, accessed: date, origin: str = "") -> str:
    """Return the citation as a sentence, with the data release, a short permanent address and the access date.

    ``origin`` is scheme and host of the site, such as https://gap.example.org.
    """
    where = f" {origin}{result.short_link}" if result.short_link else ""
    return (
        f"{PUBLISHER} ({_year(result, accessed)}). {result.headline}. Data release {result.release}, "
        f"from {_data_from(result)}.{where} (accessed {accessed.day} {accessed:%B %Y})."
    )


def bibtex(result: Result, *, accessed: date, origin: str = "") -> str:
    """Return the citation as a BibTeX entry in UTF-8, with a newline at the end."""
    fields = {
        "author": f"{{{PUBLISHER}}}",
        "title": f"{{{_tex(result.headline)}}}",
        "year": _year(result, accessed),
        "version": _tex(f"data release {result.release}"),
        "note": _tex(f"{result.settings_line} Accessed {accessed.isoformat()}."),
        "url": f"{origin}{result.short_link}",
        "urldate": accessed.isoformat(),
    }
    lines = [f"  {name} = {{{value}}}," for name, value in fields.items() if value]
    key = re.sub(r"[^a-z0-9]+", "-", f"scaling-gap-{result.view}-{result.release}".lower()).strip("-")
    return "\n".join([f"@misc{{{key},", *lines, "}", ""])


def _year(result: Result, accessed: date) -> str:
    year = re.match(r"[0-9]{4}", result.release)
    return year.group() if year else str(accessed.year)


def _data_from(result: Result) -> str:
    publishers = dict.fromkeys(source.publisher for source in result.sources)
    return " and ".join(name for name in publishers if name != PUBLISHER) + ", curated"


def _tex(text: str) -> str:
    printable = "".join(sign if sign.isprintable() else " " for sign in text)
    return "".join(_TEX.get(sign, sign) for sign in printable)
