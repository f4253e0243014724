"""Works that read like life: what each of them asks, where the reader says nothing else."""

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Preset:
    """A kind of work with its usual numbers; each number has the name of its setting, ``label`` is its short name.

    ``first_token`` [s] and ``speed`` [tokens/s] are what an answer must be, 0 where that does not matter.
    ``kept`` tokens are in the cache from earlier turns, ``prompt`` are read anew. ``share`` of a device's price is
    charged to the work, 0 where people have it anyway. Fine-tuning reads ``tuning_tokens`` million tokens within
    ``deadline`` hours.
    """

    label: str
    words: str
    noun: str
    model: str
    format: str = "4-bit"
    prompt: int = 1000
    output: int = 300
    kept: int = 0
    requests: int = 1000
    people: int = 1
    peak: float = 4.0
    first_token: float = 0.0
    speed: float = 0.0
    stay: str = "anywhere"
    network: str = "fixed"
    share: float = 1.0
    edge_model: str = "llama-3.2-3b"
    kept_on_edge: int = 70
    tuning: str = ""
    tuning_tokens: float = 0.0
    deadline: float = 0.0


PRESETS = {
    "phone-assistant": Preset(
        label="Phone assistant",
        words="an assistant on a phone: one person, 30 short requests a day",
        noun="Phone assistant",
        model="llama-3.2-3b",
        prompt=300,
        output=150,
        kept=700,
        requests=30,
        first_token=2.0,
        speed=10.0,
        network="5g",
        share=0.0,
        edge_model="llama-3.2-1b",
        kept_on_edge=60,
    ),
    "laptop-coding": Preset(
        label="Coding on a laptop",
        words="coding on a laptop: one person, 200 requests a day with long context",
        noun="Coding assistant",
        model="qwen3-30b-a3b",
        prompt=1500,
        output=500,
        kept=6000,
        requests=200,
        first_token=5.0,
        speed=20.0,
        share=0.25,
        edge_model="qwen3-4b",
        kept_on_edge=60,
    ),
    "branch-documents": Preset(
        label="Branch-office documents",
        words="document questions in a branch office: 40 people, 2,000 requests a day, data stays on premises",
        noun="Document questions",
        model="gemma-3-27b",
        format="8-bit",
        prompt=4000,
        output=300,
        requests=2000,
        people=40,
        first_token=8.0,
        speed=12.0,
        stay="premises",
        edge_model="gemma-3-12b",
        kept_on_edge=70,
    ),
    "support-chat": Preset(
        label="Support chat",
        words="support chat at a million requests a day",
        noun="Support chat",
        model="llama-3.3-70b",
        format="8-bit",
        prompt=1200,
        output=250,
        kept=800,
        requests=1_000_000,
        people=200_000,
        peak=3.0,
        first_token=2.0,
        speed=20.0,
        edge_model="llama-3.1-8b",
        kept_on_edge=75,
    ),
    "domain-tuning": Preset(
        label="Domain fine-tuning",
        words="fine-tuning an 8B model on 50 million tokens of domain text, within a day",
        noun="Domain fine-tuning",
        model="llama-3.1-8b",
        stay="anywhere",
        tuning="lora",
        tuning_tokens=50.0,
        deadline=24.0,
    ),
    "frontier": Preset(
        label="Frontier model",
        words="a frontier model for 2,000 people, 20,000 requests a day",
        noun="Frontier model",
        model="deepseek-v3",
        format="8-bit",
        prompt=2000,
        output=800,
        kept=2000,
        requests=20_000,
        people=2000,
        first_token=5.0,
        speed=15.0,
        edge_model="gpt-oss-20b",
        kept_on_edge=50,
    ),
}
