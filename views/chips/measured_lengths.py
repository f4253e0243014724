"""What a reader is told of prompts and answers that are shorter or longer than any that was measured under load."""

Ends = tuple[float, float]


def beyond_words(measured: tuple[Ends, Ends], *, prompt: float, answer: float, of: str) -> list[str]:
    """Return a sentence where a prompt or an answer lies beyond those measured, none where both lie within.

    ``measured`` are the shortest and longest prompt and answer [tokens], ``of`` what is carried beyond them: price.
    """
    told = []
    for name, ends, asked in zip(("prompts", "answers"), measured, (prompt, answer), strict=True):
        if not ends[0] <= asked <= ends[1]:
            told.append((name, f"from {ends[0]:,.0f} to {ends[1]:,.0f}"))
    if not told:
        return []
    (name, ends_words), rest = told[0], told[1:]
    further = "".join(f", {other} {others}" for other, others in rest)
    tokens, last = (" tokens", further) if rest else ("", " tokens")
    words = f"{name.capitalize()} were measured {ends_words}{tokens}{last}"
    return [f"{words}: this {of} is carried beyond them."]
