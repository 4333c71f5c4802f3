"""Pages that people labelled, and which of them cannot be learned from, with the reason."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

import numpy as np

from tamis.errors import LimitError
from tamis.evaluate import block_labels
from tamis.evaluate.datasets import Example
from tamis.evaluate.measures import tokens
from tamis.methods._base import Floats
from tamis.page.read import parse
from tamis.page.table import Page
from tamis.train import snippets
from tamis.train.documents import LabelledPage, site_of
from tamis.train.labels import labels

# Share of the words of a gold text that must be on the page; of labels that must fit.
_LEAST_COVERED = 0.5
_MOST_NAMES = 10
_NOTHING_KNOWN = "it has neither gold text nor labels that are on the page"


def align_pages(
    examples: Iterable[Example],
    *,
    comments: bool = False,
    between: Callable[[], None] = lambda: None,
) -> tuple[list[LabelledPage], list[str]]:
    """The pages with their labels, and warnings that name those that are left out.

    `between` is called before each page.
    """
    pages: list[LabelledPage] = []
    problems: dict[str, list[str]] = {}
    for example in examples:
        between()
        if comments and example.text is not None and example.comments:
            example = replace(example, text=f"{example.text}\n{example.comments}")
        try:
            page = parse(example.html)
        except LimitError as error:
            problems.setdefault(f"over a limit ({error})", []).append(example.id)
            continue
        own, problem = _labels(page, example, comments)
        if problem:
            problems.setdefault(problem, []).append(example.id)
        else:
            if not example.site and not example.url:
                example = replace(example, site=page.declared.host or None)
            pages.append(LabelledPage(example, page, site_of(example), own))
    known = []
    for source in snippets.relabel_pages(pages):
        if np.isnan(source.labels).all():
            problems.setdefault(_NOTHING_KNOWN, []).append(source.example.id)
        else:
            known.append(source)
    return known, [f"{_names(ids)}: left out, {problem}" for problem, ids in problems.items()]


def _labels(page: Page, example: Example, comments: bool) -> tuple[Floats, str]:
    """The labels of a page, and why nothing should be learned from them, if so."""
    if not len(page.blocks):
        return np.zeros(0), "the page has no text"
    if example.blocks:
        kinds, missing = block_labels.paint_blocks(page, example.blocks)
        if len(missing) > (1 - _LEAST_COVERED) * len(example.blocks):
            return np.zeros(0), "most labels are about nothing on the page: it has changed"
        return block_labels.shares(kinds, comments=comments), ""
    own = labels(page, example)
    if example.text is None:
        return own, ""
    gold = len(tokens(example.text))
    blocks = np.flatnonzero(own > 0)
    texts = page.block_texts(blocks)
    covered = sum(len(tokens(text)) * own[block] for block, text in zip(blocks, texts, strict=True))
    if gold and covered < _LEAST_COVERED * gold:
        return own, "gold and page do not align: most of the gold is not on the page"
    return own, ""


def _names(ids: list[str]) -> str:
    more = f" and {len(ids) - _MOST_NAMES} more" if len(ids) > _MOST_NAMES else ""
    return ", ".join(ids[:_MOST_NAMES]) + more
