"""Every choice of the site methods beside the paper's, on the pages of big9.

    python benchmarks/site_ablation.py                        all tables
    python benchmarks/site_ablation.py --only infodiscoverer  one method
    python benchmarks/site_ablation.py --stored               the tables of the last run

Needs the shared folder (`--shared`, default ../shared beside the repository). The pages, the gold
and the measures are those of `site_methods.py`; each method learns from the ten pages of a
site-year and scores them. Thresholds were chosen on five of the nine sites, so the means over these
and over the others stand apart. Prints the Markdown tables of docs/explanation/methods and writes
benchmarks/results/site_ablation.json.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple, TypeAlias

import click
import numpy as np
import numpy.typing as npt
import script
from site_methods import Flags, SiteYears, agreement, big9, measured

from tamis.methods._base import Scores
from tamis.methods._shared.repeated_blocks import RepeatedBlocks
from tamis.methods._shared.site_blocks import find_listed
from tamis.methods._shared.site_method import SiteMethod, parse_tags
from tamis.methods.site.content_extractor import ContentExtractor
from tamis.methods.site.infodiscoverer import Infodiscoverer
from tamis.methods.site.site_style_tree import SiteStyleTree
from tamis.methods.site.x_cex import XCex
from tamis.page import tags
from tamis.page.structure.subtrees import find_nearest
from tamis.page.table import Page

CHOSEN_ON = {"arstechnica.com", "cnn.com", "foxnews.com", "news.yahoo.com", "nypost.com"}
"""The sites that thresholds were chosen on."""


OUT = script.RESULTS / "site_ablation.json"
HEADS = ("five sites", "the others", "P", "R", "F", "F, blocks of the list")
SAME = "same verdicts"

Tables: TypeAlias = dict[str, dict[str, dict[str, float]]]
"""Figures by title of the table, row and column."""


class Row(NamedTuple):
    """The figures of a method with some parameters."""

    five: float
    others: float
    precision: float
    recall: float
    f: float
    in_list: float
    verdicts: list[Flags]


def row_of(sets: SiteYears, method: SiteMethod) -> Row:
    """Mean F over the site-years of the five sites, of the others and of all."""
    figures, five, verdicts = [], [], []
    for (site, _), pages in sets.items():
        fitted = method.fit([page.page for page in pages])
        kept = [(fitted.score(page.page) >= 0.5)[page.visible] for page in pages]
        every = measured(kept, [page.content for page in pages])
        inside = measured(
            [flags[page.in_list] for flags, page in zip(kept, pages, strict=True)],
            [page.content[page.in_list] for page in pages],
        )
        figures.append((every["precision"], every["recall"], every["f"], inside["f"]))
        five.append(site in CHOSEN_ON)
        verdicts += kept
    table, chosen = np.array(figures), np.array(five)
    five_sites, others = (float(table[flags, 2].mean()) for flags in (chosen, ~chosen))
    precision, recall, f, in_list = table.mean(axis=0).tolist()
    return Row(five_sites, others, precision, recall, f, in_list, verdicts)


# Readings of X-CEX that are no parameters


@dataclass(frozen=True)
class AllText(XCex):
    """Text outside the listed elements is judged by the one around it."""

    def score(self, page: Page) -> Scores:
        """As for any text."""
        return RepeatedBlocks.score(self, page)


@dataclass(frozen=True)
class WithHeadings(AllText):
    """Of the text outside the listed elements, headings are judged by the one around them."""

    def score(self, page: Page) -> Scores:
        """As for any text, 0 for what is neither in the list nor a heading."""
        names = [*parse_tags(self.block_tags), *(f"h{level}" for level in range(1, 7))]
        return np.where(find_listed(page, names)[page.blocks.node], super().score(page), 0.0)


@dataclass(frozen=True)
class Leaves(AllText):
    """A listed element with no listed one inside is taken whole, lists and headings included."""

    def score(self, page: Page) -> Scores:
        """As for any text, 0 outside of such elements."""
        chosen = find_listed(page, parse_tags(self.block_tags))
        inside: npt.NDArray[np.intp] = np.cumsum(chosen)
        leaf = chosen & (inside[page.nodes.last] == inside)
        return np.where(
            leaf[find_nearest(page, chosen)[page.blocks.node]], super().score(page), 0.0
        )


# The tables


def table(sets: SiteYears, title: str, methods: Mapping[str, SiteMethod]) -> Tables:
    """One row per variant of a method."""
    with click.progressbar(methods, label=title) as bar:
        rows = {name: row_of(sets, methods[name]) for name in bar}
    return {title: {name: dict(zip(HEADS, row[:-1], strict=True)) for name, row in rows.items()}}


def x_cex(sets: SiteYears) -> Tables:
    """Epsilon, the similarities, the blocks."""
    tables: Tables = {}
    for content in ("cosine", "hamming", "positions"):
        tables |= table(
            sets,
            f"x_cex, epsilon, {content}",
            {
                f"{epsilon:.2f}": XCex(content=content, epsilon=epsilon)
                for epsilon in (0.45, 0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.9)
            },
        )
    published = XCex(nesting="whole", tag_similarity="sequence")
    tables |= table(
        sets,
        "x_cex, readings",
        {
            "default": XCex(),
            "`content=hamming`": XCex(content="hamming"),
            "`content=positions`": XCex(content="positions"),
            "`tag_similarity=sequence`": XCex(tag_similarity="sequence"),
            "`nesting=ordered`": XCex(nesting="ordered"),
            "`nesting=whole`": XCex(nesting="whole"),
            "`nesting=whole`, `tag_similarity=sequence`": published,
            "`nesting=whole`, `tag_similarity=sequence`, `content=positions`": XCex(
                nesting="whole", tag_similarity="sequence", content="positions"
            ),
            "`h1` added to the list": XCex(block_tags=f"{XCex().block_tags} h1"),
            "headings judged by the element around them": WithHeadings(),
            "all text judged so": AllText(),
            "listed elements with none inside taken whole": Leaves(),
        },
    )
    return tables | agreements(
        sets,
        "x_cex",
        {content: XCex(content=content) for content in ("cosine", "hamming", "positions")},
    )


def content_extractor(sets: SiteYears) -> Tables:
    """Epsilon, the number of terms, the blocks."""
    methods: dict[str, SiteMethod] = {
        f"epsilon {epsilon}": ContentExtractor(epsilon=epsilon) for epsilon in (0.5, 0.6, 0.7, 0.9)
    }
    methods |= {
        f"`terms=true`, epsilon {epsilon}": ContentExtractor(terms=True, epsilon=epsilon)
        for epsilon in (0.5, 0.9, 0.99)
    }
    methods |= {
        "`nesting=ordered`": ContentExtractor(nesting="ordered"),
        "`nesting=whole`": ContentExtractor(nesting="whole"),
    }
    return table(sets, "content_extractor", methods) | agreements(
        sets,
        "content_extractor",
        {f"epsilon {epsilon}": ContentExtractor(epsilon=epsilon) for epsilon in (0.5, 0.6, 0.9)},
    )


def agreements(sets: SiteYears, title: str, methods: Mapping[str, RepeatedBlocks]) -> Tables:
    """F of all pairs, and how often the buckets agree with it."""
    rows = {}
    for name, method in methods.items():
        buckets, every = row_of(sets, method), row_of(sets, replace(method, search="all"))
        same = agreement(buckets.verdicts, every.verdicts)
        rows[name] = {"F, buckets": buckets.f, "F, all pairs": every.f, SAME: same}
    return {f"{title}, all pairs": rows}


def infodiscoverer(sets: SiteYears) -> Tables:
    """Terms, the mean, the threshold, the blocks."""
    tables: Tables = {}
    for threshold in (0.3, 0.35, 0.4, 0.45, 0.5, 0.6, 0.65, 0.7):
        tables |= table(
            sets,
            f"infodiscoverer, threshold {threshold}",
            {
                f"stop words {'out' if stop else 'in'}, {stemmer}, {mean}": Infodiscoverer(
                    threshold=threshold,
                    threshold_with_stop_words=threshold,
                    stop_words=stop,
                    stemmer=stemmer,
                    mean=mean,
                )
                for stop in (False, True)
                for stemmer in ("none", "porter")
                for mean in ("all", "distinct")
            },
        )
    blocks = " ".join(
        name for name, trait in zip(tags.NAMES, tags.TRAITS, strict=False) if trait & tags.BLOCK
    )
    return tables | table(
        sets,
        "infodiscoverer, blocks",
        {
            "default": Infodiscoverer(),
            "tables": Infodiscoverer(block_tags="table"),
            "text blocks": Infodiscoverer(block_tags=blocks),
        },
    )


def site_style_tree(sets: SiteYears) -> Tables:
    """The threshold, and attributes."""
    return table(
        sets,
        "site_style_tree",
        {
            f"threshold {threshold}{', `classes=true`' * classes}": SiteStyleTree(
                threshold=threshold, classes=classes
            )
            for classes in (False, True)
            for threshold in (0.1, 0.3, 0.5, 0.7, 0.8, 0.9)
        },
    )


PARTS: Sequence[Callable[[SiteYears], Tables]] = (
    x_cex,
    content_extractor,
    infodiscoverer,
    site_style_tree,
)


def show(tables: Tables) -> None:
    """Print the tables."""
    for title, rows in tables.items():
        heads = list(next(iter(rows.values())))
        print(f"\n## {title}\n\n| | {' | '.join(heads)} |")
        print("|---|" + "---|" * len(heads))
        for name, row in rows.items():
            cells = [f"{row[head]:.2%}" if head == SAME else f"{row[head]:.3f}" for head in heads]
            print(f"| {name} | {' | '.join(cells)} |")


def main() -> None:
    """Parse the command line and run."""
    parser = script.parser(__doc__)
    names = [part.__name__ for part in PARTS]
    parser.add_argument("--only", choices=names, help="only this method")
    parser.add_argument("--stored", action="store_true", help="print the figures of the last run")
    arguments = parser.parse_args()
    result = json.loads(OUT.read_text("utf-8")) if OUT.exists() else {}
    if not arguments.stored:
        sets = big9(arguments.shared)
        for part in PARTS:
            if arguments.only in (None, part.__name__):
                result[part.__name__] = part(sets)
                script.write(OUT, result)
    for name, tables in result.items():
        if arguments.only in (None, name):
            show(tables)


if __name__ == "__main__":
    main()
