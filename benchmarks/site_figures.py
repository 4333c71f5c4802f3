"""Figures 5 to 7 of Fernandes 2021 as a chart, for site_methods.py."""

from __future__ import annotations

from typing import Any

import bar_charts
import numpy as np
import script

CHART = script.ROOT / "docs" / "images" / "fernandes-figures-5-7.svg"
PANELS = {"precision": "precision", "recall": "recall", "F": "f"}
TIMES = ("learn_ms_a_page", "score_ms_a_page")
CONTESTANTS = {
    "content_extractor": "ContentExtractor",
    "x_cex": "X-CEX",
    "x_cex, hamming": "X-CEX, hamming",
    "x_cex, positions": "X-CEX, positions",
}


def write(table: dict[str, Any]) -> None:
    """Draw the stored table of `site_methods.py`, learnt from the pages that are scored."""
    CHART.write_text(draw(table), encoding="utf-8")


def draw(table: dict[str, Any]) -> str:
    """Precision, recall, F and time by site and method."""
    panels: dict[str, dict[str, dict[str, float]]] = {
        panel: {
            label: by_site(table[name]["site_years"], (figure,))
            for name, label in CONTESTANTS.items()
        }
        for panel, figure in PANELS.items()
    }
    panels["ms per page, learn and score"] = {
        label: by_site(table[name]["site_years"], TIMES) for name, label in CONTESTANTS.items()
    }
    means = "; ".join(
        f"{label}: precision {table[name]['precision']:.2f}, recall {table[name]['recall']:.2f},"
        f" F {table[name]['f']:.2f}, {sum(table[name][time] for time in TIMES):.1f} ms per page"
        for name, label in CONTESTANTS.items()
    )
    return bar_charts.draw_bar_rows(
        panels,
        "X-CEX and ContentExtractor on nine news sites: precision, recall, F and time",
        f"A row per site, a bar per method. Means over the sites. {means}.",
    )


def by_site(site_years: dict[str, dict[str, float]], figures: tuple[str, ...]) -> dict[str, float]:
    """The sum of some figures, mean over the years of each site."""
    values: dict[str, list[float]] = {}
    for name, row in site_years.items():
        site = name.split()[0]
        values.setdefault(site, []).append(sum(row[figure] for figure in figures))
    return {site: float(np.mean(own)) for site, own in sorted(values.items())}
