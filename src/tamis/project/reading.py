"""What a project keeps of a page: its source, its blocks, the proposal for each, and its looks."""

from __future__ import annotations

import hashlib
import zlib
from codecs import BOM_UTF8
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tamis._runtime.storage import inflate
from tamis._runtime.version import __version__
from tamis.errors import ProjectError
from tamis.flow import extract_visible, parse
from tamis.labels.blocks import propose_kind
from tamis.options import Options
from tamis.page import tags
from tamis.page.arrays import Longs
from tamis.result import Result

Vector = npt.NDArray[np.float32]

NEAR = 0.15
"""Scores as near to the cut as that are close decisions."""

_PRINT = 8
# Places of a page's vector for the names of its elements and classes.
_NAMES = 24
_LONGEST_TITLE = 300
# Bytes that the source or the places of a page are unpacked to at most.
_LARGEST = 256 << 20


@dataclass(frozen=True, eq=False)
class ReadPage:
    """A page as a project keeps it."""

    source: bytes
    """In UTF-8, without what is invalid."""
    hash: str
    title: str
    offsets: Longs
    """Start and end of each block in the source."""
    prints: bytes
    """Some bytes of the hash of the text of each block."""
    proposal: tuple[str, ...]
    """A kind for each block, as the method would label it."""
    close: int
    """Decisions near the cut."""
    vector: Vector
    """Near that of another page if the two are alike."""

    def pack(self) -> tuple[bytes, bytes, bytes, str]:
        """Pack the columns `offsets`, `prints`, `vector` and `tamis` of the database."""
        offsets = zlib.compress(self.offsets.tobytes())
        return offsets, self.prints, self.vector.tobytes(), __version__


def unpack_offsets(data: bytes) -> Longs:
    offsets = unpack(data)
    if len(offsets) % 16:
        raise _make_damaged_error("the places of the blocks are cut off")
    return np.frombuffer(offsets, np.int64).reshape(-1, 2)


def unpack(data: bytes) -> bytes:
    try:
        content, is_complete = inflate(data, _LARGEST)
    except (zlib.error, TypeError) as error:
        raise _make_damaged_error(str(error)) from error
    if len(content) > _LARGEST or not is_complete:
        raise _make_damaged_error(f"more than {_LARGEST / 2**20:,.0f} MiB, or cut off")
    return content


def _make_damaged_error(why: str) -> ProjectError:
    return ProjectError(f"a page of the project is damaged ({why}); add it again")


def as_sent(source: bytes) -> bytes:
    """Mark a stored source as UTF-8, so that it is read as the same page."""
    return BOM_UTF8 + source


def read_page(html: bytes, url: str | None, content_type: str | None, options: Options) -> ReadPage:
    """Read a page with the method of the options; a `TamisError` if it is not a page."""
    page = parse(html, content_type=content_type, options=options)
    valid = page.source.decode("utf-8", "replace").encode()
    if valid != page.source:
        page = parse(as_sent(valid), options=options)
    return read_result(extract_visible(page, url, options))


def read_result(result: Result) -> ReadPage:
    page = result.page
    texts, blocks = page.texts, page.blocks
    starts = texts.start[blocks.first_text]
    ends = texts.end[blocks.end_text - 1]
    words = page.block_texts(np.arange(len(blocks)))
    cut = min(result.decision.cut, 1.0)
    return ReadPage(
        source=page.source,
        hash=hashlib.sha256(page.source).hexdigest(),
        title=result.metadata.title[:_LONGEST_TITLE],
        offsets=np.stack((starts, ends), axis=1).astype(np.int64),
        prints=b"".join(_hash_text(" ".join(text.split()), _PRINT) for text in words),
        proposal=tuple(
            propose_kind(kind, kept)
            for kind, kept in zip(result.regions.tolist(), result.kept.tolist(), strict=True)
        ),
        close=int((np.abs(result.scores - cut) <= NEAR).sum()),
        vector=_describe_looks(result),
    )


def _hash_text(text: str, size: int) -> bytes:
    return hashlib.blake2b(text.encode("utf-8", "replace"), digest_size=size).digest()


def split_prints(joined: bytes) -> list[bytes]:
    return [joined[start : start + _PRINT] for start in range(0, len(joined), _PRINT)]


def _describe_looks(result: Result) -> Vector:
    """Describe a page by shares and sizes, and by the names of its elements and classes."""
    page = result.page
    blocks = page.blocks
    words = max(float(blocks.words.sum()), 1.0)

    def add_share(chosen: npt.NDArray[np.bool_]) -> float:
        return float(blocks.words[chosen].sum()) / words

    shape = [
        np.log1p(len(blocks)) / 8,
        np.log1p(words) / 10,
        add_share(result.kept),
        float(blocks.link_words.sum()) / words,
        add_share(blocks.flags & tags.IN_HEADING != 0),
        add_share(blocks.flags & tags.HIDDEN != 0),
        *(add_share(result.regions == kind) for kind in ("navigation", "comments", "promotion")),
    ]
    names = np.zeros(_NAMES)
    for node in np.unique(blocks.node).tolist():
        own = f"{page.tag_name(node)} {page.attribute(node, 'class') or ''}".split()[:4]
        for name in own:
            names[_hash_text(name, 1)[0] % _NAMES] += 1
    names /= max(float(np.linalg.norm(names)), 1.0)
    return np.array([*shape, *names], np.float32)
