"""The first picture should not wait for its tools: they are loaded shortly after the start."""

import threading

AFTER_S = 4.0


def warm_up() -> None:
    """Return when what files are made with is loaded."""
    import charts.matplotlib
    import charts.powerpoint  # noqa: F401
    from data.package import fingerprint
    from web.code_version import code_version

    code_version()
    fingerprint()


def warm_up_later(after_s: float = AFTER_S) -> threading.Timer:
    """Return the timer that will warm up, after the first page had the processor to itself. [s]"""
    timer = threading.Timer(after_s, warm_up)
    timer.daemon = True
    timer.start()
    return timer
