"""Charts are pictures of their own that also say what they show."""

from __future__ import annotations

from xml.etree import ElementTree

import bar_charts

SVG = "{http://www.w3.org/2000/svg}"
PANELS = {
    "F": {
        "ours": {"a.example": 0.5, "b.example": 0.25},
        "theirs": {"a.example": 1, "b.example": 0},
    },
    "ms": {"ours": {"a.example": 2, "b.example": 8}, "theirs": {"a.example": 4, "b.example": 6}},
}


def drawn() -> ElementTree.Element:
    return ElementTree.fromstring(
        bar_charts.draw_bar_rows(PANELS, "Two sites", "Ours is <faster>.")
    )


def test_a_picture_has_a_title_and_a_description_for_those_who_hear_it() -> None:
    picture = drawn()
    assert picture.get("role") == "img"
    assert picture.findtext(f"{SVG}title") == "Two sites"
    assert picture.findtext(f"{SVG}desc") == "Ours is <faster>."


def test_a_picture_brings_its_ground_so_that_it_is_read_on_dark_pages() -> None:
    ground = drawn().find(f"{SVG}rect")
    assert ground is not None
    assert ground.get("fill") == "white"


def test_each_contestant_has_a_bar_per_name_and_measure_as_long_as_its_value() -> None:
    bars = {
        bar.findtext(f"{SVG}title"): float(bar.get("width", 0))
        for bar in drawn().iter(f"{SVG}rect")
        if bar.find(f"{SVG}title") is not None
    }
    assert len(bars) == 8
    assert bars["a.example, theirs: 1.00"] == 2 * bars["a.example, ours: 0.50"]
    # Shares end at 1, other measures at their largest value.
    assert bars["b.example, ours: 8.0"] == bars["a.example, theirs: 1.00"]
    assert bars["b.example, theirs: 0.00"] == 0


def test_bars_have_a_panel_for_each_group_and_are_valid() -> None:
    groups = {"<one>": {"ours": {"P": 0.5, "R": 1.0}, "theirs": {"P": 0.25}}, "two": {}}
    tree = ElementTree.fromstring(bar_charts.draw_bars(groups))
    texts = [text.text for text in tree.iter("{http://www.w3.org/2000/svg}text")]
    assert {"<one>", "two", "P", "R", "ours", "theirs", ".500", ".250", "1.000"} <= set(texts)
    heights = [
        float(bar.get("height", "")) for bar in tree.iter("{http://www.w3.org/2000/svg}rect")
    ]
    assert heights[1:4] == [heights[2] * 2, heights[2], heights[2] * 4]
