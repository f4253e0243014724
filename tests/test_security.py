"""What SECURITY.md says stands there, does."""

import re
from pathlib import Path

from tests.web.served import client

ROOT = Path(__file__).parents[1]
TEXT = (ROOT / "SECURITY.md").read_text(encoding="utf-8")


def test_every_test_it_names_exists():
    named = re.findall(r"`(tests/[\w/.]+)`", TEXT)
    assert len(set(named)) > 8
    assert all((ROOT / name).exists() for name in named)


def test_what_it_says_is_left_in_the_policy_is_what_is_left():
    with client() as reader:
        policy = reader.get("/methods").headers["content-security-policy"]
    parts = dict(part.split(" ", 1) for part in policy.split("; "))
    assert ("blob:" in parts["script-src"]) == ("**`blob:` in `script-src`.**" in TEXT)
    assert ("require-trusted-types-for" in policy) == ("**No Trusted Types.**" not in TEXT)
    assert ("'unsafe-inline'" in parts["style-src"]) == ("**`'unsafe-inline'` for styles.**" in TEXT)
    assert "'unsafe-inline'" not in parts["script-src"]
    assert "'unsafe-eval'" not in policy
