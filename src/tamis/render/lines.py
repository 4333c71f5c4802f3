"""Code that is not in a `pre`: elements of lines, as editors and old highlighters write them."""

from __future__ import annotations

import re

from tamis.page import tags
from tamis.page.table import Page

_LINE = re.compile(
    r"(?:^|\s)(?:crayon-line|CodeMirror-line|cm-line|view-line|code-?line|react-file-line"
    r"|blob-code|line number\d+)(?:\s|$)"
)
_TABLE, _TBODY, _CELL, _ROW = (tags.ID[name] for name in ("table", "tbody", "td", "tr"))
_LEVELS = 6


def code_elements(page: Page, named: list[tuple[int, str]]) -> dict[int, set[int]]:
    """Elements whose children are lines of code, and texts beside them that number these."""
    nodes = page.nodes
    counts: dict[int, int] = {}
    for node, names in named:
        first = int(nodes.first_text[node])
        if not _LINE.search(names) or first == nodes.end_text[node]:
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
