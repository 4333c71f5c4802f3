"""What a robots.txt allows: protego reads it, after RFC 9309 and with Crawl-delay.

A crawler must read what any server sends. protego keeps each rule once for each agent of its group,
so 2,000 agents with 2,000 rules cost it seconds and hundreds of megabytes. It therefore gets a file
with three agents: ours, everyone, and one for all others.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from tamis._runtime.extras import library
from tamis.download import FetchFailure

if TYPE_CHECKING:
    from protego import Protego

MAX_BYTES = 512 * 1024
"""What comes after is not read; the RFC asks for 500 kB at least."""

ROBOTS_BYTES = 8 * 1024 * 1024
"""A robots.txt that is longer counts as no answer."""

_OURS, _OTHERS = "ours", "others"
_AGENT = re.compile(r"\s*user(?:-|\s*)agent\s*[:\s]\s*(\*|[a-z_-]*)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Rules:
    """The rules of one origin for one crawler; without any, all is allowed."""

    read: Protego | None = None

    @property
    def delay(self) -> float:
        """Seconds from one request to the next."""
        return (self.read and self.read.crawl_delay(_OURS)) or 0.0

    def allows(self, url: str) -> bool:
        """Whether an address of the origin may be read."""
        return self.read is None or self.read.can_fetch(url, _OURS)


def parse(body: bytes, product: str) -> Rules:
    """Read the rules for the crawler whose user agent begins with `product`.

    >>> rules = parse(b"User-agent: *\\nDisallow: /a\\nAllow: /a/*.html$", "tamis")
    >>> rules.allows("https://a.example/a/b.html"), rules.allows("https://a.example/a/b.htm")
    (True, False)
    """
    names = {product.lower(): _OURS, "*": "*"}

    def shorten_agent(line: str) -> str:
        agent = _AGENT.match(line)
        return f"User-agent: {names.get(agent[1].lower(), _OTHERS)}" if agent else line

    text = body[:MAX_BYTES].removeprefix(b"\xef\xbb\xbf").decode(errors="replace")
    lines = map(shorten_agent, text.splitlines())
    return Rules(library("protego", "robots.txt").Protego.parse("\n".join(lines)))


def origin_of(url: str) -> str:
    """What a robots.txt is for: scheme, host and port, without credentials."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}".lower()


def rules_without(failure: FetchFailure) -> Rules | FetchFailure:
    """What holds for an origin that gave no robots.txt, after RFC 9309, 2.3.1."""
    if failure.status is not None and not failure.passing:
        return Rules()
    if failure.reason in ("no answer", "private address", "bad address"):
        return failure
    return FetchFailure(str(failure), "robots")
