"""What a link to the story may say: which step, from which release."""

from dataclasses import dataclass

from views import written
from views.settings import choice
from views.story.steps import STEPS
from views.view import ReleaseSettings

WORDS = written.settings(__file__)


def verdict_name(word: str) -> str:
    """Return the name of the figure that holds the verdict of a step."""
    return f"verdict_{word.replace('-', '_')}"


@dataclass(frozen=True, kw_only=True)
class StorySettings(ReleaseSettings):
    """Which step of the story is told."""

    step: str = choice(
        STEPS[0].word,
        computed=lambda: {
            step.word: (step.label, f"step {number} of {len(STEPS)}, {step.view.question}")
            for number, step in enumerate(STEPS, start=1)
        },
        pills={step.word: verdict_name(step.word) for step in STEPS},
        ordered=True,
        **WORDS["step"],
    )
