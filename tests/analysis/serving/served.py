"""Deployments and the command of serving, for the tests of it."""

from analysis.serving.__main__ import COMMAND
from analysis.serving.deployment import Deployments, Load, Plan, ServingChip, Software, deployment
from analysis.serving.tables import chips, model, served_tables
from analysis.serving.times import by_name
from tests.analysis.predict.tables import predicted

ONE = "model,accelerator,tensor_parallel,format,prompt_tokens,output_tokens,concurrency,software\n"
CASE = "openai/gpt-oss-120b,b200_sxm,4,fp4,1024,1024,16,vllm 0.15.1\n"


def run(tmp_path, text, *options):
    return predicted(COMMAND, folder=tmp_path, text=text, options=options)


def factors():
    """Return the recorded factors by name."""
    return by_name(model().factors)


def served(
    *, name="llama3.170b", chip: str | ServingChip = "NVIDIA H100 SXM5 80GB", bits=8.0, format_name="FP8",
    engine="vllm", year=2026.2, drafted=0.0, prompt=1024.0, output=1024.0, concurrency=16.0, cached=0.0, tuning="",
    **plan: float
) -> Deployments:  # fmt: skip
    """Return one deployment as columns."""
    part = chips()[chip] if isinstance(chip, str) else chip
    one = deployment(
        served_tables().models[name],
        chip=part,
        format_name=format_name,
        bits=bits,
        plan=Plan(**{"tensor": 4.0, **plan}),
        load=Load(
            prompt_tokens=prompt,
            output_tokens=output,
            concurrency=concurrency,
            cached_tokens=cached,
            drafted=drafted,
        ),
        software=Software(engine=engine, version="", year=year, tuning=tuning),
    )
    return Deployments.from_rows([one])
