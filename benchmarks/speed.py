"""How fast tamis is beside the parsers and extractors that people use, on the same pages.

    python benchmarks/speed.py                     600 pages of the data sets, all three tables
    python benchmarks/speed.py --only parse        only one: parse, extract, or score, which is the
                                                   time of each method on top of the parse
    python benchmarks/speed.py --pages DIR         any folder of .html files

Every contestant gets the same UTF-8 bytes and is told that they are UTF-8, where it can be told;
trafilatura detects the encoding itself. The measure is CPU time, the release of the result
included. For each page the contestants take turns, in an order drawn
anew every round (a fixed one would always give the same contestant a warm cache), and the minimum
over the rounds counts; the slow ones get `--slow-rounds`. An exception counts its time and is
counted as an error; a library that is not installed is left out.

The data sets are in the shared folder (`--shared`, default ../shared beside the repository).
Writes benchmarks/results/speed.json.
"""

from __future__ import annotations

import argparse
import datetime
import gc
import importlib
import importlib.metadata
import json
import logging
import lzma
import platform
import random
import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

import tamis
from tamis.methods._registry import create

ROOT = Path(__file__).resolve().parent.parent
UTF8 = "text/html; charset=utf-8"
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


def tamis_boilerpipe() -> Contestant:
    """Bytes to the text of the content."""
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
        resiliparse_text,
        tamis_boilerpipe,
        tamis_baseline,
        trafilatura_text,
        readability_text,
    ),
    "score": (tamis_undeclared, *map(scoring, tamis.methods())),
}
"""The first of each table is what the others are compared with."""

LIBRARIES = (
    "tamis", "selectolax", "turbohtml", "resiliparse", "lxml", "trafilatura", "readability-lxml",
    "numpy",
)  # fmt: skip


def contestants(table: str) -> list[Contestant]:
    """Those of a table that are installed."""
    found = []
    for make in TABLES[table]:
        try:
            found.append(make())
        except ImportError as error:
            print(f"left out: {make.__name__} ({error})")
    return found


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


def measure(
    chosen: list[Contestant], pages: list[bytes], rounds: int, slow_rounds: int, label: str
) -> dict[str, Times]:
    """The minimum over the rounds for each page and contestant."""
    times = {contestant.name: Times([]) for contestant in chosen}
    order = random.Random(0)
    for contestant in chosen:
        timed(contestant, pages[0])  # imports and tables that are made once
    gc.collect()
    gc.freeze()
    gc.disable()
    with click.progressbar(pages, label=label) as bar:
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
    gc.enable()
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


# --- the machine --------------------------------------------------------------------------------


def versions() -> dict[str, str]:
    """What was measured."""
    found = {"python": platform.python_version()}
    for library in LIBRARIES:
        try:
            found[library] = importlib.metadata.version(library)
        except importlib.metadata.PackageNotFoundError:
            # A source tree on PYTHONPATH has no metadata.
            found[library] = "source tree" if library == "tamis" else "not installed"
    return found


def processor() -> str:
    """The model of the CPU."""
    try:
        lines = Path("/proc/cpuinfo").read_text("utf-8").splitlines()
    except OSError:
        return platform.processor() or platform.machine()
    models = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return models[0] if models else platform.machine()


def main() -> None:
    """Parse the command line and run."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--shared", type=Path, default=ROOT.parent / "shared")
    parser.add_argument("--pages", type=Path, help="a folder of .html files instead")
    parser.add_argument("--only", choices=tuple(TABLES), help="only this table")
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
    for table in [arguments.only] if arguments.only else list(TABLES):
        chosen = contestants(table)
        result[table] = {}
        for name, pages in sets.items():
            times = measure(
                chosen, pages, arguments.rounds, arguments.slow_rounds, f"{table}, {name}"
            )
            result[table][name] = figures = summary(times, pages)
            print_table(f"{table}: {len(pages)} pages of {name}", figures)
    print(f"\n{result['processor']}; {', '.join(map(' '.join, result['versions'].items()))}")
    if not (arguments.pages or arguments.only) and arguments.sample == 1.0:
        out = ROOT / "benchmarks" / "results" / "speed.json"
        out.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
