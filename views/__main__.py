"""Print the result of a view as JSON: `python -m views '/training-compute?since=2020'`."""

import argparse
import json
import signal
import sys

from views.registry import VIEWS
from views.resolve import LinkError, named, view_and_settings
from views.result import as_json
from views.settings import defaults, definitions
from views.short_link.letters import ShortLinkError
from views.view import answer, read

USAGE_ERROR = 2


def main(arguments: list[str] | None = None) -> int:
    """Print the result of the view in a link, or the list of views. Return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m views", description=__doc__)
    parser.add_argument("link", nargs="?", help="such as '/training-compute?since=2020&domain=language'")
    parser.add_argument(
        "--lenient", action="store_true", help="ignore invalid settings and report them, as the page does"
    )
    chosen = parser.parse_args(arguments)
    if chosen.link is None:
        print(listing())
        return 0
    try:
        view, query = named(chosen.link)
        settings, ignored = read(view, query) if chosen.lenient else (view_and_settings(chosen.link)[1], ())
    except (LinkError, ShortLinkError) as error:
        print(error, file=sys.stderr)
        return USAGE_ERROR
    print(
        json.dumps(
            as_json(answer(view, settings, ignored=ignored)), ensure_ascii=False, indent=2, allow_nan=False
        )
    )
    return 0


def listing() -> str:
    """Return a list of all views as text, with their settings, defaults and allowed values."""
    lines = []
    for path, view in VIEWS.items():
        lines.append(f"{path}  {view.question}")
        default = defaults(view.settings)
        lines.extend(
            f"    {name}={default[name]}  ({setting.allowed})"
            for name, setting in definitions(view.settings).items()
        )
    return "\n".join(lines)


if __name__ == "__main__":
    if hasattr(signal, "SIGPIPE"):  # a reader such as head that closes the pipe is not an error
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    sys.exit(main())
