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
import sys
import threading
import time
import uuid
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from functools import cache as once
from pathlib import Path
from typing import IO, Any

from tamis._runtime import storage
from tamis.errors import OutputError
from tamis.evaluate import measures
from tamis.evaluate.contestants import Contestant, source_hash
from tamis.evaluate.measures import BLOCKS, BlockScore, Score, Snippets
from tamis.evaluate.worker import Gold, Outcome

_KEEP_DAYS = 30  # results of older versions are removed after this time


def default_folder() -> Path:
    """Where this system keeps what can be made again."""
    home = Path.home()
    if sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA") or home / "AppData" / "Local")
    elif sys.platform == "darwin":
        base = home / "Library" / "Caches"
    else:
        base = Path(os.environ.get("XDG_CACHE_HOME") or home / ".cache")
    return base / "tamis"


def key(gold: Gold, names: Sequence[str]) -> str:
    """The name of a result among those of its contestant."""
    of_gold = [gold.page, gold.text, gold.with_, gold.without]
    described = [*of_gold, sorted(names), _measures_hash()]
    if BLOCKS in names:  # which follow from how the page is read
        described.append(source_hash())
    return hashlib.sha256(json.dumps(described).encode()).hexdigest()[:32]


@once
def _measures_hash() -> str:
    return hashlib.sha256(inspect.getsource(measures).encode()).hexdigest()


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
        """All that is known about a contestant in this version, by `key`."""
        outcomes = {}
        for path in sorted(self._folder(contestant).glob("*.jsonl")):
            with path.open(encoding="utf-8", errors="replace") as lines:
                for line in lines:
                    # The last line of an interrupted run may be cut off.
                    with contextlib.suppress(ValueError, KeyError, TypeError):
                        row = json.loads(line)
                        outcomes[row["key"]] = _outcome(row)
            with contextlib.suppress(OSError):
                os.utime(path)
        return outcomes

    def add(self, contestant: Contestant, name: str, outcome: Outcome) -> None:
        """Store a result."""
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
            if stored["state"] == _state(path):
                return [Gold(*_tuples(row)) for row in stored["golds"]]
        return None

    def add_golds(self, path: Path, sample: int | None, golds: Sequence[Gold]) -> None:
        """Store the gold of a set, if it is one file whose changes can be seen."""
        state = _state(path)
        if state is None:
            return
        rows = [list(asdict(gold).values()) for gold in golds]
        content = json.dumps({"state": state, "golds": rows})
        storage.write(self._golds_file(path, sample), content)

    def close(self) -> None:
        """Close the files."""
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


def _state(path: Path) -> list[int] | None:
    if not path.is_file():
        return None
    status = path.stat()
    return [status.st_size, status.st_mtime_ns]


def _outcome(row: dict[str, Any]) -> Outcome:
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


def _tuples(row: list[Any]) -> list[Any]:
    return [tuple(value) if isinstance(value, list) else value for value in row]
