"""Which program ran a model: engines by the names that people and sources write."""

import re

ENGINES: dict[str, str] = {
    "T-MAC": r"t-mac",
    "PowerInfer": r"powerinfer",
    "Ollama": r"\bollama",
    "LM Studio": r"lm[\s_-]?studio",
    "llama.cpp": r"llama[\s._-]?(cpp|file|server|bench|cli)|\bggml\b|\bgguf\b|kobold|\bllama\b|ds4-bench",
    "MLX-Swift": r"mlx[\s_-]?swift",
    "MLX": r"\bmlx|apple mlx",
    "MLC": r"\bmlc|web-?llm",
    "TensorRT-LLM": r"tensorrt|\btrt",
    "vLLM": r"\bvllm",
    "SGLang": r"sglang",
    "ExLlama": r"exllama|\bexl[23]\b|tabbyapi",
    "ExecuTorch runner": r"executorch\W*runner|executorch.*\badb\b|llama_main",
    "ExecuTorch": r"executorch",
    "LiteRT": r"litert|mediapipe|tflite|tensorflow lite|ai edge|xnnpack",
    "OpenVINO": r"openvino",
    "ONNX Runtime": r"onnx|\bort\b|directml|windows ml|foundry local",
    "Genie": r"\bgenie|\bqnn|qualcomm",
    "FastFlowLM": r"fastflow|\bflm\b",
    "Core ML": r"core[\s_-]?(ml|ai)|\bane\b",
    "HailoRT": r"hailo",
    "MNN": r"\bmnn\b",
    "ncnn": r"\bncnn\b",
    "Transformers": r"transformers|hugging ?face|pytorch|\btorch\b",
    "candle": r"\bcandle\b|mistral\.?rs",
}
"""Patterns of each engine's names, tried in this order; an unknown one is ``""`` and counts as :data:`REFERENCE`."""

REFERENCE = "llama.cpp"
"""The engine of two thirds of the measured rows: what is fitted for another is how far it lies from this one."""


def engine(name: str) -> str:
    """Return the engine that a name means, without version, app and backend; ``""`` where it is not known."""
    text = name.lower()
    return next((known for known, pattern in ENGINES.items() if re.search(pattern, text)), "")
