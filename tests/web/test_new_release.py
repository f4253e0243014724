import shutil
from pathlib import Path

import pytest

from data import releases
from tests.data.cutting import NEXT, later
from tests.web.served import client

NEW = "2030-01-15"
CORRECTION = NEXT
CAME, WENT = "Z1000", "Max 1550"


def with_other_chips(table: bytes) -> str:
    """Return a table of chips with one more, which is another's equal, and with one less."""
    head, *rows = table.decode().splitlines()
    (like,) = [row for row in rows if row.startswith("NVIDIA B200,B200,")]
    came = like.replace("NVIDIA B200,B200,", f"NVIDIA {CAME},{CAME},")
    kept = [row for row in rows if f",{WENT}," not in row]
    assert len(kept) == len(rows) - 1
    return "".join(f"{row}\n" for row in (head, *kept, came))


@pytest.fixture
def arrived(*, request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Have a release arrive after everything was imported: the newest again, but for its name and two chips."""
    name = getattr(request, "param", NEW)
    folder = tmp_path / "releases"
    shutil.copytree(releases.DIRECTORY, folder)
    monkeypatch.setattr(releases, "DIRECTORY", folder)
    chips = (folder / releases.latest() / "accelerators.csv").read_bytes()
    later(folder, name, tables={"accelerators.csv": with_other_chips(chips)})
    assert releases.look() == (name,)


@pytest.mark.usefixtures("arrived")
def test_its_chips_can_be_chosen_at_once_and_links_with_chips_it_leaves_out_still_lead_somewhere():
    with client() as reader:
        came = reader.get("/training-run.json?accelerator=z1000&accelerators=64&model=llama-3.1-8b")
        assert came.status_code == 200, came.text
        assert f"64 {CAME}s train" in came.json()["headline"]
        assert came.json()["release"] == NEW
        page = reader.get("/training-run?accelerator=z1000").text
        assert f">{CAME}</option>" in page
        assert f">{WENT} (earlier releases)</option>" in page
        leads = reader.get(came.json()["short_link"], follow_redirects=False).headers["location"]
        assert "accelerator=z1000" in leads
        listed = reader.get("/api/views").json()["views"]
        (settings,) = [view["settings"]["properties"] for view in listed if view["path"] == "/training-run"]
        assert {"z1000", "max-1550"} <= set(settings["accelerator"]["enum"])
        assert CAME in [entry[1] for entry in reader.get("/search.json").json()["entries"]]

        went = reader.get("/training-run.json?accelerator=max-1550&accelerators=64&release=2026-07")
        assert went.status_code == 200, went.text
        now = reader.get("/training-run.json?accelerator=max-1550&accelerators=64")
        assert now.json()["headline"] == f"No training run on the {WENT} with these choices"


@pytest.mark.parametrize("arrived", [CORRECTION], indirect=True)
@pytest.mark.usefixtures("arrived")
def test_a_correction_is_the_newest_release_in_every_form_and_links_to_what_it_corrects_go_on():
    with client() as reader:
        answer = reader.get("/training-compute.json?since=2020").json()
        assert answer["release"] == CORRECTION
        leads = reader.get(answer["short_link"], follow_redirects=False).headers["location"]
        assert f"release={CORRECTION}" in leads
        assert reader.get(f"{leads.replace('?', '.json?', 1)}").json()["figures"] == answer["figures"]
        document = reader.get("/training-compute?since=2020").text
        assert "Jul 2026, correction 1" in document
        before = reader.get("/accelerators.json?release=2026-07")
        assert before.status_code == 200 and before.json()["release"] == "2026-07"
        assert reader.get("/training-compute.atom").status_code == 200
        for form in ("bib", "png", "csv"):
            form_of = reader.get(f"/training-compute.{form}?since=2020&release={CORRECTION}")
            assert form_of.status_code == 200, form
        assert CORRECTION in reader.get("/api/openapi.json").text
        assert reader.get(f"/data/{CORRECTION}.zip").status_code == 200
        slides = f"/deck.pptx?view=%2Ftraining-compute%3Fsince%3D2020&release={CORRECTION}"
        assert reader.get(slides).status_code == 200
        changes = reader.get(f"/data.json?table=changes&release={CORRECTION}").json()
        assert "2026-07" in changes["settings_line"] + changes["headline"]
        went = reader.get(f"/training-run.json?accelerator=max-1550&accelerators=64&release={CORRECTION}")
        assert went.json()["headline"] == f"No training run on the {WENT} with these choices"
