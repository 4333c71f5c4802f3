"""Counts the work of the views of hostile pages; test_growth.py runs it in a process of its own.

    python tests/render/count_work.py text Markdown

Work is the number of calls, and of the characters of the strings whose methods are called: a long
string that is read again and again counts each time. The numbers depend on the pages alone.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from types import FrameType

import numpy as np

import tamis

sys.path.insert(0, str(Path(__file__).parents[2] / "benchmarks"))

from hostile_kinds import VIEWING
from views import VIEWS, fresh

SIZES = (1_000, 2_000, 4_000)
CHARACTERS = 50
"""Characters that count as one call."""


def work_of(view: Callable[[], object]) -> int:
    """The work of a call."""
    work = 0

    def count(frame: FrameType, event: str, argument: object) -> None:
        nonlocal work
        if event in ("call", "c_call"):
            work += 1
            string = getattr(argument, "__self__", None)
            if isinstance(string, str | bytes):
                work += len(string) // CHARACTERS

    sys.setprofile(count)
    try:
        view()
    finally:
        sys.setprofile(None)
    return work


def result_of(page: bytes) -> tamis.Result:
    """The result of a page of which everything is kept."""
    options = tamis.Options(max_depth=100_000, max_seconds=600)
    result = tamis.extract(page, url="https://example.org/a/b", options=options)
    everything = replace(result.decision, kept=np.ones(len(result.kept), bool))
    return fresh(result, decision=everything)


def main() -> None:
    """Print the work of some views of each kind of page at each size."""
    views = {name: VIEWS[name] for name in sys.argv[1:]}
    works: dict[str, dict[str, list[int]]] = {}
    # The first of all loads what is loaded once.
    for kind, make in ({"": VIEWING["every mark"]} | VIEWING).items():
        works[kind] = {name: [] for name in views}
        for result in [result_of(make(size)) for size in SIZES]:
            for name, view in views.items():
                asked = fresh(result)
                asked.__dict__["overview"] = 1.0  # so that it has items
                works[kind][name].append(work_of(partial(view, asked)))
    del works[""]
    print(json.dumps(works))


if __name__ == "__main__":
    main()
