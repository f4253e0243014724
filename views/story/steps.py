"""The steps of the story: what the articles argue in our words, by which statements, and the view that answers it."""

from dataclasses import dataclass

from views import written
from views.view import View


@dataclass(frozen=True, kw_only=True)
class Step:
    """One sentence of the argument: the statement it rests on, and the view whose chart stands beside it.

    ``argument`` is the sentence in our words without its full stop; ``{}`` stands for what the statement claims.
    ``path`` is the view's address; ``choices`` are those of the view that are off its defaults, as in a link;
    ``figures`` are shown where the view has no key figures of its own.
    """

    word: str
    label: str
    argument: str
    path: str
    choices: str = ""
    statement: str = ""
    figures: tuple[str, ...] = ()

    @property
    def view(self) -> View:
        """Return the view; the list of views names the story too, so it is read when first needed."""
        from views.registry import VIEWS

        return VIEWS[self.path]


STEPS = tuple(Step(word=word, **stated) for word, stated in written.toml(__file__, name="steps.toml").items())
BY_WORD = {step.word: step for step in STEPS}
