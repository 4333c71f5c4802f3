"""The text blocks of Kim 2013 under several readings of the paper, on L3S-GN1.

    python benchmarks/text_blocks.py             readings
    python benchmarks/text_blocks.py --tags      the tags of Table 1, inside and outside of content
    python benchmarks/text_blocks.py --leaves    parameters of C4.5, on sets of the shipped weights

The paper has 84,198 text blocks of 621 pages, 13,209 of them (15.69%) content. For each reading:
how many there are, and precision, recall and F of the content by ten-fold cross-validation over
text blocks; another division into folds moves F by .003. The learner is C4.5 with the paper's
parameters. `--leaves` has F by five folds over pages and sites for those and others. Prints tables
and writes benchmarks/results/text_blocks*.json. Needs the shared folder and scikit-learn.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any

import click
import numpy as np
import script
from public_sets.l3s_gn1 import L3S_CONTENT, mostly_content, span_classes, unit_table

import tamis
from tamis.bench.charts import tag_lines
from tamis.labels.alignment import piece_shares
from tamis.labels.datasets import Example
from tamis.methods import text_block_context as context
from tamis.methods._base import Flags, Floats, Indexes
from tamis.page import tags
from tamis.page.table import Page
from tamis.train import feature_table as fit
from tamis.train.labelled_pages import read_gold
from tamis.train.text_block_context import NOMINAL, ContextTraining, columns_of, mean_content

SEED = 2013
PRINTED = (84_198, 0.1569, (0.858, 0.778, 0.816), (0.873, 0.827, 0.849))
MEASURED = ("precision", "recall", "f")


# --- features and figures, for papers.py as well --------------------------------------------------


PUBLISHED = ContextTraining(smoothing=0)
"""J48 with the paper's parameters: pruning confidence 0.7, branches of at least 10 text blocks."""


def feature_sets(rows: Floats) -> dict[str, Columns]:
    """The columns of the two rows of Table 3, of the 25 attributes, and which are nominal."""
    width = len(context.ATTRIBUTES)
    # Word and link density of the block, the one before and the one after.
    shallow = [width * place + attribute for place in (1, 2, 3) for attribute in (0, 1)]
    return {
        "boilerpipe features": Columns(rows[:, shallow], {}),
        "text block context": Columns(rows, NOMINAL),
    }


@dataclass(frozen=True, eq=False)
class Columns:
    """What a learner sees."""

    rows: Floats
    nominal: dict[int, int]


def figures(columns: Columns, table: fit.FeatureTable, by: str, seed: int) -> dict[str, float]:
    """Precision, recall and F of the content class, and F of both weighted by their sizes."""
    learner = replace(PUBLISHED.learner(table), nominal=columns.nominal)
    measured = fit.cross_validate(columns.rows, table, by, lambda: learner, folds=10, seed=seed)
    content = int(table.content.sum())
    right = measured.recall * content
    wrong = right / measured.precision - right if right else 0.0
    other = len(table) - content
    other_f = 2 * (other - wrong) / (2 * (other - wrong) + wrong + content - right)
    weighted = (content * measured.f1 + other * other_f) / len(table)
    return {
        "precision": measured.precision,
        "recall": measured.recall,
        "f": measured.f1,
        "weighted": weighted,
    }


# --- readings ----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Reading:
    """What may have been counted."""

    label: str
    published: bool = False
    """The pages as they were published, labels by overlap with the gold text, instead of the
    annotated ones, which a browser saved without what it did not show."""
    text: str = "visible"
    annotation: bool = False
    """The spans of the annotation count as tags."""
    supplied: bool = False
    """Tags that a parser supplies are lines, too."""
    classes: tuple[int, ...] = L3S_CONTENT


READINGS = (
    Reading("annotated pages, visible text with a word (our default)"),
    Reading("annotated pages, all text (`text=all`)", text="all"),
    Reading("annotated pages, the annotation left in as tags", annotation=True),
    Reading(
        "annotated pages, all text; content is all but the supplemental class",
        text="all",
        classes=(1, 2, 4, 5),
    ),
    Reading("pages as published, visible text with a word", published=True),
    Reading("pages as published, lines of supplied tags, too", published=True, supplied=True),
    Reading("pages as published, all text", published=True, text="all"),
)


def table_of(reading: Reading, examples: list[Example]) -> fit.FeatureTable:
    """The attributes and labels of all text blocks under a reading."""
    parts = list(_parts(reading, examples))
    rows, content, words = (np.concatenate(column) for column in zip(*parts, strict=True))
    pages = np.repeat(np.arange(len(parts)), [len(part[0]) for part in parts])
    return fit.FeatureTable(rows, content, pages, pages, words)


def _parts(reading: Reading, examples: list[Example]) -> Iterator[tuple[Floats, Flags, Floats]]:
    for example in examples:
        classes = None
        if reading.published:
            page = tamis.parse(example.html)
        elif reading.annotation:
            page, classes = _with_annotation(example.annotated or "")
        else:
            page, classes = span_classes(example.annotated or "")
        units = context.cut_units(page, reading.text)
        if reading.supplied:
            units = _with_supplied_tags(page, units)
        if classes is None:
            texts = context.unit_texts(page, units)
            content = piece_shares(texts, example.text or "") > fit.CONTENT_SHARE
        else:
            marked = np.isin(classes, reading.classes)
            content = mostly_content(page, units, marked, reading.text)
        yield context.measure_units(units), content, units.words


def _with_annotation(annotated: str) -> tuple[Page, Indexes]:
    """The annotated page as it is, and the class of each of its texts."""
    page = tamis.parse(
        annotated.encode("utf-8", "replace"), content_type="text/html; charset=utf-8"
    )
    classes = np.zeros(len(page.nodes), np.intp)
    for node, parent in enumerate(page.nodes.parent.tolist()):
        own = None
        if page.nodes.tag[node] == tags.NAMES.index("span"):
            own = re.search(r"x-nc-sel(\d)", page.attribute(node, "class") or "")
        classes[node] = int(own[1]) if own else classes[max(parent, 0)]
    return page, classes[page.texts.node]


def _with_supplied_tags(page: Page, units: context.Units) -> context.Units:
    lined = tag_lines(page, np.zeros(len(page.blocks), bool))
    before = lined.text_line - np.arange(len(page.texts))
    texts, lines = units.texts, np.zeros(len(units.first))
    lines[1:] = before[texts[units.first[1:]]] - before[texts[units.end[:-1] - 1]]
    return replace(units, lines_before=lines)


# --- tags --------------------------------------------------------------------------------------


def tag_shares(examples: list[Example]) -> dict[str, Any]:
    """Of each tag the share that is inside of the content, for Table 1 and the tags beside it."""
    counts = np.zeros((2, len(tags.NAMES)), np.int64)
    for example in examples:
        page, classes = span_classes(example.annotated or "")
        content = np.where(np.isin(classes, L3S_CONTENT), page.texts.chars, -page.texts.chars)
        lined = tag_lines(page, np.bincount(page.texts.block, content, len(page.blocks)) > 0)
        kinds = page.nodes.tag[lined.node]
        for row, inside in enumerate((True, False)):
            own = kinds[(lined.inside == inside) & (kinds < len(tags.NAMES))]
            counts[row] += np.bincount(own, minlength=len(tags.NAMES))
    everything = float(counts[0].sum() / counts.sum())
    rows = {
        name: {"tags": int(total), "inside": float(inside / total)}
        for name, inside, total in zip(tags.NAMES, counts[0], counts.sum(axis=0), strict=True)
        if total and (name in context.PARENTS or inside / total > 2 * everything)
    }
    for listed in (True, False):
        shown = [
            f"`{name}` {row['inside']:.0%} of {row['tags']:,}"
            for name, row in sorted(rows.items(), key=lambda row: -row[1]["inside"])
            if (name in context.PARENTS) == listed and (listed or row["tags"] >= len(examples))
        ]
        print("Table 1:" if listed else "Others above twice the mean:", ", ".join(shown))
    print(f"all tags: {everything:.1%} inside")
    return {"all": everything, **rows}


# --- leaves ------------------------------------------------------------------------------------

TRAINED_ON = ("wcxb-dev", "news2023", "scrapinghub", "readability")
LEAF_ROWS, LEAF_SEED = 100_000, 0
LEAVES = (
    ContextTraining(smoothing=0),
    ContextTraining(least=49, smoothing=0),
    ContextTraining(confidence=0.25, smoothing=0),
    ContextTraining(confidence=0.25, least=49, smoothing=0),
    *(ContextTraining(smoothing=pages) for pages in (0.25, 0.5, 1, 2, 4)),
    ContextTraining(least=49),
    ContextTraining(confidence=0.25),
)
"""49 is half of the content blocks of a mean page of these sets, as 10 is in the paper."""


def leaves(shared: Path) -> dict[str, Any]:
    """F of the content class by parameter, on part of what the shipped tree learned."""
    pages = chain.from_iterable(
        read_gold(shared / "datasets" / f"{name}.jsonl.xz") for name in TRAINED_ON
    )
    table = unit_table("visible", pages)
    part = table.sample(LEAF_ROWS, LEAF_SEED)
    columns = columns_of(part)
    results: dict[str, Any] = {"blocks": len(table), "content": mean_content(table)}
    print(f"{len(table):,} text blocks, F of the content on {len(part):,} of them")
    print("| confidence | least | smoothing | folds over pages | folds over sites |")
    print("|---|---|---|---|---|")
    for training in LEAVES:
        learner = partial(training.learner, part)
        row = {
            by: fit.cross_validate(columns, part, by, learner, folds=5, seed=LEAF_SEED).f1
            for by in ("page", "site")
        }
        cells = f"{training.confidence:g} | {training.least} | {training.smoothing:g}"
        results[cells.replace(" | ", ", ")] = row
        print(f"| {cells} | {row['page']:.3f} | {row['site']:.3f} |", flush=True)
    return results


def main() -> None:
    """Measure all readings."""
    parser = script.parser(__doc__)
    parser.add_argument("--leaves", action="store_true")
    parser.add_argument("--tags", action="store_true")
    arguments = parser.parse_args()
    if arguments.leaves:
        script.write(script.RESULTS / "text_blocks_leaves.json", leaves(arguments.shared))
        return
    path = arguments.shared / "datasets" / "l3s-gn1.jsonl.xz"
    examples = list(read_gold(path))
    if arguments.tags:
        script.write(script.RESULTS / "text_blocks_tags.json", tag_shares(examples))
        return
    results: dict[str, Any] = {}
    with click.progressbar(READINGS, label="readings") as bar:
        for reading in bar:
            table = table_of(reading, examples)
            rows: dict[str, Any] = {"blocks": len(table), "content": float(table.content.mean())}
            for name, columns in feature_sets(table.rows).items():
                rows[name] = figures(columns, table, "block", SEED)
            results[reading.label] = rows
    runs = sum(
        int(np.isin(span_classes(example.annotated or "")[1], L3S_CONTENT).sum())
        for example in examples
    )
    results["runs of text of the content classes"] = runs
    _print(results, runs)
    script.write(script.RESULTS / "text_blocks.json", results)


def _print(results: dict[str, Any], runs: int) -> None:
    print("| reading | text blocks | content | boilerpipe P, R, F | text block context P, R, F |")
    print("|---|---|---|---|---|")
    count, share, *printed = PRINTED
    cells = [", ".join(f"{value:.3f}" for value in row) for row in printed]
    print(f"| the paper | {count:,} | {share:.1%} | {cells[0]} | {cells[1]} |")
    for reading in READINGS:
        rows = results[reading.label]
        cells = [
            ", ".join(f"{rows[name][key]:.3f}" for key in MEASURED)
            for name in ("boilerpipe features", "text block context")
        ]
        counts = f"{rows['blocks']:,} | {rows['content']:.1%}"
        print(f"| {reading.label} | {counts} | {' | '.join(cells)} |")
    print(f"runs of text of the content classes, if every tag separates: {runs:,}")


if __name__ == "__main__":
    main()
