"""What stands where a reader of /training-run gives no number: the chip's own, the model's tokens, a listed price."""

from collections.abc import Callable

from analysis.hardware.machine import Machine
from data.by_release import kept_by_release
from data.releases import Release, load
from data.standing import rows
from views.chips.linked import machine_of_row
from views.chips.rents import rent
from views.training_run.choices import architectures, trainable_rows

SERVER_POWER = 1.5
"""Power of an accelerator with its share of the server over the chip's own: 10.2 kW for eight of 700 W at most
(NVIDIA DGX H100), less in use."""
PRICE_WHERE_UNKNOWN_USD = 2.5
ROOM = 35
"""So many letters leave room in a field for one more word."""
TOKENS_WHERE_UNKNOWN = 15.6e12
"""Of a model whose own are not in our table: those of Llama 3.1 405B. [token]"""
CHIP_NUMBERS: dict[str, Callable[[Machine], str]] = {
    "peak": lambda machine: f"{machine.peak_flop_per_s / 1e12:,.4g} TFLOP/s",
    "bandwidth": lambda machine: f"{machine.chip.memory_bandwidth_byte_per_s / 1e12:,.4g} TB/s",
    "memory": lambda machine: f"{machine.chip.memory_capacity_byte / 1e9:,.4g} GB",
    "link": lambda machine: f"{machine.chip.link_bandwidth_byte_per_s / 1e9:,.4g} GB/s",
    "network": lambda machine: f"{8 * machine.chip.network_bandwidth_byte_per_s / 1e9:,.4g} Gbit/s",
    "domain": lambda machine: f"{machine.chip.domain_size:,}",
    "power": lambda machine: f"{SERVER_POWER * machine.chip.power_w:,.4g} W",
}
"""Each number of a chip that can be replaced, in the unit of its setting, by that name."""


def own_machine(product: str, release: Release, *, precision: str) -> Machine:
    """Return an accelerator of a release with its own numbers.

    Raises
    ------
    LookupError
        If the release has no such accelerator.
    ValueError
        If the accelerator has no rate at the precision.
    """
    row = trainable_rows(release).get(product)
    if row is None:
        raise LookupError(f"{product} is not in this release; choose another accelerator or release.")
    return machine_of_row(row, released_year=row["released_year"], precision=precision)


@kept_by_release()
def chip_number(name: str, product: str, *, precision: str, release: str) -> str:
    """Return a number of an accelerator and whose it is: from B200: 7.7 TB/s; nothing where it is not known."""
    try:
        machine = own_machine(product, load(release), precision=precision)
    except (LookupError, ValueError):
        return ""
    words = f"{product}: {CHIP_NUMBERS[name](machine)}"
    return f"from {words}" if len(words) <= ROOM else words


def tokens_of(model: str) -> tuple[float, str]:
    """Return the tokens that a model was trained on, and whether that is published or assumed. [token]"""
    published = rows("training_tokens", "name").get(architectures().get(model, ""))
    if published:
        return float(published["training_tokens"]), "as published"
    return TOKENS_WHERE_UNKNOWN, "assumed"


def tokens_in_words(model: str) -> str:
    """Return the tokens that stand where none are given, in billions: as published: 15,600."""
    tokens, basis = tokens_of(model)
    return f"{basis}: {tokens / 1e9:,.6g}"


@kept_by_release()
def price_of(name: str, *, product: str, release: str) -> tuple[float, str]:
    """Return the price of an hour of an accelerator, and where it is from: the median of providers, or a guess."""
    listed = rent(release, name)
    if listed:
        return listed.middle, f"median of {listed.providers} providers' on-demand prices of the {product}"
    return PRICE_WHERE_UNKNOWN_USD, f"assumed: no price of the {product} in our table"


def price_in_words(product: str, *, release: str) -> str:
    """Return the price of an hour that stands where none is given: median on demand: $2.99."""
    row = trainable_rows(load(release)).get(product)
    price, basis = price_of(str(row["name"]) if row else product, product=product, release=release)
    return f"{'assumed' if basis.startswith('assumed') else 'median on demand'}: ${price:,.2f}"
