"""Pages that are taken to have nothing to extract: real ones, which is wrong, and refusals.

    python benchmarks/nothing.py --folds DIR

Of all pages with a gold of 50 words and more, by the weights that did not see the page's site, how
many come out empty with each focus; and of made-up refusals (errors, consent walls, logins; other
ones than those that were learned from) how many do, which is right.
"""

from __future__ import annotations

import sys
from pathlib import Path
from random import Random

import click
import numpy as np
import script
from training.folds import fold_of, load_methods
from training.refusals import refusal

import tamis
from tamis.errors import TamisError
from tamis.labels import datasets
from tamis.labels.alignment import tokenize
from tamis.methods.tamis import Tamis
from tamis.options import Focus
from tamis.train.labelled_pages import read_gold

SETS = (
    "wcxb-dev", "news2023", "scrapinghub", "readability", "forum52", "world-news", "mercury",
    "dragnet", "cleaneval-final", "l3s-gn1", "big9", "languages",
)  # fmt: skip
FOCI: tuple[Focus, ...] = ("precision", "balanced", "recall")
WORDS = 50
REFUSALS = 400
# Those of `train.py` are made with seed 0.
SEED = 1


def is_empty(html: str | bytes, method: Tamis, focus: Focus) -> bool:
    """Whether nothing is kept of a page; one that tamis does not read is not counted."""
    try:
        return not tamis.extract(html, method=method, focus=focus).text
    except TamisError:
        return False


def main() -> None:
    """Print the table and the pages that were emptied."""
    parser = script.parser(__doc__)
    parser.add_argument("--folds", type=Path, required=True)
    parser.add_argument("--sets", default=",".join(SETS))
    chosen = parser.parse_args()
    methods = load_methods(chosen.folds)
    counts = np.zeros(len(FOCI), int)
    pages = 0
    emptied = []
    for name in chosen.sets.split(","):
        path = chosen.shared / "datasets" / f"{name}.jsonl.xz"
        with click.progressbar([*read_gold(path)], label=name, file=sys.stderr) as bar:
            for example in bar:
                if len(tokenize(example.text or "")) < WORDS:
                    continue
                method = methods[fold_of(example.site or "")]
                empty = [is_empty(example.html, method, focus) for focus in FOCI]
                counts += empty
                pages += 1
                if empty[FOCI.index("balanced")]:
                    emptied.append(f"{datasets.name_of(path)} {example.id}")
    random = Random(SEED)
    refused = [refusal(random) for _ in range(REFUSALS)]
    shares = [np.mean([is_empty(html, methods[0], focus) for html in refused]) for focus in FOCI]
    print(f"| focus | emptied, of {pages:,} pages with {WORDS} words and more | refusals emptied |")
    print("|---|---|---|")
    for focus, count, share in zip(FOCI, counts.tolist(), shares, strict=True):
        print(f"| {focus} | {count} ({1000 * count / max(pages, 1):.1f} of 1,000) | {share:.3f} |")
    print("\n".join(emptied))


if __name__ == "__main__":
    main()
