"""The worker: what it is asked to call, what becomes of a call that hangs or kills it, and its end."""

import operator
import os
import signal
import subprocess
import sys
import time
from multiprocessing import Pipe

import pytest

from data import releases
from views.worker import ROOT, Busy, Worker

HANGS = "import time; from views.worker import WORKER; import os; print(WORKER.call(os.getpid), flush=True); "


@pytest.fixture
def worker():
    worker = Worker()
    yield worker
    worker.end()


def alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    with open(f"/proc/{process}/stat", encoding="utf-8") as stat:
        return stat.read().rpartition(")")[2].split()[0] != "Z"


def test_one_process_beside_ours_makes_call_after_call_at_a_lower_priority(worker):
    assert worker.memory_byte == 0
    process = worker.call(os.getpid)
    assert process not in {os.getpid(), os.getppid()}
    assert worker.call(os.getpid) == process
    assert worker.call(os.nice, 0) > os.nice(0)
    assert 1e7 < worker.memory_byte < 1e9
    assert worker.call(sorted, [3, 1, 2], reverse=True) == [3, 2, 1]


def test_a_fault_in_it_is_one_here_with_its_traceback_and_the_worker_goes_on(worker):
    process = worker.call(os.getpid)
    with pytest.raises(RuntimeError, match=r"(?s)^Traceback.*ZeroDivisionError"):
        worker.call(operator.floordiv, 1, 0)
    assert worker.call(os.getpid) == process


def test_a_call_that_hangs_is_ended_with_its_process_and_the_next_has_a_new_one(worker):
    process, worker.longest_s = worker.call(os.getpid), 0.2
    with pytest.raises(Busy, match=r"^This answer takes longer than 0\.2 s to make\.$") as busy:
        worker.call(time.sleep, 60)
    assert busy.value.retry_after_s == 60 and not alive(process)
    worker.longest_s = 60.0
    assert worker.call(os.getpid) != process


def test_a_worker_that_dies_is_replaced(worker):
    with pytest.raises(Busy, match=r"^What makes this answer has ended before it was made\.$") as busy:
        worker.call(os._exit, 1)
    assert busy.value.retry_after_s == 1
    process = worker.call(os.getpid)
    os.kill(process, signal.SIGKILL)
    os.waitid(os.P_PID, process, os.WEXITED | os.WNOWAIT)  # until all its threads have ended
    assert worker.call(os.getpid) != process


def test_when_a_release_has_come_a_new_worker_reads_it(*, worker, monkeypatch):
    process = worker.call(os.getpid)
    monkeypatch.setattr(releases, "names", lambda: ("2026-07", "2030-01"))
    assert worker.call(os.getpid) != process


@pytest.mark.parametrize("end", ["os.kill(os.getpid(), 9)", "WORKER.end(); time.sleep(60)"])
def test_it_ends_with_the_server_however_that_ends_and_while_it_computes(end):
    code = f"{HANGS} import threading; threading.Timer(0.3, lambda: exec({end!r})).start(); WORKER.call(time.sleep, 60)"
    server = subprocess.Popen(
        [sys.executable, "-c", code], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )
    try:
        assert server.stdout
        process, until_s = int(server.stdout.readline()), time.monotonic() + 20
        while alive(process) and time.monotonic() < until_s:
            time.sleep(0.05)
        assert not alive(process)
    finally:
        server.kill()
        server.communicate()


def test_it_ends_in_silence_where_nobody_is_left_to_take_its_answer():
    (ours, its), (silent, _) = Pipe(), os.pipe()
    ours.send((time.sleep, (0.1,), {}))
    ours.close()
    command = [sys.executable, "-m", "views.worker", str(at := its.fileno())]
    ended = subprocess.run(command, cwd=ROOT, stdin=silent, capture_output=True, pass_fds=[at])
    assert (ended.returncode, ended.stderr) == (0, b"")
