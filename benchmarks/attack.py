"""Attack a test server on this machine for some minutes; print the load and the result of each attack.

    make attack                             # all attacks
    make attack CONTROLS=1                  # each attack on a server without the guard: it must succeed
    python -m benchmarks.attack --share 0.1 --only abandoned half-open

It attacks only servers that it starts on the loopback address. An attack is held, fell, or is inconclusive if the
machine was too busy; the exit status is 0, 1 or 2.
"""

import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from benchmarks import attack_requests, attack_sessions
from benchmarks.servers import MEMORY_BYTE, faults_of_servers, watched_memory
from benchmarks.target import Row, Target
from scripts.command import command


@dataclass(frozen=True, kw_only=True)
class Attack:
    """An attack, and the guards that stop it (see :mod:`benchmarks.unguarded`)."""

    run: Callable[[Target], Row]
    guards: tuple[str, ...]
    timed: bool = False


ATTACKS = {
    "hostile": Attack(run=attack_requests.hostile_links, guards=("escaping",)),
    "bombs": Attack(run=attack_sessions.socket_bombs, guards=("message-length",)),
    "uploads": Attack(run=attack_sessions.uploads, guards=("upload-quota",)),
    "held": Attack(run=attack_sessions.held_uploads, guards=("received-bytes",)),
    "half-open": Attack(run=attack_requests.half_open, guards=("deadlines",)),
    "slow": Attack(run=attack_requests.slow_readers, guards=("deadlines",)),
    "expensive": Attack(run=attack_requests.expensive_links, guards=("turns",), timed=True),
    "addresses": Attack(run=attack_requests.forged_addresses, guards=("addresses",), timed=True),
    "abandoned": Attack(run=attack_requests.abandoned_links, guards=("turns", "hang-ups"), timed=True),
    "rows": Attack(run=attack_sessions.rows_over_the_bound, guards=("rows",)),
    "own-data": Attack(run=attack_sessions.own_data, guards=("turns", "worker"), timed=True),
}


def attacked(names: Iterable[str], **circumstances: Any) -> Iterator[Row]:
    """Yield a row for each attack, each on a new server, and a row for the servers' state afterwards.

    ``circumstances`` are those of :class:`Target`.
    """
    attacks = {name: ATTACKS[name] for name in names}
    with (
        tempfile.TemporaryDirectory() as folder,
        Target(folder=Path(folder), **circumstances).start() as target,
        watched_memory(target.process) as seen_byte,
    ):
        if any(attack.timed for attack in attacks.values()):
            target.until_warm()
        for name, attack in attacks.items():
            alone_s = target.alone_s() if attack.timed else 0.0
            row = replace(attack.run(target), test=name, alone_s=alone_s, stretch=target.stretch)
            yield replace(row, faults=(*row.faults, *target.faults_of_service()))
        peak_byte = max(seen_byte)
        memory = f"memory at its peak {peak_byte / MEMORY_BYTE:.2f} of 1 GB"
        faults = (*faults_of_servers(target.folder, peak_byte=peak_byte), *target.faults_of_service())
        yield Row(test="afterwards", load="all of the above", result=memory, faults=faults)


def controlled(names: Iterable[str], **circumstances: Any) -> Iterator[Row]:
    """Yield, for each attack, whether it succeeds (as it must) on a server without the matching guard."""
    for name in names:
        guards = ATTACKS[name].guards
        row, *_ = attacked([name], without=guards, **circumstances)
        if row.verdict != "inconclusive":
            faults = () if row.verdict == "fell" else ("it holds without its guard",)
            row = replace(row, faults=faults, result="; ".join([row.result, *row.faults]), waits_s=None)
        yield replace(row, test=f"{name} succeeds without {' and '.join(guards)}")


def main(arguments: list[str] | None = None) -> int:
    """Run the attacks named in the arguments. Return the exit code."""
    parser = command("benchmarks.attack", description=__doc__)
    parser.add_argument("--share", type=float, default=1.0, help="share of the load (default: 1)")
    parser.add_argument("--stretch", type=float, default=1.0, help="factor on time limits (default: 1)")
    parser.add_argument("--only", nargs="+", choices=list(ATTACKS), default=list(ATTACKS), help="only these")
    parser.add_argument("--controls", action="store_true", help="attack servers without guards")
    chosen = parser.parse_args(arguments)
    run, rows = controlled if chosen.controls else attacked, list[Row]()
    for row in run(chosen.only, share=chosen.share, stretch=chosen.stretch):
        rows.append(row)
        print(row, flush=True)
    held, fell, unclear = (
        [row.test for row in rows if row.verdict == verdict] for verdict in ("held", "fell", "inconclusive")
    )
    print(
        f"{len(held)} held; fell: {', '.join(fell) or 'none'}; inconclusive: {', '.join(unclear) or 'none'}"
    )
    return 1 if fell else 2 if unclear else 0


if __name__ == "__main__":
    sys.exit(main())
