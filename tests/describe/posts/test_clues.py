"""Clues of posts in the names of elements."""

from __future__ import annotations

import tamis
from tamis.describe.posts.clues import Clues


def test_names_that_differ_in_their_numbers_alone_are_the_same() -> None:
    page = tamis.parse('<p id="post-1" class="entry">a<p id="post-22" class="entry">b<p id="top">c')
    clues = Clues(page)
    paragraphs = [node for node in range(len(page.nodes)) if page.tag_name(node) == "p"]
    assert [clues.list_names(node) for node in paragraphs] == [
        ["entry", "post-0"],
        ["entry", "post-0"],
        [],
    ]
    assert clues.is_numbered[paragraphs].tolist() == [True, True, False]
