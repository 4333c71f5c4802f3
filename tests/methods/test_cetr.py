"""The steps of CETR put together, by block and by line."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import tamis
from tamis.errors import MethodError
from tamis.methods._base import visible_blocks
from tamis.methods._shared import features
from tamis.methods.cetr import Cetr

TEXT = "A sentence that is long enough to be a part of the text of a page. " * 4
MENU = "\n".join(f"<li><a href=/{n}>Item</a></li>" for n in range(12))
HTML = f"<ul>\n{MENU}\n</ul>\n<p>{TEXT}</p>\n<p>{TEXT}</p>\n<p>{TEXT}</p>\n<ul>\n{MENU}\n</ul>"


def kept(html: str, **parameters: object) -> list[str]:
    options = tamis.Options(method="cetr", parameters=parameters)
    return tamis.extract(html, options=options).text.splitlines()


@pytest.mark.parametrize("unit", ["block", "line"])
def test_text_is_kept_and_menus_are_not(unit: str) -> None:
    lines = kept(HTML, unit=unit)
    assert lines.count(TEXT.strip()) == 3
    # Smoothing may keep the neighbours of the text.
    assert lines.count("Item") <= 4


@pytest.mark.parametrize("unit", ["block", "line"])
def test_without_smoothing_no_neighbour_is_kept(unit: str) -> None:
    lines = kept(HTML, unit=unit, deviation=0, window=1)
    assert set(lines) <= {TEXT.strip(), "Item"}
    assert lines.count("Item") <= 1  # whose derivative is high


def test_a_block_is_scored_by_the_clusters_of_the_curve(folder: Path) -> None:
    page = tamis.parse((folder / "source.html").read_bytes())
    blocks = visible_blocks(page)
    curve = features.smooth_values(features.tag_ratios(page, blocks))
    slope = np.abs(features.smooth_values(features.derive_values(curve)))
    expected = np.zeros(len(page.blocks))
    expected[blocks] = features.leave_origin(curve, slope)
    np.testing.assert_array_equal(Cetr().score(page), expected)


def test_a_block_on_two_lines_has_the_share_of_the_lines_that_are_kept(folder: Path) -> None:
    page = tamis.parse((folder / "source.html").read_bytes())
    scores = Cetr(unit="line").score(page)
    assert np.isfinite(scores).all()
    assert ((scores >= 0) & (scores <= 1)).all()
    assert scores.any()


def test_a_page_on_one_line_is_all_content_or_none() -> None:
    html = HTML.replace("\n", " ")
    assert len(kept(html, unit="line")) == len(tamis.parse(html).blocks)


@pytest.mark.parametrize("html", ["", "<!-- nothing -->", "<script>let x</script>", "<p hidden>x"])
@pytest.mark.parametrize("unit", ["block", "line"])
def test_a_page_without_text_has_no_content(html: str, unit: str) -> None:
    assert kept(html, unit=unit) == []


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"unit": "page"}, "unit is one of"),
        ({"start": "end"}, "start is one of"),
        ({"deviation": -1}, "deviation is at least 0"),
        ({"window": 0}, "window is at least 1"),
        ({"clusters": 1}, "clusters is at least 2"),
    ],
)
def test_what_means_nothing_is_refused(parameters: dict[str, object], message: str) -> None:
    with pytest.raises(MethodError, match=message):
        kept(HTML, **parameters)
