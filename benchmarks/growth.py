"""Time and memory of `tamis.parse` against the size of the page, from 10 kB to 50 MB.

    python benchmarks/growth.py                  all cases
    python benchmarks/growth.py --quick          up to 5 MB
    python benchmarks/growth.py --of text        the same for `tamis.extract(...).text` (or blocks)
    python benchmarks/growth.py --only "deep div" real

One page is made of real ones (`--shared`, default ../shared beside the repository; of a written one
without it), the others are what a hostile author would send. Each case and size runs in a process
of its own, 60 s at most (lexbor 15 s), with the limits of `Options` raised so that it is read to
its end. Columns:

- ns/B at the largest size: CPU time, the minimum of several runs; lexbor's (selectolax) beside it;
- exponent: the slope of log time over log size from 1 MB up; 1 is linear;
- memory: the peak that tracemalloc sees, the source itself not counted, over the source's size, in
  a pass of its own; "default" is the same with the default limits and the error that ended it.

A case with an exponent above 1.15 or memory above 10 is flagged. Then the same ratio of memory for
300 pages of the data sets. Writes benchmarks/results/growth.json.
"""

from __future__ import annotations

import argparse
import contextlib
import datetime
import gc
import itertools
import json
import random
import resource
import subprocess
import sys
import tempfile
import time
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
import numpy as np
from speed import processor, sampled_pages, versions

import tamis
from tamis.errors import TamisError

ROOT = Path(__file__).resolve().parent.parent
SIZES = (10_000, 100_000, 1_000_000, 5_000_000, 10_000_000, 50_000_000)
QUICK = 5_000_000
FITTED_FROM = 1_000_000  # below, what a call costs at least bends the line
TIME_LIMIT = 60
LEXBOR_TIME_LIMIT = 15  # it is there for scale
MEMORY_LIMIT = 12 << 30  # address space of a measurement
STEEP, HEAVY = 1.15, 10.0
WARM = b"<meta charset=windows-1252><p>\xe9"  # makes what is imported and made once
NO_LIMITS = tamis.Options(
    max_bytes=2**31 - 1, max_nodes=2**31 - 1, max_depth=2**31 - 1, max_seconds=600
)

# --- the pages ----------------------------------------------------------------------------------


def repeated(piece: str, before: str = "") -> Callable[[int], bytes]:
    """A page of one piece over and over."""
    unit = piece.encode()
    return lambda size: (before.encode() + unit * (size // len(unit) + 1))[:size]


def numbered(pattern: str, before: str = "") -> Callable[[int], bytes]:
    """The same with a number in each piece; letters, so that it can be a name."""

    def make(size: int) -> bytes:
        pieces, length = [before.encode()], len(before)
        for number in itertools.count():
            name = format(number, "x").translate(str.maketrans("0123456789", "ghijklmnop"))
            piece = (pattern % name).encode()
            pieces.append(piece)
            length += len(piece)
            if length >= size:
                return b"".join(pieces)[:size]
        raise AssertionError

    return make


CASES: dict[str, Callable[[int], bytes]] = {
    "deep div": repeated("<div>"),
    "deep b": repeated("<b>"),
    "deep div, a letter each": repeated("<div>x"),
    "p siblings": repeated("<p>x"),
    "b siblings": repeated("<b>x</b>"),
    "br": repeated("<br>"),
    "attributes on one tag": numbered("%s=1 ", "<p "),
    "one attribute, one tag": repeated("class=x ", "<p "),
    "attributes on many tags": repeated("<p class=x id=y title=z>"),
    "style on many tags": repeated("<p style='margin:nil;display:inline'>"),
    "one Latin text": repeated("The quick brown fox jumps over the lazy dog. "),
    "one Thai text": repeated("ภาษาไทยไม่เว้นวรรคระหว่างคำ"),
    "one word": repeated("a"),
    "white space": repeated(" \n\t"),
    "comment not closed": repeated("a - comment -- that never ends ", "<!--"),
    "<!-- repeated": repeated("<!--"),
    "<!--> repeated": repeated("<!-->"),
    "--!> repeated": repeated("<!--x--!>"),
    "<! repeated": repeated("<!"),
    "<? repeated": repeated("<?"),
    "< repeated": repeated("<"),
    "</ repeated": repeated("</"),
    "& repeated": repeated("&"),
    "&a repeated": repeated("&a"),
    "&# repeated": repeated("&#"),
    "one long number": repeated("0", "&#"),
    "references": repeated("&amp;&notin;&copy"),
    "<a<a<a": repeated("<a"),
    "quote not closed": repeated("a very long title ", '<p title="'),
    "quotes never closed": repeated("<p title=\"'>"),
    "deep table": repeated("<table><tr>"),
    "deep table with cells": repeated("<table><tr><td>"),
    "cells": repeated("<td>x", "<table><tr>"),
    "</p> repeated": repeated("</p>"),
    "</br> repeated": repeated("</br>"),
    "<a><div></a>": repeated("<a><div></a>"),
    "<a href><div>x</a>": repeated("<a href=x><div>x</a>"),
    "<b><p></b>": repeated("<b><p></b>"),
    "stray end tags": repeated("</section>", "<div>" * 10_000),
    "end tags out of reach": repeated("</span>", "<span>" + "<div>" * 10_000),
    "headings": repeated("</h1>", "<h2>" + "<div>" * 10_000),
    "li in li": repeated("<li><ul>"),
    "li siblings in depth": repeated("<li>x", "<div>" * 10_000 + "<ul>"),
    "script not closed": repeated("<!--<script ", "<script>"),
    "script in script": repeated("<script><!--<script></script>"),
    "almost the end of script": repeated("</scrip", "<script>"),
    "textarea not closed": repeated("</texta", "<textarea>"),
    "svg with CDATA": repeated("<![CDATA[x]]>", "<svg>"),
    "svg, CDATA not closed": repeated("<svg><![CDATA["),
    "svg and out again": repeated("<svg><g><p>"),
    "distinct tag names": numbered("<%s>"),
    "distinct tag names, closed": numbered("<%s></x>"),
    "select and option": repeated("<select><option>x"),
    "option": repeated("<option>x", "<select>"),
    "optgroup": repeated("<optgroup><option>"),
    "form in form": repeated("<form>"),
    "form closed early": repeated("<form><div></form>"),
    "button in button": repeated("<button>"),
    "template": repeated("<template>"),
    "noscript in head": repeated("<noscript>x"),
    "hidden and shown": repeated("<span hidden>x</span>y"),
    "pre, white space": repeated("<b> </b>", "<pre>x"),
    "NUL": repeated("\0"),
    "not UTF-8": lambda size: (b"\xe0\xb8<p>" * (size // 5 + 1))[:size],
    "UTF-16": lambda size: b"\xff\xfe" + ("<p>x" * (size // 8 + 1)).encode("utf-16-le")[: size - 2],
    "meta without end": repeated("<meta a='"),
    "xml declaration": repeated("encodin ", "<?xml "),
    "late charset": repeated("<meta charse=t>\xff"),
}


def written_page() -> bytes:
    """A page for machines without the data sets."""
    words = [
        "the",
        "sieve",
        "of",
        "a",
        "cook",
        "has",
        "a",
        "fine",
        "mesh",
        "and",
        "lets",
        "pass",
        "what",
        "is",
        "small",
        "enough",
    ]
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
    if what == "text":
        return lambda page: tamis.extract(page, options=NO_LIMITS).text
    if what == "blocks":
        return lambda page: tamis.extract(page, options=NO_LIMITS).blocks
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
    if job["pages"]:
        return {"ratios": page_ratios(Path(job["shared"]), job["pages"])}
    if job["case"] == "real":
        source = Path(job["real"]).read_bytes()[: job["size"]]
    else:
        source = CASES[job["case"]](job["size"])
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
    defaults = {"pages": 0, "memory": False, "what": "parse", "case": "", "size": 0}
    command = [sys.executable, __file__, "--child", json.dumps(defaults | job)]
    limit = LEXBOR_TIME_LIMIT if job.get("what") == "lexbor" else TIME_LIMIT
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


# --- all of them --------------------------------------------------------------------------------


def exponent(times: dict[int, float]) -> float | None:
    """The slope of log time over log size, of the upper sizes."""
    upper = {size: seconds for size, seconds in times.items() if size >= FITTED_FROM}
    if len(upper) < 2:
        return None
    return float(np.polyfit(np.log(list(upper)), np.log(list(upper.values())), 1)[0])


def measure_case(
    case: str, sizes: tuple[int, ...], of: str, common: dict[str, str]
) -> dict[str, Any]:
    """Time at each size, memory at the largest, for us and for lexbor."""
    row: dict[str, Any] = {"seconds": {}, "lexbor": {}, "failed": ""}
    for key, what in (("seconds", of), ("lexbor", "lexbor")):
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
    for key, what in (("memory", of), ("memory_default", "default")):
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
    found = {f"p{point}": float(np.percentile(ratios, point)) for point in points}
    found["mean"] = float(np.mean(ratios))
    print(f"\npeak memory / size of {len(ratios)} pages above 20 kB: ", end="")
    print(", ".join(f"{name} {value:.2f}" for name, value in found.items()))
    return found | {"pages": len(ratios)}


def main() -> None:
    """Parse the command line and run."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--shared", type=Path, default=ROOT.parent / "shared")
    parser.add_argument("--quick", action="store_true", help="stop at 5 MB")
    parser.add_argument("--only", nargs="*", default=[], help="only these cases")
    parser.add_argument("--of", choices=("parse", "text", "blocks"), default="parse")
    parser.add_argument("--child", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.child:
        print(json.dumps(child(json.loads(arguments.child))))
        return
    sizes = tuple(size for size in SIZES if size <= QUICK or not arguments.quick)
    cases = [case for case in ("real", *CASES) if not arguments.only or case in arguments.only]
    rows: dict[str, dict[str, Any]] = {}
    with tempfile.TemporaryDirectory() as folder:
        real = Path(folder) / "real.html"
        real.write_bytes(real_source(arguments.shared, sizes[-1]))
        common = {"real": str(real), "shared": str(arguments.shared)}
        with click.progressbar(cases, label="cases", item_show_func=lambda case: case) as bar:
            for case in bar:
                rows[case] = measure_case(case, sizes, arguments.of, common)
    print_rows(rows, sizes)
    print("flagged:", ", ".join(case for case, row in rows.items() if row["flagged"]) or "none")
    pages: dict[str, float] = {}
    if (arguments.shared / "datasets").exists():
        pages = print_pages(measured(pages=300, shared=str(arguments.shared))["ratios"])
    if not arguments.only and not arguments.quick and arguments.of == "parse":
        result = {
            "date": datetime.date.today().isoformat(),
            "processor": processor(),
            "versions": versions(),
            "cases": rows,
            "pages": pages,
        }
        out = ROOT / "benchmarks" / "results" / "growth.json"
        out.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
