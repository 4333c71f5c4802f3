"""Figures of docs/explanation/papers.md that are those of `tamis bench`.

    python benchmarks/papers_bench.py             measure
    python benchmarks/papers_bench.py --stored    the table of the last run

    kim    text_block_context on visible text and on all text, on L3S-GN1
    thai   xpath_blocks and xpath_site, learnt from one half of a site and scored on the other

Needs the shared folder (`--shared`, default ../shared beside the repository). Prints Markdown and
writes benchmarks/results/papers-bench.json: mean F1 of words by set and method.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import script

OUT = script.RESULTS / "papers-bench.json"
BENCHES = {
    "kim": "--sets l3s-gn1 --methods text_block_context,text_block_context:text=all",
    "thai": "--sets big9,l3s-gn1 --protocol half --methods xpath_blocks:variant=paper,xpath_blocks,"
    "xpath_site:variant=paper,xpath_site",
}
"""What `tamis bench` is given."""


def run(shared: Path, options: str) -> dict[str, dict[str, float]]:
    """F1 by set and contestant."""
    command = [sys.executable, "-m", "tamis", "bench", "--shared", str(shared), *options.split()]
    done = subprocess.run([*command, "--format", "json"], check=True, stdout=subprocess.PIPE)
    rows: dict[str, dict[str, float]] = {}
    for row in json.loads(done.stdout)["sets"]:
        rows.setdefault(row["group"], {})[row["contestant"]] = row["figure"]
    return rows


def show(result: dict[str, dict[str, dict[str, float]]]) -> None:
    """Print a row per figure."""
    print("| bench | set | method | F1 |\n|---|---|---|---|")
    for bench, sets in result.items():
        for name, rows in sets.items():
            for method, figure in rows.items():
                print(f"| {bench} | {name} | {method} | {figure:.3f} |")


def main() -> None:
    """Parse the command line and run."""
    parser = script.parser(__doc__)
    parser.add_argument("--stored", action="store_true", help="print the figures of the last run")
    arguments = parser.parse_args()
    if not arguments.stored:
        benches = BENCHES.items()
        script.write(OUT, {name: run(arguments.shared, options) for name, options in benches})
    result = json.loads(OUT.read_text("utf-8"))
    show(result)


if __name__ == "__main__":
    main()
