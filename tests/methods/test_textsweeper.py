"""The ratio against a plain transcription, and each rule on a small page."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tamis
from tamis.methods.textsweeper import Textsweeper
from tamis.page import tags
from tamis.page.structure.subtrees import mark_outside_forms
from tests.describe import teaser_pages

METHOD = Textsweeper()
SENTENCE = "A sentence that is a part of the text of this page. "
ARTICLE = f"<article><h1>The headline of it</h1>{f'<p>{SENTENCE * 6}</p>' * 5}</article>"
MENU = "<ul>" + "".join(f"<li><a href=/{n}>Item {n}</a>" for n in range(10)) + "</ul>"


def kept(html: str, method: Textsweeper = METHOD) -> list[str]:
    page = tamis.parse(html)
    return page.block_texts(np.flatnonzero(method.score(page) >= 0.5))


def linked(html: str, method: Textsweeper = METHOD) -> list[str]:
    """The texts that count as links."""
    page = tamis.parse(html)
    return [page.text(int(text)) for text in np.flatnonzero(method.sweep(page).linked)]


# The ratio


def weight(name: str) -> float:
    if name in ("h1", "h2", "h3", "h4", "h5", "h6"):
        return 1.5
    return 1.2 if name in ("b", "strong") else 1.0


def test_the_ratio_is_that_of_the_paper(folder: Path) -> None:
    page = tamis.parse((folder / "source.html").read_bytes())
    nodes, texts = page.nodes, page.texts
    seen = mark_outside_forms(page)
    chars = texts.chars * seen
    swept = METHOD.sweep(page)
    links, got = swept.linked, swept.ratio
    for node in range(len(nodes)):
        net = every = 0.0
        for text in range(int(nodes.first_text[node]), int(nodes.end_text[node])):
            own = int(texts.node[text])
            parent = max(int(nodes.parent[own]), 0)
            every += chars[text]
            if not links[text]:
                net += chars[text] * weight(page.tag_name(own)) * weight(page.tag_name(parent))
        count = sum(
            nodes.first_text[inner] < nodes.end_text[inner]
            and bool(tags.TRAITS[tags.ID.get(page.tag_name(inner), 0)] & tags.BLOCK)
            for inner in range(node, int(nodes.last[node]) + 1)
        )
        expected = every**0.5 * net / max(count + int(nodes.depth[node]), 1)
        assert got[node] == pytest.approx(expected), page.xpath(node)


# What is returned


def test_the_article_is_returned_without_the_menus() -> None:
    lines = kept(MENU + ARTICLE + MENU)
    assert lines == ["The headline of it", *[(SENTENCE * 6).strip()] * 5]


def test_elements_nearly_as_good_are_joined_by_their_common_ancestor() -> None:
    two = f"<div>{ARTICLE}</div><div>{ARTICLE}</div>"
    assert len(kept(f"<main>{two}</main>{MENU}")) == 12
    deep = "<div>" * 9 + ARTICLE + "</div>" * 9
    uneven = f"<main>{ARTICLE * 3}</main><aside>{deep}</aside>{MENU}"
    assert len(kept(uneven, Textsweeper(tolerance=1, length_power=0))) == 18
    assert len(kept(uneven, Textsweeper(tolerance=0.2, length_power=0))) == 24


def test_short_and_linked_parts_are_cleaned_away() -> None:
    html = ARTICLE.replace(
        "</h1>", f"</h1><p>Short</p>{MENU}<div><a href=x>Some more links</a></div>"
    )
    assert kept(html) == kept(ARTICLE)
    assert "Short" in kept(html, Textsweeper(shortest=0))
    assert "Some more links" in kept(html, Textsweeper(link_share=1))


@pytest.mark.parametrize(
    "html", ["", "<p hidden>x", "<form><p>x</form>", MENU, "<p><a href=x>Read more</a>"]
)
def test_a_page_without_net_text_has_no_content(html: str) -> None:
    page = tamis.parse(html)
    assert kept(html) == []
    assert METHOD.net_length(page) == 0
    assert METHOD.overview(page) == 1


def test_forms_go_unless_they_are_the_frame_of_the_page() -> None:
    assert kept(f"{ARTICLE}<form><p>{SENTENCE}</form>") == kept(ARTICLE)
    assert kept(f"<form>{ARTICLE}</form>") == kept(ARTICLE)


# Links


def test_elements_with_onclick_are_links() -> None:
    html = "<div><p onclick='go()'>Go <b>there</b></p><p>Stay</p></div>"
    assert linked(html) == ["Go", "there"]


def test_a_wrapper_with_onclick_is_no_link() -> None:
    html = f"<div onclick='count()'>{ARTICLE}</div>{MENU}"
    assert kept(html) == kept(ARTICLE)
    assert linked(f"<div onclick='count()'>{ARTICLE}</div>") == []


def test_onclick_on_the_body_makes_no_link_of_the_page() -> None:
    assert linked("<body onclick='count()'><p>Stay</p>") == []


@pytest.mark.parametrize(
    "phrase",
    [
        "Read more",
        "READ MORE »",
        "Read more &raquo;",
        "more",
        "Continue reading →",
        "Weiterlesen",
        "Lire la suite",
        "Leer más",
        "Читать далее",
        "อ่านต่อ",
        "続きを読む",
        "阅读全文",
        "더보기",
        "اقرأ المزيد",
    ],
)
def test_a_teaser_phrase_makes_the_element_and_its_parent_a_link(phrase: str) -> None:
    html = f"<div><p>A teaser. <span>{phrase}</span></p></div><p>Stay</p>"
    assert len(linked(html)) == 2
    assert "Stay" not in linked(html)


@pytest.mark.parametrize("dots", ["...", "…", "&hellip;", "[…]"])
def test_dots_make_the_element_a_link_but_not_its_parent(dots: str) -> None:
    assert len(linked(f"<div><p>A teaser that ends in {dots}</p><p>Stay</p></div>")) == 1


@pytest.mark.parametrize("text", ["There is no more", "Nothing", "He said more."])
def test_ordinary_sentences_are_no_links(text: str) -> None:
    assert linked(f"<div><p>{text}</p></div>") == []


def test_an_element_longer_than_a_teaser_stays() -> None:
    html = f"<div>{SENTENCE * 10}<span>Read more</span></div>"
    assert linked(html) == ["Read more"]


# Overview pages


def test_a_list_of_teasers_is_an_overview_page() -> None:
    teaser = (
        "<div><h2><a href=x>A headline</a></h2>"
        "<p>A short teaser of it ... <a href=x>Read more</a></p></div>"
    )
    page = tamis.parse(MENU + teaser * 12)
    assert METHOD.overview(page) > 0.5
    assert METHOD.overview(tamis.parse(MENU + ARTICLE)) < 0.5
    assert METHOD.net_length(page) < METHOD.net_length(tamis.parse(ARTICLE))


@pytest.mark.parametrize("words", teaser_pages.LENGTHS)
@pytest.mark.parametrize("row", teaser_pages.LAYOUTS)
def test_a_list_of_long_teasers_is_an_overview_page(row: teaser_pages.Row, words: int) -> None:
    for html in teaser_pages.pages(row, words):
        assert METHOD.overview(tamis.parse(html)) > 0.5


@pytest.mark.parametrize("words", teaser_pages.LENGTHS)
def test_as_published_long_teasers_that_end_in_a_phrase_are_found_too(words: int) -> None:
    paper = Textsweeper(variant="paper")
    for html in teaser_pages.pages(teaser_pages.cards, words):
        assert paper.overview(tamis.parse(html)) > 0.5


def test_the_verdict_takes_phrases_that_lead_nowhere_if_they_repeat() -> None:
    teaser = f"<div><p>{SENTENCE * 3}</p><span>Weiterlesen</span></div>"
    assert METHOD.overview(tamis.parse(MENU + teaser * 9)) > 0.5
    assert METHOD.overview(tamis.parse(MENU + teaser * 4 + f"<p>{SENTENCE * 20}</p>")) < 0.5


def test_one_more_or_one_click_around_an_article_makes_no_overview_page_of_it() -> None:
    paper = Textsweeper(variant="paper")
    for html in (
        f"<div onclick='count()'>{ARTICLE}</div>{MENU}",
        f"<div>{ARTICLE}<span>Read more</span></div>{MENU}",
    ):
        page = tamis.parse(html)
        assert METHOD.overview(page) < 0.5 < paper.overview(page)


def test_teasers_that_repeat_count_for_the_verdict_alone() -> None:
    page = tamis.parse(teaser_pages.page(teaser_pages.cards, 60, 0))
    assert METHOD.net_length(page) < 20
    assert METHOD.score(page).sum() > 20


def test_the_net_text_has_no_links_in_it() -> None:
    page = tamis.parse(f"<p>{SENTENCE * 20}<a href=x>and a link</a>")
    assert METHOD.net_length(page) == len("".join(SENTENCE.split())) * 20


@pytest.mark.parametrize(("below", "sure"), [(0, 0), (40, 0.5), (41, 41 / 81), (120, 0.75)])
def test_a_page_is_an_overview_if_its_net_text_is_below_the_threshold(
    below: float, sure: float
) -> None:
    page = tamis.parse(f"<p>{'forty ' * 8}</p>")  # 40 letters
    assert METHOD.net_length(page) == 40
    assert Textsweeper(overview_below=below).overview(page) == sure


def news(stories: int) -> str:
    story = (
        "<article><h2><a href=/s>The bridge is closed</a></h2><p>The county has closed the bridge"
        " for repairs, and the ferry will run every ten minutes until the spring. ...</p></article>"
    )
    head = "<header><a href=/>Courier</a> <a href=/n>News</a> <a href=/s>Sport</a></header>"
    return f"<title>Courier</title>{head}<main>{story * stories}</main><footer>Imprint</footer>"


def test_the_threshold_of_the_method_decides_what_is_skipped() -> None:
    short = f"<title>Notice</title>{MENU}<main><h1>Notice</h1><p>{SENTENCE * 8}</p></main>"
    skipped = tamis.extract(short, method="textsweeper", overview="skip")
    assert skipped.text == ""
    assert skipped.overview == 700 / (700 + METHOD.net_length(skipped.page))
    assert "Dropped by the option overview" in skipped.blocks[-1].reason
    assert skipped.to_dict()["overview"] == skipped.overview
    lower = tamis.extract(
        short, method="textsweeper", parameters={"overview_below": 300.0}, overview="skip"
    )
    assert lower.overview < 0.5
    assert SENTENCE.strip() in lower.text
    # The types of the page decide for a method without a verdict.
    assert SENTENCE.strip() in tamis.extract(short, overview="skip").text


def test_of_a_page_of_teasers_the_entries_alone_can_be_had() -> None:
    options = {"method": "textsweeper", "overview": "items"}
    assert tamis.extract(news(12), **options).text.count("closed the bridge") == 12
    assert len(tamis.extract(news(12), **options).items) == 1  # all have one address


def test_the_verdict_is_the_same_in_many_pages_at_once() -> None:
    pages = [news(9), MENU + ARTICLE] * 3
    results = list(tamis.extract_many(pages, method="textsweeper", overview="skip", workers=2))
    assert [bool(result.text) for result in results] == [False, True] * 3
    assert results[0].overview > 0.5 > results[1].overview


# As published


def test_what_is_equal_to_the_tolerance_is_not_above_it() -> None:
    # Without the bias: 60 letters over 1 tag and depth 2, and 54: 20 and 18, nine tenths.
    page = tamis.parse(f"<p>{'sixsix ' * 10}</p>{MENU}<p>{'sixsix ' * 9}</p>")
    swept = Textsweeper(length_power=0).sweep(page)
    assert sorted(swept.ratio.tolist())[-2:] == [18, 20]
    assert page.tag_name(swept.node) == "p"
    wider = Textsweeper(length_power=0, tolerance=0.89).sweep(page)
    assert page.tag_name(wider.node) == "body"


def test_a_tolerance_of_1_returns_the_best_alone() -> None:
    html = f"<p>{SENTENCE * 9}</p><p>{SENTENCE}</p>"
    assert len(kept(html, Textsweeper(tolerance=1, length_power=0))) == 1


def test_as_published_clicks_and_teasers_are_links_whatever_their_length() -> None:
    paper = Textsweeper(variant="paper")
    click = f"<div onclick='count()'>{ARTICLE}</div>"
    assert (len(kept(click)), kept(click, paper)) == (6, [])
    teaser = f"<div>{SENTENCE * 10}<span>Read more</span></div>"
    assert len(linked(teaser, paper)) == 2
    dots = "<div><p>A teaser that ends in ...</p><p>Beside it</p></div>"
    assert len(linked(dots, paper)) == 2


def test_as_published_every_form_goes_and_empty_elements_are_tags() -> None:
    paper = Textsweeper(variant="paper")
    assert kept(f"<form>{ARTICLE}</form>", paper) == []
    page = tamis.parse("<div><p>Eight and ten</p><p></p></div>")  # div: 3 tags at depth 2
    bounded = METHOD.sweep(page).ratio
    assert paper.sweep(page).ratio[2] == pytest.approx(bounded[2] * 4 / 5)


# Smoothing


def test_smoothing_mixes_the_ratio_of_the_parent_into_that_of_each_element() -> None:
    page = tamis.parse(f"<main><p>{SENTENCE * 5}</p><p>{SENTENCE}</p></main>")
    plain, smooth = METHOD.sweep(page).ratio, Textsweeper(smoothing=0.25).sweep(page).ratio
    main, first = len(plain) - 3, len(plain) - 2
    assert smooth[first] == pytest.approx(0.75 * plain[first] + 0.25 * plain[main])


def test_smoothing_over_siblings_is_a_gaussian_of_those_with_text() -> None:
    html = f"<main><p>{SENTENCE * 5}</p><p></p><p>{SENTENCE}</p></main><aside>{SENTENCE}</aside>"
    page = tamis.parse(html)
    plain = METHOD.sweep(page).ratio
    smooth = Textsweeper(smoothing=1, neighbours="siblings").sweep(page).ratio
    names = [page.tag_name(node) for node in range(len(plain))]
    first, empty, second = (node for node, name in enumerate(names) if name == "p")
    near = np.exp(-0.5)
    expected = (plain[first] + near * plain[second]) / (1 + near)
    assert smooth[first] == pytest.approx(expected)
    assert smooth[empty] == plain[empty] == 0


@pytest.mark.parametrize(
    "wrong",
    [
        {"variant": "mine"},
        {"neighbours": "cousins"},
        {"tolerance": 1.1},
        {"link_share": -0.1},
        {"smoothing": 2},
        {"overview_below": float("nan")},
    ],
)
def test_values_that_mean_nothing_are_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=next(iter(wrong))):
        Textsweeper(**wrong)
