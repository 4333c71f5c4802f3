"""Tags by line, inside and outside of the content: Figure 2 of Kim et al. 2013, for any page.

A line of the refined page has one tag or one text; tags that the page leaves out are supplied. A
tag is inside if the texts before and after it are both content.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from tamis.bench.charts import choose_colour, write_picture, write_text
from tamis.methods._base import Flags, Indexes
from tamis.page import tags
from tamis.page.table import Page

_MOST_TAGS = 40  # rows of the picture; a page has 20 to 40 kinds of tags
_LONGEST_NAME = 14


@dataclass(frozen=True, eq=False)
class TagLines:
    """The tags of a refined page."""

    node: Indexes
    """The element of each tag, in document order; most have two."""
    line: Indexes
    """The line that the tag is in, from 0."""
    inside: Flags
    """Whether the text before it and the one after are content."""
    text_line: Indexes
    """The line of each text."""

    @property
    def lines(self) -> int:
        return len(self.line) + len(self.text_line)


def tag_lines(page: Page, kept: Flags) -> TagLines:
    """The tags of a page with their lines; `kept` says of each block whether it is content."""
    nodes, texts = page.nodes, page.texts
    numbers = np.arange(len(nodes))
    closed = numbers[~np.isin(nodes.tag, _WITHOUT_END)]
    # At one offset first the ends, the innermost first, then the starts, then the text. What ends
    # where it starts comes to its end after the last start of its descendants.
    empty = nodes.close[closed] == nodes.start[closed]
    after = nodes.last[closed] + 0.5 - nodes.depth[closed] * 1e-6
    offset = np.concatenate((nodes.close[closed], nodes.start, texts.start))
    rank = np.concatenate((empty, np.full(len(nodes), 1), np.full(len(texts), 2)))
    order = np.concatenate((np.where(empty, after, -closed), numbers, np.zeros(len(texts))))
    sequence = np.lexsort((order, rank, offset))
    is_text = rank[sequence] == 2
    content = np.concatenate(([False], kept[texts.block], [False]))
    before = np.cumsum(is_text)  # texts up to each line
    line = np.flatnonzero(~is_text)
    node = np.concatenate((closed, numbers, np.zeros(len(texts), np.intp)))[sequence][line]
    inside = content[before[line]] & content[before[line] + 1]
    return TagLines(node, line, inside, np.flatnonzero(is_text))


def draw_tags(page: Page, kept: Flags) -> str:
    """An SVG picture: a row per tag, those that are mostly inside of the content at the top."""
    lined = tag_lines(page, kept)
    kinds = page.nodes.tag[lined.node]
    numbers, first, counts = np.unique(kinds, return_index=True, return_counts=True)
    share = np.bincount(kinds, lined.inside)[numbers] / counts
    shown = np.argsort(-counts, kind="stable")[:_MOST_TAGS]
    ranked = shown[np.lexsort((-counts[shown], -share[shown]))]
    last = max(lined.lines - 1, 1)
    rows = {}
    for place in ranked.tolist():
        own = kinds == numbers[place]
        name = page.tag_name(int(lined.node[first[place]]))[:_LONGEST_NAME]
        points = zip(
            (lined.line[own] / last).tolist(), _number_kinds(lined.inside[own]), strict=True
        )
        rows[name] = list(points)
    across = f"lines 1 to {lined.lines:,} of the refined page, one tag or one text in each"
    labels = ("tags inside of the content", "tags outside")
    return draw_dots(rows, _find_bands(lined, last), labels, across)


def _number_kinds(inside: Flags) -> list[int]:
    kinds: list[int] = np.where(inside, 0, 1).tolist()
    return kinds


def _find_bands(lined: TagLines, last: int) -> list[tuple[float, float]]:
    """The stretches of lines that are inside, from 0 to 1."""
    change = np.flatnonzero(np.diff(lined.inside, prepend=False, append=False))
    lines = np.append(lined.line, lined.line[-1:])
    return [
        (int(lines[begin]) / last, int(lines[end - 1]) / last)
        for begin, end in zip(change[::2].tolist(), change[1::2].tolist(), strict=True)
    ]


def draw_dots(
    rows: Mapping[str, Sequence[tuple[float, int]]],
    bands: Sequence[tuple[float, float]],
    labels: Sequence[str],
    across: str,
) -> str:
    """A row of dots per name, each at its place from 0 to 1 in one of the colours of `labels`.

    `bands` are shaded, from place to place; `across` says what the places are. A picture of its
    own; dots that would cover each other are drawn once.
    """
    row, left, wide = 16, 110, 900
    height = len(rows) * row
    parts = [
        f'<rect x="{left + start * wide:.1f}" y="24" width="{max((end - start) * wide, 1):.1f}"'
        f' height="{height}" fill="#0b6e4f" opacity="0.12"/>'
        for start, end in bands
    ]
    for number, (name, points) in enumerate(rows.items()):
        y = 24 + number * row + row / 2
        parts.append(write_text(left - 8, y + 4, name, "end"))
        parts += [
            f'<circle cx="{left + place}" cy="{y:.1f}" r="2" fill="{choose_colour(kind)}"/>'
            for place, kind in sorted({(round(at * wide), kind) for at, kind in points})
        ]
    for kind, label in enumerate(labels):
        x = left + kind * wide / max(len(labels), 1)
        parts.append(
            f'<circle cx="{x:.1f}" cy="{height + 40}" r="4" fill="{choose_colour(kind)}"/>'
            + write_text(x + 10, height + 44, label, "start")
        )
    parts.append(write_text(left, 16, across, "start"))
    return write_picture(left + wide + 20, height + 60, parts)


_WITHOUT_END = np.array(
    [number for number, kind in enumerate(tags.TRAITS) if kind & tags.VOID], np.intp
)
