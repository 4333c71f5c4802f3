"""A made-up input, runs of `tamis corpus` over it, and what they give if nobody disturbs them.

The input is 20 WARC files of 40 records each, with pages that are there twice, pages without
content and records that are no pages.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import random
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple
from uuid import uuid4

import pyarrow.parquet as pq
from corpus_runs import command, packed, processes, record

MARK = "TAMIS_CORPUS_FAULTS"
"""A variable of the environment by which all processes of a run are found."""

# --- the input ----------------------------------------------------------------------------------

FILES, PAGES = 20, 40
PARAGRAPHS = 200
WORDS = """sieve mesh silk drum cook flour puree sauce horsehair steel hoop kitchen Sieb Trommel
Seide Küche Mehl Soße Gewebe tamis soie cuisine farine tambour crible sauce toile ตะแกรง แป้ง ครัว
""".split()
PAGE = """<!doctype html><html lang=en><head><meta charset=utf-8><title>{title}</title></head><body>
<div class=cookie-banner><p>We use cookies. <button>Accept</button></div>
<nav><ul><li><a href="/">Home</a><li><a href="/tools">Tools</a></ul></nav>
<main><article><h1>{title}</h1>{content}</article>
<aside><h2>Related</h2><ul><li><a href="/1">Nine sieves</a><li><a href="/2">Ten drums</a></ul>
</aside></main><footer><p>© Example Press <a href="/imprint">Imprint</a></footer></body></html>"""


def page(seed: int, paragraphs: int = PARAGRAPHS) -> bytes:
    """A made-up article, the same for the same seed."""
    rng = random.Random(seed)
    content = "".join(
        f"<p>{' '.join(rng.choices(WORDS, k=rng.randint(30, 90))).capitalize()}."
        for _ in range(paragraphs)
    )
    title = f"{rng.choice(WORDS)} {seed}"
    return PAGE.format(title=title, content=content).encode()


def records(number: int) -> list[bytes]:
    """The records of a file."""
    made = []
    for place in range(PAGES):
        seed = number * PAGES + place
        body = page(seed)
        if place == 7:
            body = page(7)  # in every file
        elif place == 13:
            body = b"%PDF-1.7 no page at all"
        elif place == 19:
            body = b"<!doctype html><title>Empty</title><p>"
        made.append(record(seed, f"https://site{seed % 8}.example/{seed}", body))
    return made


def write_warc(path: Path, stored: list[bytes]) -> list[int]:
    """Write records; where each begins, and where the last ends."""
    members = [packed(member) for member in stored]
    path.write_bytes(b"".join(members))
    begins = [0]
    for member in members:
        begins.append(begins[-1] + len(member))
    return begins


def ids(stored: list[bytes]) -> list[str]:
    """Of the records."""
    headers = (re.findall(rb"WARC-Record-ID: (<.*?>)", member) for member in stored)
    return [str(names[0], "ascii") for names in headers]


# --- runs ---------------------------------------------------------------------------------------


class Ended(NamedTuple):
    """How a command ended."""

    code: int
    output: str
    errors: str


class Started:
    """A command that runs."""

    def __init__(
        self,
        inputs: list[Path],
        output: Path,
        *options: str,
        environment: dict[str, str] | None = None,
        before: Sequence[str] = (),
        **how: Any,
    ) -> None:
        self._mark = uuid4().hex
        self._texts = [tempfile.TemporaryFile() for _ in range(2)]  # noqa: SIM115  till the run ends
        words = command(inputs, output, "--json", *options)
        if "--workers" not in options and "ray" not in options:
            words += ["--workers", "2"]
        self.process = subprocess.Popen(
            [*before, *words],
            stdout=self._texts[0],
            stderr=self._texts[1],
            env=os.environ | {MARK: self._mark} | (environment or {}),
            **how,
        )
        self.pid = self.process.pid

    def wait(self) -> Ended:
        """Until it ends."""
        code = self.process.wait()
        texts = []
        for file in self._texts:
            file.seek(0)
            texts.append(file.read().decode("utf-8", "replace"))
            file.close()
        return Ended(code, *texts)

    def alive(self) -> list[int]:
        """Its processes that run, those that lost their parent too."""
        pids = []
        wanted = f"{MARK}={self._mark}".encode()
        for entry in Path("/proc").glob("[0-9]*"):
            with contextlib.suppress(OSError):
                if wanted in (entry / "environ").read_bytes().split(b"\0"):
                    pids.append(int(entry.name))
        return pids

    def gone(self, seconds: float = 5.0) -> bool:
        """Whether all its processes end in time."""
        until = time.monotonic() + seconds
        while self.alive():
            if time.monotonic() > until:
                return False
            time.sleep(0.05)
        return True

    def begun(self, role: int) -> list[int]:
        """Its processes of a role (0 to 2), when there are some; none if it ends before."""
        while self.process.poll() is None:
            if pids := processes(self.pid)[role]:
                return pids
            time.sleep(0.01)
        return []


def contents(output: Path) -> dict[str, str]:
    """Each file of an output folder, as a hash; of the summary what does not tell the time."""
    hashes = {}
    for path in sorted(output.rglob("*")):
        if path.is_file():
            content = path.read_bytes()
            if path.name == "summary.json":
                summary = json.loads(content)
                for name in ("seconds", "new_records", "records_per_second"):
                    del summary[name]
                content = json.dumps(summary).encode()
            hashes[str(path.relative_to(output))] = hashlib.sha256(content).hexdigest()
    return hashes


def rows(output: Path) -> list[tuple[str, str]]:
    """Id and text of each row, in order."""
    texts: list[tuple[str, str]] = []
    for part in sorted(output.glob("part-*.parquet")):
        table = pq.read_table(part, columns=["id", "text"])
        texts += zip(table["id"].to_pylist(), table["text"].to_pylist(), strict=True)
    return texts


def temporaries(output: Path) -> int:
    """Files under temporary names."""
    return sum(path.name.endswith(".tmp") for path in output.rglob("*"))


@dataclass
class Setting:
    """A run that can be repeated, and what it gives undisturbed."""

    inputs: list[Path]
    options: tuple[str, ...]
    output: Path

    @cached_property
    def seconds(self) -> float:
        """It takes so long."""
        taken = []
        for _ in range(3):
            shutil.rmtree(self.output, ignore_errors=True)
            started = time.perf_counter()
            ended = Started(self.inputs, self.output, *self.options).wait()
            taken.append(time.perf_counter() - started)
            if ended.code:
                raise SystemExit(f"the undisturbed run failed: {ended.errors}")
        print(f"{self.output.name}: {statistics.median(taken):.1f} s undisturbed", file=sys.stderr)
        return statistics.median(taken)

    @cached_property
    def contents(self) -> dict[str, str]:
        """What is in its folder."""
        assert self.seconds
        return contents(self.output)

    @cached_property
    def sizes(self) -> list[int]:
        """Bytes of its files."""
        assert self.seconds
        return [path.stat().st_size for path in self.output.rglob("*") if path.is_file()]

    @cached_property
    def rows(self) -> dict[str, str]:
        """The text of each row by its id, in order."""
        assert self.seconds
        return dict(rows(self.output))

    def start(self, output: Path, **how: Any) -> Started:
        """Start it with another folder."""
        return Started(self.inputs, output, *self.options, **how)

    def problem(self, output: Path) -> str:
        """How a folder differs from the undisturbed one; empty if it does not."""
        current = contents(output)
        if current == self.contents:
            return ""
        if left := temporaries(output):
            return f"{left} temporary files left"
        names = [
            name
            for name in {**current, **self.contents}
            if current.get(name) != self.contents.get(name)
        ]
        return f"{len(names)} files differ: {', '.join(sorted(names)[:3])}"


@dataclass
class Bench:
    """What the faults share."""

    work: Path
    kills: int
    rng: random.Random
    files: list[Path] = field(default_factory=list)

    def __post_init__(self) -> None:
        for number in range(FILES):
            path = self.work / f"{number:02}.warc.gz"
            write_warc(path, records(number))
            self.files.append(path)

    @cached_property
    def plain(self) -> Setting:
        """One step."""
        return Setting(self.files, (), self.work / "plain")

    @cached_property
    def steps(self) -> Setting:
        """All steps."""
        options = ("--site-models", "--duplicates", "near", "--rejects")
        return Setting(self.files, options, self.work / "steps")

    @contextlib.contextmanager
    def folder(self) -> Iterator[Path]:
        """A new name for an output folder."""
        with tempfile.TemporaryDirectory(dir=self.work) as folder:
            yield Path(folder, "out")

    def moment(self, setting: Setting) -> float:
        """Seconds after the start."""
        return self.rng.uniform(0, setting.seconds)
