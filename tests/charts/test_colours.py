import itertools
from typing import get_args

import numpy as np
import pytest

from charts import colours
from charts.chart import PALEST_TONE, MapChoice, Role
from charts.colours import BAND_OPACITY, MARKERS, PALETTES, ROLES, Palette, blend, channels, ink_on, tile_of

# Machado, Oliveira and Fernandes, "A Physiologically-based Model for Simulation of Color Vision Deficiency",
# IEEE TVCG 15(6), 2009, table of severity 1.0; applied to linear RGB.
DEFICIENCIES = {
    "normal": np.eye(3),
    "protanopia": np.array(
        [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]]
    ),
    "deuteranopia": np.array(
        [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]]
    ),
    "tritanopia": np.array(
        [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]]
    ),
}
# Pairs whose colours come close for one deficiency or another: never told apart by colour alone.
LEAN_ON_MARKERS = {frozenset(("compute", "edge")), frozenset(("links", "context"))}


def linear(colour: str) -> np.ndarray:
    """Linear RGB of an sRGB colour (IEC 61966-2-1)."""
    value = np.array(channels(colour)) / 255
    return np.where(value <= 0.04045, value / 12.92, ((value + 0.055) / 1.055) ** 2.4)


def contrast(first: str, second: str) -> float:
    """WCAG 2.2 contrast ratio."""
    weights = np.array([0.2126, 0.7152, 0.0722])
    low, high = sorted((float(linear(first) @ weights), float(linear(second) @ weights)))
    return (high + 0.05) / (low + 0.05)


def lab(rgb: np.ndarray) -> np.ndarray:
    """CIE L*a*b* (D65) of linear RGB."""
    rows = "0.4124564 0.3575761 0.1804375 0.2126729 0.7151522 0.0721750 0.0193339 0.1191920 0.9503041"
    to_xyz = np.array(rows.split(), dtype=float).reshape(3, 3)
    ratio = (to_xyz @ np.clip(rgb, 0, 1)) / np.array([0.95047, 1.0, 1.08883])
    f = np.where(ratio > (6 / 29) ** 3, np.cbrt(ratio), ratio / (3 * (6 / 29) ** 2) + 4 / 29)
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


def distance(first: str, second: str, *, matrix: np.ndarray) -> float:
    """CIE 1976 delta E as seen through a deficiency."""
    return float(np.linalg.norm(lab(matrix @ linear(first)) - lab(matrix @ linear(second))))


palettes = pytest.mark.parametrize("palette", PALETTES.values(), ids=PALETTES.keys())


@palettes
def test_every_role_has_a_colour_for_marks_and_for_words_and_its_own_marker(palette: Palette) -> None:
    roles = set(get_args(Role))
    assert set(ROLES) == roles == set(palette.mark) == set(palette.words) == set(MARKERS)
    assert len(set(MARKERS.values())) == len(roles)


@palettes
def test_all_text_has_a_contrast_of_four_and_a_half_even_over_bands(palette: Palette) -> None:
    backgrounds = [palette.background]
    faint = BAND_OPACITY["prediction"]
    backgrounds += [blend(c, palette.background, opacity=faint) for c in palette.mark.values()]
    for colour in (palette.text, palette.quiet, *palette.words.values()):
        assert contrast(colour, palette.background) >= 4.5, colour
    for background in backgrounds:
        assert contrast(palette.text, background) >= 4.5, background
        assert contrast(palette.quiet, background) >= 4.5, background


@palettes
def test_marks_stand_out_from_the_background(palette: Palette) -> None:
    for colour in palette.mark.values():
        assert contrast(colour, palette.background) >= 3, colour  # WCAG 2.2, 1.4.11: graphical objects


@palettes
@pytest.mark.parametrize("deficiency", DEFICIENCIES)
def test_the_two_protagonists_stay_far_apart_for_every_reader(palette: Palette, deficiency: str) -> None:
    assert distance(palette.mark["compute"], palette.mark["memory"], matrix=DEFICIENCIES[deficiency]) > 40


@palettes
@pytest.mark.parametrize("deficiency", DEFICIENCIES)
def test_any_two_roles_can_be_told_apart_by_colour_or_else_by_marker(palette: Palette, deficiency: str):
    for first, second in itertools.combinations(ROLES, 2):
        apart = distance(palette.mark[first], palette.mark[second], matrix=DEFICIENCIES[deficiency])
        by_marker = MARKERS[first] != MARKERS[second] and frozenset((first, second)) in LEAN_ON_MARKERS
        assert apart > 10 or by_marker


def test_an_opacity_beyond_one_is_refused() -> None:
    with pytest.raises(ValueError, match=r"opacity is a share between 0 and 1; got 30\. For 30% pass 0\.3\."):
        colours.blend("#000000", "#ffffff", opacity=30)


@pytest.mark.parametrize("theme", PALETTES)
def test_words_on_a_map_read_on_every_tone_and_hatching(theme: colours.Theme) -> None:
    for role, tone, hatched in itertools.product(ROLES, range(PALEST_TONE + 1), (False, True)):
        choice = MapChoice(label="", role=role, tone=tone, hatched=hatched)
        tile = tile_of(choice, PALETTES[theme])
        for ground in (tile.fill, tile.hatch or tile.fill):
            assert contrast(tile.ink, ground) >= 4.5, (role, tone, hatched)


@pytest.mark.parametrize("theme", PALETTES)
def test_the_tones_of_a_role_fade_into_the_background_step_by_step(theme: colours.Theme) -> None:
    palette = PALETTES[theme]
    for role in ROLES:
        tones = [tile_of(MapChoice(label="", role=role, tone=k), palette) for k in range(PALEST_TONE + 1)]
        steps = [contrast(tile.fill, palette.background) for tile in tones]
        assert steps == sorted(steps, reverse=True)
        assert all(strong / pale > 1.15 for strong, pale in itertools.pairwise(steps))
        assert steps[-1] > 1.1


def test_where_neither_ink_reads_it_is_black_or_white() -> None:
    assert ink_on(["#ffffff"], inks=("#000000",)) == "#000000"
    assert ink_on(["#0f8a7e"], inks=("#1f2430", "#ffffff")) == "#000000"
    assert ink_on(["#333333"], inks=("#222222", "#444444")) == "#ffffff"
