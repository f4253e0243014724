"""How /training-run makes its numbers, and how sure they are."""

METHOD = (
    "A step's time is added up from its parts. Matrix products run at the best rate measured on the chip "
    "(Bekman's table of achievable matmul FLOPS) times 0.86, plus the bytes they move at 80 % of memory "
    "bandwidth; fused attention at half the measured rate, at 40 % on chips from before Hopper; elementwise work "
    "by its bytes. Collectives reach 75 % of the chip link and 80 % of the network port; gradients are summed in "
    "32 bits. These few constants are the same for every run and chip; none belongs to one row. Chips without a "
    "measurement get the median share of the measured ones.",
    "How sure is it? Constants were set on 28 published runs, 11 of them for the rate of attention before Hopper "
    "alone. On the 163 others at hand, "
    "predicted as they are, the median error of the speed is 12 %; one in four errs by more than 20 %. By kind: A100 "
    "up to 8,192 tokens 5.3 %, H100 16 %, longer sequences on A100 1.7 % and on H100 63 %, thousands of chips "
    "6.8 %, 8-bit products or Blackwell 18 %, mixtures of experts 28 %, TPU 19 %. The time's range is that of "
    "eight in ten of the published runs of its kind. The software matters most: the H100's rows of 2023 came out "
    "slower than predicted, those with NVIDIA's software of 2024 and 2025 faster, and mixtures slower: their "
    "small products and routing seem to cost more than is counted.",
    "FLOPs, activation memory, training states, bubble and collectives are the published formulas: Narayanan et "
    "al. 2021 (equations 2 and 3), Korthikanti et al. 2022 (table 2, equation 5), Rajbhandari et al. 2020 (table "
    "1), Patarasuk and Yuan 2009. The slowest pipeline stage sets the pace, the output layer on top of the last; "
    "the bubble is (p − 1)/(v m). Every step waits for the slowest accelerator: spread × √(2 ln n).",
    "The search for the fastest plan tries every split that divides accelerators and batch, all kinds of "
    "recomputation and all ZeRO "
    "stages (0 and 1 with a pipeline), drops what does not fit in 94 % of memory, and takes the shortest step; of "
    "the number of accelerators wanted and its halves it takes the one that ends the run first, failures "
    "included.",
    "Failures come at random; the checkpoint interval is Young's (1974), the time lost Daly's (2006, equation "
    "20). Failure rate by default: Llama 3 405B, 419 unexpected interruptions in 54 days on 16,384 accelerators. "
    "Cost is accelerator-hours × price; energy is power with server × time × PUE.",
    "Known limits: a mixture's router is taken to balance; kernels differ by year and framework; exchange between "
    "tensor-parallel chips is counted whole, which newer software hides in part. Tokens are the model's own where "
    "they are published, else those of Llama 3.1 405B.",
)
