"""Single pages, within what robots.txt files allow: for programs that ask for one at a time."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from tamis.corpus.fetching.crawl import Politeness
from tamis.corpus.fetching.robots import ROBOTS_BYTES, Rules, origin_of, parse, rules_without
from tamis.download import FetchFailure, without_credentials
from tamis.errors import TooLargeError
from tamis.inputs import Fetched
from tamis.web import fetch_async

# Seconds and origins that rules are remembered for; the RFC allows a day.
_REMEMBERED = 3600.0
_ORIGINS = 1000


@dataclass(slots=True)
class PoliteReader:
    """Reads pages by their addresses; of `politeness` the limits, the name and `robots` count."""

    politeness: Politeness
    _rules: dict[str, tuple[float, Rules]] = field(default_factory=dict, init=False)

    async def read(self, url: str) -> Fetched:
        """A page; each redirect to another origin is asked for there.

        What fails is a `FetchFailure`, with the reason `robots` for what is not allowed, or a
        `TooLargeError`.
        """
        for _ in range(self.politeness.max_redirects + 1):
            origin, rules = await self._rules_for(url)
            if not rules.allows(url):
                raise FetchFailure(
                    f"{origin}/robots.txt does not allow {self.politeness.product} to read"
                    f" {without_credentials(url)}; open it in a browser",
                    "robots",
                )
            try:
                return await fetch_async(url, self.politeness, follow=_within(origin, rules))
            except FetchFailure as failure:
                if failure.target is None:
                    raise
                url = failure.target
        raise FetchFailure(
            f"{without_credentials(url)}: redirected too often; give the address it ends at",
            "http status",
        )

    async def _rules_for(self, url: str) -> tuple[str, Rules]:
        try:
            origin = origin_of(url)
        except ValueError as error:  # brackets around what is no IPv6 address
            raise FetchFailure(
                f"{without_credentials(url)[:200]!r}: not a valid address ({error}); check its"
                " spelling",
                "bad address",
            ) from error
        if not self.politeness.robots or not origin.startswith(("http://", "https://")):
            return origin, Rules()
        made, rules = self._rules.pop(origin, (0.0, None))
        if rules is None or time.monotonic() - made > _REMEMBERED:
            made, rules = time.monotonic(), await self._asked(origin)
        self._rules[origin] = made, rules
        if len(self._rules) > _ORIGINS:
            self._rules.pop(next(iter(self._rules)))
        return origin, rules

    async def _asked(self, origin: str) -> Rules:
        limits = replace(self.politeness, max_bytes=ROBOTS_BYTES, pages_only=False)
        try:
            body = (await fetch_async(f"{origin}/robots.txt", limits)).body
        except FetchFailure as failure:
            rules = rules_without(failure)
            if isinstance(rules, FetchFailure):
                raise rules from failure
            return rules
        except TooLargeError as error:
            raise FetchFailure(str(error), "robots") from error
        return parse(body, self.politeness.product)


def _within(origin: str, rules: Rules) -> Callable[[str], bool]:
    """Whether a redirect stays where the rules hold, and they allow it."""
    return lambda target: origin_of(target) == origin and rules.allows(target)
