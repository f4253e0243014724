"""Laws of a work on made-up places with the real fitted models: what can and cannot help, and which numbers agree."""

from dataclasses import replace
from functools import cache

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analysis.measured.held_out import spread
from analysis.measured.sustained import sustained_ratios
from analysis.model.kv_cache import Attention
from analysis.placement.fits import fit_throughput
from analysis.placement.load import carrying, largest_batch, machines_for, tried_batches, waiting_s
from analysis.placement.outcome import (
    Luck,
    Outcome,
    binding,
    interval,
    luck,
    middle,
    outcome,
    probabilities,
)
from analysis.placement.places import TODAY, Conditions, Growth, Places
from analysis.placement.setup import Fitted, Setup, allowed, fewest_chips, set_up
from analysis.placement.speeds import accelerator_speeds, device_speeds
from analysis.placement.tables import models, tables
from analysis.placement.work import Requirements, Work, resized, work_of
from data import standing
from data.serving import serving_speeds

PHONE, LAPTOP, DESKTOP, SERVER, CLOUD, FIXED = range(6)
GIVEN = {
    "name": ("a phone", "a laptop", "a desktop", "a server", "a cloud", "a fixed cloud"),
    "kind": ("personal", "personal", "owned", "owned", "rented", "rented"),
    "device_class": ("phone", "laptop", "desktop_gpu", "edge_server", "datacenter_gpu", "datacenter_gpu"),
    "speed_class": ("phone", "laptop", "desktop_gpu", "edge_server", "datacenter_gpu", "datacenter_gpu"),
    "backend": ("GPU",) * 6,
    "device": ("", "", "", "NVIDIA L40S", "NVIDIA H100 SXM5 80GB", "NVIDIA H100 SXM5 80GB"),
    "accelerator": np.array([False, False, False, True, True, True]),
    "chips": np.array([1.0, 1.0, 1.0, 0.0, 0.0, 8.0]),
    "most_chips": np.array([1.0, 1.0, 1.0, 8.0, 64.0, 64.0]),
    "memory_bandwidth_byte_per_s": np.array([75e9, 150e9, 1.8e12, 0.86e12, 3.35e12, 3.35e12]),
    "memory_capacity_byte": np.array([12e9, 32e9, 32e9, 48e9, 80e9, 80e9]),
    "peak_flop_per_s": np.array([4e12, 16e12, 200e12, 360e12, 990e12, 990e12]),
    "link_bandwidth_byte_per_s": np.array([64e9, 64e9, 64e9, 64e9, 450e9, 450e9]),
    "power_w": np.array([5.0, 30.0, 575.0, 350.0, 700.0, 700.0]),
    "price_usd": np.array([1000.0, 2000.0, 2500.0, 8000.0, 0.0, 0.0]),
    "price_usd_per_hour": np.array([0.0, 0.0, 0.0, 0.0, 3.0, 3.0]),
    "round_trip_s": np.array([0.0, 0.0, 0.001, 0.001, 0.02, 0.02]),
    "uplink_byte_per_s": np.array([np.inf, np.inf, 125e6, 125e6, 5e6, 5e6]),
    "network_j_per_byte": np.array([0.0, 0.0, 0.0, 0.0, 1e-4, 1e-4]),
    "network_usd_per_byte": np.array([0.0, 0.0, 0.0, 0.0, 1e-10, 1e-10]),
}
PLACES = Places(**GIVEN)
ONE_CHIP = ~PLACES.accelerator
OWN_SERVER = PLACES.accelerator & PLACES.is_kind("owned")
ANY = Requirements()
MEASURED = standing.table("measured_decode")
SUSTAINED = sustained_ratios(MEASURED)
COSTS = ("time_to_first_token_s", "time_per_output_token_s", "cost_usd_per_1000_requests")

factors = st.floats(1.05, 30.0)
requests = st.floats(1.0, 1e6)


@cache
def fitted():
    model, rows = fit_throughput(
        serving_speeds(),
        architectures=tables().architectures,
        accelerators=tables().accelerators,
    )
    held = spread(
        model.residual,
        devices=list(rows["architecture"]),
        classes=["accelerator"] * len(rows),
        kinds=["GPU"] * len(rows),
    )
    return Fitted(devices=models(), accelerators=model), held


@cache
def draws() -> Luck:
    return luck(PLACES, fitted=fitted()[0], accelerators=fitted()[1], sustained=SUSTAINED, draws=200)


def asked(*, n_parameters: float = 8e9, requests_per_day: float = 2000.0, **changed: float) -> Work:
    given: dict = {"kept_tokens": 500.0, "prompt_tokens": 1000.0, "output_tokens": 300.0, **changed}
    return work_of(
        attention=Attention(n_layers=32, n_kv_heads=8, head_size=128),
        n_parameters=n_parameters,
        n_active_parameters=n_parameters,
        hidden_size=4096.0,
        bits_per_weight=4.84,
        requests_per_day=requests_per_day,
        people=20.0,
        peak_factor=4.0,
        format_family="block 4-bit",
        precision="FP8",
        **given,
    )


def placed(
    work: Work,
    places: Places = PLACES,
    *,
    requirements: Requirements = ANY,
    conditions: Conditions | None = None,
    growth: Growth = TODAY,
) -> Setup:
    return set_up(
        work,
        places,
        fitted=fitted()[0],
        conditions=conditions or Conditions(),
        requirements=requirements,
        slowest=np.array([draws().slowest[PLACES.name.index(name)] for name in places.name]),
        growth=growth,
    )


def mid(setup: Setup, requirements: Requirements = ANY) -> Outcome:
    return middle(setup, requirements, sustained=SUSTAINED)


def costs(found: Outcome, names: tuple[str, ...] = COSTS) -> np.ndarray:
    return np.array([getattr(found, name)[..., 0] for name in names])


def never_less(more: np.ndarray, less: np.ndarray) -> bool:
    return bool(np.all(more >= less * (1 - 1e-9)))


@settings(max_examples=30, deadline=None)
@given(slower=factors, parameters=st.floats(5e8, 7e10), load=requests)
def test_slower_bandwidth_never_helps_a_device_of_ones_own(slower, parameters, load):
    work, own = asked(n_parameters=parameters, requests_per_day=load), PLACES.is_kind("personal")
    now = mid(placed(work, PLACES.at(own)))
    then = mid(placed(work, PLACES.at(own), conditions=Conditions(bandwidth_times=1 / slower)))
    assert never_less(costs(then), costs(now))


@settings(max_examples=30, deadline=None)
@given(slower=factors, parameters=st.floats(5e8, 7e10), load=requests, by_hour=st.booleans())
def test_slower_bandwidth_never_makes_a_device_or_a_cloud_cheaper_but_for_electricity(
    slower, parameters, load, by_hour
):
    # Slower machines of one's own let more requests share a step, which may save a little power. Servers of one's own
    # are left out: their number of cards is chosen by the cards in all, not by the computers around them.
    work, places = asked(n_parameters=parameters, requests_per_day=load), PLACES.at(~OWN_SERVER)
    free = Conditions(by_hour=by_hour, usd_per_kwh=0.0)
    now = mid(placed(work, places, conditions=free))
    then = mid(placed(work, places, conditions=replace(free, bandwidth_times=1 / slower)))
    assert never_less(
        costs(then, ("cost_usd_per_1000_requests",)), costs(now, ("cost_usd_per_1000_requests",))
    )


@settings(max_examples=30, deadline=None)
@given(slower=factors, parameters=st.floats(5e8, 7e10), load=requests, by_hour=st.booleans())
def test_a_slower_draw_never_helps_a_place_as_it_is_set_up(slower, parameters, load, by_hour):
    setup = placed(
        asked(n_parameters=parameters, requests_per_day=load), conditions=Conditions(by_hour=by_hour)
    )
    ones = np.ones((len(PLACES), 1))
    now = outcome(setup, ANY, luck=Luck(step=ones, prompt=ones, sustained=ones))
    then = outcome(setup, ANY, luck=Luck(step=ones / slower, prompt=ones / slower, sustained=ones))
    assert never_less(costs(then), costs(now))
    assert never_less(then.load[..., 0], now.load[..., 0])
    assert never_less(then.energy_j_per_request[..., 0], now.energy_j_per_request[..., 0])


@settings(max_examples=30, deadline=None)
@given(larger=factors, parameters=st.floats(5e8, 2e10), load=requests)
def test_a_larger_model_never_gets_cheaper_or_faster_on_a_device_of_ones_own(larger, parameters, load):
    work = asked(n_parameters=parameters, requests_per_day=load)
    setup = placed(resized(work, np.array([[1.0], [larger]])), PLACES.at(PLACES.is_kind("personal")))
    found = mid(setup)
    for name in (*COSTS, "energy_j_per_request"):
        small, large = getattr(found, name)[..., 0]
        assert never_less(large, small), name
    assert np.all(setup.need_byte[1] > setup.need_byte[0])
    assert not np.any(found.fits[1] & ~found.fits[0])


@settings(max_examples=30, deadline=None)
@given(larger=factors, parameters=st.floats(5e8, 2e10), load=requests)
def test_a_larger_model_never_gets_cheaper_on_as_many_chips_but_for_electricity(larger, parameters, load):
    same = ONE_CHIP | (PLACES.chips > 0)
    work = asked(n_parameters=parameters, requests_per_day=load)
    setup = placed(
        resized(work, np.array([[1.0], [larger]])), PLACES.at(same), conditions=Conditions(usd_per_kwh=0.0)
    )
    found = mid(setup)
    small, large = found.cost_usd_per_1000_requests[..., 0]
    assert never_less(large, small)


@settings(max_examples=40, deadline=None)
@given(
    parameters=st.floats(5e8, 7e10),
    load=requests,
    first=st.one_of(st.none(), st.floats(0.05, 30.0)),
    speed=st.one_of(st.none(), st.floats(2.0, 200.0)),
    budget=st.one_of(st.none(), st.floats(0.01, 20.0)),
    by_hour=st.booleans(),
)
def test_probabilities_are_the_share_of_draws_that_meet_all_that_is_asked(
    parameters, load, first, speed, budget, by_hour
):
    requirements = Requirements(
        time_to_first_token_s=first, output_tokens_per_s=speed, cost_usd_per_1000_requests=budget
    )
    setup = placed(
        asked(n_parameters=parameters, requests_per_day=load),
        requirements=requirements,
        conditions=Conditions(by_hour=by_hour),
    )
    chance = probabilities(setup, requirements, luck=draws())
    assert np.array_equal(chance, outcome(setup, requirements, luck=draws()).met.mean(axis=-1))


@pytest.mark.parametrize(
    ("stay", "offline", "kinds"),
    [
        ("anywhere", False, {"personal", "owned", "rented"}),
        ("premises", False, {"personal", "owned"}),
        ("anywhere", True, {"personal", "owned"}),
        ("device", False, {"personal"}),
        ("device", True, {"personal"}),
    ],
)
def test_rules_exclude_places_whatever_their_speed(stay, offline, kinds):
    requirements = Requirements(stay=stay, offline=offline)
    kept = np.array([kind in kinds for kind in PLACES.kind])
    assert np.array_equal(allowed(PLACES, requirements), kept)
    setup = placed(asked(n_parameters=1e9), requirements=requirements)
    found = outcome(setup, requirements, luck=draws())
    assert not found.met[0, ~kept].any()
    assert np.all(probabilities(setup, requirements, luck=draws())[0, ~kept] == 0.0)
    words = binding(setup, mid(setup, requirements), requirements)
    assert np.array_equal(words[0] == "rule", ~kept)


def test_a_model_too_large_for_a_place_is_bound_by_its_memory():
    setup = placed(asked(n_parameters=1e11))
    assert binding(setup, mid(setup), ANY)[0, PHONE] == "capacity"
    assert probabilities(setup, ANY, luck=draws())[0, PHONE] == 0.0


def test_columns_of_unequal_length_are_refused():
    with pytest.raises(
        ValueError, match=r"^every column of places has one entry per place; got .*power_w 5"
    ) as told:
        Places(**{**GIVEN, "power_w": GIVEN["power_w"][:5]})
    assert str(told.value).endswith("Fill in the rest.")


def test_kinds_nobody_knows_are_refused():
    with pytest.raises(
        ValueError, match=r"^a place is personal, owned, rented; got lent\. Choose one of these\.$"
    ):
        Places(**{**GIVEN, "kind": ("lent", *GIVEN["kind"][1:])})


def test_a_table_without_sustained_speeds_is_refused():
    with pytest.raises(
        ValueError, match=r"^no phone's row states a sustained speed and its first; got none in the table\."
    ) as told:
        sustained_ratios(MEASURED.loc[MEASURED["device_class"] != "phone"])
    assert "'burst was ... tok/s'" in str(told.value)


def test_a_sustained_ratio_is_the_row_over_the_first_speed_of_its_note():
    rows = pd.DataFrame(
        {
            "software": ["engine, sustained", "engine", "engine, sustained"],
            "device_class": ["phone", "phone", "laptop"],
            "decode_tokens_per_s": [8.0, 9.0, 10.0],
            "note": ["burst was 20 tok/s"] * 3,
        }
    )
    assert sustained_ratios(rows) == pytest.approx([0.4])
    assert np.all((SUSTAINED > 0) & (SUSTAINED <= 1))


def test_waiting_grows_with_load_and_never_ends_from_full_load_on():
    load = np.linspace(0.0, 1.2, 40)
    wait = waiting_s(
        requests_per_s=load * 4.0,
        per_s=np.array(4.0),
        prompt_s=np.array(0.1),
        slots=np.array(8.0),
        machines=np.array(3.0),
    )
    finite = np.isfinite(wait)
    assert np.all(np.diff(wait[finite]) >= 0)
    assert np.array_equal(finite, load < 1.0)
    assert wait[0] == 0.0


def test_more_requests_wait_longer_for_the_same_machines():
    work = asked()
    setup = placed(replace(work, requests_per_day=np.geomspace(1.0, 1e7, 30)[:, None]))
    own = PLACES.is_kind("personal")
    wait = mid(setup).waiting_s[:, own, 0]
    assert np.all(wait[1:] >= wait[:-1])
    assert np.all(mid(setup).load[-1, own] >= 1.0)
    assert np.all(binding(setup, mid(setup), ANY)[-1, own] == "load")


def test_more_requests_never_need_fewer_machines():
    setup = placed(replace(asked(), requests_per_day=np.geomspace(1.0, 1e7, 30)[:, None]))
    machines = setup.machines[:, [DESKTOP]]
    assert np.all(np.diff(machines, axis=0) >= 0)
    assert np.all(mid(setup).load[:, DESKTOP] <= 0.6 + 1e-9)


def test_machines_keep_the_wait_within_its_limit_where_more_of_them_can():
    given = {
        "most_per_s": np.array(1.0),
        "slots": np.array(1.0),
        "prompt_s": np.array(0.5),
        "slowest": np.array(1.0),
        "utilization": 0.9,
    }
    asked_per_s = np.array(5.0)
    few = machines_for(asked_per_s, first_s=np.array(0.5), limit_s=None, **given)
    many = machines_for(asked_per_s, first_s=np.array(0.5), limit_s=0.6, **given)
    assert few == 6.0
    assert many > few
    wait = waiting_s(
        requests_per_s=asked_per_s / many,
        per_s=given["most_per_s"],
        prompt_s=given["prompt_s"],
        slots=given["slots"],
        machines=many,
    )
    assert 0.5 + wait <= 0.6
    assert machines_for(asked_per_s, first_s=np.array(0.7), limit_s=0.6, **given) == few


def test_batches_reach_the_most_and_the_largest_keeps_the_speed():
    most = np.array([[1.0, 37.0, 256.0]])
    tried = tried_batches(most)
    assert np.array_equal(tried.max(axis=0), most)
    assert np.all(tried >= 1)
    step = 0.01 * tried
    kept = largest_batch(tried, step_s=step, limit_s=0.2, slowest=np.ones(3))
    assert np.all((0.01 * kept <= 0.2) | (kept == 1))
    planned = largest_batch(tried, step_s=step, limit_s=0.2, slowest=np.full(3, 0.5))
    assert np.all(planned <= kept)
    assert np.array_equal(largest_batch(tried, step_s=step, limit_s=None, slowest=np.ones(3)), most)


def test_as_few_requests_share_a_step_as_carry_the_load():
    tried = tried_batches(np.array([[64.0]]))
    batch = carrying(tried, full=tried * 1.0, arriving=np.array([[10.0]]), largest=np.array([[64.0]]))
    assert batch == tried[tried >= 10.0].min()
    over = carrying(tried, full=tried * 1.0, arriving=np.array([[1000.0]]), largest=np.array([[22.0]]))
    assert over == 22.0


@pytest.mark.parametrize("keep", [[PHONE], [CLOUD], [LAPTOP, SERVER], [FIXED, DESKTOP]])
def test_draws_of_a_place_do_not_depend_on_its_neighbours(keep):
    marked = np.isin(np.arange(len(PLACES)), keep)
    alone = luck(
        PLACES.at(marked), fitted=fitted()[0], accelerators=fitted()[1], sustained=SUSTAINED, draws=200
    )
    together = draws().of(np.flatnonzero(marked))
    for name in ("step", "prompt", "sustained"):
        assert np.array_equal(getattr(alone, name), getattr(together, name))


def test_draws_are_factors_about_one_and_only_devices_part_steps_from_prompts():
    found = draws()
    assert np.all(found.step > 0)
    assert np.allclose(np.median(found.step, axis=1), 1.0, atol=0.1)
    assert np.array_equal(found.step[PLACES.accelerator], found.prompt[PLACES.accelerator])
    assert not np.array_equal(found.step[PHONE], found.prompt[PHONE])
    assert np.all((found.step < found.slowest[:, None]).mean(axis=1) <= 0.1)


@settings(max_examples=60, deadline=None)
@given(
    values=st.lists(st.floats(0.0, 1e9) | st.just(float("inf")), min_size=1, max_size=60),
    level=st.sampled_from([0.5, 0.8, 0.9]),
)
def test_an_interval_contains_the_share_of_draws_it_names(values, level):
    low, half, high = interval(np.array([values]), level=level)
    assert low[0] <= half[0] <= high[0]
    inside = sum(low[0] <= value <= high[0] for value in values)
    assert inside >= level * (len(values) - 1)
    assert {low[0], half[0], high[0]} <= set(values)


def test_a_place_is_set_up_alike_with_and_without_its_neighbours():
    work, setup = asked(), placed(asked())
    assert np.array_equal(setup.place[0], np.arange(len(PLACES)))
    for at in range(len(PLACES)):
        alone = placed(work, PLACES.at(np.arange(len(PLACES)) == at))
        for name in ("chips", "slots", "machines", "fixed_usd", "second_usd", "need_byte"):
            assert getattr(alone, name)[0, 0] == pytest.approx(getattr(setup, name)[0, at]), name


def test_each_person_has_a_device_and_rented_use_is_one_copy():
    setup = placed(asked())
    assert np.array_equal(setup.machines[0, [PHONE, LAPTOP]], [20.0, 20.0])
    assert np.array_equal(setup.batch[0, [PHONE, LAPTOP]], [1.0, 1.0])
    assert np.array_equal(setup.machines[0, [CLOUD, FIXED]], [1.0, 1.0])
    assert mid(setup).load[0, [CLOUD, FIXED], 0] == pytest.approx([0.6, 0.6])


def test_chips_come_in_powers_of_two_that_hold_the_weights_up_to_the_most():
    sizes = np.geomspace(1e9, 1e14, 40)[:, None]
    work = replace(asked(), weights_byte=sizes)
    chips = fewest_chips(work, PLACES)
    assert np.all(chips[:, FIXED] == 8.0)
    cloud = chips[:, CLOUD]
    assert np.all(np.log2(cloud) % 1 == 0)
    assert np.all((sizes[:, 0] <= 0.7 * cloud * 80e9) | (cloud == 64.0))
    assert np.all(chips[:, ONE_CHIP] == 1.0)


@settings(max_examples=30, deadline=None)
@given(parameters=st.floats(5e8, 7e10), batch=st.floats(1.0, 100.0), more=st.floats(1.0, 10.0))
def test_a_step_that_more_requests_share_is_never_shorter_and_serves_no_fewer(parameters, batch, more):
    work = asked(n_parameters=parameters)
    served, alone = PLACES.at(PLACES.accelerator), PLACES.at(ONE_CHIP)
    speeds = (
        device_speeds(work, alone, models=fitted()[0].devices, growth=TODAY, conditions=Conditions()),
        accelerator_speeds(
            work,
            served,
            chips=np.full(3, 8.0),
            model=fitted()[0].accelerators,
            growth=TODAY,
            conditions=Conditions(),
        ),
    )
    for found, overlap in zip(speeds, (True, False), strict=True):
        times = [
            found.step(np.full((1, 3), size)).total_s(overlap=np.full(3, overlap))
            for size in (batch, batch * more)
        ]
        assert never_less(times[1], times[0])


def test_phones_slow_down_as_they_are_busy_and_other_places_do_not():
    setup = placed(asked(n_parameters=3e9, requests_per_day=4000.0))
    never, by_work, always = (
        outcome(setup, ANY, luck=draws(), sustained=rule).time_per_output_token_s[0]
        for rule in (False, None, True)
    )
    assert np.all(never[PHONE] <= by_work[PHONE])
    assert np.all(by_work[PHONE] <= always[PHONE])
    assert always[PHONE] == pytest.approx(never[PHONE] / draws().sustained[PHONE])
    assert np.array_equal(never[LAPTOP:], always[LAPTOP:])


def test_resizing_by_one_changes_nothing_and_text_weighs_four_bytes_a_token():
    work = asked()
    same = resized(work, np.ones((1, 1)))
    for name, value in vars(work).items():
        assert np.all(np.asarray(getattr(same, name)) == value), name
    assert work.request_byte == 4000.0
    assert work.traffic_byte == 5200.0
    assert work.peak_requests_per_s == pytest.approx(2000 * 4 / 86400)


def test_tokens_kept_from_earlier_turns_count_in_the_cache_alone():
    more, less = asked(kept_tokens=5000.0), asked(kept_tokens=0.0)
    assert more.cache_read_byte > less.cache_read_byte
    assert more.prompt_tokens == less.prompt_tokens
    assert more.request_byte == less.request_byte


def test_memory_in_use_by_others_grows_with_what_a_machine_keeps():
    grown = placed(asked(), growth=Growth(capacity=2.0))
    assert grown.usable_byte[0] == pytest.approx(
        2 * placed(asked()).usable_byte[0] * grown.chips[0] / placed(asked()).chips[0]
    )


def test_places_say_how_many_they_are_and_keep_their_columns_together():
    some = PLACES.at(np.array([True, False, False, False, True, False]))
    assert len(some) == 2
    assert some.name == ("a phone", "a cloud")
    assert np.array_equal(some.power_w, [5.0, 700.0])
    assert np.array_equal(some.is_kind("rented"), [False, True])


@settings(max_examples=20, deadline=None)
@given(share=st.floats(0.0, 1.0), load=st.floats(2e5, 1e7))
def test_machines_in_the_house_are_charged_whole(share, load):
    work, own = asked(requests_per_day=load), PLACES.is_kind("owned")
    part, whole = (placed(work, PLACES.at(own), conditions=Conditions(share=of)) for of in (share, 1.0))
    assert np.any(whole.machines > 1)
    assert np.array_equal(part.fixed_usd, whole.fixed_usd)


def test_a_persons_share_is_charged_of_everybodys_device():
    own = PLACES.at(PLACES.is_kind("personal"))
    half, whole = (placed(asked(), own, conditions=Conditions(share=of)) for of in (0.5, 1.0))
    assert np.allclose(half.fixed_usd, 0.5 * whole.fixed_usd)
    assert np.all(placed(asked(), own, conditions=Conditions(share=0.0)).fixed_usd == 0)


def test_as_many_chips_are_tried_as_the_place_may_have():
    large, cloud = asked(n_parameters=6e11, requests_per_day=1e6), np.arange(len(PLACES)) == CLOUD
    fewest = fewest_chips(large, PLACES.at(cloud))
    assert 8 <= np.ravel(fewest)[0] < 64
    found = placed(large, PLACES.at(cloud), requirements=Requirements(output_tokens_per_s=20.0))
    assert np.ravel(found.chips)[0] > np.ravel(fewest)[0]


@given(load=st.floats(0.05, 0.95))
@settings(max_examples=20, deadline=None)
def test_a_person_waits_for_nobody_at_their_own_device(load):
    work, own = asked(requests_per_day=1000.0), PLACES.at(PLACES.is_kind("personal"))
    at_rest = mid(placed(work, own))
    busier = mid(placed(replace(work, requests_per_day=1000.0 * load / float(np.max(at_rest.load))), own))
    assert np.all(busier.waiting_s == 0)
