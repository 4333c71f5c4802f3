"""Small charts as SVG, written by hand so that a report needs no library and no network.

One shows the tags of a page by line, inside and outside of the content: Figure 2 of Kim et al.
2013, for any page. A line of the refined page has one tag or one text; tags that the page leaves
out are supplied. A tag is inside if the texts before and after it are both content.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape

import numpy as np

from tamis.methods._base import Flags, Indexes
from tamis.page import tags
from tamis.page.table import Page

COLOURS = (
    "#0b6e4f #c8553d #3d5a80 #e09f3e #7b2d8b #4a7c59"
    " #9c6644 #2a9d8f #b5179e #6c757d #d62828 #003049"
).split()
_WIDTH, _HEIGHT, _MARGIN = 640, 380, 48
_LINE, _NEAR = 13, 120  # height of a name, and about its width: names must not cover each other


def choose_colour(index: int) -> str:
    """The colour of a contestant by its place in the tables."""
    return COLOURS[index % len(COLOURS)]


def draw_scatter(
    points: Mapping[str, tuple[float, float]],
    labels: tuple[str, str],
    *,
    logarithmic: bool = False,
) -> str:
    """One point per contestant, named beside it. `logarithmic` is about the horizontal axis."""
    if logarithmic:
        points = {name: (math.log10(max(x, 1e-3)), y) for name, (x, y) in points.items()}
    left, right = _widen_span([x for x, _ in points.values()])
    low, high = _widen_span([y for _, y in points.values()])

    def place(x: float, y: float) -> tuple[float, float]:
        return (
            _MARGIN + (x - left) / (right - left) * (_WIDTH - 2 * _MARGIN),
            _HEIGHT - _MARGIN - (y - low) / (high - low) * (_HEIGHT - 2 * _MARGIN),
        )

    parts = [_draw_frame(labels)]
    names: list[tuple[float, float]] = []
    for tick in _place_ticks(left, right):
        x, _ = place(tick, low)
        shown = f"{10**tick:.3g}" if logarithmic else f"{tick:.2f}"
        parts.append(write_text(x, _HEIGHT - _MARGIN + 16, shown, "middle"))
    for tick in _place_ticks(low, high):
        _, y = place(left, tick)
        parts.append(
            f'<line class="grid" x1="{_MARGIN}" x2="{_WIDTH - _MARGIN}" y1="{y:.1f}" y2="{y:.1f}"/>'
        )
        parts.append(write_text(_MARGIN - 6, y + 4, f"{tick:.2f}", "end"))
    for index, (name, point) in enumerate(points.items()):
        x, y = place(*point)
        parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="5" fill="{choose_colour(index)}"/>')
        beyond = x > _WIDTH * 0.75
        while any(abs(y - down) < _LINE and abs(x - across) < _NEAR for across, down in names):
            y += _LINE
        names.append((x, y))
        # In the colour of its point, from which a crowd may have pushed it away.
        side, anchor = (x - 8, "end") if beyond else (x + 8, "start")
        parts.append(write_text(side, y + 4, name, anchor, choose_colour(index)))
    return _write_svg(_WIDTH, _HEIGHT, parts)


def draw_histograms(values: Mapping[str, Sequence[float]]) -> str:
    """One row of bars per contestant: how many pages have which F1."""
    row, left, bins = 46, 190, 20
    parts = []
    step = (_WIDTH - left - 16) / bins
    for index, (name, scores) in enumerate(values.items()):
        counts = [0] * bins
        for score in scores:
            counts[min(bins - 1, int(score * bins))] += 1
        most, base = max([*counts, 1]), (index + 1) * row
        parts.append(write_text(left - 8, base - 6, name, "end"))
        for place, count in enumerate(counts):
            height = (row - 10) * count / most
            title = (
                f"{count} of {len(scores)} pages, F1 {place / bins:.2f} to {(place + 1) / bins:.2f}"
            )
            parts.append(
                f'<rect x="{left + place * step:.1f}" y="{base - height:.1f}"'
                f' width="{step - 1:.1f}" height="{height:.1f}" fill="{choose_colour(index)}">'
                f"<title>{title}</title></rect>"
            )
    end = len(values) * row + 18
    for tick in (0.0, 0.25, 0.5, 0.75, 1.0):
        parts.append(write_text(left + tick * bins * step, end, f"{tick:.2f}", "middle"))
    return _write_svg(_WIDTH, end + 6, parts)


def _widen_span(values: Sequence[float]) -> tuple[float, float]:
    low, high = min(values), max(values)
    room = (high - low) * 0.1 or 0.05
    return low - room, high + room


def _place_ticks(low: float, high: float) -> list[float]:
    rough = (high - low) / 5
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(power * times for times in (1, 2, 5, 10) if power * times >= rough)
    first = math.ceil(low / step)
    return [tick * step for tick in range(first, math.floor(high / step) + 1)]


def _draw_frame(labels: tuple[str, str]) -> str:
    across, up = labels
    return (
        write_text(_WIDTH / 2, _HEIGHT - 8, across, "middle")
        + f'<text x="14" y="{_HEIGHT / 2}" text-anchor="middle"'
        f' transform="rotate(-90 14 {_HEIGHT / 2})">{escape(up)}</text>'
        f'<rect class="frame" x="{_MARGIN}" y="{_MARGIN}" width="{_WIDTH - 2 * _MARGIN}"'
        f' height="{_HEIGHT - 2 * _MARGIN}"/>'
    )


def write_text(x: float, y: float, text: str, anchor: str, colour: str = "") -> str:
    fill = f' fill="{colour}"' if colour else ""
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"{fill}>{escape(text)}</text>'


def write_picture(
    width: float, height: float, parts: Sequence[str], title: str = "", about: str = ""
) -> str:
    """A file of its own: on white, which dark pages leave white, with its own font."""
    ground = f'<rect width="{width:.0f}" height="{height:.0f}" fill="white"/>'
    text = '<g font-family="sans-serif" font-size="12">'
    said = [f"<title>{escape(title)}</title>"] * bool(title)
    said += [f"<desc>{escape(about)}</desc>"] * bool(about)
    return _write_svg(width, height, [*said, ground, text, *parts, "</g>"]) + "\n"


def _write_svg(width: float, height: float, parts: Sequence[str]) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" viewBox="0 0 {width:.0f} {height:.0f}"'
        f' width="{width:.0f}" height="{height:.0f}">{"".join(parts)}</svg>'
    )


# --- tags by line -------------------------------------------------------------------------------

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
        outside = (~lined.inside[own]).astype(int).tolist()
        rows[name] = list(zip((lined.line[own] / last).tolist(), outside, strict=True))
    across = f"lines 1 to {lined.lines:,} of the refined page, one tag or one text in each"
    labels = ("tags inside of the content", "tags outside")
    return draw_dots(rows, _find_bands(lined, last), labels, across)


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
