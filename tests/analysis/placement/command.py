"""Runs the command on a table of cases, for the tests of it."""

from analysis.placement.__main__ import COMMAND
from tests.analysis.predict.tables import predicted

NAMED = "device,model,format,context_tokens,mine\nRTX 4090,Llama 3 8B,Q4_K_M,1024,=1+1\n"
PLAIN = "device_class,backend,memory_bandwidth_gbyte_per_s,weights_gbyte\nlaptop,GPU,400,4.9\n"


def run(tmp_path, text, *options):
    return predicted(COMMAND, folder=tmp_path, text=text, options=options)


def refusal(tmp_path, *, capsys, text):
    """Return what is said of a table that --strict refuses; without it, the same is said and nothing is lost."""
    code, rows = run(tmp_path, text, "--strict")
    assert (code, rows) == (2, [])
    words = capsys.readouterr().err
    code, rows = run(tmp_path, text)
    assert code in (1, 2) and (code == 1) == bool(rows)
    assert capsys.readouterr().err == words
    (tmp_path / "out.csv").unlink(missing_ok=True)
    return words
