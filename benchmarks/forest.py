"""How fast boosted trees are predicted: ours compiled, ours with numpy alone, and LightGBM.

    python benchmarks/forest.py

The trees are learned by LightGBM from random numbers, which makes them as large as they may be, and
the table is as large as that of a usual page: 220 blocks and the columns of the default method. All
three read the same table and the answers are compared; one thread each, wall time, the minimum of
the rounds, in turns. Needs LightGBM. Writes benchmarks/results/forest.json.
"""

from __future__ import annotations

import datetime
import importlib.util
import platform
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
import lightgbm
import numpy as np
import numpy.typing as npt
import script
from speed import processor

from tamis.model.features.spec import NAMES
from tamis.model.weights import forest as module
from tamis.train.weights import forest_of

OUT = script.RESULTS / "forest.json"
SHAPES = ((100, 31), (200, 31), (300, 31), (220, 63))
ROWS = 220
LEARNED_ROWS = 5_000

Table = npt.NDArray[np.float32]
Floats = npt.NDArray[np.float64]


def random_model(trees: int, leaves: int, columns: int, seed: int) -> lightgbm.Booster:
    """Trees that have learned noise."""
    source = np.random.default_rng(seed)
    values = source.standard_normal((LEARNED_ROWS, columns)).astype(np.float32)
    data = lightgbm.Dataset(values, source.random(LEARNED_ROWS))
    parameters = {
        "objective": "cross_entropy",
        "num_leaves": leaves,
        "feature_fraction": 0.25,
        "num_threads": 1,
        "seed": seed,
        "verbose": -1,
    }
    return lightgbm.train(parameters, data, trees)


def uncompiled() -> Any:
    """The module of the forest as it is where nothing is compiled."""
    path = Path(module.__file__).with_name("forest.py")
    spec = importlib.util.spec_from_file_location("uncompiled_forest", path)
    assert spec is not None and spec.loader is not None
    made = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = made  # where dataclasses look
    spec.loader.exec_module(made)
    return made


def fastest(runs: dict[str, Callable[[], object]], rounds: int) -> dict[str, float]:
    """Milliseconds of each, the minimum of the rounds."""
    best = dict.fromkeys(runs, float("inf"))
    for _ in range(rounds):
        for name, run in runs.items():
            started = time.perf_counter()
            run()
            best[name] = min(best[name], 1000 * (time.perf_counter() - started))
    return best


def measured(trees: int, leaves: int, rounds: int, seed: int) -> dict[str, Any]:
    """One row of the table."""
    columns = len(NAMES)
    booster = random_model(trees, leaves, columns, seed)
    forest = forest_of(booster)
    slow = uncompiled().Forest.from_arrays(forest.to_arrays(), columns)
    table = np.random.default_rng(seed + 1).standard_normal((ROWS, columns)).astype(np.float32)

    def by_lightgbm() -> Floats:
        scores: Floats = booster.predict(table, raw_score=True, num_threads=1)
        return scores

    answers = forest.predict(table), slow.predict(table), by_lightgbm()
    difference = max(float(np.abs(answer - answers[0]).max()) for answer in answers)
    milliseconds = fastest(
        {
            "tamis": lambda: forest.predict(table),
            "numpy": lambda: slow.predict(table),
            "lightgbm": by_lightgbm,
        },
        rounds,
    )
    return {
        "trees": len(forest),
        "leaves": leaves,
        "leaves_of_all": int((forest.to_arrays()["feature"] == module.LEAF).sum()),
        "rows": ROWS,
        "columns": columns,
        "ms": milliseconds,
        "largest_difference": difference,
    }


def main() -> None:
    """Parse the command line and run."""
    parser = script.parser(__doc__, shared=False)
    parser.add_argument("--rounds", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, default=OUT)
    arguments = parser.parse_args()
    if not module.COMPILED:
        raise SystemExit("tamis runs uncompiled here, so there is nothing to compare")
    with click.progressbar(SHAPES, label="models") as bar:
        rows = [measured(*shape, arguments.rounds, arguments.seed) for shape in bar]
    print(f"\n{ROWS} rows of {rows[0]['columns']} columns, ms; ratios to tamis\n")
    print("| trees of leaves | tamis | LightGBM | ratio | numpy alone | ratio |")
    print("|---|---|---|---|---|---|")
    for row in rows:
        ours, theirs, slow = (row["ms"][name] for name in ("tamis", "lightgbm", "numpy"))
        print(
            f"| {row['trees']} of {row['leaves']} | {ours:.3f} | {theirs:.3f} |"
            f" {theirs / ours:.1f} | {slow:.2f} | {slow / ours:.1f} |"
        )
    result = {
        "date": datetime.date.today().isoformat(),
        "processor": processor(),
        "versions": {
            "python": platform.python_version(),
            "numpy": np.__version__,
            "lightgbm": lightgbm.__version__,
        },
        "rounds": arguments.rounds,
        "seed": arguments.seed,
        "models": rows,
    }
    script.write(arguments.out, result)


if __name__ == "__main__":
    main()
