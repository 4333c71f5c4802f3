# cython: annotation_typing=False, wraparound=True
"""Pictures that only decorate: spacers, pixels that count readers, icons, blurred backgrounds."""

from __future__ import annotations

import re

from tamis.page import tags
from tamis.page.attributes import Attributes

_ALT, _CLASS, _STYLE, _ROLE, _HIDDEN, _WIDTH, _HEIGHT = (
    tags.ATTRIBUTE_ID[name]
    for name in ("alt", "class", "style", "role", "aria-hidden", "width", "height")
)
# Pixels: of what nobody sees, of a sign in the text, of an icon, which is square (the flags of
# Wikipedia are not), of a picture that shows something.
_UNSEEN, _SIGN, _ICON, _PICTURE = 2, 20, 32, 100
_LONGEST = 1000
_NUMBER = re.compile(rb"\s*(\d{1,6})(?:\.\d*)?(?:px)?\s*", re.IGNORECASE)
_SIZES = re.compile(rb"(?<![\w-])(width|height)\s*:\s*(\d{1,6})(?:\.\d*)?px", re.IGNORECASE)
_BLUR = re.compile(rb"filter\s*:\s*blur\(", re.IGNORECASE)
# "blur-up" is how pages call pictures that are blurred only until they are loaded.
_CLASSES = re.compile(
    rb"(?<![a-z])(?:icons?|ico|spacer|sprite|lqip|ornament|decorat(?:ion|ive)|(?:tracking-?)?pixel"
    rb"|spinner|divider|blurred|blur-?(?:bg|background|backdrop|image)|(?:bg|background)-?blur)"
    rb"(?![a-z])",
    re.IGNORECASE,
)
_PARTS = tuple(b"ico spacer sprite lqip orna decor pixel spin div blur".split())
_FOLDERS = re.compile(r"/(?:icon|sprite)s?/")
# What a name begins with that stands for an empty picture, and what may follow.
_EMPTY = tuple(
    "spacer shim blank pixel transparent clear trans spinner loading loader placeholder 1x1 grey"
    " gray".split()
)
_NAME = re.compile(
    rf"(?:{'|'.join(_EMPTY)})(?:[-_.]?(?:gif|image|img|pixel|\d+(?!\d)(?:x\d+(?!\d))?))*"
)
# The last word of the name of a sign, and what is drawn: a photograph may be that of an arrow.
_DRAWN = ("svg", "png", "gif")
_SIGNS = frozenset("icon arrow chevron caret bullet divider spacer".split())
_BLURRED = re.compile(r"(?:^|&)blur=[1-9]", re.IGNORECASE)


def is_decoration(attributes: Attributes, node: int, in_figure: bool) -> bool:
    """Whether an image only decorates, by its attributes; in a figure hardly any does."""
    sizes = _sizes(attributes, node)
    if sizes and min(sizes) <= _UNSEEN:
        return True
    if in_figure or (sizes and max(sizes) > _PICTURE):
        return _BLUR.search(attributes.raw(node, _STYLE) or b"", 0, _LONGEST) is not None
    names = attributes.raw(node, _CLASS)
    if names and _may_name(names.lower()) and _CLASSES.search(names, 0, _LONGEST):
        return True
    if (attributes.raw(node, _ALT) or b"").strip():
        return False
    if len(sizes) == 2 and max(sizes) <= (_ICON if min(sizes) == max(sizes) else _SIGN):
        return True
    role = (attributes.raw(node, _ROLE) or b"").strip().lower()
    hidden = (attributes.raw(node, _HIDDEN) or b"").strip().lower()
    return role in (b"presentation", b"none") or hidden == b"true"


def _may_name(names: bytes) -> bool:
    """Whether classes may have one of the names; most have not, and a search takes long to see."""
    for part in _PARTS:
        if part in names:
            break
    else:
        return False
    return True


def is_address_of_decoration(address: str) -> bool:
    """Whether an image only decorates, by its name: `spacer.gif`, `/icons/share.svg`."""
    if len(address) > _LONGEST:
        return False
    path, _, query = address.partition("#")[0].partition("?")
    name, _, kind = path[path.rfind("/") + 1 :].lower().rpartition(".")
    return (
        (kind in _DRAWN and name[max(name.rfind("-"), name.rfind("_")) + 1 :] in _SIGNS)
        or (name.startswith(_EMPTY) and _NAME.fullmatch(name) is not None)
        or (("/icon" in path or "/sprite" in path) and _FOLDERS.search(path) is not None)
        or ("blur=" in query and _BLURRED.search(query) is not None)
    )


def _sizes(attributes: Attributes, node: int) -> list[int]:
    """Width and height in pixels, those that are known; the style counts more."""
    style = attributes.raw(node, _STYLE)
    sizes: dict[bytes, int] = {}
    for name, number in ((b"width", _WIDTH), (b"height", _HEIGHT)):
        raw = attributes.raw(node, number)
        if raw and len(raw) < 20:
            match = None if raw.isdigit() else _NUMBER.fullmatch(raw)
            if match or raw.isdigit():
                sizes[name] = int(match[1] if match else raw)
    if style:
        for match in _SIZES.finditer(style, 0, _LONGEST):
            sizes[match[1].lower()] = int(match[2])
    known = list(sizes.values())
    # Beside a large number 0 means that it is not known.
    return [size for size in known if size] if max(known, default=0) > _PICTURE else known
