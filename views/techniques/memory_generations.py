"""What follows a kind of memory, and how many times its bandwidth."""

from data import standing


def next_memory(kind: str) -> tuple[str, float]:
    """Return the memory that follows a kind such as HBM3, and its bandwidth over that one; ``""`` and 1 if none does.

    One stack is held against one, one module against one: the standing table ``memory_generations``.
    """
    generations = standing.rows("memory_generations", "memory")
    following = str(generations[kind]["next_memory"]) if kind in generations else ""
    if not following:
        return "", 1.0
    old, new = (float(generations[name]["bandwidth_byte_per_s"]) for name in (kind, following))
    return following, new / old
