"""What a robots.txt allows: RFC 9309, with Crawl-delay, which is not in it but in use.

Our own, since `urllib.robotparser` takes the first rule that matches instead of the longest and
knows no `*` and `$`, and protego keeps each rule once for each agent of its group: 2,000 agents and
2,000 rules, 60 kB, cost it 5.5 s and 290 MB, and a crawler must read what any server sends.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from urllib.parse import quote, urlsplit

from tamis.download import FetchFailure

MAX_BYTES = 512 * 1024
"""What comes after is not read; the RFC asks for 500 kB at least."""

ROBOTS_BYTES = 8 * 1024 * 1024
"""A robots.txt that is longer counts as no answer."""

_LINE = re.compile(r"\s*(user-agent|allow|disallow|crawl-delay)\s*:\s*([^#]*)", re.IGNORECASE)
_PRODUCT = re.compile(r"\*|[A-Za-z_-]+")
_UNRESERVED = re.compile("%(2D|2E|3[0-9]|4[1-9A-F]|5[0-9AF]|6[1-9A-F]|7[0-9AE])")
_LOWER = re.compile("%(?:[0-9A-F][a-f]|[a-f][0-9A-Fa-f])")


@dataclass(frozen=True, slots=True)
class Rules:
    """The rules of one origin for one crawler; without any, all is allowed."""

    patterns: tuple[tuple[str, bool], ...] = ()
    """With whether they allow, the one that decides first."""
    delay: float = 0.0
    """Seconds from one request to the next."""

    def allows(self, url: str) -> bool:
        """Whether an address of the origin may be read."""
        address = url.partition("#")[0]
        parts = urlsplit(address)
        path = _normal((parts.path or "/") + ("?" + parts.query if "?" in address else ""))
        return path == "/robots.txt" or next(
            (allow for pattern, allow in self.patterns if _matches(pattern, path)), True
        )


def parse(body: bytes, product: str) -> Rules:
    """Read the rules for the crawler whose user agent begins with `product`.

    >>> rules = parse(b"User-agent: *\\nDisallow: /a\\nAllow: /a/*.html$", "tamis")
    >>> rules.allows("https://a.example/a/b.html"), rules.allows("https://a.example/a/b.htm")
    (True, False)
    """
    ours: list[tuple[str, str]] = []
    everyone: list[tuple[str, str]] = []
    named = False
    agents: set[str] = set()
    in_rules = False
    for line in body[:MAX_BYTES].removeprefix(b"\xef\xbb\xbf").splitlines():
        rule = _LINE.match(line.decode(errors="replace"))
        if not rule:
            continue
        field, value = rule[1].lower(), rule[2].strip()
        if field == "user-agent":
            if in_rules:
                agents, in_rules = set(), False
            agent = _PRODUCT.match(value)
            agents.add(agent[0].lower() if agent else "")
            named |= product.lower() in agents
            continue
        in_rules = True
        if product.lower() in agents:
            ours.append((field, value))
        if "*" in agents:
            everyone.append((field, value))
    return _rules(ours if named else everyone)


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


def _rules(lines: list[tuple[str, str]]) -> Rules:
    delay = 0.0
    patterns: set[tuple[str, bool]] = set()
    for field, value in lines:
        if field != "crawl-delay":
            patterns.add((_pattern(value), field == "allow"))
        elif re.fullmatch(r"\d{1,9}(\.\d*)?", value, re.ASCII):
            delay = max(delay, float(value))
    patterns -= {("", True), ("", False)}  # `Disallow:` disallows nothing
    order = sorted(patterns, key=lambda rule: (-len(rule[0]), not rule[1], rule[0]))
    return Rules(tuple(order), delay)


def _pattern(text: str) -> str:
    end = "$" if text.endswith("$") else ""
    return "*".join(map(_normal, text.removesuffix("$").split("*"))) + end


def _matches(pattern: str, path: str) -> bool:
    """Whether a pattern matches, in time linear in the two: each part as early as it can be."""
    anchored = pattern.endswith("$")
    first, *middle = pattern.removesuffix("$").split("*")
    if not path.startswith(first):
        return False
    if not middle:
        return not anchored or path == first
    last = middle.pop()
    position = len(first)
    for part in middle:
        position = path.find(part, position)
        if position < 0:
            return False
        position += len(part)
    if anchored:
        return len(path) - len(last) >= position and path.endswith(last)
    return path.find(last, position) >= 0


def _normal(text: str) -> str:
    """One spelling of a path: what need not be escaped is not, all else is.

    A `*` or `$` that is no sign of a pattern is escaped, as the RFC has it.
    """
    text = _LOWER.sub(lambda escape: escape[0].upper(), text)
    text = _UNRESERVED.sub(lambda escape: chr(int(escape[1], 16)), text)
    return quote(text, safe="/%?&=+,;:@!'()[]~|")
