"""The gate: the F1 of our methods must not fall below what was measured before.

    python -m tamis.evaluate.gate --shared ../shared              check
    python -m tamis.evaluate.gate --shared ../shared --update     raise floors, add new ones
    python -m tamis.evaluate.gate --shared ../shared --update --lower --reason "..."

Measures every method on a fixed sample of each set (chosen by the hash of the page ids) and
compares with "methods" in benchmarks/floors.json; the other parts of that file stay as they are.
A lowered floor, or one whose method or set is gone, is written down with the reason in "lowered".
The exit code is 1 if a figure is below its floor or has none, or a floor has no figure.
"""

from __future__ import annotations

import argparse
import datetime
import json
import math
import os
import sys
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import tamis
from tamis.errors import DatasetError, InputError, OutputError, TamisError
from tamis.evaluate import summary
from tamis.evaluate.contestants import method
from tamis.evaluate.run import Bench
from tamis.evaluate.worker import Limits

SAMPLE = 60  # pages a set; a new number needs new floors
_STEPS = 10_000  # floors have four digits
# Floors are rounded down, so a figure that has not changed is never below its floor; this is for
# sums that another processor or numpy adds up in another order.
_TOLERANCE = 1e-9

Figures = dict[str, dict[str, float]]
"""Method to set to F1."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a comparison of figures with floors says."""

    below: dict[tuple[str, str], tuple[float, float]]
    """Method and set to figure and floor."""
    new: dict[tuple[str, str], float]
    """Figures that have no floor."""
    above: dict[tuple[str, str], tuple[float, float]]
    """Figures whose floor can be raised."""
    gone: list[tuple[str, str]]
    """Floors that nothing was measured for."""


def measure(sets: Iterable[Path], methods: Sequence[str], workers: int | None = None) -> Figures:
    """F1 of each method on the sample of each set, rounded down."""
    bench = Bench(
        sample=SAMPLE, workers=workers, measures=("bag_of_words",), limits=Limits(seconds=60)
    )
    found: Figures = {}
    for row in summary.by_set(bench.run([method(name) for name in methods], sets)):
        if row.figure is not None:
            found.setdefault(row.contestant, {})[row.group] = _rounded_down(row.figure)
    return found


def compare(figures: Figures, floors: Figures) -> Verdict:
    """Figures against floors."""
    flat, known = _flat(figures), _flat(floors)
    both = {name: (value, known[name]) for name, value in flat.items() if name in known}
    return Verdict(
        {name: pair for name, pair in both.items() if pair[0] < pair[1] - _TOLERANCE},
        {name: value for name, value in flat.items() if name not in known},
        {name: pair for name, pair in both.items() if pair[0] > pair[1] + _TOLERANCE},
        sorted(known.keys() - flat.keys()),
    )


def updated(
    content: dict[str, Any], figures: Figures, verdict: Verdict, reason: str | None = None
) -> dict[str, Any]:
    """The content of the file with higher and new floors, and lower ones if there is a reason."""
    lost = len(verdict.below) + len(verdict.gone)
    if lost and not reason:
        raise InputError(
            f"{lost} floors would be lowered or lost, and nothing was written; to do that all the "
            'same give --lower --reason "why"'
        )
    floors: Figures = {name: dict(sets) for name, sets in content.get("methods", {}).items()}
    for (name, dataset), value in _flat(figures).items():
        floors.setdefault(name, {})[dataset] = value
    lowered = [
        _lowered(names, floor, value, reason) for names, (value, floor) in verdict.below.items()
    ]
    for name, dataset in verdict.gone:
        lowered.append(_lowered((name, dataset), floors[name].pop(dataset), None, reason))
    new = {
        **content,
        "methods": {
            name: dict(sorted(floors[name].items())) for name in sorted(floors) if floors[name]
        },
    }
    if lowered:
        new["lowered"] = [*content.get("lowered", []), *lowered]
    return new


def _lowered(
    names: tuple[str, str], floor: float, value: float | None, reason: str | None
) -> dict[str, Any]:
    name, dataset = names
    today = datetime.date.today().isoformat()
    return {
        "date": today,
        "method": name,
        "set": dataset,
        "from": floor,
        "to": value,
        "reason": reason,
    }


def _flat(figures: Figures) -> dict[tuple[str, str], float]:
    return {(name, dataset): f1 for name, sets in figures.items() for dataset, f1 in sets.items()}


def _rounded_down(value: float) -> float:
    return math.floor(value * _STEPS + 1e-6) / _STEPS


# --- the file -----------------------------------------------------------------------------------


def read_floors(path: Path) -> dict[str, Any]:
    """The content of the file; empty if there is none yet."""
    try:
        content = json.loads(path.read_text("utf-8")) if path.exists() else {}
    except (OSError, ValueError) as error:
        raise InputError(f"{path}: cannot be read as JSON ({error})") from error
    if not isinstance(content, dict):
        raise InputError(f"{path}: not a JSON object")
    return content


def write_floors(path: Path, content: dict[str, Any]) -> None:
    """Write the file, one line an entry of each part, whole or not at all."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        temporary.write_text(layout(content), encoding="utf-8")
        os.replace(temporary, path)
    except OSError as error:
        raise OutputError(f"{path}: cannot be written ({error.strerror})") from error


def layout(content: dict[str, Any]) -> str:
    """JSON with one line an entry of each part, so that a change is one line of a diff."""
    parts = []
    for name, part in content.items():
        if isinstance(part, dict):
            lines = [f"{json.dumps(key)}: {json.dumps(value)}" for key, value in part.items()]
            opening, closing = "{", "}"
        elif isinstance(part, list):
            lines = [json.dumps(value, ensure_ascii=False) for value in part]
            opening, closing = "[", "]"
        else:
            parts.append(f" {json.dumps(name)}: {json.dumps(part)}")
            continue
        inner = ",\n".join(f"  {line}" for line in lines)
        parts.append(f" {json.dumps(name)}: {opening}\n{inner}\n {closing}")
    return "{\n" + ",\n".join(parts) + "\n}\n"


# --- the command --------------------------------------------------------------------------------


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the gate; returns the exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m tamis.evaluate.gate",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--shared", type=Path, required=True, help="folder with datasets/ in it")
    parser.add_argument("--floors", type=Path, default=Path("benchmarks/floors.json"))
    parser.add_argument("--methods", help="only these, separated by commas")
    parser.add_argument("--workers", type=int)
    parser.add_argument("--update", action="store_true", help="raise floors and add new ones")
    parser.add_argument("--lower", action="store_true", help="with --update, lower floors too")
    parser.add_argument("--reason", help="why floors are lowered; written into the file")
    chosen = parser.parse_args(arguments)
    if chosen.lower and not (chosen.update and (chosen.reason or "").strip()):
        parser.error("--lower needs --update and --reason TEXT")
    if chosen.reason and not chosen.lower:
        parser.error("--reason belongs to --lower")
    try:
        return _gate(chosen)
    except TamisError as error:
        print(f"gate: {error}", file=sys.stderr)
        return 2


def _gate(chosen: argparse.Namespace) -> int:
    started = time.monotonic()
    sets = sorted(chosen.shared.glob("datasets/*.jsonl*"))
    if not sets:
        raise DatasetError(f"{chosen.shared}: no datasets/*.jsonl.xz in it; check --shared")
    content = read_floors(chosen.floors)
    methods = chosen.methods.split(",") if chosen.methods else tamis.list_methods()
    figures = measure(sets, methods, chosen.workers)
    floors = content.get("methods", {})
    if chosen.methods:
        floors = {name: floors[name] for name in figures if name in floors}
    verdict = compare(figures, floors)
    _tell(verdict, len(_flat(figures)), time.monotonic() - started)
    if chosen.update:
        write_floors(chosen.floors, updated(content, figures, verdict, chosen.reason))
        print(f"wrote {chosen.floors}")
        return 0
    if verdict.new:
        print("new figures need floors: run again with --update")
    return int(bool(verdict.below or verdict.new or verdict.gone))


def _tell(verdict: Verdict, count: int, seconds: float) -> None:
    for (name, dataset), (value, floor) in verdict.below.items():
        print(f"below the floor: {name} on {dataset}: {value:.4f}, the floor is {floor:.4f}")
    for (name, dataset), value in verdict.new.items():
        print(f"no floor: {name} on {dataset}: {value:.4f}")
    for (name, dataset), (value, floor) in verdict.above.items():
        print(f"above the floor: {name} on {dataset}: {value:.4f}, the floor is {floor:.4f}")
    for name, dataset in verdict.gone:
        print(f"not measured: {name} on {dataset}")
    print(f"{count} figures, {len(verdict.below)} below their floors; {seconds:.0f} s")


if __name__ == "__main__":
    sys.exit(main())
