"""How fast a corpus run is, beside bare extraction and other libraries, and what memory it takes.

    python benchmarks/corpus.py                   throughput, 1,497 pages and 20,000
    python benchmarks/corpus.py --memory          memory of every process over 200,000 pages

The pages are those of wcxb-dev in one WARC file, and the same repeated to `--pages`. Each round
runs all of these once, in an order drawn anew, and the best of the rounds counts:

    bare           `tamis.extract` in this process, pages in memory, and the views that a row needs
    tamis corpus   the command with one and two workers, with and without the description
    resiliparse    a loop with fastwarc and pyarrow, in one process and two (corpus_rivals.py)
    trafilatura    in a pool of two processes; it is slow: the smaller file, one round

All but `bare` are commands, from their start to their end; all write Parquet with zstd: id,
address and text, and tamis what it knows beside. To start takes a second, much beside the smaller
file: the bars are for the larger. Then it is told where the time of a worker goes:
one runs in this process with a clock around its parts.

`--memory` samples the memory of every process of a run with two workers once a second. The pages
are the file of 20,000 under ten names.

Needs the shared folder (`--shared`, default ../shared beside the repository), 2 GB in the work
folder (`--work`), where the WARC files stay, and Linux. Writes benchmarks/results/corpus.json or
corpus_memory.json if nothing was left out.
"""

from __future__ import annotations

import datetime
import importlib.metadata
import json
import os
import platform
import pty
import random
import re
import subprocess
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, TypeVar
from unittest.mock import patch

import pyarrow.parquet as pq
import script
from corpus_runs import ROLES, Warc, command, processes, warc_of, wcxb

import tamis
from tamis.corpus import tasks
from tamis.corpus.files import Folder
from tamis.corpus.formats import parquet, read
from tamis.corpus.manifest import Task
from tamis.corpus.planning import begin_run
from tamis.corpus.records import Record, Settings
from tamis.corpus.steps import _base
from tamis.corpus.steps.extraction import Extracting, make_extractor
from tamis.many import make_batches
from tamis.result import Result

UTF8 = "text/html; charset=utf-8"
LIBRARIES = ("fastwarc", "pyarrow", "resiliparse", "trafilatura", "numpy")
T = TypeVar("T")

# The bars.
SPEED_UP = 1.7
OVERHEAD = 0.35
GROWTH = 0.10

# --- throughput ---------------------------------------------------------------------------------


@dataclass(frozen=True)
class Contestant:
    """One row of a table: what it runs, and what it took."""

    name: str
    seconds: Callable[[Warc, Path], float]
    slow: bool = False
    """Runs once, on the smaller file."""


def views(result: Result, describe: bool) -> None:
    """Ask for what a row has."""
    weights = result.page.blocks.words * result.kept
    result.scores @ weights / max(int(weights.sum()), 1)
    result.text, result.page.encoding, result.embedded  # noqa: B018  made when asked for
    if describe:
        result.metadata, result.page_type, result.overview  # noqa: B018  made when asked for


def bare(pages: list[tuple[str, bytes]], describe: bool, warc: Warc, _: Path) -> float:
    """Seconds of extraction for the pages of a file: those of each page by how often it is in."""
    options = Settings().options
    total = 0.0
    whole, rest = divmod(warc.pages, len(pages))
    for number, (url, body) in enumerate(pages):
        started = time.perf_counter()
        views(tamis.extract(body, url=url, options=options, content_type=UTF8), describe)
        total += (time.perf_counter() - started) * (whole + (number < rest))
    return total


def corpus(workers: int, describe: bool, warc: Warc, output: Path) -> float:
    """Seconds of `tamis corpus`."""
    options = ["--workers", str(workers), "--describe" if describe else "--no-describe", "--json"]
    started = time.perf_counter()
    done = subprocess.run(
        command([warc.path], output, *options), stdout=subprocess.PIPE, check=True
    )
    seconds = time.perf_counter() - started
    if (records := json.loads(done.stdout)["records"]) != warc.pages:
        raise SystemExit(f"{records} records of {warc.pages}")
    return seconds


def rival(name: str, count: int, warc: Warc, output: Path) -> float:
    """Seconds of corpus_rivals.py."""
    script = Path(__file__).with_name("corpus_rivals.py")
    words = [sys.executable, str(script), name, str(warc.path), str(output)]
    started = time.perf_counter()
    subprocess.run([*words, "--processes", str(count), "--middle", str(warc.middle)], check=True)
    seconds = time.perf_counter() - started
    if (rows := sum(pq.read_metadata(part).num_rows for part in output.iterdir())) != warc.pages:
        raise SystemExit(f"{name}: {rows} rows of {warc.pages}")
    return seconds


def contestants(pages: list[tuple[str, bytes]]) -> list[Contestant]:
    """All rows of a table."""
    contestants = []
    for how, describe in (("text", False), ("described", True)):
        contestants.append(Contestant(f"bare, {how}", partial(bare, pages, describe)))
        for workers in (1, 2):
            name = f"tamis corpus, {how}, workers: {workers}"
            contestants.append(Contestant(name, partial(corpus, workers, describe)))
    for count in (1, 2):
        name = f"resiliparse, processes: {count}"
        contestants.append(Contestant(name, partial(rival, "resiliparse", count)))
    contestants.append(
        Contestant("trafilatura, processes: 2", partial(rival, "trafilatura", 2), True)
    )
    return contestants


def throughput(
    chosen: list[Contestant], warc: Warc, rounds: int, slow: bool, work: Path
) -> dict[str, dict[str, float]]:
    """The best of the rounds for each contestant, and how large its output is."""
    order = random.Random(0)
    taken: dict[str, list[float]] = defaultdict(list)
    written = {}
    warc.path.read_bytes()  # from the disk to memory once, not for whoever comes first
    for turn in range(rounds):
        for contestant in order.sample(chosen, len(chosen)):
            if contestant.slow and (turn or not slow):
                continue
            with tempfile.TemporaryDirectory(dir=work) as folder:
                output = Path(folder, "out")
                taken[contestant.name].append(contestant.seconds(warc, output))
                written[contestant.name] = sum(
                    file.stat().st_size for file in output.glob("part-*")
                )
            print(
                f"{warc.pages} pages  {contestant.name}  {taken[contestant.name][-1]:.1f} s",
                file=sys.stderr,
            )
    return {
        contestant.name: {
            "seconds": min(taken[contestant.name]),
            "ms_a_page": 1000 * min(taken[contestant.name]) / warc.pages,
            "pages_a_second": warc.pages / min(taken[contestant.name]),
            "mb_a_second": warc.bytes / 1e6 / min(taken[contestant.name]),
            "output_bytes_a_page": written[contestant.name] / warc.pages,
            "spread": max(taken[contestant.name]) / min(taken[contestant.name]),
        }
        for contestant in chosen
        if contestant.name in taken
    }


def print_throughput(warc: Warc, figures: dict[str, dict[str, float]]) -> dict[str, Any]:
    """The table of a file, and the figures that have a bar."""
    print(f"\n{warc.pages:,} pages, {warc.bytes / 1e6:,.0f} MB\n")
    print("| | s | ms a page | pages/s | MB/s | bytes out a page | worst over best round |")
    print("|---|---|---|---|---|---|---|")
    for name, row in figures.items():
        print(
            f"| {name} | {row['seconds']:.1f} | {row['ms_a_page']:.2f} |"
            f" {row['pages_a_second']:.0f} | {row['mb_a_second']:.0f} |"
            f" {row['output_bytes_a_page']:.0f} | {row['spread']:.2f} |"
        )
    scaling = {}
    print("\n| | two workers over one | at least | over bare | at most |\n|---|---|---|---|---|")
    for how in ("text", "described"):
        alone, together = (
            figures[f"tamis corpus, {how}, workers: {workers}"]["seconds"] for workers in (1, 2)
        )
        overhead = alone / figures[f"bare, {how}"]["seconds"] - 1
        scaling[how] = {"speed_up": alone / together, "overhead": overhead}
        print(f"| {how} | {alone / together:.2f} | {SPEED_UP} | {overhead:.1%} | {OVERHEAD:.0%} |")
    return scaling


# --- split: where the time of a worker goes -----------------------------------------------------

PARTS = ("read", "extract", "send", "write", "other")


def split(warc: Warc, describe: bool, rounds: int, work: Path) -> dict[str, float]:
    """Milliseconds a page of each part, in the fastest of the rounds."""
    rows = []
    for _ in range(rounds):
        with tempfile.TemporaryDirectory(dir=work) as folder:
            rows.append(split_once(warc, Settings(describe=describe), folder))
    best = min(rows, key=lambda row: sum(row.values()))
    return {name: 1000 * best[name] / warc.pages for name in PARTS}


def split_once(warc: Warc, settings: Settings, folder: str) -> dict[str, float]:
    """Seconds of each part for all shards."""
    run = begin_run([str(warc.path)], Folder(folder), settings)
    clocks: dict[str, float] = defaultdict(float)

    def timed(part: str, function: Callable[..., T]) -> Callable[..., T]:
        def call(*arguments: Any) -> T:
            started = time.perf_counter()
            try:
                return function(*arguments)
            finally:
                clocks[part] += time.perf_counter() - started

        return call

    def timed_read(*arguments: Any) -> Iterator[object]:
        step = timed("read", partial(next, read(*arguments), None))
        return iter(step, None)

    worker = tasks.TaskWorker(run)
    with ExitStack() as stack:
        for owner, name, replaced in (
            (_base, "read", timed_read),
            (tasks.Watched, "ask", timed("ask", tasks.Watched.ask)),
            (_base.Sink, "write", timed("write", _base.Sink.write)),
            (parquet._Parquet, "finish", timed("write", parquet._Parquet.finish)),
        ):
            stack.enter_context(patch.object(owner, name, replaced))
        first = Task("extract", 0)
        for _ in worker.do_task(first):  # starts the process
            pass
        clocks.clear()
        started = time.perf_counter()
        for part in run.shards:
            for _ in worker.do_task(Task("extract", part.number)):
                pass
        whole = time.perf_counter() - started
    worker.close()
    clocks["extract"] = seconds_of_extraction(run.shards, settings)
    clocks["send"] = clocks["ask"] - clocks["extract"]
    clocks["other"] = whole - clocks["read"] - clocks["ask"] - clocks["write"]
    return {name: clocks[name] for name in PARTS}


def seconds_of_extraction(shards: Iterable[Any], settings: Settings) -> float:
    """The same batches, extracted in this process."""
    answer = make_extractor(Extracting(settings, ""))
    total = 0.0
    for part in shards:
        for batch in make_batches(
            read(part, settings.columns, settings.options.max_bytes), tasks._count_bytes
        ):
            records = [page for page in batch if isinstance(page, Record)]
            started = time.perf_counter()
            answer(records)
            total += time.perf_counter() - started
    return total


def print_split(figures: dict[str, dict[str, float]]) -> None:
    """Where the time goes."""
    print(f"\n| ms a page | {' | '.join(PARTS)} | sum |")
    print("|" + "---|" * (len(PARTS) + 2))
    for how, row in figures.items():
        values = " | ".join(f"{row[name]:.3f}" for name in PARTS)
        print(f"| {how} | {values} | {sum(row.values()):.3f} |")


# --- memory -------------------------------------------------------------------------------------

WARM_PAGES = 10_000
"""What grows before this number of pages is no growth."""


def memory(inputs: list[Path], work: Path, warm_pages: int) -> dict[str, Any]:
    """The memory of each process of a run with two workers, after the first pages and at the end.

    In a terminal, which shows how many pages are done.
    """
    ours, theirs = pty.openpty()
    with tempfile.TemporaryDirectory(dir=work) as folder:
        words = command(inputs, Path(folder, "out"), "--workers", "2")
        words.remove("--quiet")
        run = subprocess.Popen(words, stderr=theirs, stdout=subprocess.DEVNULL)
        os.close(theirs)
        os.set_blocking(ours, False)
        samples: list[tuple[int, dict[str, dict[str, int]]]] = []
        pages = 0
        while run.poll() is None:
            time.sleep(1)
            pages = pages_done(ours) or pages
            samples.append((pages, sizes(run.pid)))
            print(f"\r{pages:,} pages", end="", file=sys.stderr)
        os.close(ours)
    if run.returncode:
        raise SystemExit(f"the run ended with exit code {run.returncode}")
    return grown(samples, warm_pages)


def pages_done(terminal: int) -> int | None:
    """The last number of pages in the output, None if there is nothing new."""
    try:
        shown = os.read(terminal, 1 << 20).decode("utf-8", "replace")
    except OSError:  # nothing there, or the other end is closed
        return None
    counts = re.findall(r"([\d,]+) pages", shown)
    return int(counts[-1].replace(",", "")) if counts else None


def sizes(leader: int) -> dict[str, dict[str, int]]:
    """Bytes of each process in memory, now and at most so far."""
    memory = {}
    for role, members in zip(ROLES, processes(leader), strict=True):
        for pid in members:
            try:
                status = Path(f"/proc/{pid}/status").read_text("utf-8")
            except OSError:  # it ended
                continue
            lines = dict(re.findall(r"(VmRSS|VmHWM):\s+(\d+) kB", status))
            if lines:
                memory[f"{role} {pid}"] = {name: int(kb) * 1024 for name, kb in lines.items()}
    return memory


def grown(samples: list[tuple[int, dict[str, dict[str, int]]]], warm_pages: int) -> dict[str, Any]:
    """What each process had when it was warm, and its growth from there to the end."""
    warm = next((memory for pages, memory in samples if pages >= warm_pages), None)
    if warm is None:
        raise SystemExit(f"the run ended before {warm_pages} pages")
    later = [memory for pages, memory in samples if pages >= warm_pages and memory]
    numbers = Counter[str]()
    rows = {}
    for name in {process: None for memory in later for process in memory}:
        role = name.split()[0]
        numbers[role] += 1
        own = [memory[name] for memory in later if name in memory]
        rows[f"{role} {numbers[role]}"] = {
            "replaced": name not in warm,
            "rss_warm": own[0]["VmRSS"],
            "rss_most_after": max(sample["VmRSS"] for sample in own),
            "peak_warm": own[0]["VmHWM"],
            "peak_end": own[-1]["VmHWM"],
            "growth": own[-1]["VmHWM"] / own[0]["VmHWM"] - 1,
        }
    return {"samples": len(samples), "pages": samples[-1][0], "processes": rows}


def print_memory(figures: dict[str, Any], warm_pages: int) -> None:
    """The memory of each process."""
    print(f"\n{figures['pages']:,} pages, MB; the growth is that of the peak\n")
    print(
        f"| process | RSS at {warm_pages:,} pages | most RSS after | peak until then"
        " | peak at the end | growth | at most |"
    )
    print("|---|---|---|---|---|---|---|")
    columns = ("rss_warm", "rss_most_after", "peak_warm", "peak_end")
    for name, row in figures["processes"].items():
        values = " | ".join(f"{row[column] / 1e6:.0f}" for column in columns)
        late = ", replaced" if row["replaced"] else ""
        print(f"| {name}{late} | {values} | {row['growth']:.1%} | {GROWTH:.0%} |")


# --- the command line ---------------------------------------------------------------------------


def about() -> dict[str, Any]:
    """When and with what it was measured."""
    versions = {name: importlib.metadata.version(name) for name in LIBRARIES}
    return {
        "date": datetime.date.today().isoformat(),
        "processors": os.cpu_count(),
        "versions": {"python": platform.python_version(), "tamis": tamis.__version__} | versions,
    }


def main() -> None:
    """Parse the command line and run."""
    parser = script.parser(__doc__)
    parser.add_argument("--pages", type=int, default=20_000)
    parser.add_argument("--sample", type=int, help="take the first pages of the set only")
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--memory", action="store_true")
    parser.add_argument("--names", type=int, default=10, help="of the file, for --memory")
    parser.add_argument("--work", type=Path, default=Path(tempfile.gettempdir(), "tamis-corpus"))
    arguments = parser.parse_args()
    work: Path = arguments.work
    work.mkdir(parents=True, exist_ok=True)
    pages = wcxb(arguments.shared)[: arguments.sample]
    whole = not arguments.sample and arguments.pages == 20_000
    large = warc_of(pages, arguments.pages, work)
    if arguments.memory:
        with tempfile.TemporaryDirectory(dir=work) as folder:
            names = [Path(folder, f"{number:02}.warc.gz") for number in range(arguments.names)]
            for name in names:
                name.hardlink_to(large.path)
            warm = WARM_PAGES if whole else large.pages
            figures = memory(names, work, warm)
        print_memory(figures, warm)
        if whole and arguments.names == 10:
            script.write(script.RESULTS / "corpus_memory.json", about() | figures)
        return
    small = warc_of(pages, len(pages), work)
    chosen = contestants(pages)
    result = about() | {"rounds": arguments.rounds}
    for warc in (small, large):
        figures = throughput(chosen, warc, arguments.rounds, warc is small, work)
        bars = print_throughput(warc, figures)
        result[f"{warc.pages} pages"] = {"bytes": warc.bytes, "runs": figures, "bars": bars}
    result["split"] = {
        how: split(small, how == "described", arguments.rounds, work)
        for how in ("text", "described")
    }
    print_split(result["split"])
    if whole:
        script.write(script.RESULTS / "corpus.json", result)


if __name__ == "__main__":
    main()
