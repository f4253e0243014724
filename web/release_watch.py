"""Looks for releases that have come."""

import logging
import threading
import time
from collections.abc import Callable

from data import releases
from views.claims.view import VIEW as CLAIMS
from views.growth_gap.view import VIEW as GROWTH_GAP
from views.view import answer

LOOK_S = 10.0

log = logging.getLogger(__name__)


class ReleaseWatch:
    """When the folder of the releases was last looked at, by the clock of the day. [s]"""

    def __init__(self, clock: Callable[[], float] = time.time) -> None:
        self.clock = clock
        self.looked_s = clock()

    def look(self) -> tuple[str, ...]:
        """Take releases that have come and answer; return their names."""
        came = releases.look(answer_from)
        self.looked_s = self.clock()
        if came:
            log.warning("Release %s has arrived and is served from now on.", ", ".join(came))
        return came

    def run(self, over: threading.Event, *, taken: Callable[[], object], every_s: float = LOOK_S) -> None:
        """Return when ``over``; until then look, and call ``taken`` when a release has come. [s]

        Whatever goes wrong is one line in the log, and the next look comes.
        """
        while not over.wait(every_s):
            try:
                if self.look():
                    taken()
            except Exception as fault:  # a watch that ends would serve yesterday's data for good
                log.warning("The releases could not be looked at: %s: %s", type(fault).__name__, fault)


def answer_from(release: str) -> None:
    """Return when two views were answered from a release, the second of which asks most of the others.

    A release that has come is tried so before it is taken, and no reader waits for the fits of a new one.
    """
    tuple(answer(GROWTH_GAP, GROWTH_GAP.settings(release=release)).exhibits)
    answer(CLAIMS, CLAIMS.settings(release=release))


WATCH = ReleaseWatch()
"""The watch of this process."""
