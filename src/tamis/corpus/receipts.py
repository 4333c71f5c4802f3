"""What an output folder knows of its run: settings, shards, and the receipts of finished tasks.

`run.json` has the settings and inputs, `plan.jsonl` the shards, `marks/` a receipt of each finished
task with its counts and the hashes of what it wrote. A task is done if its receipt and its files
are there; a receipt is written last, so whoever is killed leaves a task that is done or is not.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, field
from typing import Any, NamedTuple

from tamis.corpus.folder import Folder
from tamis.corpus.records import Shard
from tamis.corpus.settings import Settings
from tamis.errors import InputError
from tamis.version import __version__

_RUN, _PLAN = "run.json", "plan.jsonl"


class Task(NamedTuple):
    """One step of one shard, or of one part where a step has parts of its own."""

    step: str
    number: int

    @property
    def receipt(self) -> str:
        """Name of the file that says that it is done."""
        return f"marks/{self.step}-{self.number:05}.json"


class Written(NamedTuple):
    """A file that a task wrote."""

    name: str
    size: int
    digest: str


def write(folder: Folder, name: str, content: bytes) -> Written:
    """Write a file, whole or not at all."""
    with folder.writing(name) as file:
        file.write(content)
    return Written(name, file.size, file.digest)


@dataclass(slots=True)
class RecordCounts:
    """What became of records."""

    records: int = 0
    bytes: int = 0
    """Of their pages, decompressed."""
    kept: int = 0
    rejected: Counter[str] = field(default_factory=Counter)
    """By reason."""

    def __add__(self, other: RecordCounts) -> RecordCounts:
        return RecordCounts(
            self.records + other.records,
            self.bytes + other.bytes,
            self.kept + other.kept,
            self.rejected + other.rejected,
        )

    def __sub__(self, other: RecordCounts) -> RecordCounts:
        return RecordCounts(
            self.records - other.records,
            self.bytes - other.bytes,
            self.kept - other.kept,
            self.rejected - other.rejected,
        )

    def to_dict(self) -> dict[str, Any]:
        """Plain values, the reasons in order of their names."""
        counts = {"records": self.records, "bytes": self.bytes, "kept": self.kept}
        return counts | {"refused": dict(sorted(self.rejected.items()))}

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> RecordCounts:
        """From what `to_dict` gave."""
        rejected = Counter(values["refused"])
        return cls(values["records"], values["bytes"], values["kept"], rejected)


@dataclass(frozen=True)
class Run:
    """A run in its output folder."""

    folder: Folder
    settings: Settings
    shards: tuple[Shard, ...]

    @classmethod
    def begin(
        cls,
        folder: Folder,
        inputs: Sequence[str],
        settings: Settings,
        plan: Callable[[], Iterable[Shard]],
    ) -> Run:
        """Begin a run, or go on with the one in the folder if it is the same."""
        wanted = {"tamis": __version__, "inputs": list(inputs), "settings": settings.to_dict()}
        there = folder.read(_RUN)
        if there is None:
            lines = [json.dumps(asdict(shard)) + "\n" for shard in plan()]
            there = folder.read(_RUN)  # another rank may have been faster
        if there is None:
            folder.create()
            write(folder, _PLAN, "".join(lines).encode())
            there = json.dumps(wanted, indent=1).encode()
            write(folder, _RUN, there)  # last: the plan is whole
        with _undamaged(folder.path(_RUN)):
            differing = _differences(json.loads(there), wanted)
        if differing:
            raise InputError(
                f"{folder.path('')}: has another run ({'; '.join(differing)}); choose another"
                " --output, or give the options of that run to go on with it"
            )
        return cls.open(folder)

    @classmethod
    def open(cls, folder: Folder) -> Run:
        """The run that was begun in a folder."""
        run, plan = folder.read(_RUN), folder.read(_PLAN)
        if not run or not plan:
            raise InputError(f"{folder.path('')}: no run was begun there")
        with _undamaged(folder.path(_RUN)):
            settings = Settings.from_dict(json.loads(run)["settings"])
        with _undamaged(folder.path(_PLAN)):
            lines = map(json.loads, plan.splitlines())
            shards = tuple(Shard(**line | {"files": tuple(line["files"])}) for line in lines)
        return cls(folder, settings, shards)

    def done(self, task: Task) -> RecordCounts | None:
        """The counts of a finished task, None if it is not finished or its files are gone."""
        receipt = self._receipt(task)
        if receipt and all(self.folder.size(name) == size for name, size, _ in receipt["files"]):
            return RecordCounts.from_dict(receipt)
        return None

    def counted(self, task: Task) -> RecordCounts | None:
        """The counts of a task that was finished, even if later steps removed its files."""
        receipt = self._receipt(task)
        return RecordCounts.from_dict(receipt) if receipt else None

    def _receipt(self, task: Task) -> dict[str, Any] | None:
        with suppress(ValueError):  # a damaged receipt is none: the task is done again
            receipt = json.loads(self.folder.read(task.receipt) or b"null")
            return receipt if isinstance(receipt, dict) else None
        return None

    def finish(self, task: Task, counts: RecordCounts, files: Iterable[Written] = ()) -> None:
        """Write the receipt of a task, after its files are in place."""
        values = counts.to_dict() | {"files": [tuple(file) for file in files]}
        write(self.folder, task.receipt, json.dumps(values, indent=1).encode())


@contextmanager
def _undamaged(name: str) -> Iterator[None]:
    try:
        yield
    except (ValueError, TypeError, LookupError, AttributeError) as error:
        raise InputError(
            f"{name}: damaged ({error}); remove the output folder and start anew"
        ) from error


def _differences(there: Mapping[str, Any], wanted: Mapping[str, Any]) -> list[str]:
    """What a run was begun with and is not now, in words."""

    def flat(values: Mapping[str, Any], before: str = "") -> dict[str, Any]:
        flattened: dict[str, Any] = {}
        for name, value in values.items():
            if isinstance(value, dict):
                flattened |= flat(value, before if name in _UNNAMED else f"{name}.")
            else:
                flattened[before + name] = value
        return flattened

    old, new = flat(there), flat(json.loads(json.dumps(wanted)))
    differing = [name for name in {**old, **new} if old.get(name) != new.get(name)]
    return [_difference(name, old.get(name), new.get(name)) for name in differing]


def _difference(name: str, there: Any, here: Any) -> str:
    if name == "inputs":
        return name
    if name == "method" and str(there).rpartition("@")[0] == (same := str(here).rpartition("@")[0]):
        return f"the file of method {same} has changed since"
    return f"{name} {there!r} there, {here!r} here"


_UNNAMED = ("settings", "options")
