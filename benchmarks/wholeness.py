"""How often a structure that the gold has whole, or not at all, is torn.

    python benchmarks/wholeness.py                              all sets, by the shipped weights
    python benchmarks/wholeness.py --folds DIR                  by weights that did not see the site
    python benchmarks/wholeness.py --data forum52 --worst 10    one set, and what is torn most

`page_structures.py` defines groups of blocks (of one path, in one list or table, under one
parent), when one is uniform and when it is torn. The total adds the three kinds; forums are the
pages of forum52 and those of that type in wcxb-dev. Then what is dropped of the headings, captions
and tables of data that the gold has. `--folds` is the folder to which `train.py tamis` writes
the weights of each fold; they are used on the sets that their card names. A page whose content was
found in its data has no blocks to compare and is left out. Takes about two minutes.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import click
import script
from page_structures import (
    CAPTIONS,
    DROPPED,
    GOLD,
    GOLD_TORN,
    GROUPS,
    HEADINGS,
    KINDS,
    PART,
    TABLES,
    TORN,
    TORN_OFF,
    UNIFORM,
    Counts,
    Group,
    Structures,
)
from training.folds import FOLDS, fold_of

import tamis
from tamis.errors import LimitError
from tamis.labels import datasets
from tamis.labels.datasets import Example
from tamis.page.table import Page
from tamis.train.labelled_pages import label_content, read_gold, site_of

SETS = (
    "wcxb-dev", "news2023", "scrapinghub", "readability", "forum52", "world-news", "mercury",
    "dragnet", "cleaneval-final", "l3s-gn1", "big9", "languages",
)  # fmt: skip
FORUMS = "forums"
TOTAL = "all sets"

OptionsOf = Callable[[Example], tamis.Options]


@dataclass(frozen=True)
class Torn:
    """A torn group, for the list of the worst."""

    words: float
    """Words on the wrong side."""
    page: str
    line: str


def options_of(method: str, folds: Path | None) -> OptionsOf:
    """How each page is extracted: by the weights of its fold if its set was trained on."""
    shipped = tamis.Options(method=method)
    if folds is None:
        return lambda example: shipped
    card = json.loads((folds / "fold-0.json").read_text("utf-8"))
    by_fold = [
        tamis.Options(method=method, parameters={"weights": str(folds / f"fold-{fold}.npz")})
        for fold in range(FOLDS)
    ]

    def options(example: Example) -> tamis.Options:
        trained = example.dataset in card["training_sets"]
        return by_fold[fold_of(site_of(example))] if trained else shipped

    return options


def is_forum(example: Example) -> bool:
    """Whether the gold of a page is a thread."""
    return example.dataset == "forum52" or example.page_type == "forum"


def torn_groups(structures: Structures, result: tamis.Result, name: str) -> Iterator[Torn]:
    """The torn groups of a page."""
    for group in structures.torn(result.kept):
        kept = group.kept_share(result.kept)
        wrong = (1 - kept if group.is_gold else kept) * float(group.words.sum())
        yield Torn(wrong, name, line(result.page, group, kept))


def line(page: Page, group: Group, kept: float) -> str:
    """A torn group in one line."""
    node = int(page.blocks.node[group.blocks[0]])
    path = []
    while node >= 0:
        path.append(page.tag_name(node))
        node = int(page.nodes.parent[node])
    gold = "gold" if group.is_gold else "not gold"
    where = "/".join(reversed(path))
    count = f"{len(group.blocks)} blocks, {group.words.sum():.0f} words"
    return f"{group.kind}: {count}, {gold}, {kept:.0%} kept, /{where}"


def measured(path: Path, sample: int | None, options: OptionsOf) -> tuple[list[Counts], list[Torn]]:
    """Counts of all pages of a set and of its forums, and what is torn."""
    examples = datasets.sample(read_gold(path), sample)
    every: Counts = Counter()
    forums: Counts = Counter()
    torn: list[Torn] = []
    with click.progressbar(examples, label=datasets.name_of(path), file=sys.stderr) as bar:
        for example in bar:
            try:
                page = tamis.parse(example.html)
            except LimitError:
                continue
            result = tamis.extract(page, url=example.url, options=options(example))
            if result.page is not page:
                continue
            structures = Structures(page, label_content(page, example))
            counts = structures.counts(result.kept)
            every += counts
            if is_forum(example):
                forums += counts
            torn += torn_groups(structures, result, f"{example.dataset} {example.id}")
    return [every, forums], torn


def group_table(rows: dict[str, Counts]) -> str:
    """Groups of each kind, and of all kinds together."""
    titles = ("groups", "uniform", "torn", "share", "in the gold", "torn", "share")
    lines = [f"| | kind | {' | '.join(titles)} |", "|---|---|" + "---:|" * len(titles)]
    columns = (GROUPS, UNIFORM, TORN, GOLD, GOLD_TORN)
    for name, counts in rows.items():
        kinds = {kind: [counts[kind, what] for what in columns] for kind in KINDS}
        kinds["all"] = [sum(column) for column in zip(*kinds.values(), strict=True)]
        for kind, (groups, uniform, torn, gold, gold_torn) in kinds.items():
            lines.append(
                f"| {name} | {kind} | {groups:,} | {uniform:,} | {torn:,} | {share(torn, uniform)}"
                f" | {gold:,} | {gold_torn:,} | {share(gold_torn, gold)} |"
            )
    return "\n".join(lines)


def part_table(rows: dict[str, Counts]) -> str:
    """What is dropped of headings, captions and tables."""
    columns = (
        (HEADINGS, DROPPED),
        (HEADINGS, TORN_OFF),
        (CAPTIONS, DROPPED),
        (TABLES, DROPPED),
        (TABLES, PART),
    )
    titles = [f"{kind} | {what}" for kind, what in columns]
    lines = [f"| | {' | '.join(titles)} |", "|---|" + "---:|" * 2 * len(columns)]
    for name, counts in rows.items():
        cells = [
            f"{counts[kind, GOLD]:,} | {share(counts[kind, what], counts[kind, GOLD])}"
            for kind, what in columns
        ]
        lines.append(f"| {name} | {' | '.join(cells)} |")
    return "\n".join(lines)


def share(part: int, whole: int) -> str:
    """A share in percent."""
    return f"{part / whole:.1%}" if whole else ""


def worst(torn: Sequence[Torn], count: int) -> str:
    """The pages with most words on the wrong side, and their groups."""
    words: Counter[str] = Counter()
    for group in torn:
        words[group.page] += round(group.words)
    lines = []
    for page, wrong in words.most_common(count):
        lines.append(f"{page}: {wrong:,} words in torn groups on the wrong side")
        own = sorted(
            (group for group in torn if group.page == page), key=lambda group: -group.words
        )
        lines += [f"    {group.line}" for group in own[:5]]
    return "\n".join(lines)


def arguments() -> argparse.Namespace:
    """The command line."""
    parser = script.parser(__doc__)
    parser.add_argument("--data", nargs="+", default=SETS, help="names of sets, or paths")
    parser.add_argument("--method", default="tamis")
    parser.add_argument("--folds", type=Path, help="folder with fold-0.npz to fold-4.npz")
    parser.add_argument("--sample", type=int, help="pages of each set")
    parser.add_argument("--worst", type=int, default=0, help="pages to show that are torn most")
    return parser.parse_args()


def main() -> None:
    """Measure and print."""
    chosen = arguments()
    options = options_of(chosen.method, chosen.folds)
    rows: dict[str, Counts] = {}
    total: Counts = Counter()
    forums: Counts = Counter()
    torn: list[Torn] = []
    for name in chosen.data:
        path = chosen.shared / "datasets" / f"{name}.jsonl.xz" if name in SETS else Path(name)
        (every, of_forums), of_set = measured(path, chosen.sample, options)
        rows[datasets.name_of(path)] = every
        total += every
        forums += of_forums
        torn += of_set
    rows |= {FORUMS: forums, TOTAL: total}
    print(group_table(rows), end="\n\n")
    print(part_table(rows))
    if chosen.worst:
        print("\n" + worst(torn, chosen.worst))


if __name__ == "__main__":
    main()
