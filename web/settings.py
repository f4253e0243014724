"""Settings of the server: listening address, public name, and allowed clients and frames."""

import ipaddress
import re
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlsplit

from views import written

WORDS = written.toml(__file__, name="settings.toml")
LABEL = re.compile(r"[A-Za-z0-9_]([A-Za-z0-9_-]{0,61}[A-Za-z0-9_])?")
OWN_WORDS = ("'self'", "'none'", "*", "https:", "http:")
ANCESTOR = re.compile(r"(https?://)?(\*\.)?[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*(:([0-9]{1,5}|\*))?/?")
"""Pattern of a source in frame-ancestors, a host-source without path (CSP Level 3, section 2.3.1)."""
LOOPBACK = ("localhost", "127.0.0.1", "::1")
ANY_ADDRESS = ("0.0.0.0", "::")


@dataclass(frozen=True, kw_only=True)
class Settings:
    """Settings of the server, from environment variables."""

    host: str = "127.0.0.1"
    port: int = 8501
    public_url: str = ""
    """Scheme, host and port for readers, without trailing slash. If empty, the listening address."""
    allowed_hosts: tuple[str, ...] = ()
    """Accepted host names. If empty, all are."""
    metrics: tuple[str, int] | None = None
    """Separate address and port for metrics. None by default."""
    log_requests: bool = False
    """Whether to log each request as one line."""
    trusted_proxy: tuple[str, ...] = ()
    """Networks of proxies with trusted X-Forwarded-For and X-Forwarded-Proto. None by default."""
    embed_ancestors: str = "'self'"
    """Sites that may show our pages in a frame, as a source list for Content-Security-Policy."""
    mcp: bool = False
    """Whether language models may query views at /mcp (Model Context Protocol)."""
    warm_up: bool = True
    """Whether to compute the data behind slow views after start-up, before a reader needs them."""

    @property
    def address(self) -> str:
        """Return the address to open in a browser."""
        return self.public_url or self.local_address

    @property
    def local_address(self) -> str:
        """Return the address for use on this machine, even if the server listens on every interface."""
        host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(self.host, self.host)
        return f"http://{f'[{host}]' if ':' in host else host}:{self.port}"

    @property
    def unprotected(self) -> tuple[str, ...]:
        """Return what these settings expose to others, as lines. Empty if only this machine can connect."""
        if self.host in LOOPBACK or (_is_address(self.host) and ipaddress.ip_address(self.host).is_loopback):
            return ()
        named = self.allowed_hosts or self.public_url
        holes = {"clients": not self.trusted_proxy, "names": not named}
        return tuple(WORDS["open"][name].format(host=self.host) for name, is_open in holes.items() if is_open)


def from_environment(environment: Mapping[str, str]) -> Settings:
    """Return the settings given by the environment variables listed in docs/operations.md.

    Raises ValueError if one of them is invalid; the message has the variable and what is allowed.
    """
    host = _listens_at(environment.get("HOST", "").strip().strip("[]"))
    public_url = _public_url(environment.get("PUBLIC_URL", "").strip())
    named = _allowed_hosts(environment.get("ALLOWED_HOSTS", ""))
    if public_url:
        named += (urlsplit(public_url).hostname or "",)
    answers_to_any = "*" in named or (host in ANY_ADDRESS and not named)
    return Settings(
        host=host,
        port=_port(environment.get("PORT", "").strip()),
        public_url=public_url,
        allowed_hosts=() if answers_to_any else tuple(dict.fromkeys((*LOOPBACK, host.lower(), *named))),
        metrics=_metrics(environment.get("METRICS", "").strip()),
        log_requests=_log(environment.get("LOG", "").strip()),
        trusted_proxy=_trusted_proxy(environment.get("TRUSTED_PROXY", "")),
        embed_ancestors=_embed_ancestors(environment.get("EMBED_ANCESTORS", "").strip()),
        mcp=_switch(environment.get("MCP", "").strip(), name="MCP", default="off"),
        warm_up=_switch(environment.get("WARM_UP", "").strip(), name="WARM_UP", default="on"),
    )


def _refused(name: str, got: str) -> ValueError:
    """Return the error for an invalid environment variable."""
    return ValueError(WORDS["refused"][name].format(got=got))


def _switch(text: str, *, name: str, default: str) -> bool:
    if text not in ("", "on", "off"):
        raise _refused(name, text)
    return (text or default) == "on"


def _listens_at(text: str) -> str:
    """Return an IP address or host name. Raises ValueError for texts such as 0, although resolvers accept them."""
    if not text:
        return "127.0.0.1"
    # As in browsers, a name whose last part is a number is an address, and only a resolver accepts this one.
    number = re.fullmatch(r"[0-9]+|0[xX][0-9A-Fa-f]*", text.removesuffix(".").rpartition(".")[2])
    if not _is_host(text) or (number and not _is_address(text)):
        raise _refused("HOST", text)
    return text


def _allowed_hosts(text: str) -> tuple[str, ...]:
    names = tuple(name.lower() for name in text.replace(",", " ").split())
    for name in names:
        if name != "*" and not _is_host(name.removeprefix("*.").strip("[]")):
            raise _refused("ALLOWED_HOSTS", name)
    return tuple(name.strip("[]") for name in names)


def _is_port(text: str) -> bool:
    return text.isascii() and text.isdigit() and 1 <= int(text[:6]) <= 65535


def _port(text: str) -> int:
    if text and not _is_port(text):
        raise _refused("PORT", text)
    return int(text or 8501)


def _metrics(text: str) -> tuple[str, int] | None:
    """Return the address and port in a text such as 9464 or 0.0.0.0:9464. The default address is this machine."""
    if not text:
        return None
    host, _, port = text.rpartition(":")
    host = host.strip("[]") or "127.0.0.1"
    if not (_is_port(port) and _is_address(host)):
        raise _refused("METRICS", text)
    return host, int(port)


def _trusted_proxy(text: str) -> tuple[str, ...]:
    """Return the trusted networks, each IPv4 one also IPv4-mapped for a socket at :: (RFC 4291, section 2.5.5.2)."""
    networks: list[str] = []
    for name in text.replace(",", " ").split():
        try:
            network = ipaddress.ip_network(name)
        except ValueError:
            raise _refused("TRUSTED_PROXY", name) from None
        networks.append(str(network))
        if network.version == 4:
            networks.append(f"::ffff:{network.network_address}/{96 + network.prefixlen}")
    return tuple(networks)


def _log(text: str) -> bool:
    if text not in ("", "requests"):
        raise _refused("LOG", text)
    return bool(text)


def _public_url(text: str) -> str:
    try:
        parts = urlsplit(text)
        usable = parts.scheme in ("http", "https") and _is_host(parts.hostname) and parts.port != 0
        usable = usable and parts.path in ("", "/") and not (parts.query or parts.fragment or parts.username)
    except ValueError:
        usable = False
    if text and not usable:
        raise _refused("PUBLIC_URL", text)
    return text.rstrip("/")


def _is_host(name: str | None) -> bool:
    if not name:
        return False
    labels = name.removesuffix(".").split(".")
    return _is_address(name) or (name.isascii() and all(map(LABEL.fullmatch, labels)))


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def _embed_ancestors(text: str) -> str:
    sources = (text or "'self'").split(" ")
    unmeant = ("'none'" in sources and len(sources) > 1) or {"self", "none"} & set(sources)
    if unmeant or not all(source in OWN_WORDS or ANCESTOR.fullmatch(source) for source in sources if source):
        raise _refused("EMBED_ANCESTORS", text)
    return " ".join(sources)
