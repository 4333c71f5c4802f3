"""Robustness at length: broken pages through everything, and what must hold of every result.

    python benchmarks/fuzz.py --count 200000 --seed 1 --workers 2
    python benchmarks/fuzz.py --seed 1 --one 4711      one input again, with its traceback

An input is a page (tests/pages, examples, and pages of the data sets cut to 30 kB if the shared
folder is there) that was changed one to six times: bytes flipped, pieces deleted, doubled, spliced
with another page or repeated thousands of times, nasty markup or a hostile page
(benchmarks/hostile_kinds.py) put in; or random bytes, or UTF-16.
It depends on the seed, its number and these pages alone, so any input can be made again. Some
inputs meet limits low enough to be hit.

Each goes through `tamis.parse` and `tamis.extract` with two methods, to every view.
Only a `TamisError` may come out, the page table must pass tests/page/invariants.py, some inputs
are read twice and must give the same, and no input may take longer than `--slow` seconds of CPU.
The workers are separate processes with bounded memory: one that crashes or hangs is noticed and
replaced. Inputs that fail are written to `--save`. The exit status is 1 if any did.
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import multiprocessing
import multiprocessing.connection
import random
import re
import resource
import signal
import sys
import time
import traceback
from collections import Counter, defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
import numpy as np
import script
from hostile_kinds import KINDS
from speed import sampled_pages
from tests.page.invariants import check_table
from views import VIEWS

import tamis
from tamis.errors import TamisError
from tamis.render.outline.selection import is_plain

LONGEST_SEED = 30_000
LONGEST_INPUT = 60_000
MEMORY = 4 << 30  # address space of a worker; more is a MemoryError, which is a failure

# --- the inputs ---------------------------------------------------------------------------------

MARKUP = (
    "<", "</", "<!", "<!-", "<!--", "<!-->", "<!--->", "-->", "--!>", "--", "<?", "<?xml ",
    ">", "/>", "=", '"', "'", "&", "&#", "&#x", "&#0;", "&#x110000;", "&#xD800;", "&#128;",
    "&#99999999999999999999;", "&amp", "&amp;", "&notin;", "&NotEqualTilde;", "&nGt;", "&copy=",
    "&zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz;", "<!DOCTYPE", "<!doctype html>",
    "<!DOCTYPE html PUBLIC", "<![CDATA[", "]]>", "<svg>", "</svg>", "<svg/>", "<math>",
    "<math><mi>", "<foreignObject>", "<desc>", "<svg><title>", "<annotation-xml>", "<table>",
    "</table>", "<tr>", "<td>", "</td>", "<caption>", "<colgroup>", "<col>", "<tbody>",
    "<template>", "</template>", "<noscript>", "</noscript>", "<select>", "</select>",
    "<option>", "<optgroup>", "<button>", "</button>", "<form>", "</form>", "<p>", "</p>",
    "<br>", "</br>", "<br><br>", "<a href=", "<a href=x>", "</a>", "<a><div></a>", "<nobr>",
    "<b>", "</b>", "<b><p></b>", "<font>", "<h1>", "</h2>", "<li>", "</li>", "<dd>", "<dt>",
    "<ul>", "</ul>", "<div>", "</div>", "<div hidden>", "<span hidden>x</span>",
    "<div style='display:none'>", "<dialog>", "<object>", "<applet>", "<marquee>", "<ruby>",
    "<rt>", "<rp>", "<image>", "<frameset>", "<frame>", "<html>", "</html>", "<head>",
    "</head>", "<body>", "</body>", "<title>", "</title>", "<textarea>", "</textarea>",
    "<script>", "</script>", "<script><!--", "<script><!--<script>", "<style>", "</style>",
    "<xmp>", "<iframe>", "<noembed>", "<plaintext>", "<pre>", "</pre>", "<pre>\n", "<listing>",
    "<unknown-tag>", "</unknown-tag>", "<a\0b>", "<p class=a class=b>", "<p =x>", "<p a=\"",
    "<p a='", "<p/x/y>", "<p aria-hidden=true role=navigation>", "<meta charset=utf-16>",
    "<meta charset=shift_jis>", "<meta charset=iso-2022-jp>", "<meta charset=gb18030>",
    "<meta http-equiv=content-type content='text/html; charset=windows-874'>", "\0", "\r", "\n",
    "\f", "\t", " ", "\x0b", "\x1b$B", "\u00a0", "\u00ad", "\u200b", "\u2028", "\ufeff",
    "\ud800", "\udfff", "\uffff", "\U0001f600", "\U0002a6d6", "\U000e0041", "ก็", "漢字", "カナ",
    "မြန်မာ", "ខ្មែរ", "İ", "ß", "e\u0301", "مرحبا",
)  # fmt: skip
BROKEN_UTF8 = (
    b"\x80", b"\xbf", b"\xc0\xaf", b"\xe0\x80", b"\xf0\x9f\x98", b"\xf4\x90\x80\x80", b"\xff\xfe",
    b"\xfe\xff", b"\xef\xbb\xbf", b"\xff",
)  # fmt: skip
PIECES = (*(piece.encode("utf-8", "surrogatepass") for piece in MARKUP), *BROKEN_UTF8)

CONTENT_TYPES = (
    None, None, None, None, None, None, "text/html", "text/html; charset=utf-8",
    "text/html; charset=shift_jis", "text/html; charset=utf-16le", "text/html; charset=big5",
    "text/html; charset=iso-2022-jp", "text/html; charset=x-user-defined", "charset=\"", "\u0e01",
    "text/html; charset=replacement", "text/html; charset=no-such-thing",
)  # fmt: skip


def flip(page: bytearray, rng: random.Random, seeds: list[bytes]) -> None:
    """Change up to 20 bytes."""
    for _ in range(rng.randint(1, 20)):
        if page:
            page[rng.randrange(len(page))] = rng.randrange(256)


def delete(page: bytearray, rng: random.Random, seeds: list[bytes]) -> None:
    """Take a piece out."""
    start, end = span(page, rng)
    del page[start:end]


def double(page: bytearray, rng: random.Random, seeds: list[bytes]) -> None:
    """Put a copy of a piece somewhere else."""
    start, end = span(page, rng)
    place = rng.randint(0, len(page))
    page[place:place] = page[start:end]


def splice(page: bytearray, rng: random.Random, seeds: list[bytes]) -> None:
    """Go on with another page from here."""
    other = rng.choice(seeds)
    page[rng.randint(0, len(page)) :] = other[rng.randint(0, len(other)) :]


def truncate(page: bytearray, rng: random.Random, seeds: list[bytes]) -> None:
    """Cut the end off."""
    del page[rng.randint(0, len(page)) :]


def insert(page: bytearray, rng: random.Random, seeds: list[bytes]) -> None:
    """Put nasty pieces in, at one place or at many."""
    for _ in range(rng.choice((1, 1, 2, 5, 50))):
        place = rng.randint(0, len(page))
        page[place:place] = b"".join(rng.choices(PIECES, k=rng.randint(1, 4)))


def repeat(page: bytearray, rng: random.Random, seeds: list[bytes]) -> None:
    """Put a few nasty pieces in thousands of times: what is not linear shows here."""
    piece = b"".join(rng.choices(PIECES, k=rng.randint(1, 3)))
    place = rng.randint(0, len(page))
    page[place:place] = piece * rng.choice((10, 100, 1000, 5000))


def swell(page: bytearray, rng: random.Random, seeds: list[bytes]) -> None:
    """Put a hostile page in."""
    place = rng.randint(0, len(page))
    kind = KINDS[rng.choice(list(KINDS))]
    page[place:place] = kind(rng.choice((300, 3_000, LONGEST_SEED)))


def noise(page: bytearray, rng: random.Random, seeds: list[bytes]) -> None:
    """Random bytes instead of the page, or at some place in it."""
    if rng.random() < 0.3:
        page.clear()
    place = rng.randint(0, len(page))
    page[place:place] = rng.randbytes(rng.choice((3, 30, 300, 3000)))


def utf16(page: bytearray, rng: random.Random, seeds: list[bytes]) -> None:
    """The page in UTF-16, with or without a mark; or random units of it."""
    mark, name = rng.choice(((b"\xff\xfe", "utf-16-le"), (b"\xfe\xff", "utf-16-be")))
    text = page.decode("utf-8", "replace").encode(name)
    if rng.random() < 0.3:
        text = rng.randbytes(rng.randint(0, 2000))
    page[:] = (mark if rng.random() < 0.6 else b"") + text


Mutation = Callable[[bytearray, random.Random, list[bytes]], None]
MUTATIONS: tuple[Mutation, ...] = (
    flip, delete, double, splice, truncate, insert, insert, insert, repeat, swell, noise, utf16,
)  # fmt: skip


def span(page: bytearray, rng: random.Random) -> tuple[int, int]:
    """A piece of the page, mostly a short one."""
    start = rng.randint(0, len(page))
    return start, min(len(page), start + rng.choice((1, 5, 50, 500, 5000)))


@dataclasses.dataclass(frozen=True)
class Input:
    """One input and the circumstances in which it is read."""

    page: bytes
    options: tamis.Options
    content_type: str | None
    twice: bool
    """Whether to read it twice and compare."""


def make_input(seed: int, number: int, seeds: list[bytes]) -> Input:
    """Input `number` of a run."""
    rng = random.Random(f"{seed} {number}")
    page = bytearray(rng.choice(seeds))
    for _ in range(rng.choice((1, 1, 2, 3, 6))):
        rng.choice(MUTATIONS)(page, rng, seeds)
        del page[LONGEST_INPUT:]
    limits: dict[str, Any] = rng.choices(
        (
            {},
            {"max_nodes": rng.choice((1, 2, 3, 50, 500))},
            {"max_depth": rng.choice((1, 2, 3, 15, 30))},
            {"max_bytes": rng.choice((1, 100, 10_000))},
            {"max_seconds": 1e-9},
        ),
        (80, 6, 6, 6, 2),
    )[0]
    return Input(
        bytes(page),
        tamis.Options(**limits),
        rng.choice(CONTENT_TYPES),
        rng.random() < 0.1,
    )


def read_seeds(shared: Path, seed: int) -> list[bytes]:
    """The pages that are changed."""
    own = [*script.ROOT.glob("tests/pages/*/source.html"), *script.ROOT.glob("examples/*.html")]
    pages = [path.read_bytes() for path in sorted(own)]
    for name, count in (("wcxb-dev", 100), ("languages", 23), ("structure", 40), ("dragnet", 60)):
        if (shared / "datasets" / f"{name}.jsonl.xz").exists():
            pages += sampled_pages(shared, name, count, seed)
    rng = random.Random(seed)
    cut = []
    for page in pages:
        start = rng.choice((0, max(0, len(page) - LONGEST_SEED)))
        cut.append(page[start : start + LONGEST_SEED])
    return cut


# --- what must hold -----------------------------------------------------------------------------


def run(item: Input) -> str:
    """Read one input and check all that comes out; the name of the error if it was refused."""
    try:
        page = tamis.parse(item.page, options=item.options, content_type=item.content_type)
    except TamisError as error:
        assert str(error), "an error without a message"
        return type(error).__name__
    check_table(page)
    if item.twice:
        check_same(
            page, tamis.parse(item.page, options=item.options, content_type=item.content_type)
        )
    page.title  # noqa: B018  made when asked for
    for node in range(0, len(page.nodes), 1 + len(page.nodes) // 20):
        page.attributes(node)
        page.node_text(node)
        page.content(node)
        for name in ("class", "href", "style"):
            page.attribute(node, name)
    for method in ("boilerpipe", "baseline"):
        options = dataclasses.replace(item.options, method=method)
        try:
            result = tamis.extract(page, options=options)
        except TamisError as error:
            return type(error).__name__
        check_result(result)
    return "read"


def check_same(page: tamis.Page, again: tamis.Page) -> None:
    """Two tables of one page are the same."""
    assert page.source == again.source and page.encoding == again.encoding, "decoded differently"
    for rows, others in (
        (page.nodes, again.nodes),
        (page.texts, again.texts),
        (page.blocks, again.blocks),
    ):
        for field in dataclasses.fields(rows):
            same = np.array_equal(getattr(rows, field.name), getattr(others, field.name))
            assert same, f"{type(rows).__name__}.{field.name} differs the second time"
    assert np.array_equal(page.attribute_rows, again.attribute_rows), "attribute_rows differs"


def check_result(result: tamis.Result) -> None:
    """Scores are probabilities, blocks are where they say, and all of it can be written."""
    page, scores = result.page, result.scores
    assert len(scores) == len(page.blocks) == len(result.kept), "not one score a block"
    assert np.isfinite(scores).all() and (scores >= 0).all() and (scores <= 1).all(), "scores"
    json.dumps(result.to_dict(), ensure_ascii=False, allow_nan=False).encode("utf-8")
    for view in VIEWS.values():
        view(result)
    assert len(result.blocks) == len(page.blocks), "not all blocks"
    end = 0
    for block in result.blocks:
        assert end <= block.start < block.end <= len(page.source), "blocks overlap"
        assert block.xpath.startswith(("/html", "(//")), block.xpath
        end = block.end
    kept = [block.text for block in result.blocks if block.kept]
    if is_plain(page, result.kept):  # no formulas and no line numbers
        assert result.text == "\n".join(kept), "the text is not that of the kept blocks"


# --- the workers --------------------------------------------------------------------------------


@dataclasses.dataclass
class Worker:
    """A process that reads inputs `next`, `next + step`, ... and tells of each by a message."""

    process: Any
    pipe: multiprocessing.connection.Connection
    number: int
    """The input that it is at."""
    since: float
    """When it began it."""


def work(
    pipe: multiprocessing.connection.Connection,
    seeds: list[bytes],
    seed: int,
    numbers: range,
) -> None:
    """Read the inputs of a range; a message each: number, outcome, CPU seconds, RSS, traceback."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    for number in numbers:
        item = make_input(seed, number, seeds)
        started = time.process_time()
        trace = ""
        try:
            outcome = run(item)
        except Exception as error:  # any is a finding
            outcome = f"FAILED {type(error).__name__}"
            trace = traceback.format_exc()
        seconds = time.process_time() - started
        rss = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        pipe.send((number, outcome, seconds, rss, trace))
    pipe.close()


class Run:
    """All workers, and what they found."""

    work: Callable[..., None] = staticmethod(work)

    def __init__(self, arguments: argparse.Namespace, seeds: list[Any]) -> None:
        self.arguments = arguments
        self.seeds = seeds
        self.outcomes = Counter[str]()
        self.slowest = (0.0, -1)
        self.seconds = 0.0
        self.peak = 0
        self.failures: list[tuple[int, str]] = []
        self.workers = [
            self.start(first)
            for first in range(arguments.first, arguments.first + arguments.workers)
        ]

    def start(self, first: int) -> Worker:
        """A worker for input `first` and every further one of its share."""
        end = self.arguments.first + self.arguments.count
        numbers = range(first, end, self.arguments.workers)
        ours, theirs = multiprocessing.Pipe(duplex=False)
        process = multiprocessing.Process(
            target=self.work, args=(theirs, self.seeds, self.arguments.seed, numbers), daemon=True
        )
        process.start()
        theirs.close()
        return Worker(process, ours, first, time.monotonic())

    def watch(self) -> None:
        """Until all inputs are read."""
        with click.progressbar(length=self.arguments.count, label="inputs") as bar:
            while self.workers:
                ready = multiprocessing.connection.wait([w.pipe for w in self.workers], 1.0)
                for worker in list(self.workers):
                    if worker.pipe in ready:
                        bar.update(self.listen(worker))
                    elif time.monotonic() - worker.since > self.arguments.hang:
                        worker.process.kill()
                        bar.update(self.replace(worker, "HANGS"))

    def listen(self, worker: Worker) -> int:
        """Take one message of a worker; how many inputs are done by it."""
        try:
            number, outcome, seconds, rss, trace = worker.pipe.recv()
        except EOFError:
            worker.process.join()
            if worker.process.exitcode == 0:
                self.workers.remove(worker)
                return 0
            return self.replace(worker, f"CRASH with exit status {worker.process.exitcode}")
        self.outcomes[outcome] += 1
        self.seconds += seconds
        self.slowest = max(self.slowest, (seconds, number))
        self.peak = max(self.peak, rss)
        if trace:
            self.fail(number, trace)
        elif seconds > self.arguments.slow:
            self.fail(number, f"SLOW: {seconds:.1f} s")
        worker.number = number + self.arguments.workers
        worker.since = time.monotonic()
        return 1

    def replace(self, worker: Worker, what: str) -> int:
        """A worker that is gone: note its input and start another behind it."""
        self.outcomes[what] += 1
        self.fail(worker.number, what)
        self.workers.remove(worker)
        following = worker.number + self.arguments.workers
        if following < self.arguments.first + self.arguments.count:
            self.workers.append(self.start(following))
        return 1

    def fail(self, number: int, what: str) -> None:
        """Remember a failure and save its input."""
        self.failures.append((number, what))
        if self.arguments.save:
            self.arguments.save.mkdir(parents=True, exist_ok=True)
            stem = self.arguments.save / f"{self.arguments.seed}-{number}"
            self.save(number, stem)
            stem.with_suffix(".txt").write_text(what + "\n", encoding="utf-8")

    def save(self, number: int, stem: Path) -> None:
        """Write an input that failed."""
        page = make_input(self.arguments.seed, number, self.seeds).page
        stem.with_suffix(".html").write_bytes(page)

    def report(self) -> None:
        """Print what happened."""
        count = sum(self.outcomes.values())
        seconds, number = self.slowest
        print(f"\n{count} inputs, {1000 * self.seconds / max(1, count):.2f} ms of CPU each")
        for outcome, times in self.outcomes.most_common():
            print(f"  {times:8} {outcome}")
        print(f"slowest: input {number}, {seconds:.2f} s; peak RSS {self.peak / 1024:.0f} MB")
        kinds: dict[str, list[int]] = defaultdict(list)
        for number, what in self.failures:
            kinds[re.sub(r"\d+", "N", what.strip().splitlines()[-1])].append(number)
        for kind, numbers in sorted(kinds.items(), key=lambda item: -len(item[1]))[:20]:
            print(f"{len(numbers)} times (first: input {min(numbers)}): {kind}")


def main() -> None:
    """Parse the command line and run."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    script.add_data(parser)
    parser.add_argument("--count", type=int, default=20_000)
    parser.add_argument("--first", type=int, default=0, help="number of the first input")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=multiprocessing.cpu_count())
    parser.add_argument("--slow", type=float, default=2.0, help="CPU seconds that are too many")
    parser.add_argument("--hang", type=float, default=60.0, help="seconds until a worker is ended")
    parser.add_argument("--save", type=Path, help="folder for the inputs that fail")
    parser.add_argument("--one", type=int, help="only this input, in this process")
    arguments = parser.parse_args()
    seeds = read_seeds(arguments.shared, arguments.seed)
    if arguments.one is not None:
        started = time.process_time()
        print(run(make_input(arguments.seed, arguments.one, seeds)))
        print(f"{time.process_time() - started:.2f} s")
        return
    fuzzing = Run(arguments, seeds)
    fuzzing.watch()
    fuzzing.report()
    sys.exit(1 if fuzzing.failures else 0)


if __name__ == "__main__":
    main()
