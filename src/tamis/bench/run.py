"""The bench: contestants times pages gives predictions and scores, which a cache on disk keeps.

Reads each set once for its gold, which says how much there is to do, then hands the pages whose
results are not in the cache to the workers.

The cache has one folder per contestant, and in it one file of JSON lines per run: it is only
appended to, so that an interrupted run loses at most one page, and two runs at once do not disturb
each other. A folder has the name and version of the contestant, a result a hash of the page, its
gold and the measures.
"""

from __future__ import annotations

import contextlib
import hashlib
import inspect
import json
import os
import threading
import time
import uuid
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from functools import cache as once
from functools import partial
from pathlib import Path
from typing import IO, Any

from tamis._runtime import storage
from tamis._runtime.processes import Pool, count_processors
from tamis.bench import measures
from tamis.bench.contestants import (
    Contestant,
    ContestantProcess,
    Gold,
    Limits,
    Outcome,
    make_contestant,
    name_apart,
    source_hash,
)
from tamis.bench.measures import BLOCKS, BlockScore, Score, Snippets
from tamis.errors import DatasetError, OutputError
from tamis.labels import alignment, datasets
from tamis.labels.datasets import Example
from tamis.method_choices import MethodLike

DEFAULT_MEASURES = ("bag_of_words", "sequence", "shingles", "length")
_CHUNK = 16  # pages: few enough to share the work evenly, many enough not to swap workers

Progress = Callable[[int, int], None]
"""Called with the number of results there are and the number there will be."""


@dataclass(frozen=True, slots=True)
class Trial:
    """One contestant on one page."""

    contestant: Contestant
    gold: Gold
    outcome: Outcome


@dataclass(frozen=True, slots=True, kw_only=True)
class Bench:
    """How to run. Every field has a default."""

    sample: int | None = None
    """Pages of each set, chosen by the hash of their ids; None for all."""
    workers: int | None = None
    """Pages at once; None for one per processor."""
    measures: Sequence[str] = DEFAULT_MEASURES
    limits: Limits = field(default_factory=Limits)
    keep_going: bool = False
    """Leave out broken entries of a set."""
    cache: Path | None = None
    """Folder for results; None to remember nothing."""

    def run(
        self,
        contestants: Sequence[Contestant | MethodLike],
        paths: Iterable[str | Path],
        *,
        progress: Progress | None = None,
        on_error: Callable[[DatasetError], None] | None = None,
    ) -> list[Trial]:
        """Run every contestant on every page of every set; results in that order of sets.

        A contestant is a method as `tamis.extract` takes it, or another library
        (`tamis.bench.rivals.make_rival`). Each runs in processes of its own.
        """
        known = name_apart(
            each if isinstance(each, Contestant) else make_contestant(each) for each in contestants
        )
        cache = Cache(self.cache) if self.cache is not None else None
        try:
            sets = [_Set(Path(path), self, cache, on_error) for path in paths]
            run = _Run(self, known, cache, progress or (lambda done, total: None))
            return run.run(sets)
        finally:
            if cache is not None:
                cache.close()


class _Set:
    """A set: its gold at once, its pages when asked for."""

    def __init__(
        self,
        path: Path,
        bench: Bench,
        cache: Cache | None,
        on_error: Callable[[DatasetError], None] | None,
    ) -> None:
        self._path, self._bench = path, bench
        self._on_error: Callable[[DatasetError], None] = on_error or (lambda error: None)
        self._pages: dict[Gold, str | bytes] | None = None
        self._broken = 0
        known = cache.golds(path, bench.sample) if cache is not None else None
        self.golds = self._read() if known is None else known
        if cache is not None and known is None and not self._broken:
            cache.add_golds(path, bench.sample, self.golds)

    def pages(self) -> Iterator[tuple[Gold, str | bytes]]:
        if self._pages is not None:
            yield from self._pages.items()
            return
        wanted = set(self.golds)
        for example in self._examples(lambda error: None):  # reported at the first reading
            gold = _make_gold(example)
            if gold in wanted:
                yield gold, example.html

    def _read(self) -> list[Gold]:
        def report(error: DatasetError) -> None:
            self._broken += 1
            self._on_error(error)

        examples = self._examples(report)
        if self._bench.sample is None:
            return [_make_gold(example) for example in examples]
        # A sample is small enough to keep; a whole set is read again.
        chosen = datasets.sample(examples, self._bench.sample)
        self._pages = {_make_gold(example): example.html for example in chosen}
        return list(self._pages)

    def _examples(self, on_error: Callable[[DatasetError], None]) -> Iterator[Example]:
        return datasets.read(self._path, keep_going=self._bench.keep_going, on_error=on_error)


def _make_gold(example: Example) -> Gold:
    page = example.html
    data = page if isinstance(page, bytes) else page.encode("utf-8", "surrogatepass")
    return Gold(
        example.dataset,
        example.id,
        example.page_type,
        example.text,
        example.with_,
        example.without,
        hashlib.sha256(data).hexdigest(),
    )


_NamedPage = tuple[str, Gold, str | bytes]
"""The key of a page in the cache, its gold and its HTML."""


class _Run:
    """One run: a job of the pool is some pages for one contestant."""

    def __init__(
        self,
        bench: Bench,
        contestants: Sequence[Contestant],
        cache: Cache | None,
        progress: Progress,
    ) -> None:
        self._bench, self._contestants = bench, contestants
        self._cache, self._progress = cache, progress
        self._lock = threading.Lock()
        self._outcomes: dict[Contestant, dict[str, Outcome]] = {
            contestant: cache.results(contestant) if cache is not None else {}
            for contestant in contestants
        }
        self._done = self._total = 0

    def run(self, sets: Sequence[_Set]) -> list[Trial]:
        names = self._bench.measures
        named = [[(hash_gold(gold, names), gold) for gold in dataset.golds] for dataset in sets]
        missing = [
            sum(name not in known for name, _ in golds for known in self._outcomes.values())
            for golds in named
        ]
        self._total = sum(map(len, named)) * len(self._contestants)
        self._done = self._total - sum(missing)
        self._progress(self._done, self._total)
        if any(missing):
            self._run_jobs(dataset for dataset, count in zip(sets, missing, strict=True) if count)
        return [
            Trial(contestant, gold, self._outcomes[contestant][name])
            for golds in named
            for name, gold in golds
            for contestant in self._contestants
        ]

    def _run_jobs(self, sets: Iterable[_Set]) -> None:
        bench = self._bench
        process = partial(ContestantProcess, limits=bench.limits, names=bench.measures)
        with Pool(bench.workers or count_processors(), process) as pool:
            jobs = (
                pool.submit(partial(self._extract, contestant, pages), contestant)
                for contestant, pages in self._find_missing(sets)
            )
            for _ in pool.results(jobs, in_order=False):
                pass

    def _find_missing(self, sets: Iterable[_Set]) -> Iterator[tuple[Contestant, list[_NamedPage]]]:
        waiting: dict[Contestant, list[_NamedPage]] = {}
        for dataset in sets:
            for gold, page in dataset.pages():
                name = hash_gold(gold, self._bench.measures)
                for contestant in self._contestants:
                    if name in self._outcomes[contestant]:
                        continue
                    chunk = waiting.setdefault(contestant, [])
                    chunk.append((name, gold, page))
                    if len(chunk) == _CHUNK:
                        yield contestant, waiting.pop(contestant)
        yield from waiting.items()

    def _extract(
        self, contestant: Contestant, pages: list[_NamedPage], process: ContestantProcess
    ) -> None:
        for name, gold, page in pages:
            outcome = process.extract(page, gold)
            if self._cache is not None:
                self._cache.add(contestant, name, outcome)
            with self._lock:
                self._outcomes[contestant][name] = outcome
                self._done += 1
                self._progress(self._done, self._total)


# --- the cache ----------------------------------------------------------------------------------

_KEEP_DAYS = 30  # results of older versions are removed after this time


def find_cache() -> Path:
    """Where this system keeps what can be made again."""
    return storage.find_user_folder("XDG_CACHE_HOME", ".cache", "Caches")


def hash_gold(gold: Gold, names: Sequence[str]) -> str:
    """The name of a result among those of its contestant."""
    of_gold = [gold.page, gold.text, gold.with_, gold.without]
    described = [*of_gold, sorted(names), _measures_hash()]
    if BLOCKS in names:  # which follow from how the page is read
        described.append(source_hash())
    return hashlib.sha256(json.dumps(described).encode()).hexdigest()[:32]


@once
def _measures_hash() -> str:
    sources = inspect.getsource(alignment) + inspect.getsource(measures)
    return hashlib.sha256(sources.encode()).hexdigest()


class Cache:
    """Results and the gold of sets, in a folder. Threads may share it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "bench"
        self._run = f"{int(time.time())}-{uuid.uuid4().hex[:8]}.jsonl"
        self._files: dict[Contestant, IO[str]] = {}
        self._lock = threading.Lock()
        with _clear_error(self.folder):
            self.folder.mkdir(parents=True, exist_ok=True)
        self._remove_old()

    def results(self, contestant: Contestant) -> dict[str, Outcome]:
        """All that is known about a contestant in this version, by `hash_gold`."""
        outcomes = {}
        for path in sorted(self._folder(contestant).glob("*.jsonl")):
            with path.open(encoding="utf-8", errors="replace") as lines:
                for line in lines:
                    # The last line of an interrupted run may be cut off.
                    with contextlib.suppress(ValueError, KeyError, TypeError):
                        row = json.loads(line)
                        outcomes[row["key"]] = _make_outcome(row)
            with contextlib.suppress(OSError):
                os.utime(path)
        return outcomes

    def add(self, contestant: Contestant, name: str, outcome: Outcome) -> None:
        line = json.dumps({"key": name, **asdict(outcome)}, ensure_ascii=False)
        with self._lock, _clear_error(self.folder):
            file = self._files.get(contestant)
            if file is None:
                folder = self._folder(contestant)
                folder.mkdir(parents=True, exist_ok=True)
                file = (folder / self._run).open("a", encoding="utf-8")
                self._files[contestant] = file
            file.write(line + "\n")
            file.flush()

    def golds(self, path: Path, sample: int | None) -> list[Gold] | None:
        """The gold of a set if its file has not changed since `add_golds`."""
        with contextlib.suppress(OSError, ValueError, TypeError, KeyError):
            stored = json.loads(self._golds_file(path, sample).read_text("utf-8"))
            if stored["state"] == _read_state(path):
                return [Gold(*_make_tuples(row)) for row in stored["golds"]]
        return None

    def add_golds(self, path: Path, sample: int | None, golds: Sequence[Gold]) -> None:
        state = _read_state(path)
        if state is None:
            return
        rows = [list(asdict(gold).values()) for gold in golds]
        content = json.dumps({"state": state, "golds": rows})
        storage.write(self._golds_file(path, sample), content)

    def close(self) -> None:
        with self._lock:
            for file in self._files.values():
                file.close()
            self._files.clear()

    def _folder(self, contestant: Contestant) -> Path:
        name = "".join(c if c.isalnum() or c in "-_." else "_" for c in contestant.name)[:60]
        return self.folder / f"{name}-{contestant.fingerprint}"

    def _golds_file(self, path: Path, sample: int | None) -> Path:
        name = hashlib.sha256(f"{path.resolve()}\0{sample}".encode()).hexdigest()[:16]
        return self.folder / f"golds-{name}.json"

    def _remove_old(self) -> None:
        too_old = time.time() - _KEEP_DAYS * 24 * 3600
        for path in self.folder.glob("*/*.jsonl"):
            with contextlib.suppress(OSError):
                if path.stat().st_mtime < too_old:
                    path.unlink()
                    path.parent.rmdir()  # fails while there is another file in it


@contextlib.contextmanager
def _clear_error(folder: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise OutputError(
            f"{folder}: cannot be written ({error.strerror}); choose another folder with --cache"
        ) from error


def _read_state(path: Path) -> list[int] | None:
    if not path.is_file():
        return None
    status = path.stat()
    return [status.st_size, status.st_mtime_ns]


def _make_outcome(row: dict[str, Any]) -> Outcome:
    snippets = row["snippets"]
    return Outcome(
        row["text"],
        row["seconds"],
        row["miss"],
        {
            name: (BlockScore if name == BLOCKS else Score)(*score)
            for name, score in row["scores"].items()
        },
        None if snippets is None else Snippets(*snippets),
    )


def _make_tuples(row: list[Any]) -> list[Any]:
    return [tuple(value) if isinstance(value, list) else value for value in row]
