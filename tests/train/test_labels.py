"""From examples to labels."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np

from tamis.evaluate.datasets import Example
from tamis.page.read import parse
from tamis.train.labels import labelled_pages, labels, read

STORY = "The ferry left the harbour at six in the morning"
FOG = "nobody had expected the fog from the hills"


def example(html: str | bytes, text: str | None = None, **more: object) -> Example:
    return Example(id="1", dataset="made", html=html, text=text, **more)  # type: ignore[arg-type]


def labels_of(html: str, text: str | None = None, **more: object) -> list[float]:
    return labels(parse(html), example(html, text, **more)).tolist()


# Labels from a gold text


def test_a_label_is_the_share_of_a_blocks_words_in_the_gold() -> None:
    assert labels_of(f"<p>Menu<p>{STORY}<p>the fog and more", f"{STORY} the fog") == [0, 1, 0.5]


def test_visible_text_is_preferred_to_hidden_text() -> None:
    assert labels_of(f"<p hidden>{STORY}</p><p>{STORY}", STORY) == [0, 1]
    assert labels_of(f"<p>{STORY}</p><noscript><p>{STORY}</noscript>", STORY) == [1, 0]


def test_hidden_text_is_found_when_the_visible_page_has_it_not() -> None:
    assert labels_of(f"<p>Loading<noscript><p>Menu<p>{STORY}</noscript>", STORY) == [0, 0, 1]
    assert labels_of(f"<p>Loading<template><p>{STORY}</template>", STORY) == [0, 1]


def test_hidden_text_is_compared_with_what_the_visible_page_leaves() -> None:
    html = f"<p>{STORY}<div hidden><p>{STORY}<p>{FOG}</div>"
    assert labels_of(html, f"{STORY} {FOG}") == [1, 0, 1]


def test_a_few_missing_words_do_not_make_hidden_text_content() -> None:
    words = " ".join(f"word{number}" for number in range(100))
    assert labels_of(f"<p>{words}<p hidden>word7 extra", f"{words} extra") == [1, 0]


def test_an_empty_gold_makes_nothing_content() -> None:
    assert labels_of(f"<p>{STORY}<p hidden>{FOG}", "") == [0, 0]
    assert labels_of("", STORY) == []


# Labels from snippets


def test_snippets_label_their_blocks_and_nothing_is_known_of_the_others() -> None:
    html = f"<h1>Title</h1><p>{STORY}</p><div>Menu of the day</div><h2>More</h2>"
    known = labels_of(html, with_=("LEFT the  harbour",), without=("Menu of",))
    np.testing.assert_array_equal(known, [np.nan, 1, 0, np.nan])


def test_blocks_like_the_labelled_one_beside_it_get_the_same_label() -> None:
    html = f"<div><p>{STORY}</p><p>{FOG}</p><h2>x</h2></div><ul><li>Home<li>News</ul>"
    known = labels_of(html, with_=("harbour",), without=("Home",))
    np.testing.assert_array_equal(known, [1, 1, np.nan, 0, 0])


def test_a_block_with_a_snippet_of_its_own_keeps_its_label() -> None:
    html = f"<div><p>{STORY}</p><p>Advertisement here</p><p>{FOG}</p></div>"
    known = labels_of(html, with_=("harbour",), without=("Advertisement",))
    assert known[:2] == [1, 0]


# Labelled pages


def test_the_site_is_named_or_the_host_or_the_id() -> None:
    sources: list[dict[str, object]] = [{"site": "a.example"}, {"url": "https://b.example/c"}, {}]
    labelled = labelled_pages(example("<p>x", "x", **source) for source in sources)
    assert [page.site for page in labelled] == ["a.example", "b.example", "1"]


def test_a_page_over_a_limit_is_left_out() -> None:
    deep = example("<div>" * 3000 + "x", "x")
    assert not labelled_pages([deep])
    assert len(labelled_pages([deep, example("<p>x", "x")])) == 1


def test_sets_are_read_in_the_order_of_their_pages(tmp_path: Path) -> None:
    rows = [{"id": str(number), "html": f"<p>{STORY}<p>{FOG}", "text": FOG} for number in range(40)]
    path = tmp_path / "made.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    messages: list[str] = []
    labelled = read([path, path], messages.append)
    assert [page.example.id for page in labelled] == [row["id"] for row in rows] * 2
    assert all(page.labels.tolist() == [0, 1] for page in labelled)
    assert messages == ["reading made.jsonl"] * 2
