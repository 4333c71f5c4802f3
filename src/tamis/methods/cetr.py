"""Content extraction via tag ratios: where much text meets few tags.

Weninger, Hsu and Han give each line of the source the number of its characters over that of its
tags. The curve is smoothed so that short lines between long ones survive; its derivative shows
where content begins and ends; k-means over both numbers separates content from the rest, whose
centroid is held at the origin.

Our reading: the unit is a block, as Peters and Lecocq use it, because the lines of today's
pages are made by programs; `unit="line"` is the paper's own. The tags of a block are those since
the text before it. Hidden text counts nothing; in the line form the tags of scripts and styles
do not either, in the block form they change no figure. The Gaussian reaches over four
deviations: one that ends at the first neighbours loses 0.02 F1 on CleanEval and gains less than
0.003 on any of nine data sets. The derivative is that of the smoothed curve, smoothed again, then
without sign. Centroids start on the diagonal, at 0, half and all of the largest values;
`start="random"` has them at points of the page, as in the program of Peters and Lecocq. In the
line form a block's score is the share of its
characters that are on content lines; see `Lines` for what is on a line.

When it fails: one very long block draws a cluster to itself and the shorter paragraphs fall to
the origin; lists, tables and dialogue are poor in characters per tag; long notices are rich. Lines
say nothing about a page that is written on one line.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from tamis._runtime import limits
from tamis.methods._base import (
    Choices,
    Method,
    Scores,
    Unit,
    kept_share,
    on_all_blocks,
    visible_blocks,
    visible_texts,
)
from tamis.methods._shared import features
from tamis.methods._shared.verdicts import longest_runs
from tamis.page import tags
from tamis.page.arrays import Flags, Floats, Indexes
from tamis.page.table import Page
from tamis.page.text.references import resolve_references

_UNITS = ("block", "line")


@dataclass(frozen=True)
class Cetr(Method):
    """Clusters of smoothed tag ratios and their derivative."""

    unit: str = "block"
    """What has a ratio: a `block` of the page or a `line` of the source."""
    deviation: float = 1.0
    """Standard deviation of the Gaussian, in units."""
    window: int = 3
    """Units after a unit whose mean is compared with it."""
    clusters: int = 3
    """The k of the k-means; one centroid is the origin."""
    start: str = "diagonal"
    """Where the other centroids start: on the `diagonal`, or at `random` points of the page."""

    citation: ClassVar[str] = (
        "T. Weninger, W. H. Hsu, J. Han: CETR: Content Extraction via Tag Ratios. WWW 2010."
    )
    _choices: ClassVar[Choices] = {"unit": _UNITS, "start": features.STARTS}

    def __post_init__(self) -> None:
        super().__post_init__()
        for name, least in (("deviation", 0), ("window", 1), ("clusters", 2)):
            if getattr(self, name) < least:
                raise ValueError(f"{name} is at least {least}, not {getattr(self, name)}")

    def score(self, page: Page) -> Scores:
        """1 for a block outside the origin's cluster; for lines the share of such lines."""
        if self.unit == "block":
            blocks = visible_blocks(page)
            return on_all_blocks(page, blocks, self._classify(features.tag_ratios(page, blocks)))
        rows = split_lines(page)
        return kept_share(page, rows.measure_kept(page, self._classify(rows.ratios)))

    @property
    def decides_on(self) -> str:
        return f"{self.unit}s"

    def units(self, page: Page) -> tuple[Unit, ...]:
        """The lines that have text which a browser shows, with their ratios."""
        if self.unit == "block":
            return ()
        rows = split_lines(page)
        content = self._classify(rows.ratios)
        curve, slope = self._smooth_ratios(rows.ratios)
        numbers = {
            "characters": rows.chars,
            "tags": rows.tags.astype(float),
            "ratio": rows.ratios,
            "smoothed": curve,
            "derivative": slope,
        }
        found, characters = [], 0
        for row, pieces in limits.check_each(rows.find_pieces(page).items()):
            text = " ".join(
                resolve_references(page.source[start:end].decode("utf-8", "ignore"))
                for _, start, end in pieces
            )
            first, start, _ = pieces[0]
            xpath = page.xpath(int(page.texts.node[first]))
            characters += len(text) + len(xpath)
            limits.check_output(characters)
            unit = Unit(
                " ".join(text.split()),
                start,
                pieces[-1][2],
                int(page.texts.block[first]),
                float(content[row]),
                bool(content[row]),
                {name: float(column[row]) for name, column in numbers.items()},
                xpath,
            )
            found.append(unit)
        return tuple(found)

    def _classify(self, ratios: Floats) -> Flags:
        curve, slope = self._smooth_ratios(ratios)
        return features.leave_origin(curve, slope, self.clusters, self.start)

    def _smooth_ratios(self, ratios: Floats) -> tuple[Floats, Floats]:
        curve = features.smooth_values(ratios, self.deviation)
        return curve, features.absolute_derivative(curve, self.window, self.deviation)

    def because(self, page: Page, blocks: Indexes) -> list[str]:
        if self.unit == "block":
            visible, whose = visible_blocks(page), "Its"
            ratios, rows = features.tag_ratios(page, visible), np.searchsorted(visible, blocks)
        else:
            source, whose = split_lines(page), "Its longest text is on a line whose"
            ratios = source.ratios
            rows = np.searchsorted(source.ends, page.texts.start[longest_runs(page, blocks)])
        curve, slope = self._smooth_ratios(ratios)
        cluster, across, up = features.cluster_points(curve, slope, self.clusters, self.start)
        points = zip(across[1:], up[1:], strict=True)
        centroids = [f"the centroid {x:.1f}, {y:.1f}: content" for x, y in points]
        centroids.insert(0, "the origin: not content")
        numbers = np.column_stack((ratios, curve, slope))[rows].tolist()
        return [
            f"{whose} tag ratio of {ratio:.1f}, smoothed {smooth:.1f}, with a derivative of"
            f" {derivative:.1f} is nearest to {centroids[nearest]}."
            for (ratio, smooth, derivative), nearest in zip(
                limits.check_each(numbers), cluster[rows].tolist(), strict=True
            )
        ]


@dataclass(frozen=True)
class Lines:
    """The lines of the source that hold a tag or text.

    The characters of a text run are spread evenly over its bytes, so that a run of many lines
    gives each its part. Tags are the start tags of the elements that are in the source and the
    end tags that close one; those of scripts and styles are left out, as comments are. An end
    tag that closes nothing does not count.
    """

    ends: Indexes
    """Source offset of the end of each line."""
    chars: Floats
    """Visible characters."""
    tags: Indexes
    """Start and end tags."""

    @property
    def ratios(self) -> Floats:
        return self.chars / np.maximum(self.tags, 1)

    def measure_kept(self, page: Page, kept: Flags) -> Floats:
        """For each text of the page the share of its bytes that are on the kept lines."""
        # The lines that were left out hold no text, so they may count to the next that does.
        widths = np.diff(self.ends, prepend=0)
        offsets = np.append(0.0, self.ends)
        sums = np.append(0.0, np.cumsum(widths * kept))
        starts, ends = page.texts.start, page.texts.end
        inside = np.interp(ends, offsets, sums) - np.interp(starts, offsets, sums)
        share: Floats = inside / np.maximum(ends - starts, 1)
        return share

    def find_pieces(self, page: Page) -> dict[int, list[tuple[int, int, int]]]:
        """By line the texts on it, each with the start and end of what is there."""
        shown = np.flatnonzero(visible_texts(page))
        starts, ends = page.texts.start[shown], page.texts.end[shown]
        first = np.searchsorted(self.ends, starts)
        last = np.searchsorted(self.ends, ends)
        borders = [0, *self.ends.tolist()]
        found: dict[int, list[tuple[int, int, int]]] = {}
        spans = zip(
            *(column.tolist() for column in (shown, starts, ends, first, last)), strict=True
        )
        for text, start, end, row, end_row in limits.check_each(spans):
            for line in range(row, end_row + 1):
                piece = max(start, borders[line]), min(end, borders[line + 1])
                if page.source[slice(*piece)].strip():
                    found.setdefault(line, []).append((text, *piece))
        return found


def split_lines(page: Page) -> Lines:
    source = np.frombuffer(page.source, np.uint8)
    ends = np.append(np.flatnonzero(source == ord("\n")), len(source))
    texts, nodes = page.texts, page.nodes
    chars = np.where(visible_texts(page), texts.chars, 0)
    if len(texts):
        offsets = np.column_stack((texts.start, texts.end)).ravel()
        after = np.cumsum(chars)
        sums = np.interp(ends, offsets, np.column_stack((after - chars, after)).ravel())
    else:
        sums = np.zeros(len(ends))
    in_source = ~np.isin(nodes.tag, tags.find_ids("script style"))
    starts = nodes.start[in_source & (nodes.flags & tags.IMPLIED == 0)]
    closes = np.unique(nodes.close[in_source])
    closes = closes[closes + 1 < len(source)]
    closes = closes[(source[closes] == ord("<")) & (source[closes + 1] == ord("/"))]
    at = np.searchsorted(ends, np.concatenate((starts, closes)))
    count = np.bincount(at, minlength=len(ends))
    per_line = np.diff(sums, prepend=0.0)
    filled = (count > 0) | (per_line > 0)
    return Lines(ends[filled], per_line[filled], count[filled])
