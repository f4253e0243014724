"""What the measurement of nginx asks for is kept for good, by the configuration that is deployed."""

from benchmarks.edge_cache import configuration, main, pinned_links
from tests.web.served import app, ask
from views.view import split


def test_every_link_that_is_asked_for_is_kept_for_good_by_anybody():
    links = pinned_links(60)
    assert len(set(links)) == 60
    site = app()
    for link in links[::15]:
        path, query = split(link)
        status, headers, _ = ask(site, path, query=query.encode(), accept_encoding="gzip")
        assert status == 200
        assert headers["cache-control"] == "public, max-age=31536000, immutable"
        assert headers["vary"] == "Accept-Encoding"


def test_nginx_is_set_up_as_deployed_but_for_addresses_and_limits(tmp_path):
    text = configuration(tmp_path, port=4321, replicas=["http://127.0.0.1:1", "http://127.0.0.1:2"])
    assert "listen 127.0.0.1:4321;" in text
    assert "server 127.0.0.1:1 max_fails=3" in text and "server 127.0.0.1:2 max_fails=3" in text
    assert "app-1" not in text and "limit_req " not in text and "limit_conn " not in text
    assert f"{tmp_path}/nginx-cache" in text and "proxy_cache_lock on;" in text


def test_without_nginx_it_says_what_to_do(capsys, monkeypatch):
    monkeypatch.setattr("benchmarks.edge_cache.shutil.which", lambda *_names, **_path: None)
    assert main() == 2
    assert "There is no nginx here: install it." in capsys.readouterr().err
