# cython: annotation_typing=False, boundscheck=False
"""What elements are by their class names: a footnote, a line of code, a callout of some kind."""

from __future__ import annotations

import re

import numpy as np
import numpy.typing as npt

from tamis._runtime import limits
from tamis.page import tags
from tamis.page.arrays import Flags, Ints
from tamis.page.table import Page

CLASS = tags.ATTRIBUTE_ID["class"]

NAME_LETTERS = {
    "note": "note tdef tref tnum fna-",
    "callout": 'note call dmon lert tom- hint noti info warn caut impo dang exam ques tip" tip\xa0',
    "heading link": "dits derl r-an rmal hash r-li",
    "line": "n-li m-li r-li lob- e\xa0nu",
    "torn": "note tdef call dmon lert de--",
}
"""Four letters of each class name by which elements are known: footnote, admonition, headerlink,
crayon-line ... A space in them is one without a break here."""
SIZE = 4


def _number_letters() -> tuple[npt.NDArray[np.int32], dict[str, int]]:
    """For each of the four places and each byte, which letters have it there, as bits.

    And the bits of each kind of name.
    """
    letters = sorted({word for words in NAME_LETTERS.values() for word in words.split(" ")})
    places = np.zeros((SIZE, 256), np.int32)
    for number, word in enumerate(letters):
        for place, letter in enumerate(word.replace("\xa0", " ")):
            for byte in (letter, letter.upper()):
                places[place, ord(byte)] |= 1 << number
    kinds = {
        kind: sum(1 << letters.index(word) for word in words.split(" "))
        for kind, words in NAME_LETTERS.items()
    }
    return places, kinds


LETTERS, KIND_BITS = _number_letters()
TORN = KIND_BITS.pop("torn")
CLOSE = 4
"""Levels above a dropped block on which the name of a torn structure is looked for."""
_ABOVE = 6
"""Levels above a block that may name what it is part of."""


def find_named(page: Page, texts: Ints) -> dict[str, list[tuple[int, str]]]:
    """The elements around some texts whose class may say what they are, by what they may be."""
    found: dict[str, list[tuple[int, str]]] = {kind: [] for kind in KIND_BITS}
    if not len(texts):
        return found
    # The elements around these texts; few of those above the first are more than the page.
    first = int(page.texts.node[texts[0]])
    for _ in range(_ABOVE):
        first = max(0, int(page.nodes.parent[first]))
    last = int(page.texts.node[texts[len(texts) - 1]])
    for node, bits in find_letters(page, first, last):
        names = page.attribute(node, "class") or ""
        for kind, own in KIND_BITS.items():
            if bits & own:
                found[kind].append((node, names))
    return found


def find_letters(page: Page, first: int, last: int) -> list[tuple[int, int]]:
    """The elements from `first` to `last` whose class has letters of `NAME_LETTERS`, and which.

    The bits of a kind of name are in `KIND_BITS`.
    """
    source, rows, firsts = page.source, page.attribute_rows, page.nodes.attributes.data
    names, starts, ends = rows[0].data, rows[1].data, rows[2].data
    letters = LETTERS.data
    nodes = []
    node = first
    stop = firsts[last + 1] if last + 1 < len(firsts) else len(names)
    for row in range(firsts[first] if len(firsts) else 0, stop):
        # With the quote after it, which says that a name ends there.
        end = min(ends[row] + 1, len(source))
        if names[row] == CLASS and (bits := read_letters(source, letters, starts[row], end)):
            while node + 1 < len(firsts) and firsts[node + 1] <= row:
                node += 1
            nodes.append((node, bits))
    return nodes


def read_letters(source: bytes, letters: memoryview, start: int, end: int) -> int:
    bits = 0
    for place in range(start, end - SIZE + 1):
        here = letters[0, source[place]]
        if here:
            here &= letters[1, source[place + 1]] & letters[2, source[place + 2]]
            if here:
                bits |= here & letters[3, source[place + 3]]
    return bits


def may_be_torn(page: Page, kept: Flags) -> bool:
    """Whether a dropped block next to a kept one is in an element that may be a note or callout."""
    nodes, source, rows = page.nodes, page.source, page.attribute_rows
    names, starts, ends = rows[0].data, rows[1].data, rows[2].data
    firsts, parents, around = nodes.attributes.data, nodes.parent.data, page.blocks.node.data
    wanted, letters, torn = kept.view(np.uint8).data, LETTERS.data, TORN
    # A long class around thousands of blocks is read once.
    was_read = np.zeros(len(parents), np.uint8).data
    last = len(wanted) - 1
    for block in range(len(wanted)):
        if wanted[block] or not (
            (block > 0 and wanted[block - 1]) or (block < last and wanted[block + 1])
        ):
            continue
        node = around[block]
        for _ in range(CLOSE):
            if node < 0:
                break
            end = firsts[node + 1] if node + 1 < len(firsts) else len(names)
            for row in range(firsts[node], end):
                if (
                    names[row] == CLASS
                    and not was_read[node]
                    and read_letters(source, letters, starts[row], ends[row]) & torn
                ):
                    return True
            was_read[node] = True
            node = parents[node]
    return False


KINDS = frozenset(
    "note info tip hint important warning caution danger error success attention seealso todo"
    " example quote question faq bug abstract summary tldr failure check done help warn"
    " information critical deprecated primary secondary default neutral".split()
)
"""What class names call the kinds of callouts."""
_COLOURS = frozenset(("primary", "secondary", "default", "neutral"))
SAME = {"warn": "warning", "information": "info"} | dict.fromkeys(_COLOURS, "note")
"""Other names of the same kind."""
_KIND = "|".join(sorted(KINDS, key=len, reverse=True))
# What boxes are called; with a kind after it, or as another name of the same element.
_BASE = (
    "markdown-alert|alert|admonish|callout|admonitionblock|admonition|custom-block|hint|notice|notecard"
    "|starlight-aside|information-macro|message|panel|infobox|flash"
)
_TYPED = re.compile(
    rf"(?:[a-z]+[-_])*?(?:{_BASE})[-_]{{1,2}}(?:is-|type-)?(?P<after>{_KIND})"
    rf"|(?P<before>{_KIND})[-_](?:{_BASE}|box|block)"
)
_IS_BASE = re.compile(rf"(?:[a-z]+-)?(?:{_BASE}|callout-card|blockindicator)")
_NAMES_KIND = re.compile(rf"(?:is-|type-)?(?P<kind>{_KIND})")
# Boxes even if nothing says of which kind.
_UNTYPED = frozenset("admonition theme-admonition notecard".split())
# Kinds that are enough as the only name of an element.
_ALONE = frozenset("note tip warning caution important danger".split())
_BOXES = frozenset(tags.find_ids("div aside section p blockquote details figure article dl"))
_DETAILS, _FIGURE = tags.find_ids("details figure")
# Characters of a class that are read.
_LONGEST = 300


def find_callouts(page: Page, named: list[tuple[int, str]]) -> dict[int, str]:
    kinds: dict[tuple[str, bool], str] = {}
    boxes = {}
    for node, names in limits.check_each(named):
        tag = int(page.nodes.tag[node])
        if tag in _BOXES:
            key = names, tag == _DETAILS
            if key not in kinds:
                kinds[key] = _find_kind(names[:_LONGEST].lower().split(), tag == _DETAILS)
            kind = kinds[key]
            if kind or _is_untyped(page, node, names):
                boxes[node] = kind
    return boxes


def _is_untyped(page: Page, node: int, names: str) -> bool:
    """Whether an element is a callout of no kind: others that are called so only stand out."""
    own = names.split()
    if "kg-callout-card" in own:
        return True
    is_callout = "callout" in own
    return is_callout and (
        page.nodes.tag[node] == _FIGURE or "data-callout" in page.attributes(node)
    )


def _find_kind(names: list[str], folds: bool) -> str:
    """The kind of callout that class names speak of, empty if they do not."""
    if folds and any(name.startswith("details") for name in names):
        return ""
    typed = [match["after"] or match["before"] for match in map(_TYPED.fullmatch, names) if match]
    if typed:
        # Of two the one that does not speak of colours alone.
        return next((SAME.get(kind, kind) for kind in typed if kind not in _COLOURS), "note")
    kinds = [match["kind"] for match in map(_NAMES_KIND.fullmatch, names) if match]
    is_box = any(_IS_BASE.fullmatch(name) for name in names) or (folds and bool(kinds))
    if is_box and kinds:
        return SAME.get(kinds[0], kinds[0])
    if len(names) == 1 and names[0] in _ALONE:
        return names[0]
    return "note" if any(name in _UNTYPED for name in names) else ""
