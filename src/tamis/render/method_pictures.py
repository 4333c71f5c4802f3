"""What a method sees, as pictures: the document slope curve of `bte`, the tree of a site.

SVG without a script, a font or an address: what a hostile page says is text, or left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from html import escape
from typing import Final

import numpy as np

from tamis.methods._shared.verdicts import count_things
from tamis.methods.bte import Bte, list_runs, slope_curve
from tamis.methods.site.site_style_tree import SiteStyleTree, StyleTree
from tamis.page import tags
from tamis.page.table import Page

MOST_ROWS: Final = 200
"""Elements of a style tree that are drawn."""

_LETTERS = 120
_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_STYLE = (
    "text{font:12px system-ui,sans-serif;fill:#222}.small{font-size:10px;fill:#555}"
    ".axis{fill:none;stroke:#999}.curve{fill:none;stroke:#999;stroke-width:1.5}"
    ".kept{fill:none;stroke:#1f5fa8;stroke-width:4}.band{fill:#1f5fa8;fill-opacity:.08}"
    ".branch{fill:none;stroke:#bbb}.style{fill:none;stroke:#bbb;stroke-dasharray:3 3}"
    ".content{fill:#cfe0f3}.noise{fill:#f6dfc4}"
)
# Noise is orange and content blue, which people who do not see red or green can distinguish.


def _draw_svg(width: int, height: int, title: str, parts: Sequence[str]) -> str:
    name = escape(_NOT_XML.sub(" ", title)[:_LETTERS])
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}"'
        f' height="{height}" role="img"><title>{name}</title><style>{_STYLE}</style>'
        f'<rect width="{width}" height="{height}" fill="#fff"/>{"".join(parts)}</svg>\n'
    )


def _draw_text(x: float, y: float, text: str, kind: str = "") -> str:
    name = f' class="{kind}"' if kind else ""
    return f'<text x="{x:.0f}" y="{y:.0f}"{name}>{escape(_NOT_XML.sub(" ", text))}</text>'


# The document slope curve

_WIDTH, _HEIGHT, _MARGIN = 800, 480, 50


def draw_slope(page: Page, method: Bte, title: str) -> str:
    """Draw the curve of tags over tokens, with the runs that the method keeps in bold."""
    _, tags_before, words = list_runs(page)
    tokens, curve = slope_curve(tags_before, words)
    inside = method.find_content(tags_before, words)
    most_tokens, most_tags = max(float(tokens[-1]), 1.0), max(float(curve[-1]), 1.0)
    x = _MARGIN + tokens / most_tokens * (_WIDTH - 2 * _MARGIN)
    y = _HEIGHT - _MARGIN - curve / most_tags * (_HEIGHT - 2 * _MARGIN)
    points = " ".join(f"{a:.1f},{b:.1f}" for a, b in zip(x, y, strict=True))
    bottom = _HEIGHT - _MARGIN
    parts = [
        _draw_text(_MARGIN, 28, title[:_LETTERS]),
        f'<path class="axis" d="M{_MARGIN} {_MARGIN}V{bottom}H{_WIDTH - _MARGIN}"/>',
        _draw_text(_MARGIN, bottom + 30, "tokens, tags and words, 0", "small"),
        _draw_text(_WIDTH - _MARGIN - 40, bottom + 30, f"{most_tokens:,.0f}", "small"),
        _draw_text(4, _MARGIN - 8, f"{most_tags:,.0f} tags", "small"),
    ]
    for first, last in _find_segments(inside):
        left, right = x[1 + 2 * first], x[2 + 2 * last]
        height = bottom - _MARGIN
        parts.append(
            f'<rect class="band" x="{left:.1f}" y="{_MARGIN}" width="{max(right - left, 1):.1f}"'
            f' height="{height}"/>'
        )
    parts.append(f'<polyline class="curve" points="{points}"/>')
    for first, last in _find_segments(inside):
        part = slice(1 + 2 * first, 3 + 2 * last)
        kept = " ".join(f"{a:.1f},{b:.1f}" for a, b in zip(x[part], y[part], strict=True))
        parts.append(f'<polyline class="kept" points="{kept}"/>')
    inner = float(words[inside].sum())
    about = f"bte, {method.variant}: {inner:,.0f} of {float(words.sum()):,.0f} words in bold"
    parts.append(_draw_text(_MARGIN, 44, about, "small"))
    return _draw_svg(_WIDTH, _HEIGHT, f"Document slope curve: {title}", parts)


def _find_segments(inside: np.ndarray[tuple[int], np.dtype[np.bool_]]) -> Iterator[tuple[int, int]]:
    """First and last of the runs that follow each other."""
    edges = np.flatnonzero(np.diff(np.concatenate(([False], inside, [False])).astype(np.int8)))
    yield from ((int(first), int(end) - 1) for first, end in edges.reshape(-1, 2))


# The style tree

_ROW, _STEP, _BOX = 22, 18, 64


def draw_style_tree(method: SiteStyleTree, title: str) -> str:
    """The merged tree, an element per row: its tag, its pages, its importance.

    Where an element has several styles its children stand below the style they are in, the most
    frequent first. Of very large trees the most frequent part is drawn.
    """
    tree: StyleTree = method.known
    rows = list(_list_rows(tree))
    shown = rows[:MOST_ROWS]
    parts = [
        _draw_text(16, 24, title[:_LETTERS]),
        _draw_text(
            16,
            40,
            f"{tree.page_count:,} pages, {len(tree.places):,} elements; blue: importance of at"
            f" least {method.threshold:g}, content; orange: noise",
            "small",
        ),
    ]
    for number, (place, depth, style) in enumerate(shown):
        x, y = 16 + _STEP * depth, 56 + _ROW * number
        if place is None:
            parts.append(_draw_text(x, y + 14, style, "small"))
            continue
        kind = "content" if tree.importance[place] >= method.threshold else "noise"
        tag = int(tree.tag[place])
        name = tags.NAMES[tag] if tag < len(tags.NAMES) else "other"
        importance = max(0.0, float(tree.importance[place]))  # rounding may leave it below
        about = f"{count_things(int(tree.pages[place]), 'page')}, importance {importance:.2f}"
        parts += [
            f'<path class="branch" d="M{x - _STEP / 2:.0f} {y + 9}H{x}"/>',
            f'<rect class="{kind}" x="{x}" y="{y}" width="{_BOX}" height="18" rx="3"/>',
            _draw_text(x + 6, y + 13, name),
            _draw_text(x + _BOX + 8, y + 13, about, "small"),
        ]
    height = 72 + _ROW * len(shown)
    left_out = len(rows) - len(shown)
    if left_out:
        parts.append(_draw_text(16, height + 6, f"{left_out:,} more rows are left out", "small"))
        height += 20
    width = 320 + _STEP * max((depth for _, depth, _ in shown), default=0)
    return _draw_svg(max(width, 560), height, f"Site style tree: {title}", parts)


def _list_rows(tree: StyleTree) -> Iterator[tuple[int | None, int, str]]:
    """Elements, and styles where an element has several, each with its depth, in order."""
    if not len(tree.places):
        return
    root = np.flatnonzero(tree.parent == np.arange(len(tree.parent)))
    below = np.setdiff1d(np.arange(len(tree.parent)), root)
    keys = tree.number[below], tree.style[below], -tree.style_pages[below], tree.parent[below]
    order = below[np.lexsort(keys)]
    first = np.searchsorted(tree.parent[order], np.arange(len(tree.parent) + 1))
    stack: list[tuple[int | None, int, str]] = [(int(place), 0, "") for place in root]
    while stack:
        place, depth, style = stack.pop()
        yield place, depth, style
        if place is None:
            continue
        children = order[first[place] : first[place + 1]].tolist()
        several = len({int(tree.style[child]) for child in children}) > 1
        below_it: list[tuple[int | None, int, str]] = []
        known: set[int] = set()
        for child in children:
            if several and (key := int(tree.style[child])) not in known:
                known.add(key)
                pages = f"style {len(known)}: {tree.style_pages[child]:,} of"
                below_it.append((None, depth + 1, f"{pages} {tree.pages[place]:,} pages"))
            below_it.append((child, depth + 1 + several, ""))
        stack += reversed(below_it)
