"""The steps of the story: what the articles argue in our words, by which statements, and the view that answers it."""

from dataclasses import dataclass

from views import accelerators, training_compute
from views.claims import view as claims
from views.compute_to_memory import view as compute_to_memory
from views.cost_of_bandwidth import view as cost_of_bandwidth
from views.cost_of_tokens import view as cost_of_tokens
from views.fleet import view as fleet
from views.growth_accounting import view as growth_accounting
from views.growth_gap import view as growth_gap
from views.in_practice import view as in_practice
from views.latency_floor import view as latency_floor
from views.placement import view as placement
from views.techniques import view as techniques
from views.track_record import view as track_record
from views.training_run import view as training_run
from views.view import View


@dataclass(frozen=True, kw_only=True)
class Step:
    """One sentence of the argument: the statement it rests on, and the view whose chart stands beside it.

    ``argument`` is the sentence in our words without its full stop; ``{}`` stands for what the statement claims.
    ``choices`` are those of the view that are off its defaults, as in a link; ``figures`` are shown where the view has
    no key figures of its own.
    """

    word: str
    label: str
    argument: str
    view: View
    choices: str = ""
    statement: str = ""
    figures: tuple[str, ...] = ()


STEPS = (
    Step(
        word="compute",
        label="Compute grows",
        argument="The articles begin with demand: the compute of leading training runs grows {}",
        view=training_compute.VIEW,
        statement="S0-01",
    ),
    Step(
        word="bandwidth",
        label="Bandwidth lags",
        argument="Supply, they say, cannot follow: the memory bandwidth of a chip grows only {}",
        view=accelerators.VIEW,
        statement="S0-02",
    ),
    Step(
        word="gap",
        label="The gap",
        argument="Set against each other, they conclude, the two rates are {} apart",
        view=growth_gap.VIEW,
        choices="compare=run-chip",
        statement="S0-03",
    ),
    Step(
        word="like-for-like",
        label="Like for like",
        argument="But that sets a whole training run against one chip; a fair test sets the run against its own "
        "chips, or a chip against a chip",
        view=growth_gap.VIEW,
    ),
    Step(
        word="fleet",
        label="All chips",
        argument="Nor is there only one chip: ever more are made, and what they can do together waits for memory, the "
        "scarcity of the decade, they say",
        view=fleet.VIEW,
        statement="S4-12",
    ),
    Step(
        word="drivers",
        label="What drives growth",
        argument="Training slows down although chips improve, they say; its growth is made of more chips, longer runs "
        "and better chips",
        view=growth_accounting.VIEW,
        statement="S2-04",
    ),
    Step(
        word="chips",
        label="Inside a chip",
        argument="Inside a chip too, they say, compute keeps pulling away from memory: ever more operations per byte",
        view=compute_to_memory.VIEW,
        statement="S0-04",
    ),
    Step(
        word="dollars",
        label="In dollars",
        argument="So what is scarce, they say, moves from compute to memory; that should be seen where it is paid, in "
        "the parts of the chips",
        view=cost_of_bandwidth.VIEW,
        statement="S3-13",
    ),
    Step(
        word="training",
        label="A training run",
        argument="So training, they say, is no longer limited by computing but by the exchange between chips",
        view=training_run.VIEW,
        statement="S2-10",
    ),
    Step(
        word="answers",
        label="Response speed",
        argument="And every answer, they say, waits until all weights are read, and no software changes that",
        view=latency_floor.VIEW,
        statement="S3-14",
    ),
    Step(
        word="measured",
        label="Measured work",
        argument="Bandwidth, not operations a second, they say, predicts what a new chip gains; chips measured on the "
        "same work can be set side by side",
        view=in_practice.VIEW,
        statement="S3-15",
    ),
    Step(
        word="tokens",
        label="Price of a token",
        argument="Mixtures of experts, they say, need a fraction of memory and compute in a step; that is what a token "
        "under load would cost less",
        view=cost_of_tokens.VIEW,
        statement="S4-06",
    ),
    Step(
        word="software",
        label="Software helps",
        argument="The way out they see is software: it gains more, they say, than waiting for better hardware",
        view=techniques.VIEW,
        statement="S0-15",
    ),
    Step(
        word="place",
        label="Edge or cloud",
        argument="Not all work needs the newest chips: routine work, they say, runs well on devices at the edge",
        view=placement.VIEW,
        statement="S0-10",
    ),
    Step(
        word="outlook",
        label="The outlook",
        argument="They end on an outlook, that no roadmap closes the gap; what can be checked is how well such trends "
        "have forecast",
        view=track_record.VIEW,
        statement="S0-14",
    ),
    Step(
        word="verdict",
        label="What is sure",
        argument="What is left: every statement of the articles, held against data, a model or a published figure",
        view=claims.VIEW,
        figures=("n_supported", "n_off", "n_wrong"),
    ),
)

BY_WORD = {step.word: step for step in STEPS}
