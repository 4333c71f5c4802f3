"""Odds that are the same for blocks that belong together."""

from __future__ import annotations

import numpy as np

import tamis
from tamis.model.features import corrections, group_features
from tamis.model.features.batch import Batch
from tamis.page.reader import parse
from tests.model.features.test_group_features import THREAD, slow_columns
from tests.uncompiled import from_source


def settled(html: str, odds: list[float]) -> list[float]:
    batch = Batch.from_pages([parse(html)])
    groups = group_features.find_groups(batch.columns)
    return corrections.combine_odds(batch.columns, groups, *[np.array(odds)] * 2).round(6).tolist()


def test_posts_that_agree_get_the_same_odds() -> None:
    names, messages = [-3.0] * 5, [0.2, -0.4, 0.6, 0.1, -0.3]
    odds = [value for pair in zip(names, messages, strict=True) for value in pair]
    result = settled(THREAD, odds)
    assert len(set(result[1::2])) == 1
    assert result[0::2] == names


def test_a_block_with_strong_evidence_keeps_its_own() -> None:
    items = "<ul>{}</ul>".format("".join(f"<li>{'word ' * 6}" for _ in range(6)))
    result = settled(items, [0.0, 0.1, -0.1, 0.0, 0.0, 6.0])
    assert result[5] == 6.0
    assert len({round(odds, 6) for odds in result[:5]}) == 1


def test_cells_of_a_data_table_stay_together_but_not_of_one_that_lays_out_the_page() -> None:
    data = "<table><tr><th>Year<th>Boats<tr><td>1999<td>7<tr><td>2004<td>9</table>"
    assert len(set(settled(data, [-1.0, -1.2, 1.0, 1.2, 1.0, 0.8]))) == 1
    layout = "<table><tr><td><p>a</p><div>b</div><pre>c</pre><center>d</center></table>"
    assert settled(layout, [-1.0, -1.2, 1.0, 1.2]) == [-1.0, -1.2, 1.0, 1.2]


def test_a_heading_goes_with_what_follows_it() -> None:
    assert settled("<p>a<h2>b</h2><p>c", [-5.0, -1.0, 1.5]) == [-5.0, 1.5, 1.5]
    # But not if it is far below, nor down.
    assert settled("<p>a<h2>b</h2><p>c", [-5.0, -4.0, 1.5]) == [-5.0, -4.0, 1.5]
    assert settled("<p>a<h2>b</h2><p>c", [-5.0, 2.0, -1.5]) == [-5.0, 2.0, -1.5]


def test_headings_in_a_row_go_with_the_block_below() -> None:
    assert settled("<h2>a</h2><h3>b</h3><p>c", [0.0, -1.0, 1.0]) == [1.0, 1.0, 1.0]


def test_a_headline_keeps_its_own() -> None:
    assert settled("<h1>a</h1><h2>b</h2><p>c", [0.0, -1.0, 1.0]) == [0.0, 1.0, 1.0]


def test_a_fifth_of_the_first_models_odds_counts() -> None:
    batch = Batch.from_pages([parse("<p>a")])
    groups = group_features.find_groups(batch.columns)
    result = corrections.combine_odds(batch.columns, groups, np.array([5.0]), np.array([0.0]))
    assert result.tolist() == [1.0]


def test_no_blocks_are_settled_to_nothing() -> None:
    assert settled("", []) == []


def test_a_button_inside_a_heading_is_a_heading() -> None:
    html = "<p>a<h3><button>b</button></h3><p>c"
    assert settled(html, [-5.0, -1.0, 1.5]) == [-5.0, 1.5, 1.5]


def test_odds_are_settled_alike_uncompiled(sources: dict[str, bytes]) -> None:
    slow = from_source("model.features.corrections")[0]
    for source in [*sources.values()][:2]:
        batch = Batch.from_pages([parse(source)])
        odds = np.random.default_rng(2).normal(-1, 3, len(batch))
        groups = group_features.find_groups(batch.columns)
        np.testing.assert_array_equal(
            corrections.combine_odds(batch.columns, groups, odds, odds),
            slow.combine_odds(slow_columns(batch), groups, odds, odds),
        )


SIEVE = (
    "<p>A tamis is a drum of wood with a mesh of silk, horsehair or steel.</p>"
    "<p>Cooks rub purees and flour through it with a scraper, and what is coarse stays behind.</p>"
    "<p>The finest ones are made in two villages of the Jura, where the mesh is still woven.</p>"
)


def extra(html: str, odds: list[float] | None = None) -> list[str]:
    batch = Batch.from_pages([parse(html)])
    values = np.array(odds) if odds else np.ones(len(batch))
    kinds = corrections.find_extra_blocks(
        batch.columns, group_features.find_groups(batch.columns), values
    )
    return [corrections.EXTRA_KINDS[kind] for kind in kinds]


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
    batch = Batch.from_pages(pages)
    groups = group_features.find_groups(batch.columns)
    assert not corrections.find_extra_blocks(batch.columns, groups, np.ones(len(batch))).any()


def test_it_is_the_same_uncompiled(sources: dict[str, bytes]) -> None:
    slow = from_source("model.features.corrections")[0]
    for source in [*sources.values()][:2]:
        batch = Batch.from_pages([parse(source + source)])
        odds = np.random.default_rng(3).normal(1, 3, len(batch))
        groups = group_features.find_groups(batch.columns)
        np.testing.assert_array_equal(
            corrections.find_extra_blocks(batch.columns, groups, odds),
            slow.find_extra_blocks(slow_columns(batch), groups, odds),
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
