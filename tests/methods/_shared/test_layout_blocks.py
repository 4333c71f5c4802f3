"""Blocks as Peters and Lecocq publish them."""

from __future__ import annotations

import numpy as np
import pytest

import tamis
from tamis.methods._shared.layout_blocks import PUBLISHED_TOKENS, LayoutBlocks, cut_layout


def of(html: str) -> LayoutBlocks:
    return cut_layout(tamis.parse(html))


def test_a_block_begins_at_each_layout_tag_and_at_no_other() -> None:
    page = of("<h1>Ferry news</h1><ul><li>one<li>two</ul><div>three<p>four</p>five</div><td>six")
    assert page.texts == ["Ferry news one two", "three", "four five six"]


def test_the_title_and_what_comes_before_a_layout_tag_are_the_first_block() -> None:
    assert of("<title>Harbour  times</title>Hello <p>text").texts == ["Harbour times Hello", "text"]
    assert of("<title>Harbour times</title><p>text").texts == ["Harbour times", "text"]


def test_blocks_without_a_word_are_none() -> None:
    page = of("<div><div>*<p> - <p>word<p>")
    assert page.texts == ["word"]
    assert page.of_text.tolist() == [-1, -1, 0]


def test_what_is_hidden_is_text_but_elements_that_are_no_text_are_left_out() -> None:
    page = of(
        "<p>one <span hidden>two</span> <button>Send</button><select><option>x</select>"
        "<noscript>no</noscript><fieldset><p>in</fieldset> three"
    )
    assert page.texts == ["one two three"]


def test_a_link_is_one_piece() -> None:
    page = of("<div class=a>one <a href=x class=b>two <div class=c>three</div></a> four")
    assert page.texts == ["one two three four"]
    assert page.link_texts == ["two three"]
    assert page.attributes["class"] == ["a b"]


def test_text_density_counts_lines_of_80_characters_without_the_last() -> None:
    words = "abcd " * 15 + "abcde"  # 80 characters, 16 words
    assert of(f"<p>{words}").text_density.tolist() == [16]
    # 162 characters: the two full lines have 16 words each, the third does not count.
    assert of(f"<p>{words} {words[:79]} z").text_density.tolist() == [32 / 2]
    # 81 characters: one full line.
    assert of(f"<p>{words}z").text_density.tolist() == [16]


def test_link_density_is_that_of_the_words_and_of_no_link_one_word() -> None:
    page = of("<p>one two <a href=x>three four</a><p>one two three four<p><a href=x>one</a>")
    assert page.link_density.tolist() == [2 / 4, 1 / 4, 1]


def test_tags_are_those_of_the_block_alone() -> None:
    page = of("<div></div><div><b>abcd</b> <i>efg</i><br><p>abc")
    assert page.tags.tolist() == [4, 1]
    assert page.tag_ratios.tolist() == [8 / 4, 3]


def test_ids_and_classes_of_all_elements_of_the_block_count_with_text_or_without() -> None:
    page = of(
        "<div class='Widget-Box'><div class='navigation' id=topLinks><ul class=x><li class=item>one"
        "</ul><span class=avatar></span><p class=story>two</div>"
    )
    assert page.attributes["class"] == ["navigation x item avatar", "story"]
    assert page.attributes["id"] == ["toplinks", ""]
    assert page.tokens() == [
        {"class:nav", "class:item", "class:avatar", "id:top", "id:link"},
        frozenset(),
    ]


def test_a_token_is_any_part_of_a_name() -> None:
    page = of("<p class=postcomment>one<p class=post id=comment>two")
    table = page.token_features(("class:comment", "class:post", "id:comment"))
    assert table.tolist() == [[1, 1, 0], [0, 1, 1]]


def test_31_tokens_are_published() -> None:
    kinds = [token.partition(":")[0] for token in PUBLISHED_TOKENS]
    assert (kinds.count("id"), kinds.count("class")) == (8, 23)


def test_scores_come_back_as_means_over_the_characters_of_our_blocks() -> None:
    page = tamis.parse("<ul><li>abcd<li>efgh</ul><p>one <b>two</b><p hidden>no</p>")
    blocks = cut_layout(page)
    assert blocks.texts == ["abcd efgh", "one two", "no"]
    assert blocks.on_blocks([0.25, 1.0, 1.0]).tolist() == [0.25, 0.25, 1.0, 0.0]


@pytest.mark.parametrize("html", ["", "<p>", "<title></title>", "<script>x</script>"])
def test_a_page_without_words_has_no_blocks(html: str) -> None:
    page = of(html)
    assert page.texts == []
    assert page.text_density.shape == page.link_density.shape == page.tag_ratios.shape == (0,)
    assert page.on_blocks(np.zeros(0)).tolist() == [0.0] * len(page.page.blocks)
