"""The ratio against a plain transcription, and each rule on a small page."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import tamis
from tamis.methods import textsweeper
from tamis.methods.textsweeper import Textsweeper
from tamis.page import tags
from tamis.page.subtree import texts_outside_forms

METHOD = Textsweeper()
SENTENCE = "A sentence that is a part of the text of this page. "
ARTICLE = f"<article><h1>The headline of it</h1>{f'<p>{SENTENCE * 6}</p>' * 5}</article>"
MENU = "<ul>" + "".join(f"<li><a href=/{n}>Item {n}</a>" for n in range(10)) + "</ul>"


def kept(html: str, method: Textsweeper = METHOD) -> list[str]:
    page = tamis.parse(html)
    return page.block_texts(np.flatnonzero(method.score(page) >= 0.5))


def linked(html: str) -> list[str]:
    """The texts that count as links."""
    page = tamis.parse(html)
    return [page.text(int(text)) for text in np.flatnonzero(METHOD._returned(page)[1])]


# The ratio


def weight(name: str) -> float:
    if name in ("h1", "h2", "h3", "h4", "h5", "h6"):
        return 1.5
    return 1.2 if name in ("b", "strong") else 1.0


def test_the_ratio_is_that_of_the_paper(folder: Path) -> None:
    page = tamis.parse((folder / "source.html").read_bytes())
    nodes, texts = page.nodes, page.texts
    seen = texts_outside_forms(page)
    chars = texts.chars * seen
    _, links = METHOD._returned(page)
    length = textsweeper._sums(page, chars)
    got = METHOD._ratios(page, chars * ~links, length)
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
    assert METHOD.overview_score(page) == 0
    assert METHOD.is_overview(page)


def test_forms_go_unless_they_are_the_frame_of_the_page() -> None:
    assert kept(f"{ARTICLE}<form><p>{SENTENCE}</form>") == kept(ARTICLE)
    assert kept(f"<form>{ARTICLE}</form>") == kept(ARTICLE)


# Links


def test_elements_with_onclick_are_links() -> None:
    html = "<div><p onclick='go()'>Go <b>there</b></p><p>Stay</p></div>"
    assert linked(html) == ["Go", "there"]


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
    assert METHOD.is_overview(page)
    assert not METHOD.is_overview(tamis.parse(MENU + ARTICLE))
    assert METHOD.overview_score(page) < METHOD.overview_score(tamis.parse(ARTICLE))


def test_the_net_text_has_no_links_in_it() -> None:
    page = tamis.parse(f"<p>{SENTENCE * 20}<a href=x>and a link</a>")
    assert METHOD.overview_score(page) == len("".join(SENTENCE.split())) * 20


def test_the_threshold_is_a_parameter() -> None:
    page = tamis.parse(ARTICLE)
    assert Textsweeper(overview_below=1e6).is_overview(page)
