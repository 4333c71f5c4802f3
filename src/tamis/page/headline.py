"""The headline of a page, without the name of its site, and the block where it stands."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from tamis._runtime import limits
from tamis.page import tags
from tamis.page.addresses import find_host
from tamis.page.arrays import Flags
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
# Names of meta elements with titles, the best first.
_TITLES = "og:title twitter:title citation_title dc.title dcterms.title parsely-title".split()
_ORNAMENT = " ¶#§|"
_WORD = re.compile(r"\w+")
# Headings that are compared with the title, and places where it is looked for.
_MOST_PLACES = 40
# What a heading has in common with the title, from which on it is the same text.
_COMMON = 0.2
# And from which on the headline says the same as a title that was declared.
_SAME = 0.75

IS_HEADING = np.array([*(trait & tags.HEADING != 0 for trait in tags.TRAITS), False])
"""By tag, whether it is one of h1 to h6; the last row is for unknown elements."""


@dataclass(frozen=True, slots=True)
class Headline:
    """The title of a page, and where it stands."""

    title: str
    source: str
    block: int
    """The block that says it, -1 if none does."""
    near: int
    """The block by which authors and dates are looked for: `block`, or that of the h1; else -1."""


def find_headline(page: Page, url: str | None = None) -> Headline:
    """The h1 that the declared titles agree with, else the first of them and where it stands.

    `url` is the address of the page: its host may stand in a title, too.
    """
    key = find_headline, url
    if key in page.made:
        known: Headline = page.made[key]
        return known
    declared, own = page.declared, find_own_names(page, url)
    titles = [(page.title, "html"), *declared.of_data("headline"), *declared.of_meta(_TITLES)]
    sources: dict[str, str] = {}  # most pages declare the same title several times
    for title, source in titles:
        sources.setdefault(title, source)
    cores: dict[str, Candidate] = {}
    for title, source in sources.items():
        core = strip_site(title[:_LONGEST], own)
        cores.setdefault(keep_letters(core), (core, source))
    cores.pop("", None)
    similarity, chosen = _find_most_similar(page, list(cores))
    if chosen and similarity < 1.0:
        chosen = _find_chapter(page, chosen, titles) or chosen
    near = _find_block(page, chosen[0]) if chosen else -1
    block = near if similarity >= _SIMILAR else -1
    title, source = next(iter(cores.values()), ("", ""))
    if chosen and (similarity >= _SIMILAR or not cores):
        title, source = strip_site(chosen[1], own), "html"
    elif cores:
        wanted = next(iter(cores))
        smaller = itertools.chain(_list_headings(page, "h2"), _list_headings(page, "h3"))
        same = (node for node, text in smaller if keep_letters(text) == wanted)
        near = next((_find_block(page, node) for node in same), near)
    if similarity < 1.0:
        block = _find_place(page, titles[0][0][:_LONGEST], block)
    named = keep_letters(title)
    # Not a title with the name in it, such as that of a product or an anniversary.
    if named and (named == own[0] or named in own[1]) and not _is_home(page, url):
        other = _find_other_title(page, titles, own)
        title, source = other if other[0] else (title, source)
    page.made[key] = headline = Headline(title, source, block, near)
    return headline


def _is_home(page: Page, url: str | None) -> bool:
    """Whether a page is the first of its site, which may have the name of the site."""
    addresses = (url, *page.declared.canonical, *page.declared.contents("og:url"))
    paths = (_PATH.sub("", address) for address in addresses if address)
    return not next(paths, "/").strip("/")


def _find_other_title(page: Page, titles: list[Candidate], own: tuple[str, str]) -> Candidate:
    """Find a title or heading that does not name the site."""
    for title, source in titles:
        if not names_site(stripped := strip_site(title[:_LONGEST], own), own):
            return stripped, source
    for _, text in itertools.chain(_list_headings(page, "h1"), _list_headings(page, "h2")):
        if not names_site(text, own):
            return text, "html"
    return "", ""


def _find_block(page: Page, node: int) -> int:
    return int(page.texts.block[page.nodes.first_text[node]])


def _find_most_similar(page: Page, cores: list[str]) -> tuple[float, tuple[int, str] | None]:
    """Find the h1 that is most similar to one of the titles, and how similar it is."""
    pairs: list[set[str]] = []
    most, chosen = 0.0, None
    for node, text in _list_headings(page, "h1"):
        mine = keep_letters(text)
        similarity = 1.0
        if mine not in cores:
            own, pairs = _pair_letters(mine), pairs or list(map(_pair_letters, cores))
            similarity = max((_compare_pairs(own, core) for core in pairs), default=0.0)
        if similarity > most + _MARGIN or chosen is None:
            most, chosen = similarity, (node, text)
        if similarity == 1.0:
            break
    return most, chosen


def _find_place(page: Page, title: str, similar: int) -> int:
    """Find the block that says the title if no h1 has exactly its words; -1 if there is none.

    That is the heading with most words in common; else the place of the title or of a part of it;
    else the h1 with similar letters, or the only h1.
    """
    blocks = page.blocks
    tag = page.nodes.tag[blocks.node]
    headings = IS_HEADING.take(tag, mode="clip").nonzero()[0]
    headings = headings[blocks.flags[headings] & tags.HIDDEN == 0][:_MOST_PLACES]
    wanted = _split_words(title)
    best, most = -1, _COMMON
    ordered = headings[np.argsort(tag[headings], kind="stable")]
    for block, text in zip(ordered.tolist(), page.block_texts(ordered), strict=True):
        own = _split_words(text[:_LONGEST])
        common = len(own & wanted) ** 2 / max(len(own) * len(wanted), 1)
        if common > most:
            best, most = block, common
    if best < 0:
        best = _find_block_with(page, title)
    if best < 0:
        best = similar
    if best < 0:
        only = headings[tag[headings] == tags.ID["h1"]]
        best = int(only[0]) if len(only) == 1 else -1
    return best


def _find_block_with(page: Page, title: str) -> int:
    """Find the first block that is the title, or a long part of it, and nothing else."""
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


def strip_site(title: str, own: tuple[str, str]) -> str:
    """Strip the parts at the ends of a title that name the site."""
    title = title.strip(_ORNAMENT)
    if not _SIGN.search(title):
        return title
    places = [(0, 0), *(match.span() for match in _SEPARATOR.finditer(title))]
    places.append((len(title), len(title)))
    first, end = 0, len(places) - 1
    parts = [title[left[1] : right[0]] for left, right in itertools.pairwise(places)]
    while end - first > 1 and _is_site(keep_letters(parts[end - 1]), own):
        end -= 1
    while end - first > 1 and _is_site(keep_letters(parts[first]), own):
        first += 1
    return title[places[first][1] : places[end][0]]


def mark_titles(page: Page, url: str | None = None) -> Flags:
    """Mark blocks that only repeat the title: headings, and blocks before the headline."""
    blocks, head = page.blocks, find_headline(page, url)
    own, title = find_own_names(page, url), keep_letters(head.title)
    says = np.zeros(len(blocks), bool)
    if not title:
        return says
    nodes, pairs = page.nodes, _pair_letters(title)
    for node in limits.check_each(IS_HEADING.take(nodes.tag, mode="clip").nonzero()[0].tolist()):
        first, end = int(nodes.first_text[node]), int(nodes.end_text[node])
        if not 0 < end - first <= _MOST_HEADINGS:
            continue
        if page.texts.end[end - 1] - page.texts.start[first] > _MOST_HEADINGS * _LONGEST:
            continue
        text = page.node_text(node)[:_LONGEST]
        is_same = title in (keep_letters(text), keep_letters(strip_site(text, own)))
        if not is_same and page.texts.block[first] == head.block:
            is_same = _compare_pairs(_pair_letters(keep_letters(text)), pairs) >= _SAME
        says[page.texts.block[first:end]] |= is_same
    short = np.flatnonzero(blocks.words <= len(title))
    place = max(head.block, head.near)
    others = short[(short <= place) | (blocks.flags[short] & tags.IN_HEADING != 0)]
    for block, text in zip(others.tolist(), page.block_texts(others), strict=True):
        says[block] |= keep_letters(text[:_LONGEST]) == title
    return says


def names_site(text: str, own: tuple[str, str]) -> bool:
    """Whether a text is no more than the name or the host of a site, see `find_own_names`."""
    return _is_site(keep_letters(text), own)


def find_own_names(page: Page, url: str | None) -> tuple[str, str]:
    """Find the name of the site of a page and its host, as they are compared."""
    key = find_own_names, url
    if key not in page.made:
        host = find_host(url or "") or page.declared.host
        page.made[key] = keep_letters(page.declared.site[0]), keep_letters(host)
    known: tuple[str, str] = page.made[key]
    return known


def keep_letters(text: str) -> str:
    """Keep the letters and digits of a text, case folded: so texts are compared."""
    if text.isascii():
        return text.lower().encode().translate(None, _NO_LETTERS_OF_ASCII).decode()
    return _NO_LETTERS.sub("", text.casefold())


def _is_site(part: str, own: tuple[str, str]) -> bool:
    site, host = own
    if not part or part == site or (len(part) > 2 and part in host):
        return True
    return len(site) > 3 and site in part and len(site) * 2 > len(part)


def _find_chapter(
    page: Page, book: tuple[int, str], declared: list[tuple[str, str]]
) -> tuple[int, str] | None:
    """Find the heading of a chapter, if the first heading is that of the book.

    "Ownership - The Book" with a heading "The Book" and a smaller heading "Ownership".
    """
    parts = _SEPARATOR.split(declared[0][0][:_LONGEST]) if declared else []
    if len(parts) > 1 and keep_letters(parts[-1]) == keep_letters(book[1]):
        chapter = keep_letters(parts[0])
        for node, text in itertools.chain(_list_headings(page, "h1"), _list_headings(page, "h2")):
            if keep_letters(text) == chapter:
                return node, text
    return None


def _list_headings(page: Page, tag: str) -> Iterator[tuple[int, str]]:
    nodes = page.nodes
    for node in (nodes.tag == tags.ID[tag]).nonzero()[0][:_MOST_HEADINGS].tolist():
        if nodes.end_text[node] - nodes.first_text[node] > _MOST_HEADINGS:
            continue
        text = " ".join(page.node_text(node).split()).strip(_ORNAMENT)
        if text and len(text) <= _LONGEST:
            yield node, text


def _split_words(text: str) -> set[str]:
    return set(_WORD.findall(text.lower()))


def _pair_letters(text: str) -> set[str]:
    return {text[at : at + 2] for at in range(len(text) - 1)} or {text}


def _compare_pairs(first: set[str], second: set[str]) -> float:
    return 2 * len(first & second) / (len(first) + len(second))
