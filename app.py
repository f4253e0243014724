"""Start Scaling Gap: ``python app.py``, ``streamlit run app.py`` or ``uvicorn app:app``."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

# As in data/__init__.py, but before Streamlit loads numpy.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import streamlit as st
from streamlit import config as streamlit_config

HERE = Path(__file__).resolve().parent
STATIC = Path(streamlit_config.__file__).resolve().parent / "static"

if str(HERE) not in sys.path:
    sys.path.insert(0, str(HERE))

from data import releases, seal  # noqa: E402


@contextmanager
def ending_with(problem: type[Exception]) -> Iterator[None]:
    """End the process, with the error's text as one line, if a ``problem`` is raised in the context."""
    try:
        yield
    except problem as fault:
        sys.exit(str(fault))


with ending_with(seal.DamagedError):
    releases.shelf()  # every release is whole and in memory

from pages import streamlit_internals  # noqa: E402
from web import model_context, serving  # noqa: E402
from web.middleware import middleware  # noqa: E402
from web.routes import routes  # noqa: E402
from web.settings import from_environment  # noqa: E402
from web.start import lifespan  # noqa: E402
from web.telemetry import Metrics  # noqa: E402

with ending_with(streamlit_internals.ChangedError):
    streamlit_internals.check()

# Streamlit looks for .streamlit/config.toml beside the script, which is one folder down. With this file's name,
# as in `streamlit run app.py`, every way of starting reads the same settings from any working directory.
if streamlit_config._main_script_path is None:
    streamlit_config._main_script_path = str(HERE / "app.py")


with ending_with(ValueError):
    settings = from_environment(os.environ)
    if settings.mcp:
        model_context.needed()

metrics = Metrics(sessions=streamlit_internals.open_sessions)

app = st.App(
    HERE / "pages" / "navigation.py",
    routes=routes(static_folder=STATIC, settings=settings),
    middleware=middleware(
        settings, static_folder=STATIC, held=streamlit_internals.held_byte, metrics=metrics
    ),
    lifespan=partial(lifespan, settings=settings, metrics=metrics),
)


def main() -> None:
    """Serve until stopped, after printing the address. If this is impossible, end with a line that states why."""
    with ending_with(serving.PortError):
        serving.check_port(settings)
    serving.more_descriptors()
    print(f"Scaling Gap: {settings.address}", flush=True)
    for line in settings.unprotected:
        print(line, file=sys.stderr)
    serving.server(app, settings).run()


if __name__ == "__main__":
    main()
