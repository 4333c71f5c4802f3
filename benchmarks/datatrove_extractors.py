"""Extractors in a pipeline of datatrove: pages a second, and how good the texts are.

    python benchmarks/datatrove_extractors.py
    python benchmarks/datatrove_extractors.py --pages 50 --rounds 1

Needs `datatrove[io,processing]`, which asks for trafilatura below 1.12 and numpy 2; best in an
environment of its own, such as build/integrations/datatrove of `make integrations`. tamis is
measured beside the extractor that datatrove has, as it comes, and with `favour_precision=False`.

The same WARC file, pages of sets that tamis was never trained on, goes through
`WarcReader | extractor | JsonlWriter` with one task in datatrove's own executor. Time is that of
the whole run, reading and writing included, by the clock and as CPU time of all its processes,
which depends less on who else uses the machine; the extractors take turns, the fastest of the
rounds counts. F1 is that of bags of words, the mean over all pages that the reader gives; a page
that an extractor drops counts 0. Of Markdown it is left out: addresses are no words of the gold
text.

Writes benchmarks/results/datatrove.json.
"""

from __future__ import annotations

import contextlib
import gzip
import importlib.metadata
import json
import os
import random
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import mean
from typing import Any

import script
from datatrove.executor import LocalPipelineExecutor
from datatrove.pipeline.extractors import Trafilatura
from datatrove.pipeline.extractors.base import BaseExtractor
from datatrove.pipeline.readers import WarcReader
from datatrove.pipeline.writers import JsonlWriter

import tamis
from tamis.bench.measures import bag_of_words
from tamis.integrations.datatrove import TamisExtractor
from tamis.labels.datasets import Example, read, sample
from tamis.page.encoding import decode

SETS = ("dragnet", "cleaneval-final", "l3s-gn1", "big9", "languages")
READER = "reader alone"


class Beside(TamisExtractor):
    """tamis in a process beside the task, as datatrove runs its own extractors."""

    run = BaseExtractor.run


EXTRACTORS: dict[str, Callable[[], list[Any]]] = {
    READER: list,
    "tamis": lambda: [TamisExtractor()],
    "tamis, in a process beside the task": lambda: [Beside()],
    "tamis, Markdown and metadata": lambda: [TamisExtractor("markdown", metadata=True)],
    "trafilatura, as datatrove has it": lambda: [Trafilatura(timeout=10)],
    "trafilatura, balanced": lambda: [Trafilatura(timeout=10, favour_precision=False)],
}


def write_warc(path: Path, examples: list[Example]) -> None:
    """The pages as a crawler would have them, one gzip member each, the same UTF-8 for all."""
    with path.open("wb") as file:
        for number, example in enumerate(examples):
            body = b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n"
            body += decode(example.html).source
            head = (
                f"WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: {number}\r\n"
                f"WARC-Date: 2026-11-16T12:00:00Z\r\n"
                f"WARC-Target-URI: {example.url or f'https://pages.example/{number}'}\r\n"
                "WARC-Identified-Payload-Type: text/html\r\n"
                "Content-Type: application/http; msgtype=response\r\n"
                f"Content-Length: {len(body)}\r\n\r\n"
            )
            file.write(gzip.compress(head.encode() + body + b"\r\n\r\n", 6))


@contextlib.contextmanager
def quiet() -> Iterator[None]:
    """Keep what datatrove logs out of the terminal."""
    kept = os.dup(2)
    with open(os.devnull, "wb") as nowhere:
        os.dup2(nowhere.fileno(), 2)
        try:
            yield
        finally:
            os.dup2(kept, 2)
            os.close(kept)


def cpu_seconds() -> float:
    """CPU time of this process and of those that it has started and that have ended."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


def run(steps: list[Any], warc: Path) -> tuple[float, float, dict[int, str]]:
    """Seconds of a run, its CPU time, and the texts by the numbers of their pages."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder)
        executor = LocalPipelineExecutor(
            [WarcReader(str(warc.parent)), *steps, JsonlWriter(f"{out}/texts")],
            logging_dir=f"{out}/logs",
        )
        started, used = time.perf_counter(), cpu_seconds()
        with quiet():
            executor.run()
        seconds, used = time.perf_counter() - started, cpu_seconds() - used
        lines = gzip.decompress((out / "texts" / "00000.jsonl.gz").read_bytes()).splitlines()
        documents = map(json.loads, lines)
        texts = {int(document["id"]): document["text"] for document in documents}
    return seconds, used, texts


def main() -> None:
    """Measure, print a table and write it down."""
    parser = script.parser(__doc__)
    parser.add_argument("--pages", type=int, default=100, help="of each set")
    parser.add_argument("--rounds", type=int, default=3)
    choices = parser.parse_args()
    examples = [
        example
        for name in SETS
        for example in sample(
            (
                example
                for example in read(choices.shared / "datasets" / f"{name}.jsonl.xz")
                if example.text
            ),
            choices.pages,
        )
    ]
    with tempfile.TemporaryDirectory() as folder:
        warc = Path(folder, "pages.warc.gz")
        write_warc(warc, examples)
        seconds: dict[str, list[tuple[float, float]]] = {name: [] for name in EXTRACTORS}
        texts: dict[str, dict[int, str]] = {}
        for number in range(choices.rounds):
            order = random.Random(number).sample(list(EXTRACTORS), len(EXTRACTORS))
            for name in order:
                whole, used, texts[name] = run(EXTRACTORS[name](), warc)
                seconds[name].append((whole, used))
    given = texts.pop(READER)
    result: dict[str, Any] = {
        "pages": len(given),
        "sets": {name: sum(each.dataset == name for each in examples) for name in SETS},
        "versions": {
            "tamis": tamis.__version__,
            **{name: importlib.metadata.version(name) for name in ("datatrove", "trafilatura")},
        },
        "extractors": {},
    }
    print("| | pages/s | pages per second of CPU | texts | F1 |")
    print("|---|--:|--:|--:|--:|")
    for name in EXTRACTORS:
        if name not in texts:
            continue
        written = texts[name]
        whole, used = (len(given) / min(each) for each in zip(*seconds[name], strict=True))
        f1 = mean(
            bag_of_words(written.get(number, ""), examples[number].text or "").f1
            for number in given
        )
        shown = "" if "Markdown" in name else f"{f1:.3f}"
        print(f"| {name} | {whole:.0f} | {used:.0f} | {len(written)} | {shown} |")
        result["extractors"][name] = {
            "pages_per_second": round(whole, 1),
            "pages_per_cpu_second": round(used, 1),
            "texts": len(written),
            **({"f1": round(f1, 4)} if shown else {}),
        }
    script.write(script.RESULTS / "datatrove.json", result)


if __name__ == "__main__":
    main()
