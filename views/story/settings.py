"""Settings of the story: the step and the release."""

from dataclasses import dataclass

from views import written
from views.settings import choice
from views.view import ReleaseSettings, View


@dataclass(frozen=True, kw_only=True)
class Step:
    """One sentence of the argument, with its claim and the view whose chart is shown.

    ``argument`` is the sentence in our words, with ``{}`` for the claimed number. ``answers`` is whether the view's
    headline answers the claim; ``finding`` is a sentence that does, with ``{}`` for our number. ``path`` is the view's
    address; ``choices`` are its settings that differ from the defaults. ``claimed`` names the mark of the claim in the
    chart, ``ours`` that of our number if the view does not draw it. ``figures`` replace the view's first figure. A step
    that is not ``walked`` keeps its link, but no other step leads to it.
    """

    word: str
    label: str
    argument: str
    path: str
    choices: str = ""
    statement: str = ""
    answers: bool = True
    finding: str = ""
    claimed: str = ""
    ours: str = ""
    figures: tuple[str, ...] = ()
    walked: bool = True

    @property
    def view(self) -> View:
        """Return the view. It is loaded on first use, because the list of views includes the story."""
        from views.registry import VIEWS

        return VIEWS[self.path]


BY_WORD = {
    word: Step(word=word, **stated) for word, stated in written.toml(__file__, name="steps.toml").items()
}
STEPS = tuple(step for step in BY_WORD.values() if step.walked)


WORDS = written.settings(__file__)


def verdict_name(word: str) -> str:
    """Return the name of the figure with a step's verdict."""
    return f"verdict_{word.replace('-', '_')}"


@dataclass(frozen=True, kw_only=True)
class StorySettings(ReleaseSettings):
    """Settings of the story: which step it shows."""

    step: str = choice(
        STEPS[0].word,
        computed=lambda: {step.word: (step.label, step.view.question) for step in BY_WORD.values()},
        pills={step.word: verdict_name(step.word) for step in STEPS},
        ordered=True,
        **WORDS["step"],
    )
