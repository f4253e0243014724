import pytest

from tests.cases import cases
from web.settings import Settings, from_environment


def test_an_empty_environment_listens_on_this_machine_only():
    settings = from_environment({})
    assert (settings.host, settings.port) == ("127.0.0.1", 8501)
    assert settings.address == "http://127.0.0.1:8501"
    assert settings.allowed_hosts == ("localhost", "127.0.0.1", "::1")
    assert not settings.log_requests and not settings.mcp and settings.metrics is None and settings.warm_up
    chosen = from_environment({"LOG": "requests", "MCP": "on", "WARM_UP": "off", "HOST": "fe80::1"})
    assert chosen.log_requests and chosen.mcp and not chosen.warm_up and chosen.host == "fe80::1"


REFUSED = cases(__file__)
"""What cannot be meant, by variable, and how the refusal begins."""


@pytest.mark.parametrize(
    ("name", "text"), [(name, text) for name in REFUSED for text in REFUSED[name]["got"]]
)
def test_a_value_that_cannot_be_meant_is_refused_with_what_can(name, text):
    with pytest.raises(ValueError, match=f"^{REFUSED[name]['says']}"):
        from_environment({name: text})


def test_the_public_address_is_what_readers_are_told_and_is_answered_to():
    settings = from_environment({"PUBLIC_URL": "https://Gap.Example.org/", "HOST": "0.0.0.0"})
    assert settings.address == "https://Gap.Example.org"
    assert settings.local_address == "http://127.0.0.1:8501"
    assert "gap.example.org" in settings.allowed_hosts


def test_listening_everywhere_without_a_name_answers_to_every_name():
    assert from_environment({"HOST": "0.0.0.0"}).allowed_hosts == ()
    assert from_environment({"ALLOWED_HOSTS": "*"}).allowed_hosts == ()
    assert "gap.example" in from_environment({"HOST": "::", "ALLOWED_HOSTS": "gap.example, b"}).allowed_hosts


def test_an_address_of_version_6_is_written_in_brackets():
    assert Settings(host="::1", port=80).address == "http://[::1]:80"
    assert from_environment({"HOST": "[::1]"}).host == "::1"


@pytest.mark.parametrize("ancestors", ["'none'", "*", "https:", "'self' https://*.a.example:8443 b.example"])
def test_every_source_that_a_frame_may_have_is_taken(ancestors):
    sources = from_environment({"EMBED_ANCESTORS": ancestors.replace("self' ", "self'   ")}).embed_ancestors
    assert sources.split() == ancestors.split()


@pytest.mark.parametrize(
    ("text", "where"),
    [
        ("", None),
        ("9464", ("127.0.0.1", 9464)),
        ("0.0.0.0:9464", ("0.0.0.0", 9464)),
        ("[::1]:9464", ("::1", 9464)),
    ],
)
def test_metrics_are_told_on_this_machine_unless_an_address_is_named(text, where):
    assert from_environment({"METRICS": text}).metrics == where


@pytest.mark.parametrize(
    ("text", "networks"),
    [
        ("", ()),
        ("127.0.0.1", ("127.0.0.1/32", "::ffff:127.0.0.1/128")),
        ("10.0.0.0/24, fd00::/16", ("10.0.0.0/24", "::ffff:10.0.0.0/120", "fd00::/16")),
    ],
)
def test_proxies_are_trusted_by_address_or_network_and_none_by_default(text, networks):
    assert from_environment({"TRUSTED_PROXY": text}).trusted_proxy == networks


PROXY = "Without a proxy, only the app's own queues limit clients"
NAMES = "The app answers every host name"


@pytest.mark.parametrize(
    ("environment", "texts"),
    [
        ({}, ()),
        ({"HOST": "localhost"}, ()),
        ({"HOST": "127.0.0.2"}, ()),
        ({"HOST": "0.0.0.0"}, (PROXY, NAMES)),
        ({"HOST": "0.0.0.0", "PUBLIC_URL": "https://gap.example"}, (PROXY,)),
        ({"HOST": "192.168.1.5"}, (PROXY,)),
        ({"HOST": "::", "TRUSTED_PROXY": "10.0.0.2"}, (NAMES,)),
        ({"HOST": "::", "TRUSTED_PROXY": "10.0.0.2", "ALLOWED_HOSTS": "gap.example"}, ()),
    ],
)
def test_what_is_open_to_other_machines_is_said_with_what_to_set(environment, texts):
    lines = from_environment(environment).unprotected
    assert len(lines) == len(texts)
    assert all(words in line for words, line in zip(texts, lines, strict=True))
    assert all("TRUSTED_PROXY" in line or "PUBLIC_URL or ALLOWED_HOSTS" in line for line in lines)
