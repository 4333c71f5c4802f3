"""Labels of the pages of data sets: how much of each block is content.

Nothing heavy is imported here: processes of their own read the sets.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path

import numpy as np
import numpy.typing as npt

from tamis.errors import LimitError
from tamis.evaluate import datasets
from tamis.evaluate.datasets import Example
from tamis.evaluate.measures import flat, tokens
from tamis.page import tags
from tamis.page.read import parse
from tamis.page.table import Page
from tamis.train.align import matched, part_shares
from tamis.train.documents import site_of

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class LabelledPage:
    """A page of a training set with what is known about its blocks."""

    example: Example
    page: Page
    site: str
    labels: Floats


def read(paths: Sequence[Path], say: Callable[[str], None]) -> list[LabelledPage]:
    """The pages of the sets with their labels."""
    pages: list[LabelledPage] = []
    with ProcessPoolExecutor(mp_context=get_context("spawn")) as pool:
        for path in paths:
            say(f"reading {path.name}")
            pages += labelled_pages(
                datasets.read(path), lambda make, some: pool.map(make, some, chunksize=8)
            )
    return pages


def labelled_pages(
    examples: Iterable[Example], mapped: Callable[..., Iterable[LabelledPage | None]] = map
) -> list[LabelledPage]:
    """The pages of a set with their labels; those over a limit are left out."""
    return [page for page in mapped(labelled_page, examples) if page is not None]


def labelled_page(example: Example) -> LabelledPage | None:
    """A page with its labels, None if it cannot be read."""
    try:
        page = parse(example.html)
    except LimitError:
        return None
    return LabelledPage(example, page, site_of(example), labels(page, example))


def labels(page: Page, example: Example) -> Floats:
    """Share of content of each block, NaN where nobody knows.

    With a gold text: the words in common with it, in order; hidden blocks are compared with what
    of the gold the visible ones do not have. With snippets alone: 1 for blocks that have one that
    must be there, 0 for those with one that must not, and the same for their like beside them.
    """
    if example.text is not None:
        return _gold_labels(page, example.text)
    return _snippet_labels(page, example)


# The gold that is found in visible text may miss a few words before hidden text is looked at.
_FOUND_ENOUGH = 0.97


def _gold_labels(page: Page, gold: str) -> Floats:
    words = [tokens(text) for text in page.block_texts(np.arange(len(page.blocks)))]
    gold_words = tokens(gold)
    result = np.zeros(len(words))
    hidden = page.blocks.flags & tags.HIDDEN != 0
    visible, concealed = np.flatnonzero(~hidden), np.flatnonzero(hidden)
    seen = [word for block in visible for word in words[block]]
    counts = np.array([len(block) for block in words], np.intp)
    result[visible] = part_shares(counts[visible], matched(seen, gold_words))
    covered = float(sum(result[block] * len(words[block]) for block in visible))
    if len(concealed) and covered < _FOUND_ENOUGH * len(gold_words):
        there = matched(gold_words, seen)
        left = [word for word, known in zip(gold_words, there, strict=True) if not known]
        unseen = [word for block in concealed for word in words[block]]
        result[concealed] = part_shares(counts[concealed], matched(unseen, left))
    return result


def _snippet_labels(page: Page, example: Example) -> Floats:
    texts = [flat(text) for text in page.block_texts(np.arange(len(page.blocks)))]
    result = np.full(len(texts), np.nan)
    tag = page.nodes.tag[page.blocks.node]
    parent = page.nodes.parent[page.blocks.node]
    for snippets, value in ((example.without, 0.0), (example.with_, 1.0)):
        for snippet in map(flat, snippets):
            for block in [place for place, text in enumerate(texts) if snippet in text]:
                like = (parent == parent[block]) & (tag == tag[block]) & np.isnan(result)
                result[like] = value
                result[block] = value
    return result
