"""Counts of a site and what they tell about a block."""

from __future__ import annotations

import numpy as np
import pytest

import tamis
from tamis.methods.tamis import Tamis
from tamis.site import counts as module
from tamis.site.counts import CLUSTERS, HashTable, Reading, SiteCounts
from tamis.site.joint import COLUMNS, combine_counts, gather_evidence, score_alone
from tests.site.pages import PROMOTION, article, car, front


def reading(html: str) -> Reading:
    return score_alone(Tamis(), tamis.parse(html)).reading


def counted(*pages: str) -> SiteCounts:
    counts = SiteCounts.make_empty()
    for page in pages:
        counts = counts.add_page(reading(page))
    return counts


def column(counts: SiteCounts, html: str, name: str) -> np.ndarray:
    values = gather_evidence(counts, reading(html))
    assert values is not None
    return values[:, COLUMNS.index(name)]


def block_with(html: str, text: str) -> int:
    page = tamis.parse(html)
    return next(number for number in range(len(page.blocks)) if text in page.block_text(number))


# Readings


def test_digits_do_not_make_another_pattern_but_words_and_their_order_do() -> None:
    texts = ("© 2005 The Post", "© 2019 The Post", "© 2005 Post The", "© 2005 The Mail")
    patterns = reading("".join(f"<p>{text}" for text in texts)).pattern
    assert patterns[0] == patterns[1]
    assert len(set(patterns.tolist())) == 3


def test_a_pattern_is_that_of_the_block_whatever_is_around_it() -> None:
    left, right = reading("<p>Same here<p>Other"), reading("<div>First</div><p>Same <b>here</b>")
    assert left.pattern[0] == right.pattern[1]


def test_hidden_text_inside_a_visible_block_is_not_part_of_its_pattern() -> None:
    page = reading("<p>Seen <span style='display:none'>unseen</span> text<p>Seen text")
    assert page.pattern[0] == page.pattern[1]


@pytest.mark.parametrize("html", ["", "<p>", f"<p>one {chr(0x3FFFD)} two<p>three", "<p>…<p>— —"])
def test_pages_without_words_and_with_odd_ones_can_be_read(html: str) -> None:
    page = reading(html)
    assert len(page.pattern) == len(page.place) == len(tamis.parse(html).blocks)


# Evidence


def test_there_is_no_evidence_without_three_other_pages_of_the_template() -> None:
    page = article(1)
    few = counted(page, article(2), article(3), front())
    for counts in (SiteCounts.make_empty(), counted(page), counted(front()), few):
        assert gather_evidence(counts, reading(page)) is None
        known = score_alone(Tamis(), tamis.parse(page))
        assert combine_counts(counts, known) is known.scores


def test_shares_are_of_the_other_pages() -> None:
    page = article(9)
    promotion = block_with(page, PROMOTION)
    with_it = counted(*map(article, range(3)), page)
    for counts in (with_it, counted(*map(article, range(3)))):
        shares = column(counts, page, "pattern")
        assert shares[promotion] == 1
        assert shares[int(np.argmax(reading(page).words))] == 0
        assert column(counts, page, "pattern.pages")[promotion] == 3


def test_taking_a_page_out_gives_what_was_there_without_it() -> None:
    pages = [article(number) for number in range(5)]
    known, unknown = counted(*pages), counted(*pages[:-1])
    for name in COLUMNS:
        atol = 0.1 if name == "place.variety" else 1e-3
        values = [column(counts, pages[-1], name) for counts in (known, unknown)]
        assert np.allclose(*values, atol=atol), name


def test_articles_vary_in_their_place_and_a_menu_does_not() -> None:
    page = article(9)
    variety = column(counted(*map(article, range(6))), page, "place.variety")
    assert variety[block_with(page, "Weather")] < 0.3
    assert variety[int(np.argmax(reading(page).words))] > 0.7


def test_a_number_is_another_text_of_the_same_pattern() -> None:
    page = car(9)
    counts = counted(*map(car, range(5)))
    price = block_with(page, "$")
    assert column(counts, page, "pattern")[price] == 1
    assert column(counts, page, "text")[price] == 0
    assert column(counts, page, "place.texts")[price] > 0.9


def test_the_block_after_a_label_knows_on_how_many_pages_that_is() -> None:
    page = car(9)
    labels = column(counted(*map(car, range(5))), page, "label")
    assert labels[block_with(page, "Colour:") + 1] == 1
    # On its page more than once, or too long for a label.
    assert labels[block_with(page, "Compare") + 1] == 0
    assert labels[block_with(page, PROMOTION) + 1] == 0


def test_evidence_is_finite_on_every_page() -> None:
    counts = counted(*map(article, range(3)), front())
    for page in (article(7), front(1), article(3, "ru"), article(0)):
        values = gather_evidence(counts, reading(page))
        assert values is None or np.isfinite(values).all()


# Clusters


def test_pages_of_different_templates_are_counted_apart() -> None:
    counts = counted(article(0), front(0), article(1), front(1), article(2))
    assert counts.pages.tolist() == [3, 2]


def test_a_site_has_a_bounded_number_of_templates() -> None:
    counts = counted(*(f"<div class=c{chr(97 + n)}x><p>Words {n}</p></div>" for n in range(20)))
    assert len(counts.pages) <= CLUSTERS
    assert counts.pages.sum() == 20


def test_articles_and_pages_with_many_things_are_no_records() -> None:
    cars = [tamis.parse(car(number)) for number in range(6)]
    for many in (0.1, 0.9):
        counts = SiteCounts.make_empty()
        for page in cars[1:]:
            counts = counts.add_page(score_alone(Tamis(), page, many).reading)
        assert counts.may_be_records(score_alone(Tamis(), cars[0]).reading) == (many < 0.5)
    assert not counted(*map(article, range(6))).may_be_records(reading(article(9)))
    assert not SiteCounts.make_empty().may_be_records(reading(car(1)))


# Tables


def test_a_full_table_forgets_what_is_rare() -> None:
    table = HashTable.make_empty(1)
    often = np.array([3, 2**63], np.uint64)
    for start in range(10, 200, 10):
        keys = np.union1d(often, np.arange(start, start + 10, dtype=np.uint64))
        table = table.add_rows(keys, np.ones((len(keys), 1), np.float32), 40)
        assert len(table.keys) <= 40
        assert (np.diff(table.keys) > 0).all()
    assert table.find(often)[:, 0].tolist() == [19, 19]
    assert table.find(np.array([5], np.uint64))[0, 0] == 0


def test_counts_that_were_read_do_not_change(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_PLACES", 4)
    before = counted(article(0))
    copy = before.patterns.values.copy()
    after = before.add_page(reading(article(1)))
    assert after.pages.sum() == 2
    assert before.pages.sum() == 1
    assert np.array_equal(before.patterns.values, copy)
    assert len(after.places.keys) <= 4
