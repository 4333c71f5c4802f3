"""How fast tamis is beside the parsers and extractors that people use, on the same pages.

    python benchmarks/speed.py                     600 pages of the data sets, everything
    python benchmarks/speed.py --only parse        only one part, see below
    python benchmarks/speed.py --pages DIR         any folder of .html files

    parse      bytes to a tree, ours beside the parsers
    extract    bytes to the text of the content, ours beside the extractors
    score      the time of each of our methods on top of the parse
    split      where the time of the default method goes, step by step
    many       extract_many with one and two processes, and scoring in batches
    memory     how large a fresh process becomes by pages of about 1 MB (Linux)

Every contestant gets the same UTF-8 bytes and is told that they are UTF-8, where it can be told;
trafilatura detects the encoding itself. The measure is CPU time, the release of the result
included. For each page the contestants take turns, in an order drawn
anew every round (a fixed one would always give the same contestant a warm cache), and the minimum
over the rounds counts; the slow ones get `--slow-rounds`. An exception counts its time and is
counted as an error; a library that is not installed is left out. The last two parts take the
first set alone; `many` is wall time, the start of the processes included, the best of runs in
turns.

The data sets are those of `--data`, see CONTRIBUTING.md.
Writes benchmarks/results/speed.json if everything was measured.
"""

from __future__ import annotations

import contextlib
import datetime
import gc
import importlib
import importlib.metadata
import json
import logging
import lzma
import math
import platform
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import click
import numpy as np
import script

import tamis
from tamis.flow import make_result
from tamis.methods._registry import create
from tamis.methods.tamis import TAKEN, Tamis
from tamis.model.features import corrections, group_features, spec
from tamis.model.features.batch import Batch
from tamis.model.features.columns import allocate_columns
from tamis.page.encoding import decode
from tamis.page.scan.scanner import scan
from tamis.page.table import Blocks, Nodes, Page, Texts

ROOT = script.ROOT
UTF8 = "text/html; charset=utf-8"
DEFAULT = tamis.Options()
BOILERPIPE = tamis.Options(method="boilerpipe")
BASELINE = tamis.Options(method="baseline")
SAMPLES = {"wcxb-dev": 400, "dragnet": 200}

# --- the contestants ----------------------------------------------------------------------------


@dataclass(frozen=True)
class Contestant:
    """One row of a table."""

    name: str
    run: Callable[[Any], object]
    slow: bool = False
    """60 ms a page and more: gets `--slow-rounds`."""
    prepare: Callable[[bytes], Any] = bytes
    """What is done to the page before the clock starts."""


def lexbor() -> Contestant:
    """selectolax, the Lexbor engine."""
    parser = importlib.import_module("selectolax.lexbor").LexborHTMLParser
    return Contestant("selectolax (lexbor)", parser)


def turbohtml() -> Contestant:
    """turbohtml, without the line numbers that it keeps by default."""
    parse = importlib.import_module("turbohtml").parse
    return Contestant("turbohtml", lambda page: parse(page, encoding="utf-8", positions=False))


def resiliparse() -> Contestant:
    """resiliparse, Lexbor too; it decodes into a str first."""
    parse = importlib.import_module("resiliparse.parse.html").HTMLTree.parse_from_bytes
    return Contestant("resiliparse", lambda page: parse(page, encoding="utf-8"))


def lxml() -> Contestant:
    """lxml, the libxml2 engine."""
    html = importlib.import_module("lxml.html")
    return Contestant(
        "lxml.html",
        lambda page: html.document_fromstring(page, parser=html.HTMLParser(encoding="utf-8")),
    )


def resiliparse_text() -> Contestant:
    """The main content by resiliparse's rules."""
    parse = importlib.import_module("resiliparse.parse.html").HTMLTree.parse_from_bytes
    text = importlib.import_module("resiliparse.extract.html2text").extract_plain_text
    return Contestant(
        "resiliparse (main content)",
        lambda page: text(parse(page, encoding="utf-8"), main_content=True),
    )


def trafilatura_text() -> Contestant:
    """trafilatura with its defaults."""
    return Contestant("trafilatura", importlib.import_module("trafilatura").extract, slow=True)


def readability_text() -> Contestant:
    """readability-lxml, and the text of what it keeps."""
    document = importlib.import_module("readability").Document
    fromstring = importlib.import_module("lxml.html").fromstring

    def run(page: bytes) -> str:
        summary = document(page.decode("utf-8", "replace")).summary(html_partial=True)
        return str(fromstring(summary).text_content())

    return Contestant("readability-lxml", run, slow=True)


def tamis_parse() -> Contestant:
    """Bytes to the finished page table."""
    return Contestant("tamis", lambda page: tamis.parse(page, content_type=UTF8))


def tamis_undeclared() -> Contestant:
    """The same when nobody tells the encoding: it takes what the page declares, or detects it."""
    return Contestant("tamis (encoding not told)", tamis.parse)


def tamis_default() -> Contestant:
    """Bytes to the text of the content, by the default method."""
    return Contestant("tamis", lambda page: tamis.extract(page, content_type=UTF8).text)


def tamis_boilerpipe() -> Contestant:
    """The same by a method that looks at a block and its neighbours alone."""
    return Contestant(
        "tamis (boilerpipe)",
        lambda page: tamis.extract(page, options=BOILERPIPE, content_type=UTF8).text,
    )


def tamis_baseline() -> Contestant:
    """Bytes to all visible text."""
    return Contestant(
        "tamis (baseline)",
        lambda page: tamis.extract(page, options=BASELINE, content_type=UTF8).text,
    )


def scoring(method: str) -> Callable[[], Contestant]:
    """The scores of a method, from the finished page table."""
    score = create(method, {}).score
    return lambda: Contestant(method, score, prepare=tamis.parse)


TABLES: dict[str, tuple[Callable[[], Contestant], ...]] = {
    "parse": (lexbor, tamis_parse, tamis_undeclared, turbohtml, resiliparse, lxml),
    "extract": (
        tamis_default,
        tamis_boilerpipe,
        tamis_baseline,
        resiliparse_text,
        trafilatura_text,
        readability_text,
    ),
    "score": (tamis_undeclared, *map(scoring, tamis.list_methods())),
}
"""The first of each table is what the others are compared with."""

LIBRARIES = (
    "tamis", "selectolax", "turbohtml", "resiliparse", "lxml", "trafilatura", "readability-lxml",
    "numpy",
)  # fmt: skip


def contestants(table: str) -> list[Contestant]:
    """Those of a table that are installed."""
    contestants = []
    for make in TABLES[table]:
        try:
            contestants.append(make())
        except ImportError as error:
            print(f"left out: {make.__name__} ({error})")
    return contestants


# --- the pages ----------------------------------------------------------------------------------


def sampled_pages(shared: Path, name: str, count: int, seed: int) -> list[bytes]:
    """`count` pages of a data set, always the same ones for the same seed."""
    rng = random.Random(seed)
    chosen: list[str] = []
    with lzma.open(shared / "datasets" / f"{name}.jsonl.xz", "rt", encoding="utf-8") as lines:
        # Reservoir sampling: a set in memory as a whole is a gigabyte.
        for number, line in enumerate(lines):
            if number < count:
                chosen.append(line)
            elif (place := rng.randint(0, number)) < count:
                chosen[place] = line
    return [json.loads(line)["html"].encode("utf-8", "replace") for line in chosen]


def folder_pages(folder: Path) -> list[bytes]:
    """The .html files of a folder and all below it."""
    pages = [path.read_bytes() for path in sorted(folder.rglob("*.html"))]
    if not pages:
        raise SystemExit(f"no .html files in {folder}")
    return [page.decode("utf-8", "replace").encode() for page in pages]


# --- the measurement ----------------------------------------------------------------------------


@dataclass
class Times:
    """Seconds of CPU for each page, and on how many pages an exception came."""

    seconds: list[float]
    errors: int = 0


def timed(contestant: Contestant, page: bytes) -> tuple[float, bool]:
    """CPU seconds of one run and whether it raised."""
    failed = False
    prepared = contestant.prepare(page)
    started = time.process_time()
    try:
        contestant.run(prepared)
    except Exception:  # whatever a library raises is its error, and is counted
        failed = True
    return time.process_time() - started, failed


@contextlib.contextmanager
def uncollected() -> Iterator[None]:
    """Without a garbage collection in the middle of a measurement."""
    gc.collect()
    gc.freeze()
    gc.disable()
    try:
        yield
    finally:
        gc.enable()
        gc.unfreeze()


def measure(
    chosen: list[Contestant], pages: list[bytes], rounds: int, slow_rounds: int, title: str
) -> dict[str, Times]:
    """The minimum over the rounds for each page and contestant."""
    times = {contestant.name: Times([]) for contestant in chosen}
    order = random.Random(0)
    for contestant in chosen:
        timed(contestant, pages[0])  # imports and tables that are made once
    with uncollected(), click.progressbar(pages, label=title) as bar:
        for page in bar:
            best = dict.fromkeys(times, float("inf"))
            raised = dict.fromkeys(times, False)
            for turn in range(max(rounds, slow_rounds)):
                for contestant in order.sample(chosen, len(chosen)):
                    if turn < (slow_rounds if contestant.slow else rounds):
                        seconds, failed = timed(contestant, page)
                        best[contestant.name] = min(best[contestant.name], seconds)
                        raised[contestant.name] |= failed
            for name, entry in times.items():
                entry.seconds.append(best[name])
                entry.errors += raised[name]
            gc.collect()
    return times


def summary(times: dict[str, Times], pages: list[bytes]) -> dict[str, dict[str, float]]:
    """The figures of a table; ratios are to its first row."""
    reference = next(iter(times.values())).seconds
    size = sum(map(len, pages))
    return {
        name: {
            "ms_a_page": 1000 * sum(entry.seconds) / len(pages),
            "ratio": sum(entry.seconds) / sum(reference),
            "median_ratio": statistics.median(
                own / other for own, other in zip(entry.seconds, reference, strict=True)
            ),
            "mb_a_second": size / 1e6 / sum(entry.seconds),
            "errors": entry.errors,
        }
        for name, entry in times.items()
    }


def print_table(title: str, figures: dict[str, dict[str, float]]) -> None:
    """One Markdown table."""
    first = next(iter(figures))
    print(f"\n{title}; ratios to {first}\n")
    print("| | ms a page | ratio | median ratio | MB/s | errors |")
    print("|---|---|---|---|---|---|")
    for name, row in figures.items():
        print(
            f"| {name} | {row['ms_a_page']:.3f} | {row['ratio']:.2f} | {row['median_ratio']:.2f} |"
            f" {row['mb_a_second']:.1f} | {row['errors']:.0f} |"
        )


# --- split: where the time of an extraction goes ------------------------------------------------

STEPS = ("decode", "scan", "features", "trees", "second stage", "decision", "text")


def split(name: str, pages: list[bytes], rounds: int) -> dict[str, Any]:
    """Milliseconds of each step of the default method, and of all in one call."""
    best = np.zeros(len(STEPS))
    whole = 0.0
    contestant = tamis_default()
    timed(contestant, pages[0])
    with uncollected(), click.progressbar(pages, label=f"split, {name}") as bar:
        for page in bar:
            # The first to see a page would pay for a cold cache.
            if step_seconds(page)[1] != tamis.extract(page, content_type=UTF8).text:
                raise SystemExit("the steps of `split` are no longer those of tamis.extract")
            times = [(step_seconds(page)[0], timed(contestant, page)[0]) for _ in range(rounds)]
            best += np.min([steps for steps, _ in times], axis=0)
            whole += min(seconds for _, seconds in times)
            gc.collect()
    steps = dict(zip(STEPS, best.tolist(), strict=True))
    # What a call does beside: the options, finding the weights, releasing the page.
    steps["other"] = whole - sum(steps.values())
    milliseconds = {name: 1000 * seconds / len(pages) for name, seconds in steps.items()}
    print(f"\nsplit: {len(pages)} pages of {name}, {1000 * whole / len(pages):.3f} ms a page\n")
    print("| step | ms a page | share |")
    print("|---|---|---|")
    for name, value in milliseconds.items():
        print(f"| {name} | {value:.3f} | {steps[name] / whole:.1%} |")
    return {
        "ms_a_page": milliseconds,
        "share": {name: seconds / whole for name, seconds in steps.items()},
        "whole_ms_a_page": 1000 * whole / len(pages),
    }


def step_seconds(page: bytes) -> tuple[list[float], str]:
    """CPU seconds of each step, by the functions that `tamis.extract` calls, and the text."""
    method = Tamis()
    model = method.load_model()
    clock = time.process_time
    times = [clock()]
    decoded = decode(page, UTF8)
    times.append(clock())
    nodes, texts, blocks, attributes, names = scan(
        decoded.source, DEFAULT.max_nodes, DEFAULT.max_depth, math.inf
    )
    table = Page(
        decoded.source,
        decoded.encoding,
        Nodes(*nodes),
        Texts(*texts),
        Blocks(*blocks),
        attributes,
        names,
    )
    times.append(clock())
    batch = Batch.from_pages([table])
    features = spec.make_table(batch, model.tokens)
    times.append(clock())
    first = model.forest.predict(features)
    times.append(clock())
    columns = allocate_columns(len(group_features.COLUMNS), len(batch))
    group_features.copy_features(features.T, TAKEN, columns, 0)
    odds = model.add_structures(batch, first, columns)
    corrections.lower_extra_blocks(batch.columns, odds.groups, odds.combined)
    scores = model.calibrate(odds.combined)
    times.append(clock())
    result = make_result(table, scores, method, DEFAULT, None)
    times.append(clock())
    text = result.text
    times.append(clock())
    return [end - start for start, end in pairwise(times)], text


# --- many: processes and batches ----------------------------------------------------------------

WORKERS = (1, 2)
SECONDS = 10.0
"""Work of one run with one process, at least."""
BATCH = 16


def many(pages: list[bytes], rounds: int) -> dict[str, Any]:
    """Pages a second of `extract_many`, and scoring in batches against page by page."""
    columns = " | ".join(f"workers={workers}, pages/s" for workers in WORKERS)
    print(f"\n| extract_many | pages | {columns} | ratio |")
    print("|---|---|" + "---|" * (len(WORKERS) + 1))
    processes = {}
    for options in (DEFAULT, BOILERPIPE):
        row = processes[options.method] = pages_a_second(pages, options, rounds)
        rates = " | ".join(f"{rate:.0f}" for rate in row["pages_a_second"].values())
        print(f"| {options.method} | {row['pages']} | {rates} | {row['ratio']:.2f} |")
    batches = batch_scoring(pages, rounds)
    print(
        f"\nscoring by {DEFAULT.method}: page by page {batches['single_ms_a_page']:.3f} ms a page,"
        f" {BATCH} pages at once {batches['batch_ms_a_page']:.3f} ms, ratio {batches['ratio']:.2f}"
    )
    return {"processes": processes, "batches": batches}


def pages_a_second(pages: list[bytes], options: tamis.Options, rounds: int) -> dict[str, Any]:
    """For each number of processes the best run, and the largest over the smallest number."""
    work = pages * math.ceil(SECONDS / many_seconds(pages, options, 1))
    best = dict.fromkeys(WORKERS, math.inf)
    for _ in range(rounds):
        for workers in WORKERS:
            best[workers] = min(best[workers], many_seconds(work, options, workers))
    return {
        "pages": len(work),
        "pages_a_second": {str(workers): len(work) / best[workers] for workers in WORKERS},
        "ratio": best[WORKERS[0]] / best[WORKERS[-1]],
    }


def many_seconds(pages: Sequence[bytes], options: tamis.Options, workers: int) -> float:
    """Wall time from the first page to the last text."""
    items = [(page, None, UTF8) for page in pages]
    started = time.perf_counter()
    for result in tamis.extract_many(items, options=options, workers=workers):
        if isinstance(result, tamis.TamisError):
            raise result
        result.text  # noqa: B018  made when asked for
    return time.perf_counter() - started


def batch_scoring(pages: list[bytes], rounds: int) -> dict[str, float]:
    """CPU time of `score_many` against `score`, from finished page tables."""
    method = DEFAULT.make_method()
    single = batch = 0.0
    batches = [pages[first : first + BATCH] for first in range(0, len(pages), BATCH)]
    method.score(tamis.parse(pages[0]))
    with uncollected(), click.progressbar(batches, label="batches") as bar:
        for members in bar:
            tables = [tamis.parse(page, content_type=UTF8) for page in members]
            alone, together = [], []
            for _ in range(rounds):
                started = time.process_time()
                for table in tables:
                    method.score(table)
                between = time.process_time()
                method.score_many(tables)
                alone.append(between - started)
                together.append(time.process_time() - between)
            single, batch = single + min(alone), batch + min(together)
    return {
        "pages_at_once": BATCH,
        "single_ms_a_page": 1000 * single / len(pages),
        "batch_ms_a_page": 1000 * batch / len(pages),
        "ratio": batch / single,
    }


# --- memory -------------------------------------------------------------------------------------

ABOUT_A_MEGABYTE = (700_000, 1_500_000)
# Not `ru_maxrss`: it starts with the size of the process that started this one.
IN_FRESH_PROCESS = """
import json, pathlib, sys

def peak():
    lines = open("/proc/self/status").read().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM")) / 1024

found = {"python": peak()}
import numpy
found["numpy"] = peak()
import tamis
found["import"] = peak()
for number, path in enumerate(sorted(pathlib.Path(sys.argv[1]).iterdir())):
    tamis.extract(path.read_bytes(), content_type=sys.argv[2]).text
    if number == 0:
        found["first page"] = peak()
found["all pages"] = peak()
print(json.dumps(found))
"""


def memory(pages: list[bytes]) -> dict[str, Any]:
    """Megabytes of a fresh process at its largest: as it starts, and as it extracts."""
    if not sys.platform.startswith("linux"):
        raise SystemExit("the largest size of a process is read from /proc, which is on Linux")
    with tempfile.TemporaryDirectory() as folder:
        for number, page in enumerate(pages):
            (Path(folder) / f"{number:06}.html").write_bytes(page)
        command = [sys.executable, "-c", IN_FRESH_PROCESS, folder, UTF8]
        done = subprocess.run(command, check=True, capture_output=True)
    megabytes: dict[str, float] = json.loads(done.stdout)
    sizes = [len(page) / 1e6 for page in pages]
    print(f"\nmemory: {len(pages)} pages of {min(sizes):.2f} to {max(sizes):.2f} MB\n")
    print("| after | largest size of the process, MiB |")
    print("|---|---|")
    for moment, value in megabytes.items():
        print(f"| {moment} | {value:.0f} |")
    return {"pages": len(pages), "mean_mb": statistics.fmean(sizes), "peak_mib": megabytes}


def large_pages(shared: Path, name: str) -> list[bytes]:
    """The pages of a data set of about a megabyte."""
    smallest, largest = ABOUT_A_MEGABYTE
    with lzma.open(shared / "datasets" / f"{name}.jsonl.xz", "rt", encoding="utf-8") as lines:
        pages = (json.loads(line)["html"].encode("utf-8", "replace") for line in lines)
        return [page for page in pages if smallest <= len(page) <= largest]


# --- the machine --------------------------------------------------------------------------------


def versions() -> dict[str, str]:
    """What was measured."""
    versions = {"python": platform.python_version()}
    for library in LIBRARIES:
        try:
            versions[library] = importlib.metadata.version(library)
        except importlib.metadata.PackageNotFoundError:
            # A source tree on PYTHONPATH has no metadata.
            versions[library] = "source tree" if library == "tamis" else "not installed"
    return versions


def processor() -> str:
    """The model of the CPU."""
    try:
        lines = Path("/proc/cpuinfo").read_text("utf-8").splitlines()
    except OSError:
        return platform.processor() or platform.machine()
    models = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return models[0] if models else platform.machine()


PARTS = (*TABLES, "split", "many", "memory")


def compared(
    table: str, sets: dict[str, list[bytes]], rounds: int, slow_rounds: int
) -> dict[str, Any]:
    """The figures of one table for each set."""
    chosen = contestants(table)
    result = {}
    for name, pages in sets.items():
        times = measure(chosen, pages, rounds, slow_rounds, f"{table}, {name}")
        result[name] = summary(times, pages)
        print_table(f"{table}: {len(pages)} pages of {name}", result[name])
    return result


def main() -> None:
    """Parse the command line and run."""
    parser = script.parser(__doc__)
    parser.add_argument("--pages", type=Path, help="a folder of .html files instead")
    parser.add_argument("--only", choices=PARTS, help="only this part")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--slow-rounds", type=int, default=1, help="of the slow contestants")
    parser.add_argument("--seed", type=int, default=1, help="of the sample")
    parser.add_argument("--sample", type=float, default=1.0, help="share of the default sample")
    arguments = parser.parse_args()
    logging.disable(logging.CRITICAL)  # trafilatura and readability log every page they dislike
    if arguments.pages:
        sets = {"folder": folder_pages(arguments.pages)}
    else:
        sets = {
            name: sampled_pages(
                arguments.shared, name, max(1, round(count * arguments.sample)), arguments.seed
            )
            for name, count in SAMPLES.items()
        }
    result: dict[str, Any] = {
        "date": datetime.date.today().isoformat(),
        "processor": processor(),
        "versions": versions(),
        "seed": arguments.seed,
        "rounds": arguments.rounds,
        "slow_rounds": arguments.slow_rounds,
        "pages": {name: len(pages) for name, pages in sets.items()},
        "bytes": {name: sum(map(len, pages)) for name, pages in sets.items()},
    }
    first, pages = next(iter(sets.items()))
    for part in [arguments.only] if arguments.only else PARTS:
        if part in TABLES:
            result[part] = compared(part, sets, arguments.rounds, arguments.slow_rounds)
        elif part == "split":
            result[part] = {
                name: split(name, pages, arguments.rounds) for name, pages in sets.items()
            }
        elif part == "many":
            result[part] = {first: many(pages, arguments.rounds)}
        else:
            large = pages if arguments.pages else large_pages(arguments.shared, first)
            result[part] = {first: memory(large)}
    print(f"\n{result['processor']}; {', '.join(map(' '.join, result['versions'].items()))}")
    if not (arguments.pages or arguments.only) and arguments.sample == 1.0:
        out = script.RESULTS / "speed.json"
        script.write(out, result)


if __name__ == "__main__":
    main()
