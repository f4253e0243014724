"""The commands look things up in the release that is named, or in the newest."""

from analysis.placement.tables import known, tables
from data import releases


def test_the_newest_release_is_looked_up_where_none_is_named():
    newest = tables(releases.latest()).accelerators
    assert tables().accelerators.equals(newest)
    assert len(tables(releases.names()[0]).accelerators) != len(newest)


def test_files_of_weights_and_whole_models_have_their_size():
    sizes = {size.words: size for size in known().sizes}
    whole = sizes["Llama 3 8B in FP16"]
    assert whole.weights_byte == 2 * whole.n_parameters
    assert sizes["Llama-3-8B-Instruct in Q4_K_M"].weights_byte == 4_918_000_000
