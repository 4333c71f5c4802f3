"""The headline of a page, without the name of its site."""

from __future__ import annotations

import itertools
import re
from dataclasses import dataclass

import numpy as np

from tamis.page import tags
from tamis.page.table import Page

_SEPARATOR = re.compile(r"\s+[|\-–—·•»«/~‹›:]+\s+|\s*[|｜]\s*")
_NO_LETTERS = re.compile(r"[\W_]+")
_MOST_HEADINGS = 20
_LONGEST = 500
# How alike a heading and a declared title must be for the heading to be the headline (Dice over
# pairs of letters). Titles right on half of wcxb-dev: .764 at 0.2, .768 at 0.3, .772 here, .766 at
# 0.5, .744 at 0.6, .690 at 0.8; news2023 and trafilatura-eval are flat up to 0.5, too.
_ALIKE = 0.35
# A later heading must be this much more alike than an earlier one.
_MARGIN = 0.05
_ORNAMENT = " ¶#§|"


@dataclass(frozen=True, slots=True)
class Headline:
    """The title of a page, and where it stands."""

    title: str
    source: str
    block: int
    """The block of the heading that says it, -1 if none does."""


def headline(page: Page, declared: list[tuple[str, str]], site: str, host: str) -> Headline:
    """The heading that the declared titles agree with, else the first of them.

    `declared` are titles with their sources, the best first.
    """
    own = letters(site), letters(host)
    cores: dict[str, tuple[str, str]] = {}
    seen: set[str] = set()
    for title, source in declared:
        if title not in seen:
            seen.add(title)
            core = without_site(title[:_LONGEST], own)
            cores.setdefault(letters(core), (core, source))
    cores.pop("", None)
    pairs: list[set[str]] = []
    best, chosen = 0.0, None
    for node, text in _headings(page, "h1"):
        mine = letters(text)
        if mine in cores:
            likeness = 1.0
        else:
            pairs = pairs or [_pairs(core) for core in cores]
            own_pairs = _pairs(mine)
            likeness = max((_dice(own_pairs, one) for one in pairs), default=0.0)
        if likeness > best + _MARGIN or chosen is None:
            best, chosen = likeness, (node, text)
        if likeness == 1.0:
            break
    if chosen and best < 1.0:
        chosen = _chapter(page, chosen, declared) or chosen
    if chosen and (best >= _ALIKE or not cores):
        return Headline(without_site(chosen[1], own), "html", _block(page, chosen[0]))
    if not cores:
        return Headline("", "", -1)
    wanted, (title, source) = next(iter(cores.items()))
    for node, text in (*_headings(page, "h2"), *_headings(page, "h3")):
        if letters(text) == wanted:
            return Headline(title, source, _block(page, node))
    return Headline(title, source, _block(page, chosen[0]) if chosen else -1)


def without_site(title: str, own: tuple[str, str]) -> str:
    """A title without the parts at its ends that name the site."""
    title = title.strip(_ORNAMENT)
    places = [(0, 0), *(match.span() for match in _SEPARATOR.finditer(title))]
    places.append((len(title), len(title)))
    first, end = 0, len(places) - 1
    parts = [title[left[1] : right[0]] for left, right in itertools.pairwise(places)]
    while end - first > 1 and _is_site(letters(parts[end - 1]), own):
        end -= 1
    while end - first > 1 and _is_site(letters(parts[first]), own):
        first += 1
    return title[places[first][1] : places[end][0]]


def names_site(text: str, site: str, host: str) -> bool:
    """Whether a text is no more than the name or the address of the site."""
    return _is_site(letters(text), (letters(site), letters(host)))


def letters(text: str) -> str:
    """A text as it is compared: letters and digits, case folded."""
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

    "Ownership - The Book" with a heading "The Book" and a smaller one "Ownership".
    """
    parts = _SEPARATOR.split(declared[0][0][:_LONGEST]) if declared else []
    if len(parts) > 1 and letters(parts[-1]) == letters(book[1]):
        chapter = letters(parts[0])
        for node, text in (*_headings(page, "h1"), *_headings(page, "h2")):
            if letters(text) == chapter:
                return node, text
    return None


def _headings(page: Page, tag: str) -> list[tuple[int, str]]:
    found = []
    for node in np.flatnonzero(page.nodes.tag == tags.ID[tag])[:_MOST_HEADINGS].tolist():
        if page.nodes.end_text[node] - page.nodes.first_text[node] > _MOST_HEADINGS:
            continue
        text = " ".join(page.node_text(node).split()).strip(_ORNAMENT)
        if text and len(text) <= _LONGEST:
            found.append((node, text))
    return found


def _block(page: Page, node: int) -> int:
    return int(page.texts.block[page.nodes.first_text[node]])


def _pairs(text: str) -> set[str]:
    return {text[at : at + 2] for at in range(len(text) - 1)} or {text}


def _dice(one: set[str], other: set[str]) -> float:
    return 2 * len(one & other) / (len(one) + len(other))
