"""How well pages are told apart by type, and overview pages from others, by folds over sites.

    python benchmarks/page_type.py --shared ../shared

Trains five times on wcxb-dev, each time without a fifth of the sites, and measures on the pages of
those: accuracy, calibration, precision and recall a type, confusions, and the area under the curve
for overview pages (listing and collection) beside TextSweeper's verdict. Then the time a page of
the shipped model, the page table at hand. Takes about a minute.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import script

from tamis.describe.overview import OVERVIEW, items
from tamis.describe.page_type import TYPES, page_types
from tamis.evaluate import datasets
from tamis.methods.textsweeper import Textsweeper
from tamis.page.read import parse
from tamis.page.table import Page
from tamis.train.page_type import TypedPages, area_under_curve, chances, measures, read, train

REPEATS = 5


def say(text: str) -> None:
    """Progress."""
    print(text, file=sys.stderr, flush=True)


def confusions(predicted: npt.NDArray[np.float64], kind: npt.NDArray[np.intp]) -> list[list[int]]:
    """Pages by true type (rows) and by the most probable one (columns)."""
    counts = np.zeros((len(TYPES), len(TYPES)), int)
    np.add.at(counts, (kind, predicted.argmax(axis=1)), 1)
    return [[int(count) for count in row] for row in counts]


def times(pages: list[tuple[Page, str | None]]) -> dict[str, float]:
    """CPU milliseconds a page, the best of some rounds."""

    def best(run: Any) -> float:
        seconds = []
        for _ in range(REPEATS):
            started = time.process_time()
            for page, url in pages:
                run(page, url)
            seconds.append(time.process_time() - started)
        return round(1000 * min(seconds) / len(pages), 4)

    return {
        "reading the page": best(lambda page, url: parse(page.source)),
        "page types": best(page_types),
        "entries": best(lambda page, url: items(page, np.ones(len(page.blocks)), url)),
    }


def table(title: str, names: list[str], rows: list[list[Any]]) -> None:
    """A table on the screen."""
    print(f"\n{title}")
    print(" " * 14 + "".join(f"{name[:12]:>13}" for name in names))
    for name, *cells in rows:
        print(f"{name:14}" + "".join(f"{cell:>13}" for cell in cells))


def main() -> None:
    """Parse the command line and run."""
    parser = script.parser(__doc__)
    parser.add_argument("--out", type=Path, default=script.RESULTS / "page_type.json")
    arguments = parser.parse_args()
    path = arguments.shared / "datasets" / "wcxb-dev.jsonl.xz"
    labelled = read([path], say)
    typed = TypedPages(labelled)
    _, folds = train(typed, say=say)
    report: dict[str, Any] = {"pages": len(labelled)}
    for name, url in (("with URL", True), ("without URL", False)):
        predicted = chances(labelled, folds, url=url)
        figures = measures(predicted, typed.kind)
        report[name] = {**figures, "confusions": confusions(predicted, typed.kind)}
        print(f"\n{name}")
        for what, value in figures.items():
            if not what.startswith(("precision", "recall")):
                print(f"  {what:40} {value:.4f}")
        rows = [[kind, figures[f"precision, {kind}"], figures[f"recall, {kind}"]] for kind in TYPES]
        table("by type", ["precision", "recall"], rows)
        counts = zip(TYPES, report[name]["confusions"], strict=True)
        table("true type by row", list(TYPES), [[kind, *row] for kind, row in counts])
    say("TextSweeper and times")
    pages = [
        (parse(example.html), example.url)
        for example in datasets.read(path)
        if example.page_type in TYPES
    ]
    is_overview = np.isin(typed.kind, [TYPES.index(name) for name in OVERVIEW])
    net = np.array([Textsweeper().net_length(page) for page, _ in pages])
    report["textsweeper, overview, area under the curve"] = area_under_curve(-net, is_overview)
    report["ms a page"] = times(pages)
    for what in ("textsweeper, overview, area under the curve", "ms a page"):
        print(f"\n{what}: {report[what]}")
    script.write(arguments.out, report)


if __name__ == "__main__":
    main()
