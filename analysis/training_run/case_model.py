"""The model that a run trains: by its shape, by its name, or by its name with some sizes of the run's own."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from analysis.case_table import CaseColumn, CaseError, cell_of
from analysis.model.architecture import Architecture
from analysis.model.names import known_model, nearest, plain
from analysis.training_run import case_columns as columns
from analysis.training_run.case_columns import flag_of, whole_of

FIELDS: Mapping[str, CaseColumn] = {
    "n_layers": columns.LAYERS,
    "hidden_size": columns.HIDDEN,
    "n_heads": columns.HEADS,
    "vocabulary_size": columns.VOCABULARY,
    "n_key_value_heads": columns.KEY_VALUE_HEADS,
    "n_experts": columns.EXPERTS,
    "n_active_experts": columns.ACTIVE_EXPERTS,
    "head_size": columns.HEAD_SIZE,
    "n_shared_experts": columns.SHARED_EXPERTS,
    "n_dense_layers": columns.DENSE_LAYERS,
}
"""The sizes of a model that have a column of their own, whatever the others say."""


def trained_model(row: Mapping[str, str], *, known: Mapping[str, Architecture]) -> Architecture:
    """Return the model of a row, with the run's sequences.

    Where layers, hidden size, heads and vocabulary are all given they are the model, and a name is no more than that.
    Else the model that is named gives what the row leaves open; its name then says which sizes are the row's.

    Raises
    ------
    CaseError
        Neither a whole shape nor a model of ours, or sizes that no model has.
    """
    sequence = whole_of(row, columns.SEQUENCE) or 0
    name = cell_of(row, columns.MODEL).text
    model = known_model(name, known)
    lacking = [column for column in columns.SHAPE if not cell_of(row, column).text]
    sizes = _sizes(row, mixture=bool(lacking) and model is not None and model.n_experts > 1)
    try:
        if not lacking:
            return Architecture(**sizes, sequence_length=sequence)
        if not name:
            called = cell_of(row, lacking[0]).called
            raise CaseError(f"{called} is needed; it is empty. Give it for every case, or name a model.")
        if model is None:
            raise CaseError(
                f"model {name!r} is not in our tables (nearest: {nearest(plain(name), known)}). Give "
                f"{', '.join(cell_of(row, column).called for column in lacking)}, or a model we know."
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


def _sizes(row: Mapping[str, str], *, mixture: bool) -> dict[str, Any]:
    """Return the sizes that a row gives, by field of the model, which may be a mixture before they are taken."""
    sizes: dict[str, Any] = {field: whole_of(row, column) for field, column in FIELDS.items()}
    sizes["n_experts"] = sizes["n_experts"] or None
    sizes["n_active_experts"] = sizes["n_active_experts"] or None
    width, feed_forward, of_expert, dense = (
        whole_of(row, column)
        for column in (columns.FEED_FORWARD, columns.FFN, columns.EXPERT_FFN, columns.DENSE_FEED_FORWARD)
    )
    mixture = sizes["n_experts"] > 1 if sizes["n_experts"] else mixture
    sizes["feed_forward_size"] = (of_expert or width) if mixture else (width or feed_forward)
    sizes["dense_feed_forward_size"] = dense or (feed_forward if mixture else None)
    matrices = whole_of(row, columns.FFN_MATRICES)
    if matrices not in (None, 2, 3):
        raise CaseError(f"n_ffn_matrices is 2, or 3 where the feed-forward layer is gated; got '{matrices}'.")
    gated, tied = flag_of(row, columns.GATED), flag_of(row, columns.TIED)
    sizes["gated"] = matrices == 3 if gated is None and matrices else gated
    sizes["tied_embeddings"] = tied
    return {field: size for field, size in sizes.items() if size is not None}
