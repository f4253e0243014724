"""What a link to /training-run may say, and which choices do not go together."""

import pytest

from tests.views.training_run.answers import ask
from views.training_run.settings import TrainingRunSettings
from views.training_run.trained import CUSTOM
from views.training_run.view import VIEW
from views.view import read


@pytest.mark.parametrize(
    ("query", "ignored_name", "allowed"),
    [
        (
            "ramp_from=100&ramp_tokens=1000",
            "ramp_from",
            "a ramp that starts at most at the batch (16.8 million",
        ),
        (
            "batch=0.5&ramp_tokens=1000",
            "ramp_tokens",
            "a ramp that starts at most at the batch (0.5 million tokens)",
        ),
        ("sequence=1048576&batch=0.01", "sequence", "a batch of one sequence at least (1,048,576 tokens)"),
    ],
)
def test_a_batch_that_its_sequence_or_ramp_exceeds_is_said_rather_than_changed(
    *, query, ignored_name, allowed
):
    _, ignored = read(VIEW, query)
    assert [each.setting for each in ignored] == [ignored_name]
    assert allowed in ignored[0].allowed


def test_more_active_experts_than_experts_are_said():
    _, ignored = read(VIEW, f"model={CUSTOM}&experts=4&active_experts=8")
    assert ignored[0].allowed == "at most as many active experts as experts (4)"
    assert TrainingRunSettings(model=CUSTOM, experts=8, active_experts=8).conflicts() == ()


def test_zero_in_links_of_old_still_means_as_it_comes():
    names = (
        "tokens",
        "compute",
        "ramp_tokens",
        "checkpoint",
        "peak",
        "bandwidth",
        "memory",
        "link",
        "network",
        "domain",
        "available",
    )
    old = "&".join(f"{name}=0" for name in (*names, "price", "power"))
    result = ask(old)
    assert result.link == ask().link
    assert "&ramp_tokens=&" in result.link and "&checkpoint=&" in result.link
    assert "&peak=&" in result.link and result.settings["peak"] == ""
