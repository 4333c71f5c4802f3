"""The posts of a thread, each rendered by itself."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from tamis._runtime import limits
from tamis.describe.posts.messages import find_messages
from tamis.options import Options
from tamis.page.addresses import Base
from tamis.page.structure.subtrees import copy_part
from tamis.page.table import Page
from tamis.render import markdown, text


@dataclass(frozen=True, slots=True)
class Post:
    """What somebody wrote in a thread, an answer, or a comment."""

    author: str | None
    """The name, as the page shows it."""
    date: str | None
    """ISO 8601, as precise as the page; None if it has no whole date."""
    text: str
    """The message as plain text, without author, date, buttons and signature."""
    markdown: str
    """The message as Markdown; what it quotes is a block quote."""
    depth: int
    """0 on the first level, 1 for a reply to such a post or a comment on an answer, and so on."""
    address: str | None
    """URL of the post: its permalink, or the page's with the id of the post; None if unknown."""
    position: int
    """Its number in the page, from 1."""


def render(
    page: Page, url: str | None, options: Options, month_first: bool | None
) -> tuple[Post, ...]:
    """Write the posts of a page in document order; none if it has no thread."""
    base = Base(page, url).web("") or None
    options = replace(options, title="auto")  # of the page, not of each post
    drafts = find_messages(page, url, month_first, options.today)

    def posts() -> Iterator[Post]:
        for position, message in enumerate(limits.check_each(drafts, 10), 1):
            own = copy_part(page, message.first, message.end, message.dropped)
            begin = int(page.nodes.first_text[message.first])
            shown = ~message.dropped[begin : begin + len(own.texts)]
            kept = np.zeros(len(own.blocks), bool)
            kept[own.texts.block[shown]] = True
            yield Post(
                message.author,
                message.date,
                text.render(own, kept),
                markdown.render(own, kept, base, options),
                message.depth,
                message.address,
                position,
            )

    return tuple(limits.limit_output(posts(), limits.count_characters))
