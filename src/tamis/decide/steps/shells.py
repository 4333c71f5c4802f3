"""Pages whose visible part is a shell: their content is an article in their scripts.

A page is a shell if little of such an article is visible and if the page has less text outside of
links than the article.
"""

from __future__ import annotations

import numpy as np

from tamis.decide.decision import Decision
from tamis.decide.steps.doubles import share_of_runs
from tamis.decide.steps.embedded import SCRIPT, Embedded, find_article
from tamis.methods._base import Flags
from tamis.options import Options
from tamis.page import read, tags
from tamis.page.table import Page

_TIMES = 3  # words of the article per kept word
_MOST_SHOWN = 150  # words of the article that a shell shows: a summary, the beginning
_MOST_SHARE_SHOWN = 0.5


def read_article(page: Page, decision: Decision, options: Options) -> tuple[Page, Decision]:
    """Read the article in the data of a page, if what is visible is a shell without it."""
    article = find_hidden_article(page, decision.kept)
    if article is None:
        return page, decision
    head = _cut_head(page)
    page = read.parse(head + article.html, options)
    # The article says nothing of its title, authors and date; the head of the shell does.
    scores = (page.texts.start[page.blocks.first_text] >= len(head.encode())).astype(float)
    return page, Decision(scores, scores > 0, cut=1.0, embedded=article.source)


def find_hidden_article(page: Page, kept: Flags) -> Embedded | None:
    """Find the article in the data of a page that is a shell; None if it is not one."""
    if not (page.nodes.tag == SCRIPT).any():
        return None
    article = find_article(page)
    words = int(page.blocks.words[kept].sum())
    if article is None or article.words < _TIMES * words:
        return None
    return article if _is_shell(page, kept, article) else None


def _is_shell(page: Page, kept: Flags, article: Embedded) -> bool:
    """Whether a page shows little of an article, and little text beside."""
    visible = np.flatnonzero((page.blocks.flags & tags.HIDDEN == 0) | kept)
    words = (page.blocks.words - page.blocks.link_words)[visible].sum()
    if words >= article.words:
        return False
    shown = share_of_runs(article.html, "\n".join(page.block_texts(visible)))
    return shown <= _MOST_SHARE_SHOWN and shown * article.words <= _MOST_SHOWN


def _cut_head(page: Page) -> str:
    """The source of a page up to its body."""
    bodies = np.flatnonzero(page.nodes.tag == tags.ID["body"])
    end = int(page.nodes.start[bodies[0]]) if len(bodies) else 0
    return page.source[:end].decode("utf-8", "replace")
