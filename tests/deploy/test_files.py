import re
from pathlib import Path

from views.compute_pool import PATIENCE_S

ROOT = Path(__file__).resolve().parent.parent.parent


def text(name):
    return (ROOT / "deploy" / name).read_text(encoding="utf-8")


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


def test_nginx_takes_every_upload_that_the_app_takes():
    app = re.search(r"maxUploadSize = (\d+)", (ROOT / ".streamlit/config.toml").read_text())
    proxy = re.search(r"client_max_body_size (\d+)m", NGINX)
    assert app and proxy
    assert int(proxy[1]) > int(app[1])


def test_nginx_asks_no_second_replica_for_what_the_first_is_busy_with_and_waits_longer_than_the_app():
    assert NEXT
    assert not {"http_503", "http_502", "http_504", "timeout"} & {word for line in NEXT for word in line}
    (waits,) = set(re.findall(r"^    proxy_read_timeout (\d+)s;", NGINX, flags=re.MULTILINE))
    assert int(waits) > PATIENCE_S
