"""Whether our measures are those of the shared reference, on real pages.

    python benchmarks/measures.py

Compares src/tamis/bench/measures.py with ../shared/tools/score.py (`--shared`): the gold of a
sample of each set against the text of the whole page, which is a long and a bad output. The exit
code is 1 if a number differs. The table of the reference's longest common subsequence takes
minutes on long pages, so pages with more than `--words` words are left out there.
"""

from __future__ import annotations

import importlib.util
import sys
import time
from pathlib import Path
from typing import Any

import script

import tamis
from tamis.bench import measures
from tamis.labels import datasets
from tamis.labels.alignment import tokenize

EVERYTHING = tamis.Options(method="baseline")


def reference(shared: Path) -> Any:
    """The module score.py."""
    spec = importlib.util.spec_from_file_location("score", shared / "tools" / "score.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def main() -> None:
    """Parse the command line and run."""
    parser = script.parser(__doc__)
    parser.add_argument("--sample", type=int, default=10, help="pages a set")
    parser.add_argument("--words", type=int, default=2000)
    arguments = parser.parse_args()
    theirs, compared, different = reference(arguments.shared), 0, 0
    seconds = [0.0, 0.0]
    for path in sorted((arguments.shared / "datasets").glob("*.jsonl.xz")):
        for page in datasets.sample(datasets.read(path), arguments.sample):
            output = tamis.extract(page.html, options=EVERYTHING).text
            counts = measures.count_snippets(output, page.with_, page.without)
            pairs: list[tuple[str, tuple[float, ...], Any]] = [
                ("with", counts[:2], theirs.rate(output, page.with_)),
                ("without", counts[2:], theirs.rate(output, page.without)),
            ]
            if page.text is not None:
                names = ["bag_of_words", "shingles"]
                if max(len(tokenize(text)) for text in (output, page.text)) < arguments.words:
                    names.append("sequence")
                for name in names:
                    started = time.perf_counter()
                    score = measures.MEASURES[name](output, page.text)
                    between = time.perf_counter()
                    pairs.append((name, tuple(score), getattr(theirs, name)(output, page.text)))
                    seconds[0] += between - started
                    seconds[1] += time.perf_counter() - between
            for name, ours, expected in pairs:
                compared += 1
                if ours != expected:
                    different += 1
                    print(f"{page.dataset} {page.id} {name}: {ours}, the reference {expected}")
    print(
        f"{compared} numbers compared, {different} differ;"
        f" {seconds[0]:.1f} s, the reference {seconds[1]:.1f} s"
    )
    sys.exit(bool(different))


if __name__ == "__main__":
    main()
