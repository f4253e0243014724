"""Looks for releases that have come, and whether the files of those that are served are still what was verified."""

import logging
import threading
import time
from collections.abc import Callable

from data import releases
from views.claims.view import VIEW as CLAIMS
from views.growth_gap.view import VIEW as GROWTH_GAP
from views.view import answer

LOOK_S = 10.0
CHECK_S = 3600.0

log = logging.getLogger(__name__)


class ReleaseWatch:
    """When the folder of the releases was last looked at and checked, by the clock of the day [s], and what is damaged.

    ``damaged`` has a line for each release whose files on disk are no longer as they are served, from memory.
    """

    def __init__(self, clock: Callable[[], float] = time.time) -> None:
        self.clock = clock
        self.looked_s = self.checked_s = clock()
        self.damaged: tuple[str, ...] = ()

    def look(self) -> tuple[str, ...]:
        """Take releases that have come and answer; return their names."""
        came = releases.look(answer_from)
        self.looked_s = self.clock()
        if came:
            log.warning("Release %s has arrived and is served from now on.", ", ".join(came))
        return came

    def check(self) -> None:
        """Compare the files of every release with what is served; a line in the log says what changed."""
        self.checked_s = self.clock()
        damaged = releases.damaged()
        for line in damaged:
            if line not in self.damaged:
                log.error("The app serves this release from memory until it is restarted: %s", line)
        if self.damaged and not damaged:
            log.warning("The files of every release are again what was verified.")
        self.damaged = damaged

    def run(self, over: threading.Event, *, taken: Callable[[], object], every_s: float = LOOK_S) -> None:
        """Return when ``over``; until then look, check when it is due, and call ``taken`` when a release has come. [s]

        Whatever goes wrong is one line in the log, and the next look comes.
        """
        while not over.wait(every_s):
            try:
                if self.look():
                    taken()
                if self.clock() - self.checked_s >= CHECK_S:
                    self.check()
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
