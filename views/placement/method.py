"""What /placement rests on, in words."""

from data.by_release import RowByRelease
from views.placement.blind_test import FIRST, SECOND, blind_test, median_error

BEFORE = (
    "Devices: a token takes a fixed overhead plus bytes read over effective bandwidth, both fitted by class of device "
    "on measured speeds and pooled by backend; bytes are the weights a token reads and the KV cache at the middle of "
    "its answer. A prompt takes 2 FLOP per active parameter and token at the useful rate fitted for the class and the "
    "maker of the GPU, with factors for mixtures, formats, sizes, long prompts and matrix units. Engines have a factor "
    "each beside llama.cpp, which is taken unless another is chosen. Requests that share a step read the weights once "
    "(Pope et al., arXiv:2211.05102); the rest of a step grows as the 0.6th power of the further ones, as measured at "
    "2 to 32.",
    "Accelerators, rented, in a server room or in an edge server: the model of serving (python -m analysis.serving), "
    "fitted to measured points with so many requests in flight and at full load: weights, cache, matrices, experts by "
    "size, links and launches each have a factor, engines and makers too. Prompts are read in chunks between the "
    "steps of other requests. Up to eight chips share every layer, or, of a mixture, have whole experts and requests "
    "of their own, whichever is cheaper; further ones hold further layers. Experts spread over many servers and "
    "prompts read on chips of their own are left out, so large mixtures cost more here than with the best operators. "
    "The cache is as wide as the engine's recipes keep it: 8 bits for weights of 8 or fewer on chips with FP4 and with "
    "TensorRT-LLM, else 16. As many chips hold a copy as are cheapest for the load: the fewest, two or four times as "
    "many. What measurements of the same chip, "
    "model, maker and engine lie off the model corrects it. An accelerator with fewer than two measured points ranks "
    "behind every other place, whatever the model says of its price.",
    "The batch is the largest that memory holds and that keeps the required speed as surely as is asked (at 80 %, in "
    "nine draws of ten), on accelerators the first token too, where use is paid with the wait for a place in the copy "
    "that is shared. An answer of one token has no speed to keep. On-premises machines are bought, and rented "
    "by the hour, until the busiest hour keeps the utilization and the mean wait for a place in a batch keeps the "
    "first token (Sakasegawa 1977); what a prompt waits for others inside an engine is in the measured first tokens of "
    "accelerators, on shared devices it is Pollaczek-Khinchine's; on a device of their own people wait for nobody. "
    "The share of a price is charged of people's own devices; on-premises machines are charged whole. Paid by use, a "
    "request costs its share of a copy at the stated utilization.",
    "Uncertainty: 1,000 seeded draws per place, prompts and steps apart; on devices from the errors on devices left "
    "out of the fit, on accelerators from what measurements like the place's leave open, in the quantiles of points "
    "predicted without their chip: wider for a maker, chip or model that nobody measured. A device that was "
    "measured itself is no better known on another's machine. Probability is the share of draws that meet everything "
    "asked.",
)
AFTER = (
    "Phones slow down under lasting work: in between first and sustained speed as the busiest hour, or one answer of "
    "up to ten minutes, keeps them busy; the straight line is assumed, the ratios are published tests.",
    "Assumed: computers around cards cost $1,000 (desktop), $2,000 (workstation), $6,000 per four cards (edge "
    "server), $40,000 per four chips (server room) and draw 100, 150, 300 and 1,400 W; phones without a source 5 W; "
    "rented chips draw 1.5 times their own power, PUE 1.2; a token is 4 bytes on the way. Rents are the median of "
    "each provider's newest on-demand price, taxes and idle power left out; paid by use, it is rent at the stated "
    "utilization without a margin. The energy of every request is that of the busiest hour, where most requests share "
    "a step: in quieter hours it is more. Memory is counted in the binary gigabytes it is sold in. Batches on devices "
    "rest on few measured pairs.",
    "Later years: every class of device moves along its growth within product lines since 2016, data-centre chips "
    "along that of the flagships; intervals draw whole makers where there are five or more, else rows. A chip a year "
    "newer rents for as much more as it does on one provider's list today, and lists move as chosen. The chance by "
    "year counts what is on sale by then, earlier hardware included; the table, the map and the tornado of a chosen "
    "year hold that year's hardware alone.",
    "Known limits: MLPerf's prompt lengths among the points at full load are assumed (294, 778 and 9,428 tokens; 294 "
    "is the published mean answer of Llama 2 70B, not its prompt). First tokens on accelerators not in the fit are off "
    "by about half in the median, so their intervals reach from a quarter to four times. NPUs and phones are known "
    "from few devices.",
)


def blind_tests() -> tuple[str, str]:
    """Return how far off the fit was in both blind tests, a paragraph each."""
    second, prompts = blind_test("decode"), blind_test("prefill")
    first, first_prompts = (blind_test(name, tested_on=FIRST) for name in ("decode", "prefill"))
    return (
        f"A blind test of {FIRST}: {first.rows} published speeds of one user on {first.devices} devices, "
        f"{first.unknown_devices} of their chips unknown to the fit, were gathered before any was predicted from "
        f"class, bandwidth and bytes alone. The median error of decode was {median_error('all', tested_on=FIRST)} "
        f"(dense models {median_error('dense models', tested_on=FIRST)}, mixtures "
        f"{median_error('mixtures', tested_on=FIRST)}; laptop GPUs {median_error('laptop GPUs', tested_on=FIRST)}, "
        f"desktop GPUs {median_error('desktop GPUs', tested_on=FIRST)}), with {first.inside_90_percent:.0f} % of rows "
        f"inside the 90 % interval; of prefill, on {first_prompts.rows} rows, {first_prompts.median_error_percent:.0f} "
        "%. Worst were Pascal and older AMD cards (too fast), server CPUs (half the speed) and mixtures on Ryzen AI "
        "Max.",
        f"A blind test of {SECOND}, of the fit that those rows had joined: {second.rows} speeds on {second.devices} "
        f"devices, {second.unknown_devices} of them unknown. The median error of decode was {median_error('all')} "
        f"(mixtures {median_error('mixtures')}; laptop GPUs {median_error('laptop GPUs')}, desktop GPUs "
        f"{median_error('desktop GPUs')}, NPUs {median_error('NPUs')}, processors of phones "
        f"{median_error('processors of phones')}), with {second.inside_90_percent:.0f} % inside; of prefill, on "
        f"{prompts.rows} rows, {prompts.median_error_percent:.0f} %: NPUs read prompts 6 to 20 times as fast as "
        "predicted. Speeds taken inside an app (ExecuTorch on phones) were a third of what was predicted. These rows "
        "have joined the fit too, which now knows engines, as the command line does.",
    )


METHOD = RowByRelease(lambda: (*BEFORE, *blind_tests(), *AFTER))
