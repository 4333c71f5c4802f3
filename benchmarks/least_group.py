"""How `least_group` of xpath_blocks was chosen: on all sets, and on pages in Thai and its like.

    python benchmarks/least_group.py          both tables, about ten minutes
    python benchmarks/least_group.py --only pages

    sets    bag-of-words F1 on all pages of each set; of trafilatura-eval, F1 of its snippets
    pages   the measure of the paper, precision, recall and F on lengths without spaces, on each
            page of the sets and of tests/pages that has 200 letters of one of these scripts;
            `gold` is their share of the letters of the gold text

`paper` is `variant=paper`, the others are values of `least_group`. Needs the shared folder
(`--shared`, default ../shared beside the repository). Prints Markdown and writes
benchmarks/results/least_group.json.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import script

import tamis
from tamis.bench import measures
from tamis.bench.contestants import Limits, make_contestant
from tamis.bench.report import summarise_sets
from tamis.bench.rivals import as_text
from tamis.bench.run import Bench
from tamis.cloud.vocabulary import SPACELESS
from tamis.labels import datasets

SCRIPTS = ("Thai", "Lao", "Khmer", "Burmese")
LETTERS = 200
READINGS: dict[str, dict[str, Any]] = {
    "paper": {"variant": "paper"},
    **{f"{least:g}": {"least_group": least} for least in (0.0, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3)},
}
NO_GOLD = {"recipes", "records", "structure"}
"""Sets whose gold says only what must be there, or how it is arranged."""


def run_sets(paths: list[Path]) -> dict[str, dict[str, float]]:
    """F1 by set and reading."""
    contestants = [make_contestant("xpath_blocks", parameters) for parameters in READINGS.values()]
    bench = Bench(measures=("bag_of_words",), limits=Limits(seconds=60))
    names = {each.name: name for each, name in zip(contestants, READINGS, strict=True)}
    rows: dict[str, dict[str, float]] = {}
    for row in summarise_sets(bench.run(contestants, paths)):
        if row.figure is not None:
            rows.setdefault(row.group, {})[names[row.contestant]] = row.figure
    by_set = list(rows.values())
    rows["mean"] = {name: float(np.mean([each[name] for each in by_set])) for name in READINGS}
    print(f"| F1 | {' | '.join(READINGS)} |\n|---|{'---|' * len(READINGS)}")
    for name, figures in rows.items():
        print(f"| {name} | {' | '.join(f'{figures[reading]:.3f}' for reading in READINGS)} |")
    return rows


def pages_of(paths: list[Path]) -> Iterator[tuple[str, str | bytes, str]]:
    """Name, HTML and gold text of all pages with gold text."""
    for path in paths:
        for example in datasets.read(path):
            if example.text:
                yield f"{datasets.name_of(path)}/{example.id}", example.html, example.text
    for folder in sorted((script.ROOT / "tests" / "pages").iterdir()):
        if folder.is_dir():
            expected = json.loads((folder / "expected.json").read_text("utf-8"))
            yield f"tests/{folder.name}", (folder / "source.html").read_bytes(), expected["text"]


def run_pages(paths: list[Path]) -> list[dict[str, Any]]:
    """One row per page in one of the scripts."""
    rows: list[dict[str, Any]] = []
    for name, html, gold in pages_of(paths):
        text = as_text(html)
        for letters_of in SCRIPTS:
            letters = re.compile(f"[{SPACELESS[letters_of]}]")
            if len(letters.findall(text)) < LETTERS:
                continue
            page = tamis.parse(html)
            scores = {
                reading: measures.compare_lengths(
                    tamis.extract(page, method="xpath_blocks", parameters=parameters).text, gold
                )
                for reading, parameters in READINGS.items()
            }
            share = len(letters.findall(gold)) / max(1, sum(map(str.isalpha, gold)))
            rows.append({"page": name, "script": letters_of, "gold": min(share, 1.0), **scores})
    print(f"\n| page, P R F | script | gold | {' | '.join(READINGS)} |")
    print(f"|---|---|---|{'---|' * len(READINGS)}")
    for row in rows:
        cells = (" ".join(f"{value:.3f}" for value in row[reading]) for reading in READINGS)
        print(f"| {row['page']} | {row['script']} | {row['gold']:.2f} | {' | '.join(cells)} |")
    return rows


def main() -> None:
    """Parse the command line and run."""
    parser = script.parser(__doc__)
    parser.add_argument("--only", choices=("sets", "pages"))
    arguments = parser.parse_args()
    paths = [
        path
        for path in sorted((arguments.shared / "datasets").glob("*.jsonl.xz"))
        if datasets.name_of(path) not in NO_GOLD
    ]
    runs = {"sets": run_sets, "pages": run_pages}
    result = {name: run(paths) for name, run in runs.items() if arguments.only in (None, name)}
    script.write(script.RESULTS / "least_group.json", result)


if __name__ == "__main__":
    main()
