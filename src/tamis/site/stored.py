"""A site model on disk: one .npz of plain arrays, with a JSON header among them."""

from __future__ import annotations

import hashlib
import io
import json
import struct
import zipfile
import zlib
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, TypeAlias

import numpy as np

from tamis.errors import MethodError, WeightsError
from tamis.method_choices import check_name, is_name
from tamis.methods._base import Method
from tamis.methods._shared.arrays import Arrays, from_arrays, to_arrays
from tamis.methods._shared.site import SiteMethod
from tamis.model.features import spec
from tamis.options import Options
from tamis.site.evidence import CLUSTERS, PLACE_COLUMNS, HashTable, SiteCounts
from tamis.site.joint import site_method

FORMAT = 5
"""Version of the file."""

# What numpy, zipfile and json raise on files that are not what they should be.
_DAMAGED = (
    *(ValueError, KeyError, TypeError, AttributeError, EOFError, OSError, RuntimeError),
    *(MemoryError, struct.error, zlib.error, zipfile.BadZipFile),
)


@dataclass(frozen=True, slots=True)
class Sample:
    """The text of a block of a template, as one page has it."""

    pattern: int
    cluster: int
    text: str
    url: str | None


@dataclass(frozen=True, slots=True)
class TemplateBlock:
    """A block that several pages have, those of a template or of the site."""

    text: str
    """Its text on one of the pages, the begin of it."""
    pages: int
    """On how many pages it is; digits may differ."""
    share: float
    """That as a share of the pages."""
    template: int = 0
    """Number of the template, from 0."""
    example: str | None = None
    """Address of a page that has it, if it was given."""
    value: float | None = None
    """What a published method measures by it: its IBDF, entropy or importance."""
    on: tuple[int, ...] = ()
    """Which of the pages that a published method knows by name have it."""


Samples: TypeAlias = Mapping[tuple[int, int], Sample]
"""By pattern and cluster."""
Repeated: TypeAlias = tuple[TemplateBlock, ...]
Parts: TypeAlias = tuple[SiteMethod, Samples, int, Repeated]
"""A fitted method, samples of its templates, the number of pages that were skipped, and blocks that
a published method finds on several pages."""


def pack(method: SiteMethod, samples: Samples, skipped: int, repeated: Repeated) -> bytes:
    """The content of a model file."""
    arrays = to_arrays(method.learned)
    header = {
        "format": FORMAT,
        "method": method.name,
        "parameters": asdict(method),  # type: ignore[call-overload]  # every method is a dataclass
        "features": spec.VERSION,
        "skipped": skipped,
        "samples": [asdict(sample) for sample in samples.values()],
        "repeated": [asdict(block) for block in repeated],
        "digest": _digest(arrays),
    }
    arrays["header"] = np.frombuffer(json.dumps(header).encode(), np.uint8)
    buffer = io.BytesIO()
    np.savez_compressed(buffer, allow_pickle=False, **arrays)
    return buffer.getvalue()


def _digest(arrays: Arrays) -> str:
    """Of all arrays, so that none is of another file."""
    digest = hashlib.blake2b(digest_size=16)
    for name in sorted(arrays):
        array = np.ascontiguousarray(arrays[name])
        digest.update(f"{name} {array.dtype} {array.shape}".encode())
        digest.update(array.tobytes())
    return digest.hexdigest()


def unpack(content: bytes, name: str, kind: type[Method] | None = None) -> Parts:
    """A model from what `pack` gave; `name` is for the messages.

    `kind` is the class of its method, if that is not one of tamis: no model says what code to run.
    """
    try:
        with np.load(io.BytesIO(content), allow_pickle=False) as file:
            arrays = {name: file[name] for name in file.files}
        header = json.loads(arrays.pop("header").tobytes())
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
    own = header.get("method")
    if kind is None and isinstance(own, str) and own.isidentifier() and not is_name(own):
        raise WeightsError(
            f"{name}: a model of method {own}, which is not one of tamis; if it is yours, name its"
            " class: `tamis site extract MODEL PAGE --method FILE:CLASS`, or"
            " tamis.Site.load(MODEL, method=...)"
        )
    try:
        if header["digest"] != _digest(arrays):
            raise ValueError("its arrays are not those that were written")
        return _parts(header, arrays, kind)
    except (ValueError, KeyError, TypeError, IndexError, MethodError) as error:
        raise WeightsError(f"{name}: damaged ({error}); learn the site again") from error


def _parts(header: dict[str, Any], arrays: Arrays, kind: type[Method] | None) -> Parts:
    own = header["method"]
    if kind is None:
        check_name(own)
    method = site_method(Options(method=kind or own, parameters=header["parameters"]))
    if method.name != own:
        raise ValueError(f"a model of method {own}, not of {method.name}")
    learned = from_arrays(method.knowledge, arrays)
    samples = {}
    if isinstance(learned, SiteCounts):
        _check(learned)
        for values in header["samples"]:
            sample = Sample(**values)
            if not (0 <= sample.cluster < len(learned.pages) and 0 <= sample.pattern < 2**64):
                raise ValueError("a sample is of a cluster that is not there")
            samples[sample.pattern, sample.cluster] = sample
    repeated = tuple(
        TemplateBlock(**(values | {"on": tuple(values["on"])})) for values in header["repeated"]
    )
    names = len(getattr(learned, "names", ()))
    if any(not 0 <= page < names for block in repeated for page in block.on):
        raise ValueError("a block is on a page that is not there")
    return method.knowing(learned), samples, int(header["skipped"]), repeated


def _check(counts: SiteCounts) -> None:
    """Refuse counts with which a page could not be scored."""
    pages = counts.pages
    if pages.ndim != 1 or len(pages) > CLUSTERS or not (pages > 0).all():
        raise ValueError("the counts of pages are no counts")
    for sums in (counts.places_each, counts.many, counts.articles):
        if sums.shape != pages.shape or not np.isfinite(sums).all():
            raise ValueError("the sums over the pages are no sums")
    for name, columns in {"patterns": 1, "places": PLACE_COLUMNS, "learned": 1}.items():
        table: HashTable = getattr(counts, name)
        if table.keys.ndim != 1 or table.values.shape != (len(table.keys), columns):
            raise ValueError(f"table {name} has another shape")
        if not ((table.keys[1:] > table.keys[:-1]).all() and np.isfinite(table.values).all()):
            raise ValueError(f"table {name} is not in order")
    clusters = counts.learned.values
    if len(clusters) and not (clusters.min() >= 1 and clusters.max() <= len(pages)):
        raise ValueError("a page is in a cluster that is not there")
