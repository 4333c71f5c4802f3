"""What each part of the default method is worth: groups of features, training sets, steps.

    python benchmarks/ablation.py --shared ../shared

Trains again without each part and measures on sites that were not trained on: some folds of the
training sets, and wcxb-dev by type. To be done in half an hour it uses fewer trees and folds than
the shipped weights, so its figures are for comparison with its own first row only. Results are
kept as they come (benchmarks/results/ablation.json), a second run goes on where the first stopped.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

import numpy as np
import numpy.typing as npt
import script
from training import boosted, corpus
from training.boosted import Stage, TrainingTable
from training.folds import FOLDS
from training.reading import read

from tamis.bench.measures import bag_of_words
from tamis.decide.decision import best_expected_f
from tamis.model.features import spec
from tamis.train.labelled_pages import LabelledPage
from tamis.train.weights import forest_of

SETS = ("wcxb-dev", "news2023", "scrapinghub", "readability", "trafilatura-eval")
MEASURED = SETS[:-1]
RESULTS = Path(__file__).parent / "results" / "ablation.json"

Row = dict[str, float]
Floats = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]
Matrix = npt.NDArray[np.float32]


def columns_without(group: str) -> list[int]:
    """Numbers of the columns of all groups but one."""
    left_out = spec.GROUPS[group]
    return [number for number, name in enumerate(spec.NAMES) if name not in left_out]


def token_values(whole: TrainingTable, folds: Sequence[int]) -> dict[int, Matrix]:
    """The token columns for the models of some folds."""
    by_fold = [np.flatnonzero(whole.folds == fold) for fold in range(FOLDS)]
    columns = {}
    for fold in folds:
        columns[fold] = np.zeros((len(whole), len(spec.GROUPS["tokens"])), np.float32)
        for other in range(FOLDS):
            table = whole.token_table({fold, other})
            columns[fold][whole.fold == other] = whole.token_values(table, by_fold[other])
    return columns


def probabilities(whole: TrainingTable, tokens: dict[int, Matrix], stage: Stage) -> Floats:
    """Of the blocks of some folds, by first stages without them, not calibrated."""
    result = np.zeros(len(whole))
    for fold, columns in tokens.items():
        values = whole.table(columns)
        forest = forest_of(whole.boosted(values, (fold,), 0, stage))
        here = whole.fold == fold
        odds = forest.predict(np.ascontiguousarray(values[here]))
        result[here] = 1 / (1 + np.exp(-odds))
    return result


def measure(
    labelled: Sequence[LabelledPage],
    whole: TrainingTable,
    p: Floats,
    folds: Sequence[int],
    decide: Callable[[Floats, Floats], Flags],
) -> Row:
    """Mean F1 a set, on the pages of the folds."""
    values: dict[str, list[float]] = {}
    for number, source in enumerate(labelled):
        if source.example.text is None or whole.folds[number] not in folds:
            continue
        rows = whole.rows(number)
        kept = decide(p[rows], whole.words[rows])
        text = "\n".join(source.page.block_texts(np.flatnonzero(kept)))
        score = bag_of_words(text, source.example.text).f1
        values.setdefault(source.example.dataset, []).append(score)
    return {name: round(float(np.mean(scores)), 4) for name, scores in values.items()}


def expected(p: Floats, words: Floats) -> Flags:
    """The decision of the default method, but for pages with nothing to extract."""
    return best_expected_f(p, words)[0]


def half(p: Floats, words: Floats) -> Flags:
    """The usual decision."""
    return p >= 0.5


def main() -> None:
    """Run what is missing and print the table."""
    parser = script.parser(__doc__, shared=False)
    script.add_data(parser)
    parser.add_argument("--folds", type=int, default=2, help="folds to measure on, of 5")
    parser.add_argument("--trees", type=int, default=120)
    parser.add_argument("--again", action="store_true", help="forget the results there are")
    chosen = parser.parse_args()
    stage = Stage(chosen.trees, {**boosted.FIRST.parameters, "learning_rate": 0.1})
    folds = tuple(range(chosen.folds))
    labelled = read([chosen.shared / "datasets" / f"{name}.jsonl.xz" for name in SETS], say)
    rows: dict[str, Row] = {}
    if RESULTS.exists() and not chosen.again:
        rows = json.loads(RESULTS.read_text("utf-8"))["rows"]
    samples = list(corpus.samples(labelled))
    real = len(labelled)

    def add(name: str, make: Callable[[], Row]) -> None:
        if name not in rows:
            rows[name] = make()
            settings = {"folds": chosen.folds, "trees": chosen.trees}
            script.write(RESULTS, {"settings": settings, "rows": rows})
        say(f"{name}: {rows[name]}")

    whole = TrainingTable(samples)
    tokens = token_values(whole, folds)
    every_column = whole.columns

    def without_group(group: str) -> Row:
        whole.columns = columns_without(group)
        p = probabilities(whole, tokens, stage)
        whole.columns = every_column
        return measure(labelled, whole, p, folds, expected)

    def fit(table: TrainingTable) -> Row:
        p = probabilities(table, token_values(table, folds), stage)
        return measure(labelled, table, p, folds, expected)

    def steps() -> Row:
        p = probabilities(whole, tokens, stage)
        rows["threshold 0.5 instead of expected F"] = measure(labelled, whole, p, folds, half)
        return measure(labelled, whole, p, folds, expected)

    add("everything", steps)
    for group in spec.GROUPS:
        add(f"without features: {group}", partial(without_group, group))
    add("without pages made over", lambda: fit(TrainingTable(samples[:real])))
    for name in SETS:
        add(f"without training set: {name}", partial(_without_set, labelled, name, fit))
    print(table(rows))


def _without_set(
    labelled: Sequence[LabelledPage], name: str, fit: Callable[[TrainingTable], Row]
) -> Row:
    return fit(_unlabelled(labelled, name))


def _unlabelled(labelled: Sequence[LabelledPage], name: str) -> TrainingTable:
    """The corpus with nothing known about the blocks of one set: its pages are only measured."""
    samples = list(
        corpus.samples([source for source in labelled if source.example.dataset != name])
    )
    others = iter(samples)
    first = [
        next(others) if source.example.dataset != name else corpus.read_unlabelled(source)
        for source in labelled
    ]
    return TrainingTable([*first, *others])


def table(rows: dict[str, Row]) -> str:
    """Markdown, with the difference to the first row."""
    lines = [f"| | {' | '.join(MEASURED)} |", "|---" * (len(MEASURED) + 1) + "|"]
    base = rows["everything"]
    for name, row in rows.items():
        cells = [
            f"{row[part]:.3f}"
            if name == "everything"
            else f"{row[part]:.3f} ({row[part] - base[part]:+.3f})"
            for part in MEASURED
        ]
        lines.append(f"| {name} | {' | '.join(cells)} |")
    return "\n".join(lines)


def say(text: str) -> None:
    """Tell how far it is."""
    print(text, file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
