"""How fast gold text is aligned with a page, and how near the anchored form is to the exact one.

    python benchmarks/alignment.py

Needs the shared folder (`--shared`, default ../shared beside the repository). A page is solved
whole up to `align.EXACT_CELLS`, larger ones are cut at anchors. The sample of pages is solved both
ways, with anchors forced by a limit far below the usual one, and the labels (share of words above
0.1) of their blocks are compared. The speed is that of a page of 20,000 words, made of the words
of the sample. Writes benchmarks/results/alignment.json.
"""

from __future__ import annotations

import json
import lzma
import random
import sys
import time
from pathlib import Path
from typing import Any

import click
import numpy as np
import script

import tamis
from tamis.labels import alignment as align
from tamis.labels.alignment import tokenize
from tamis.page import tags

SETS = ("wcxb-dev", "news2023", "scrapinghub", "dragnet", "cleaneval-final", "big9")
ANCHORED_CELLS = 50_000
CONTENT = 0.1
LONG_PAGE = 20_000


def sample(shared: Path, pages: int, seed: int) -> list[tuple[str, str, str, str]]:
    """Pages of all sets: set, id, HTML, gold."""
    rows = []
    for name in SETS:
        path = shared / "datasets" / f"{name}.jsonl.xz"
        with lzma.open(path, "rt", encoding="utf-8") as lines:
            these = [json.loads(line) for line in lines]
        random.Random(seed).shuffle(these)
        rows += [
            (name, str(row["id"]), row["html"], row["text"]) for row in these[: pages // len(SETS)]
        ]
    return rows


def agreement(rows: list[tuple[str, str, str, str]]) -> dict[str, Any]:
    """Labels and lengths of the anchored form beside the exact ones."""
    blocks = same = longest = matched_words = 0
    seconds = {"exact": 0.0, "anchored": 0.0}
    with click.progressbar(rows, label="pages") as bar:
        for _, _, html, gold in bar:
            page = tamis.parse(html)
            visible = np.flatnonzero(page.blocks.flags & tags.HIDDEN == 0)
            words = [tokenize(text) for text in page.block_texts(visible)]
            counts = np.array([len(piece) for piece in words])
            labels = {}
            for how, cells in (("exact", sys.maxsize), ("anchored", ANCHORED_CELLS)):
                started = time.perf_counter()
                shares = align.block_shares(page, gold, exact_cells=cells)[visible]
                seconds[how] += time.perf_counter() - started
                labels[how] = shares > CONTENT
                total = round(float(shares @ counts)) if len(counts) else 0
                longest += total if how == "exact" else 0
                matched_words += total if how == "anchored" else 0
            blocks += len(visible)
            same += int((labels["exact"] == labels["anchored"]).sum())
    return {
        "pages": len(rows),
        "blocks": blocks,
        "same_labels": same / blocks,
        "words_found": matched_words / longest,
        "ms_a_page": {how: 1000 * value / len(rows) for how, value in seconds.items()},
    }


def speed(rows: list[tuple[str, str, str, str]], repeats: int) -> dict[str, float]:
    """Seconds for a page of 20,000 words whose gold is every second block of ten words."""
    words = [word for row in rows for word in tokenize(row[3])]
    page_words = (words * (1 + LONG_PAGE // len(words)))[:LONG_PAGE]
    runs = [" ".join(page_words[i : i + 10]) for i in range(0, LONG_PAGE, 10)]
    page = tamis.parse("".join(f"<p>{run}" for run in runs))
    result = {}
    for name, gold in (
        ("half is content", " ".join(runs[::2])),
        ("all is content, but first and last", " ".join(runs[1:-1])),
        ("content in reverse order", " ".join(runs[::-1])),
    ):
        for how, cells in (("default", align.EXACT_CELLS), ("anchored", ANCHORED_CELLS)):
            times = []
            for _ in range(repeats):
                started = time.perf_counter()
                align.block_shares(page, gold, exact_cells=cells)
                times.append(time.perf_counter() - started)
            result[f"{name}, {how}"] = min(times)
    return result


def main() -> None:
    """Parse the command line and run."""
    parser = script.parser(__doc__)
    parser.add_argument("--pages", type=int, default=300)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--seed", type=int, default=2013)
    arguments = parser.parse_args()
    rows = sample(arguments.shared, arguments.pages, arguments.seed)
    result = {
        "agreement": agreement(rows),
        "seconds_for_20000_words": speed(rows, arguments.repeats),
    }
    print(json.dumps(result, indent=1))
    out = script.RESULTS / "alignment.json"
    script.write(out, result)


if __name__ == "__main__":
    main()
