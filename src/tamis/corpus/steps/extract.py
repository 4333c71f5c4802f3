"""The rows of a shard."""

from __future__ import annotations

from collections.abc import Iterator

from tamis.corpus.formats import WAITING_FORMAT
from tamis.corpus.formats.files import last_name
from tamis.corpus.records import Reject
from tamis.corpus.shard import Extracting, Signed
from tamis.corpus.sites import parts
from tamis.corpus.steps._base import WAITING, Job, Step, every_shard, part_name, shard_round


def _extract(job: Job) -> Iterator[None]:
    run, settings = job.run, job.run.settings
    round = run.shards[job.number].round
    site_parts = parts(run.rounds[round]) if settings.site_models else 0
    made_from = Extracting(settings, run.folder.address, site_parts, round)
    compared = settings.duplicates != "keep"
    stem = rejects_stem = part_name(job.number)
    format = settings.format
    if compared:
        stem, format = f"{WAITING}/{stem}", WAITING_FORMAT
    source = last_name(run.shards[job.number].source)
    signatures = bytearray()
    with job.outputs(format, stem, rejects_stem) as outputs:
        answers: Iterator[Signed | Reject] = job.ask(
            "tamis.corpus.shard:make_extractor", made_from, job.records()
        )
        for answer in answers:
            if isinstance(answer, Reject):
                outputs.reject(answer)
            else:
                row, signature = answer
                outputs.keep(row._replace(source=source))
                signatures += signature
            yield
    if compared:
        job.write(f"{stem}.signatures", bytes(signatures))


EXTRACT = Step("extract", every_shard, _extract, shard_round)
