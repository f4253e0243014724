"""Checks sentences against the rules of writing. tests/test_language.py lists the documents that must pass."""

import re
from collections.abc import Iterator

LONGEST, MOST_VALUES, MOST_STOPS = 25, 3, 1
"""The most words, values, and semicolons or colons of a sentence."""

BANNED = re.compile(
    r"""(?ix) \d\s% | 4\.45526e | \b0\.\d+×\sa\syear
    | \b(?:is|are|was|were|be|been)\s(?:told|said|asked|known\sto)\b | \basked\sfor\b
    | \bstands?\b(?!\sfor|\sin\sfor) | \b(?:lies?|lay)\b | \bhangs?\son\b | \bheld\sto\b
    | \bgrows?\s[^.;:]*\bsince\s(?:19|20)\d\d | \balike\b | \bso\smany\b | \bfurther\b | \balone\b | \ball\salong\b
    | (?<!there\s)\b(?:is|are)\sno\s(?!longer|more) | \bno\seven\b
    | \bmakers?\b | \bstatements?\b(?!\sunder\b) | \bchip\sagainst\schip | \brun\sagainst\s(?:a\s|its\s)?chips?
    | \bsets?\snothing | \bexchanges?\sbetween\s(?:chips|experts)
    | \b(?<!time\sto\s)(?<!time\sto\sthe\s)first\stokens?\b
    | \breading\sa\sprompt | \bprompts?\s(?:are\s)?read\sapart | \bwith(?:out)?\sdrafts\b | \bmatrix\sproducts?\b
    | \bhid(?:e|es|den)\b(?!\ssize) | \bwork\sthat\scounts | \bwait\w*\sfor\sthe\sslowest
    | \brequests\s(?:at\sonce|under\sway) | \bwork\sper\sbyte | \bcounted\s(?:all\salong|throughout)
    | \b(?:the|of|all|each|every|both|\d|bootstrap|paired|seeded)\sdraws?\b(?!\s\d)
    | \b(?:intervals?|bands?|ranges?)\s(?:\w+\s)?(?:held|holds?)\b | \bheld\s\d | \b90%\sand\slow\b
    | \bdear(?:er|est)?\b | \bthe\shouse\b | \bfloors?\sof\sthe\scode | \bon\severy\sfloor | \bgo\son\b
    | \b(?:was|were)\signored;\sallowed | \b(?:is|are|was|were)\soff\b(?!\sby|\sunless|\.|,) | \bwithout\sa\sword"""
)
"""Words and patterns of numbers with a plainer equivalent. Code and words of links are not checked."""

QUAINT = (
    r"in the house|hangs? (most )?on|in the middle\b(?! of)|dearer|\bbinds?\b|bound by exchange|one's own place"
    r"|log scale\b.*\blog scale|held against|\bmend\b|lets? other|line is laid|\breckon"
    r"|misses further|by points alike|\bdearest\b|\bby the lag\b|\brents at\b|\basks \$|paper figures|without a word"
    r"|\b0 (?:are|is)\b|\b(?:shrinks|narrows|falls) to 0\."
)
SPELLING = (
    r"(?i:\b\w*(?:organ|util|quant|optim|minim|maxim|normal|real|recogn|summar|general|amort|initial|parallel"
    r"|special|standard|emphas|visual)is(?:e|ed|es|ing|er|ers|ation|ations)\b"
    r"|\b(?:colors?|catalogs?|centers?|gray|favors?|behaviors?|model(?:ed|ing)|label(?:ed|ing)|analyz\w+)\b)"
)
"""We spell as Oxford does: British, with -ize, as the field writes quantization and utilization."""

NAMES = re.compile(
    r"\b(?:Llama|Qwen|GPT|Gemma|Phi|Mistral|Python|MLPerf(?:\s\w+)?|TPU|ZeRO|Streamlit|Kubernetes|Rubin|RTX|Core"
    r" Ultra|Groq|MTIA|CC BY|JASA|numpy|nginx|[Ss]tages?|[Ss]ections?|[Tt]ables?|[Ee]quations?)"
    r"(?:\s[Pp]ro)?[\s-]v?\d[\w.]*(?:(?:,| and| to|/)\s?\d[\w.]*)*"
)
"""Numbers that belong to a name. An interval or an old value in brackets counts with its value."""
CITATION = r"\((?:[^()]*arXiv|[A-Z][^()]*\b(?:19|20)\d\d)[^()]*\)"
INTERVAL = (
    r"\d{1,2} [A-Z][a-z]+ \d{4}|\((?:was|were)\s[^()]*\)"
    r"|\((?:\d\d%\s)?(?:interval|range)?\s?[$€]?[\d.,]+(?:[–-]|\sto\s)[^()]*\)"
    r"|\b[\d.,]+ (?:to|of) (?=[$\d])"
)
BELONGS = r"(?:19|20)\d\d(?:[-–]\d\d){0,2}s?|\d+-\w+|[\d.]+[BM]\b|\d+(?:st|nd|rd|th)|\d+:\d\d"


def plain(text: str) -> str:
    """Return a text of Markdown without its marks: code is one word, a link is its text, a citation is left out."""
    text = re.sub(r"(?ms)^```.*?^```$|^\$\$.*?^\$\$|<!--.*?-->|^ {4,}\S.*?$", "", text)
    text = re.sub(r"`[^`]*`", "Code", text)
    text = re.sub(r"\{[^{}]*\}", "1", re.sub(r"\$[^$\n]*[\\_^{=][^$\n]*\$|\$[a-zA-Z]\$", "x", text))
    text = re.sub(r"!?\[([^]]*)\]\([^)]*\)", r"\1", text)
    return re.sub(r"\b(et al|e\.g|i\.e|vs|No)\.", r"\1", text)


def texts(document: str) -> Iterator[str]:
    """Yield every paragraph, item of a list, heading and cell of a table of a document, each on one line."""
    for block in re.split(r"\n\s*\n|\n(?=\s*(?:[-*]|\d+\.)\s|#|\|)|(?<=\|)\n", plain(document)):
        cells = block.strip().strip("|").split("|") if block.strip().startswith("|") else [block]
        for cell in cells:
            line = re.sub(r"^(?:#+|[-*]|\d+\.)\s", "", " ".join(cell.split()))
            yield re.sub(r"^\*+[^*]+\*+(?:, \*+[^*]+\*+)*[:.]\s|[*_]{1,2}(?=\S)|(?<=\S)\*{1,2}", "", line)


def sentences(document: str) -> Iterator[str]:
    """Yield every sentence of a document."""
    for text in texts(document):
        cited = re.sub(rf"\s*{CITATION}", "", text)
        yield from (one for one in re.split(r"(?<=[.!?])[”\")]*\s+(?=nginx|[“(]?[A-Z0-9/$])", cited) if one)


def values(sentence: str) -> list[str]:
    """Return the values of a sentence: an estimate is one with its interval, and so are both ends of a range."""
    words = (word.strip("()[],;:.“”") for word in re.sub(INTERVAL, "", NAMES.sub("", sentence)).split())
    return [word for word in words if re.match(r"[$€<>~≈−+-]*\d", word) and not re.fullmatch(BELONGS, word)]


def faults(sentence: str) -> list[str]:
    """Return, in words, the rules that a sentence breaks."""
    match = BANNED.search(sentence) or re.search(f"(?i:{QUAINT})|{SPELLING}", sentence)
    length = sum(any(map(str.isalnum, word)) for word in sentence.split())
    stops = len(re.findall(r";|:(?=\s|$)", sentence))
    broken = {
        f"{length} words": length > LONGEST,
        f"values {', '.join(values(sentence))}": len(values(sentence)) > MOST_VALUES,
        f"{stops} semicolons or colons": stops > MOST_STOPS,
        f"“{match and match.group()}”": bool(match),
    }
    return [fault for fault, is_broken in broken.items() if is_broken]
