"""The factors of serving as fitted to the measured points, written by ``python -m scripts.record_serving``.

``QUANTILES`` say by kind of time how many standard deviations hold the shares of
:data:`analysis.serving.predict.LEVELS` of points, each predicted without its accelerator or
without a random half of all points, whichever are more.
"""

FITTED = {
    "weights": 1.016,
    "cache": 1.199,
    "compute": 1.33,
    "experts": 6.673,
    "expert_size": 0.5035,
    "attention": 3.106,
    "narrow": 1.184,
    "layer": 3.603e-05,
    "expert_layer": 9.149e-06,
    "latent_layer": 4.158e-05,
    "reduce": 7.074e-06,
    "link": 2.557,
    "exchange": 7.124e-06,
    "step": 7.731e-05,
    "request": 7.686e-06,
    "mixing": 0.8332,
    "trtllm": 1.055,
    "vllm": 1.123,
    "sglang": 1.195,
    "amd": 1.296,
    "tpu": 0.9102,
    "year": 1.037,
    "year_launches": 1.095,
    "year_first": 0.3589,
    "early": 1.019,
    "early_launches": 6.34,
    "early_first": 2.389,
    "drafting": 1.26,
    "memory": 1.068,
    "first": 0.02439,
    "first_layer": 0.0006374,
    "first_latent": 4.88,
    "first_own": 1.12,
    "first_trtllm": 0.9086,
    "first_vllm": 0.7737,
    "first_sglang": 1.013,
    "queue_trtllm": 0.04974,
    "queue_vllm": 0.09468,
    "queue_sglang": 0.1559,
    "queue_steps": 0.1646,
    "queue_apart": 1.105,
    "reading": 0.3862,
    "answer_share": 0.0006326,
    "apart_trtllm": 3.242,
    "apart": 0.6804,
    "gathering": 50,
}

QUANTILES = {
    "token": [0.0, 0.409, 0.896, 1.187, 1.459, 2.943],
    "first": [0.0, 0.655, 1.467, 2.115, 2.883, 5.125],
    "load": [0.0, 0.583, 1.189, 1.693, 2.554, 4.036],
}
