"""Counts the work of the views of hostile pages; test_growth.py runs it in a process of its own.

    python tests/count_work.py 0 6                 the first sixth of all kinds of page
    python tests/count_work.py 0 1 "deep div"      these kinds
    python tests/count_work.py quadratic           views that are quadratic

Work is the number of calls, and the number of characters: of strings whose methods are called, of
the output, and of what is read of the source and by regular expressions. A long string counts each
time that it is read. The numbers depend on the pages alone. How much a pattern backtracks is not
counted; every pattern is linear by itself, see test_patterns.py.

Prints the kinds and views whose work more than doubles with the page, with the work at each size,
and the patterns of capped_patterns.py that met longer texts than they may.
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
from typing import Any, NamedTuple

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "benchmarks")]

SIZES = (1_000, 2_000, 4_000)
STEEP = 2.3
SHORT = {"startswith", "endswith"}
"""Methods that read a part of a string."""
SEARCHING = {"find", "rfind"}
"""Methods that the source counts itself."""
BOUNDED = {"long base", "base of steps up"}
"""Kinds of page whose long part matters up to 2,000 characters: small ones would be all of that."""
FEW = 1_000
"""Calls or characters that are not judged."""

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
        characters_read += end - begin
        if len(string) - begin > self.longest:
            self.longest = len(string) - begin

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


if __name__ == "__main__":  # pytest, too, imports this file, to look for examples in it
    re.compile = compile_counting  # type: ignore[assignment]

# All that is imported below sees the other `re.compile`.
import numpy as np  # noqa: E402
from hostile_kinds import VIEWING  # noqa: E402
from hostile_shapes import COMPOSED  # noqa: E402
from views import VIEWS, fresh  # noqa: E402

import tamis  # noqa: E402
from tamis.page import table  # noqa: E402
from tamis.page.scan import lexer as lex  # noqa: E402
from tamis.page.text import strings  # noqa: E402
from tamis.page.text.references import Reference  # noqa: E402
from tamis.render import escapes  # noqa: E402
from tests.capped_patterns import CAPPED  # noqa: E402

KINDS = VIEWING | COMPOSED
# Every twelfth one of those that are composed; benchmarks/growth.py measures all of them.
COUNTED = [*VIEWING, *list(COMPOSED)[::12]]
VIEWS = VIEWS | {
    # So short that a small page has many.
    "chunks": lambda result: result.chunks(max_tokens=100),
    # Without the XPaths, each as long as its block is deep: `max_depth` limits them.
    "blocks": lambda result: [block.text for block in result.blocks],
}
QUADRATIC: dict[str, Callable[[tamis.Result], object]] = {
    "calls": lambda result: [len("") for _ in range(len(result.page.source) ** 2 // 5000)],
    "methods": lambda result: [result.text.count("x") for _ in result.text],
    "patterns": lambda result: [escapes._CONTROL.search(result.text) for _ in result.text],
    "source": lambda result: [
        result.page.source[place:] == b"" for place in range(len(result.text))
    ],
    "output": lambda result: "x" * (len(result.page.source) ** 2 // 1000),
}
"""Views that are what no view may be."""


class CountingSource(bytes):
    """The source of a page, whose bytes count when they are read."""

    def __getitem__(self, place: Any) -> Any:
        global characters_read
        read = super().__getitem__(place)
        characters_read += 1 if isinstance(read, int) else len(read)
        return read

    def find(self, part: Any, begin: Any = 0, end: Any = None) -> int:
        global characters_read
        found = super().find(part, begin, end)
        characters_read += (found if found >= 0 else len(self) if end is None else end) - begin
        return found

    def rfind(self, part: Any, begin: Any = 0, end: Any = None) -> int:
        global characters_read
        found = super().rfind(part, begin, end)
        characters_read += (len(self) if end is None else end) - max(found, begin)
        return found


def read_attributes(source: bytes, start: int) -> Any:
    """As that of the compiled lexer, which takes nothing but `bytes`."""
    global characters_read
    pairs, end = lex.read_attributes(bytes(source), start)
    characters_read += end - start
    return pairs, end


class CountingReference:
    """A compiled `Reference` for the source of a page."""

    def __init__(self) -> None:
        self._reference = Reference()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._reference, name)

    def read(self, source: bytes, place: int, end: int) -> int:
        global characters_read
        after = self._reference.read(bytes(source), place, end)
        characters_read += after - place
        return after


table.read_attributes = read_attributes
strings.Reference = CountingReference  # type: ignore[misc, assignment]


class Work(NamedTuple):
    """What a call costs. Each is judged alone, as a little of the one is much of the other."""

    calls: int
    characters: int


def work_of(view: Callable[[], object]) -> Work:
    """The work of a call."""
    global characters_read
    characters_read = calls = characters = 0

    def count(frame: FrameType, event: str, argument: object) -> None:
        nonlocal calls, characters
        if event == "c_call":
            calls += 1
            string, name = argument.__self__, argument.__name__  # type: ignore[attr-defined]
            is_source = isinstance(string, CountingSource)
            if isinstance(string, str | bytes) and name not in SHORT:
                characters += 0 if is_source and name in SEARCHING else len(string)
        elif event == "call":
            calls += 1

    sys.setprofile(count)
    try:
        output = view()
    finally:
        sys.setprofile(None)
    return Work(calls, characters + characters_read + len(repr(output)))


def result_of(page: bytes) -> tamis.Result:
    """The result of a page of which everything is kept."""
    options = tamis.Options(max_depth=100_000, max_seconds=600)
    result = tamis.extract(page, url="https://example.org/a/b", options=options)
    everything = replace(result.decision, kept=np.ones(len(result.kept), bool))
    result = fresh(result, decision=everything)
    object.__setattr__(result.page, "source", CountingSource(result.page.source))
    return result


def view_works(result: tamis.Result) -> dict[str, Work]:
    """The work of each view; what one has made is there for the next."""
    result.__dict__["overview"] = 1.0  # so that it has items
    return {view: work_of(partial(make, result)) for view, make in VIEWS.items()}


def is_more(once: int, twice: int) -> bool:
    """Whether work more than doubles."""
    return twice > max(STEEP * once, FEW)


def steep_views(kind: str) -> dict[str, list[Work]]:
    """The views of which the calls or the characters more than double with the page, and again.

    From some size on a page has something that a smaller one has not, a second chunk for example,
    and that is a step, not a slope. So what is added must more than double, too.
    """
    sizes = [8 * size for size in SIZES] if kind in BOUNDED else SIZES
    small, middle = made = [view_works(result_of(KINDS[kind](size))) for size in sizes[:2]]
    if not any(any(map(is_more, small[view], middle[view])) for view in VIEWS):
        return {}
    made.append(view_works(result_of(KINDS[kind](sizes[2]))))
    works = {view: [work[view] for work in made] for view in VIEWS}
    return {view: list(three) for view, three in works.items() if any(map(is_steep, *three))}


def is_steep(once: int, twice: int, four_times: int) -> bool:
    """Whether work grows faster than the page."""
    added = twice - once, four_times - twice
    return is_more(once, twice) and is_more(twice, four_times) and is_more(*added)


def too_long() -> dict[str, int]:
    """The patterns with a limit that met longer texts, and how long these were."""
    found: dict[str, int] = {}
    for name, (longest, _) in CAPPED.items():
        module, _, own_name = name.rpartition(".")
        value = getattr(sys.modules.get(module), own_name, None)
        patterns = (
            [value] if isinstance(value, CountingPattern) else [each[0] for each in value or ()]
        )
        met = max((pattern.longest for pattern in patterns), default=0)
        if met > longest:
            found[name] = met
    return found


def main() -> None:
    """Print what is steep of a share of the kinds of page."""
    if sys.argv[1:] == ["quadratic"]:
        VIEWS.clear()
        VIEWS.update(QUADRATIC)
        kinds = ["rules"]
    else:
        share, shares = int(sys.argv[1]), int(sys.argv[2])
        kinds = sys.argv[3:] or COUNTED[share::shares]
    steep_views("every mark")  # loads what is loaded once
    answers = {kind: steep for kind in kinds if (steep := steep_views(kind))}
    answer = {"kinds": len(kinds), "views": list(VIEWS), "steep": answers, "too_long": too_long()}
    print(json.dumps(answer))


if __name__ == "__main__":
    main()
