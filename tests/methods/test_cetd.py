"""CETD: text density of the tree."""

from __future__ import annotations

import math

import numpy as np
import pytest

import tamis
from tamis.errors import MethodError
from tamis.methods._shared.features import measure_densities
from tamis.methods.cetd import Cetd

# Characters of the paragraphs: 40, 30 (10 of them in a link), of the menu 8 in two links.
PAGE = (
    f"<div id=page><p>{'a' * 40}</p><p>{'b' * 20}<a href=x>{'c' * 10}</a></p></div>"
    "<ul><li><a href=1>dddd</a></li><li><a href=2>eeee</a></li></ul>"
)


def by_tag(html: str, kind: str) -> dict[str, list[tuple[float, float]]]:
    page = tamis.parse(html)
    tree = measure_densities(page, kind)
    result: dict[str, list[tuple[float, float]]] = {}
    for node in range(len(page.nodes)):
        pair = round(float(tree.density[node]), 9), round(float(tree.sums[node]), 9)
        result.setdefault(page.tag_name(node), []).append(pair)
    return result


def test_text_density_is_characters_over_tags() -> None:
    found = by_tag(PAGE, "text")
    # 70 characters over p, p and a; its children have 40 and 30.
    assert found["div"] == [(round(70 / 3, 9), 70)]
    # No tags count as one; the second p has 30 over its link, and in it 20 and the link's 10.
    assert found["p"] == [(40, 40), (30, 30)]
    assert found["a"] == [(10, 10), (4, 4), (4, 4)]
    assert found["ul"] == [(8 / 4, 8)]
    # 78 characters over 9 tags.
    assert found["body"] == [(round(78 / 9, 9), round(70 / 3 + 2, 9))]


def composite(chars: int, inside: int, link_chars: int, links: int) -> float:
    share = 18 / 78  # of the body's characters 10 + 8 are in links
    plain = max(chars - link_chars, 1)
    inside, link_chars, links = (max(number, 1) for number in (inside, link_chars, links))
    base = math.log(chars / plain * link_chars + share * chars + math.e)
    return chars / inside * math.log(chars / link_chars * inside / links, base)


def test_composite_density_is_lowered_by_links() -> None:
    found = by_tag(PAGE, "composite")
    first, second = composite(40, 0, 0, 0), composite(30, 1, 10, 1)
    assert [density for density, _ in found["p"]] == [round(first, 9), round(second, 9)]
    assert found["div"] == [(round(composite(70, 3, 10, 1), 9), round(first + second, 9))]
    # Text directly in an element is in its sum like a child without tags.
    assert found["p"][1][1] == round(composite(20, 0, 0, 0), 9)
    # All is links: the logarithm of (8 / 8) (4 / 2).
    assert found["ul"][0][0] == round(composite(8, 4, 8, 2), 9)
    assert found["li"] == [(0, 0), (0, 0)]
    assert found["a"] == [(0, 0)] * 3


def test_tags_inside_a_link_are_link_tags() -> None:
    found = by_tag("<p>some text</p><a href=x><b>one</b> <i>two</i></a>", "composite")
    assert found["a"][0] == (0, 0)


def test_what_is_hidden_counts_nothing() -> None:
    hidden = by_tag(f"<div hidden><p>{'x' * 50}</p></div>{PAGE}<script>var a</script>", "composite")
    assert hidden["div"][1:] == by_tag(PAGE, "composite")["div"]
    assert hidden["body"] == by_tag(PAGE, "composite")["body"]


SENTENCE = "The ferry left the harbour at six and came back late in the evening. "
MENU = "<ul>" + "".join(f"<li><a href=/{n}>Section {n}</a>" for n in range(12)) + "</ul>"
ARTICLE = (
    f"<header>{MENU}</header><main><h1>Ferry news</h1>"
    + f"<p>{SENTENCE * 4}</p>" * 5
    + "<p>Short.</p></main>"
    + f"<footer><p>All rights reserved</p>{MENU}</footer>"
)


@pytest.mark.parametrize("density", ["composite", "text"])
@pytest.mark.parametrize("threshold", ["path", "body"])
def test_an_article_comes_out_whole_without_its_menus(density: str, threshold: str) -> None:
    page = tamis.parse(ARTICLE)
    scores = Cetd(density=density, threshold=threshold).score(page)
    texts = page.block_texts(np.flatnonzero(scores == 1))
    assert texts == ["Ferry news", *[(SENTENCE * 4).strip()] * 5, "Short."]
    assert set(scores.tolist()) == {0.0, 1.0}


def test_an_element_that_reaches_the_threshold_elsewhere_is_taken_too() -> None:
    page = tamis.parse(
        f"<div><p>{SENTENCE * 3}</p><p>{SENTENCE * 3}</p></div>"
        f"<section><p>{SENTENCE * 2}</p><p>{SENTENCE}</p></section>{MENU}"
    )
    scores = Cetd(threshold="path").score(page)
    assert scores[:4].tolist() == [1, 1, 1, 1]
    assert not scores[4:].any()


def test_reasons_give_the_density_and_what_took_the_block() -> None:
    page = tamis.parse(ARTICLE)
    blocks = np.arange(len(page.blocks))
    reasons = dict(zip(page.block_texts(blocks), Cetd().because(page, blocks), strict=True))
    assert "Its p has a density of" in reasons["Short."]
    assert "it is in the main whose parts have the largest sum" in reasons["Short."]
    assert "it is in no element with the largest sum" in reasons["Section 3"]


@pytest.mark.parametrize("parameter", ["density", "threshold"])
def test_an_unknown_choice_is_refused(parameter: str) -> None:
    with pytest.raises(MethodError, match=f"{parameter} is one of"):
        tamis.extract("<p>x", method="cetd", parameters={parameter: "other"})
