"""From examples to labels and samples."""

from __future__ import annotations

import numpy as np
import pytest

from tamis.evaluate.datasets import Example
from tamis.page.read import parse
from tamis.train import corpus
from tamis.train.corpus import labels, samples, source, sources

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
    found = labels_of(html, with_=("LEFT the  harbour",), without=("Menu of",))
    np.testing.assert_array_equal(found, [np.nan, 1, 0, np.nan])


def test_blocks_like_the_labelled_one_beside_it_are_labelled_alike() -> None:
    html = f"<div><p>{STORY}</p><p>{FOG}</p><h2>x</h2></div><ul><li>Home<li>News</ul>"
    found = labels_of(html, with_=("harbour",), without=("Home",))
    np.testing.assert_array_equal(found, [1, 1, np.nan, 0, 0])


def test_a_block_with_a_snippet_of_its_own_keeps_its_label() -> None:
    html = f"<div><p>{STORY}</p><p>Advertisement here</p><p>{FOG}</p></div>"
    found = labels_of(html, with_=("harbour",), without=("Advertisement",))
    assert found[:2] == [1, 0]


# Sources and samples


def test_the_site_is_named_or_the_host_or_the_id() -> None:
    assert source(example("<p>x", "x", site="a.example")).site == "a.example"  # type: ignore[union-attr]
    assert source(example("<p>x", "x", url="https://b.example/c")).site == "b.example"  # type: ignore[union-attr]
    assert source(example("<p>x", "x")).site == "1"  # type: ignore[union-attr]


def test_a_page_over_a_limit_is_left_out() -> None:
    deep = example("<div>" * 3000 + "x", "x")
    assert source(deep) is None
    assert len(sources([deep, example("<p>x", "x")])) == 1


def article(number: int, **more: object) -> Example:
    story = f"Day {number}: {STORY} and {FOG}"
    html = (
        f"<body><nav class=menu><a href=/>Start</a></nav><div class=wrap><article><h1>Fog of day"
        f" {number} again</h1><p>{story}</p><p>{story}</p></article></div><footer>Imprint</footer>"
    )
    text = f"Fog of day {number} again\n{story}\n{story}"
    values: dict[str, object] = {"text": text, "site": f"site{number}.example", **more}
    return Example(id=str(number), dataset="made", html=html, **values)  # type: ignore[arg-type]


def test_pages_as_they_are_come_first_and_those_made_over_after_them() -> None:
    found = sources(article(number) for number in range(20))
    made = list(samples(found, seed=1))
    assert 5 < len(made) - len(found) <= len(found)
    for one, sample in zip(found, made, strict=False):
        assert sample.site == one.site
        np.testing.assert_array_equal(sample.labels, one.labels)
    sites = {one.site for one in found}
    for sample in made[len(found) :]:
        assert sample.site in sites
        assert (sample.labels > 0.9).sum() >= 3
        assert len(sample.labels) == len(sample.words) == len(sample.values)


def test_the_same_seed_makes_the_same_samples() -> None:
    found = sources(article(number) for number in range(8))
    once, again, other = (list(samples(found, seed)) for seed in (1, 1, 2))
    assert len(once) == len(again)
    for one, same in zip(once, again, strict=True):
        np.testing.assert_array_equal(one.values, same.values)
    assert [one.size for one in once] != [one.size for one in other]


@pytest.mark.parametrize(
    "more", [{"page_type": "forum"}, {"text": None, "with_": ("harbour",)}, {"text": ""}]
)
def test_only_articles_with_content_are_made_over(
    more: dict[str, object], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(corpus, "_WITH_COMMENTS", 1.0)
    found = sources(article(number, **more) for number in range(4))
    assert len(list(samples(found))) == len(found)


def test_a_page_without_gold_text_has_no_length() -> None:
    (one,) = samples(sources([article(1, text=None, with_=("harbour",))]))
    assert np.isnan(one.gold_words)
    (one,) = samples(sources([article(1, page_type="forum")]))
    assert one.gold_words == len(article(1).text.split())  # type: ignore[union-attr]
