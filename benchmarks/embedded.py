"""On which pages the article is taken from the data of the page, and what that is worth.

    python benchmarks/embedded.py

For all pages of all sets: whether their scripts hold an article, whether the page shows it, and
whether the page is taken for a shell and replaced; of those the figure of the method alone and with
the article (F1 by words, or of the snippets). Then how many would be replaced if nothing were kept
of any page: what the test for shells has to hold against. Takes about a minute.
"""

from __future__ import annotations

import sys
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import click
import numpy as np
import numpy.typing as npt
import script

from tamis.bench.measures import bag_of_words, count_snippets
from tamis.decide.decision import decide
from tamis.decide.steps import SHELL_WORDS
from tamis.decide.steps.embedded_articles import Embedded, find_article, find_hidden_article
from tamis.decide.steps.repeated_passages import share_of_runs
from tamis.errors import LimitError
from tamis.labels import datasets
from tamis.labels.datasets import Example
from tamis.methods._base import score_blocks
from tamis.options import Options
from tamis.page import tags
from tamis.page.reader import parse
from tamis.page.table import Page

OPTIONS = Options()
METHOD = OPTIONS.make_method()


@dataclass(frozen=True)
class Replaced:
    """A page whose visible text was replaced."""

    name: str
    kept: int
    article: Embedded
    before: float
    after: float

    def __str__(self) -> str:
        return (
            f"| {self.name} | {self.kept:,} | {self.article.words:,} | {self.article.source} |"
            f" {self.before:.3f} | {self.after:.3f} |"
        )


def figure(example: Example, page: Page, blocks: npt.NDArray[np.intp]) -> float:
    """F1 of some blocks by words, or of their snippets."""
    text = "\n".join(page.block_texts(blocks))
    if example.text is not None:
        return bag_of_words(text, example.text).f1
    return count_snippets(text, example.with_, example.without).score.f1


def is_shown(page: Page, article: Embedded) -> bool:
    """Whether more than half of an article is visible."""
    visible = np.flatnonzero(page.blocks.flags & tags.HIDDEN == 0)
    return share_of_runs(article.html, "\n".join(page.block_texts(visible))) > 0.5


def measured(path: Path, counts: Counter[str]) -> list[Replaced]:
    """The pages of a set that are replaced."""
    replaced = []
    examples = list(datasets.read(path))
    with click.progressbar(examples, label=datasets.name_of(path), file=sys.stderr) as bar:
        for example in bar:
            try:
                page = parse(example.html)
            except LimitError:
                continue
            counts["pages"] += 1
            article = find_article(page)
            if article is None:
                continue
            counts["with an article in their data"] += 1
            counts["that show it"] += is_shown(page, article)
            kept = decide(page, score_blocks(METHOD, page), METHOD, OPTIONS).kept
            words = int(page.blocks.words[kept].sum())
            counts["replaced if nothing were kept"] += (
                find_hidden_article(page, kept & False) is not None
            )
            if words <= SHELL_WORDS and find_hidden_article(page, kept):
                counts["replaced"] += 1
                inner = parse(article.html)
                before = figure(example, page, np.flatnonzero(kept))
                after = figure(example, inner, np.arange(len(inner.blocks)))
                name = f"{datasets.name_of(path)} {example.id}"
                replaced.append(Replaced(name, words, article, before, after))
    return replaced


def main() -> None:
    """Measure and print."""
    parser = script.parser(__doc__)
    parser.add_argument("sets", nargs="*", type=Path, help="files; all sets if none is named")
    chosen = parser.parse_args()
    counts: Counter[str] = Counter()
    replaced: list[Replaced] = []
    for path in chosen.sets or sorted((chosen.shared / "datasets").glob("*.jsonl.xz")):
        replaced += measured(path, counts)
    for name, count in counts.items():
        print(f"{count:6,} {name}")
    print("\n| replaced | kept | article | from | before | after |\n|---|---:|---:|---|---:|---:|")
    for page in replaced:
        print(page)


if __name__ == "__main__":
    main()
