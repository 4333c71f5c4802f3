"""Labels of the pages of data sets: how much of each block is content.

Nothing heavy is imported here: the processes of a pool make the labels.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from operator import methodcaller
from pathlib import Path

import numpy as np

from tamis._runtime.processes import Pool, Process, processors
from tamis.errors import LimitError
from tamis.evaluate import block_labels, datasets
from tamis.evaluate.align import match_words, part_shares
from tamis.evaluate.datasets import Example
from tamis.evaluate.measures import tokens
from tamis.many import batches
from tamis.methods._base import Floats
from tamis.page import tags
from tamis.page.read import parse
from tamis.page.table import Page
from tamis.train import snippets
from tamis.train.documents import LabelledPage, site_of

Say = Callable[[str], None]
"""Called with what a training does next."""


def read(paths: Sequence[Path], say: Say) -> list[LabelledPage]:
    """The pages of the sets with their labels."""
    pages: list[LabelledPage] = []
    with Pool(processors(), lambda kind: Process(f"{__name__}:make_labeller", None)) as pool:
        for path in paths:
            say(f"reading {path.name}")
            examples = batches(datasets.read(path), lambda example: len(example.html))
            jobs = (pool.submit(methodcaller("ask", batch)) for batch in examples)
            pages += (page for batch in pool.results(jobs) for page in batch)
    return [*snippets.relabel_pages(pages)]


def make_labeller(_: None) -> Callable[[Iterable[Example]], list[LabelledPage]]:
    """What a process of the pool answers: to examples their pages."""
    return labelled_pages


def labelled_pages(examples: Iterable[Example]) -> list[LabelledPage]:
    """The pages of a set with their labels; those over a limit are left out."""
    pages = []
    for example in examples:
        try:
            page = parse(example.html)
        except LimitError:
            continue
        pages.append(LabelledPage(example, page, site_of(example), labels(page, example)))
    return pages


def labels(page: Page, example: Example) -> Floats:
    """Share of content of each block, NaN where nobody knows.

    What a person said of blocks holds. With a gold text alone: the words in common with it, in
    order; hidden blocks are compared with what of the gold the visible ones do not have. With
    snippets alone see `tamis.train.snippets`.
    """
    if example.blocks:
        return block_labels.shares(block_labels.paint_blocks(page, example.blocks)[0])
    if example.text is not None:
        return _gold_labels(page, example.text)
    return snippets.labels(page, example)


# If visible text has this share of the gold, hidden text is not looked at: a few words may miss.
_ENOUGH_VISIBLE = 0.97


def _gold_labels(page: Page, gold: str) -> Floats:
    words = [tokens(text) for text in page.block_texts(np.arange(len(page.blocks)))]
    gold_words = tokens(gold)
    result = np.zeros(len(words))
    hidden = page.blocks.flags & tags.HIDDEN != 0
    visible, concealed = np.flatnonzero(~hidden), np.flatnonzero(hidden)
    seen = [word for block in visible for word in words[block]]
    counts = np.array([len(block) for block in words], np.intp)
    result[visible] = part_shares(counts[visible], match_words(seen, gold_words))
    covered = float(sum(result[block] * len(words[block]) for block in visible))
    if len(concealed) and covered < _ENOUGH_VISIBLE * len(gold_words):
        there = match_words(gold_words, seen)
        left = [word for word, known in zip(gold_words, there, strict=True) if not known]
        unseen = [word for block in concealed for word in words[block]]
        result[concealed] = part_shares(counts[concealed], match_words(unseen, left))
    return result
