"""The attributes of Kim 2013."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import tamis
from tamis.methods import text_block_context as context


def units_of(html: str) -> tuple[list[str], context.Units]:
    page = tamis.parse(html)
    units = context.cut_units(page)
    return context.unit_texts(page, units), units


@pytest.mark.parametrize(
    ("html", "expected"),
    {
        "every tag but a separates": (
            "<p>One <a href=x>two</a> three <b>four</b> five<br>six</p>",
            ["One two three", "four", "five", "six"],
        ),
        "a link that something else closes is no separator of its own": (
            "<p>One <a href=x>two<p>three</p>",
            ["One two", "three"],
        ),
        "a tag whose name begins with a separates": (
            "<p>The <abbr>IAEA</abbr> said <address>here</address></p>",
            ["The", "IAEA", "said", "here"],
        ),
        "hidden text and units without a word are left out": (
            "<p>one<p hidden>two<p>***<p>three",
            ["one", "three"],
        ),
    }.values(),
)
def test_units_are_texts_between_tags_that_are_not_links(html: str, expected: list[str]) -> None:
    assert units_of(html)[0] == expected


def test_links_beside_each_other_are_one_unit() -> None:
    texts, units = units_of("<table><td><a href=1>one</a> <a href=2>two</a><td>three")
    assert texts == ["one two", "three"]
    assert units.link_words.tolist() == [2, 0]


def parents_of(html: str) -> list[str]:
    _, units = units_of(html)
    return [context.PARENTS[parent - 1] if parent else "other" for parent in units.parent]


def test_the_parent_is_the_element_around_the_unit() -> None:
    html = "<h3>By <b>the staff</b></h3><div>one<p>two</p></div><ul><li><a href=x>three</a></ul>"
    assert parents_of(html) == ["h3", "b", "other", "p", "a"]


def test_the_parent_of_text_with_links_is_around_both() -> None:
    assert parents_of("<p><a href=x>one</a> two</p>") == ["p"]
    assert parents_of("<li><a href=1>one</a> <a href=2>two</a></li>") == ["li"]


def test_an_unknown_element_is_another() -> None:
    assert parents_of("<x-note>one</x-note>") == ["other"]


def test_distances_are_the_tags_between() -> None:
    _, units = units_of("<p>one</p><div><p>two</p></div><p>three <b>four</b></p>")
    #                    1              2              3          1
    assert units.lines_before.tolist() == [0, 3, 3, 1]


def test_word_density_counts_sentences_of_80_words() -> None:
    html = f"<p>{'word ' * 80}<p>{'word ' * 81}<p>one <a href=x>two</a>"
    _, units = units_of(html)
    own = context.measure_units(units)[:, 10:15]
    assert own[:, 0].tolist() == [80, 40.5, 2]
    assert own[:, 1].tolist() == [0, 0, 0.5]


def test_neighbours_stand_beside_and_are_0_beyond_the_ends() -> None:
    _, units = units_of("<p>a<p>b b<p>c c c")
    words = context.measure_units(units)[:, ::5]
    assert words.tolist() == [[0, 0, 1, 2, 3], [0, 1, 2, 3, 0], [1, 2, 3, 0, 0]]
    after = context.measure_units(units)[:, 14]
    assert after.tolist() == [1, 1, 0]


def test_the_parent_becomes_columns_of_0_and_1() -> None:
    _, units = units_of("<p>one<h2>two</h2>")
    table = context.expand_parents(context.measure_units(units))
    assert table.shape == (2, len(context.BINARY_NAMES))
    assert table[0, context.BINARY_NAMES.index("parent=p[+0]")] == 1
    assert table[0, context.BINARY_NAMES.index("parent=h2[+1]")] == 1
    assert table[1, context.BINARY_NAMES.index("parent=p[-1]")] == 1
    assert table[0, context.BINARY_NAMES.index("word_density[+1]")] == 1


def test_there_are_the_25_attributes_and_22_tags_of_the_paper() -> None:
    assert len(context.NAMES) == 25
    assert len(context.PARENTS) == 22


def test_scores_of_units_become_means_over_the_words_of_blocks() -> None:
    page = tamis.parse("<p>one two three <b>four</b><p>***")
    units = context.cut_units(page)
    assert context.on_blocks(page, units, np.array([1.0, 0.0])).tolist() == [0.75, 0]


@pytest.mark.parametrize("html", ["", "<p>***", "<p hidden>x"])
def test_a_page_without_units_has_empty_tables(html: str) -> None:
    page = tamis.parse(html)
    units = context.cut_units(page)
    assert context.expand_parents(context.measure_units(units)).shape == (
        0,
        len(context.BINARY_NAMES),
    )
    assert not context.on_blocks(page, units, np.zeros(0)).any()


def test_units_of_real_pages_have_the_words_of_the_visible_blocks(folder: Path) -> None:
    page = tamis.parse((folder / "source.html").read_bytes())
    units = context.cut_units(page)
    counted = np.bincount(units.block, units.words, len(page.blocks))
    visible = page.blocks.flags & tamis.page.tags.HIDDEN == 0
    np.testing.assert_array_equal(counted[visible], page.blocks.words[visible])
    assert not counted[~visible].any()
