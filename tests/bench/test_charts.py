"""Charts of a report."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from tamis.bench import charts


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
