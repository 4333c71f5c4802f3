"""Structures that are kept whole or torn."""

from __future__ import annotations

from collections import Counter

import numpy as np
from page_structures import Structures

import tamis
from tamis.page import tags

PAGE = """
<nav><ul>
<li><a href=/>Home of the island ferries</a><li><a href=/times>All times and prices</a>
<li><a href=/ships>Our ships, old and new</a><li><a href=/jobs>Work with us this summer</a>
<li><a href=/press>Press office and pictures</a><li><a href=/faq>Questions that people ask</a>
<li><a href=/contact>Write to our office in Brest</a>
</ul></nav>
<main>
<h1>The ferry is back</h1>
<p>After two winters in the yard the old ferry left the harbour on Monday morning.
<p>Forty passengers and a brass band were on board when she passed the lighthouse.
<h2>What it costs</h2>
<table>
<tr><th>Ticket<th>Price<tr><td>Adult<td>12 euros<tr><td>Child<td>6 euros
</table>
<figure><img src=ferry.jpg alt=""><figcaption>The ferry at the pier</figcaption></figure>
<p>The company says that she will sail twice a day until the end of October.
</main>
"""
TABLE = tamis.parse(PAGE)
TEXTS = TABLE.block_texts(np.arange(len(TABLE.blocks)))
IN_MENU = TABLE.blocks.flags & tags.IN_NAVIGATION != 0
LABELS = np.where(IN_MENU, 0.0, 1.0)
CONTENT = ~IN_MENU


def without(*texts: str) -> np.ndarray:
    """The content but for some blocks."""
    kept = CONTENT & ~np.isin(TEXTS, texts)
    assert kept.sum() == CONTENT.sum() - len(texts)
    return kept


def counts(kept: np.ndarray, labels: np.ndarray = LABELS) -> Counter[tuple[str, str]]:
    return Structures(TABLE, labels).counts(kept)


def test_a_decision_like_the_gold_tears_nothing() -> None:
    right = counts(CONTENT)
    assert not any(right[kind, "torn"] for kind in ("path", "list or table", "parent"))
    assert not any(right[kind, "dropped"] for kind in ("headings", "captions", "data tables"))


def test_a_group_needs_three_blocks_and_thirty_words() -> None:
    groups = Structures(TABLE, LABELS).groups
    # The menu is a list, and its items have one path; the table has 8 words.
    assert sorted((group.kind, len(group.blocks), group.is_gold) for group in groups) == [
        ("list or table", 7, False),
        ("parent", 5, True),
        ("parent", 7, False),
        ("path", 3, True),
        ("path", 7, False),
    ]


def test_a_group_of_which_a_part_is_kept_is_torn() -> None:
    kept = CONTENT.copy()
    kept[np.flatnonzero(IN_MENU)[:3]] = True
    torn = counts(kept)
    assert torn["list or table", "torn"] == torn["path", "torn"] == torn["parent", "torn"] == 1
    assert torn["path", "gold torn"] == 0
    kept[IN_MENU] = True
    assert counts(kept)["path", "torn"] == 0, "all of it is wrong, but not torn"


def test_a_torn_group_of_the_gold_is_counted_as_such() -> None:
    torn = counts(without(TEXTS[-1]))
    assert (torn["path", "torn"], torn["path", "gold torn"], torn["path", "gold"]) == (1, 1, 1)


def test_a_group_that_the_gold_has_in_part_cannot_be_torn() -> None:
    labels = LABELS.copy()
    labels[np.flatnonzero(IN_MENU)[:3]] = 1
    kept = CONTENT.copy()
    kept[np.flatnonzero(IN_MENU)[3:]] = True
    mixed = counts(kept, labels)
    assert mixed["list or table", "groups"] == 1
    assert mixed["list or table", "uniform"] == mixed["list or table", "torn"] == 0


def test_a_heading_counts_inside_the_kept_span_alone() -> None:
    torn = counts(without("What it costs"))
    assert (torn["headings", "gold"], torn["headings", "dropped"]) == (2, 1)
    assert torn["headings", "dropped from kept text"] == 1
    torn = counts(without("The ferry is back"))
    assert (torn["headings", "gold"], torn["headings", "dropped"]) == (1, 0)


def test_a_caption_of_the_gold_that_is_dropped_counts() -> None:
    torn = counts(without("The ferry at the pier"))
    assert (torn["captions", "gold"], torn["captions", "dropped"]) == (1, 1)


def test_a_table_loses_cells_or_all_of_them() -> None:
    header = counts(without("Ticket", "Price"))
    assert header["data tables", "dropped"] == header["data tables", "dropped in part"] == 1
    cells = ("Ticket", "Price", "Adult", "12 euros", "Child", "6 euros")
    whole = counts(without(*cells))
    assert (whole["data tables", "dropped"], whole["data tables", "dropped in part"]) == (1, 0)


def test_a_page_without_blocks_has_no_structures() -> None:
    page = tamis.parse("")
    assert not any(Structures(page, np.zeros(0)).counts(np.zeros(0, bool)).values())
