# cython: annotation_typing=False, wraparound=True
"""Images: where they are and what they show."""

from __future__ import annotations

import re
from urllib.parse import unquote

from tamis.page import tags
from tamis.page.addresses import Base
from tamis.page.attributes import Attributes, value_of
from tamis.page.table import Page
from tamis.render.outline.events import Embed, Image

_ALT, _SRC, _DATA_SRC, _SRCSET = (
    tags.ATTRIBUTE_ID[name] for name in ("alt", "src", "data-src", "srcset")
)
_LATE = (
    "data-original data-lazy-src data-url data-image data-hi-res-src data-srcset data-lazy-srcset"
).split()
_PICTURE_ADDRESS = re.compile(
    r"(?:https?:)?//[^\s]{1,2000}\.(?:jpe?g|png|gif|webp|avif)(?:\?[^\s]{0,500})?", re.IGNORECASE
)
_LONGEST_PICTURE_ADDRESS = 2_600  # more than the pattern takes
_PICTURE = tags.ID["picture"]
_MOST_SOURCES = 10
# Bytes of an address or a srcset that are read.
_LONGEST = 10_000


def read_image(page: Page, attributes: Attributes, node: int, base: Base) -> Image | None:
    """What an img shows; None if it only decorates or is not on the web."""
    in_figure = page.nodes.flags[node] & tags.IN_FIGURE != 0
    if is_decoration(attributes, node, in_figure):
        return None
    src = find_address(page, attributes, node, base)
    if not src or (not in_figure and is_address_of_decoration(src)):
        return None
    alt = attributes.raw(node, _ALT)
    # In a quarter of the time of `Image(src, alt)`.
    return tuple.__new__(Image, (src, " ".join(value_of(alt).split()) if alt else ""))


def find_address(page: Page, attributes: Attributes, node: int, base: Base) -> str | None:
    """Where an img is loaded from, at once or by a script; None if not from the web."""
    return (
        _resolve(attributes.raw(node, _DATA_SRC), base)
        or _resolve(attributes.raw(node, _SRC), base)
        or _resolve(_choose_largest(attributes.raw(node, _SRCSET) or b""), base)
        or _find_late(page, node, base)
        or _find_in_picture(page, attributes, node, base)
    )


def _resolve(address: bytes | None, base: Base) -> str | None:
    if not address or len(address) > _LONGEST:
        return None
    if address[0] in b"dD" and address[:5].lower() == b"data:":
        return None
    return base.image(value_of(address))


def _find_late(page: Page, node: int, base: Base) -> str | None:
    """The address where scripts that load images late have it."""
    late = page.attributes(node)
    for name in _LATE:
        raw = late.get(name, "").encode()
        src = _resolve(_choose_largest(raw) if name.endswith("srcset") else raw, base)
        if src:
            return src
    # Any attribute that has the address of a picture and nothing else.
    for name, value in late.items():
        if name.startswith("data-") and _PICTURE_ADDRESS.fullmatch(
            value[:_LONGEST_PICTURE_ADDRESS]
        ):
            return _resolve(value.encode(), base)
    return None


def _find_in_picture(page: Page, attributes: Attributes, node: int, base: Base) -> str | None:
    """The first source of the picture around an img that has none itself."""
    above = int(page.nodes.parent[node])
    if above < 0 or page.nodes.tag[above] != _PICTURE:
        return None
    for source in range(above + 1, min(node, above + _MOST_SOURCES)):
        src = _resolve(_choose_largest(attributes.raw(source, _SRCSET) or b""), base)
        if src:
            return src
    return None


def _choose_largest(candidates: bytes) -> bytes:
    """Choose the image with the highest resolution in a srcset."""
    best, size = b"", -1.0
    for candidate in candidates[:_LONGEST].split(b", "):
        words = candidate.split()
        if words:
            number = words[1][:-1] if len(words) > 1 else b"1"
            own = float(number) if number.replace(b".", b"", 1).isdigit() else 0.0
            if own > size:
                best, size = words[0].rstrip(b","), own
    return best


_CLASS, _STYLE, _ROLE, _HIDDEN, _WIDTH, _HEIGHT = (
    tags.ATTRIBUTE_ID[name] for name in "class style role aria-hidden width height".split()
)
# Pixels: of what nobody sees, of a sign in the text, of an icon, which is square (the flags of
# Wikipedia are not), of a picture that shows something.
_UNSEEN, _SIGN, _ICON, _SHOWN = 2, 20, 32, 100
_LONGEST_READ = 1000
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
    sizes = _read_sizes(attributes, node)
    if sizes and min(sizes) <= _UNSEEN:
        return True
    if in_figure or (sizes and max(sizes) > _SHOWN):
        return _BLUR.search(attributes.raw(node, _STYLE) or b"", 0, _LONGEST_READ) is not None
    names = attributes.raw(node, _CLASS)
    if names and _may_be_named(names.lower()) and _CLASSES.search(names, 0, _LONGEST_READ):
        return True
    if (attributes.raw(node, _ALT) or b"").strip():
        return False
    if len(sizes) == 2 and max(sizes) <= (_ICON if min(sizes) == max(sizes) else _SIGN):
        return True
    role = (attributes.raw(node, _ROLE) or b"").strip().lower()
    hidden = (attributes.raw(node, _HIDDEN) or b"").strip().lower()
    return role in (b"presentation", b"none") or hidden == b"true"


def _may_be_named(names: bytes) -> bool:
    """Whether classes may have one of the names. Most have not, which a search is slow to see."""
    for part in _PARTS:
        if part in names:
            break
    else:
        return False
    return True


def is_address_of_decoration(address: str) -> bool:
    """Whether an image only decorates, by its name: `spacer.gif`, `/icons/share.svg`."""
    if len(address) > _LONGEST_READ:
        return False
    path, _, query = address.partition("#")[0].partition("?")
    name, _, kind = path[path.rfind("/") + 1 :].lower().rpartition(".")
    return (
        (kind in _DRAWN and name[max(name.rfind("-"), name.rfind("_")) + 1 :] in _SIGNS)
        or (name.startswith(_EMPTY) and _NAME.fullmatch(name) is not None)
        or (("/icon" in path or "/sprite" in path) and _FOLDERS.search(path) is not None)
        or ("blur=" in query and _BLURRED.search(query) is not None)
    )


def _read_sizes(attributes: Attributes, node: int) -> list[int]:
    """Width and height in pixels, as far as they are known; the style counts more."""
    style = attributes.raw(node, _STYLE)
    sizes: dict[bytes, int] = {}
    for name, number in ((b"width", _WIDTH), (b"height", _HEIGHT)):
        raw = attributes.raw(node, number)
        if raw and len(raw) < 20:
            match = None if raw.isdigit() else _NUMBER.fullmatch(raw)
            if match or raw.isdigit():
                sizes[name] = int(match[1] if match else raw)
    if style:
        for match in _SIZES.finditer(style, 0, _LONGEST_READ):
            sizes[match[1].lower()] = int(match[2])
    known = list(sizes.values())
    # Beside a large number 0 means that it is not known.
    return [size for size in known if size] if max(known, default=0) > _SHOWN else known


# What the frames of each site have in their address, and where the same is seen on the site.
_PLAYERS = tuple(
    (re.compile(pattern), find_address)
    for pattern, find_address in (
        (
            r"//(?:www\.|m\.)?youtube(?:-nocookie)?\.com/(?:embed|shorts|v)/(?!videoseries)([\w-]{6,20})",
            "https://www.youtube.com/watch?v={}",
        ),
        (r"//youtu\.be/([\w-]{6,20})", "https://www.youtube.com/watch?v={}"),
        (r"//player\.vimeo\.com/video/(\d+)", "https://vimeo.com/{}"),
        (r"dailymotion\.com/embed/video/(\w+)", "https://www.dailymotion.com/video/{}"),
        (r"//platform\.twitter\.com/embed/.*[?&]id=(\d+)", "https://x.com/i/status/{}"),
        (r"//(?:www\.)?(?:twitter|x)\.com/(\w+/status/\d+)", "https://x.com/{}"),
        (r"//(?:www\.)?tiktok\.com/embed/(?:v\d/)?(\d+)", "https://www.tiktok.com/embed/{}"),
        (r"//(?:www\.)?instagram\.com/((?:p|reel)/[\w-]+)/embed", "https://www.instagram.com/{}/"),
        (
            r"//open\.spotify\.com/embed/((?:track|album|playlist|episode|show|artist)/\w+)",
            "https://open.spotify.com/{}",
        ),
        (
            r"//embed\.bsky\.app/embed/(did:[\w:.]+)/app\.bsky\.feed\.post/(\w+)",
            "https://bsky.app/profile/{}/post/{}",
        ),
        (r"(?:^https?:)?//([\w.-]+/@[\w.@-]+/\d+)/embed", "https://{}"),
    )
)
_SOURCES = ("src", "data-src", "data-lazy-src", "data-litespeed-src", "data-cmp-src")
PLAYER_ELEMENTS = (b"lite-youtube", b"lite-vimeo", b"amp-youtube", b"amp-vimeo", b"youtube-video")
"""Elements of scripts that show a player."""
_VIMEO = frozenset(("lite-vimeo", "amp-vimeo"))
_ID = re.compile(r"[\w-]{4,20}")
_IFRAME = tags.ID["iframe"]


def read_embed(page: Page, node: int) -> Embed | None:
    """What a frame or an element of a player shows; None unless it is known to be content."""
    attributes = page.attributes(node)
    if page.nodes.tag[node] != _IFRAME:
        number = attributes.get("videoid") or attributes.get("data-videoid") or ""
        if not _ID.fullmatch(number):
            return None
        is_vimeo = page.tag_name(node) in _VIMEO
        return Embed(
            f"https://vimeo.com/{number}" if is_vimeo else _PLAYERS[0][1].format(number), ""
        )
    for name in _SOURCES:
        source = unquote(attributes.get(name, ""))[:1000]
        for pattern, address in _PLAYERS:
            match = pattern.search(source)
            if match:
                return Embed(address.format(*match.groups()), "")
    return None
