"""Tokens of id and class."""

from __future__ import annotations

import numpy as np
import pytest

import tamis
from tamis.methods.dragnet import block_tokens, token_features, tokens_of


def tokens_by_text(html: str) -> dict[str, set[str]]:
    page = tamis.parse(html)
    blocks = np.arange(len(page.blocks))
    return dict(zip(page.block_texts(blocks), block_tokens(page, blocks), strict=True))


@pytest.mark.parametrize(
    ("value", "tokens"),
    [
        ("nav-main", ["nav", "main"]),
        ("sideBar2", ["side", "bar"]),
        ("RSSFeed", ["rss", "feed"]),
        ("post_1234", ["post"]),
        ("меню", ["меню"]),
        ("  ", []),
    ],
)
def test_a_token_is_a_run_of_letters(value: str, tokens: list[str]) -> None:
    assert tokens_of(value) == tokens


def test_a_block_has_the_tokens_of_its_element_and_of_those_inside() -> None:
    tokens = tokens_by_text(
        "<p class=intro id=first>One <b class=key>two <i class=deep>three</i></b></p><p>four</p>"
    )
    assert tokens["One two three"] == {"class:intro", "id:first", "class:key", "class:deep"}
    assert tokens["four"] == set()


def test_elements_count_up_to_the_outermost_that_holds_no_other_text() -> None:
    tokens = tokens_by_text(
        "<div class=page><div class=widget><ul class=menu><li class=item>one</li></ul></div>"
        "<p>two</p></div>"
    )
    assert tokens["one"] == {"class:item", "class:menu", "class:widget"}
    assert tokens["two"] == set()


def test_hidden_text_is_no_other_text_and_brings_no_tokens() -> None:
    tokens = tokens_by_text(
        "<div class=box><p class=text>one <i hidden class=no>two</i></p><p hidden>x</div>last"
    )
    assert tokens["one"] == {"class:text", "class:box"}


def test_listed_tokens_become_columns() -> None:
    page = tamis.parse(
        "<p class='nav top'>one</p><p class=nav id=nav>two</p><p class=other>three</p>"
    )
    columns = {"class:nav": 0, "class:top": 1, "id:nav": 2, "class:none": 3}
    table = token_features(page, np.arange(3), columns)
    assert table.tolist() == [[1, 1, 0, 0], [1, 0, 1, 0], [0, 0, 0, 0]]


def test_rows_stand_for_the_blocks_that_were_asked_for() -> None:
    page = tamis.parse("<p class=a>one</p><p class=b>two</p><p class=a>three</p>")
    assert token_features(page, np.array([1, 2]), {"class:a": 0}).tolist() == [[0], [1]]


def test_the_table_says_what_the_sets_say(folder: object) -> None:
    page = tamis.parse((folder / "source.html").read_bytes())  # type: ignore[operator]
    blocks = np.flatnonzero(page.blocks.flags & tamis.page.tags.HIDDEN == 0)
    sets = block_tokens(page, blocks)
    tokens = sorted(set().union(*sets))
    table = token_features(page, blocks, {token: place for place, token in enumerate(tokens)})
    assert [{tokens[hit] for hit in np.flatnonzero(row)} for row in table] == sets


@pytest.mark.parametrize("html", ["", "<p>no attributes"])
def test_without_attributes_all_is_0(html: str) -> None:
    page = tamis.parse(html)
    table = token_features(page, np.arange(len(page.blocks)), {"class:nav": 0})
    assert table.shape == (len(page.blocks), 1)
    assert not table.any()


def test_thousands_of_nested_elements_are_no_work_without_end() -> None:
    page = tamis.parse("<b class=x>w " * 1900)
    assert token_features(page, np.arange(len(page.blocks)), {"class:x": 0}).all()
