"""How much readers have left with this process: the files that Streamlit keeps until their session ends."""

from streamlit import runtime


def held_byte() -> dict[str, int]:
    """Return how much each session has left with this process. [byte]"""
    if not runtime.exists():
        return {}
    kept = getattr(runtime.get_instance().uploaded_file_mgr, "file_storage", {})
    return {
        session: sum(len(file.data) for file in list(files.values())) for session, files in list(kept.items())
    }
