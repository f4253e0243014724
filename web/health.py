"""Is this process able to answer? For load balancers and containers."""

from starlette.requests import Request
from starlette.responses import JSONResponse

PATH = "/healthz"


async def healthz(_request: Request) -> JSONResponse:
    """Return 200 as long as the process answers requests."""
    return JSONResponse({"status": "ok"}, headers={"Cache-Control": "no-store"})
