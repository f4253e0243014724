"""How /training-run makes its numbers, and how sure they are."""

METHOD = (
    "A step's time is added up from its parts. Matrix products run at the best rate measured on the chip "
    "(Bekman's table of achievable matmul FLOPS) times 0.86, plus the bytes they move at 80 % of memory "
    "bandwidth; fused attention at half the measured rate, at 40 % on chips from before Hopper; elementwise work "
    "by its bytes; each expert that a chip holds costs a quarter of a millisecond a layer and micro-batch. A "
    "token crosses the network once for every other server with one of its experts. Collectives reach 75 % of the "
    "chip link and 80 % of the network port; gradients are summed in 32 bits. These few constants are the same "
    "for every run and chip; none belongs to one row. Chips without a measurement get the median share of the "
    "measured ones.",
    "A whole step is then moved by how published runs alike compare with the sum of their parts: runs share a "
    "pace by maker, generation, precision, model, model on a chip, being a mixture, and the date of their "
    "software, each with a spread of its own (best linear unbiased prediction, Robinson 1991). A run like many "
    "measured ones takes theirs; one like none keeps the sum, with a wider range. Software is taken to be of a "
    "year and a half after the chip's release, or the newest known, unless its date is chosen. On NVIDIA's chips, "
    "software of mid-2026 instead of mid-2024 makes a dense model 1.20 times as fast (eight in ten: 1.07 to 1.35), a "
    "mixture 1.32 times (1.12 to 1.55); sources of different years differ in more than software, so part of that is "
    "theirs. The framework is no choice: nearly all runs of one framework are of one source.",
    "How sure is it? Constants were set on 55 published runs, 11 of them for the rate of attention before Hopper, "
    "two for that of Hopper with software from before 2024, 24 for the launches of experts, one for overlap. On the "
    "227 others at hand (November 2026), each predicted without the runs of its model on its chip, the median error of "
    "the speed is 5.2 %; one in thirteen errs by more than 20 %. Without all runs of its model it is 6.3 %, without "
    "all on its chip 8.0 %, without its whole source 7.5 %. By kind: A100 up to 8,192 tokens 4.5 %, H100 4.5 "
    "%, longer sequences on A100 2.1 % and on H100 1.4 %, thousands of chips 9.5 %, 8-bit products or Blackwell "
    "6.4 %, mixtures of experts 6.2 %, TPU 5.5 %, AMD Instinct 13 %. The time's range is made to hold eight in "
    "ten runs; of those 227 it held 93 %. Software matters most for mixtures: on the same chips, one's speed rose "
    "by half within a year.",
    "FLOPs, activation memory, training states, bubble and collectives are the published formulas: Narayanan et "
    "al. 2021 (equations 2 and 3), Korthikanti et al. 2022 (table 2, equation 5), Rajbhandari et al. 2020 (table "
    "1), Patarasuk and Yuan 2009. The slowest pipeline stage sets the pace, the output layer on top of the last; "
    "the bubble is (p − 1)/(v m). Every step waits for the slowest accelerator: spread × √(2 ln n).",
    "The search for the fastest plan tries every split that divides accelerators and batch, all kinds of "
    "recomputation and all ZeRO stages (0 and 1 with a pipeline), drops what does not fit in 94 % of memory, and "
    "takes the shortest step; of the number of accelerators wanted and its halves it takes the one that ends the "
    "run first, failures included.",
    "Failures come at random; the checkpoint interval is Young's (1974), the time lost Daly's (2006, equation "
    "20). Failure rate by default: Llama 3 405B, 419 unexpected interruptions in 54 days on 16,384 accelerators. "
    "Cost is accelerator-hours × price; energy is power with server × time × PUE.",
    "Exchange between experts is counted whole unless Expert overlap says what share of it the software runs beside "
    "computing; no more hides than there is computing. DeepSeek-V3's own software hides all of it (DualPipe, "
    "arXiv:2412.19437, section 3.2): its published run on 2,048 H800 is 1.7 times as fast as without, and is met "
    "within 1 %, though overlap was modelled because of it.",
    "Known limits: a mixture's router is taken to balance; exchange between tensor-parallel chips is counted whole, "
    "which some software hides in part. Tokens are the model's own where they are published, else those of Llama 3.1 "
    "405B.",
)
