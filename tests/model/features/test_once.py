"""Passages that a page has twice, and stories after its own."""

from __future__ import annotations

import numpy as np

import tamis
from tamis.model.features import once, structure
from tamis.model.features.batch import Batch
from tamis.page.read import parse
from tests.model.features.test_structure import slow_columns
from tests.uncompiled import from_source

SIEVE = (
    "<p>A tamis is a drum of wood with a mesh of silk, horsehair or steel.</p>"
    "<p>Cooks rub purees and flour through it with a scraper, and what is coarse stays behind.</p>"
    "<p>The finest ones are made in two villages of the Jura, where the mesh is still woven.</p>"
)


def extra(html: str, odds: list[float] | None = None) -> list[str]:
    batch = Batch.of([parse(html)])
    values = np.array(odds) if odds else np.ones(len(batch))
    kinds = once.extra(batch.columns, structure.groups(batch.columns), values)
    return [once.NAMES[kind] for kind in kinds]


# Copies


def test_a_passage_that_is_there_again_elsewhere_is_a_copy() -> None:
    html = f"<div class=desktop>{SIEVE}</div><div class=mobile>{SIEVE}</div><p>End."
    assert extra(html) == ["", "", "", "copy", "copy", "copy", ""]


def test_the_copy_with_clearly_higher_odds_stays() -> None:
    html = f"<div class=print>{SIEVE}</div><div class=screen>{SIEVE}</div>"
    assert extra(html, [-1.0] * 3 + [2.0] * 3) == ["copy", "copy", "copy", "", "", ""]


def test_a_short_sentence_may_be_there_twice() -> None:
    html = "<div class=lead><p>Sieves for all kitchens.</div><p>Sieves for all kitchens."
    assert extra(html) == ["", ""]


def test_the_same_text_on_the_same_path_is_no_copy() -> None:
    assert extra(f"<main>{SIEVE}</main><main>{SIEVE}</main>") == [""] * 6


def test_a_post_that_quotes_another_keeps_the_quotation() -> None:
    posts = "".join(
        f"<div class=post><div class=text>{text}</div></div>"
        for text in (SIEVE, f"<blockquote>{SIEVE}</blockquote><p>So it is.", "<p>Thank you.")
    )
    assert extra(f"<main>{posts}</main>") == [""] * 8


def test_blocks_out_of_order_are_no_passage() -> None:
    turned = "".join(reversed(SIEVE.replace("</p>", "</p>\n").splitlines()))
    html = f"<div class=a>{SIEVE}</div><div class=b>{turned}</div>"
    assert extra(html) == [""] * 6


# Stories


STORY = "<article><h1>{}</h1><p>" + "It went on for a long time that day. " * 8 + "</article>"


def stories(title: str, *headlines: str) -> str:
    return f"<title>{title}</title>" + "".join(map(STORY.format, headlines))


def test_a_story_below_the_one_that_the_title_names_is_another() -> None:
    html = stories(
        "Fire in the old mill | The Valley Post", "Fire in the old mill", "Bakers win again in May"
    )
    assert extra(html) == ["", "", "story", "story"]


def test_without_a_headline_in_the_title_all_stories_stay() -> None:
    assert extra(stories("News", "Fire in the old mill", "Bakers win again in May")) == [""] * 4


def test_a_second_part_under_the_same_headline_is_the_same_story() -> None:
    title = "Fire in the old mill"
    assert extra(stories(title, title, f"{title}: the night after")) == [""] * 4


def test_a_teaser_is_no_story() -> None:
    html = stories("Fire in the old mill", "Fire in the old mill")
    assert extra(f"{html}<article><h1>Bakers win again in May</h1></article>") == [""] * 3


# Uses


def test_pages_of_a_batch_are_looked_at_one_by_one() -> None:
    pages = [parse(f"<div class={name}>{SIEVE}</div>") for name in ("a", "b")]
    batch = Batch.of(pages)
    groups = structure.groups(batch.columns)
    assert not once.extra(batch.columns, groups, np.ones(len(batch))).any()


def test_it_is_the_same_uncompiled(sources: dict[str, bytes]) -> None:
    slow = from_source("model.features.once")[0]
    for source in [*sources.values()][:2]:
        batch = Batch.of([parse(source + source)])
        odds = np.random.default_rng(3).normal(1, 3, len(batch))
        groups = structure.groups(batch.columns)
        np.testing.assert_array_equal(
            once.extra(batch.columns, groups, odds),
            slow.extra(slow_columns(batch), groups, odds),
        )


def test_a_page_that_has_its_article_twice_gives_it_once_and_says_why() -> None:
    body = SIEVE * 2
    html = (
        "<title>The tamis</title><body><nav><a href=/>Home</a></nav>"
        f"<div class='story desktop'><h1>The tamis</h1>{body.replace('tamis', 'sieve')}</div>"
        f"<div class='story mobile'><h1>The tamis</h1>{body.replace('tamis', 'sieve')}</div>"
    )
    result = tamis.extract(html)
    assert result.text.count("Cooks rub purees and flour") <= 2
    assert any("this passage twice" in reason.because for reason in result.reasons)
