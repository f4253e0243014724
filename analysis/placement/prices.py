"""What a place costs and draws: chips with the computers around them, by kind of place."""

import numpy as np

from analysis.arrays import BoolArray, FloatArray
from analysis.placement.places import Places
from analysis.placement.question import Question
from analysis.placement.work import DAYS_PER_YEAR
from analysis.units import HOUR_S, JOULE_PER_KWH

HOST_USD = {
    "desktop_gpu": 1000.0,
    "workstation_gpu": 2000.0,
    "edge_server": 6000.0,
    "datacenter_gpu": 40_000.0,
}
"""The computer around up to four cards, assumed: a desktop, a workstation, a server, half a server of eight. [USD]"""
HOST_W = {"desktop_gpu": 100.0, "workstation_gpu": 150.0, "edge_server": 300.0, "datacenter_gpu": 1400.0}
"""Power of that computer at work, assumed. [W]"""
CARDS_PER_HOST = 4.0


def host_usd(places: Places) -> FloatArray:
    """Return the price of the computer around up to four cards, 0 where it is part of the device. (places,) [USD]"""
    return np.array([HOST_USD.get(name, 0.0) for name in places.device_class])


def host_w(places: Places) -> FloatArray:
    """Return the power of the computer around up to four cards, 0 where it is part of the device. (places,) [W]"""
    return np.array([HOST_W.get(name, 0.0) for name in places.device_class])


def bought_usd(question: Question, *, chips: FloatArray, machines: FloatArray) -> FloatArray:
    """Return the price of all machines with the computers around them, 0 where they are rented. [USD]"""
    places = question.places
    around_usd = np.where(question.rented, 0.0, host_usd(places)) * np.ceil(chips / CARDS_PER_HOST)
    return (places.price_usd * np.asarray(question.growth.price) * chips + around_usd) * machines


def prices(
    question: Question, *, chips: FloatArray, machines: FloatArray, by_use: BoolArray
) -> dict[str, FloatArray]:
    """Return what 1,000 requests cost whatever the speed, what a second at full load costs, and the power at work.

    The share of the price is charged of people's own devices, which may be there anyway; machines in the house are
    bought for the load and charged whole.
    """
    work, places, conditions = question.work, question.places, question.conditions
    rented, hosts = question.rented, np.ceil(chips / CARDS_PER_HOST)
    around_w = np.where(rented, 0.0, host_w(places))
    dearer = np.asarray(question.growth.price)
    bought = bought_usd(question, chips=chips, machines=machines)
    share = np.where(question.personal, conditions.share, 1.0)
    charged = np.where(share > 0, share * bought / (conditions.years * DAYS_PER_YEAR), 0.0)
    rent = places.price_usd_per_hour * dearer * conditions.price_times * chips
    daily = np.where(rented, np.where(by_use, 0.0, rent * machines * 24.0), charged)
    traffic = 1000.0 * work.traffic_byte * places.network_usd_per_byte
    power = places.power_w * chips * np.where(rented, conditions.server_power, 1.0) + around_w * hosts
    return {
        "fixed_usd": 1000.0 * daily / np.asarray(work.requests_per_day, dtype=float) + traffic,
        "second_usd": np.where(by_use, rent / HOUR_S / conditions.utilization, 0.0),
        "busy_w": power * np.where(rented, conditions.pue, 1.0),
        "usd_per_j": np.where(rented, 0.0, np.asarray(conditions.usd_per_kwh) / JOULE_PER_KWH),
    }
