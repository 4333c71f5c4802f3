"""Rows whose text was there before, in any shard: which they are, and the rows without them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from hashlib import blake2b

from tamis.corpus.duplicates import Seen, signatures
from tamis.corpus.formats import OUTPUTS, WAITING_FORMAT
from tamis.corpus.formats.sinks import read_rows
from tamis.corpus.receipts import Basis, Run
from tamis.corpus.records import Reject
from tamis.corpus.steps._base import WAITING, Job, Step, every_shard, part_name


def _are_dropped(run: Run) -> bool:
    return run.settings.duplicates != "keep"


def _compare(job: Job) -> Iterator[None]:
    seen = Seen(exact=job.run.settings.duplicates == "exact")
    for shard in job.run.shards:
        repeated = {}
        packed = job.needed(f"{WAITING}/{part_name(shard.number)}.signatures")
        for row, signature in enumerate(signatures(packed)):
            job.counts.records += 1
            if reason := seen.add(signature):
                repeated[row] = reason
            yield
        job.write(_path_of_repeated(shard.number), json.dumps(repeated).encode())


def _select(job: Job) -> Iterator[None]:
    part = part_name(job.number)
    repeated: dict[str, str] = json.loads(job.needed(_path_of_repeated(job.number)))
    waiting = f"{WAITING}/{part}{OUTPUTS[WAITING_FORMAT].suffix}"
    with job.outputs(job.run.settings.format, part, f"{part}-duplicates") as outputs:
        for place, row in enumerate(read_rows(job.run.folder, waiting)):
            if reason := repeated.get(str(place)):
                outputs.reject(Reject(row.id, row.url, reason))
            else:
                outputs.keep(row)
            yield


def _path_of_repeated(number: int) -> str:
    return f"{WAITING}/{part_name(number)}.json"


def _comparison(run: Run, number: int) -> Basis:
    """Which rows of a shard are repeated: the same as before for most shards when others come."""
    repeated = run.folder.read(_path_of_repeated(number))
    if repeated is None:
        return None
    rows = b"%d " % run.shards[number].round
    return blake2b(rows + repeated, digest_size=16).hexdigest()


COMPARE = Step("compare", lambda run: int(_are_dropped(run)), _compare)
SELECT = Step(
    "select", lambda run: every_shard(run) if _are_dropped(run) else 0, _select, _comparison
)
