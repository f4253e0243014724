"""What a link to the story may say: which step, from which release."""

from dataclasses import dataclass

from views import written
from views.settings import choice
from views.view import ReleaseSettings, View


@dataclass(frozen=True, kw_only=True)
class Step:
    """One sentence of the argument: the statement it rests on, and the view whose chart stands beside it.

    ``argument`` is the sentence in our words; ``{}`` is the number that is claimed. ``answers`` says whether the view's
    finding answers the claim. ``path`` is the view's address; ``choices`` are those of the view that are off its
    defaults, as in a link; ``figures`` are shown where the view has no key figures of its own.
    """

    word: str
    label: str
    argument: str
    path: str
    choices: str = ""
    statement: str = ""
    answers: bool = True
    figures: tuple[str, ...] = ()

    @property
    def view(self) -> View:
        """Return the view; the list of views names the story too, so it is read when first needed."""
        from views.registry import VIEWS

        return VIEWS[self.path]


STEPS = tuple(Step(word=word, **stated) for word, stated in written.toml(__file__, name="steps.toml").items())
BY_WORD = {step.word: step for step in STEPS}


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
