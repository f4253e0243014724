"""What docs/operations.md says of metrics, settings and limits is so."""

import re
from pathlib import Path

from data.epoch import MAX_ROWS
from views import compute_pool, own_data
from views.compute_pool import EXPENSIVE, ORDINARY, OWN_DATA
from views.kept import KEEP_BYTE
from views.settings import LONGEST_QUERY
from views.store import MEBIBYTE
from web import serving
from web.middleware import upload_quota
from web.renderings import Renderings
from web.telemetry import Metrics

ROOT = Path(__file__).resolve().parent.parent
TEXT = (ROOT / "docs" / "operations.md").read_text(encoding="utf-8")
LIMITS = dict(re.findall(r"^\| ([^|]+?) \| ([^|]+?) \|", TEXT.partition("## Limits")[2], flags=re.MULTILINE))


def test_every_count_is_described_and_every_one_described_is_told():
    counted = {
        family.name for family in Metrics().registry.collect() if family.name.startswith("scaling_gap")
    }
    named = {name.removesuffix("_total") for name in re.findall(r"`(scaling_gap_\w+)`", TEXT)}
    short = {"scaling_gap_cache_misses", "scaling_gap_cache_bound_bytes"}
    assert "`_misses_total`" in TEXT and "`_bound_bytes`" in TEXT
    assert named | short == counted


def test_the_settings_are_those_that_are_read():
    read = set(
        re.findall(
            r'environment\.get\("([A-Z_]+)"', (ROOT / "web" / "settings.py").read_text(encoding="utf-8")
        )
    )
    rows = re.findall(r"^\| ((?:`[A-Z_]+`(?:, )?)+) \|", TEXT, flags=re.MULTILINE)
    assert {name for row in rows for name in re.findall(r"[A-Z_]+", row)} == read


def test_limits_are_those_that_hold():
    assert LIMITS["answers being made at once"].startswith(f"{ORDINARY.size} ordinary, {EXPENSIVE.size} dear")
    own = OWN_DATA.waiting
    assert LIMITS["answers waiting"].startswith(
        f"{ORDINARY.waiting} ordinary, {EXPENSIVE.waiting} dear, {own} of own data"
    )
    assert LIMITS["wait for an answer"] == f"{compute_pool.PATIENCE_S:g} s"
    assert LIMITS["making an answer"].startswith(f"{compute_pool.LONGEST_S:g} s")
    findings, files = KEEP_BYTE / MEBIBYTE, Renderings().store.keep_byte / MEBIBYTE
    own, answers = own_data.UNPACKED.keep_byte / MEBIBYTE, own_data.ANSWERS_BYTE / MEBIBYTE
    assert LIMITS["memory kept, by each process"].startswith(
        f"findings {findings:g} MB, files {files:g} MB, pages 48 MB, "
        f"readers' own data {own:g} MB and answers from them {answers:g} MB"
    )
    assert LIMITS["rows of an own table"] == f"{MAX_ROWS:,}"
    assert LIMITS["head of a request; body"] == f"{serving.HEAD_S:g} s; {serving.BODY_S:g} s"
    assert LIMITS["connections"].endswith(f"less {serving.KEPT_FREE}")
    assert LIMITS["message of a session"].startswith(f"{serving.LONGEST_MESSAGE_BYTE / 1e6:g} MB")
    taken = LIMITS["answer that a reader does not take"]
    assert taken.startswith(f"{serving.SENT_BYTE / 1000:g} kB in {serving.SEND_S:g} s")
    bounds = (upload_quota.SESSION_BYTE, upload_quota.CLIENT_BYTE, upload_quota.PROCESS_BYTE)
    session, client, process = (f"{byte / 1e6:g} MB" for byte in bounds)
    uploads = LIMITS["uploads, by bytes that have arrived"]
    assert uploads == f"20 MB a file, {session} a session, {client} an address, {process} a process"
    assert LIMITS["pause in an upload"] == f"{upload_quota.SILENCE_S:g} s"
    assert LIMITS["query; query of a deck"].startswith(f"{LONGEST_QUERY:,} characters")
    assert LIMITS["end of the process"].startswith(f"{serving.END_S} s")
