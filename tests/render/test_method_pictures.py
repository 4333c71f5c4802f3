"""Pictures of what a method sees: well-formed, without scripts, whatever a page says."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

import tamis
from tamis.methods.bte import Bte
from tamis.methods.site.site_style_tree import SiteStyleTree
from tamis.render import method_pictures
from tamis.render.method_pictures import draw_slope, draw_style_tree

HOSTILE = '</title><script>alert(1)</script>\x00\x1b & "quoted"'
TEXT = "Forty cellars near the old mill were under water on Tuesday, the council said. " * 4
MENU = "<li><a href=/a>Home</a></li>" * 12
PAGE = f"<ul>{MENU}</ul><p>{TEXT}</p><p>{TEXT}</p><div><b>Links</b></div>"
SVG = "{http://www.w3.org/2000/svg}"


def drawn(svg: str) -> ElementTree.Element:
    root = ElementTree.fromstring(svg)
    assert not list(root.iter(f"{SVG}script"))
    assert "href" not in svg
    assert not [name for element in root.iter() for name in element.attrib if name[:2] == "on"]
    return root


def test_the_curve_has_the_kept_segment_in_bold() -> None:
    root = drawn(draw_slope(tamis.parse(PAGE), Bte(), "A page"))
    curve, kept = (
        [point.split(",") for point in line.get("points", "").split()]
        for line in root.iter(f"{SVG}polyline")
    )
    assert len(curve) == 1 + 2 * 15
    # Both paragraphs, four corners; the tags between them are two.
    assert len(kept) == 4
    assert [x for x, _ in kept] == sorted((x for x, _ in kept), key=float)
    assert set(map(tuple, kept)) <= set(map(tuple, curve))


@pytest.mark.parametrize("html", ["", "<p>", "<p>One", "<p hidden>No"])
@pytest.mark.parametrize("variant", ["one", "many"])
def test_any_page_has_a_curve(html: str, variant: str) -> None:
    drawn(draw_slope(tamis.parse(html), Bte(variant=variant), HOSTILE))


def site(pages: int) -> SiteStyleTree:
    more = "<div><p>Letter</p></div>"
    return SiteStyleTree().fit(
        [
            tamis.parse(f"<body><ul><li>Home</li></ul><p>w{n} v{n}</p>{more * (n % 4 == 0)}")
            for n in range(pages)
        ]
    )


def test_the_tree_shows_tags_pages_importance_and_styles() -> None:
    root = drawn(draw_style_tree(site(8), "Valley Courier"))
    texts = [element.text for element in root.iter(f"{SVG}text")]
    assert "style 1: 6 of 8 pages" in texts
    assert "style 2: 2 of 8 pages" in texts
    assert "2 pages, importance 0.00" in texts  # the letter
    assert texts.count("li") == 2
    kinds = [element.get("class") for element in root.iter(f"{SVG}rect")]
    assert {"content", "noise"} <= set(kinds)


def test_of_a_large_tree_a_part_is_drawn_and_the_rest_counted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(method_pictures, "MOST_ROWS", 3)
    root = drawn(draw_style_tree(site(8), HOSTILE))
    texts = [element.text or "" for element in root.iter(f"{SVG}text")]
    assert sum(text.endswith("more rows are left out") for text in texts) == 1
    assert len([e for e in root.iter(f"{SVG}rect") if e.get("class")]) <= 3


def test_a_site_of_no_page_has_an_empty_tree() -> None:
    drawn(draw_style_tree(SiteStyleTree().fit([]), "none"))
