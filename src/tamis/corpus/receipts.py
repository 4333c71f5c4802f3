"""What an output folder knows of its run: settings, shards, and the receipts of finished tasks.

`run.json` has the settings and inputs, `plan.jsonl` the shards, `inputs.jsonl` what the input files
were like when they were planned, `marks/` a receipt of each finished task with its counts and the
hashes of what it wrote. A task is done if its receipt and its files are there; a receipt is written
last, so a process that is killed leaves a task either done or not done.

A plan only grows: new inputs get new shards after the others, and a shard that is to be done again
keeps its number. Both get the number of the planning round, and a receipt of another round is void.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, field
from typing import Any, NamedTuple

from tamis._runtime.version import __version__
from tamis.corpus.folder import PLANNING, Folder
from tamis.corpus.formats.files import legible
from tamis.corpus.inputs import InputFacts
from tamis.corpus.records import Shard
from tamis.corpus.settings import Settings
from tamis.errors import InputError

_RUN, _PLAN, _INPUTS = "run.json", "plan.jsonl", "inputs.jsonl"
SUMMARY = "summary.json"
"""Written when all is done."""
# Runs of earlier versions cannot be continued: their rows have other columns.
_FIRST_VERSION = (0, 2)
_NAMED = 5


Basis = int | str | None
"""What a task was done with that may change: the number of a planning round, or a hash."""


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


class Plan(NamedTuple):
    """The shards of a run, and what their files are like."""

    shards: Sequence[Shard]
    facts: Sequence[InputFacts] = ()


@dataclass(frozen=True)
class InputNews:
    """What a command found out about the inputs of a run that was there before."""

    new: int = 0
    """Files or addresses that are read for the first time."""
    notes: tuple[str, ...] = ()
    """What else the user has to know, one line each."""


@dataclass(frozen=True)
class Run:
    """A run in its output folder."""

    folder: Folder
    settings: Settings
    shards: tuple[Shard, ...]
    rounds: tuple[int, ...] = ()
    """How many shards there were after each round of planning; the first is when it began."""
    inputs: tuple[str, ...] = ()
    """The files, folders and addresses that were given, in all commands."""
    version: str = field(default=__version__, compare=False)
    """Of the tamis that began it."""
    news: InputNews = field(default_factory=InputNews, compare=False)

    @property
    def round(self) -> int:
        """The number of the last round of planning."""
        return max(0, len(self.rounds) - 1)

    @classmethod
    def begin(
        cls, folder: Folder, inputs: Sequence[str], settings: Settings, plan: Callable[[], Plan]
    ) -> Run:
        """Begin a run, or open the one in the folder if it has the same settings."""
        wanted = {"tamis": __version__, "inputs": list(inputs), "settings": settings.to_dict()}
        there = folder.read(_RUN)
        if there is None:
            planned = plan()
            folder.create()
            with folder.lock(PLANNING, wait=True):
                there = folder.read(_RUN)  # another rank may have been faster
                if there is None:
                    _write_plan(folder, planned.shards, (len(planned.shards),))
                    write(folder, _INPUTS, _pack(planned.facts))
                    there = json.dumps(wanted, indent=1).encode()
                    write(folder, _RUN, there)  # last: the plan is whole
        with _explain_damage(folder.path(_RUN)):
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
        with _explain_damage(folder.path(_RUN)):
            stored = json.loads(run)
            settings = Settings.from_dict(stored["settings"])
            inputs, version = tuple(stored["inputs"]), stored["tamis"]
        with _explain_damage(folder.path(_PLAN)):
            lines = list(map(json.loads, plan.splitlines()))
            rounds = tuple(lines.pop()["rounds"]) if "rounds" in lines[-1] else (len(lines),)
            shards = tuple(Shard(**line | {"files": tuple(line["files"])}) for line in lines)
        return cls(folder, settings, shards, rounds, inputs, version)

    @classmethod
    def exists(cls, folder: Folder) -> bool:
        """Whether a run was begun in a folder."""
        return folder.exists(_RUN)

    def grow(
        self, shards: Sequence[Shard], facts: Sequence[InputFacts], inputs: Sequence[str]
    ) -> Run:
        """Store the plan of another round. If killed, leave either the old or the new one."""
        if tuple(shards) != self.shards:
            self.folder.remove(SUMMARY)
            _write_plan(self.folder, shards, (*self.rounds, len(shards)))
        # After the plan: if that is all that was written, the same command does it once more.
        write(self.folder, _INPUTS, _pack(facts))
        given = set(map(trim, self.inputs))
        if new := [name for name in inputs if trim(name) not in given]:
            stored = json.loads(self.folder.read(_RUN) or b"")
            stored["inputs"] += new
            write(self.folder, _RUN, json.dumps(stored, indent=1).encode())
        return self.open(self.folder)

    def read_facts(self) -> dict[str, InputFacts]:
        """What the input files were like when they were planned, by their names."""
        with _explain_damage(self.folder.path(_INPUTS)):
            lines = (self.folder.read(_INPUTS) or b"").splitlines()
            facts = [InputFacts(**json.loads(line)) for line in lines]
        return {each.name: each for each in facts}

    def done(self, task: Task, basis: Basis = None) -> RecordCounts | None:
        """The counts of a finished task, None if it is not finished or its files are gone."""
        receipt = self._receipt(task, basis)
        if receipt and all(self.folder.size(name) == size for name, size, _ in receipt["files"]):
            return RecordCounts.from_dict(receipt)
        return None

    def counted(self, task: Task, basis: Basis = None) -> RecordCounts | None:
        """The counts of a task that was finished, even if its files were removed."""
        receipt = self._receipt(task, basis)
        return RecordCounts.from_dict(receipt) if receipt else None

    def _receipt(self, task: Task, basis: Basis) -> dict[str, Any] | None:
        with suppress(ValueError):  # a damaged receipt is none: the task is done again
            receipt = json.loads(self.folder.read(task.receipt) or b"null")
            if isinstance(receipt, dict) and basis in (None, receipt.get("basis")):
                return receipt
        return None

    def finish(
        self, task: Task, counts: RecordCounts, files: Iterable[Written] = (), basis: Basis = None
    ) -> None:
        """Write the receipt of a task, after its files are in place."""
        values = counts.to_dict() | {"files": [tuple(file) for file in files]}
        if basis is not None:
            values["basis"] = basis
        write(self.folder, task.receipt, json.dumps(values, indent=1).encode())


def _write_plan(folder: Folder, shards: Sequence[Shard], rounds: Sequence[int]) -> None:
    lines = [json.dumps(asdict(shard)) for shard in shards]
    if len(rounds) > 1:
        lines.append(json.dumps({"rounds": rounds}))
    write(folder, _PLAN, "".join(f"{line}\n" for line in lines).encode())


def _pack(facts: Iterable[InputFacts]) -> bytes:
    return "".join(json.dumps(asdict(each)) + "\n" for each in facts).encode()


def trim(name: str) -> str:
    """An input without the slash that a folder may end with."""
    return name.rstrip("/")


def name_some(names: Sequence[str]) -> str:
    """The first names of a list, and how many there are besides."""
    more = f" and {len(names) - _NAMED:,} more" if len(names) > _NAMED else ""
    return ", ".join(map(legible, names[:_NAMED])) + more


@contextmanager
def _explain_damage(name: str) -> Iterator[None]:
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
                flattened |= flat(value, before if name == "options" else f"{name}.")
            else:
                flattened[before + name] = value
        return flattened

    stored = there["settings"]
    # A setting that is younger than the run had no effect on it, as its default has none.
    usual, old, new = (
        flat(json.loads(json.dumps(each)))
        for each in (Settings().to_dict(), stored, wanted["settings"])
    )
    old = usual | old
    differing = [
        _difference(name, old.get(name), new.get(name))
        for name in {**old, **new}
        if old.get(name) != new.get(name)
    ]
    version = there["tamis"]
    if tuple(map(int, version.split(".")[:2])) < _FIRST_VERSION:
        differing.append(f"tamis {version!r} there, {__version__!r} here")
    if {*map(trim, there["inputs"])}.isdisjoint(map(trim, wanted["inputs"])):
        named = name_some(there["inputs"])
        differing.append(f"inputs {named} there, to add others give one of these as well")
    return differing


def _difference(name: str, there: Any, here: Any) -> str:
    before, after = (str(value).rpartition("@")[0] for value in (there, here))
    if name == "method" and before and before == after:
        return f"the file of method {after} has changed since"
    return f"{name} {there!r} there, {here!r} here"
