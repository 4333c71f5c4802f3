"""Site models: what each page adds to the model of its site, then the models."""

from __future__ import annotations

from collections.abc import Iterator
from typing import BinaryIO

from tamis.corpus.receipts import Run
from tamis.corpus.records import Reject
from tamis.corpus.sites import HostReading, archive, archive_name, learn, pack, parts
from tamis.corpus.steps._base import READINGS, Job, Step, every_shard, shard_round


def _learn(job: Job) -> Iterator[None]:
    answers: Iterator[HostReading | Reject] = job.ask(
        "tamis.corpus.sites:make_reader", job.run.settings, job.records()
    )
    pages = []
    for answer in answers:
        if isinstance(answer, Reject):
            job.counts.rejected[answer.reason] += 1
        else:
            job.counts.kept += 1
            pages.append(answer)
        yield
    run = job.run
    job.write(_readings(job.number), pack(pages, parts(run.rounds[run.shards[job.number].round])))


def _unite(job: Job) -> Iterator[None]:
    round, part = _place(job.run, job.number)

    def readings() -> Iterator[tuple[BinaryIO, bool]]:
        for shard in job.run.shards:
            if shard.round <= round:
                with job.run.folder.reading(_readings(shard.number)) as file:
                    yield file, shard.round == round

    count = parts(job.run.rounds[round])
    packed, job.counts.kept = archive(learn(readings(), part, count, job.run.settings.options))
    job.write(archive_name(round, part), packed)
    yield


def _place(run: Run, number: int) -> tuple[int, int]:
    """The round and the part of a task: the parts of each round come after those before."""
    for round, shards in enumerate(run.rounds):
        if number < parts(shards):
            return round, number
        number -= parts(shards)
    raise ValueError(f"no task {number}")


def _readings(number: int) -> str:
    return f"{READINGS}/{number:05}.npz"


def _all_parts(run: Run) -> int:
    return sum(map(parts, run.rounds)) if run.settings.site_models else 0


LEARN = Step(
    "learn", lambda run: every_shard(run) if run.settings.site_models else 0, _learn, shard_round
)
UNITE = Step("unite", _all_parts, _unite, lambda run, number: _place(run, number)[0] or None)
