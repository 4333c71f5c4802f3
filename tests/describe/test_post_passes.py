"""Passes of the search for posts, on small pages."""

from __future__ import annotations

import numpy as np
import pytest

import tamis
from tamis.describe.posts import passes, values
from tamis.describe.posts.clues import POST, Clues
from tamis.describe.posts.families import Families, clue_columns, running_sums

UNITS = """<div class=post><p>The quay was rebuilt in oak last autumn.</div>
<div class=post><p>Larch would have lasted longer under water.</div>
<div class=card><p>Nobody asked the harbour master about it.</div>"""


def test_the_share_of_named_units_is_a_share_and_no_whole_number() -> None:
    page = tamis.parse(UNITS)
    clues = Clues(page)
    units = np.array([node for node in range(len(page.nodes)) if page.tag_name(node) == "div"])
    first = units.astype(np.intc)
    elements = Families(page, clues).elements
    of_texts = running_sums(clue_columns(page, clues)[0])
    is_post = (clues.kinds & POST != 0).view(np.uint8)
    plain = np.full(3, 8.0)
    end = page.nodes.last[first] + np.intc(1)
    assert elements.named(is_post, of_texts, first, end, plain) == pytest.approx(2 / 3)


@pytest.mark.parametrize(
    ("address", "expected"),
    [
        ("/user/7", values.TO_PROFILE),
        ("/memberList?memberId=7", values.TO_PROFILE | values.TO_POST),
        ("/users-guide.html", values.TO_PROFILE),
        ("/abuser/", 0),
        ("#post-4711", values.TO_POST),
        ("/posts/12", values.TO_POST),
        ("/about", 0),
    ],
)
def test_what_an_address_may_lead_to_is_read_from_its_words_and_signs(
    address: str, expected: int
) -> None:
    clues = Clues(tamis.parse(f'<p><a href="{address}">a link</a>'))
    [link] = clues.links.tolist()
    source = address.encode()
    people = values.hashes(b"usermembersusers", *spans((0, 4), (4, 11), (11, 16)))
    member = values.hashes(b"member", *spans((0, 6)))
    made = values.leads(source, *spans((0, len(source))), np.concatenate((people, member)))
    assert made.tolist() == [expected]
    assert clues.href(link) == address


def spans(*pairs: tuple[int, int]) -> tuple[np.ndarray, np.ndarray]:
    """Begins and ends as columns."""
    begins, ends = np.array(pairs, np.intc).T.copy()
    return begins, ends


def test_names_that_differ_in_their_numbers_alone_are_the_same() -> None:
    page = tamis.parse('<p id="post-1" class="entry">a<p id="post-22" class="entry">b<p id="top">c')
    clues = Clues(page)
    paragraphs = [node for node in range(len(page.nodes)) if page.tag_name(node) == "p"]
    assert [clues.names(node) for node in paragraphs] == [
        ["entry", "post-0"],
        ["entry", "post-0"],
        [],
    ]
    assert clues.is_numbered[paragraphs].tolist() == [True, True, False]


def test_kept_words_are_spread_if_no_element_has_most_of_them() -> None:
    page = tamis.parse(UNITS)
    kept = np.ones(len(page.blocks), np.uint8)
    columns = page.nodes.parent, page.blocks.node, page.blocks.words, kept
    assert passes.are_spread(*columns, 0.7)
    story = tamis.parse("<div><p>A long first part of it.<p>And a second part of it.</div><p>End.")
    kept = np.ones(len(story.blocks), np.uint8)
    columns = story.nodes.parent, story.blocks.node, story.blocks.words, kept
    assert not passes.are_spread(*columns, 0.7)
