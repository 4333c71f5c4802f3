r"""Whether a regular expression reads a text again and again: what backtracking costs at worst.

A pattern becomes an automaton. Python tries its ways through a text one after the other, so it
reads a text more than a fixed number of times only if a word can be repeated in two ways:

- a state is led back to itself in two ways by a word: each repetition doubles the work, `(a+)+b`;
- a word leads from one state to itself, from it to a second, and from that to itself: the work is
  quadratic, as of `\s*,?\s*;` in many spaces; with a third state it is cubic.

A search begins at every place: that is a state of its own, which any word leads back to itself. So
a search for `\s+$` is quadratic in many spaces, and one for `<\s*>` is not. Where a match may end
nothing is tried again. What a look-ahead assertion reads is a way that leads nowhere, and it fails
or not as if its characters were not known, but for assertions of one character. A repetition of at
most `MOST_COPIES` is a constant.
"""

from __future__ import annotations

import itertools
import math
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from re import _compiler, _constants, _parser  # type: ignore[attr-defined]
from typing import Any, TypeAlias

MOST_COPIES = 100
MOST_STATES = 4_000
ONE_CHARACTER = {_constants.LITERAL, _constants.NOT_LITERAL, _constants.IN, _constants.ANY}

Guard: TypeAlias = int
"""The number of an assertion about the characters before and after a place."""
Way: TypeAlias = tuple[int, frozenset[Guard]]
"""A state that is reached without reading a character, if the assertions hold."""
Place: TypeAlias = tuple[int, ...]
"""States that are looked at together, and the character before them."""

_SAMPLES = (
    "\0\t\n\r !aAbBeEnNsSzZkK_0159.,;:-<>/=\\\x7f\x85\xa0\xdf\xe9"
    "\u0130\u0131\u017f\u0301\u2028\u212a\u6f22\uffff"
)


class Automaton:
    """The states of a pattern: its nodes that read a character, and three more."""

    BEFORE, AFTER, NOWHERE = 0, 1, 2

    def __init__(self, pattern: re.Pattern[Any], is_searched: bool, may_fail_after: bool) -> None:
        text = pattern.pattern
        self._flags = pattern.flags & ~re.DEBUG
        self._parsed = _parser.parse(text, self._flags)
        self._is_bytes = isinstance(text, bytes)
        self._may_fail_after = may_fail_after
        self._free: list[list[tuple[int, Guard | None]]] = [[], [], []]
        self._read: dict[int, tuple[re.Pattern[Any], int]] = {}
        self._guards: list[Callable[[str, str], bool]] = []
        self.steps = cache(self._steps)
        self._groups: dict[int | None, Any] = {}
        self._ones: dict[object, re.Pattern[Any]] = {}
        self.seen_as: dict[str, str] = {}
        """For each letter one that is the same to all assertions about what is before a place."""
        begin = self._node()
        self._free[self.BEFORE].append((begin, None))
        self._free[self._sequence(self._parsed, begin, self._flags)].append((self.AFTER, None))
        self.letters = self._choose_letters()
        self._ways = {state: self._find_ways(end) for state, end in self._states().items()}
        self._ends = {
            state: [guards for end, guards in ways if end == self.AFTER]
            for state, ways in self._ways.items()
        }
        if is_searched:
            self._ways[self.BEFORE].append((self.BEFORE, frozenset()))

    # Building: each of these gives the node behind what it adds.

    def _node(self) -> int:
        self._free.append([])
        assert len(self._free) < MOST_STATES, "the pattern is too large"
        return len(self._free) - 1

    def _sequence(self, items: Iterable[Any], node: int, flags: int) -> int:
        for operator, argument in items:
            node = self._item(operator, argument, node, flags)
        return node

    def _item(self, operator: Any, argument: Any, node: int, flags: int) -> int:
        if operator in ONE_CHARACTER:
            end = self._node()
            self._read[node] = self._one_character((operator, argument), flags), end
            return end
        if operator is _constants.SUBPATTERN:
            number, added, removed, inner = argument
            self._groups[number] = inner
            return self._sequence(inner, node, (flags | added) & ~removed)
        if operator is _constants.BRANCH:
            return self._branch(argument[1], node, flags)
        if operator in (_constants.MAX_REPEAT, _constants.MIN_REPEAT):
            return self._repetition(*argument, node, flags)
        if operator is _constants.AT:
            return self._guarded(_holds_at(argument, flags, self._is_bytes), node)
        if operator in (_constants.ASSERT, _constants.ASSERT_NOT):
            return self._assertion(operator, argument, node, flags)
        if operator is _constants.GROUPREF:
            return self._sequence(self._groups[argument], node, flags)
        raise NotImplementedError(f"{operator} in a pattern")

    def _one_character(self, item: Any, flags: int) -> re.Pattern[Any]:
        key = repr(item), flags
        if key not in self._ones:
            alone = _parser.SubPattern(self._parsed.state, [item])
            self._ones[key] = _compiler.compile(alone, flags)
        return self._ones[key]

    def _branch(self, parts: Iterable[Any], node: int, flags: int) -> int:
        end = self._node()
        for part in parts:
            begin = self._node()
            self._free[node].append((begin, None))
            self._free[self._sequence(part, begin, flags)].append((end, None))
        return end

    def _repetition(self, least: int, most: Any, inner: Any, node: int, flags: int) -> int:
        is_endless = most is _constants.MAXREPEAT or most > MOST_COPIES
        for _ in range(min(least, 1 if is_endless else MOST_COPIES) - is_endless * (least > 0)):
            node = self._sequence(inner, node, flags)
        end = self._node()
        for _ in range(0 if is_endless else most - least):
            self._free[node].append((end, None))
            begin = self._node()
            self._free[node].append((begin, None))
            node = self._sequence(inner, begin, flags)
        if is_endless:
            begin = self._node()
            self._free[node].append((begin, None))
            if not least:
                self._free[node].append((end, None))
            node = self._sequence(inner, begin, flags)
            self._free[node].append((begin, None))
        self._free[node].append((end, None))
        return end

    def _assertion(self, operator: Any, argument: Any, node: int, flags: int) -> int:
        direction, inner = argument
        items = list(inner)
        if len(items) == 1 and items[0][0] in ONE_CHARACTER:
            reads = self._one_character(items[0], flags)
            wanted = operator is _constants.ASSERT
            return self._guarded(
                lambda before, after: (
                    wanted == self._reads(reads, after if direction > 0 else before)
                ),
                node,
            )
        if direction > 0:
            begin = self._node()
            self._free[node].append((begin, None))
            self._free[self._sequence(items, begin, flags)].append((self.NOWHERE, None))
        return node

    def _guarded(self, guard: Callable[[str, str], bool], node: int) -> int:
        end = self._node()
        self._free[node].append((end, len(self._guards)))
        self._guards.append(cache(guard))
        return end

    # Reading

    def _reads(self, one: re.Pattern[Any], letter: str) -> bool:
        if not letter:
            return False
        return one.fullmatch(letter.encode("latin-1") if self._is_bytes else letter) is not None

    def _choose_letters(self) -> list[str]:
        """One character of each kind that the pattern tells apart."""
        samples = {*_SAMPLES, *map(chr, _codes_in(self._parsed))}
        samples = {letter for letter in samples if not self._is_bytes or letter < "\u0100"}
        kinds: dict[object, str] = {}
        for letter in sorted(samples):
            read = tuple(self._reads(one, letter) for one in self._ones.values())
            is_word = letter.isalnum() or letter == "_"
            kinds.setdefault((read, letter == "\n", is_word, letter.isascii()), letter)
        by_one = {
            one: frozenset(letter for letter in kinds.values() if self._reads(one, letter))
            for one in self._ones.values()
        }
        seen: dict[object, str] = {}
        for letter in kinds.values():
            looks = tuple(
                guard(letter, next_) for guard in self._guards for next_ in kinds.values()
            )
            self.seen_as[letter] = seen.setdefault(looks, letter)
        self._readers = {node: by_one[one] for node, (one, _) in self._read.items()}
        return list(kinds.values())

    def _states(self) -> dict[int, int]:
        """For each state the node behind it."""
        ends = {node: end for node, (_, end) in self._read.items()}
        return ends | {self.BEFORE: self.BEFORE, self.AFTER: self.AFTER}

    def _find_ways(self, node: int) -> list[Way]:
        """Where reading may go on behind a node; the same way at most twice."""
        found: dict[Way, int] = defaultdict(int)
        path: set[int] = set()

        def follow(node: int, guards: frozenset[Guard]) -> None:
            if node in self._read or node == self.AFTER:
                found[node, guards] += 1
                return
            path.add(node)
            for after, guard in self._free[node]:
                if after not in path:
                    follow(after, guards if guard is None else guards | {guard})
            path.discard(node)

        if node != self.AFTER:
            follow(node, frozenset())
        return [way for way, times in found.items() for _ in range(min(times, 2))]

    def may_end(self, state: int, before: str, after: str) -> bool:
        """Whether a match may end behind a state, between two characters."""
        return not self._may_fail_after and any(
            self._hold(guards, before, after) for guards in self._ends.get(state, ())
        )

    def _hold(self, guards: Iterable[Guard], before: str, after: str) -> bool:
        return all(self._guards[guard](before, after) for guard in guards)

    def _steps(self, state: int, before: str, letter: str) -> tuple[int, ...]:
        """The states that read a letter behind a state, one for each way."""
        return tuple(
            after
            for after, guards in self._ways[state]
            if after == self.BEFORE or letter in self._readers.get(after, ())
            if self._hold(guards, before, letter)
        )

    def read_by(self, state: int) -> frozenset[str]:
        """The characters that a state reads."""
        return frozenset(self.letters) if state == self.BEFORE else self._readers[state]

    def seen_before(self, state: int) -> set[str]:
        """The characters that a state reads, as assertions see them."""
        return {self.seen_as[letter] for letter in self.read_by(state)}

    def states(self) -> list[int]:
        """All states that are read and read again."""
        return [self.BEFORE, *self._read]

    def follows(self, state: int) -> set[int]:
        """The states that may come right after one."""
        return {after for after, _ in self._ways[state] if after != self.AFTER}


def _holds_at(where: Any, flags: int, is_bytes: bool) -> Callable[[str, str], bool]:
    """An assertion such as `^` or `\\b`, of the characters on both sides of a place."""
    c = _constants
    ascii_only = is_bytes or bool(flags & re.ASCII)

    def is_word(letter: str) -> bool:
        return bool(re.fullmatch(r"\w", letter, re.ASCII if ascii_only else 0))

    if where in (c.AT_BOUNDARY, c.AT_NON_BOUNDARY):
        wanted = where is c.AT_BOUNDARY
        return lambda before, after: wanted == (is_word(before) != is_word(after))
    if where is c.AT_BEGINNING and flags & re.MULTILINE:
        return lambda before, after: before in ("", "\n")
    if where in (c.AT_BEGINNING, c.AT_BEGINNING_STRING):
        return lambda before, after: before == ""
    if where is c.AT_END and flags & re.MULTILINE:
        return lambda before, after: after in ("", "\n")
    return lambda before, after: after == ""


def _codes_in(parsed: Any) -> Iterator[int]:
    """The characters that a parsed pattern names, and their neighbours."""
    if isinstance(parsed, _parser.SubPattern | list | tuple):
        for part in parsed:
            yield from _codes_in(part)
    elif isinstance(parsed, int) and not isinstance(parsed, type(_constants.LITERAL)):
        yield from (code for code in (parsed - 1, parsed, parsed + 1) if 0 <= code < 0x110000)


def degree_of(pattern: re.Pattern[Any], is_searched: bool, may_fail_after: bool) -> float:
    """The power of the length of a text with which the work may grow: 1 if it is linear.

    `is_searched` says that a match may begin at every place, `may_fail_after` that it must end with
    the text, as of `fullmatch`.
    """
    automaton = Automaton(pattern, is_searched, may_fail_after)
    loops = _loops(automaton)
    if any(_returns_twice(automaton, loop) for loop in loops):
        return math.inf
    shared = {
        first: [
            second
            for second, other in enumerate(loops)
            if second != first and _is_shared(automaton, loop, other)
        ]
        for first, loop in enumerate(loops)
    }

    @cache
    def longest_chain(loop: int) -> int:
        return 1 + max(map(longest_chain, shared[loop]), default=0)

    return max(map(longest_chain, shared), default=1)


def _loops(automaton: Automaton) -> list[set[int]]:
    """States that lead to one another, and those that lead to themselves."""
    reached: dict[int, set[int]] = {}
    for state in automaton.states():
        seen: set[int] = set()
        open_ends = list(automaton.follows(state))
        while open_ends:
            after = open_ends.pop()
            if after not in seen:
                seen.add(after)
                open_ends += automaton.follows(after)
        reached[state] = seen
    groups: list[set[int]] = []
    for state, after in reached.items():
        if state in after and not any(state in group for group in groups):
            groups.append({other for other in after if state in reached[other]})
    return groups


def _returns_twice(automaton: Automaton, loop: set[int]) -> bool:
    """Whether a word leads from a state of a loop to itself in two ways."""
    letters = frozenset().union(*map(automaton.read_by, loop))

    def steps(place: Any) -> Iterator[Any]:
        one, other, is_apart, before = place
        for letter in letters:
            ones = list(enumerate(_stay(automaton, one, before, letter, loop)))
            others = ones
            if other != one:
                others = list(enumerate(_stay(automaton, other, before, letter, loop)))
            for (way, after), (other_way, other_after) in itertools.product(ones, others):
                is_split = is_apart or (one == other and way != other_way)
                yield after, other_after, is_split, automaton.seen_as[letter]

    begins = [
        (state, state, False, before) for state in loop for before in automaton.seen_before(state)
    ]
    # Most loops have no two ways that meet again, from wherever.
    ends = {(state, state, True, before) for state, _, _, before in begins}
    return _can_reach(begins, ends, steps) and any(
        _can_reach([begin], {(*begin[:2], True, begin[3])}, steps) for begin in begins
    )


def _is_shared(automaton: Automaton, first: set[int], second: set[int]) -> bool:
    """Whether a word leads from a state to itself, to one of another loop, and that to itself."""
    is_search = automaton.BEFORE in first
    letters = frozenset().union(*map(automaton.read_by, second))

    def steps(place: Any) -> Iterator[Any]:
        one, between, other, before = place
        for letter in letters:
            others = _stay(automaton, other, before, letter, second)
            # A search goes on behind a match; what else has passed a possible end has found it.
            if others and (is_search or not automaton.may_end(between, before, letter)):
                yield from itertools.product(
                    _stay(automaton, one, before, letter, first),
                    automaton.steps(between, before, letter),
                    others,
                    [automaton.seen_as[letter]],
                )

    return any(
        _can_reach([(one, one, other, before)], {(one, other, other, before)}, steps)
        for one, other in itertools.product(first, second)
        for before in automaton.seen_before(other)
    )


def _stay(
    automaton: Automaton, state: int, before: str, letter: str, loop: set[int]
) -> tuple[int, ...]:
    """The states of a loop that read a letter, unless the match may end before it."""
    if state != automaton.BEFORE and automaton.may_end(state, before, letter):
        return ()
    return tuple(after for after in automaton.steps(state, before, letter) if after in loop)


def _can_reach(begins: list[Any], goals: set[Any], steps: Callable[[Any], Iterable[Any]]) -> bool:
    """Whether steps lead from one of some places to one of others."""
    seen: set[Any] = set()
    waiting = list(begins)
    while waiting:
        for place in steps(waiting.pop()):
            if place in goals:
                return True
            if place not in seen:
                seen.add(place)
                waiting.append(place)
    return False
