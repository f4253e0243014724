"""The runs and chips readers know: name in the data and the short label a chart prints, best known first."""

from collections.abc import Sequence

RUNS = {
    "GPT-4 (Mar 2023)": "GPT-4",
    "GPT-3 175B (davinci)": "GPT-3",
    "Grok 4": "Grok 4",
    "AlexNet": "AlexNet",
    "Llama 3.1-405B": "Llama 3.1",
    "AlphaGo Zero": "AlphaGo Zero",
    "PaLM (540B)": "PaLM",
    "GPT-4.5": "GPT-4.5",
    "BERT-Large": "BERT",
    "GNMT": "GNMT",
    "Gemini 1.0 Ultra": "Gemini Ultra",
    "AlphaGo Lee": "AlphaGo",
    "GPT-2 (1.5B)": "GPT-2",
    "GPT-5": "GPT-5",
    "DeepSeek-V3": "DeepSeek-V3",
    "Transformer": "Transformer",
    "Perceptron Mark I": "Perceptron",
    "NetTalk (transcription)": "NETtalk",
    "LeNet-5": "LeNet-5",
}
CHIPS = {
    "H100 SXM": "H100",
    "A100 40 GB": "A100",
    "V100": "V100",
    "B200": "B200",
    "P100": "P100",
    "K40": "K40",
    "VR200": "Rubin",
    "TPU v7": "TPU v7",
    "TPU v4": "TPU v4",
    "MI300X": "MI300X",
    "MI355X": "MI355X",
    "H200": "H200",
    "TPU v2": "TPU v2",
    "B300": "B300",
    "K20X": "K20X",
    "GeForce RTX 4090": "RTX 4090",
    "GeForce GTX 580": "GTX 580",
    "GeForce GTX 280": "GTX 280",
    "Ascend 910C": "Ascend 910C",
    "Maia 200": "Maia 200",
}


def marked(names: Sequence[str], known: dict[str, str]) -> tuple[tuple[int, str], ...]:
    """Return index and short label of the known names among ``names``, best known first."""
    places = {name: index for index, name in enumerate(names)}
    return tuple((places[name], label) for name, label in known.items() if name in places)
