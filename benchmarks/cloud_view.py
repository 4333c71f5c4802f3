"""Clouds in a real browser: does any term overlap another, and how near are our widths?

    python benchmarks/cloud_view.py                   the pages of tests/pages, SVG and HTML
    python benchmarks/cloud_view.py --output DIR      and a screenshot of each

Each page is extracted and its cloud opened in headless Chromium, which says what box each text
really has (`getBoundingClientRect`). Two boxes that share more than half a pixel overlap. `widest`
is the largest share that a text takes of the width which the layout gave it, over 1 is too wide;
`filled` is the share of the picture under the boxes. The fonts are those of the machine: install
fonts-noto-core and fonts-noto-cjk, or run it with other ones.

Writes benchmarks/results/cloud_view.json.
"""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import click
import script
from tests.browser.chromium import Browser, find_chromium
from tests.browser.window import Window

import tamis
from tamis.cloud.draw import Cloud, Style
from tamis.cloud.layout import arrange_terms

WIDTH = 1400

BOXES = """JSON.stringify([...document.querySelectorAll("svg text:not(.caption)")].map(text => {
    const box = text.getBoundingClientRect();
    return [box.left, box.top, box.right, box.bottom];
}))"""


def overlaps(boxes: list[list[float]], tolerance: float = 0.5) -> int:
    """How many pairs of boxes share an area."""
    return sum(
        min(box[2], other[2]) - max(box[0], other[0]) > tolerance
        and min(box[3], other[3]) - max(box[1], other[1]) > tolerance
        for number, box in enumerate(boxes)
        for other in boxes[:number]
    )


def opened(window: Window, document: str) -> list[list[float]]:
    """The boxes of all terms of a document that the browser shows."""
    frame = window.call("Page.getFrameTree")["frameTree"]["frame"]["id"]
    window.call("Page.setDocumentContent", frameId=frame, html=document)
    boxes: list[list[float]] = json.loads(window.value(BOXES))
    return boxes


def measured(window: Window, cloud: Cloud, style: Style, output: Path | None) -> dict[str, Any]:
    """One row of the table."""
    drawn = {"svg": f"<body style='margin:0'>{cloud.svg(style)}", "html": cloud.html(style)}
    row: dict[str, Any] = {"terms": len(cloud.terms)}
    for form, document in drawn.items():
        boxes = opened(window, document)
        assert len(boxes) == len(cloud.terms), f"{len(boxes)} texts of {len(cloud.terms)} terms"
        row[f"overlaps_{form}"] = overlaps(boxes)
        if form == "svg":
            arranged = arrange_terms(cloud.terms, seed=style.seed)
            shares = [
                (box[2] - box[0]) / place.width
                for box, place in zip(boxes, arranged.places, strict=True)
            ]
            area = sum((box[2] - box[0]) * (box[3] - box[1]) for box in boxes)
            row["widest"] = max(shares, default=0.0)
            row["mean"] = sum(shares) / max(len(shares), 1)
            row["filled"] = area / (arranged.width * arranged.height)
        if output:
            (output / f"{cloud.title}-{form}.png").write_bytes(window.picture(whole=True))
    return row


@click.command()
@click.option("--output", type=click.Path(path_type=Path), help="A folder for screenshots.")
@click.option("--seeds", default=3, show_default=True, help="Arrangements of each page.")
def main(output: Path | None, seeds: int) -> None:
    """Measure the clouds of the test pages in Chromium."""
    path = find_chromium()
    if path is None:
        raise click.ClickException("no Chromium; install the Debian package chromium")
    if output:
        output.mkdir(parents=True, exist_ok=True)
    sources = sorted(script.ROOT.glob("tests/pages/*/source.html"))
    rows: dict[str, dict[str, Any]] = {}
    label = "pages"
    with Browser(path) as browser, click.progressbar(sources, label=label, file=sys.stderr) as bar:
        window = Window.of(browser, WIDTH, 900)
        for source in bar:
            name = source.parent.name
            result = tamis.extract(source.read_bytes())
            cloud = replace(result.cloud(), title=name)
            for seed in range(seeds):
                style = Style(seed=seed, dark=seed % 2 == 1)
                row = measured(window, cloud, style, output if seed == 0 else None)
                kept = rows.setdefault(name, row)
                for key in ("overlaps_svg", "overlaps_html", "widest"):
                    kept[key] = max(kept[key], row[key])
    click.echo("| page | terms | overlaps SVG | overlaps HTML | widest | mean | filled |")
    click.echo("|---|---|---|---|---|---|---|")
    for name, row in rows.items():
        click.echo(
            f"| {name} | {row['terms']} | {row['overlaps_svg']} | {row['overlaps_html']} |"
            f" {row['widest']:.2f} | {row['mean']:.2f} | {row['filled']:.2f} |"
        )
    results = script.RESULTS / "cloud_view.json"
    script.write(results, rows)


if __name__ == "__main__":
    main()
