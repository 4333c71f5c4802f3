"""What a result costs when it is asked for a view: text, Markdown, metadata, page type, reasons ...

    python benchmarks/views.py --shared ../shared

CPU time on the same pages of wcxb-dev as the table of the README, everything in turns page by page,
the minimum of the rounds. Beside them the whole of `tamis.extract` with its text. Writes
benchmarks/results/views.json.
"""

from __future__ import annotations

import argparse
import copy
import json
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import TypeVar

import click
import numpy as np
import script
from speed import ROOT, SAMPLES, processor, sampled_pages

import tamis
from tamis.render import original

_T = TypeVar("_T")
OUT = ROOT / "benchmarks" / "results" / "views.json"
SLOW = {"reasons", "explain", "cloud"}

VIEWS: dict[str, Callable[[tamis.Result], object]] = {
    "text": lambda result: result.text,
    "Markdown": lambda result: result.markdown,
    "HTML": lambda result: result.html,
    "JSON": lambda result: result.to_dict(),
    "metadata": lambda result: result.metadata,
    "page type": lambda result: result.page_types,
    "regions": lambda result: result.regions,
    "comments": lambda result: result.comments,
    "items": lambda result: result.items,
    "blocks": lambda result: result.blocks,
    "reasons": lambda result: result.reasons,
    "cloud": lambda result: result.cloud(),
    "explain": tamis.Result.explain,
    "original": lambda result: original.render(result.page, result.url),
    "posts": lambda result: result.posts,
    "chunks": lambda result: result.chunks(),
}


def fresh(result: tamis.Result, **changes: object) -> tamis.Result:
    """The same decision on the same page, with nothing made of either yet."""
    return replace(result, _page=copy.copy(result.page), **changes)  # type: ignore[arg-type]


def main() -> None:
    """Print and write the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    script.add_data(parser)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    pages = sampled_pages(arguments.shared, "wcxb-dev", SAMPLES["wcxb-dev"], arguments.seed)
    best = {name: np.full(len(pages), np.inf) for name in ("extract", *VIEWS)}
    with click.progressbar(range(arguments.rounds), label="rounds", file=sys.stderr) as rounds:
        for number in rounds:
            for place, page in enumerate(pages):
                result, taken = timed(partial(tamis.extract, page))
                _, written = timed(partial(VIEWS["text"], result))
                best["extract"][place] = min(best["extract"][place], taken + written)
                for name, view in VIEWS.items():
                    if number and name in SLOW:
                        continue
                    _, taken = timed(partial(view, fresh(result)))
                    best[name][place] = min(best[name][place], taken)
    means = {name: float(seconds.mean() * 1e3) for name, seconds in best.items()}
    print(f"\n{len(pages)} pages of wcxb-dev\n\n| | ms a page |\n|---|---|")
    for name, milliseconds in means.items():
        print(f"| {name} | {milliseconds:.3f} |")
    print(f"\n{processor()}")
    OUT.write_text(json.dumps({"pages": len(pages), "ms": means}, indent=1) + "\n", "utf-8")


def timed(make: Callable[[], _T]) -> tuple[_T, float]:
    """What `make` makes, and the CPU time it took."""
    started = time.thread_time()
    made = make()
    return made, time.thread_time() - started


if __name__ == "__main__":
    main()
