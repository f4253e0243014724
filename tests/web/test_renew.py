from io import BytesIO
from typing import Any

from pptx import Presentation

from panel.deck_file import deck_file
from tests.charts.powerpoint_examples import company_template
from views.deck import parse_deck
from web.renew import main

OLD = "view=%2Ftraining-compute%3Frelease%3D2025-11&view=%2Ffleet%3Frelease%3D2025-11"


def old_deck(folder, *, title="Our title"):
    deck = parse_deck(OLD)[0]
    made = deck_file(deck, origin="https://gap.example.org", template=company_template())
    file = Presentation(BytesIO(made))
    slide: Any = next(one for one in file.slides if one.has_notes_slide)
    slide.shapes.title.text_frame.text = title
    path = folder / "board.pptx"
    file.save(path)
    return path


def test_a_company_deck_comes_back_on_the_newest_release_with_what_moved(tmp_path, capsys):
    path = old_deck(tmp_path)
    assert main([str(path), "--output", str(tmp_path / "new.pptx")]) == 0
    report = capsys.readouterr().out
    assert "1 text edited by hand kept" in report
    assert "gap.example.org/training-compute" in report
    assert "compute" in report.lower() and len(report.splitlines()) > 3
    slides: Any = [one for one in Presentation(tmp_path / "new.pptx").slides if one.has_notes_slide]
    assert len(slides) == 2 and "changed" in slides[0].notes_slide.notes_text_frame.text.lower()


def test_several_decks_go_into_a_folder_and_one_that_cannot_be_renewed_does_not_stop_them(tmp_path, capsys):
    path, other = old_deck(tmp_path), tmp_path / "other.pptx"
    other.write_bytes(b"no presentation")
    assert main([str(other), str(path), "--output", str(tmp_path / "out")]) == 2
    assert str(other) in capsys.readouterr().err
    assert [one.name for one in (tmp_path / "out").iterdir()] == ["board.pptx"]
    assert main([str(path), "--output", str(tmp_path / "out")]) == 2
    assert "Choose a new file" in capsys.readouterr().err
