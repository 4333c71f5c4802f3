# cython: annotation_typing=False, wraparound=True
"""Images: where they are and what they show."""

from __future__ import annotations

import re
from typing import NamedTuple

from tamis.page import tags
from tamis.page.addresses import Base
from tamis.page.attributes import Attributes, value_of
from tamis.page.table import Page
from tamis.render.decoration import is_address_of_decoration, is_decoration


class Image(NamedTuple):
    """An image."""

    src: str
    alt: str


_ALT, _SRC, _DATA_SRC, _SRCSET = (
    tags.ATTRIBUTE_ID[name] for name in ("alt", "src", "data-src", "srcset")
)
_LATE = ("data-original", "data-lazy-src", "data-url", "data-image", "data-hi-res-src")
_PICTURE_ADDRESS = re.compile(
    r"(?:https?:)?//[^\s]{1,2000}\.(?:jpe?g|png|gif|webp|avif)(?:\?[^\s]{0,500})?", re.IGNORECASE
)
_LONGEST_PICTURE_ADDRESS = 2_600  # more than the pattern takes
_PICTURE = tags.ID["picture"]
_MOST_SOURCES = 10
# Bytes of an address or a srcset that are read.
_LONGEST = 10_000


def image(page: Page, attributes: Attributes, node: int, base: Base) -> Image | None:
    """What an img shows; None for what only decorates and what is not on the web."""
    in_figure = page.nodes.flags[node] & tags.IN_FIGURE != 0
    if is_decoration(attributes, node, in_figure):
        return None
    src = address(page, attributes, node, base)
    if not src or (not in_figure and is_address_of_decoration(src)):
        return None
    alt = attributes.raw(node, _ALT)
    # In a quarter of the time of `Image(src, alt)`.
    return tuple.__new__(Image, (src, " ".join(value_of(alt).split()) if alt else ""))


def address(page: Page, attributes: Attributes, node: int, base: Base) -> str | None:
    """Where an img is loaded from, at once or by a script; None if that is not on the web."""
    return (
        _loaded(attributes.raw(node, _DATA_SRC), base)
        or _loaded(attributes.raw(node, _SRC), base)
        or _loaded(_largest(attributes.raw(node, _SRCSET) or b""), base)
        or _loaded_late(page, node, base)
        or _of_picture(page, attributes, node, base)
    )


def _loaded(address: bytes | None, base: Base) -> str | None:
    if not address or len(address) > _LONGEST:
        return None
    if address[0] in b"dD" and address[:5].lower() == b"data:":
        return None
    return base.image(value_of(address))


def _loaded_late(page: Page, node: int, base: Base) -> str | None:
    """Where scripts that load images late have the address."""
    late = page.attributes(node)
    for name in _LATE:
        src = _loaded(late.get(name, "").encode(), base)
        if src:
            return src
    for name in ("data-srcset", "data-lazy-srcset"):
        src = _loaded(_largest(late.get(name, "").encode()), base)
        if src:
            return src
    # Any attribute that has the address of a picture and nothing else.
    for name, value in late.items():
        if name.startswith("data-") and _PICTURE_ADDRESS.fullmatch(
            value[:_LONGEST_PICTURE_ADDRESS]
        ):
            return _loaded(value.encode(), base)
    return None


def _of_picture(page: Page, attributes: Attributes, node: int, base: Base) -> str | None:
    """The first source of the picture around an img that has none itself."""
    above = int(page.nodes.parent[node])
    if above < 0 or page.nodes.tag[above] != _PICTURE:
        return None
    for source in range(above + 1, min(node, above + _MOST_SOURCES)):
        src = _loaded(_largest(attributes.raw(source, _SRCSET) or b""), base)
        if src:
            return src
    return None


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
