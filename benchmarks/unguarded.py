"""Our app with some guards or services disabled, so that attacks must succeed.

    python -m benchmarks.unguarded upload-quota deadlines

Each name replaces one part before the app is assembled, so the app itself has no switch for it.
"""

import html
import math
import os
import sys
from collections.abc import Callable
from pkgutil import resolve_name
from typing import Any

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import jinja2
import uvicorn

NO_LIMIT = 10**9


def _replace(owner: Any, **parts: Any) -> None:
    """Replace parts of a module or a class.

    Raises AttributeError if there is no such part: its guard would stay on unnoticed.
    """
    owner = resolve_name(owner) if isinstance(owner, str) else owner
    for name, part in parts.items():
        getattr(owner, name)
        setattr(owner, name, part)


def _always(owner: Any, **options: Any) -> None:
    """Make a class always use these options, whatever arguments it receives."""
    make = owner.__init__

    def initialize(self: Any, *arguments: Any, **others: Any) -> None:
        make(self, *arguments, **{**others, **options})

    _replace(owner, __init__=initialize)


def _escaping() -> None:
    """Disable escaping. Text of a link is then written into the page as it is."""
    _always(jinja2.Environment, autoescape=False)
    _replace(html, escape=lambda s, quote=True: s)


def _received_bytes() -> None:
    """Disable counting of received bytes. A file then counts in full once its upload starts."""
    from web.middleware.upload_quota import UploadQuota

    check = UploadQuota._check_room

    def counted(self: Any, session: str, *, more_byte: int = 0, **options: Any) -> None:
        self.received[session] += more_byte
        check(self, session, **options)

    _replace(UploadQuota, _check_room=counted)


def _turns() -> None:
    """Disable turns. Jobs then run in the order of arrival."""
    from views import compute_pool
    from views.compute_pool import ComputePool

    order = ComputePool.order

    def in_one_queue(self: ComputePool, *job: Any, **options: Any) -> Any:
        pool = compute_pool.ORDINARY if self is compute_pool.EXPENSIVE else self
        return order(pool, *job, **{**options, "client": ""})

    _replace(ComputePool, order=in_one_queue, _turn_s=lambda self, job: 0.0)
    _replace(compute_pool, LONG_S=math.inf)


UNBOUNDED_WORKER = (
    f"from data import epoch; epoch.MAX_ROWS = {NO_LIMIT}; from views.worker import main; main()"
)
OFF: dict[str, Callable[[], None]] = {
    "escaping": _escaping,
    # socket messages of any length, including compressed ones
    "message-length": lambda: _always(uvicorn.Config, ws_max_size=NO_LIMIT, ws_per_message_deflate=True),
    "received-bytes": _received_bytes,
    "turns": _turns,
    # every request's claimed address is trusted
    "addresses": lambda: os.environ.update(TRUSTED_PROXY="127.0.0.1"),
    # any number of files
    "upload-quota": lambda: _replace(
        "web.middleware.upload_quota",
        **dict.fromkeys(("SESSION_BYTE", "CLIENT_BYTE", "PROCESS_BYTE"), NO_LIMIT),
    ),
    # waits indefinitely for the rest of a request
    "deadlines": lambda: _replace("web.serving", HEAD_S=NO_LIMIT, BODY_S=NO_LIMIT, SEND_S=NO_LIMIT),
    # every deadline is a few seconds, for tests
    "patience": lambda: _replace("web.serving", HEAD_S=3.0, SEND_S=3.0),
    # abandoned jobs are completed
    "hang-ups": lambda: _replace(
        "views.compute_pool:ComputePool", leave=lambda self, job, *, comes_back=False: None
    ),
    # exports of any length are read
    "rows": lambda: _replace("views.worker", COMMAND=(sys.executable, "-c", UNBOUNDED_WORKER)),
    # readers' own data are read in the server process
    "worker": lambda: _replace(
        "views.worker:Worker", call=lambda self, function, *arguments, **named: function(*arguments, **named)
    ),
    # 404 for every form of every view
    "files": lambda: _replace("web.view_files:ViewFiles", takes=lambda self, path: False),
    # every session is rejected
    "sessions": lambda: _replace(
        "web.middleware.own_callers:OwnCallers", _is_our_origin=lambda self, origin, host: False
    ),
}
"""Function that disables each guard, keyed by name."""


if __name__ == "__main__":
    for name in sys.argv[1:]:
        OFF[name]()
    import app

    app.main()
