"""Problem documents (RFC 9457), which tell programs how to remedy a fault."""

import errno
import json
from collections.abc import Iterable, Mapping, Sequence
from contextvars import ContextVar
from http import HTTPStatus

from starlette.responses import Response

from views.settings import Ignored

REQUEST: ContextVar[str] = ContextVar("request", default="")
"""ID of the current request, as in the log."""
MEDIA_TYPE = "application/problem+json"
OPEN_TO_ALL = {"Access-Control-Allow-Origin": "*", "Access-Control-Expose-Headers": "ETag, Link"}
"""Headers of public data. They let any site's pages read these responses."""

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
    """Return a problem document. Each of its ``errors`` states a field, the field's value and what is allowed.

    It includes the id of its request, by which an operator finds its line in the log.
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
    """Return whether the system refused to open another file. Such a refusal is temporary."""
    return isinstance(fault, OSError) and fault.errno in (errno.EMFILE, errno.ENFILE)


class UnusableError(ValueError):
    """Error for a link to something that does not exist. It states each setting's value and what is allowed."""

    def __init__(self, ignored: Sequence[Ignored]) -> None:
        self.ignored = tuple(ignored)
        super().__init__(
            " ".join(f"{one.setting}: got {one.value!r}; allowed: {one.allowed}." for one in ignored)
        )


def unusable(ignored: Sequence[Ignored]) -> Response:
    """Return a 422 that lists each invalid setting, its value and what is allowed."""
    errors = [{"field": item.setting, "value": item.value, "allowed": item.allowed} for item in ignored]
    named = ", ".join(dict.fromkeys(item.setting for item in ignored[:MOST_ERRORS]))
    return problem(422, f"These settings cannot be used: {named}. See errors.", errors=errors)


def wrong_method(allowed: Iterable[str]) -> Response:
    """Return a 405 that names the allowed methods."""
    allow = ", ".join(allowed)
    return problem(405, f"This address accepts only {allow}.", headers={"Allow": allow})
