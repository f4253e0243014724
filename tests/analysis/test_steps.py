import pytest

from analysis import steps
from analysis.training_run.plan_search import fastest_of_at_most
from tests.analysis.training_run.runs import MIXTURE, run_of


@pytest.fixture
def no_checks(monkeypatch):
    monkeypatch.setattr(steps, "_checks", [])


def test_each_is_asked_once_at_each_step(no_checks):
    heard = []

    def ask():
        heard.append("asked")

    steps.at_each_step(ask)
    steps.at_each_step(ask)
    steps.between_steps()
    assert heard == ["asked"]


def test_a_search_ends_with_what_is_raised_between_its_steps(no_checks):
    class Gone(BaseException):
        pass

    def ask():
        raise Gone

    steps.at_each_step(ask)
    with pytest.raises(Gone):
        fastest_of_at_most(run_of(MIXTURE, global_batch=64))
