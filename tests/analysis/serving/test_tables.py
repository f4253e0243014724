from analysis.serving.tables import chips, measured_lengths


def test_parts_have_links_and_domains_from_the_table_of_links():
    known = chips()
    assert known["NVIDIA GB200"].domain_size == 72
    assert known["AMD Instinct MI300X"].link_bandwidth_byte_per_s == 448e9
    assert "NVIDIA H100 SXM5 80GB" in chips("2026-07")
    assert all(low < 1024 < high for low, high in measured_lengths())
