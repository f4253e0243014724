import xml.etree.ElementTree as ElementTree

from charts.colours import PALETTES
from charts.mark import LINES, SIDE, WIDTH, svg

NAMESPACE = "{http://www.w3.org/2000/svg}"


def drawn(text):
    """Return stroke and path of every line of a mark that stands alone."""
    paths = ElementTree.fromstring(text).iter(f"{NAMESPACE}path")
    return [(line.get("stroke"), line.get("d")) for line in paths]


def test_without_a_scheme_it_follows_the_place_it_stands_in_and_falls_back_to_light():
    text = svg()
    for role in LINES:
        light, dark = PALETTES["light"].mark[role], PALETTES["dark"].mark[role]
        assert f'stroke="{light}" style="stroke:light-dark({light},{dark})"' in text
    assert "color-scheme" not in text
    assert 'style="color-scheme:light dark"' in svg(alone=True)
    assert drawn(svg(alone=True)) == drawn(svg("light", alone=True))


def test_the_lines_start_together_part_and_stay_in_their_box():
    assert len({start for start, _ in LINES.values()}) == 1
    assert LINES["memory"][1][1] - LINES["compute"][1][1] > 2 * WIDTH
    for line in LINES.values():
        for at in (coordinate for end in line for coordinate in end):
            assert WIDTH / 2 <= at <= SIDE - WIDTH / 2
