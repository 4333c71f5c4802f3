"""Code in elements of lines, in a `pre` or without one, as editors and highlighters write it."""

from __future__ import annotations

import re
from functools import cache

from tamis.page import tags
from tamis.page.table import Page

_LINE = re.compile(
    r"(?:^|\s)(?:crayon-line|CodeMirror-line|cm-line|view-line|code-?line|react-file-line"
    r"|blob-code|line number\d+)(?:\s|$)"
)
_TABLE, _TBODY, _CELL, _ROW = (tags.ID[name] for name in ("table", "tbody", "td", "tr"))
_LEVELS = 6
_BEGIN_OF_LINE = re.compile(rb"</?(?:br|div|pre|td|tr|table|tbody|li|ol|ul|p)\b", re.IGNORECASE)
_NBSP = b"&nbsp;"
# Tags between the begin of a line and its first text, and the bytes of one.
_MOST_TAGS, _LONGEST_TAG = 20, 1000


def code_elements(page: Page, named: list[tuple[int, str]]) -> dict[int, set[int]]:
    """Elements whose children are lines of code, and texts beside them that number these."""
    nodes = page.nodes
    counts: dict[int, int] = {}
    is_line = cache(_LINE.search)
    for node, names in named:
        first = int(nodes.first_text[node])
        if not is_line(names) or first == nodes.end_text[node]:
            continue
        if page.texts.chars[first] == page.texts.digits[first]:
            continue  # the number of a line
        above = int(nodes.parent[node])
        if nodes.tag[node] == _CELL:
            above = int(nodes.parent[above])
        if above >= 0 and nodes.tag[above] == _TBODY:
            above = int(nodes.parent[above])
        if above >= 0:
            counts[above] = counts.get(above, 0) + 1
    return {node: _numbers(page, node) for node, count in counts.items() if count > 1}


def _numbers(page: Page, node: int) -> set[int]:
    """Texts in the same table before the code that are only digits."""
    nodes, texts = page.nodes, page.texts
    table = node
    for _ in range(_LEVELS):
        if table < 0 or nodes.tag[table] == _TABLE:
            break
        table = int(nodes.parent[table])
    if table < 0 or nodes.tag[table] != _TABLE:
        return set()
    before = range(int(nodes.first_text[table]), int(nodes.first_text[node]))
    inside = range(int(nodes.first_text[node]), int(nodes.end_text[node])) if table == node else ()
    return {text for text in (*before, *inside) if texts.chars[text] == texts.digits[text]}


def add_indent(page: Page, code: str, text: int, before: int, now: int) -> str:
    """Code that begins a block, with the white space and the empty lines before it.

    `before` and `now` are the elements of its line and of the one before; -1 if there is none.
    """
    empty = _empty_lines(page, before, now) if before >= 0 else 0
    white = _indentation(page.source, int(page.texts.start[text]))
    if not empty and not white:
        return code
    line = code.lstrip("\n")
    return code[: len(code) - len(line)] + "\n" * empty + white + line


def _indentation(source: bytes, place: int) -> str:
    """The white space between the begin of a line and a place in it, without the tags between."""
    white = ""
    for _ in range(_MOST_TAGS):
        begin = place
        while place > 0 and source[place - 1] in b" \t":
            place -= 1
        white = source[place:begin].decode() + white
        while source[max(0, place - len(_NBSP)) : place] == _NBSP:
            place -= len(_NBSP)
            white = " " + white
        if place < 1 or source[place - 1 : place] != b">":
            break
        place = source.rfind(b"<", max(0, place - _LONGEST_TAG), place)
        if place < 0 or _BEGIN_OF_LINE.match(source, place):
            break
    return white


def _empty_lines(page: Page, before: int, now: int) -> int:
    """How many elements of lines without text are between two."""
    nodes = page.nodes
    above: list[int] = []
    while before >= 0 and len(above) < _LEVELS:
        above.append(before)
        before = int(nodes.parent[before])
    for _ in range(_LEVELS):
        if now < 0 or int(nodes.parent[now]) in above:
            break
        now = int(nodes.parent[now])
    if now < 0 or int(nodes.parent[now]) not in above[1:]:
        return 0
    sibling = int(nodes.last[above[above.index(int(nodes.parent[now])) - 1]]) + 1
    empty = 0
    while sibling < now:
        empty += bool(nodes.tag[sibling] == nodes.tag[now])
        sibling = int(nodes.last[sibling]) + 1
    return empty
