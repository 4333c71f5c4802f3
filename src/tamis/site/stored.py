"""A site model on disk: one .npz of plain arrays, with a JSON header among them."""

from __future__ import annotations

import io
import json
import os
import struct
import zipfile
import zlib
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from tamis import storage
from tamis.errors import WeightsError
from tamis.model.features import spec
from tamis.site.evidence import CLUSTERS, PLACE_COLUMNS, Counts, Table

FORMAT = 2
"""Version of the file."""

# What numpy, zipfile and json raise on files that are not what they should be.
_DAMAGED = (
    ValueError,
    KeyError,
    TypeError,
    AttributeError,
    EOFError,
    OSError,
    RuntimeError,
    MemoryError,
    struct.error,
    zlib.error,
    zipfile.BadZipFile,
)

_TABLES = {"patterns": 1, "places": PLACE_COLUMNS, "learned": 1}


@dataclass(frozen=True, slots=True)
class Sample:
    """The text of a block of a template, as one page has it."""

    pattern: int
    cluster: int
    text: str
    url: str | None


@dataclass(frozen=True, eq=False)
class Stored:
    """All that a site model knows. Never changed."""

    counts: Counts
    samples: dict[tuple[int, int], Sample]
    """By pattern and cluster."""
    skipped: int


def pack(model: Stored) -> bytes:
    """The content of a model file."""
    counts = model.counts
    header = {
        "format": FORMAT,
        "features": spec.VERSION,
        "skipped": model.skipped,
        "samples": [asdict(sample) for sample in model.samples.values()],
    }
    arrays: dict[str, npt.NDArray[Any]] = {
        "header": np.frombuffer(json.dumps(header).encode(), np.uint8),
        "pages": counts.pages,
        "places_each": counts.places_each,
        "forums": counts.forums,
    }
    for name in _TABLES:
        table: Table = getattr(counts, name)
        arrays[f"{name}.keys"], arrays[f"{name}.values"] = table.keys, table.values
    buffer = io.BytesIO()
    np.savez_compressed(buffer, allow_pickle=False, **arrays)
    return buffer.getvalue()


def save(path: str | os.PathLike[str], model: Stored) -> None:
    """Write the file, whole or not at all; an `OutputError` if that is not possible."""
    storage.write(path, pack(model))


def load(path: str | os.PathLike[str]) -> Stored:
    """Read the file; a `WeightsError` if it is none, is damaged or of another version."""
    target = Path(path)
    try:
        content = target.read_bytes()
    except OSError as error:
        raise WeightsError(f"there is no site model at {target}: {error.strerror}") from error
    return unpack(content, str(target))


def unpack(content: bytes, name: str) -> Stored:
    """A model from what `pack` gave; `name` is for the messages."""
    try:
        with np.load(io.BytesIO(content), allow_pickle=False) as file:
            arrays = {name: file[name] for name in file.files}
        header = json.loads(arrays["header"].tobytes())
        version = header["format"], header["features"]
    except _DAMAGED as error:
        raise WeightsError(
            f"{name}: damaged, or no site model ({error}); learn it again"
        ) from error
    if version != (FORMAT, spec.VERSION):
        raise WeightsError(
            f"{name}: a site model of format {version[0]!r} for features {version[1]!r}, this"
            f" version of tamis reads format {FORMAT} for features {spec.VERSION}; learn it again"
        )
    try:
        return _stored(header, arrays)
    except (ValueError, KeyError, TypeError) as error:
        raise WeightsError(f"{name}: damaged ({error}); learn the site again") from error


def _stored(header: dict[str, Any], arrays: dict[str, npt.NDArray[Any]]) -> Stored:
    pages = arrays["pages"]
    if pages.dtype != np.int64 or pages.ndim != 1 or len(pages) > CLUSTERS or not (pages > 0).all():
        raise ValueError("the counts of pages are no counts")
    sums = [arrays[name] for name in ("places_each", "forums")]
    for some in sums:
        if some.dtype != np.float64 or some.shape != pages.shape or not np.isfinite(some).all():
            raise ValueError("the sums over the pages are no sums")
    places_each, forums = sums
    patterns, places, learned = (
        _table(name, arrays[f"{name}.keys"], arrays[f"{name}.values"], columns)
        for name, columns in _TABLES.items()
    )
    clusters = learned.values
    if len(clusters) and not (clusters.min() >= 1 and clusters.max() <= len(pages)):
        raise ValueError("a page is in a cluster that is not there")
    samples = {}
    for values in header["samples"]:
        sample = Sample(**values)
        if not (0 <= sample.cluster < len(pages) and 0 <= sample.pattern < 2**64):
            raise ValueError("a sample is of a cluster that is not there")
        samples[sample.pattern, sample.cluster] = sample
    counts = Counts(pages, places_each, patterns, places, learned, forums)
    return Stored(counts, samples, int(header["skipped"]))


def _table(name: str, keys: npt.NDArray[Any], values: npt.NDArray[Any], columns: int) -> Table:
    if keys.dtype != np.uint64 or values.dtype != np.float32:
        raise ValueError(f"table {name} has other types")
    if keys.ndim != 1 or values.shape != (len(keys), columns):
        raise ValueError(f"table {name} has another shape")
    if not ((keys[1:] > keys[:-1]).all() and np.isfinite(values).all()):
        raise ValueError(f"table {name} is not in order")
    return Table(keys, values)
