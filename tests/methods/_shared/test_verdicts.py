"""What each paper decides on, with the verdicts: the blocks are decided by these units alone."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.methods.fitted import fitted
from tests.methods.test_every_method import PAGES
from tests.site.pages import article

import tamis
from tamis.errors import TooMuchOutputError
from tamis.methods._base import Method, Unit
from tamis.page import tags

DECIDES_ON: dict[str, str] = {
    "baseline": "blocks",
    "boilerpipe": "blocks",
    "boilerpipe variant=density": "blocks",
    "bte": "runs of text",
    "bte variant=many": "runs of text",
    "cetd": "elements",
    "cetd density=text": "elements",
    "cetr": "blocks",
    "cetr unit=line": "lines",
    "content_extractor": "elements",
    "content_extractor nesting=ordered": "elements",
    "dragnet": "blocks",
    "dragnet blocks=paper": "layout blocks",
    "dragnet blocks=paper features=ic": "layout blocks",
    "infodiscoverer": "elements",
    "site_style_tree": "elements",
    "tamis": "blocks",
    "text_block_context": "text blocks",
    "text_block_context text=all": "text blocks",
    "textsweeper": "elements",
    "textsweeper variant=paper": "elements",
    "x_cex": "elements",
    "x_cex nesting=whole": "elements",
    "xpath_blocks": "leaves",
    "xpath_blocks variant=paper": "leaves",
    "xpath_site": "leaves",
}
"""By method and parameters, what `Method.decides_on` says."""

every_method = pytest.mark.parametrize("name", DECIDES_ON)


SITE = [tamis.parse(article(number)) for number in range(8)]


def method_of(name: str, site: Sequence[tamis.Page] = SITE) -> Method:
    method, *assignments = name.split()
    parameters: dict[str, Any] = dict(part.split("=") for part in assignments)
    return fitted(method, site, **parameters)


def score_by_units(method: Method, page: tamis.Page) -> np.ndarray:
    """The score of each block by the units alone: the mean over its visible text."""
    units, texts = method.units(page), page.texts
    # Kim's blocks score the mean over their words, the others over their characters.
    sizes = texts.words if method.name == "text_block_context" else texts.chars
    shown = (texts.flags & tags.HIDDEN == 0) | (getattr(method, "text", "") == "all")
    sizes = np.where(shown, sizes, 0).astype(float)
    of_text = score_by_lines if method.decides_on == "lines" else score_by_innermost
    score = np.zeros(len(texts))
    for text in np.flatnonzero(sizes).tolist():
        score[text] = of_text(units, page, text)
    whole = np.bincount(texts.block, sizes, len(page.blocks))
    found: np.ndarray = np.bincount(texts.block, sizes * score, len(page.blocks))
    return found / np.maximum(whole, 1)


def score_by_innermost(units: Sequence[Unit], page: tamis.Page, text: int) -> float:
    """The score of the smallest unit around a text that has its words among its own."""
    start, end, words = page.texts.start[text], page.texts.end[text], page.text(text).strip()
    around = [unit for unit in units if unit.start <= start and end <= unit.end]
    around = [unit for unit in around if words in unit.text]
    return min(around, key=lambda unit: unit.end - unit.start).score if around else 0.0


def score_by_lines(units: Sequence[Unit], page: tamis.Page, text: int) -> float:
    """The part of the bytes of a text that are on lines of content."""
    start, end = int(page.texts.start[text]), int(page.texts.end[text])
    return sum(
        unit.score * max(0, min(end, unit.end) - max(start, unit.start)) for unit in units
    ) / (end - start)


def test_every_method_is_in_the_list() -> None:
    assert {name.split()[0] for name in DECIDES_ON} == set(tamis.list_methods())


@every_method
def test_a_method_lists_units_exactly_if_it_decides_on_something_else_than_blocks(
    name: str, folder: Path
) -> None:
    method = method_of(name)
    assert method.decides_on == DECIDES_ON[name]
    units = method.units(tamis.parse((folder / "source.html").read_bytes()))
    assert bool(units) == (DECIDES_ON[name] != "blocks")


@every_method
def test_the_units_alone_decide_on_the_blocks(name: str, folder: Path) -> None:
    if DECIDES_ON[name] == "blocks":
        return
    pages = [SITE[0], tamis.parse((folder / "source.html").read_bytes())]
    method = method_of(name, [*SITE, *pages[1:]])
    for page in pages:
        # Lines end with white space, which is in no unit.
        near = 0.1 if DECIDES_ON[name] == "lines" else 1e-9
        scores, expected = score_by_units(method, page), method.score(page)
        # A colon or a blank may stand among the words of several units.
        clear = np.bincount(page.texts.block, page.texts.words == 0, len(page.blocks)) == 0
        assert clear.any()
        np.testing.assert_allclose(scores[clear], expected[clear], atol=near)


@every_method
@pytest.mark.parametrize("html", PAGES.values(), ids=PAGES.keys())
def test_a_unit_has_a_place_and_the_words_that_are_there(name: str, html: str) -> None:
    page = tamis.parse(html)
    units = method_of(name).units(page)
    tree = {page.xpath(node) for node in range(len(page.nodes))}
    for unit in units:
        assert 0 <= unit.start <= unit.end <= len(page.source)
        assert unit.xpath in tree
        assert 0 <= unit.block < len(page.blocks)
        words = page.source[unit.start : unit.end].decode()
        assert all(word in words for word in unit.text.split())
    assert len({tuple(unit.attributes) for unit in units}) <= 1


def number(unit: Unit, name: str) -> float:
    value = unit.attributes[name]
    assert isinstance(value, float)
    return value


def test_the_ratio_of_textsweeper_follows_from_the_numbers_beside_it(folder: Path) -> None:
    page = tamis.parse((folder / "source.html").read_bytes())
    units = method_of("textsweeper").units(page)
    best = max(number(unit, "ratio") for unit in units)
    for unit in units:
        net = number(unit, "text_length") - number(unit, "link_text_length")
        tags_and_level = number(unit, "tag_count") + number(unit, "level")
        ratio = number(unit, "characters") ** 0.5 * net / max(1, tags_and_level)
        assert number(unit, "ratio") == pytest.approx(ratio)
        assert (unit.attributes["relevant"] == "yes") == (ratio > 0.9 * best)


def test_the_anchor_ratio_of_a_leaf_joins_both_ratios_of_its_block() -> None:
    page = tamis.parse("<ul><li><a href=/1>One</a><li><a href=/2>Twenty</a><li>Three</ul>")
    for unit in method_of("xpath_blocks variant=paper").units(page):
        assert unit.attributes["block"] == "/html/body/ul"
        assert (number(unit, "leaves"), number(unit, "anchors")) == (3, 2)
        assert number(unit, "ANR") == pytest.approx(2 / 3)
        assert number(unit, "ATR") == pytest.approx(9 / 14)
        assert number(unit, "AR") == pytest.approx(0.75 * 9 / 14 + 0.25 * 2 / 3)


def test_a_leaf_is_marked_as_anchor_or_footer() -> None:
    page = tamis.parse("<p><a href=/>Home</a><p>A story of some length.<p>Copyright 2025 by us")
    units = method_of("xpath_blocks variant=paper").units(page)
    assert [unit.attributes["mark"] for unit in units] == ["anchor", "", "footer"]
    assert [unit.xpath for unit in units] == [
        "/html/body/p[1]/a",
        "/html/body/p[2]",
        "/html/body/p[3]",
    ]


def test_a_leaf_that_our_reading_drops_shows_the_plain_text_of_its_group() -> None:
    page = tamis.parse("<div><p>A story of twenty.<p>Letters.</div><section><p>Hey.</section>")
    story, letters, short = method_of("xpath_blocks").units(page)
    assert number(story, "group") == number(letters, "group") == 1
    # 4 characters over 15 and 8.
    assert (number(short, "group"), short.content) == (pytest.approx(4 / 23), False)
    assert "group" not in method_of("xpath_blocks variant=paper").units(page)[0].attributes


def test_the_ibdf_of_x_cex_is_the_inverse_of_the_pages_with_a_similar_element() -> None:
    menu = "<div>Home, news, sport and weather of the whole harbour</div>"
    stories = (
        "Ferries stay in port until the storm has passed, said the council.",
        "A new crane lifts its first load at noon and everybody may watch.",
        "One seal swam up our river to look for salmon below two bridges.",
    )
    site = [tamis.parse(f"{menu}<p>{story}</p>") for story in stories]
    first, second = method_of("x_cex", site).units(site[0])
    assert (first.xpath, second.xpath) == ("/html/body/div", "/html/body/p")
    assert (number(first, "IBDF"), number(second, "IBDF")) == (pytest.approx(1 / 3), 1)
    assert number(first, "border") == 0.5
    assert (first.content, second.content) == (False, True)


def test_the_probability_of_a_layout_block_is_that_of_its_features() -> None:
    html = "<div class=nav>Home News</div><div class=story>" + "A long sentence of the story. " * 9
    units = method_of("dragnet blocks=paper").units(tamis.parse(html))
    assert [unit.xpath for unit in units] == ["/html/body/div[1]", "/html/body/div[2]"]
    assert [unit.attributes["tokens"] for unit in units] == ["class:nav", ""]
    assert number(units[0], "text_density[+1]") == number(units[1], "text_density[+0]")
    assert units[0].score < 0.5 < units[1].score


def test_units_are_bounded_as_every_view_is() -> None:
    deep = "<div>" * 400 + "word " + "<i>x</i>" * 3000
    options = tamis.Options(method="textsweeper", max_output=10_000)
    with pytest.raises(TooMuchOutputError, match="max_output"):
        _ = tamis.extract(deep, options=options).units
