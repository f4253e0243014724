import re
from urllib.parse import urljoin

import pytest

from panel import assets as files
from tests.web.document import Document
from tests.web.served import app, ask

DOCUMENTS = ("/", "/training-compute", "/training-compute?embed=true", "/methods", "/deck")
FOR_GOOD = "public, max-age=31536000, immutable"


def named(site):
    """Return the address of every file that a document names, or that such a file imports."""
    addresses = set().union(*(Document(site.get(path).text).assets for path in DOCUMENTS))
    waiting = list(addresses)
    while waiting:
        address = waiting.pop()
        if "/vendor/" in address:
            continue
        for name in re.findall(r"""(?:from|import)\s*\(?["'](\.[^"']+)["']""", site.get(address).text):
            if (one := urljoin(address, name)) not in addresses:
                addresses.add(one)
                waiting.append(one)
    return addresses


def test_every_file_a_document_names_or_a_module_imports_is_there_for_good_and_compressed(site):
    addresses = named(site)
    first, second = (Document(site.get(path).text).assets for path in DOCUMENTS[:2])
    assert first == second, "one is fetched twice"
    assert {address.rpartition("/")[2] for address in addresses} >= {"boot.js", "panel.js", "answers.js"}
    assert any("plotly" in address for address in addresses)
    for address in addresses:
        got = site.get(address, headers={"Accept-Encoding": "gzip"})
        assert got.status_code == 200, address
        assert got.headers["cache-control"] == FOR_GOOD
        assert got.headers["content-encoding"] == "gzip"
        assert got.headers["content-type"] == "text/javascript; charset=utf-8"
        assert got.headers["x-content-type-options"] == "nosniff"
        assert int(got.headers["content-length"]) < 0.7 * len(got.content) + 100  # what gzip itself takes


@pytest.mark.parametrize(
    "path",
    [
        "/assets/",
        "/assets/000000000000/boot.js",
        "/assets/page.py",
        "/assets/../panel/page.py",
        "/assets/vendor/",
        f"{files.PREFIX}{files.version()}/../../page.py",
        "/assets/%2e%2e/page.py",
        "/assets//etc/passwd",
    ],
)
def test_what_is_no_file_is_404_says_what_to_do_and_is_not_kept(path):
    status, headers, body = ask(app(), path)
    assert status == 404
    assert headers["content-type"] == "application/problem+json"
    assert headers["cache-control"] == "no-store"
    assert b"If the page was opened before a new version, reload it." in body


def test_a_program_changed_in_any_module_has_other_addresses_an_unchanged_one_the_same(tmp_path, monkeypatch):
    make = files.version.__wrapped__
    assert make() == make() == files.version()
    for name in files.MODULES:
        (tmp_path / name).write_bytes((files.FOLDER / name).read_bytes())
    monkeypatch.setattr(files, "FOLDER", tmp_path)
    assert make() == files.version(), "the address depends on where the program lies"
    for name in files.MODULES:
        (tmp_path / name).write_bytes(b"// another")
        assert make() != files.version(), name
        (tmp_path / name).write_bytes(b"")
    assert re.fullmatch(r"[0-9a-f]{12}", files.version())
