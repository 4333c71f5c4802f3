"""The steps of a run and the work of each: in which order, on what, and what they leave.

    learn    a shard      what each page adds to the model of its site       (with site models)
    unite    a part       the models of the sites that fall into it          (with site models)
    extract  a shard      its rows
    compare  the run      which rows have a text that was there before       (without duplicates)
    select   a shard      its rows without those                             (without duplicates)

A task needs nothing but the output folder and its own name, so any process of any machine can do
it. It writes files under temporary names, renames them when they are whole, and then its mark.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack
from itertools import chain
from typing import Any, BinaryIO

from tamis.corpus.duplicates import Seen, signatures
from tamis.corpus.folder import Folder
from tamis.corpus.ledger import Counts, Run, Task, Written, write
from tamis.corpus.records import Record, Refused
from tamis.corpus.rows import USUAL
from tamis.corpus.shard import Extracting, Signed, Watched, through
from tamis.corpus.sinks import Rejects, Sink, read_rows, rejects, sink
from tamis.corpus.sources import read
from tamis.corpus.sources.files import last_name
from tamis.errors import TamisError

# Seconds of work between two reports of a task.
_REPORT_SECONDS = 0.5
# Where rows wait until they are compared with those of all shards, in a format that is read again.
_WAITING = "compared"
_WAITING_FORMAT = "parquet"


def steps(run: Run) -> dict[str, int]:
    """The steps of a run in order, with the number of tasks each has."""
    shards = len(run.shards)
    found = {"extract": shards}
    if run.settings.site_models:
        from tamis.corpus.sites import parts

        found = {"learn": shards, "unite": parts(shards)} | found
    if run.settings.duplicates != "keep":
        found |= {"compare": 1, "select": shards}
    return found


class Worker:
    """Does tasks of a run one after the other; the processes they need are kept."""

    def __init__(self, run: Run, processes: int = 1) -> None:
        self.run = run
        self._count = processes
        self._watched: dict[str, list[Watched[Any]]] = {}

    def work(self, task: Task) -> Iterator[Counts]:
        """Do a task; what became of the records so far comes as it goes on."""
        counts = Counts()
        files: list[Written] = []
        for _ in getattr(self, f"_{task.step}")(task.number, counts, files):
            yield counts
        self.run.finish(task, counts, files)
        yield counts

    def close(self) -> None:
        """End the processes."""
        for one in chain.from_iterable(self._watched.values()):
            one.end()

    def _processes(self, function: str, made_from: object) -> list[Watched[Any]]:
        if function not in self._watched:
            settings = self.run.settings
            each = [Watched[Any](function, made_from, settings) for _ in range(self._count)]
            self._watched[function] = each
        return self._watched[function]

    def _records(self, number: int, counts: Counts) -> Iterator[Record | Refused]:
        settings = self.run.settings
        for one in read(self.run.shards[number], settings.columns, settings.options.max_bytes):
            counts.records += 1
            if isinstance(one, Record):
                counts.bytes += len(one.body)
            yield one

    def _sink(self, output_format: str, stem: str) -> AbstractContextManager[Sink]:
        return sink(output_format, self.run.folder, stem, (*USUAL, *self.run.settings.also))

    def _rejects(self, stack: ExitStack, stem: str) -> Rejects | _Nowhere:
        if not self.run.settings.rejects:
            return _Nowhere()
        return stack.enter_context(rejects(self.run.folder, f"rejects/{stem}"))

    # The steps

    def _learn(self, number: int, counts: Counts, files: list[Written]) -> Iterator[None]:
        from tamis.corpus.sites import Read, pack, parts

        answers: list[Watched[Read]] = self._processes(
            "tamis.corpus.sites:reading", self.run.settings
        )
        pages = []
        for one in through(answers, self._records(number, counts)):
            if isinstance(one, Refused):
                counts.refused[one.reason] += 1
            else:
                counts.kept += 1
                pages.append(one)
            yield
        packed = pack(pages, parts(len(self.run.shards)))
        files.append(write(self.run.folder, _readings(number), packed))

    def _unite(self, number: int, counts: Counts, files: list[Written]) -> Iterator[None]:
        from tamis.corpus.sites import archive, archive_name, learn

        folder = self.run.folder

        def every() -> Iterator[BinaryIO]:
            for shard in self.run.shards:
                with folder.reading(_readings(shard.number)) as file:
                    yield file

        packed, counts.kept = archive(learn(every(), number, self.run.settings.options))
        files.append(write(folder, archive_name(number), packed))
        yield

    def _extract(self, number: int, counts: Counts, files: list[Written]) -> Iterator[None]:
        run, settings = self.run, self.run.settings
        parts = steps(run).get("unite", 0)
        made_from = Extracting(settings, run.folder.address, parts)
        answers: list[Watched[Signed]] = self._processes("tamis.corpus.shard:extracting", made_from)
        compared = settings.duplicates != "keep"
        stem, output_format = _part(number), settings.format
        if compared:
            stem, output_format = f"{_WAITING}/{stem}", _WAITING_FORMAT
        source = last_name(run.shards[number].source)
        signed = bytearray()
        with ExitStack() as stack:
            rows = stack.enter_context(self._sink(output_format, stem))
            refused = self._rejects(stack, _part(number))
            for one in through(answers, self._records(number, counts)):
                if isinstance(one, Refused):
                    counts.refused[one.reason] += 1
                    refused.write(one)
                else:
                    counts.kept += 1
                    rows.write(one[0]._replace(source=source))
                    signed += one[1]
                yield
        files += _written(rows, refused)
        if compared:
            files.append(write(run.folder, f"{stem}.signatures", bytes(signed)))

    def _compare(self, number: int, counts: Counts, files: list[Written]) -> Iterator[None]:
        folder = self.run.folder
        seen = Seen(exact=self.run.settings.duplicates == "exact")
        for shard in self.run.shards:
            packed = _needed(folder, f"{_WAITING}/{_part(shard.number)}.signatures")
            found = {}
            for row, signature in enumerate(signatures(packed)):
                counts.records += 1
                what = seen.add(signature)
                if what:
                    found[row] = what
                yield
            files.append(write(folder, _dropped(shard.number), json.dumps(found).encode()))

    def _select(self, number: int, counts: Counts, files: list[Written]) -> Iterator[None]:
        run, settings = self.run, self.run.settings
        dropped: dict[str, str] = json.loads(_needed(run.folder, _dropped(number)))
        with ExitStack() as stack:
            rows = stack.enter_context(self._sink(settings.format, _part(number)))
            refused = self._rejects(stack, f"{_part(number)}-duplicates")
            waiting = read_rows(run.folder, f"{_WAITING}/{_part(number)}.{_WAITING_FORMAT}")
            for place, row in enumerate(waiting):
                reason = dropped.get(str(place))
                if reason:
                    counts.refused[reason] += 1
                    refused.write(Refused(row.id, row.url, reason))
                else:
                    counts.kept += 1
                    rows.write(row)
                yield
        files += _written(rows, refused)


def tidy(run: Run) -> None:
    """Remove what the steps left for each other, when all are done."""
    for folder in (_WAITING, "readings"):
        run.folder.remove_all(folder)


def _part(number: int) -> str:
    return f"part-{number:05}"


def _readings(number: int) -> str:
    return f"readings/{number:05}.npz"


def _dropped(number: int) -> str:
    return f"{_WAITING}/{_part(number)}.json"


def _needed(folder: Folder, name: str) -> bytes:
    """A file of an earlier step, which is there if that is done."""
    content = folder.read(name)
    assert content is not None, name
    return content


class _Nowhere:
    """Where refused records go if nobody wants them."""

    def write(self, refused: Refused) -> None:
        """Forget it."""


def _written(*outputs: Sink | Rejects | _Nowhere) -> list[Written]:
    """The files, once they are closed."""
    return [
        Written(one.name, one.size, one.digest) for one in outputs if not isinstance(one, _Nowhere)
    ]


# In a process of its own


def answering(
    made_from: tuple[str, int],
) -> Callable[[Task | None], tuple[Counts, bool] | TamisError]:
    """What a process that does tasks answers: to a task, how far it is after a while.

    It is made from the output folder and the number of processes that extract for it. Asked for
    None it goes on, so whoever asks sees the progress, and one that nobody asks any more ends.
    """
    output, processes = made_from
    worker = Worker(Run.open(Folder(output)), processes)
    working: Iterator[Counts] = iter(())
    counts = Counts()

    def answer(task: Task | None) -> tuple[Counts, bool] | TamisError:
        nonlocal working, counts
        if task is not None:
            working = worker.work(task)
        until = time.monotonic() + _REPORT_SECONDS
        try:
            for counts in working:
                if time.monotonic() > until:
                    return counts, False
        except TamisError as error:
            return error.with_traceback(None)
        return counts, True

    return answer
