"""What two workers lose on two cores: what of it is the machine's, and what is ours.

    python benchmarks/workers.py                   100 pages of wcxb-dev
    python benchmarks/workers.py --set dragnet

    loop           counting in Python, which needs no memory: what the cores take from each other
    copy           copying 32 MB again and again: what the memory takes
    extract        `tamis.extract` and its text, page by page: no pool, nothing is sent
    extract_many   the same pages with one worker, which is this process, and with two

The first three run in one process, then in two that know nothing of each other, each pinned to a
core. What two such processes lose is the machine's: no library can do better on it than that. What
`extract_many` loses beyond is ours: sending pages, waiting for a worker. CPU time is that of all
processes without their start; the rounds take turns, and the fastest counts. It needs a machine
with two free cores, and Linux. Writes benchmarks/results/workers.json.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

import script
from speed import UTF8, processor, sampled_pages

import tamis

SECONDS = 2.0
"""Work of one process in one round, at least."""
ROUNDS = 20
"""Times that `extract_many` gets the pages, after the one that starts its workers."""


class Taken(NamedTuple):
    """What some work took, for each time it was done, in milliseconds."""

    cpu: float
    wall: float


def loop(_: Sequence[bytes]) -> int:
    """A million steps."""
    number = 0
    for step in range(1_000_000):
        number ^= step
    return 1


def copy(_: Sequence[bytes]) -> int:
    """A gigabyte, there and back."""
    source = bytearray(32 << 20)
    for _number in range(32):
        bytes(source)
    return 1


def extract(pages: Sequence[bytes]) -> int:
    """All pages, one after the other."""
    for page in pages:
        tamis.extract(page, content_type=UTF8).text  # noqa: B018  made when asked for
    return len(pages)


def extract_many(workers: int, pages: Sequence[bytes], rounds: int) -> None:
    """All pages, so many times."""
    items = ((page, None, UTF8) for _ in range(rounds) for page in pages)
    for result in tamis.extract_many(items, workers=workers):
        if isinstance(result, tamis.TamisError):
            raise result
        result.text  # noqa: B018  made when asked for


WORK: dict[str, Callable[[Sequence[bytes]], int]] = {"loop": loop, "copy": copy, "extract": extract}


def busy(name: str, pages: Sequence[bytes]) -> None:
    """Do some work as often as it takes, from the first line of the input on; print what it took.

    What runs in a process of its own.
    """
    WORK[name](pages)
    print("ready", flush=True)
    sys.stdin.readline()
    times, cpu, started = 0, time.process_time(), time.perf_counter()
    while time.perf_counter() - started < SECONDS:
        times += WORK[name](pages)
    taken = (time.process_time() - cpu) / times, (time.perf_counter() - started) / times
    print(json.dumps([1000 * seconds for seconds in taken]), flush=True)


def pinned(name: str, cores: Sequence[int], words: list[str]) -> Taken:
    """The same work in one process per core; the slower one counts."""
    command = [sys.executable, __file__, *words, "--busy", name]
    processes = []
    for core in cores:
        process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        os.sched_setaffinity(process.pid, {core})
        processes.append(process)
    answers = []
    for process in processes:
        assert process.stdout
        process.stdout.readline()
    for process in processes:
        assert process.stdin
        process.stdin.write("\n")
        process.stdin.flush()
    for process in processes:
        answers.append(Taken(*json.loads(process.communicate()[0])))
    return max(answers)


def pooled(workers: int, pages: Sequence[bytes]) -> Taken:
    """`extract_many` in this process, with all that its workers took but for their start."""
    seconds = []
    for rounds in (1, ROUNDS):
        before, started = os.times(), time.perf_counter()
        extract_many(workers, pages, rounds)
        # User and system time of this process and of those that it waited for.
        cpu = sum(os.times()[:4]) - sum(before[:4])
        seconds.append((cpu, time.perf_counter() - started))
    pages_more = (ROUNDS - 1) * len(pages) / 1000
    return Taken(*((long - short) / pages_more for short, long in zip(*seconds, strict=True)))


def measured(pages: Sequence[bytes], rounds: int, words: list[str]) -> dict[str, list[Taken]]:
    """One and two of each, the fastest of the rounds."""
    cores = sorted(os.sched_getaffinity(0))[:2]
    if len(cores) < 2:
        raise SystemExit("two workers need two cores")
    best: dict[str, list[Taken]] = {}
    for _ in range(rounds):
        for name in (*WORK, "extract_many"):
            one, two = (
                pooled(count, pages)
                if name == "extract_many"
                else pinned(name, cores[:count], words)
                for count in (1, 2)
            )
            old = best.setdefault(name, [one, two])
            best[name] = [min(old[0], one), min(old[1], two)]
    return best


def main() -> None:
    """Parse the command line and run."""
    parser = script.parser(__doc__)
    parser.add_argument("--set", default="wcxb-dev")
    parser.add_argument("--pages", type=int, default=100)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--busy", choices=WORK, help="what a process of its own does; not for you")
    arguments = parser.parse_args()
    shared: Path = arguments.shared
    pages: list[bytes] = []
    if arguments.busy in (None, "extract"):
        pages = sampled_pages(shared, arguments.set, arguments.pages, arguments.seed)
    if arguments.busy:
        busy(arguments.busy, pages)
        return
    words = ["--shared", str(shared), "--set", arguments.set, "--pages", str(arguments.pages)]
    words += ["--seed", str(arguments.seed)]
    figures = measured(pages, arguments.rounds, words)
    print(f"\n{len(pages)} pages of {arguments.set}; {processor()}\n")
    print("| | CPU ms, one | CPU ms, two | two of one | pages or steps a second, two of one |")
    print("|---|---|---|---|---|")
    for name, (one, two) in figures.items():
        # Two processes do twice the work; the two workers of a pool share it.
        speed_up = one.wall / two.wall * (1 if name == "extract_many" else 2)
        print(
            f"| {name} | {one.cpu:.3f} | {two.cpu:.3f} | {two.cpu / one.cpu:.2f} | {speed_up:.2f} |"
        )
    result = {"set": arguments.set, "pages": len(pages), "processor": processor()}
    rows = {name: [taken._asdict() for taken in both] for name, both in figures.items()}
    script.write(script.RESULTS / "workers.json", result | {"ms": rows})


if __name__ == "__main__":
    main()
