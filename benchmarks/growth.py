"""Time and memory against the size of a page: of reading it, and of every view of its result.

    python benchmarks/growth.py                  reading, all kinds of page, from 10 kB to 50 MB
    python benchmarks/growth.py --quick          up to 5 MB
    python benchmarks/growth.py --views          all views of all kinds of page
    python benchmarks/growth.py --views --only "deep div" "nested lists" --of Markdown reasons

The pages are what a hostile author would send: written (benchmarks/hostile_kinds.py) and composed
(benchmarks/hostile_shapes.py). Each kind and size runs in a process of its own, with the limits of
`Options` raised so that it is read to its end.

Reading: beside them one page is made of real ones (`--shared`, default ../shared beside the
repository; of a written one without it). 60 s at most (lexbor 15 s). Columns:

- ns/B at the largest size: CPU time, the minimum of several runs; lexbor's (selectolax) beside it;
- exponent: the slope of log time over log size from 1 MB up; 1 is linear;
- memory: the peak that tracemalloc sees, the source itself not counted, over the source's size, in
  a pass of its own; "default" is the same with the default limits and the error that ended it.

A kind with an exponent above 1.15 or memory above 10 is flagged. Then the same ratio of memory for
300 pages of the data sets. Writes benchmarks/results/growth.json.

Views: every block is kept, and nothing was made of the page before. CPU time of `extract` and of
each view at 200 and 400 kB (or `--size`), the minimum of several runs; a ratio above 2.3 is flagged
if it is the same in a second measurement with twice the size. Then each view of a page of 3 MB (15
times `--size`) gets 0.05 s: going on for more than 0.2 s of CPU time after that is flagged. Writes
benchmarks/results/growth_views.json.
"""

from __future__ import annotations

import argparse
import contextlib
import datetime
import gc
import json
import random
import resource
import subprocess
import sys
import tempfile
import time
import tracemalloc
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import click
import numpy as np
import script
from hostile_kinds import KINDS as WRITTEN
from hostile_kinds import READING
from hostile_shapes import COMPOSED
from speed import processor, sampled_pages, versions
from views import VIEWS, fresh, timed

import tamis
from tamis._runtime import limits
from tamis.errors import LimitError, TamisError

ROOT = Path(__file__).resolve().parent.parent
SIZES = (10_000, 100_000, 1_000_000, 5_000_000, 10_000_000, 50_000_000)
QUICK = 5_000_000
FITTED_FROM = 1_000_000  # below, what a call costs at least bends the line
TIME_LIMIT = 60
LEXBOR_TIME_LIMIT = 15  # it is there for scale
MEMORY_LIMIT = 12 << 30  # address space of a measurement
STEEP, HEAVY = 1.15, 10.0
VIEWED = 200_000  # size from which on doubling it is looked at
VIEW_TIME_LIMIT = 300
STEEP_VIEW = 2.3
JUDGED_FROM = 0.01  # seconds; below, what a call costs at least and noise bend the ratio
BOUNDED = 3_000_000
DEADLINE, OVERRUN = 0.05, 0.2
KINDS = WRITTEN | COMPOSED
URL = "https://example.org/a/b"
WARM = b"<meta charset=windows-1252><p>\xe9"  # makes what is imported and made once
NO_LIMITS = tamis.Options(
    max_bytes=2**31 - 1, max_nodes=2**31 - 1, max_depth=2**31 - 1, max_seconds=600
)

# --- the pages ----------------------------------------------------------------------------------


def written_page() -> bytes:
    """A page for machines without the data sets."""
    words = "the sieve of a cook has a fine mesh and lets pass what is small enough".split()
    rng = random.Random(1)
    items = "".join(f'<li class="item"><a href="/{word}">{word}</a></li>' for word in words)
    parts = [f"<nav><ul>{items}</ul></nav>"]
    for _ in range(200):
        text = " ".join(rng.choices(words, k=rng.randint(5, 120)))
        parts.append(f'<div class="row"><p id="p">{text}, <b>{rng.choice(words)}</b>.</p></div>\n')
    parts.append("<script>var i = 0; if (i < 1) { i += '</p>'; }</script>")
    return "".join(parts).encode()


def real_source(shared: Path, size: int) -> bytes:
    """Pages of the data sets one after the other, none of which leaves anything open.

    Half a megabyte of them, over and over, so that every size from 1 MB up has the same mixture.
    """
    pages = [written_page()]
    if (shared / "datasets" / "wcxb-dev.jsonl.xz").exists():
        pages = [page for page in sampled_pages(shared, "wcxb-dev", 200, 1) if len(page) < 50_000]
    joined = b""
    for page in pages:
        table = tamis.parse(
            page + b"<i>", options=NO_LIMITS, content_type="text/html; charset=utf-8"
        )
        open_at_end = table.tag_name(len(table.nodes) - 1) != "i" or table.nodes.depth[-1] > 5
        if not open_at_end and len(joined) < 500_000:
            joined += page + b"\n"
    return (joined * (size // len(joined) + 1))[:size]


# --- one measurement, in a process of its own ---------------------------------------------------


def reader(what: str) -> Callable[[bytes], object]:
    """What is measured."""
    if what == "lexbor":
        from selectolax.lexbor import LexborHTMLParser

        parse: Callable[[bytes], object] = LexborHTMLParser
        return parse
    if what == "default":
        return tamis.parse
    return lambda page: tamis.parse(page, options=NO_LIMITS)


def cpu_seconds(read: Callable[[bytes], object], source: bytes) -> float:
    """The minimum of up to 20 runs, 2 s in all."""
    best = spent = float("inf")
    gc.disable()
    for turn in range(20):
        started = time.process_time()
        read(source)
        seconds = time.process_time() - started
        best, spent = min(best, seconds), seconds + (spent if turn else 0)
        if spent > 2 and turn >= 1:
            break
    return best


def peak_memory(read: Callable[[bytes], object], source: bytes) -> tuple[int, str]:
    """The most that one run has allocated, and the error that ended it."""
    error = ""
    tracemalloc.start()
    try:
        kept = read(source)
        del kept
    except TamisError as caught:
        error = type(caught).__name__
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak, error


def child(job: dict[str, Any]) -> dict[str, Any]:
    """Measure one job."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_LIMIT, MEMORY_LIMIT))
    if job["views"]:
        return view_growth(job["case"], job["views"], job["size"])
    if job["pages"]:
        return {"ratios": page_ratios(Path(job["shared"]), job["pages"])}
    if job["case"] == "real":
        source = Path(job["real"]).read_bytes()[: job["size"]]
    else:
        source = KINDS[job["case"]](job["size"])
    read = reader(job["what"])
    if not job["memory"]:
        return {"seconds": cpu_seconds(read, source)}
    with contextlib.suppress(TamisError):
        read(WARM)
    peak, error = peak_memory(read, source)
    return {"memory": peak / len(source), "error": error}


def page_ratios(shared: Path, count: int) -> list[float]:
    """Peak memory over size of pages above 20 kB."""
    ratios = []
    reader("parse")(WARM)
    for name in ("wcxb-dev", "dragnet"):
        pages = sampled_pages(shared, name, 2 * count, 1)
        long = [page for page in pages if len(page) > 20_000][: count // 2]
        ratios += [peak_memory(reader("parse"), page)[0] / len(page) for page in long]
    return ratios


def measured(**job: Any) -> dict[str, Any]:
    """Run a job in a process; a crash or a time-out is an answer too."""
    defaults = {"pages": 0, "memory": False, "what": "parse", "case": "", "size": 0, "views": []}
    command = [sys.executable, __file__, "--child", json.dumps(defaults | job)]
    limit = LEXBOR_TIME_LIMIT if job.get("what") == "lexbor" else TIME_LIMIT
    limit = VIEW_TIME_LIMIT if job.get("views") else limit
    try:
        done = subprocess.run(command, capture_output=True, timeout=limit)
    except subprocess.TimeoutExpired:
        return {"failed": f"over {limit} s"}
    if done.returncode < 0:
        return {"failed": f"signal {-done.returncode}"}
    if done.returncode:
        return {"failed": done.stderr.decode("utf-8", "replace").strip().splitlines()[-1]}
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer


# --- the views of one kind of page --------------------------------------------------------------


def view_growth(kind: str, views: list[str], viewed: int) -> dict[str, Any]:
    """Seconds of each view at one size and at twice that, and how far it goes past a deadline."""
    rows: dict[str, Any] = {}
    results = [whole_result(KINDS[kind](size)) for size in (viewed, 2 * viewed)]
    for view in views:
        seconds = [view_seconds(result, view) for result in results]
        if seconds[1] > JUDGED_FROM and seconds[1] > STEEP_VIEW * seconds[0]:
            larger = whole_result(KINDS[kind](4 * viewed))
            seconds = [view_seconds(results[1], view), view_seconds(larger, view)]
        rows[view] = {"seconds": seconds}
    bounded = whole_result(KINDS[kind](BOUNDED * viewed // VIEWED))
    for view in views:
        rows[view]["overrun"] = view_seconds(bounded, view, DEADLINE) - DEADLINE
    return rows


def whole_result(source: bytes) -> tamis.Result:
    """The result of a page, everything kept."""
    result = tamis.extract(source, url=URL, options=replace(NO_LIMITS, method="baseline"))
    everything = replace(result.decision, kept=np.ones(len(result.kept), bool))
    return fresh(result, decision=everything, options=NO_LIMITS)


def view_seconds(result: tamis.Result, view: str, deadline: float = 0.0) -> float:
    """CPU time of a view: the minimum of some runs, or of one with a deadline."""
    best = spent = 0.0
    gc.disable()
    for turn in range(1 if deadline else 7):
        own = fresh(result)
        own.__dict__["overview"] = 1.0  # so that it has items
        _, seconds = timed(partial(attempted, view, own, deadline or 600))
        best, spent = (min(best, seconds) if turn else seconds), spent + seconds
        if spent > 1:
            break
    gc.enable()
    return best


def attempted(view: str, result: tamis.Result, seconds: float) -> None:
    """Ask for a view, or for the extraction; that it runs into a limit is an answer, too."""
    with contextlib.suppress(LimitError), limits.within(seconds):
        if view == "extract":
            tamis.extract(result.page, url=URL, options=NO_LIMITS)
        else:
            VIEWS[view](result)


def measure_views(kinds: list[str], views: list[str], size: int) -> int:
    """Print what is flagged and write all of it; the number of flags."""
    rows = {}
    flags = []
    with click.progressbar(kinds, label="kinds", item_show_func=lambda kind: kind) as bar:
        for kind in bar:
            rows[kind] = answer = measured(case=kind, views=views, size=size)
            if "failed" in answer:
                flags.append(f"| {kind} | all | {answer['failed']} |")
                continue
            for view, row in answer.items():
                once, twice = row["seconds"]
                if twice > JUDGED_FROM and twice > STEEP_VIEW * once:
                    flags.append(f"| {kind} | {view} | {1000 * once:.0f} ms, {twice / once:.1f}x |")
                if row["overrun"] > OVERRUN:
                    flags.append(f"| {kind} | {view} | {row['overrun']:.2f} s past its deadline |")
    print(f"\n{len(kinds)} kinds of page, {len(views)} views, {len(flags)} flags")
    print("\n".join(("\n| kind | view | |", "|---|---|---|", *flags)) if flags else "")
    if kinds == list(KINDS) and views == ["extract", *VIEWS] and size == VIEWED:
        write("growth_views", {"kinds": rows, "flags": flags})
    return len(flags)


# --- all of them --------------------------------------------------------------------------------


def exponent(times: dict[int, float]) -> float | None:
    """The slope of log time over log size, of the upper sizes."""
    upper = {size: seconds for size, seconds in times.items() if size >= FITTED_FROM}
    if len(upper) < 2:
        return None
    return float(np.polyfit(np.log(list(upper)), np.log(list(upper.values())), 1)[0])


def measure_case(case: str, sizes: tuple[int, ...], common: dict[str, str]) -> dict[str, Any]:
    """Time at each size, memory at the largest, for us and for lexbor."""
    row: dict[str, Any] = {"seconds": {}, "lexbor": {}, "failed": ""}
    for key, what in (("seconds", "parse"), ("lexbor", "lexbor")):
        for size in sizes:
            answer = measured(case=case, size=size, what=what, **common)
            if "failed" in answer:
                row["failed" if key == "seconds" else "lexbor_failed"] = (
                    f"{answer['failed']} at {size:,} bytes"
                )
                break  # it will not be better with more
            row[key][size] = answer["seconds"]
    row["exponent"] = exponent(row["seconds"])
    row["lexbor_exponent"] = exponent(row["lexbor"])
    for key, what in (("memory", "parse"), ("memory_default", "default")):
        answer = measured(case=case, size=sizes[-1], what=what, memory=True, **common)
        row[key] = answer.get("memory")
        row[f"{key}_error"] = answer.get("error") or answer.get("failed", "")
    row["flagged"] = bool(
        row["failed"]
        or (row["exponent"] or 0) > STEEP
        or (row["memory"] or 0) > HEAVY
        or row["memory"] is None
    )
    return row


def print_rows(rows: dict[str, dict[str, Any]], sizes: tuple[int, ...]) -> None:
    """The Markdown table."""
    marks = " | ".join(f"{size / 1e6:g} MB" for size in sizes)
    print(f"\n| case | {marks} | ns/B | exponent | lexbor ns/B | exponent | memory | default | |")
    print("|---" * (len(sizes) + 8) + "|")

    def number(value: float | None, form: str = ".2f") -> str:
        return "" if value is None else format(value, form)

    for case, row in rows.items():
        times = [
            number(1000 * row["seconds"][size]) if size in row["seconds"] else "" for size in sizes
        ]
        ours, theirs = (
            number(1e9 * row[key][max(row[key])] / max(row[key])) if row[key] else ""
            for key in ("seconds", "lexbor")
        )
        shown = case.replace("|", "\\|")
        print(
            f"| `{shown}` | {' | '.join(times)} | {ours} | {number(row['exponent'])} |"
            f" {theirs} {row.get('lexbor_failed', '')} | {number(row['lexbor_exponent'])} |"
            f" {number(row['memory'], '.1f')} {row['memory_error']} |"
            f" {number(row['memory_default'], '.1f')} {row['memory_default_error']} |"
            f" {'FLAGGED ' + row['failed'] if row['flagged'] else ''} |"
        )
    print("\n(milliseconds at each size)")


def print_pages(ratios: list[float]) -> dict[str, float]:
    """The distribution of memory over size on real pages."""
    points = (50, 90, 95, 99, 100)
    figures = {f"p{point}": float(np.percentile(ratios, point)) for point in points}
    figures["mean"] = float(np.mean(ratios))
    print(f"\npeak memory / size of {len(ratios)} pages above 20 kB: ", end="")
    print(", ".join(f"{name} {value:.2f}" for name, value in figures.items()))
    return figures | {"pages": len(ratios)}


def main() -> None:
    """Parse the command line and run."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    script.add_data(parser)
    parser.add_argument("--quick", action="store_true", help="stop at 5 MB")
    parser.add_argument("--only", nargs="*", default=[], help="only these kinds of page")
    parser.add_argument("--views", action="store_true", help="the views instead of reading")
    parser.add_argument("--of", nargs="*", default=["extract", *VIEWS], help="only these views")
    parser.add_argument("--size", type=int, default=VIEWED, help="of the smaller page of a view")
    parser.add_argument("--child", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.child:
        print(json.dumps(child(json.loads(arguments.child))))
    elif arguments.views:
        kinds = arguments.only or list(KINDS)
        sys.exit(measure_views(kinds, arguments.of, arguments.size) > 0)
    else:
        measure_reading(arguments)


def measure_reading(arguments: argparse.Namespace) -> None:
    """Print the table of reading and write it."""
    sizes = tuple(size for size in SIZES if size <= QUICK or not arguments.quick)
    cases = [case for case in ("real", *READING) if not arguments.only or case in arguments.only]
    rows: dict[str, dict[str, Any]] = {}
    with tempfile.TemporaryDirectory() as folder:
        real = Path(folder) / "real.html"
        real.write_bytes(real_source(arguments.shared, sizes[-1]))
        common = {"real": str(real), "shared": str(arguments.shared)}
        with click.progressbar(cases, label="cases", item_show_func=lambda case: case) as bar:
            for case in bar:
                rows[case] = measure_case(case, sizes, common)
    print_rows(rows, sizes)
    print("flagged:", ", ".join(case for case, row in rows.items() if row["flagged"]) or "none")
    pages: dict[str, float] = {}
    if (arguments.shared / "datasets").exists():
        pages = print_pages(measured(pages=300, shared=str(arguments.shared))["ratios"])
    if not arguments.only and not arguments.quick:
        write("growth", {"cases": rows, "pages": pages})


def write(name: str, rows: dict[str, Any]) -> None:
    """Write figures with where and when they were measured."""
    about = {
        "date": datetime.date.today().isoformat(),
        "processor": processor(),
        "versions": versions(),
    }
    out = ROOT / "benchmarks" / "results" / f"{name}.json"
    out.write_text(json.dumps(about | rows, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
