"""Charts of a report."""

from __future__ import annotations

from xml.etree import ElementTree

import numpy as np
import pytest

import tamis
from tamis.bench import charts
from tamis.bench.charts import draw_dots, draw_tags, tag_lines


@pytest.mark.parametrize(
    "points", [{"one": (0.5, 0.5)}, {"a": (0.0, 0.0), "b": (1000.0, 1.0), "<c>": (3.0, 0.4)}]
)
@pytest.mark.parametrize("logarithmic", [False, True])
def test_a_scatter_is_valid_and_keeps_its_points_inside(
    points: dict[str, tuple[float, float]], logarithmic: bool
) -> None:
    tree = ElementTree.fromstring(charts.draw_scatter(points, ("x", "y"), logarithmic=logarithmic))
    circles = tree.findall("{*}circle")
    assert len(circles) == len(points)
    for circle in circles:
        assert 0 < float(circle.get("cx", "")) < float(tree.get("width", ""))
        assert 0 < float(circle.get("cy", "")) < float(tree.get("height", ""))


def test_a_histogram_counts_every_page() -> None:
    tree = ElementTree.fromstring(
        charts.draw_histograms({"ours": [0.0, 0.5, 0.99, 1.0], "none": []})
    )
    titles = [title.text or "" for title in tree.iter("{http://www.w3.org/2000/svg}title")]
    counts = [int(title.split()[0]) for title in titles]
    assert sum(counts[:20]) == 4 and counts[19] == 2 and sum(counts[20:]) == 0


# Tags by line, inside and outside of the content

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
