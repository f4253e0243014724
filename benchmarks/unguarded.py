"""Our app with some of its guards off, or some of what it serves gone: what an attack must notice.

    python -m benchmarks.unguarded upload-quota deadlines

Each name replaces one part before the app is put together, so nothing in the app itself can be switched off.
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
    """Put others in the place of some parts of a module or a class, which may be named.

    Raises
    ------
    AttributeError
        When there is no such part: its guard would stay on, unnoticed.
    """
    owner = resolve_name(owner) if isinstance(owner, str) else owner
    for name, part in parts.items():
        getattr(owner, name)
        setattr(owner, name, part)


def _always(owner: Any, **options: Any) -> None:
    """Have a class be made with these options, whatever it is told."""
    make = owner.__init__

    def initialize(self: Any, *arguments: Any, **others: Any) -> None:
        make(self, *arguments, **{**others, **options})

    _replace(owner, __init__=initialize)


def _escaping() -> None:
    """Write what a link says into the page as it is."""
    _always(jinja2.Environment, autoescape=False)
    _replace(html, escape=lambda s, quote=True: s)


def _received_bytes() -> None:
    """Count a file as a whole when it is begun, whatever comes of it."""
    from web.middleware.upload_quota import UploadQuota

    check = UploadQuota._check_room

    def counted(self: Any, session: str, *, more_byte: int = 0, **options: Any) -> None:
        self.received[session] += more_byte
        check(self, session, **options)

    _replace(UploadQuota, _check_room=counted)


def _turns() -> None:
    """Run jobs in the order in which they came, whoever sent them and however long they take."""
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
    # messages of any length on the socket, packed ones too
    "message-length": lambda: _always(uvicorn.Config, ws_max_size=NO_LIMIT, ws_per_message_deflate=True),
    "received-bytes": _received_bytes,
    "turns": _turns,
    # every request is believed about where it comes from
    "addresses": lambda: os.environ.update(TRUSTED_PROXY="127.0.0.1"),
    # as many files as are sent
    "upload-quota": lambda: _replace(
        "web.middleware.upload_quota",
        **dict.fromkeys(("SESSION_BYTE", "CLIENT_BYTE", "PROCESS_BYTE"), NO_LIMIT),
    ),
    # what is left of a request is waited for, for good
    "deadlines": lambda: _replace("web.serving", HEAD_S=NO_LIMIT, BODY_S=NO_LIMIT, SEND_S=NO_LIMIT),
    # every deadline is one of seconds: for tests
    "patience": lambda: _replace("web.serving", HEAD_S=3.0, SEND_S=3.0),
    # what nobody waits for any more is made
    "hang-ups": lambda: _replace(
        "views.compute_pool:ComputePool", leave=lambda self, job, *, comes_back=False: None
    ),
    # exports of any length are read
    "rows": lambda: _replace("views.worker", COMMAND=(sys.executable, "-c", UNBOUNDED_WORKER)),
    # readers' own data are read in the process that serves all others
    "worker": lambda: _replace(
        "views.worker:Worker", call=lambda self, function, *arguments, **named: function(*arguments, **named)
    ),
    # 404 for every form of every view
    "files": lambda: _replace("web.view_files:ViewFiles", takes=lambda self, path: False),
    # every session is refused
    "sessions": lambda: _replace(
        "web.middleware.own_callers:OwnCallers", _is_our_origin=lambda self, origin, host: False
    ),
}
"""What takes each guard off."""


if __name__ == "__main__":
    for name in sys.argv[1:]:
        OFF[name]()
    import app

    app.main()
