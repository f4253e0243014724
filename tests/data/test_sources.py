from data import sources


def test_a_source_has_its_title_and_address_by_its_key():
    assert list(sources.rows()) == sources.table()["source_id"].tolist()
    assert sources.rows()["zero-paper"]["publisher"] == "Rajbhandari et al."
    assert sources.address("zero-paper") == "https://arxiv.org/abs/1910.02054"
