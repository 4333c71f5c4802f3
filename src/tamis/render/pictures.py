"""Images and rules that belong to the kept text."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from tamis.page import tags
from tamis.page.table import Page
from tamis.render.addresses import Base, value_of

Rows = npt.NDArray[np.intp]


class Image(NamedTuple):
    """An image."""

    src: str
    alt: str


_PIXELS = (b"0", b"1", b"1px")
_WANTED = {
    tags.ATTRIBUTE_ID[name]: name
    for name in ("src", "data-src", "srcset", "alt", "width", "height")
}
# Bytes of an address or a srcset that are read.
_LONGEST = 10_000


def among_kept(page: Page, candidates: Rows, kept_before: Rows) -> npt.NDArray[np.bool_]:
    """Whether each of some elements without text of their own stands among kept text.

    `kept_before` is the number of kept texts before each text. It does if it has kept text on both
    sides, or is in a block or figure with some; but not if the largest element around it without
    kept text has text that was dropped.
    """
    nodes = page.nodes
    total = int(kept_before[-1])
    if not len(candidates) or not total:
        return np.zeros(len(candidates), bool)
    # A caption that was dropped does not speak against its image.
    outside = page.texts.flags & (tags.HIDDEN | tags.IN_FIGURE) == 0
    visible_before = np.append(0, np.cumsum(outside))
    count = kept_before[nodes.end_text] - kept_before[nodes.first_text]
    dropped_region = (count == 0) & (count[nodes.parent] > 0)
    dropped_region[0] = False
    roots = np.flatnonzero(dropped_region)
    root = roots[np.searchsorted(roots, candidates, side="right") - 1]
    texts = visible_before[nodes.end_text[root]] - visible_before[nodes.first_text[root]]
    before = kept_before[nodes.first_text[candidates]]
    between = (before > 0) & (before < total)
    around = nodes.parent[root]
    own_block = (nodes.flags[around] & tags.IN_FIGURE != 0) | _in_block(page, root, around)
    result: npt.NDArray[np.bool_] = (texts == 0) & (between | own_block)
    return result


def _in_block(page: Page, root: Rows, around: npt.NDArray[np.intc]) -> npt.NDArray[np.bool_]:
    """Whether the element around is the innermost block of a text beside the root."""
    texts, nodes = page.texts, page.nodes
    place = nodes.first_text[root]
    inner = page.blocks.node
    before = inner[texts.block[np.maximum(place - 1, 0)]]
    after = inner[texts.block[np.minimum(place, len(texts) - 1)]]
    result: npt.NDArray[np.bool_] = (before == around) | (after == around)
    return result


def image(page: Page, node: int, base: Base) -> Image | None:
    """What an img shows; None for pixels that only count readers and what is not on the web."""
    values = _attributes(page, node)
    if values.get("width") in _PIXELS or values.get("height") in _PIXELS:
        return None
    for address in _sources(page, node, values):
        if not address or len(address) > _LONGEST or address[:5].lower() == b"data:":
            continue
        src = base.image(value_of(address))
        if src:
            alt = value_of(values.get("alt", b""))
            return Image(src, " ".join(alt.split()))
    return None


def _sources(page: Page, node: int, values: dict[str, bytes]) -> Iterator[bytes]:
    """Where an image may be, the best first; scripts that load images late have their own place."""
    yield values.get("data-src", b"")
    yield values.get("src", b"")
    yield _largest(values.get("srcset", b""))
    late = page.attributes(node)
    for name in ("data-original", "data-lazy-src"):
        yield late.get(name, "").encode()
    yield _largest(late.get("data-srcset", "").encode())


def _attributes(page: Page, node: int) -> dict[str, bytes]:
    """The attributes of an img that count, as the source has them."""
    rows = page.nodes.attributes
    end = rows[node + 1] if node + 1 < len(rows) else page.attribute_rows.shape[1]
    names, starts, ends = page.attribute_rows[:, rows[node] : end].tolist()
    return {
        _WANTED[name]: page.source[start:end]
        for name, start, end in zip(names, starts, ends, strict=True)
        if name in _WANTED
    }


def _largest(candidates: bytes) -> bytes:
    """The image with the highest resolution in a srcset."""
    best, size = b"", -1.0
    for candidate in candidates[:_LONGEST].split(b", "):
        words = candidate.split()
        if words:
            number = words[1][:-1] if len(words) > 1 else b"1"
            own = float(number) if number.replace(b".", b"", 1).isdigit() else 0.0
            if own > size:
                best, size = words[0].rstrip(b","), own
    return best
