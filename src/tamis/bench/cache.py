"""What a bench has done already, on disk.

One folder per contestant, and in it one file of JSON lines per run: it is only appended to, so that
an interrupted run loses at most one page, and two runs at once do not disturb each other. A folder
has the name and version of the contestant, a result a hash of the page, its gold and the measures.
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
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from functools import cache as once
from pathlib import Path
from typing import IO, Any

from tamis._runtime import storage
from tamis.bench import measures
from tamis.bench.contestants import Contestant, source_hash
from tamis.bench.measures import BLOCKS, BlockScore, Score, Snippets
from tamis.bench.worker import Gold, Outcome
from tamis.errors import OutputError
from tamis.labels import alignment

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
