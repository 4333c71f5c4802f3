"""What a run recorded about its input files, and which of them are new, changed or gone since then.

A file is the same if its size and time of change are, or if the store gives its content the same
name (ETag). When only the time differs, as after a copy, the content of a local file decides.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from hashlib import blake2b

from tamis.corpus.formats.files import InputFile, explain_errors, is_remote, join

# At most 256 kB of a file are read: 1 TB in files of 1 GB takes seconds, not an hour. Most pages
# are smaller, and read whole.
_PIECE, _PIECES = 1 << 14, 16
# Disks and network file systems answer several questions at a time.
_THREADS = 16


@dataclass(frozen=True, slots=True)
class InputFacts:
    """What is known about a file as it was when its shards were planned."""

    name: str
    size: int
    modified: str
    etag: str
    digest: str
    """Of samples of its content; empty for remote files."""


@dataclass(slots=True)
class InputChanges:
    """How the input differs from what was recorded."""

    new: list[InputFile] = field(default_factory=list)
    changed: list[InputFile] = field(default_factory=list)
    gone: list[str] = field(default_factory=list)
    unrecorded: list[InputFile] = field(default_factory=list)
    """Planned before facts were recorded: whether they changed cannot be known."""
    touched: list[InputFile] = field(default_factory=list)
    """With another time of change, but the same content."""


def record_facts(files: Iterable[InputFile]) -> list[InputFacts]:
    """Record what the files are like now."""
    files = list(files)
    with ThreadPoolExecutor(_THREADS) as pool:
        digests = pool.map(sample_digest, files)
        return [
            InputFacts(file.name, file.size, file.modified, file.etag, digest)
            for file, digest in zip(files, digests, strict=True)
        ]


def sample_digest(file: InputFile) -> str:
    """Hash a local file: all of it up to 256 kB, else 16 pieces of 16 kB from begin to end."""
    if is_remote(file.name):
        return ""
    digest = blake2b(digest_size=16)
    with explain_errors(file.name), open(file.name, "rb", 0) as opened:
        if file.size <= _PIECE * _PIECES:
            digest.update(opened.read())
        else:
            for piece in range(_PIECES):
                opened.seek((file.size - _PIECE) * piece // (_PIECES - 1))
                digest.update(opened.read(_PIECE))
    return digest.hexdigest()


def compare_inputs(
    known: Mapping[str, InputFacts | None], files: Iterable[InputFile], given: Sequence[str]
) -> InputChanges:
    """Compare the files with those that are known; `given` are the inputs that were listed."""
    changes = InputChanges()
    there: set[str] = set()
    unsure: list[InputFile] = []
    for file in files:
        there.add(file.name)
        facts = known.get(file.name)
        if facts is None:
            (changes.unrecorded if file.name in known else changes.new).append(file)
        elif _has_changed(facts, file):
            changes.changed.append(file)
        elif facts.modified != file.modified and not _has_etags(facts, file):
            unsure.append(file)
    for file, now in zip(unsure, record_facts(unsure), strict=True):
        facts = known[file.name]
        same = facts is not None and now.digest and facts.digest == now.digest
        (changes.touched if same else changes.changed).append(file)
    folders = tuple(join(source.rstrip("/"), "") for source in given)
    changes.gone = [
        name for name in known if name not in there and (name in given or name.startswith(folders))
    ]
    return changes


def _has_changed(facts: InputFacts, file: InputFile) -> bool:
    return facts.size != file.size or (_has_etags(facts, file) and facts.etag != file.etag)


def _has_etags(facts: InputFacts, file: InputFile) -> bool:
    return bool(facts.etag and file.etag)
