"""Tags by line, inside and outside of the content."""

from __future__ import annotations

from xml.etree import ElementTree

import numpy as np

import tamis
from tamis.bench.tag_lines import draw_dots, draw_tags, tag_lines

PAGE = "<body><ul><li>Menu</ul><h1>Head</h1><p>One <b>two</b><br>three<p>four</body>"


def test_a_tag_is_inside_if_the_texts_before_and_after_it_are_content() -> None:
    page = tamis.parse(PAGE)
    kept = np.array([page.block_text(block) != "Menu" for block in range(len(page.blocks))])
    lined = tag_lines(page, kept)
    names = [page.tag_name(node) for node in lined.node.tolist()]
    inside = [name for name, inner in zip(names, lined.inside, strict=True) if inner]
    # Between Head and four: h1 ends, p, b twice, br, the end of p that the page leaves out, p.
    assert inside == ["h1", "p", "b", "b", "br", "p", "p"]
    assert names[:4] == ["html", "head", "head", "body"]
    assert names[-3:] == ["p", "body", "html"]


def test_each_tag_and_each_text_is_a_line() -> None:
    page = tamis.parse("<body><p>One<br>two</p></body>")
    lined = tag_lines(page, np.ones(len(page.blocks), bool))
    # html head /head body p One br two /p /body /html
    assert lined.lines == 11
    assert lined.line.tolist() == [0, 1, 2, 3, 4, 6, 8, 9, 10]


def test_tags_that_are_mostly_inside_are_at_the_top_of_the_picture() -> None:
    page = tamis.parse(PAGE)
    kept = np.array([page.block_text(block) != "Menu" for block in range(len(page.blocks))])
    texts = [element.text or "" for element in ElementTree.fromstring(draw_tags(page, kept)).iter()]
    shown = [text for text in texts if text]
    assert shown.index("b") < shown.index("p") < shown.index("li")
    assert "tags inside of the content" in shown


def test_what_a_page_calls_its_elements_is_text_in_the_picture() -> None:
    page = tamis.parse('<x"onload=alert(1)><script>alert(2)</script><a&lt;b>text')
    made = draw_tags(page, np.ones(len(page.blocks), bool))
    names = {element.tag.rpartition("}")[2] for element in ElementTree.fromstring(made).iter()}
    assert names <= {"svg", "g", "rect", "circle", "text"}


def test_a_page_without_text_has_a_picture_too() -> None:
    page = tamis.parse("")
    ElementTree.fromstring(draw_tags(page, np.zeros(0, bool)))


def test_dots_that_would_cover_each_other_are_drawn_once() -> None:
    rows = {"p": [(0.5, 0), (0.5, 0), (0.5, 1)], "<b>": [(1.0, 1)]}
    tree = ElementTree.fromstring(draw_dots(rows, [(0.4, 0.6)], ("inside", "outside"), "lines"))
    # Three of the rows, two of the legend.
    assert len(list(tree.iter("{http://www.w3.org/2000/svg}circle"))) == 5
