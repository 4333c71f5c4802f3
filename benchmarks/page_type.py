"""How well pages are told apart by type, and overview pages from others.

    python benchmarks/page_type.py --shared ../shared

Trains on the sets of `train.py page_type`, five times without a fifth of the sites, and prints

- on wcxb-dev, by folds over sites: accuracy, calibration, precision and recall by type, confusions,
  the share of the articles taken for overview pages, and the area under the curve for overview
  pages beside that of the model alone, without a look at rows, and of TextSweeper's verdict;
- on sets of articles, forums and records: the share of the pages that are not taken for overview
  pages, and of those with the right type; by folds and without the set and its sites for the sets
  that are trained on, by the whole weights for those that are not;
- the time per page of the shipped weights, the page table at hand.

Takes about ten minutes; `--quick` leaves out the weights without a set and takes three.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import script
from training.page_types import (
    SETS,
    TrainedTypes,
    TypedPage,
    TypedPages,
    area_under_curve,
    calibration_error,
    chances,
    measures,
    read,
    train,
    train_without,
)

from tamis.describe.types.overview import find_items
from tamis.describe.types.page_type import (
    OVERVIEW,
    TYPES,
    Description,
    PageTypeModel,
    decide_places,
    describe,
    estimate_types,
    is_overview_at,
    weigh_rows,
)
from tamis.errors import LimitError
from tamis.labels import datasets
from tamis.methods.textsweeper import Textsweeper
from tamis.page.reader import parse
from tamis.page.table import Page

TYPED = "wcxb-dev"
ARTICLES = ("dragnet", "cleaneval-dev", "cleaneval-final", "l3s-gn1", "big9", "languages")
"""Sets of articles that nothing is trained on."""
REPEATS = 5
EVEN = [1 / len(TYPES)] * len(TYPES)
"""No type is sure, so that all rows are looked at."""
OVERVIEW_COLUMNS = [TYPES.index(name) for name in OVERVIEW]

Floats = npt.NDArray[np.float64]


def say(text: str) -> None:
    """Progress."""
    print(text, file=sys.stderr, flush=True)


def confusions(predicted: Floats, kind: npt.NDArray[np.intp]) -> list[list[int]]:
    """Pages by true type (rows) and by the most probable one (columns)."""
    counts = np.zeros((len(TYPES), len(TYPES)), int)
    np.add.at(counts, (kind, decide_places(predicted)), 1)
    return [[int(count) for count in row] for row in counts]


def least_error(predicted: Floats) -> float:
    """The calibration error that chance alone leaves: mean of types drawn by the probabilities."""
    random = np.random.default_rng(0)
    chance = predicted[np.arange(len(predicted)), decide_places(predicted)]
    drawn = [calibration_error(chance, random.random(len(chance)) < chance) for _ in range(200)]
    return round(float(np.mean(drawn)), 4)


def shares(predicted: Floats, kind: int) -> dict[str, float]:
    """Of pages of one type, -1 if it is not known, how many are right."""
    figures = {"no overview": 1 - float(is_overview_at(predicted).mean())}
    if kind >= 0:
        figures["right type"] = float((decide_places(predicted) == kind).mean())
    return {name: round(value, 4) for name, value in figures.items()}


def by_set(
    shared: Path, pages: Sequence[TypedPage], trained: TrainedTypes, *, quick: bool
) -> dict[str, Any]:
    """The shares of each set: by folds, without the set, by the whole weights."""
    report: dict[str, Any] = {}
    typed = TypedPages(pages)
    for name in SETS:
        own = [page for page in pages if page.dataset == name]
        kind = own[0].kind
        predicted = with_rows(shared, name, chances(own, trained.folds))
        report[name] = {"pages": len(own), "folds": shares(predicted, kind)}
        if not quick:
            say(f"weights without {name}")
            weights = train_without(typed, name, trained.arrays)
            predicted = by_weights(weights, [page.rows[0] for page in own])
            predicted = with_rows(shared, name, predicted)
            report[name]["without the set"] = shares(predicted, kind)
    for name in ARTICLES:
        say(f"reading {name}")
        described = [describe(page, url) for page, url in pages_of(shared, name)]
        predicted = with_rows(shared, name, by_weights(trained.arrays, described))
        figures = shares(predicted, TYPES.index("article"))
        report[name] = {"pages": len(described), "never trained on": figures}
    return report


def pages_of(shared: Path, name: str) -> Iterator[tuple[Page, str | None]]:
    """The pages of a set that are read, in the order of `training.page_types.read`."""
    for example in datasets.read(shared / "datasets" / f"{name}.jsonl.xz"):
        if name == TYPED and example.page_type not in TYPES:
            continue
        try:
            yield parse(example.html), example.url
        except LimitError:
            continue


def with_rows(shared: Path, name: str, predicted: Floats) -> Floats:
    """The probabilities of the pages of a set, with what their rows say."""
    rows = zip(pages_of(shared, name), predicted.tolist(), strict=True)
    return np.array([weigh_rows(page, chances) for (page, _), chances in rows])


def by_weights(weights: Any, described: Sequence[Description]) -> Floats:
    """The probabilities of pages by the same weights."""
    model = PageTypeModel.from_arrays(weights)
    return np.array([model.estimate_types(page) for page in described])


def times(pages: list[tuple[Page, str | None]]) -> dict[str, float]:
    """CPU milliseconds per page, the best of some rounds."""

    def best(run: Any) -> float:
        seconds = []
        for _ in range(REPEATS):
            started = time.process_time()
            for page, url in pages:
                page.made.clear()
                run(page, url)
            seconds.append(time.process_time() - started)
        return round(1000 * min(seconds) / len(pages), 4)

    return {
        "reading the page": best(lambda page, url: parse(page.source)),
        "page types": best(estimate_types),
        "columns of it": best(describe),
        "rows of it": best(lambda page, url: weigh_rows(page, EVEN)),
        "entries": best(lambda page, url: find_items(page, np.ones(len(page.blocks)), url)),
    }


def table(title: str, names: list[str], rows: list[list[Any]]) -> None:
    """A table on the screen."""
    print(f"\n{title}")
    print(" " * 18 + "".join(f"{name[:14]:>15}" for name in names))
    for name, *cells in rows:
        print(f"{name:18}" + "".join(f"{cell:>15}" for cell in cells))


def show_types(name: str, figures: dict[str, Any]) -> None:
    """The figures on pages of all types."""
    print(f"\n{name}")
    for what, value in figures.items():
        if not what.startswith(("precision", "recall", "confusions")):
            print(f"  {what:40} {value:.4f}")
    rows = [[kind, figures[f"precision, {kind}"], figures[f"recall, {kind}"]] for kind in TYPES]
    table("by type", ["precision", "recall"], rows)
    counts = zip(TYPES, figures["confusions"], strict=True)
    table("true type by row", list(TYPES), [[kind, *row] for kind, row in counts])


def show_sets(report: dict[str, Any]) -> None:
    """The shares of each set."""
    rows = []
    for name, own in report.items():
        for how, figures in own.items():
            if how != "pages":
                right = figures.get("right type", "")
                rows.append([name, own["pages"], how[:14], figures["no overview"], right])
    table("by set", ["pages", "weights", "no overview", "right type"], rows)


def main() -> None:
    """Parse the command line and run."""
    parser = script.parser(__doc__)
    parser.add_argument("--out", type=Path, default=script.RESULTS / "page_type.json")
    parser.add_argument("--quick", action="store_true")
    arguments = parser.parse_args()
    path = arguments.shared / "datasets" / f"{TYPED}.jsonl.xz"
    labelled = read([path, *(path.with_name(f"{name}.jsonl.xz") for name in SETS)], say)
    trained = train(TypedPages(labelled), say=say)
    balanced = [page for page in labelled if page.balanced]
    kind = np.array([page.kind for page in balanced])
    report: dict[str, Any] = {"pages": len(balanced)}
    for name, url in (("with URL", True), ("without URL", False)):
        alone = chances(balanced, trained.folds, url=url)
        predicted = with_rows(arguments.shared, TYPED, alone)
        articles = predicted[kind == TYPES.index("article")]
        report[name] = {
            **measures(predicted, kind),
            "overview, area under the curve, the model alone": measures(alone, kind)[
                "overview, area under the curve"
            ],
            "articles taken for overview pages": round(float(is_overview_at(articles).mean()), 4),
            "calibration error of chance alone": least_error(predicted),
            "confusions": confusions(predicted, kind),
        }
        show_types(name, report[name])
    report["sets"] = by_set(arguments.shared, labelled, trained, quick=arguments.quick)
    show_sets(report["sets"])
    say("TextSweeper and times")
    pages = list(pages_of(arguments.shared, TYPED))
    net = np.array([Textsweeper().net_length(page) for page, _ in pages])
    area = area_under_curve(-net, np.isin(kind, OVERVIEW_COLUMNS))
    report["textsweeper, overview, area under the curve"] = area
    report["ms per page"] = times(pages)
    for what in ("textsweeper, overview, area under the curve", "ms per page"):
        print(f"\n{what}: {report[what]}")
    script.write(arguments.out, report)


if __name__ == "__main__":
    main()
