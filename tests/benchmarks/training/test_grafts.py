"""Pages made over: comments and teasers below the content, pages without names."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from random import Random

import numpy as np
import pytest
from training import grafts

import tamis
from tamis.labels.alignment import block_shares
from tamis.page.reader import parse
from tamis.page.table import Page

PARAGRAPHS = (
    "The ferry left the harbour at six in the morning with forty people on board.",
    "Nobody had expected the fog, which came down from the hills before they reached the cape.",
)
TEXTS = ("Nice <b>ferry & all, but it was never on time?", "Mine smells of fish since the summer!")
HEADINGS = ("Bakers raise prices again", "A bridge for the northern valley")
PAGE = (
    '<html><body class="single"><nav id="menu"><a href="/">Start</a></nav>'
    '<div class="wrap"><main id="main"><article class="post"><h1>Fog over the sound</h1>'
    f"<div class='entry'><p>{PARAGRAPHS[0]}</p><p>{PARAGRAPHS[1]}</p></div></article></main></div>"
    '<footer role="contentinfo"><p>Printed on recycled electrons</p></footer></body></html>'
)
GOLD = "\n".join(("Fog over the sound", *PARAGRAPHS))
SEEDS = range(60)

Graft = Callable[[Page, np.ndarray, Random], bytes]


def with_comments(page: Page, content: np.ndarray, random: Random) -> bytes:
    return grafts.with_comments(page, content, TEXTS, random)


def with_teasers(page: Page, content: np.ndarray, random: Random) -> bytes:
    return grafts.with_teasers(page, content, TEXTS, HEADINGS, random)


def with_feed(page: Page, content: np.ndarray, random: Random) -> bytes:
    return grafts.with_feed(page, content, TEXTS, HEADINGS, random)


def with_stories(page: Page, content: np.ndarray, random: Random) -> bytes:
    return grafts.with_stories(page, content, [(HEADINGS[0], TEXTS), (HEADINGS[1], TEXTS)], random)


def with_consent(page: Page, content: np.ndarray, random: Random) -> bytes:
    return grafts.with_consent(page, random.choice(("de", "xx")), random)


def with_lines(page: Page, content: np.ndarray, random: Random) -> bytes:
    return grafts.with_lines(page, content, random.choice(("zh", "xx")), ["fog"], random)


both = pytest.mark.parametrize("graft", [with_comments, with_teasers])
below = pytest.mark.parametrize("graft", [with_comments, with_teasers, with_feed, with_stories])
anywhere = pytest.mark.parametrize(
    "graft",
    [with_comments, with_teasers, with_feed, with_stories, with_consent, with_lines],
)


def texts_of(page: Page) -> list[str]:
    return page.block_texts(np.arange(len(page.blocks)))


def made(graft: Graft, seed: int) -> tuple[Page, np.ndarray, Page]:
    """The page before, its content, and the page after."""
    page = parse(PAGE)
    content = np.flatnonzero(block_shares(page, GOLD) > 0.5)
    return page, content, parse(graft(page, content, Random(seed)))


@below
@pytest.mark.parametrize("seed", SEEDS)
def test_what_is_added_stands_below_the_content_and_nothing_is_lost(
    graft: Graft, seed: int
) -> None:
    before, content, after = made(graft, seed)
    above = int(content[-1]) + 1
    assert texts_of(after)[:above] == texts_of(before)[:above]
    rest = texts_of(before)[above:]
    assert texts_of(after)[-len(rest) :] == rest
    assert len(after.blocks) > len(before.blocks)


@below
@pytest.mark.parametrize("seed", SEEDS)
def test_the_labels_of_the_content_stay_and_what_is_added_is_none(graft: Graft, seed: int) -> None:
    before, content, after = made(graft, seed)
    ours, theirs = block_shares(before, GOLD), block_shares(after, GOLD)
    above = int(content[-1]) + 1
    np.testing.assert_array_equal(theirs[:above], ours[:above])
    assert theirs[above:].max() <= 0.5


def test_comments_have_the_given_texts_as_they_are() -> None:
    for seed in SEEDS:
        _, _, after = made(with_comments, seed)
        lines = " ".join(texts_of(after))
        assert any(text in lines for text in TEXTS)
        assert "<b>" not in lines.replace("<b>ferry & all", "")
        assert "{" not in lines


def test_teasers_have_the_given_headings() -> None:
    for seed in SEEDS:
        _, _, after = made(with_teasers, seed)
        assert any(heading in " ".join(texts_of(after)) for heading in HEADINGS)


@both
def test_pages_differ_by_seed_and_are_the_same_for_one(graft: Graft) -> None:
    assert made(graft, 3)[2].source == made(graft, 3)[2].source
    assert len({made(graft, seed)[2].source for seed in range(20)}) > 10


def test_content_without_an_element_of_its_own_can_have_comments() -> None:
    page = parse("Only text")
    after = parse(with_comments(page, np.array([0]), Random(1)))
    assert texts_of(after)[0] == "Only text"
    assert len(after.blocks) > 1


def test_aged_pages_have_no_names_and_no_new_elements(folder: Path) -> None:
    page = parse(grafts.strip_names((folder / "source.html").read_bytes()))
    for node in range(len(page.nodes)):
        for name in ("class", "id", "role", "itemprop"):
            assert page.attribute(node, name) is None
        assert page.tag_name(node) not in ("main", "article", "section", "nav", "header", "footer")


def test_aged_pages_have_the_same_text(folder: Path) -> None:
    source = (folder / "source.html").read_bytes()
    baseline = tamis.Options(method="baseline")
    aged = tamis.extract(grafts.strip_names(source), options=baseline).text
    assert aged == tamis.extract(source, options=baseline).text


def test_the_other_attributes_of_aged_pages_stay() -> None:
    aged = grafts.strip_names(
        b"<section class=a data-id='x'><a id='b c' href=\"/y\" class='d'>e</a></section>"
    )
    assert aged == b"<div data-id='x'><a href=\"/y\">e</a></div>"


def test_text_of_aged_pages_that_looks_like_an_attribute_stays() -> None:
    code = b"<pre CLASS='sql'>where id = 3 and class = foo</pre>"
    assert grafts.strip_names(code) == b"<pre>where id = 3 and class = foo</pre>"


@anywhere
@pytest.mark.parametrize("seed", SEEDS)
def test_every_block_of_the_page_stays_in_its_order(graft: Graft, seed: int) -> None:
    before, _, after = made(graft, seed)
    assert len(after.blocks) > len(before.blocks)
    left = iter(texts_of(after))
    assert all(text in left for text in texts_of(before))


def test_a_consent_text_is_in_the_language_of_the_page() -> None:
    page = parse(PAGE)
    assert b"Cookies" in grafts.with_consent(page, "de", Random(1))
    assert b"Datenschutz" in b"".join(
        grafts.with_consent(page, "de", Random(seed)) for seed in range(5)
    )


def test_a_teaser_has_the_begin_of_a_text() -> None:
    text = " ".join(f"word{number}" for number in range(100))
    page = parse(PAGE)
    content = np.flatnonzero(block_shares(page, GOLD) > 0.5)
    source = grafts.with_feed(page, content, [text], HEADINGS, Random(3))
    assert b"word11" in source and b"word99" not in source
