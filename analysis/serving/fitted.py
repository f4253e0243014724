"""The factors of serving as fitted to the measured points, written by ``python -m scripts.records serving``.

``QUANTILES`` say by kind of time how many standard deviations hold the shares of
:data:`analysis.serving.predict.LEVELS` of points, each predicted without its accelerator or
without a random half of all points, whichever are more. ``FULL_LOAD_ERRORS`` say how far throughput
at full load is off, in percent of what was measured, where a point's model or accelerator was left out,
and by bandwidth alone, scaled to the median of all points.
"""

FITTED = {
    "weights": 1.065,
    "cache": 1.257,
    "compute": 1.384,
    "experts": 6.684,
    "expert_size": 0.5033,
    "attention": 3.209,
    "narrow": 1.187,
    "layer": 3.795e-05,
    "expert_layer": 9.481e-06,
    "latent_layer": 4.375e-05,
    "reduce": 7.378e-06,
    "link": 2.668,
    "exchange": 7.37e-06,
    "step": 7.976e-05,
    "request": 8.085e-06,
    "mixing": 0.838,
    "trtllm": 1.006,
    "vllm": 1.071,
    "sglang": 1.14,
    "amd": 1.287,
    "tpu": 0.9103,
    "year": 1.035,
    "year_launches": 1.101,
    "year_first": 0.3586,
    "early": 1.02,
    "early_launches": 6.355,
    "early_first": 2.382,
    "drafting": 1.261,
    "memory": 1.068,
    "first": 0.0248,
    "first_layer": 0.0006518,
    "first_latent": 4.888,
    "first_own": 1.101,
    "first_trtllm": 0.8885,
    "first_vllm": 0.7569,
    "first_sglang": 0.9848,
    "queue_trtllm": 0.04959,
    "queue_vllm": 0.09432,
    "queue_sglang": 0.1573,
    "queue_steps": 0.1633,
    "queue_apart": 1.104,
    "reading": 0.3773,
    "answer_share": 0.0006326,
    "apart_trtllm": 3.244,
    "apart": 0.681,
    "gathering": 50.01,
}

QUANTILES = {
    "token": [0.0, 0.413, 0.898, 1.188, 1.459, 2.942],
    "first": [0.0, 0.659, 1.469, 2.118, 2.883, 5.125],
    "load": [0.0, 0.573, 1.195, 1.698, 2.556, 4.038],
}

FULL_LOAD_ERRORS = {
    "model": {
        "rows": 415,
        "devices": 14,
        "median": 27.5,
        "worst": 679.8,
        "worst_device": "AMD Instinct MI300X, DeepSeek-V3",
        "within_factor": 0.622,
        "inside_80": 0.617,
        "inside_90": 0.733,
    },
    "accelerator": {
        "rows": 415,
        "devices": 14,
        "median": 17.8,
        "worst": 343.5,
        "worst_device": "AMD Instinct MI300X, DeepSeek-V3",
        "within_factor": 0.836,
        "inside_80": 0.8,
        "inside_90": 0.899,
    },
    "bandwidth": {
        "rows": 415,
        "devices": 14,
        "median": 40.6,
        "worst": 1760.5,
        "worst_device": "NVIDIA H200 SXM, Llama 3.1 405B",
        "within_factor": 0.477,
    },
}
