"""New words in a text that keeps its look: each word has the look of the one it takes the place of."""

import copy
import re
from collections.abc import Sequence
from difflib import SequenceMatcher
from typing import Any

from pptx.text.text import TextFrame

from charts.powerpoint.drawingml import A


def retyped(frame: TextFrame, texts: Sequence[Sequence[str]]) -> None:
    """Write paragraphs, each of its runs, over those of a frame; the look of what was there stays."""
    body = frame._txBody
    while len(frame.paragraphs) < len(texts):
        body.append(copy.deepcopy(frame.paragraphs[-1]._p))
    for paragraph in frame.paragraphs[max(len(texts), 1) :]:
        body.remove(paragraph._p)
    for paragraph, runs in zip(frame.paragraphs, texts, strict=False):
        _retype(paragraph._p, runs)


def _retype(paragraph: Any, runs: Sequence[str]) -> None:
    for found in list(paragraph):
        if found.tag in (f"{{{A}}}br", f"{{{A}}}fld"):
            paragraph.remove(found)
    there = paragraph.findall(f"{{{A}}}r")
    texts = [run.find(f"{{{A}}}t") for run in there]
    if not there:
        paragraph.add_r("".join(runs))
        return
    before = [text.text or "" for text in texts]
    new = list(runs) if len(there) == len(runs) else _shared(before, "".join(runs))
    for text, words in zip(texts, new, strict=True):
        text.text = words


def _shared(before: Sequence[str], after: str) -> list[str]:
    """Return a text cut into as many runs as before, words in the run of those they replace."""
    old: list[tuple[str, int]] = [(word, k) for k, text in enumerate(before) for word in _words(text)]
    new = _words(after)
    cut = [""] * len(before)
    last = 0
    for _, start, end, first, stop in SequenceMatcher(
        None, [word for word, _ in old], new, autojunk=False
    ).get_opcodes():
        for k, word in enumerate(new[first:stop]):
            if start + k < end:
                last = old[start + k][1]
            cut[last] += word
        if end > start:
            last = max(last, old[end - 1][1]) if stop == first else last
    return cut


def _words(text: str) -> list[str]:
    return re.findall(r"\s+|[^\s]+", text)
