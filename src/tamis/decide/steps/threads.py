"""A page that is a thread: its content is what was written in the posts, in all of them.

The model sees blocks, and in a thread it keeps ranks, signatures and half of the posts. Where the
page is a forum and its posts are known, they decide: if the model kept most of what was written,
the rest that it kept is no message; if it kept little, it missed the thread. In between it may know
better, as of a page with a question and a hundred answers.
"""

from __future__ import annotations

import numpy as np

from tamis.describe.page_type import is_likely_forum
from tamis.describe.posts.passes import are_spread
from tamis.page.arrays import Flags
from tamis.page.table import Page

# How probable a page must be a forum: to look for posts takes several times as long as the rest.
_SURE = 0.97
# Share of the kept words under one element from which on there is one story, not several posts.
_ONE_STORY = 0.7
# Shares of what was written that the model kept. By folds over sites forum52 goes from 0.828 to
# 0.963, the forums of wcxb-dev from 0.799 to 0.803; with posts on all forums to 0.982 and 0.788.
_MOST = 0.8
_LITTLE = 0.3
# Share of the words of a block from which on it is part of a message.
_HALF = 0.5


def find_messages(
    page: Page, kept: Flags, url: str | None, type_weights: str | None
) -> Flags | None:
    """Find the blocks that were written in the posts of a thread; None if it is no clear thread."""
    nodes, blocks = page.nodes, page.blocks
    # Posts are in several places; this is known at once.
    own = kept.view(np.uint8)
    if not are_spread(nodes.parent, blocks.node, blocks.words, own, _ONE_STORY):
        return None
    if not is_likely_forum(page, _SURE, url, type_weights):
        return None
    from tamis.describe.posts import messages

    in_messages = messages.find_written(page)
    if in_messages is None:
        return None
    words = np.bincount(page.texts.block, page.texts.words * in_messages, len(kept))
    in_posts: Flags = words > _HALF * page.blocks.words
    of_both, of_posts = (float(page.blocks.words @ own) for own in (in_posts & kept, in_posts))
    share = of_both / max(of_posts, 1.0)
    return in_posts if in_posts.any() and not _LITTLE < share < _MOST else None
