"""What docs/operations.md says of metrics, settings and limits is so."""

import re
from pathlib import Path

from data.epoch import MAX_ROWS
from views import compute_pool
from views.compute_pool import EXPENSIVE, ORDINARY, OWN_DATA
from views.kept import ANSWERS_BYTE, KEEP_BYTE, UNPACKED
from views.settings import LONGEST_QUERY
from views.store import MEBIBYTE
from web import serving
from web.middleware.upload_quota import CLIENT_BYTE, PROCESS_BYTE, SESSION_BYTE, SILENCE_S
from web.renderings import Renderings
from web.telemetry import Metrics

ROOT = Path(__file__).resolve().parent.parent
TEXT = (ROOT / "docs" / "operations.md").read_text(encoding="utf-8")
LIMITS = dict(re.findall(r"^\| ([^|]+?) \| ([^|]+?) \|", TEXT.partition("## Limits")[2], flags=re.MULTILINE))


def test_every_count_is_described_and_every_one_described_exists():
    counted = {one.name for one in Metrics().registry.collect() if one.name.startswith("scaling_gap")}
    named = {name.removesuffix("_total") for name in re.findall(r"`(scaling_gap_\w+)`", TEXT)}
    short = {"scaling_gap_cache_misses", "scaling_gap_cache_bound_bytes"}
    assert "`_misses_total`" in TEXT and "`_bound_bytes`" in TEXT
    assert named | short == counted


def test_the_settings_are_those_that_are_read():
    read = re.findall(r'environment\.get\("([A-Z_]+)"', (ROOT / "web" / "settings.py").read_text("utf-8"))
    rows = re.findall(r"^\| ((?:`[A-Z_]+`(?:, )?)+) \|", TEXT, flags=re.MULTILINE)
    assert {name for row in rows for name in re.findall(r"[A-Z_]+", row)} == set(read)


def test_limits_are_those_that_hold():
    queues = (ORDINARY, EXPENSIVE, OWN_DATA)
    kinds = "{} ordinary, {} expensive, {} from own data"
    limits = {
        "answers computed at once": kinds.format(*(queue.size for queue in queues)),
        "answers waiting": kinds.format(*(queue.waiting for queue in queues)),
        "wait for an answer": f"{compute_pool.PATIENCE_S:g} s",
        "computing an answer": f"{compute_pool.LONGEST_S:g} s, checked between its steps",
        "cached answers, by process": f"{KEEP_BYTE / MEBIBYTE:g} MB",
        "cached files": f"{Renderings().store.keep_byte / MEBIBYTE:g} MB",
        "cached uploads": f"{UNPACKED.keep_byte / MEBIBYTE:g} MB",
        "answers from own data": f"{ANSWERS_BYTE / MEBIBYTE:g} MB",
        "rows of an own table": f"{MAX_ROWS:,}",
        "head of a request": f"{serving.HEAD_S:g} s",
        "body of a request": f"{serving.BODY_S:g} s",
        "connections": f"descriptors of the process less {serving.KEPT_FREE}",
        "message of a session": f"{serving.LONGEST_MESSAGE_BYTE / 1e6:g} MB, not compressed",
        "of a session": f"{SESSION_BYTE / 1e6:g} MB",
        "of an address": f"{CLIENT_BYTE / 1e6:g} MB",
        "of a process": f"{PROCESS_BYTE / 1e6:g} MB",
        "pause in an upload": f"{SILENCE_S:g} s",
        "query": f"{LONGEST_QUERY:,} characters; more for a deck",
        "end of the process": f"{serving.END_S} s for answers under way",
    }
    assert limits.items() <= LIMITS.items()
    taken = LIMITS["answer that the client does not read"]
    assert taken.startswith(f"{serving.SENT_BYTE / 1000:g} kB in {serving.SEND_S:g} s")
