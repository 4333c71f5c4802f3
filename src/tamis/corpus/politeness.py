"""Single pages, within what robots.txt files allow: for programs that ask for one at a time."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from tamis._runtime.libraries import import_library
from tamis.errors import OptionsError, TooLargeError
from tamis.inputs import Fetched
from tamis.web.download import FetchFailure, FetchLimits, strip_credentials
from tamis.web.fetch import fetch_async

if TYPE_CHECKING:
    from protego import Protego

# Seconds and origins that rules are remembered for; the RFC allows a day.
_REMEMBERED = 3600.0
_ORIGINS = 1000


@dataclass(slots=True)
class PoliteReader:
    """Reads pages by address, one at a time, within what robots.txt files allow."""

    politeness: Politeness
    _rules: dict[str, tuple[float, Rules]] = field(default_factory=dict, init=False)

    async def read(self, url: str) -> Fetched:
        """Read a page; a redirect to another origin is checked against the rules there.

        Raises a `FetchFailure`, with the reason `robots` if the page is not allowed, or a
        `TooLargeError`.
        """
        for _ in range(self.politeness.max_redirects + 1):
            origin, rules = await self._rules_for(url)
            if not rules.allows_url(url):
                raise FetchFailure(
                    f"{origin}/robots.txt does not allow {self.politeness.product} to read"
                    f" {strip_credentials(url)}; open it in a browser",
                    "robots",
                )
            try:
                return await fetch_async(url, self.politeness, follow=follow_within(origin, rules))
            except FetchFailure as failure:
                if failure.target is None:
                    raise
                url = failure.target
        raise FetchFailure(
            f"{strip_credentials(url)}: redirected too often; give the address it ends at",
            "http status",
        )

    async def _rules_for(self, url: str) -> tuple[str, Rules]:
        try:
            origin = origin_of(url)
        except ValueError as error:  # brackets around what is no IPv6 address
            raise FetchFailure(
                f"{strip_credentials(url)[:200]!r}: not a valid address ({error}); check its"
                " spelling",
                "bad address",
            ) from error
        if not self.politeness.robots or not origin.startswith(("http://", "https://")):
            return origin, Rules()
        made, rules = self._rules.pop(origin, (0.0, None))
        if rules is None or time.monotonic() - made > _REMEMBERED:
            made, rules = time.monotonic(), await self._fetch_rules(origin)
        self._rules[origin] = made, rules
        if len(self._rules) > _ORIGINS:
            self._rules.pop(next(iter(self._rules)))
        return origin, rules

    async def _fetch_rules(self, origin: str) -> Rules:
        try:
            body = (await fetch_async(f"{origin}/robots.txt", self.politeness.for_robots())).body
        except FetchFailure as failure:
            rules = rules_without(failure)
            if isinstance(rules, FetchFailure):
                raise rules from failure
            return rules
        except TooLargeError as error:
            raise FetchFailure(str(error), "robots") from error
        return parse_rules(body, self.politeness.product)


def follow_within(origin: str, rules: Rules) -> Callable[[str], bool]:
    return lambda target: origin_of(target) == origin and rules.allows_url(target)


MAX_BYTES = 512 * 1024
"""What comes after is not read; the RFC asks for 500 kB at least."""
_ROBOTS_BYTES = 8 * 1024 * 1024

_OURS, _OTHERS = "ours", "others"
_AGENT = re.compile(r"\s*user(?:-|\s*)agent\s*[:\s]\s*(\*|[a-z_-]*)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Rules:
    """The rules of one origin for one crawler. Without any, everything is allowed."""

    read: Protego | None = None

    @property
    def delay(self) -> float:
        """Seconds between two requests."""
        return (self.read and self.read.crawl_delay(_OURS)) or 0.0

    def allows_url(self, url: str) -> bool:
        return self.read is None or self.read.can_fetch(url, _OURS)


def parse_rules(body: bytes, product: str) -> Rules:
    """Read the rules for the crawler whose user agent begins with `product`.

    >>> rules = parse_rules(b"User-agent: *\\nDisallow: /a\\nAllow: /a/*.html$", "tamis")
    >>> rules.allows_url("https://a.example/a/b.html"), rules.allows_url("https://a.example/a/b.htm")
    (True, False)
    """
    names = {product.lower(): _OURS, "*": "*"}

    def shorten_agent(line: str) -> str:
        agent = _AGENT.match(line)
        return f"User-agent: {names.get(agent[1].lower(), _OTHERS)}" if agent else line

    text = body[:MAX_BYTES].removeprefix(b"\xef\xbb\xbf").decode(errors="replace")
    lines = map(shorten_agent, text.splitlines())
    return Rules(import_library("protego", "robots.txt").Protego.parse("\n".join(lines)))


def origin_of(url: str) -> str:
    """What a robots.txt applies to: scheme, host and port, without credentials."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}".lower()


def rules_without(failure: FetchFailure) -> Rules | FetchFailure:
    """The rules of an origin that gave no robots.txt (RFC 9309, 2.3.1), or why it is refused."""
    if failure.status is not None and not failure.passing:
        return Rules()
    if failure.reason in ("no answer", "private address", "bad address"):
        return failure
    return FetchFailure(str(failure), "robots")


_LEAST = {"concurrency": 1, "per_host": 1, "delay": 0, "retries": 0, "backoff": 0}


@dataclass(frozen=True, slots=True, kw_only=True)
class Politeness(FetchLimits):
    """How gently to read servers. The limits hold for each request."""

    concurrency: int = 16
    """Requests under way at once, to all hosts."""
    per_host: int = 1
    """Requests under way at once, to one host."""
    delay: float = 1.0
    """Seconds from one request to a host to the next; its robots.txt may ask for up to 30."""
    retries: int = 2
    """How often an address is tried again that gave no answer, 429 or 5xx."""
    backoff: float = 2.0
    """Seconds before the first retry, twice as many before each further one.

    A `Retry-After` counts instead if it is longer, up to 120.
    """
    robots: bool = True
    """Do what robots.txt says."""

    def __post_init__(self) -> None:
        for name, least in _LEAST.items():
            if getattr(self, name) < least:
                raise OptionsError(f"{name} is {getattr(self, name)}; give {least} or more")
        agent = self.user_agent
        if not (self.product and agent.isascii() and agent.isprintable()):
            raise OptionsError(f"user_agent is {agent!r}; begin with a name, like my-crawler/1.0")

    def for_robots(self) -> Politeness:
        """The limits of a request for a robots.txt; a longer one counts as no answer."""
        return replace(self, max_bytes=_ROBOTS_BYTES, pages_only=False)

    @property
    def product(self) -> str:
        return re.split("[^A-Za-z_-]", self.user_agent, maxsplit=1)[0]
