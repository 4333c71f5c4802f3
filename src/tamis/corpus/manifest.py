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
from tamis.corpus.files import PLANNING, Folder, to_legible
from tamis.corpus.records import Settings, Shard
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
    """One step of one shard, or of one part if the step has its own parts."""

    step: str
    number: int

    @property
    def receipt(self) -> str:
        """The name of the file that says that the task is done."""
        return f"marks/{self.step}-{self.number:05}.json"


class Written(NamedTuple):
    """A file that a task wrote."""

    name: str
    size: int
    digest: str


def write(folder: Folder, name: str, content: bytes) -> Written:
    with folder.open_writing(name) as file:
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

    def to_dict(self) -> dict[str, Any]:
        counts = {"records": self.records, "bytes": self.bytes, "kept": self.kept}
        return counts | {"refused": dict(sorted(self.rejected.items()))}

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> RecordCounts:
        rejected = Counter(values["refused"])
        return cls(values["records"], values["bytes"], values["kept"], rejected)


@dataclass(frozen=True, slots=True)
class InputFacts:
    """What is known about a file from when its shards were planned."""

    name: str
    size: int
    modified: str
    etag: str
    digest: str
    """Of samples of its content; empty for remote files."""


Plan = tuple[Sequence[Shard], Sequence[InputFacts]]
"""The shards of a run, and facts about their files."""


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
    new_inputs: int = field(default=0, compare=False)
    """Files or addresses that this command reads for the first time."""
    notes: tuple[str, ...] = field(default=(), compare=False)
    """What else the user has to know about the inputs, one line each."""

    @property
    def round(self) -> int:
        return max(0, len(self.rounds) - 1)

    @classmethod
    def begin(
        cls, folder: Folder, inputs: Sequence[str], settings: Settings, plan: Callable[[], Plan]
    ) -> Run:
        """Begin a run, or open the run in the folder if it has the same settings."""
        wanted = {"tamis": __version__, "inputs": list(inputs), "settings": settings.to_dict()}
        there = folder.read(_RUN)
        if there is None:
            shards, facts = plan()
            folder.create()
            with folder.lock(PLANNING, wait=True):
                there = folder.read(_RUN)  # another rank may have been faster
                if there is None:
                    _write_plan(folder, shards, (len(shards),))
                    write(folder, _INPUTS, _pack(map(asdict, facts)))
                    there = json.dumps(wanted, indent=1).encode()
                    write(folder, _RUN, there)  # last: the plan is whole
        with _explain_damage(folder.join(_RUN)):
            differing = _list_differences(json.loads(there), wanted)
        if differing:
            raise InputError(
                f"{folder.join('')}: has another run ({'; '.join(differing)}); choose another"
                " --output, or give the options of that run to go on with it"
            )
        return cls.open(folder)

    @classmethod
    def open(cls, folder: Folder) -> Run:
        run, plan = folder.read(_RUN), folder.read(_PLAN)
        if not run or not plan:
            raise InputError(f"{folder.join('')}: no run was begun there")
        with _explain_damage(folder.join(_RUN)):
            stored = json.loads(run)
            settings = Settings.from_dict(stored["settings"])
            inputs, version = tuple(stored["inputs"]), stored["tamis"]
        with _explain_damage(folder.join(_PLAN)):
            lines = list(map(json.loads, plan.splitlines()))
            rounds = tuple(lines.pop()["rounds"]) if "rounds" in lines[-1] else (len(lines),)
            shards = tuple(Shard(**line | {"files": tuple(line["files"])}) for line in lines)
        return cls(folder, settings, shards, rounds, inputs, version)

    @classmethod
    def is_in(cls, folder: Folder) -> bool:
        return folder.has_file(_RUN)

    def grow(
        self, shards: Sequence[Shard], facts: Sequence[InputFacts], inputs: Sequence[str]
    ) -> Run:
        """Store the plan of another round. A kill leaves either the old plan or the new one."""
        if tuple(shards) != self.shards:
            self.folder.remove(SUMMARY)
            _write_plan(self.folder, shards, (*self.rounds, len(shards)))
        # After the plan: if that is all that was written, the same command does it once more.
        write(self.folder, _INPUTS, _pack(map(asdict, facts)))
        given = set(map(trim, self.inputs))
        if new := [name for name in inputs if trim(name) not in given]:
            stored = json.loads(self.folder.read(_RUN) or b"")
            stored["inputs"] += new
            write(self.folder, _RUN, json.dumps(stored, indent=1).encode())
        return self.open(self.folder)

    def read_facts(self) -> dict[str, InputFacts]:
        with _explain_damage(self.folder.join(_INPUTS)):
            lines = (self.folder.read(_INPUTS) or b"").splitlines()
            facts = [InputFacts(**json.loads(line)) for line in lines]
        return {each.name: each for each in facts}

    def find_counts(
        self, task: Task, basis: Basis = None, *, with_files: bool = True
    ) -> RecordCounts | None:
        """The counts of a finished task; None if it is not finished or, `with_files`, lost one."""
        with suppress(ValueError):  # a damaged receipt counts as none, so the task is done again
            receipt = json.loads(self.folder.read(task.receipt) or b"null")
            if (
                isinstance(receipt, dict)
                and basis in (None, receipt.get("basis"))
                and not (
                    with_files
                    and any(
                        self.folder.get_size(name) != size for name, size, _ in receipt["files"]
                    )
                )
            ):
                return RecordCounts.from_dict(receipt)
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
    more = [{"rounds": rounds}] if len(rounds) > 1 else []
    write(folder, _PLAN, _pack([*map(asdict, shards), *more]))


def _pack(values: Iterable[object]) -> bytes:
    return "".join(json.dumps(each) + "\n" for each in values).encode()


def trim(name: str) -> str:
    """Remove the slash that the name of a folder may end with."""
    return name.rstrip("/")


def name_some(names: Sequence[str]) -> str:
    """List the first few names, and say how many more there are."""
    more = f" and {len(names) - _NAMED:,} more" if len(names) > _NAMED else ""
    return ", ".join(map(to_legible, names[:_NAMED])) + more


@contextmanager
def _explain_damage(name: str) -> Iterator[None]:
    try:
        yield
    except (ValueError, TypeError, LookupError, AttributeError) as error:
        raise InputError(
            f"{name}: damaged ({error}); remove the output folder and start anew"
        ) from error


def _list_differences(there: Mapping[str, Any], wanted: Mapping[str, Any]) -> list[str]:
    """Describe how a run in the folder differs from the one that was asked for."""

    def flatten(values: Mapping[str, Any], before: str = "") -> dict[str, Any]:
        flattened: dict[str, Any] = {}
        for name, value in values.items():
            if isinstance(value, dict):
                flattened |= flatten(value, before if name == "options" else f"{name}.")
            else:
                flattened[before + name] = value
        return flattened

    stored = there["settings"]
    # A setting that is younger than the run had no effect on it, as its default has none.
    usual, old, new = (
        flatten(json.loads(json.dumps(each)))
        for each in (Settings().to_dict(), stored, wanted["settings"])
    )
    old = usual | old
    differing = [
        _describe_difference(name, old.get(name), new.get(name))
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


def _describe_difference(name: str, there: Any, here: Any) -> str:
    before, after = (str(value).rpartition("@")[0] for value in (there, here))
    if name == "method" and before and before == after:
        return f"the file of method {after} has changed since"
    return f"{name} {there!r} there, {here!r} here"
