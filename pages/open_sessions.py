"""How many readers have a session open with this process."""

from streamlit import runtime


def open_sessions() -> int:
    """Return how many sessions are open."""
    manager = getattr(runtime.get_instance(), "_session_mgr", None) if runtime.exists() else None
    return manager.num_active_sessions() if manager is not None else 0
