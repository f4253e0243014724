"""The model that a run trains: by its shape, by its name, or by its name with some sizes of the run's own."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from analysis.model.architecture import Architecture
from analysis.model.names import known_model, nearest, plain
from analysis.predict.columns import CaseError, CaseRow
from analysis.training_run.case_columns import SHAPE, flag_of, whole_of

FIELDS: Mapping[str, str] = {
    "n_layers": "n_layers",
    "hidden_size": "hidden_size",
    "n_heads": "n_heads",
    "vocabulary_size": "vocabulary",
    "n_key_value_heads": "n_kv_heads",
    "n_experts": "n_experts",
    "n_active_experts": "n_active_experts",
    "head_size": "head_size",
    "n_shared_experts": "n_shared_experts",
    "n_dense_layers": "n_dense_layers",
}
"""The sizes of a model that have a column of their own, whatever the others say."""


def trained_model(row: CaseRow, *, known: Mapping[str, Architecture]) -> Architecture:
    """Return the model of a row, with the run's sequences.

    Where layers, hidden size, heads and vocabulary are all given they are the model, and a name is no more than that.
    Else the model that is named gives what the row leaves open; its name then says which sizes are the row's.

    Raises
    ------
    CaseError
        Neither a whole shape nor a model of ours, or sizes that no model has.
    """
    sequence = whole_of(row, "sequence_tokens") or 0
    name = row.text("model")
    model = known_model(name, known)
    lacking = [size.name for size in SHAPE if not row.text(size.name)]
    sizes = _sizes(row, mixture=bool(lacking) and model is not None and model.n_experts > 1)
    try:
        if not lacking:
            return Architecture(**sizes, sequence_length=sequence)
        if not name:
            called = row[lacking[0]].called
            raise CaseError(f"{called} is needed; it is empty. Give it for every case, or name a model.")
        if model is None:
            raise CaseError(
                f"model {name!r} is not in our tables (nearest: {nearest(plain(name), known)}). Give "
                f"{', '.join(row[name].called for name in lacking)}, or a model we know."
            )
        other = {field: size for field, size in sizes.items() if size != getattr(model, field)}
        if not other:
            return replace(model, sequence_length=sequence)
        words = ", ".join(f"{field} {size}" for field, size in other.items())
        return replace(
            model, **other, stated=None, name=f"{model.name} with {words}", sequence_length=sequence
        )
    except CaseError:
        raise
    except ValueError as error:
        raise CaseError(str(error)) from None


def _sizes(row: CaseRow, *, mixture: bool) -> dict[str, Any]:
    """Return the sizes that a row gives, by field of the model, which may be a mixture before they are taken."""
    sizes: dict[str, Any] = {field: whole_of(row, column) for field, column in FIELDS.items()}
    sizes["n_experts"] = sizes["n_experts"] or None
    sizes["n_active_experts"] = sizes["n_active_experts"] or None
    width, feed_forward, of_expert, dense = (
        whole_of(row, column)
        for column in ("feed_forward", "ffn_size", "expert_ffn_size", "dense_feed_forward")
    )
    mixture = sizes["n_experts"] > 1 if sizes["n_experts"] else mixture
    sizes["feed_forward_size"] = (of_expert or width) if mixture else (width or feed_forward)
    sizes["dense_feed_forward_size"] = dense or (feed_forward if mixture else None)
    matrices = whole_of(row, "n_ffn_matrices")
    if matrices not in (None, 2, 3):
        raise CaseError(f"n_ffn_matrices is 2, or 3 where the feed-forward layer is gated; got '{matrices}'.")
    gated, tied = flag_of(row, "gated"), flag_of(row, "tied_embeddings")
    sizes["gated"] = matrices == 3 if gated is None and matrices else gated
    sizes["tied_embeddings"] = tied
    return {field: size for field, size in sizes.items() if size is not None}
