"""Site models: what each page adds to the model of its site, then the models."""

from __future__ import annotations

from collections.abc import Iterator
from typing import BinaryIO

from tamis.corpus.records import Reject
from tamis.corpus.sites import HostReading, archive, archive_name, learn, pack, parts
from tamis.corpus.steps._base import READINGS, Job, Step, every_shard


def _learn(job: Job) -> Iterator[None]:
    answers: Iterator[HostReading | Reject] = job.ask(
        "tamis.corpus.sites:reading", job.run.settings, job.records()
    )
    pages = []
    for answer in answers:
        if isinstance(answer, Reject):
            job.counts.rejected[answer.reason] += 1
        else:
            job.counts.kept += 1
            pages.append(answer)
        yield
    job.write(_readings(job.number), pack(pages, parts(len(job.run.shards))))


def _unite(job: Job) -> Iterator[None]:
    def readings() -> Iterator[BinaryIO]:
        for shard in job.run.shards:
            with job.run.folder.reading(_readings(shard.number)) as file:
                yield file

    packed, job.counts.kept = archive(learn(readings(), job.number, job.run.settings.options))
    job.write(archive_name(job.number), packed)
    yield


def _readings(number: int) -> str:
    return f"{READINGS}/{number:05}.npz"


LEARN = Step("learn", lambda run: every_shard(run) if run.settings.site_models else 0, _learn)
UNITE = Step("unite", lambda run: parts(len(run.shards)) if run.settings.site_models else 0, _unite)
