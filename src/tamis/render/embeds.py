"""Players and posts of other sites in a page, as the address where people see them."""

from __future__ import annotations

import re
from urllib.parse import unquote

from tamis.page import tags
from tamis.page.table import Page
from tamis.render.pictures import Image


class Embed(Image):
    """A video, a recording or a post that the page shows in a frame."""

    __slots__ = ()


# What the frames of each site have in their address, and where the same is seen on the site.
_PLAYERS = tuple(
    (re.compile(pattern), address)
    for pattern, address in (
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
ELEMENTS = (b"lite-youtube", b"lite-vimeo", b"amp-youtube", b"amp-vimeo", b"youtube-video")
"""Elements of scripts that show a player."""
_VIMEO = frozenset(("lite-vimeo", "amp-vimeo"))
_ID = re.compile(r"[\w-]{4,20}")
_IFRAME = tags.ID["iframe"]


def describe_embed(page: Page, node: int) -> Embed | None:
    """What a frame or an element of a player shows; None if it is not known to be content."""
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
