"""How much of what must be there is found, and in how many words: recipes and records.

    python benchmarks/found.py --folds DIR                  tamis by folds and the rivals there are
    python benchmarks/found.py --folds DIR --rivals none    tamis alone

These sets say what must be in the output (ingredients and steps, values of records), not what must
not; so the words of the output stand beside it. `--folds` is the folder to which `train.py tamis`
writes the weights that did not see a page's site. Needs the shared folder.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import click
import script
from training.folds import fold_of, load_methods

import tamis
from tamis.bench import rivals
from tamis.bench.measures import count_snippets
from tamis.errors import TamisError
from tamis.labels import datasets
from tamis.labels.alignment import tokenize
from tamis.labels.datasets import Example
from tamis.train.labelled_pages import site_of

SETS = ("recipes", "records")


def by_folds(folder: Path) -> Callable[[Example], str]:
    """The default method, by the weights that did not see the page's site."""
    methods = load_methods(folder)

    def text(example: Example) -> str:
        return tamis.extract(example.html, method=methods[fold_of(site_of(example))]).text

    return text


def rival(name: str) -> Callable[[Example], str]:
    """Another library."""
    extractor = rivals.load(name)
    return lambda example: extractor(example.html)


def measured(examples: Sequence[Example], text_of: Callable[[Example], str]) -> tuple[float, float]:
    """The share of the snippets that are found, and the words of a page."""
    found = expected = words = 0
    with click.progressbar(examples, file=sys.stderr) as bar:
        for example in bar:
            try:
                text = text_of(example)
            except TamisError:
                text = ""
            own = count_snippets(text, example.with_, ())
            found += own.present
            expected += own.wanted
            words += len(tokenize(text))
    return found / max(expected, 1), words / max(len(examples), 1)


def main() -> None:
    """Print the table."""
    parser = script.parser(__doc__)
    parser.add_argument("--folds", type=Path, required=True)
    parser.add_argument("--rivals", default="all", help="names, all or none")
    chosen = parser.parse_args()
    contestants: dict[str, Callable[[Example], str]] = {"tamis": by_folds(chosen.folds)}
    if chosen.rivals != "none":
        names = None if chosen.rivals == "all" else chosen.rivals.split(",")
        contestants |= {name: rival(name) for name in rivals.list_installed(names)}
    print("| | " + " | ".join(f"{name}: found | words" for name in SETS) + " |")
    print("|---" * (1 + 2 * len(SETS)) + "|")
    pages = {
        name: list(datasets.read(chosen.shared / "datasets" / f"{name}.jsonl.xz")) for name in SETS
    }
    for name, text_of in contestants.items():
        cells = [measured(pages[of_set], text_of) for of_set in SETS]
        row = " | ".join(f"{found:.3f} | {words:.0f}" for found, words in cells)
        print(f"| {name} | {row} |", flush=True)


if __name__ == "__main__":
    main()
