"""Kinds of blocks and reasons for them: are they right, are they true, what do they cost?

    python benchmarks/regions.py --shared ../shared

Comments: the words of the blocks of that kind beside the gold comments of dragnet, in bags, and
beside the annotated class of L3S-GN1; the title beside its headlines. Many pages of dragnet have
comments that the gold leaves out, so the pages with gold comments are also counted alone. Kinds:
where the words of wcxb-dev go, by page type. Reasons: the signals that are named of a block are set
to their neutral values, all at once; the log odds must move as the reasons claim, and more than
with three signals taken at random. Times are CPU times, the mean over the pages nearest to the mean
size, the minimum of the rounds. Evaluation only: nothing is learned here. Writes
benchmarks/results/regions.json.
"""

from __future__ import annotations

import datetime
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
import numpy as np
import numpy.typing as npt
import script
from public_sets.l3s_gn1 import span_classes
from speed import processor

import tamis
from tamis.bench.measures import score_counts
from tamis.describe import reasons
from tamis.describe.regions import KIND, KINDS, find_regions
from tamis.labels import datasets
from tamis.labels.alignment import tokenize
from tamis.methods.tamis import Tamis
from tamis.model.features import spec
from tamis.model.features.batch import Batch

OUT = script.RESULTS / "regions.json"
CLASSES = {"title": 1, "comments": 5}
ROUNDS = 7
MEAN_BYTES = 92_000
"""Size of the mean page of all data sets."""
TIMED = 60


def examples(shared: Path, name: str, pages: int | None) -> list[datasets.Example]:
    """Some pages of a data set."""
    return datasets.sample(datasets.read(shared / "datasets" / f"{name}.jsonl.xz"), pages)


def rounded(counts: npt.NDArray[np.float64] | list[float]) -> dict[str, float]:
    """Precision, recall and F1 of common, predicted and gold words."""
    score = score_counts(*(float(count) for count in counts))
    return {name: round(value, 3) for name, value in score._asdict().items()}


def dragnet(these: list[datasets.Example]) -> dict[str, Any]:
    """Comments beside the gold comments."""
    rows = []
    with click.progressbar(these, label="dragnet") as bar:
        for example in bar:
            result = tamis.extract(example.html)
            kinds = find_regions(result.page, result.kept)
            blocks = np.flatnonzero(kinds == KIND["comments"])
            words = Counter(tokenize("\n".join(result.page.block_texts(blocks))))
            gold = Counter(tokenize(example.comments or ""))
            rows.append(((words & gold).total(), words.total(), gold.total()))
    table = np.array(rows, float)
    commented = table[table[:, 2] > 0]
    return {
        "comments": rounded(table.sum(0)),
        "comments, pages with gold comments": rounded(commented.sum(0)),
        "pages": len(table),
        "pages with gold comments": len(commented),
    }


def l3s(these: list[datasets.Example]) -> dict[str, Any]:
    """Comments and titles beside the annotated classes."""
    words = np.zeros((6, len(KINDS)))
    with click.progressbar(these, label="l3s-gn1") as bar:
        for example in bar:
            page, classes = span_classes(example.annotated or "")
            result = tamis.extract(page)
            kinds = find_regions(page, result.kept)[page.texts.block]
            np.add.at(words, (np.clip(classes, 0, 5), kinds), page.texts.words)
    return {
        name: rounded([words[place, KIND[name]], words[:, KIND[name]].sum(), words[place].sum()])
        for name, place in CLASSES.items()
    } | {"pages": len(these)}


def shares(these: list[datasets.Example], pages: list[tamis.Result]) -> dict[str, dict[str, float]]:
    """For each page type the share of the words that each kind has, in percent."""
    words = {example.page_type or "": np.zeros(len(KINDS)) for example in these}
    for example, result in zip(these, pages, strict=True):
        kinds = find_regions(result.page, result.kept)
        np.add.at(words[example.page_type or ""], kinds, result.page.blocks.words)
    return {
        page_type: {
            kind: round(100 * count / own.sum(), 1)
            for kind, count in zip(KINDS, own.tolist(), strict=True)
        }
        for page_type, own in sorted(words.items())
    }


def deleted(pages: list[tamis.Result], seed: int) -> dict[str, Any]:
    """What is left of the odds without the signals that are named, and without random ones."""
    model, families = Tamis().load_model(), reasons.find_family_columns()
    usual = reasons.find_neutral(model.forest)
    source = np.random.default_rng(seed)
    moved: dict[str, list[npt.NDArray[np.float64]]] = {"named": [], "random": [], "claimed": []}
    for result in pages:
        if not len(result.scores):
            continue
        features = spec.make_table(Batch.from_pages([result.page]), model.tokens)
        odds = model.forest.predict(features)
        effects = reasons.measure_effects(features, model.forest, usual)
        named = np.argsort(-np.abs(effects), axis=1)[:, : reasons.SIGNALS]
        by_chance = source.random(effects.shape).argsort(axis=1)[:, : reasons.SIGNALS]
        moved["claimed"].append(np.take_along_axis(effects, named, 1).sum(1))
        for name, chosen in (("named", named), ("random", by_chance)):
            changed = features.copy()
            for place, columns in enumerate(families):
                rows = np.flatnonzero((chosen == place).any(axis=1))
                changed[np.ix_(rows, columns)] = usual[columns]
            moved[name].append(odds - model.forest.predict(changed))
    signals = {name: np.concatenate(parts) for name, parts in moved.items()}
    right = np.sign(signals["named"]) == np.sign(signals["claimed"])
    return {
        "blocks": len(right),
        "moved as claimed": round(float(np.mean(right)), 3),
        "log odds moved, named signals": round(float(np.abs(signals["named"]).mean()), 2),
        "log odds moved, random signals": round(float(np.abs(signals["random"]).mean()), 2),
    }


def milliseconds(pages: list[tamis.Result], run: Callable[[tamis.Result], object]) -> float:
    """Mean CPU time of a page, the minimum of the rounds."""
    best = float("inf")
    for _ in range(ROUNDS):
        started = time.process_time()
        for result in pages:
            run(result)
        best = min(best, time.process_time() - started)
    return round(1000 * best / max(len(pages), 1), 3)


def main() -> None:
    """Parse the command line and run."""
    parser = script.parser(__doc__)
    parser.add_argument("--pages", type=int, default=200, help="pages of wcxb-dev")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, default=OUT)
    arguments = parser.parse_args()
    these = examples(arguments.shared, "wcxb-dev", arguments.pages)
    with click.progressbar(these, label="wcxb-dev") as bar:
        pages = [tamis.extract(example.html) for example in bar]
    timed = sorted(pages, key=lambda result: abs(len(result.page.source) - MEAN_BYTES))[:TIMED]
    sizes = [len(result.page.source) for result in timed]
    report: dict[str, Any] = {
        "date": datetime.date.today().isoformat(),
        "processor": processor(),
        "dragnet": dragnet(examples(arguments.shared, "dragnet", None)),
        "l3s-gn1": l3s(examples(arguments.shared, "l3s-gn1", None)),
        "kinds": shares(these, pages),
        "reasons": deleted(pages, arguments.seed),
        "speed": {
            "pages": len(timed),
            "mean bytes": round(sum(sizes) / len(sizes)),
            "regions, ms": milliseconds(
                timed, lambda result: find_regions(result.page, result.kept)
            ),
            "reasons, ms": milliseconds(
                timed,
                lambda result: reasons.explain_blocks(
                    result.page, result.decision, result.options.make_method()
                ),
            ),
        },
    }
    for part in ("dragnet", "l3s-gn1", "reasons", "speed"):
        print(f"\n{part}")
        for name, value in report[part].items():
            print(f"  {name}: {value}")
    print(f"\n| words, % | {' | '.join(KINDS)} |")
    print("|---" * (len(KINDS) + 1) + "|")
    for page_type, own in report["kinds"].items():
        print(f"| {page_type} | {' | '.join(f'{own[kind]:.1f}' for kind in KINDS)} |")
    script.write(arguments.out, report)


if __name__ == "__main__":
    main()
