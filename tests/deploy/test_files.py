import re
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
DEPLOY = ROOT / "deploy"


def text(name):
    return (DEPLOY / name).read_text(encoding="utf-8")


def copied():
    return re.findall(r"^COPY (\S+) \S+$", text("Dockerfile"), flags=re.MULTILINE)


def test_the_image_holds_all_that_the_app_needs_and_nothing_else():
    packages = {path.parent.name for path in ROOT.glob("*/__init__.py")} - {"benchmarks", "scripts", "tests"}
    assert {"requirements.txt", "app.py", ".streamlit", *packages} == set(copied())
    assert all((ROOT / name).exists() for name in copied())


def test_what_is_copied_is_what_the_build_may_see():
    kept = {line[1:] for line in text("Dockerfile.dockerignore").splitlines() if line.startswith("!")}
    assert kept == set(copied())


def test_the_container_runs_as_a_user_without_rights_and_says_whether_it_is_healthy():
    lines = text("Dockerfile").splitlines()
    assert next(line for line in reversed(lines) if line.startswith("USER")) == "USER gap"
    assert "--require-hashes" in text("Dockerfile")
    assert "/healthz" in text("Dockerfile")
    assert not re.search(r"(?i)secret|password|token", text("Dockerfile"))


def test_both_groups_of_replicas_name_the_same_servers_as_the_compose_file():
    groups = re.findall(r"upstream \w+ \{(.*?)\}", text("nginx.conf"), flags=re.DOTALL)
    servers = [re.findall(r"server (\S+):8501", group) for group in groups]
    assert servers == [["app-1", "app-2"]] * 2
    assert re.findall(r"^  (app-\d):", text("compose.yaml"), flags=re.MULTILINE) == servers[0]


def test_nginx_takes_every_upload_that_the_app_takes():
    app = re.search(r"maxUploadSize = (\d+)", (ROOT / ".streamlit/config.toml").read_text())
    proxy = re.search(r"client_max_body_size (\d+)m", text("nginx.conf"))
    assert app and proxy
    assert int(proxy[1]) > int(app[1])


def test_each_variable_of_the_environment_is_explained():
    named = set(re.findall(r'environment\.get\("([A-Z_]+)"', (ROOT / "web/settings.py").read_text()))
    assert named
    assert all(f"`{name}`" in text("README.md") for name in named)
