"""The verdict in words."""

import re

import pytest

from tests.views.placement.placed import result


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        (
            {"work": "laptop-coding"},
            r"on a laptop .*; a desktop .* is the cheaper one from about [0-9,]+ requests a day; fixed overheads bind$",
        ),
        ({"work": "phone-assistant"}, r", the cheaper one if the device's price is charged; [a-z ]+ binds?$"),
        ({"work": "support-chat"}, r"in a server room \(8 × H200\), dearer at any load; "),
        ({"work": "branch-documents"}, r"; were texts allowed out, the cloud \(.*\) would cost \$"),
        (
            {"work": "branch-documents", "stay": "anywhere", "offline": "yes"},
            r"; were a connection allowed, the cloud",
        ),
        (
            {"work": "frontier", "model": "kimi-k2"},
            r"; a server room \(8 × H200\) comes nearest of one's own places \(memory too small\); ",
        ),
        (
            {"work": "laptop-coding", "renting": "by-hour", "charged": "0"},
            r", dearer even if the device's price is charged; ",
        ),
        ({"work": "branch-documents", "year": 2032}, r"^In 2032 answering .* \(RTX 5090 of 2032\): \$"),
        (
            {"work": "domain-tuning"},
            r"^Fine-tuning .* costs least on an? .*: \$[0-9.]+ in .* h; in the cloud \(",
        ),
    ],
    ids=str,
)
def test_the_headline_names_the_place_the_price_what_would_change_it_and_what_binds(changes, words):
    assert re.search(words, result(**changes).headline), result(**changes).headline


def test_a_cheaper_place_that_is_not_sure_enough_is_named():
    unsure = [note for note in result(work="phone-assistant", sure=95).notes if "would cost" in note]
    assert len(unsure) == 1
    assert re.match(
        r"A phone .* would cost \$0\.00.* but is [0-9]+ % sure to meet all: .* binds?\.$", unsure[0]
    )
    assert not [note for note in result(work="phone-assistant", sure=5).notes if "but is" in note]


def test_a_tie_and_an_accelerator_that_was_never_measured_are_told():
    told = "\n".join(result(work="laptop-coding").notes)
    assert re.search(r"About as cheap, within a tenth: the cloud \(.*\) at \$0\.[0-9]+\.", told)
    assert re.search(
        r"No published full load of AMD Instinct MI300X could be used, .* B200, GB200, H100, H200;", told
    )
    assert "No published full load" not in "\n".join(result(work="support-chat").notes)
