"""The gate: the F1 of our methods must not fall below what was measured before.

    python benchmarks/gate.py              check
    python benchmarks/gate.py --update     raise floors, add new ones
    python benchmarks/gate.py --update --lower --reason "..."

Measures every method on a fixed sample of each set (chosen by the hash of the page ids) and
compares with "methods" in benchmarks/floors.json. Methods that are fitted to a site run by the
protocol `half` (`tamis.bench.protocols`) on whole sites of the sets that have enough pages of
each; such a sample is called `big9, sites`. "everything" has what keeping everything gives: a floor
is at least a little above that, or it guards nothing and is not there. The other parts of the file
stay as they are. A lowered floor, or one whose method or set is gone, is noted with the reason
in "lowered". The exit code is 1 if a figure is below its floor or should have one and has
none, a floor has no figure, or a floor guards nothing.
"""

from __future__ import annotations

import argparse
import datetime
import json
import math
import sys
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import script

from tamis._runtime import storage
from tamis.bench import protocols
from tamis.bench.contestants import Contestant, Limits, make_contestant
from tamis.bench.report import summarise_sets
from tamis.bench.run import Bench
from tamis.errors import DatasetError, InputError, TamisError
from tamis.labels import datasets
from tamis.methods import _registry

SAMPLE = 60  # pages of a set; a new number needs new floors
SITE_SETS = ("big9", "l3s-gn1")
"""Sets with gold text and sites of several pages. `records` has sites too, but its gold says only
what must be there: keeping everything is perfect."""
MARGIN = 0.005
"""How far a floor must be above what keeping everything gives."""
_EVERYTHING = "baseline"  # the method that keeps everything
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
    """Floors for which nothing was measured."""
    idle: dict[tuple[str, str], float]
    """Floors that guard nothing: keeping everything reaches them."""


def measure(sets: Iterable[Path], methods: Sequence[str], workers: int | None = None) -> Figures:
    """F1 of each method on the sample of each set, and of fitted ones on that of its sites."""
    sets = list(sets)
    methods = list(dict.fromkeys([_EVERYTHING, *methods]))
    of_sites = [name for name in methods if protocols.is_fitted_to_sites(name)]
    of_pages = [name for name in methods if name not in of_sites]
    measured = _measure_contestants(list(map(make_contestant, of_pages)), sets, SAMPLE, workers)
    site_sets = [path for path in sets if datasets.name_of(path) in SITE_SETS]
    if of_sites and site_sets:
        with protocols.sets_of_sites(site_sets, sample=SAMPLE) as paths:
            contestants = [make_contestant(name) for name in _BESIDE_SITES if name in methods]
            contestants += [protocols.make_fitted(name, {}, "half", paths) for name in of_sites]
            for name, dataset, f1 in _measure_contestants(contestants, paths, None, workers):
                measured.append((name, f"{dataset}, sites", f1))
    figures: Figures = {}
    for name, dataset, f1 in measured:
        figures.setdefault(name, {})[dataset] = f1
    return figures


# Methods that score one page by itself, on the pages of the sites.
_BESIDE_SITES = (_EVERYTHING, "tamis")


def _measure_contestants(
    contestants: Sequence[Contestant],
    sets: Sequence[Path],
    sample: int | None,
    workers: int | None,
) -> list[tuple[str, str, float]]:
    limits = Limits(seconds=60)
    bench = Bench(sample=sample, workers=workers, measures=("bag_of_words",), limits=limits)
    return [
        (row.contestant, row.group, _rounded_down(row.figure))
        for row in summarise_sets(bench.run(contestants, sets))
        if row.figure is not None
    ]


def compare(figures: Figures, floors: Figures) -> Verdict:
    """Figures against floors. Both have those of keeping everything under its name."""
    everything = floors.get(_EVERYTHING, {}) | figures.get(_EVERYTHING, {})
    flat = _flat(figures)
    known, idle = _flat(floors), {}
    for name in [name for name, floor in known.items() if not guards(name, floor, everything)]:
        idle[name] = known.pop(name)
    both = {name: (value, known[name]) for name, value in flat.items() if name in known}
    without = {name: value for name, value in flat.items() if name not in known}
    return Verdict(
        {name: pair for name, pair in both.items() if pair[0] < pair[1] - _TOLERANCE},
        {name: value for name, value in without.items() if guards(name, value, everything)},
        {name: pair for name, pair in both.items() if pair[0] > pair[1] + _TOLERANCE},
        sorted(known.keys() - flat.keys()),
        idle,
    )


def guards(name: tuple[str, str], floor: float, everything: Mapping[str, float]) -> bool:
    """Whether a method would have to do something to reach the floor."""
    contestant, dataset = name
    return contestant == _EVERYTHING or floor >= everything.get(dataset, 0.0) + MARGIN - _TOLERANCE


def floors_of(content: dict[str, Any]) -> Figures:
    """The floors in the content of the file, with what keeping everything gives."""
    return {**content.get("methods", {}), _EVERYTHING: content.get("everything", {})}


def update_floors(
    content: dict[str, Any], figures: Figures, verdict: Verdict, reason: str | None = None
) -> dict[str, Any]:
    """The content of the file with higher and new floors, and lower ones if there is a reason."""
    lost = len(verdict.below) + len(verdict.gone)
    if lost and not reason:
        raise InputError(
            f"{lost} floors would be lowered or lost, and nothing was written; to do that all the "
            'same give --lower --reason "why"'
        )
    floors: Figures = {name: dict(sets) for name, sets in floors_of(content).items()}
    for (name, dataset), value in _flat(figures).items():
        floors.setdefault(name, {})[dataset] = value
    lowered = [
        _note_lowered(names, floor, value, reason)
        for names, (value, floor) in verdict.below.items()
    ]
    for name, dataset in verdict.gone:
        lowered.append(_note_lowered((name, dataset), floors[name].pop(dataset), None, reason))
    everything = floors.pop(_EVERYTHING)
    kept = {
        name: {
            dataset: floor
            for dataset, floor in sorted(sets.items())
            if guards((name, dataset), floor, everything)
        }
        for name, sets in sorted(floors.items())
    }
    new = {
        **content,
        "everything": dict(sorted(everything.items())),
        "methods": {name: sets for name, sets in kept.items() if sets},
    }
    if lowered:
        new["lowered"] = [*content.get("lowered", []), *lowered]
    return new


def _note_lowered(
    names: tuple[str, str], floor: float, value: float | None, reason: str | None
) -> dict[str, Any]:
    name, dataset = names
    return {
        "date": datetime.date.today().isoformat(),
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


def layout(content: dict[str, Any]) -> str:
    """JSON with one line per entry of each part, so that a change is one line of a diff."""
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
    parser = script.parser(__doc__)
    parser.add_argument("--floors", type=Path, default=script.ROOT / "benchmarks" / "floors.json")
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
        raise DatasetError(f"{chosen.shared}: no datasets/*.jsonl.xz in it; check --data")
    content = read_floors(chosen.floors)
    methods = [*_registry.names(), protocols.SITE_MODEL]
    if chosen.methods:
        methods = chosen.methods.split(",")
    figures = measure(sets, methods, chosen.workers)
    floors = floors_of(content)
    if chosen.methods:
        floors = {
            name: {key: floor for key, floor in floors.get(name, {}).items() if key in sets}
            for name, sets in figures.items()
        }
    verdict = compare(figures, floors)
    _print(verdict, len(_flat(figures)), time.monotonic() - started)
    if chosen.update:
        new = update_floors(content, figures, verdict, chosen.reason)
        storage.write(chosen.floors, layout(new))
        print(f"wrote {chosen.floors}")
        return 0
    if verdict.new:
        print("new figures need floors: run again with --update")
    return int(bool(verdict.below or verdict.new or verdict.gone or verdict.idle))


def _print(verdict: Verdict, count: int, seconds: float) -> None:
    for (name, dataset), (value, floor) in verdict.below.items():
        print(f"below the floor: {name} on {dataset}: {value:.4f}, the floor is {floor:.4f}")
    for (name, dataset), value in verdict.new.items():
        print(f"no floor: {name} on {dataset}: {value:.4f}")
    for (name, dataset), (value, floor) in verdict.above.items():
        print(f"above the floor: {name} on {dataset}: {value:.4f}, the floor is {floor:.4f}")
    for name, dataset in verdict.gone:
        print(f"not measured: {name} on {dataset}")
    for (name, dataset), floor in verdict.idle.items():
        print(f"guards nothing: {name} on {dataset}: keeping everything reaches {floor:.4f}")
    print(f"{count} figures, {len(verdict.below)} below their floors; {seconds:.0f} s")


if __name__ == "__main__":
    sys.exit(main())
