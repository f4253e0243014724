"""A map and a tornado that the tests of all renderers draw."""

import dataclasses
from typing import Any

import numpy as np

from charts.chart import Axis, Bar, BarChart, MapChart, MapChoice, MapPoint, Tick

CHOICES = (
    MapChoice(label="Phone", role="edge", tone=3),
    MapChoice(label="Laptop with 32 GB", role="edge", tone=1),
    MapChoice(label="Edge server", role="links", tone=1),
    MapChoice(label="One rented GPU", role="compute", tone=2),
    MapChoice(label="Eight rented GPUs", role="compute", tone=0),
    MapChoice(label="Nothing meets the requirement", role="context", tone=4, hatched=True),
    MapChoice(label="Never the cheapest", role="memory"),
)


def places(n: int = 40, m: int = 40, **changes: Any) -> MapChart:
    """Return a map whose winner depends on model size and load, both on log axes."""
    x, y = np.geomspace(1e9, 1e12, n + 1), np.geomspace(10, 1e8, m + 1)
    size = (np.log10(x[:-1] * x[1:]) / 2 - 9)[None, :] / 3 + np.zeros((m, 1))
    load = (np.log10(y[:-1] * y[1:]) / 2 - 1)[:, None] / 7 + np.zeros((1, n))
    cells = np.full((m, n), 3)
    cells[size > 0.55] = 4
    cells[(size > 0.85) & (load > 0.5)] = 5
    cells[(size < 0.5) & (load < 0.55)] = 2
    cells[(size < 0.45) & (load < 0.4)] = 1
    cells[(size < 0.2) & (load < 0.3)] = 0
    cells[-1, 0] = -1
    words = ((1e9, "1 billion"), (3e10, "30 billion"), (1e12, "1 trillion"))
    sizes = tuple(Tick(value=value, label=label) for value, label in words)
    loads = (Tick(value=10.0, label="10"), Tick(value=1e5, label="100,000"))
    given: dict[str, Any] = {
        "title": "Below 16 billion parameters a device the reader owns is cheapest",
        "subtitle": "Cheapest place that meets the requirement",
        "alt": "A map: devices win at the lower left, rented GPUs elsewhere.",
        "source": "Made up for the tests.",
        "x": Axis(title="Model size (parameters)", scale="log", low=1e9, high=1e12, ticks=sizes),
        "y": Axis(title="Requests a day", scale="log", low=10.0, high=1e8, ticks=loads),
        "x_edges": tuple(x.tolist()),
        "y_edges": tuple(y.tolist()),
        "choices": CHOICES,
        "cells": tuple(map(tuple, cells.tolist())),
        "details": tuple(
            tuple(f"{p:.3g} parameters\n{q:.3g} requests a day" for p in x[:-1].tolist())
            for q in y[:-1].tolist()
        ),
        "marked": MapPoint(x=8e9, y=2e4, label="this work"),
    }
    return MapChart(**(given | changes))


def hostile_places(text: str) -> MapChart:
    """Return a map all of whose words are this text."""
    axis = Axis(title=text, low=0.0, high=1.0, ticks=(Tick(value=0.5, label=text),))
    return MapChart(
        **dict.fromkeys(("title", "subtitle", "alt", "source"), text),
        x=axis,
        y=axis,
        x_edges=(0.0, 0.9, 1.0),
        y_edges=(0.0, 1.0),
        choices=(MapChoice(label=text, role="edge"), MapChoice(label=text, role="links")),
        cells=((0, 1),),
        details=((text, text),),
        marked=MapPoint(x=0.2, y=0.5, label=text),
    )


def tornado(*, scale: Any = "linear") -> BarChart:
    """Return bars from a low to a high side: around the base, beyond it, short of it, and without length."""
    rows = (
        ("Price of a GPU hour", 0.35, 1.3),
        ("Requests a day", 1.1, 0.42),
        ("Only dearer", 0.8, 0.9),
        ("Only dearer, falling", 0.95, 0.75),
        ("Only cheaper", 0.45, 0.6),
        ("No effect", 0.7, 0.7),
    )
    ticks = (0.25, 0.5, 1.0, 2.0) if scale == "log" else (0.0, 0.5, 1.0, 1.5)
    marks = tuple(Tick(value=value, label=f"{value:g}") for value in ticks)
    axis = Axis(title="USD per 1,000 requests", scale=scale, low=ticks[0], high=ticks[-1], ticks=marks)
    bars = tuple(
        Bar(label=label, start=start, value=value, text=f"{start:.2f} to {value:.2f}", role="compute")
        for label, start, value in rows
    )
    bars = (dataclasses.replace(bars[0], emphasised=True), *bars[1:])
    words: Any = {"title": "The price of a GPU hour moves the verdict most", "alt": "Bars around 0.70 USD."}
    return BarChart(**words, subtitle="", source="Made up for the tests.", x=axis, base=0.7, bars=bars)


def dots() -> BarChart:
    """Return prices on a log axis as dots, some with an interval, and one place that has none."""
    rows: tuple[tuple[str, float, tuple[float, float] | None], ...] = (
        ("Cloud H100", 1.2, (0.8, 2.0)),
        ("Workstation GPU (RTX PRO 6000 Blackwell)", 84.0, None),
        ("Server room with eight accelerators of the newest kind, shared by all", 6700.0, (5000.0, 9000.0)),
    )
    ticks = tuple(Tick(value=10.0**power, label=f"${10**power:,}") for power in range(5))
    result = tuple(
        Bar(
            label=label,
            value=value,
            text=f"${value:,.4g}",
            role="compute",
            low=around[0] if around else None,
            high=around[1] if around else None,
        )
        for label, value, around in rows
    )
    absent = Bar(label="Phone", value=0.5, text="memory too small", role="edge", absent=True)
    return BarChart(
        title="The cloud is the cheapest place",
        subtitle="",
        alt="Dots from 1.20 USD to 6,700 USD.",
        source="Made up for the tests.",
        x=Axis(title="Cost a month, log scale", scale="log", low=0.5, high=20_000.0, ticks=ticks),
        base=0.5,
        bars=(dataclasses.replace(result[0], emphasised=True), *result[1:], absent),
        dots=True,
    )
