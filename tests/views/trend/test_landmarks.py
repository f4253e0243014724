from data.releases import latest, load
from views.trend import landmarks


def test_the_runs_that_charts_name_are_in_the_data():
    assert set(landmarks.labels("training_runs")) <= set(load(latest()).training_runs["name"])


def test_the_chips_that_charts_name_are_in_the_data():
    chips = load(latest()).accelerators
    assert set(landmarks.labels("accelerators")) <= {*chips["product"], *chips["name"]}


def test_landmarks_are_marked_best_known_first():
    marked = landmarks.marked(["BERT-Large", "x", "GPT-4 (Mar 2023)"], kind="training_runs")
    assert marked == ((2, "GPT-4"), (0, "BERT"))
