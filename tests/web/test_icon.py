from io import BytesIO

import pytest
from PIL import Image

from charts.colours import PALETTES
from web.icon import TYPES


@pytest.mark.parametrize("path", TYPES)
def test_an_icon_is_there_of_its_own_kind_and_kept_for_a_day(site, path):
    answer = site.get(path)
    assert answer.status_code == 200
    assert answer.headers["content-type"].partition(";")[0] == TYPES[path]
    assert "max-age=86400" in answer.headers["cache-control"]
    assert site.head(path).content == b""


@pytest.mark.parametrize(
    ("path", "side", "ground"),
    [("/favicon.ico", 32, 0), ("/favicon.png", 32, 0), ("/apple-touch-icon.png", 180, 255)],
)
def test_a_drawn_icon_has_both_lines(*, site, path, side, ground):
    picture = Image.open(BytesIO(site.get(path).content)).convert("RGBA")
    assert picture.size == (side, side)
    assert picture.getchannel("A").getpixel((side - 1, 0)) == ground
    shown = {picture.getpixel((x, y)) for x in range(side) for y in range(side)}
    for role in ("compute", "memory"):
        colour = PALETTES["light"].mark[role]
        assert (*(int(colour[at : at + 2], 16) for at in (1, 3, 5)), 255) in shown
