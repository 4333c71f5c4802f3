"""What the operator of the service decides."""

from __future__ import annotations

import ipaddress
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from tamis._runtime.documented import document_fields
from tamis._runtime.processes import count_processors
from tamis.errors import OptionsError
from tamis.options import Options

PORT = 8765
MEGABYTE = 1 << 20
_COUNTS = (
    *("workers", "queue", "connections", "max_body", "max_answer", "max_held"),
    *("max_jobs", "max_job_urls"),
)


@document_fields
@dataclass(frozen=True, slots=True, kw_only=True)
class ServeSettings:
    """How to serve. The usual ones are safe: this machine alone can ask, the web alone is read."""

    host: str = "127.0.0.1"
    """The address to listen on."""
    port: int = PORT
    """The port to listen on; 0 for any that is free."""
    token: str | None = None
    """What a request must have as its `Authorization: Bearer`; None if it needs none."""
    open: bool = False
    """Let everybody ask who reaches an address other than loopback, without a token."""
    allowed_hosts: tuple[str, ...] = ()
    """Names of this server besides localhost; a browser is refused that came by another name."""
    cors: tuple[str, ...] = ()
    """Origins whose pages may ask: `https://app.example`."""
    allow_private: bool = False
    """Read private and loopback addresses, too."""
    project: str | None = None
    """The folder of the project that people label and teach here, made if there is none."""
    workers: int = field(default_factory=count_processors)
    """Processes that extract."""
    queue: int = 128
    """Most requests at a time; the next is answered 429."""
    max_body: int = 32 * MEGABYTE
    """Largest body of a request, as sent and unpacked; of a batch the longest line."""
    max_answer: int = 64 * MEGABYTE
    """Largest answer, in bytes; of a batch, of each line."""
    max_held: int = 512 * MEGABYTE
    """Most bytes of requests, fetched pages and answers in memory; one client gets three quarters
    of them, as of places and connections."""
    connections: int = 2048
    """Most connections at a time."""
    trusted_proxies: tuple[str, ...] = ()
    """Addresses or networks of proxies before this server, which say who their clients are in
    `X-Forwarded-For`."""
    memory: int | None = 2048 * MEGABYTE
    """Most bytes of memory of a process that extracts."""
    max_seconds: float = 30.0
    """Longest time to fetch a page, and longest time to extract it."""
    header_seconds: float = 10.0
    """Longest time for the head of a request."""
    body_seconds: float = 30.0
    """Longest time for the body of a request; of a batch, longest silence."""
    send_seconds: float = 30.0
    """Longest time that a client reads nothing of its answer."""
    max_jobs: int = 32
    """Most batch scrapes that run, and most that are kept."""
    max_job_urls: int = 1000
    """Most URLs of a batch scrape."""
    max_job_bytes: int = 512 * MEGABYTE
    """Most bytes that all batch scrapes keep; one of them keeps a quarter at most."""
    max_job_seconds: float = 3600.0
    """Longest time that a batch scrape runs, and how long its results are kept after that."""
    options: Options = field(default_factory=Options)
    """The options of requests that give none; the limits also of those that do."""

    def __post_init__(self) -> None:
        if self.token is not None and not (self.token.isascii() and self.token.strip()):
            raise OptionsError("the token is empty or not ASCII; give some letters and digits")
        if not self.is_loopback and not self.token and not self.open:
            raise OptionsError(
                f"{self.host} can be reached from other machines; set a token, or say that"
                " everybody may ask (--token, --open)"
            )
        for origin in self.cors:
            parts = urlsplit(origin)
            if (
                parts.scheme not in ("http", "https")
                or origin != f"{parts.scheme}://{parts.netloc}"
            ):
                raise OptionsError(
                    f"{origin!r} is not an origin; write it as https://app.example, without a path"
                )
        for proxy in self.trusted_proxies:
            try:
                ipaddress.ip_network(proxy)
            except ValueError:
                raise OptionsError(
                    f"{proxy!r} is not an address; write a proxy as 10.0.0.5 or 10.0.0.0/24"
                ) from None
        for name in _COUNTS:
            if getattr(self, name) < 1:
                raise OptionsError(f"{name} is {getattr(self, name)}; give 1 or more")

    @property
    def is_loopback(self) -> bool:
        """Whether only this machine reaches the address."""
        try:
            return ipaddress.ip_address(self.host).is_loopback
        except ValueError:
            return self.host == "localhost"
