"""What a release was sealed with is never written again; its record has the SHA-256 of all of it."""

from data import seal

SEALED = {
    "2025-11": "5b1f23dd6725fef4d22cd6667ce8510a6662ab51c322e6a436a5baaac283b0ca",
    "2026-07": "41fb97866068b22582c3120e45ead435b08874f6ecab0a0654e707807eb4ed48",
}
"""The SHA-256 of each record. A new release brings a line; no line ever changes, for links name the release."""


def test_every_release_is_still_the_one_that_was_sealed():
    now = {
        name: seal.digest((seal.FOLDER / name / seal.RECORD).read_bytes()) for name in seal.names(seal.FOLDER)
    }
    assert now == SEALED, (
        "A release is sealed for good: cut a correction instead (data/README.md). A new one needs its line in SEALED."
    )
    assert set(seal.read_all(seal.FOLDER)) == set(SEALED)
