"""Documents, method texts and schemas are plain sentences: short, with few values and the field's words."""

import re
from pathlib import Path

import pytest

from tests.language import faults, sentences

ROOT = Path(__file__).parent.parent
PATTERNS = (
    *("*.md", "docs/*.md", "data/*.md", "deploy/*.md", "views/*.md", "views/*/*.md", "web/templates/*.md.j2"),
    *("data/schemas/*.json", "data/datapackage.json"),
)
"""Patterns of the files that must pass."""
FILES = sorted({path.relative_to(ROOT).as_posix() for which in PATTERNS for path in ROOT.glob(which)})


def text(path: Path) -> str:
    """Return a document, or the descriptions of the columns of a table's schema."""
    written = path.read_text(encoding="utf-8")
    is_schema = path.suffix == ".json"
    return "\n\n".join(re.findall(r'"description": "(.*)"', written)) if is_schema else written


@pytest.mark.parametrize("name", FILES)
def test_a_document_is_plain_sentences(name):
    said = list(sentences(text(ROOT / name)))
    broken = {sentence: found for sentence in said if (found := faults(sentence))}
    assert said and not broken, "\n".join(f"{', '.join(found)}: {one}" for one, found in broken.items())


def test_a_change_has_two_lines_in_the_changelog():
    changes = re.findall(
        r"^- .+(?:\n  .+)*", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE
    )
    assert len(changes) > 100 and not [one for one in changes if one.count("\n") > 1 or len(one) > 260]


@pytest.mark.parametrize(
    ("sentence", "found"),
    [
        ("The share is 90 % of rows.", ["“0 %”"]),
        ("Growth is 4.7× a year (90% interval 4.0–5.4×), 16 to 32 of 3 kinds since 2012.", []),
        ("It took 3, 4, 5 and 6 days.", ["values 3, 4, 5, 6"]),
        ("Llama 3.1 405B, table 2, 8-bit: ours; theirs.", ["2 semicolons or colons"]),
        ("The maker stands here.", ["“maker”"]),
        (f"{'One word ' * 13}more.", ["27 words"]),
    ],
)
def test_a_broken_rule_is_named(sentence, found):
    assert [fault for one in sentences(sentence) for fault in faults(one)] == found
