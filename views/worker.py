"""Worker process for a reader's long computations, which would delay other readers in the server.

Python threads of one process alternate every 5 ms, whatever the number of cores. A pool of the standard library has two
problems: it would run app.py again in its process, and it cannot end a job that hangs.
"""

import os
import subprocess
import sys
import threading
import time
import traceback
from collections.abc import Callable
from contextlib import suppress
from multiprocessing.connection import Connection, Pipe
from pathlib import Path
from typing import ParamSpec, TypeVar

from data import releases
from views.compute_pool import LONGEST_RETRY_S, LONGEST_S, Busy

ROOT = Path(__file__).resolve().parent.parent
COMMAND = (sys.executable, "-m", "views.worker")
NICENESS = 5
"""Increment of the worker's niceness. It gives the server's own threads priority."""
LONGEST_CALL_S = 3 * LONGEST_S
"""Maximum time of a call. On busy cores, the worker gets only a small part of a core. [s]"""
IDLE_S = 900.0
"""Idle time after which a worker exits, to free its memory. [s]"""

Arguments = ParamSpec("Arguments")
Answer = TypeVar("Answer")


class Worker:
    """A process that runs our calls, one at a time. It starts with the first call.

    A call that takes longer than ``longest_s`` [s] is ended together with its process. The next call starts a new
    process, as does the first call after a process died or a release arrived.
    """

    def __init__(self, *, longest_s: float = LONGEST_CALL_S) -> None:
        self.longest_s = longest_s
        self._process: subprocess.Popen[bytes] | None = None
        self._connection: Connection
        self._releases: tuple[str, ...] = ()
        self._lock = threading.Lock()

    def call(
        self, function: Callable[Arguments, Answer], *arguments: Arguments.args, **named: Arguments.kwargs
    ) -> Answer:
        """Call a module's function in the worker and return its result. Arguments and result are pickled.

        Raises Busy if the call takes too long or the worker ends meanwhile; RuntimeError, with the traceback as
        message, if the function raises.
        """
        with self._lock:
            process, until_s = self._running(), time.monotonic() + self.longest_s
            overdue = threading.Timer(self.longest_s, process.kill)
            overdue.start()
            try:
                self._connection.send((function, arguments, named))
                returned, answer = self._connection.recv()
            except (EOFError, OSError):
                self._end()
                late = time.monotonic() >= until_s
                raise Busy(
                    f"This answer takes longer than {self.longest_s:g} s to make."
                    if late
                    else "What makes this answer has ended before it was made.",
                    retry_after_s=LONGEST_RETRY_S if late else 1,
                ) from None
            finally:
                overdue.cancel()
        if not returned:
            raise RuntimeError(answer)
        return answer

    @property
    def memory_byte(self) -> int:
        """Return the memory of the worker. 0 if there is no worker or the system does not report it. [byte]"""
        try:
            pages = Path(f"/proc/{self._process.pid if self._process else ''}/statm").read_text().split()[1]
        except OSError:
            return 0
        return int(pages) * os.sysconf("SC_PAGE_SIZE")

    def end(self) -> None:
        """End the worker and any running call."""
        if self._process is not None:
            self._process.kill()
        with self._lock:
            self._end()

    def _running(self) -> subprocess.Popen[bytes]:
        if self._process and (self._process.poll() is not None or self._releases != releases.names()):
            self._end()
        if self._process is None:
            self._connection, theirs = Pipe()
            self._process = subprocess.Popen(
                [*COMMAND, str(theirs.fileno())],
                cwd=ROOT,
                stdin=subprocess.PIPE,  # closed when this process ends in any way
                pass_fds=[theirs.fileno()],
                start_new_session=True,  # Ctrl-C goes to the server, which ends the worker
            )
            theirs.close()
            self._releases = releases.names()
        return self._process

    def _end(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.communicate()
            self._connection.close()
            self._process = None


def main() -> None:
    """Run the calls that arrive on the connection whose descriptor is the last argument."""
    connection = Connection(int(sys.argv[-1]))
    threading.Thread(target=_end_with_server, daemon=True).start()
    os.nice(NICENESS)
    with suppress(EOFError, OSError):  # the server has ended
        while connection.poll(IDLE_S):
            function, arguments, named = connection.recv()
            try:
                answer = True, function(*arguments, **named)
            except Exception:  # reported by the server
                answer = False, traceback.format_exc()
            connection.send(answer)


def _end_with_server() -> None:
    os.read(0, 1)
    os._exit(0)


WORKER = Worker()
"""The worker of this process."""

if __name__ == "__main__":
    main()
