from analysis.serving.tables import chips, measured_lengths, measured_points


def test_parts_have_links_and_domains_from_the_table_of_links():
    known = chips()
    assert known["NVIDIA GB200"].domain_size == 72
    assert known["AMD Instinct MI300X"].link_bandwidth_byte_per_s == 448e9
    assert "NVIDIA H100 SXM5 80GB" in chips("2026-07")


def test_lengths_are_those_of_the_points_the_model_learns_from():
    known = measured_points().deployments
    prompts, answers = measured_lengths()
    assert prompts == (known.prompt_tokens.min(), known.prompt_tokens.max())
    assert answers == (known.output_tokens.min(), known.output_tokens.max())
    assert prompts[0] < 1024 < prompts[1]
