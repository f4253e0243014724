from data.releases import latest
from views.runs.choice import TrainingComputeSettings, rule_words
from views.training_compute import VIEW
from views.view import answer


def test_the_line_of_settings_says_every_choice_in_words():
    settings = TrainingComputeSettings(
        rule="frontier",
        top=5,
        domain="language",
        finetunes="exclude",
        confidence="likely",
        since="2018-06",
        until="2024",
    )
    assert rule_words(settings) == (
        "Top-5 runs by compute at release, language models, without fine-tunes, likely or confident, "
        "2018-06 to 2024"
    )
    line = answer(VIEW, TrainingComputeSettings(estimator="quantile", tau=0.9)).settings_line
    assert "Quantile 0.9, 90 % clustered bootstrap interval." in line
    assert line.endswith(f"release {latest()}.")
