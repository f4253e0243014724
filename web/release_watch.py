"""A watch for releases that arrive while the app runs."""

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
    """A watch that stores the time of the last check of the releases' folder. [s]"""

    def __init__(self, clock: Callable[[], float] = time.time) -> None:
        self.clock = clock
        self.looked_s = clock()

    def look(self) -> tuple[str, ...]:
        """Load new releases that pass their trial, and return their names."""
        came = releases.look(answer_from)
        self.looked_s = self.clock()
        if came:
            log.warning("Release %s has arrived and is served from now on.", ", ".join(came))
        return came

    def run(self, over: threading.Event, *, taken: Callable[[], object], every_s: float = LOOK_S) -> None:
        """Check for new releases until ``over`` is set. Call ``taken`` after one has arrived.

        An error is logged as one line, and the checks continue.
        """
        while not over.wait(every_s):
            try:
                if self.look():
                    taken()
            except Exception as fault:  # without the watch the process would serve old data permanently
                log.warning("The releases could not be looked at: %s: %s", type(fault).__name__, fault)


def answer_from(release: str) -> None:
    """Answer two views from a release. The second view uses most of the other views.

    A new release is tested this way before it is loaded, and no reader waits for its fits.
    """
    tuple(answer(GROWTH_GAP, GROWTH_GAP.settings(release=release)).exhibits)
    answer(CLAIMS, CLAIMS.settings(release=release))


WATCH = ReleaseWatch()
"""The only watch of this process."""
