"""The headline of a page, without the name of its site, and the block where it stands."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from tamis._runtime import limits
from tamis.page import tags
from tamis.page.addresses import host_of
from tamis.page.declared import Candidate
from tamis.page.table import Page

_SEPARATOR = re.compile(r"(?<!\s)\s+[|\-–—·•»«/~‹›:]+\s+|(?:(?<!\s)\s+)?[|｜]\s*")
_SIGN = re.compile(r"[|\-–—·•»«/~‹›:｜]")  # every separator has one
_NO_LETTERS = re.compile(r"[\W_]+")
_NO_LETTERS_OF_ASCII = bytes(byte for byte in range(128) if not chr(byte).isalnum())
_MOST_HEADINGS = 20
_LONGEST = 500
# How similar a heading and a declared title must be for the heading to be the headline (Dice over
# pairs of letters). Titles right on half of wcxb-dev: .764 at 0.2, .768 at 0.3, .772 here, .766 at
# 0.5, .744 at 0.6, .690 at 0.8; news2023 and trafilatura-eval are flat up to 0.5, too.
_SIMILAR = 0.35
# A later heading must be this much more similar than an earlier heading.
_MARGIN = 0.05
_PATH = re.compile(r"^(?:https?:)?//[^/?#]*|(?s:[?#].*)|index\.\w+$")
_ORNAMENT = " ¶#§|"
_WORD = re.compile(r"\w+")
# Headings that are compared with the title, and places where it is looked for.
_MOST_PLACES = 40
# What a heading has in common with the title, from which on it is the same text.
_COMMON = 0.2
# And from which on the headline says the same as a title that was declared.
_SAME = 0.75

IS_HEADING = np.zeros(len(tags.NAMES) + 1, bool)
"""By tag, whether it is one of h1 to h6; the last row is for unknown elements."""
IS_HEADING[[tags.ID[f"h{level}"] for level in range(1, 7)]] = True


@dataclass(frozen=True, slots=True)
class Headline:
    """The title of a page, and where it stands."""

    title: str
    source: str
    block: int
    """The block that says it, -1 if none does."""
    near: int
    """The block by which authors and dates are looked for: `block`, or that of the h1; else -1."""


def headline(page: Page, url: str | None = None) -> Headline:
    """The h1 that the declared titles agree with, else the first of them and where it stands.

    `url` is the address of the page: its host may stand in a title, too.
    """
    key = headline, url
    if key not in page.made:
        own = own_names(page, url)
        made = _headline(page, own)
        title = letters(made.title)
        # Not one with the name in it, such as that of a product or an anniversary.
        if title and (title == own[0] or title in own[1]) and not _is_home(page, url):
            other, source = _other_title(page, own)
            made = replace(made, title=other, source=source) if other else made
        page.made[key] = made
    known: Headline = page.made[key]
    return known


def _headline(page: Page, own: tuple[str, str]) -> Headline:
    declared = page.declared.titles
    sources: dict[str, str] = {}  # most pages declare the same title several times
    for title, source in declared:
        sources.setdefault(title, source)
    cores: dict[str, Candidate] = {}
    for title, source in sources.items():
        core = without_site(title[:_LONGEST], own)
        cores.setdefault(letters(core), (core, source))
    cores.pop("", None)
    similarity, chosen = _most_similar(page, list(cores))
    if chosen and similarity < 1.0:
        chosen = _chapter(page, chosen, declared) or chosen
    near = _block_of(page, chosen[0]) if chosen else -1
    block = near if similarity >= _SIMILAR else -1
    title, source = next(iter(cores.values()), ("", ""))
    if chosen and (similarity >= _SIMILAR or not cores):
        title, source = without_site(chosen[1], own), "html"
    elif cores:
        wanted = next(iter(cores))
        smaller = itertools.chain(_headings(page, "h2"), _headings(page, "h3"))
        same = (node for node, text in smaller if letters(text) == wanted)
        near = next((_block_of(page, node) for node in same), near)
    if similarity < 1.0:
        block = _place_of(page, declared[0][0][:_LONGEST], block)
    return Headline(title, source, block, near)


def _is_home(page: Page, url: str | None) -> bool:
    """Whether a page is the first of its site, which may have the name of the site."""
    addresses = (url, *page.declared.canonical, *page.declared.contents("og:url"))
    paths = (_PATH.sub("", address) for address in addresses if address)
    return not next(paths, "/").strip("/")


def _other_title(page: Page, own: tuple[str, str]) -> Candidate:
    """A title or heading that does not name the site, empty if there is none."""
    titles = (
        (without_site(title[:_LONGEST], own), source) for title, source in page.declared.titles
    )
    headings = ((text, "html") for tag in ("h1", "h2") for _, text in _headings(page, tag))
    own_ones = (each for each in itertools.chain(titles, headings) if not names_site(each[0], own))
    return next(own_ones, ("", ""))


def _block_of(page: Page, node: int) -> int:
    return int(page.texts.block[page.nodes.first_text[node]])


def _most_similar(page: Page, cores: list[str]) -> tuple[float, tuple[int, str] | None]:
    """How similar an h1 is to one of the titles, and the h1 for which that is most."""
    pairs: list[set[str]] = []
    most, chosen = 0.0, None
    for node, text in _headings(page, "h1"):
        mine = letters(text)
        similarity = 1.0
        if mine not in cores:
            pairs = pairs or [_pairs(core) for core in cores]
            similarity = max((_dice(_pairs(mine), core) for core in pairs), default=0.0)
        if similarity > most + _MARGIN or chosen is None:
            most, chosen = similarity, (node, text)
        if similarity == 1.0:
            break
    return most, chosen


def _place_of(page: Page, title: str, similar: int) -> int:
    """The block that says the title where no h1 has its very words, -1 if there is none.

    The heading that has most words in common with it; else the place where the title or a part of
    it stands; without that, the h1 with similar letters, or the only h1.
    """
    blocks = page.blocks
    tag = page.nodes.tag[blocks.node]
    headings = IS_HEADING.take(tag, mode="clip").nonzero()[0]
    headings = headings[blocks.flags[headings] & tags.HIDDEN == 0][:_MOST_PLACES]
    wanted = _words(title)
    best, most = -1, _COMMON
    ordered = headings[np.argsort(tag[headings], kind="stable")]
    for block, text in zip(ordered.tolist(), page.block_texts(ordered), strict=True):
        own = _words(text[:_LONGEST])
        common = len(own & wanted) ** 2 / max(len(own) * len(wanted), 1)
        if common > most:
            best, most = block, common
    if best < 0:
        best = _block_with(page, title)
    if best < 0:
        best = similar
    if best < 0:
        only = headings[tag[headings] == tags.ID["h1"]]
        best = int(only[0]) if len(only) == 1 else -1
    return best


def _block_with(page: Page, title: str) -> int:
    """The first block that is the title or a long part of it and nothing else."""
    texts = page.texts
    if not len(texts):
        return -1
    for part in sorted({title, *_SEPARATOR.split(title)}, key=lambda part: (-len(part), part)):
        wanted = part.encode("utf-8", "replace")
        # A short part is the name of the site or of a section.
        if 3 * len(part) < len(title):
            break
        place = page.source.find(wanted, int(texts.start[0])) if wanted else -1
        for _ in range(_MOST_PLACES):
            if place < 0:
                break
            text = int(np.searchsorted(texts.start, place, side="right")) - 1
            block = int(texts.block[text])
            end = texts.end[page.blocks.end_text[block] - 1]
            shown = not page.blocks.flags[block] & tags.HIDDEN
            if shown and texts.start[text] == place and end <= place + len(wanted) + 2:
                return block
            place = page.source.find(wanted, place + 1)
    return -1


def without_site(title: str, own: tuple[str, str]) -> str:
    """A title without the parts at its ends that name the site."""
    title = title.strip(_ORNAMENT)
    if not _SIGN.search(title):
        return title
    places = [(0, 0), *(match.span() for match in _SEPARATOR.finditer(title))]
    places.append((len(title), len(title)))
    first, end = 0, len(places) - 1
    parts = [title[left[1] : right[0]] for left, right in itertools.pairwise(places)]
    while end - first > 1 and _is_site(letters(parts[end - 1]), own):
        end -= 1
    while end - first > 1 and _is_site(letters(parts[first]), own):
        first += 1
    return title[places[first][1] : places[end][0]]


def says_title(page: Page, url: str | None = None) -> npt.NDArray[np.bool_]:
    """The blocks that say no more than the title: headings, and what stands before the headline."""
    blocks, head = page.blocks, headline(page, url)
    own, title = own_names(page, url), letters(head.title)
    says = np.zeros(len(blocks), bool)
    if not title:
        return says
    nodes, pairs = page.nodes, _pairs(title)
    for node in limits.checked(IS_HEADING.take(nodes.tag, mode="clip").nonzero()[0].tolist()):
        first, end = int(nodes.first_text[node]), int(nodes.end_text[node])
        if not 0 < end - first <= _MOST_HEADINGS:
            continue
        if page.texts.end[end - 1] - page.texts.start[first] > _MOST_HEADINGS * _LONGEST:
            continue
        text = page.node_text(node)[:_LONGEST]
        is_same = title in (letters(text), letters(without_site(text, own)))
        if not is_same and page.texts.block[first] == head.block:
            is_same = _dice(_pairs(letters(text)), pairs) >= _SAME
        says[page.texts.block[first:end]] |= is_same
    short = np.flatnonzero(blocks.words <= len(title))
    place = max(head.block, head.near)
    others = short[(short <= place) | (blocks.flags[short] & tags.IN_HEADING != 0)]
    for block, text in zip(others.tolist(), page.block_texts(others), strict=True):
        says[block] |= letters(text[:_LONGEST]) == title
    return says


def names_site(text: str, own: tuple[str, str]) -> bool:
    """Whether a text is no more than the name or the host of a site, see `own_names`."""
    return _is_site(letters(text), own)


def own_names(page: Page, url: str | None) -> tuple[str, str]:
    """The name of the site of a page and its host, as they are compared."""
    key = own_names, url
    if key not in page.made:
        host = host_of(url or "") or page.declared.host
        page.made[key] = letters(page.declared.site[0]), letters(host)
    known: tuple[str, str] = page.made[key]
    return known


def letters(text: str) -> str:
    """A text as it is compared: letters and digits, case folded."""
    if text.isascii():
        return text.lower().encode().translate(None, _NO_LETTERS_OF_ASCII).decode()
    return _NO_LETTERS.sub("", text.casefold())


def _is_site(part: str, own: tuple[str, str]) -> bool:
    site, host = own
    if not part or part == site or (len(part) > 2 and part in host):
        return True
    return len(site) > 3 and site in part and len(site) * 2 > len(part)


def _chapter(
    page: Page, book: tuple[int, str], declared: list[tuple[str, str]]
) -> tuple[int, str] | None:
    """The heading of a chapter, where the first heading is that of the book.

    "Ownership - The Book" with a heading "The Book" and a smaller heading "Ownership".
    """
    parts = _SEPARATOR.split(declared[0][0][:_LONGEST]) if declared else []
    if len(parts) > 1 and letters(parts[-1]) == letters(book[1]):
        chapter = letters(parts[0])
        for node, text in itertools.chain(_headings(page, "h1"), _headings(page, "h2")):
            if letters(text) == chapter:
                return node, text
    return None


def _headings(page: Page, tag: str) -> Iterator[tuple[int, str]]:
    nodes = page.nodes
    for node in (nodes.tag == tags.ID[tag]).nonzero()[0][:_MOST_HEADINGS].tolist():
        if nodes.end_text[node] - nodes.first_text[node] > _MOST_HEADINGS:
            continue
        text = " ".join(page.node_text(node).split()).strip(_ORNAMENT)
        if text and len(text) <= _LONGEST:
            yield node, text


def _words(text: str) -> set[str]:
    return set(_WORD.findall(text.lower()))


def _pairs(text: str) -> set[str]:
    return {text[at : at + 2] for at in range(len(text) - 1)} or {text}


def _dice(first: set[str], second: set[str]) -> float:
    return 2 * len(first & second) / (len(first) + len(second))
