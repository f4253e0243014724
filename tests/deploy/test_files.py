import re
from pathlib import Path

from panel.assets import assets
from panel.menu import PLAIN_PAGES
from views.compute_pool import PATIENCE_S
from views.registry import VIEWS
from web.panels import EXTENSION

ROOT = Path(__file__).resolve().parent.parent.parent
DEPLOY = ROOT / "deploy"


def text(name):
    return (DEPLOY / name).read_text(encoding="utf-8")


DOCKERFILE, NGINX = text("Dockerfile"), text("nginx.conf")
COPIED = re.findall(r"^COPY (\S+) \S+$", DOCKERFILE, flags=re.MULTILINE)
NEXT = [line.split() for line in re.findall(r"proxy_next_upstream (.*);", NGINX)]


def test_the_image_holds_all_that_the_app_needs_and_nothing_else():
    packages = {path.parent.name for path in ROOT.glob("*/__init__.py")} - {"benchmarks", "scripts", "tests"}
    assert {"requirements.txt", "requirements-mcp.txt", "app.py", ".streamlit", *packages} == set(COPIED)
    assert all((ROOT / name).exists() for name in COPIED)


def test_what_is_copied_is_what_the_build_may_see():
    stored = {line[1:] for line in text("Dockerfile.dockerignore").splitlines() if line.startswith("!")}
    assert stored == set(COPIED)


def test_the_container_runs_as_a_user_without_rights_and_says_whether_it_is_healthy():
    lines = DOCKERFILE.splitlines()
    assert next(line for line in reversed(lines) if line.startswith("USER")) == "USER gap"
    assert "--require-hashes" in DOCKERFILE
    assert "/healthz" in DOCKERFILE
    assert not re.search(r"(?i)secret|password|token", DOCKERFILE)


def test_both_groups_of_replicas_name_the_same_servers_as_the_compose_file():
    groups = re.findall(r"upstream \w+ \{(.*?)\}", NGINX, flags=re.DOTALL)
    servers = [re.findall(r"server (\S+):8501", group) for group in groups]
    assert servers == [["app-1", "app-2"]] * 2
    assert re.findall(r"^  (app-\d):", text("compose.yaml"), flags=re.MULTILINE) == servers[0]


def kept_by_nginx(path):
    """Return whether a path falls to a location that keeps answers, as nginx chooses: exact, pattern, beginning."""
    locations = re.findall(r"location (=|~)? ?(\S+.*?) \{(.*?)\n        \}", NGINX, flags=re.DOTALL)
    exact = [body for kind, what, body in locations if kind == "=" and what == path]
    patterns = [body for kind, what, body in locations if kind == "~" and re.search(what, path)]
    beginnings = sorted(
        (len(what), body) for kind, what, body in locations if not kind and path.startswith(what)
    )
    (*_, (_, body)) = beginnings
    chosen = [*exact, *patterns, body][0]
    return "proxy_cache files" in chosen


def test_nginx_keeps_what_is_the_same_for_all_readers_and_no_page_and_no_session():
    form = [
        f"/{view.name}{extension}" for view in VIEWS.values() for extension in (EXTENSION, ".png", ".bib")
    ]
    for path in (
        *form,
        *assets(),
        "/static/js/a.js",
        "/api/views",
        "/v/1r52924mc1jcc.png",
        "/data/2026-07.zip",
        "/feed.atom",
        "/growth-gap.atom",
    ):
        assert kept_by_nginx(path), path
    pages = (*VIEWS, *PLAIN_PAGES, "/v/1r52924mc1jcc", "/healthz")
    for path in (*pages, "/_stcore/stream", "/_stcore/upload_file/x.csv", "/media/x.png", "/component/x.js"):
        assert not kept_by_nginx(path), path


def test_nginx_looks_for_a_script_on_every_replica():
    (location,) = re.findall(r"location /assets/ \{(.*?)\}", NGINX, flags=re.DOTALL)
    assert "http_404" in re.findall(r"proxy_next_upstream (.*);", location)[0].split()


def test_nginx_takes_every_upload_that_the_app_takes():
    app = re.search(r"maxUploadSize = (\d+)", (ROOT / ".streamlit/config.toml").read_text())
    proxy = re.search(r"client_max_body_size (\d+)m", NGINX)
    assert app and proxy
    assert int(proxy[1]) > int(app[1])


def test_nginx_asks_no_second_replica_for_what_the_first_is_busy_with():
    assert NEXT
    assert not {"http_503", "http_502", "http_504", "timeout"} & {word for line in NEXT for word in line}


def test_nginx_waits_for_longer_than_the_app_lets_anyone_wait():
    (waits,) = set(re.findall(r"^    proxy_read_timeout (\d+)s;", NGINX, flags=re.MULTILINE))
    assert int(waits) > PATIENCE_S


def test_nginx_gives_each_address_its_share_and_says_so_in_words():
    for directive in (
        "limit_req_zone $binary_remote_addr",
        "limit_conn_zone $binary_remote_addr",
        "limit_conn open",
    ):
        assert directive in NGINX
    for name in ("@too_many", "@gone"):
        (location,) = re.findall(rf"location {name} \{{(.*?)\n        \}}", NGINX, flags=re.DOTALL)
        assert re.search(r"return (429|503) \"[A-Z].*try again", location)
        for header in ("Content-Security-Policy", "X-Content-Type-Options", "Retry-After"):
            assert f"add_header {header}" in location


def test_nginx_answers_from_an_edition_only_what_the_edition_has_and_in_amber():
    (away,) = re.findall(r"location @away \{(.*?)\n        \}", NGINX, flags=re.DOTALL)
    assert "try_files $edition_page $edition_file @gone;" in away and 'class="warning">The server' in away
    assert NGINX.index("map_hash_bucket_size") < NGINX.index("    map $")  # nginx refuses it behind a map
    template = (ROOT / "web/templates/edition.html.j2").read_text()
    assert '<span class="quiet">A copy' in away and '<span class="quiet">{{ notice }}' in template
