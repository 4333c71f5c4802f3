"""Body text extraction: the part of the page with most words and fewest tags.

Finn, Kushmerick and Smyth see a page as a sequence of tags and words, and take the one segment
for which the words inside and the tags outside are most. Pinto and others (2002) look for many
segments instead: where the curve of tags over tokens, the document slope curve, is flat.

Our reading: a tag is a start or an end tag, a word is what the page table counts, so scripts
without spaces have words too; words that a browser does not show are not tokens. The best segment
begins and ends with a text run. In the many-segment form a run is content if the slope in a
window of tokens around its middle is low. The papers say what low is in relation to the whole
page; there we add that a slope which is low by itself is low on every page, else a page that is
nearly all text has no content.

When it fails: `one` takes all that stands between two parts of the content, and stops early
where content is rich in tags (tables, lists, product data); a long legal notice far from the
text may be joined to it or win. `many` keeps any long sentence and loses headings.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from tamis.methods._base import Choices, Method, Scores, Unit, kept_share, visible_texts
from tamis.methods._shared.verdicts import count_things, list_units, longest_runs
from tamis.page.arrays import Flags, Floats, Indexes, Ints
from tamis.page.table import Page

_VARIANTS = ("one", "many")


@dataclass(frozen=True)
class Bte(Method):
    """The segment of the page with most words inside and most tags outside."""

    variant: str = "one"
    """`one` segment (Finn and others 2001) or `many` (Pinto and others 2002)."""
    window: int = 50
    """`many`: tokens around a run of which the slope is taken."""
    low: float = 0.5
    """`many`: a slope is low up to this part of the page's own."""
    plain: float = 1 / 3
    """`many`: and up to this many tags per token on any page."""

    citation: ClassVar[str] = (
        "A. Finn, N. Kushmerick, B. Smyth: Fact or Fiction: Content Classification for Digital"
        " Libraries. DELOS Workshop 2001. D. Pinto, M. Branstein, R. Coleman, W. B. Croft, M. King,"
        " W. Li, X. Wei: QuASM: A System for Question Answering Using Semi-Structured Data."
        " JCDL 2002."
    )
    decides_on: ClassVar[str] = "runs of text"
    _choices: ClassVar[Choices] = {"variant": _VARIANTS}

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.window < 1:
            raise ValueError(f"window is at least 1 token, not {self.window}")

    def score(self, page: Page) -> Scores:
        """The share of each block's characters that are in a segment."""
        seen, tags_before, words = list_runs(page)
        kept = np.zeros(len(page.texts), bool)
        kept[seen] = self.find_content(tags_before, words)
        return kept_share(page, kept)

    def units(self, page: Page) -> tuple[Unit, ...]:
        """The runs of text: their words, and the tags between each and the run before."""
        seen, tags_before, words = list_runs(page)
        of_text = np.full(len(page.texts), -1)
        of_text[seen] = np.arange(len(seen))
        attributes = {
            "tags": np.diff(tags_before, prepend=0).astype(float).tolist(),
            "words": words.astype(float).tolist(),
        }
        if self.variant == "many":
            rise, width, most = self._measure_slopes(tags_before, words)
            attributes["slope"] = (rise / np.maximum(width, 1e-9)).tolist()
            attributes["low"] = [most] * len(seen)
        content = self.find_content(tags_before, words)
        return list_units(page, of_text, page.texts.node[seen], content.astype(float), attributes)

    def find_content(self, tags_before: Ints, words: Ints) -> Flags:
        if self.variant == "many":
            rise, width, most = self._measure_slopes(tags_before, words)
            flat: Flags = rise <= width * most
            return flat
        inside = np.zeros(len(words), bool)
        inside[best_segment(tags_before, words)] = True
        return inside

    def _measure_slopes(self, tags_before: Ints, words: Ints) -> tuple[Floats, Floats, float]:
        """The rise of the slope curve in a window around each run, its width, the most of flat."""
        tokens, curve = slope_curve(tags_before, words)
        middle = (tokens[1::2] + tokens[2::2]) / 2
        left = np.maximum(middle - self.window / 2, 0)
        right = np.minimum(middle + self.window / 2, tokens[-1])
        rise = np.interp(right, tokens, curve) - np.interp(left, tokens, curve)
        own_slope = curve[-1] / max(tokens[-1], 1)
        return rise, right - left, max(self.low * own_slope, self.plain)

    def because(self, page: Page, blocks: Indexes) -> list[str]:
        seen, tags_before, words = list_runs(page)
        runs = np.searchsorted(seen, longest_runs(page, blocks))
        if self.variant == "one":
            best = best_segment(tags_before, words)
            size = count_things(int(words[best].sum()), "word")
            inside = count_things(int(tags_before[best.stop - 1] - tags_before[best.start]), "tag")
            places = (runs >= best.start).astype(int) + (runs >= best.stop)
            where = [("before", "inside", "after")[place] for place in places.tolist()]
            return [f"It is {place} the best segment, of {size} and {inside}." for place in where]
        rise, width, most = self._measure_slopes(tags_before, words)
        return [
            f"The slope around it is {slope:.2f} tags a token; low is up to {most:.2f}."
            for slope in (rise / np.maximum(width, 1e-9))[runs].tolist()
        ]


def list_runs(page: Page) -> tuple[Indexes, Ints, Ints]:
    """The texts that are shown, the tags before each of them, and its words."""
    seen = np.flatnonzero(visible_texts(page))
    return seen, page.texts.tags[seen], page.texts.words[seen]


def slope_curve(tags_before: Ints, words: Ints) -> tuple[Floats, Floats]:
    """The corners of the document slope curve: tokens so far, and tags among them.

    It rises by 1 per tag between the runs and is level inside them, so its corners are the two
    ends of each run.
    """
    ends = tags_before + np.cumsum(words)
    tokens = np.append(0.0, np.column_stack((ends - words, ends)))
    return tokens, np.append(0.0, np.repeat(tags_before, 2))


def best_segment(tags_before: Ints, words: Ints) -> slice:
    """The runs `i..j` with most words inside and tags outside, in linear time.

    All tags are outside or inside, so the aim is the words of `i..j` less the tags between `i`
    and `j`: the largest rise of `words so far - tags so far`.
    """
    if not len(words):
        return slice(0, 0)
    after = np.cumsum(words) - tags_before
    before = after - words
    end = int(np.argmax(after - np.minimum.accumulate(before)))
    return slice(int(np.argmin(before[: end + 1])), end + 1)
