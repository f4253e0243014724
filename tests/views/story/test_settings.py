"""What a link to the story may say."""

from views.setting_kinds import Choice
from views.settings import definitions
from views.story.settings import StorySettings, verdict_name
from views.story.steps import STEPS


def test_a_link_names_its_step_by_a_word_and_the_steps_stand_in_their_order():
    step = definitions(StorySettings)["step"]
    assert isinstance(step, Choice) and step.ordered
    assert list(step.options) == list(step.pills) == [one.word for one in STEPS]
    assert StorySettings().step == STEPS[0].word


def test_the_verdict_of_a_step_has_a_name_that_a_script_can_read():
    assert verdict_name("like-for-like") == "verdict_like_for_like"
