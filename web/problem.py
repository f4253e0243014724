"""What a program gets instead of what it asked for: a problem document that says what to do (RFC 9457)."""

import errno
import json
from collections.abc import Iterable, Mapping, Sequence
from contextvars import ContextVar
from http import HTTPStatus

from starlette.responses import Response

from views.settings import Ignored

REQUEST: ContextVar[str] = ContextVar("request", default="")
"""The name of the request that is being answered, as the log has it."""
MEDIA_TYPE = "application/problem+json"
OPEN_TO_ALL = {"Access-Control-Allow-Origin": "*", "Access-Control-Expose-Headers": "ETag, Link"}
"""The data are public: any page may read these answers."""

TITLES = {status.value: status.phrase for status in HTTPStatus}
TITLES |= {414: "URI Too Long", 422: "Unusable Setting", 503: "Busy"}
MOST_ERRORS = 20


def problem(
    status: int,
    detail: str,
    *,
    errors: Sequence[Mapping[str, str]] = (),
    headers: Mapping[str, str] | None = None,
) -> Response:
    """Return a problem document; ``errors`` are what is wrong, each with field, value and allowed.

    It names its request, by which an operator finds its line in the log.
    """
    body: dict[str, object] = {"type": "about:blank", "title": TITLES[status]}
    body |= {"status": status, "detail": detail}
    if request := REQUEST.get():
        body["request"] = request
    if errors:
        body["errors"] = [dict(error) for error in errors[:MOST_ERRORS]]
    return Response(
        json.dumps(body),
        status_code=status,
        media_type=MEDIA_TYPE,
        headers={"Cache-Control": "no-store", **OPEN_TO_ALL, **(headers or {})},
    )


def is_full(fault: Exception) -> bool:
    """Return whether this is the system's refusal to open one more file, which passes."""
    return isinstance(fault, OSError) and fault.errno in (errno.EMFILE, errno.ENFILE)


class UnusableError(ValueError):
    """A link asks for what there is not; carries each setting, what came and what is allowed."""

    def __init__(self, ignored: Sequence[Ignored]) -> None:
        self.ignored = tuple(ignored)
        super().__init__(
            " ".join(f"{one.setting}: got {one.value!r}; allowed: {one.allowed}." for one in ignored)
        )


def unusable(ignored: Sequence[Ignored]) -> Response:
    """Return the 422 that names each setting that cannot be used, what came and what is allowed."""
    errors = [{"field": item.setting, "value": item.value, "allowed": item.allowed} for item in ignored]
    named = ", ".join(dict.fromkeys(item.setting for item in ignored[:MOST_ERRORS]))
    return problem(422, f"These settings cannot be used: {named}. See errors.", errors=errors)


def wrong_method(allowed: Iterable[str]) -> Response:
    """Return the 405 that names the methods there are."""
    allow = ", ".join(allowed)
    return problem(405, f"This address answers {allow}.", headers={"Allow": allow})
