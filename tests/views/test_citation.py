from dataclasses import replace
from datetime import date

from hypothesis import given
from hypothesis import strategies as st

from views.citation import bibtex, sentence
from views.registry import VIEWS
from views.view import answer, read

DAY = date(2026, 8, 3)
SITE = "https://gap.example.org"
VIEW = VIEWS["/training-compute"]


def result(query: str = "release=2026-07"):
    return answer(VIEW, read(VIEW, query)[0])


def test_the_sentence_names_finding_release_data_address_and_day():
    said = sentence(result(), accessed=DAY, origin=SITE)
    assert said == (
        f"Scaling Gap (2026). {result().headline}. Data release 2026-07, from Epoch AI, curated. "
        f"{SITE}{result().short_link} (accessed 3 August 2026)."
    )


def test_the_entry_names_release_pinned_address_and_day():
    lines = bibtex(result(), accessed=DAY, origin=SITE).splitlines()
    assert lines[0] == "@misc{scaling-gap-training-compute-2026-07,"
    assert lines[-1] == "}"
    assert "  version = {data release 2026-07}," in lines
    assert f"  url = {{{SITE}{result().short_link}}}," in lines
    assert "  urldate = {2026-08-03}," in lines
    assert any("Accessed 2026-08-03." in line for line in lines)


def test_a_readers_own_data_have_no_address_and_the_year_of_reading():
    own = replace(result(), link="", short_link="", release="your export")
    said = sentence(own, accessed=DAY)
    assert said.startswith("Scaling Gap (2026). ")
    assert "http" not in said
    entry = bibtex(own, accessed=DAY)
    assert "url = " not in entry
    assert entry.startswith("@misc{scaling-gap-training-compute-your-export,")


def test_signs_of_tex_are_escaped():
    odd = replace(result(), headline=r"50% & $x_1$ #1 {a} ~ ^ \input{x}")
    entry = bibtex(odd, accessed=DAY)
    assert r"50\% \& \$x\_1\$ \#1 \{a\} \textasciitilde{} \textasciicircum{} \textbackslash{}inp" in entry


@given(st.text(max_size=60))
def test_no_headline_breaks_out_of_its_field(headline):
    entry = bibtex(replace(result(), headline=headline), accessed=DAY)
    bare = entry.replace(r"\{", "").replace(r"\}", "")
    depths = [0]
    for sign in bare:
        depths.append(depths[-1] + {"{": 1, "}": -1}.get(sign, 0))
    assert depths[-1] == 0
    assert min(depths) == 0
    assert depths.index(0, 1 + bare.index("{")) == len(bare.rstrip())
