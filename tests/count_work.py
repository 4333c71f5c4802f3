"""Counts the work of the views of hostile pages; test_growth.py runs it in a process of its own.

    python tests/count_work.py 0 6                 the first sixth of all kinds of page
    python tests/count_work.py 0 1 "deep div"      these kinds

Work is the number of calls, of the characters of strings whose methods are called, and of the
characters that regular expressions read: a long string that is read again and again counts each
time. The numbers depend on the pages alone. How much a pattern backtracks is not counted; every
pattern is linear by itself, see test_patterns.py.

Prints the kinds and views whose work more than doubles with the page, with the work at each size.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cached_property, partial
from pathlib import Path
from re import _compiler, _constants, _parser  # type: ignore[attr-defined]
from types import FrameType
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1] / "benchmarks"))

SIZES = (2_000, 4_000)
LARGER = 8_000
STEEP = 2.3
CHARACTERS = 50
"""Characters that count as one call."""

characters_read = 0


class CountingPattern:
    """A pattern of tamis that counts the characters it reads."""

    def __init__(self, pattern: re.Pattern[Any]) -> None:
        self._pattern = pattern
        self.longest = 0
        """Of the texts that it met."""

    def __getattr__(self, name: str) -> Any:
        return getattr(self._pattern, name)

    @cached_property
    def _beginning(self) -> re.Pattern[Any]:
        """As much of the pattern as there is: what it reads before it fails."""
        items: list[Any] = []
        parsed = _parser.parse(self.pattern, self.flags)
        for item in reversed(parsed):
            rest = [(_constants.MAX_REPEAT, (0, 1, items))] if items else []
            items = _parser.SubPattern(parsed.state, [item, *rest])
        whole = [(_constants.MAX_REPEAT, (0, 1, items))]
        made: re.Pattern[Any] = _compiler.compile(_parser.SubPattern(parsed.state, whole))
        return made

    def _count(self, string: Any, begin: int, end: int) -> None:
        global characters_read
        self.longest = max(self.longest, len(string) - begin)
        characters_read += max(0, end - begin)

    def _count_match(self, match: Any, string: Any, pos: int, endpos: int) -> None:
        end = match.end() if match else self._beginning.match(string, pos, endpos).end()
        self._count(string, pos, end)

    def search(self, string: Any, pos: int = 0, endpos: int = sys.maxsize) -> Any:
        match = self._pattern.search(string, pos, endpos)
        self._count(string, pos, match.end() if match else min(endpos, len(string)))
        return match

    def match(self, string: Any, pos: int = 0, endpos: int = sys.maxsize) -> Any:
        match = self._pattern.match(string, pos, endpos)
        self._count_match(match, string, pos, endpos)
        return match

    def fullmatch(self, string: Any, pos: int = 0, endpos: int = sys.maxsize) -> Any:
        match = self._pattern.fullmatch(string, pos, endpos)
        self._count_match(match, string, pos, endpos)
        return match

    def finditer(self, string: Any, pos: int = 0, endpos: int = sys.maxsize) -> Iterator[Any]:
        for match in self._pattern.finditer(string, pos, endpos):
            self._count(string, pos, match.end())
            pos = match.end()
            yield match
        self._count(string, pos, min(endpos, len(string)))

    def findall(self, string: Any, pos: int = 0, endpos: int = sys.maxsize) -> Any:
        self._count(string, pos, min(endpos, len(string)))
        return self._pattern.findall(string, pos, endpos)

    def sub(self, replacement: Any, string: Any, count: int = 0) -> Any:
        self._count(string, 0, len(string))
        return self._pattern.sub(replacement, string, count)

    def split(self, string: Any, maxsplit: int = 0) -> Any:
        self._count(string, 0, len(string))
        return self._pattern.split(string, maxsplit)


def compile_counting(pattern: Any, flags: int = 0) -> Any:
    """`re.compile` for modules of tamis."""
    compiled = re._compile(pattern, flags)  # type: ignore[attr-defined]
    asking = sys._getframe(1).f_globals["__name__"]
    return CountingPattern(compiled) if asking.startswith("tamis.") else compiled


re.compile = compile_counting  # type: ignore[assignment]

import numpy as np
from hostile_kinds import VIEWING
from hostile_shapes import COMPOSED
from views import VIEWS, fresh

import tamis

# Every second one of those that are composed; benchmarks/growth.py measures all of them.
KINDS = VIEWING | dict(list(COMPOSED.items())[::2])


def work_of(view: Callable[[], object]) -> int:
    """The work of a call."""
    global characters_read
    characters_read = work = 0

    def count(frame: FrameType, event: str, argument: object) -> None:
        nonlocal work
        if event in ("call", "c_call"):
            work += 1
            string = getattr(argument, "__self__", None)
            if isinstance(string, str | bytes):
                work += len(string) // CHARACTERS

    sys.setprofile(count)
    try:
        view()
    finally:
        sys.setprofile(None)
    return work + characters_read // CHARACTERS


def result_of(page: bytes) -> tamis.Result:
    """The result of a page of which everything is kept."""
    options = tamis.Options(max_depth=100_000, max_seconds=600)
    result = tamis.extract(page, url="https://example.org/a/b", options=options)
    everything = replace(result.decision, kept=np.ones(len(result.kept), bool))
    return fresh(result, decision=everything)


def view_work(result: tamis.Result, view: str) -> int:
    """The work of a view of which nothing is made yet."""
    asked = fresh(result)
    asked.__dict__["overview"] = 1.0  # so that it has items
    return work_of(partial(VIEWS[view], asked))


def steep_views(make: Callable[[int], bytes]) -> dict[str, list[int]]:
    """The views whose work more than doubles with the page.

    Twice: from some size on a page has something that a smaller one has not, a second chunk for
    example, and that is a step, not a slope.
    """
    small, middle = (result_of(make(size)) for size in SIZES)
    large = None
    steep = {}
    for view in VIEWS:
        works = [view_work(small, view), view_work(middle, view)]
        if works[1] > STEEP * works[0]:
            large = large or result_of(make(LARGER))
            works.append(view_work(large, view))
            if works[2] > STEEP * works[1]:
                steep[view] = works
    return steep


def main() -> None:
    """Print what is steep of a share of the kinds of page."""
    share, shares = int(sys.argv[1]), int(sys.argv[2])
    kinds = sys.argv[3:] or list(KINDS)[share::shares]
    steep_views(VIEWING["every mark"])  # loads what is loaded once
    answers = {kind: steep for kind in kinds if (steep := steep_views(KINDS[kind]))}
    print(json.dumps({"kinds": len(kinds), "views": list(VIEWS), "steep": answers}))


if __name__ == "__main__":
    main()
