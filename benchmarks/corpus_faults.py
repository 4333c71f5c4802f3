"""What becomes of a corpus run when something goes wrong: each fault for real, and counted.

    python benchmarks/corpus_faults.py                 every fault, 100 runs killed
    python benchmarks/corpus_faults.py --kills 10      fewer of those
    python benchmarks/corpus_faults.py --only disk     the faults with this in their names

The input is made up (corpus_undisturbed.py). A run that was disturbed and then ended is compared
byte for byte with one that was not: all files by name, rows, receipts and counts; a temporary file
or a process that is left is a failure too. Moments are drawn (`--seed`) from the length of an
undisturbed run.

A page that hangs, crashes or eats memory is made by a `sitecustomize` module for the processes of
the run: extraction itself has no such page. The full disk is a small tmpfs, for which the script
must be run by root; without, that and two faults of the output folder are left out.

Linux only. The exit code is 1 if anything was not as it should be. Writes
benchmarks/results/corpus_faults.json if every fault was tried.
"""

from __future__ import annotations

import contextlib
import datetime
import gzip
import importlib.util
import json
import os
import random
import re
import resource
import secrets
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import NamedTuple

import script
from corpus_runs import packed, processes, record
from corpus_undisturbed import (
    FILES,
    PAGES,
    Bench,
    Ended,
    Setting,
    Started,
    ids,
    page,
    records,
    rows,
    temporaries,
    write_warc,
)


class Outcome(NamedTuple):
    """A row of the table."""

    fault: str
    runs: int
    happened: str
    good: bool


RAY = bool(importlib.util.find_spec("ray"))
SIGNALS = 5
"""Runs of each fault that is a signal, but for the killed runs."""

# --- faults: processes that are ended -----------------------------------------------------------


def killed_runs(bench: Bench) -> list[Outcome]:
    """SIGKILL to the command, or to all of its processes at once as a power cut does."""
    outcomes = []
    for name, setting, share in (("one step", bench.plain, 0.8), ("five steps", bench.steps, 0.2)):
        runs = round(bench.kills * share)
        kills = 0
        problems: list[str] = []
        for number in range(runs):
            with bench.folder() as output:
                kills += killed_and_ended(bench, setting, output, number, problems)
            print(f"\rkilled, {name}: {number + 1}/{runs}", end="", file=sys.stderr)
        happened = f"{kills} kills; {runs - len(problems)} outputs identical"
        if problems:
            happened += f"; {problems[0]}"
        outcomes.append(
            Outcome(f"run killed at a random moment, {name}", runs, happened, not problems)
        )
    return outcomes


def killed_and_ended(
    bench: Bench, setting: Setting, output: Path, number: int, problems: list[str]
) -> int:
    """Kill a run, now and then its second try too, and let the last one end; how many kills."""
    wanted = 2 if number % 5 == 4 else 1
    kills = 0
    before: list[Started] = []
    while kills < wanted:
        run = setting.start(output)
        before.append(run)
        time.sleep(bench.moment(setting))
        alive = run.process.poll() is None
        for pid in run.alive() if number % 2 else [run.pid]:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        run.wait()
        if alive:
            kills += 1
        else:  # it was faster than usual; once more from the beginning
            shutil.rmtree(output)
            kills = 0
    ended = setting.start(output).wait()
    orphans = [run for run in before if not run.gone()]
    if ended.code or orphans:
        problems.append(
            f"exit code {ended.code}, {len(orphans)} runs left processes; {ended.errors}"
        )
    elif problem := setting.problem(output):
        problems.append(problem)
    return kills


def killed_process(role: int, name: str, bench: Bench) -> list[Outcome]:
    """SIGKILL to one of the processes that the command starts."""
    problems = []
    kills = 0
    while kills < SIGNALS:
        with bench.folder() as output:
            run = bench.plain.start(output)
            run.begun(role)
            time.sleep(bench.moment(bench.plain) / 2)
            if pids := processes(run.pid)[role]:
                os.kill(bench.rng.choice(pids), signal.SIGKILL)
                kills += 1
            ended = run.wait()
            problem = ended.errors if ended.code else bench.plain.problem(output)
            if problem or not run.gone():
                problems.append(problem or "processes left")
    happened = f"the run went on; {kills - len(problems)} outputs identical"
    if problems:
        happened += f"; {problems[0]}"
    return [Outcome(name, kills, happened, not problems)]


def no_process(bench: Bench) -> list[Outcome]:
    """The system refuses to start one: no more files may be open, and pipes are files."""
    limit = partial(resource.setrlimit, resource.RLIMIT_NOFILE, (9, 9))
    with bench.folder() as output:
        run = bench.plain.start(output, preexec_fn=limit)
        try:
            run.process.wait(60)
        except subprocess.TimeoutExpired:
            run.process.kill()
        ended = run.wait()
        again = bench.plain.start(output).wait()
        problem = again.errors if again.code else bench.plain.problem(output)
    happened = f"{as_printed(ended)}; run again: {problem or 'identical'}"
    good = ended.code == 2 and "Traceback" not in ended.errors and not problem
    return [Outcome("no process can be started", 1, happened, good)]


def always_killed(bench: Bench) -> list[Outcome]:
    """SIGKILL to every process that works on shards, soon after it starts."""
    with bench.folder() as output:
        run = bench.plain.start(output)
        while run.process.poll() is None:
            time.sleep(0.2)
            for pid in processes(run.pid)[1]:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
        ended = run.wait()
        again = bench.plain.start(output).wait()
        problem = again.errors if again.code else bench.plain.problem(output)
    last = ended.errors.strip().splitlines()[-1:]
    happened = f"exit code {ended.code}: {' '.join(last)}; run again: {problem or 'identical'}"
    good = ended.code == 2 and "same command" in ended.errors and not problem
    return [Outcome("every shard process killed, again and again", 1, happened, good)]


def signalled(number: signal.Signals, bench: Bench) -> list[Outcome]:
    """SIGTERM or SIGINT while it works."""
    problems = []
    codes: list[int] = []
    left = 0
    while len(codes) < SIGNALS:
        with bench.folder() as output:
            run = bench.plain.start(output)
            run.begun(1)
            time.sleep(bench.moment(bench.plain) / 2)
            works = bool(processes(run.pid)[1])
            run.process.send_signal(number)
            ended = run.wait()
            if not works:
                continue
            codes.append(ended.code)
            left += temporaries(output)
            explained = "same command goes on" in ended.errors and "Traceback" not in ended.errors
            if ended.code != 128 + number or not explained or not run.gone():
                problems.append(f"exit code {ended.code}: {ended.errors.strip()}")
            ended = bench.plain.start(output).wait()
            if problem := ended.errors if ended.code else bench.plain.problem(output):
                problems.append(problem)
    happened = f"exit codes {sorted(set(codes))}, {left} temporary files left"
    happened += f"; {problems[0]}" if problems else "; run again: identical"
    return [Outcome(f"{number.name} while it works", len(codes), happened, not problems)]


def ray_node_killed(bench: Bench) -> list[Outcome]:
    """A cluster of a head that does no work and two nodes; one dies after the first shard."""
    if not RAY:
        return []
    os.environ |= {
        "RAY_USAGE_STATS_ENABLED": "0",
        "RAY_AUTH_MODE": "token",
        "RAY_AUTH_TOKEN": secrets.token_hex(32),
    }
    from ray.cluster_utils import Cluster

    soon = {"health_check_initial_delay_ms": 0, "health_check_period_ms": 300}
    nodes = Cluster(True, head_node_args={"num_cpus": 0, "_system_config": soon})
    try:
        nodes.add_node(num_cpus=1)
        doomed = nodes.add_node(num_cpus=1)
        with bench.folder() as output:
            way = ("--engine", "ray", "--address", nodes.address)
            run = Started(bench.plain.inputs, output, *way)
            while run.process.poll() is None and not any(output.glob("marks/*")):
                time.sleep(0.01)
            done = len(list(output.glob("marks/*")))
            nodes.remove_node(doomed, allow_graceful=False)
            ended = run.wait()
            problem = ended.errors if ended.code else bench.plain.problem(output)
    finally:
        nodes.shutdown()
    happened = f"killed after {done} of {FILES} shards, the run went on; {problem or 'identical'}"
    return [Outcome("a Ray node killed", 1, happened, not problem and done < FILES)]


# --- faults: the output -------------------------------------------------------------------------


@contextlib.contextmanager
def mounted(place: Path, options: str) -> Iterator[None]:
    """A file system in memory."""
    place.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", options, "tmpfs", place], check=True)
    try:
        yield
    finally:
        subprocess.run(["umount", place], check=True)


def full_disk(bench: Bench) -> list[Outcome]:
    """No room for half of the output; then there is."""
    if os.geteuid():  # root alone can mount
        return []
    size = sum(bench.plain.sizes) // 2
    place = bench.work / "small"
    with mounted(place, f"size={size}"):
        output = place / "out"
        ended = bench.plain.start(output).wait()
        left = temporaries(output)
        subprocess.run(["mount", "-o", "remount,size=1g", place], check=True)
        again = bench.plain.start(output).wait()
        problem = again.errors if again.code else bench.plain.problem(output)
    return [
        refused_and_ended("full disk (tmpfs)", ended, "no space left: free some", problem, left)
    ]


def refused_and_ended(name: str, ended: Ended, message: str, problem: str, left: int) -> Outcome:
    """One line and exit code 2, and the next run ends well."""
    happened = (
        f"{as_printed(ended)}; {left} temporary files left; run again: {problem or 'identical'}"
    )
    return Outcome(name, 1, happened, refused(ended, message) and not problem)


def as_printed(ended: Ended) -> str:
    """How a command ended, in its own words."""
    return f"exit code {ended.code}: {ended.errors}"


def refused(ended: Ended, message: str) -> bool:
    """Whether it ended with exit code 2 and one line that says what to do."""
    return ended.code == 2 and message in ended.errors and ended.errors.count("\n") == 1


def not_writable(bench: Bench) -> list[Outcome]:
    """A file in the way, a read-only file system, another user's folder."""
    outcomes = []
    blocked = bench.work / "blocked"
    blocked.write_text("a file", "utf-8")
    ended = bench.plain.start(blocked / "out").wait()
    message = "choose another output folder"
    outcomes.append(
        Outcome("output: a file is in the way", 1, as_printed(ended), refused(ended, message))
    )
    if os.geteuid():  # root alone can make the others
        return outcomes
    place = bench.work / "read-only"
    with mounted(place, "ro"):
        ended = bench.plain.start(place / "out").wait()
    outcomes.append(Outcome("output: read-only", 1, as_printed(ended), refused(ended, message)))
    foreign = bench.work / "foreign"
    foreign.mkdir()
    os.chown(foreign, 65534, 65534)
    powerless = ["setpriv", "--bounding-set=-dac_override,-fowner"]
    ended = bench.plain.start(foreign / "out", before=powerless).wait()
    outcomes.append(
        Outcome("output: permission denied", 1, as_printed(ended), refused(ended, message))
    )
    return outcomes


def at_the_same_time(bench: Bench) -> list[Outcome]:
    """A second command on the folder of one that works."""
    with bench.folder() as output:
        run = bench.plain.start(output)
        run.begun(1)
        ended = bench.plain.start(output).wait()
        first = run.wait()
        problem = first.errors if first.code else bench.plain.problem(output)
    happened = f"{as_printed(ended)}; the first: {problem or 'identical'}"
    good = refused(ended, "another command is at work") and not problem
    return [Outcome("a second command on the same folder", 1, happened, good)]


# --- faults: the input --------------------------------------------------------------------------


def counted(ended: Ended) -> dict[str, int]:
    """The reasons for dropped records, from the summary."""
    return dict(json.loads(ended.output)["refused"]) if ended.output else {}


def damaged(
    bench: Bench, name: str, broken: bytes, survivors: list[str], reason: str | None
) -> Outcome:
    """A broken file between two good ones; all pages that are whole are there."""
    with bench.folder() as output:
        path = output.parent / "broken.warc.gz"
        path.write_bytes(broken)
        run = Started([bench.files[0], path, bench.files[2]], output)
        ended = run.wait()
        kept = rows(output)
    wanted = [*ids(records(0)), *survivors, *ids(records(2))]
    text = bench.plain.rows
    right = kept == [(record, text[record]) for record in wanted if record in text]
    reasons = counted(ended)
    happened = (
        f"exit code {ended.code}, {len(kept)} rows, {reasons}"
        f"; rows of whole records {'all' if right else 'NOT'} there"
    )
    good = right and not ended.code and (reason is None or reasons.get(reason, 0) > 0)
    return Outcome(name, 1, happened, good)


def damaged_files(bench: Bench) -> list[Outcome]:
    """Truncated, corrupt, empty, and no WARC at all."""
    stored = records(1)
    path = bench.work / "whole.warc.gz"
    begins = write_warc(path, stored)
    whole = path.read_bytes()
    names = ids(stored)
    cut = (begins[24] + begins[25]) // 2
    spoilt = bytearray(whole)
    spoilt[cut : cut + 64] = bench.rng.randbytes(64)
    noise = bench.rng.randbytes(len(whole))
    outcomes = [
        damaged(bench, "WARC cut off in a record", whole[:cut], names[:24], "damaged"),
        damaged(bench, "WARC cut off between records", whole[: begins[24]], names[:24], None),
        damaged(
            bench, "WARC with 64 wrong bytes", bytes(spoilt), names[:24] + names[25:], "damaged"
        ),
        damaged(bench, "WARC of random bytes, beside others", noise, [], "damaged"),
        damaged(bench, "empty WARC, beside others", b"", [], None),
    ]
    with bench.folder() as output:
        path = output.parent / "alone.warc.gz"
        path.touch()
        ended = Started([path], output).wait()
        good = refused(ended, "no records") and not output.exists()
        outcomes.append(Outcome("empty WARC alone", 1, as_printed(ended), good))
        path.write_bytes(noise)
        ended = Started([path], output).wait()
        happened = f"exit code {ended.code}, {counted(ended)}"
        good = counted(ended) == {"damaged": 1} or refused(ended, "")
        outcomes.append(Outcome("WARC of random bytes alone", 1, happened, good))
    return outcomes


def large_record(bench: Bench) -> list[Outcome]:
    """200 MB of page: beyond the limit, and with a limit that lets it through."""
    size = 200_000_000
    outcomes = []
    body = page(3).replace(b"</article>", b"<p>" + b"A sieve is a sieve. " * (size // 20))
    neighbours = records(0)
    with bench.folder() as output:
        path = output.parent / "large.warc.gz"
        huge = gzip.compress(record(1_000_000, "https://large.example/", body), 1)
        path.write_bytes(packed(neighbours[0]) + huge + packed(neighbours[1]))
        for name, options in (
            ("record of 200 MB", ()),
            ("record of 200 MB, allowed", ("--max-bytes", "300000000", "--memory", "1024")),
        ):
            target = output.with_name(name)
            started = time.perf_counter()
            run = Started([path], target, *options)
            most = most_memory(run)
            ended = run.wait()
            seconds = time.perf_counter() - started
            kept = [record for record, _ in rows(target)]
            happened = (
                f"exit code {ended.code}, {len(kept)} rows, {counted(ended)} in {seconds:.1f} s;"
                f" most memory of a process {most / 1e6:.0f} MB"
            )
            reported = counted(ended).get("too large") == 1 or bool(options)
            good = not ended.code and set(ids(neighbours[:2])) <= set(kept) and reported
            outcomes.append(Outcome(name, 1, happened, good and most < 1.3e9))
    return outcomes


def most_memory(run: Started) -> int:
    """The largest peak of any of its processes, until it ends."""
    most = 0
    while run.process.poll() is None:
        for pid in run.alive():
            with contextlib.suppress(OSError):
                status = Path(f"/proc/{pid}/status").read_text("utf-8")
                if peak := re.search(r"VmHWM:\s+(\d+)", status):
                    most = max(most, int(peak[1]) * 1024)
        time.sleep(0.05)
    return most


# --- faults: pages ------------------------------------------------------------------------------

BEWITCHED = """
import os, time
import tamis.many

real = tamis.many.extract_batch

def extract_batch(batch, method, options):
    for source in batch:
        if b"bewitched: hang" in source.page:
            time.sleep(3600)
        if b"bewitched: exit" in source.page:
            os._exit(7)
        if b"bewitched: fault" in source.page:
            os.kill(os.getpid(), 11)
        if b"bewitched: memory" in source.page:
            eaten = []
            while True:
                eaten.append(b"x" * 10_000_000)
                time.sleep(0.01)
    return real(batch, method, options)

tamis.many.extract_batch = extract_batch
"""
SECONDS = 2
"""Limit of a page, where it takes one that hangs."""


def with_page(
    bench: Bench, name: str, body: bytes, reason: str, *options: str, **environment: str
) -> Outcome:
    """A bad page among good ones: it is refused for the reason, and they are all there."""
    good_ones = records(0)
    bad = record(1_000_000, "https://bad.example/", body)
    with bench.folder() as output:
        path = output.parent / "bad.warc.gz"
        write_warc(path, [*good_ones[:5], bad, *good_ones[5:]])
        started = time.perf_counter()
        ended = Started([path], output, *options, environment=environment).wait()
        seconds = time.perf_counter() - started
        kept = rows(output)
    text = bench.plain.rows
    right = kept == [(record, text[record]) for record in ids(good_ones) if record in text]
    happened = (
        f"exit code {ended.code}, {counted(ended)} in {seconds:.1f} s;"
        f" other rows {'all' if right else 'NOT'} there"
    )
    good = right and not ended.code and counted(ended).get(reason) == 1
    return Outcome(name, 1, happened, good)


def bad_pages(bench: Bench) -> list[Outcome]:
    """Too slow, hanging, crashing, eating memory."""
    slow = page(3).replace(b"</article>", b"<p><b><i>a</i>" * 1_000_000)
    outcomes = [with_page(bench, "page built to be slow", slow, "too slow", "--max-seconds", "0.1")]
    folder = bench.work / "bewitched"
    folder.mkdir()
    (folder / "sitecustomize.py").write_text(BEWITCHED, "utf-8")
    paths = [str(folder), *filter(None, [os.environ.get("PYTHONPATH")])]
    options = ("--max-seconds", str(SECONDS), "--memory", "512")
    for name, spell, reason in (
        ("page that hangs", b"hang", "too slow"),
        ("page that ends its process", b"exit", "crash"),
        ("page that makes its process crash", b"fault", "crash"),
        ("page that eats memory", b"memory", "too much memory"),
    ):
        body = page(3).replace(b"</article>", b"<!-- bewitched: %b --></article>" % spell)
        outcome = with_page(bench, name, body, reason, *options, PYTHONPATH=os.pathsep.join(paths))
        outcomes.append(outcome)
    return outcomes


# --- the same rows ------------------------------------------------------------------------------


def same_rows(bench: Bench) -> list[Outcome]:
    """From one worker, two, and a Ray cluster, all files byte for byte."""
    ways = {"1 worker": ("--workers", "1"), "3 workers": ("--workers", "3")}
    if RAY:
        ways["Ray"] = ("--engine", "ray")
    outcomes = []
    for way, options in ways.items():
        for name, setting in (("one step", bench.plain), ("five steps", bench.steps)):
            with bench.folder() as output:
                ended = Started(setting.inputs, output, *setting.options, *options).wait()
                problem = ended.errors if ended.code else setting.problem(output)
            title = f"the same from {way} as from 2 workers, {name}"
            outcomes.append(Outcome(title, 1, problem or "identical", not problem))
    order = list(bench.plain.rows)
    wanted = [
        record for number in range(FILES) for record in ids(records(number)) if record in set(order)
    ]
    happened = f"{len(order)} rows of {FILES * PAGES} records, each once"
    right = order == wanted and len(rows(bench.plain.output)) == len(order)
    return [*outcomes, Outcome("rows in the order of the source", 1, happened, right)]


FAULTS: dict[str, Callable[[Bench], list[Outcome]]] = {
    "rows": same_rows,
    "killed": killed_runs,
    "shard process": partial(killed_process, 1, "a shard process killed"),
    "extraction process": partial(killed_process, 2, "an extraction process killed"),
    "every process": always_killed,
    "no process": no_process,
    "SIGTERM": partial(signalled, signal.SIGTERM),
    "SIGINT": partial(signalled, signal.SIGINT),
    "Ray": ray_node_killed,
    "second command": at_the_same_time,
    "disk": full_disk,
    "output": not_writable,
    "WARC": damaged_files,
    "record": large_record,
    "page": bad_pages,
}


def without_folders(outcome: Outcome) -> Outcome:
    """In one line, and without the folders of this machine."""
    happened = re.sub(r"/[^ ]*/", "", " ".join(outcome.happened.split()))
    return outcome._replace(happened=happened)


def main() -> None:
    """Parse the command line and run."""
    parser = script.parser(__doc__, shared=False)
    parser.add_argument("--kills", type=int, default=100, help="runs that are killed")
    parser.add_argument("--seed", type=int, default=1, help="of the moments")
    parser.add_argument("--only", default="", help=f"of {', '.join(FAULTS)}")
    arguments = parser.parse_args()
    outcomes: list[Outcome] = []
    started = time.perf_counter()
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(Path(folder), arguments.kills, random.Random(arguments.seed))
        print("| fault | runs | what happened | as it should? |\n|---|---|---|---|")
        for name, fault in FAULTS.items():
            if arguments.only in name:
                for outcome in map(without_folders, fault(bench)):
                    outcomes.append(outcome)
                    good = "yes" if outcome.good else "NO"
                    print(
                        f"| {outcome.fault} | {outcome.runs} | {outcome.happened} | {good} |",
                        flush=True,
                    )
    print(f"\n{time.perf_counter() - started:.0f} s")
    if not arguments.only and arguments.kills >= 100 and RAY and not os.geteuid():
        result = {
            "date": datetime.date.today().isoformat(),
            "seed": arguments.seed,
            "undisturbed_seconds": {
                "one step": bench.plain.seconds,
                "five steps": bench.steps.seconds,
            },
            "faults": [outcome._asdict() for outcome in outcomes],
        }
        out = script.RESULTS / "corpus_faults.json"
        script.write(out, result)
    sys.exit(0 if all(outcome.good for outcome in outcomes) else 1)


if __name__ == "__main__":
    main()
