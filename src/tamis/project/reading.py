"""What a project keeps of a page: its source, its blocks, the proposal for each, and its looks."""

from __future__ import annotations

import hashlib
from codecs import BOM_UTF8
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tamis.evaluate.block_labels import proposal
from tamis.flow import extract_visible, parse
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


def as_sent(source: bytes) -> bytes:
    """A stored source as bytes that are read as the same page, whatever they look like."""
    return BOM_UTF8 + source


def read(html: bytes, url: str | None, content_type: str | None, options: Options) -> ReadPage:
    """Read a page with the method of the options; a `TamisError` if it is none."""
    page = parse(html, content_type=content_type, options=options)
    valid = page.source.decode("utf-8", "replace").encode()
    if valid != page.source:
        page = parse(as_sent(valid), options=options)
    return of_result(extract_visible(page, url, options))


def of_result(result: Result) -> ReadPage:
    """What is kept of a page."""
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
        proposal=propose_kinds(result),
        close=int((np.abs(result.scores - cut) <= NEAR).sum()),
        vector=_vector(result),
    )


def propose_kinds(result: Result) -> tuple[str, ...]:
    """The kind of each block, one of those that people give."""
    pairs = zip(result.regions.tolist(), result.kept.tolist(), strict=True)
    return tuple(proposal(kind, kept) for kind, kept in pairs)


def _hash_text(text: str, size: int) -> bytes:
    return hashlib.blake2b(text.encode("utf-8", "replace"), digest_size=size).digest()


def prints_of(joined: bytes) -> list[bytes]:
    """The prints of the blocks, one by one."""
    return [joined[start : start + _PRINT] for start in range(0, len(joined), _PRINT)]


def _vector(result: Result) -> Vector:
    """Shares and sizes of a page, and what its elements and classes are called."""
    page = result.page
    blocks = page.blocks
    words = max(float(blocks.words.sum()), 1.0)

    def share(chosen: npt.NDArray[np.bool_]) -> float:
        return float(blocks.words[chosen].sum()) / words

    shape = [
        np.log1p(len(blocks)) / 8,
        np.log1p(words) / 10,
        share(result.kept),
        float(blocks.link_words.sum()) / words,
        share(blocks.flags & tags.IN_HEADING != 0),
        share(blocks.flags & tags.HIDDEN != 0),
        *(share(result.regions == kind) for kind in ("navigation", "comments", "promotion")),
    ]
    names = np.zeros(_NAMES)
    for node in np.unique(blocks.node).tolist():
        own = f"{page.tag_name(node)} {page.attribute(node, 'class') or ''}".split()[:4]
        for name in own:
            names[_hash_text(name, 1)[0] % _NAMES] += 1
    names /= max(float(np.linalg.norm(names)), 1.0)
    return np.array([*shape, *names], np.float32)
