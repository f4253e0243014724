"""Words on prompts and answers that are shorter or longer than any that was measured under load."""

Ends = tuple[float, float]


def beyond_words(measured: tuple[Ends, Ends], *, prompt: float, answer: float, of: str) -> list[str]:
    """Return a sentence where a prompt or an answer lies beyond those measured, none where both lie within.

    ``measured`` are the shortest and longest prompt and answer [tokens], ``of`` what is carried beyond them: price.
    """
    lengths = zip(("prompts", "answers"), measured, (prompt, answer), strict=True)
    beyond = [
        (name, f"from {low:,.0f} to {high:,.0f}")
        for name, (low, high), length in lengths
        if not low <= length <= high
    ]
    if not beyond:
        return []
    (name, span), *others = beyond
    more = "".join(f", {other} {other_span}" for other, other_span in others) or " tokens"
    tokens = " tokens" if others else ""
    return [f"{name.capitalize()} were measured {span}{tokens}{more}: this {of} is carried beyond them."]
