"""The authors of a page: names in what it declares, or in the byline near its headline."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain
from operator import attrgetter
from typing import NamedTuple

import numpy as np

from tamis.describe import read_word_lists
from tamis.describe.attribute_values import find_hints
from tamis.describe.metadata.dates import MONTHS
from tamis.page import tags
from tamis.page.declared import list_texts
from tamis.page.headline import find_own_names, names_site
from tamis.page.table import Page

_WORDS = read_word_lists("metadata/bylines.tsv")
_BEFORE_BY, _SPACED_BY, _UNSPACED_BY = (
    "|".join(_WORDS[name]) for name in ("before_by", "by", "by_unspaced")
)
_BY = re.compile(
    rf"(?:(?:{_BEFORE_BY})\s+)?(?:{_SPACED_BY})(?:\s*[:|]\s*|\s+)|(?:{_UNSPACED_BY})[\s:：|]*",
    re.IGNORECASE,
)
_FIRST_WORDS = frozenset((*_WORDS["by"], *_WORDS["before_by"]))
_FIRST_LETTERS = tuple(_WORDS["by_unspaced"])


_SEPARATOR = re.compile(
    r"\s*(?:[;|/•·●⋅»›、，]|,(?!\s*(?:jr|sr)\b)|\s(?:and|und|&|et|y|e|og|och|en|ja)\s)\s*",
    re.IGNORECASE,
)
# The usual form of a name: a first name, perhaps a second, and a last name. Only "By", "And" and
# what people do may mean something else.
_PLAIN = re.compile(r"[A-Z][a-z]+(?: [A-Z][a-z]+)? [A-Z][a-z]+")
_OTHER_WORDS = (
    _FIRST_WORDS | frozenset("and und et y e og och en ja".split()) | frozenset(_WORDS["role"])
)
_NOISE = re.compile(
    r"\([^)]*\)|\[[^\]]*\]|<[^>]*>|https?://\S+"
    r"|(?<![^\s)\]>])\S[^\s@]*@\S[^\s.]*\.\S+|(?<!\S)@\w+|\s[-–—]\s.*$"
)
_MAY_BE_NOISE = re.compile(r"[(\[<@:–—-]")  # it has one of these
# What ends a byline: a place, a date in digits.
_END = re.compile(
    r"\s(?:on|in|am|at|for|updated|published|posted|last|le|el|um|il|em|vor|für)(?:\s.*)?$"
    r"|\s*\d{1,2}[./]\d.*$|\s+\d{4}.*$"
)
_DEGREE = re.compile(
    r"(?:[A-Z][A-Za-z]?\.?){1,5}®?|(?:ph\.?\s?d|m\.?d|mph|rdn?|esq|jr|sr|mba|msc|bsc|dds)\.?",
    re.IGNORECASE,
)
_NO_NAME = re.compile(
    r"(?:admin(?:istrator)?|author|editor|guest|anonymous|unknown|none|null|undefined|user|staff"
    r"|redaktion|the editors|by|home|share|follow|website|news|blog|reply|view profile|profile"
    r"|more|subscribe|contributor|written|team)$|.*(?:@|://|www\.|[{}%]|\.com\b)",
    re.IGNORECASE,
)
# What an element named for an author may hold instead of a name: buttons, days, documents.
_NO_NAME_AT_ALL = re.compile(
    r"sign(?: (?:in|up))?|log ?in|register(?: now)?|write|written by|link|learn more|read more"
    r"|updated|published|(?:articles?|artikel) (?:by|von)\b.*|by|von"
    r"|(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?"
    r"|(?:.* )?(?:guide|guidelines|manual|documentation|handbook|tutorial|tips|reviews?"
    r"|testimonials?)"
    r"|.*(?:§|--|\?$|\.author$|\.name$).*",
    re.IGNORECASE,
)
# The beginning of a phrase from a sentence; names in lower case begin with other words.
_PHRASE = re.compile(r"(?:the|to|and|of|an?|in|for|with|your|our|or|at|as|is|if|you|this|that) ")
_ROLES_BEFORE, _ROLES = frozenset(_WORDS["role_before"]), frozenset(_WORDS["role"])
_OF_ROLES = frozenset(("the", "of", "to", "daily", "weekly"))  # "Letters to the Editor"
_LAST_WORDS = re.compile(r"\s+(?:OP|Published|Updated|\d+(?:st|nd|rd|th))$")
# People who checked a text did not write it.
_CHECKED = re.compile(
    r"(?:^|[\s.,])(?:(?:fact|medically)[ -])?(?:checked|reviewed|edited|illustrated) by\b.*$",
    re.IGNORECASE,
)
_ABBREVIATION = re.compile(r"\b[^\W\d_]{1,3}\.$")
_LONGEST = 60
_MOST_WORDS = 6
_MOST = 20


def read_names(text: str) -> list[str]:
    """Read the names in a value or a byline, in order, each once.

    >>> read_names("By Ann Lee and Bo Ek, PhD | 3 May 2024")
    ['Ann Lee', 'Bo Ek']
    """
    text = " ".join(text[:1000].split())
    if _PLAIN.fullmatch(text) and _OTHER_WORDS.isdisjoint(text.lower().split()):
        return [text] if is_name(text) else []
    if _MAY_BE_NOISE.search(text):
        text = _NOISE.sub("", text).strip()
    for _ in range(2):  # "Posted by: By Ann Lee"
        if match := _BY.match(text):
            text = text[match.end() :]
    if _PHRASE.match(text):
        return []
    text = _END.sub("", _strip_date(_CHECKED.sub("", text)))
    by_folded: dict[str, str] = {}
    for piece in _SEPARATOR.split(text)[:_MOST]:
        name = piece.strip(" ,:;|-–—*~\"'“”").lstrip(". ")
        if name.endswith(".") and not _ABBREVIATION.search(name):
            name = name.rstrip(". ")
        name = _strip_role(_LAST_WORDS.sub("", name))
        if is_name(name) and not (by_folded and _DEGREE.fullmatch(name)):
            by_folded.setdefault(name.casefold(), name)
    return list(by_folded.values())


def is_name(name: str) -> bool:
    """Whether it may be the name of a person, a group or a user."""
    return (
        1 < len(name) <= _LONGEST
        and len(name.split()) <= _MOST_WORDS
        and any(map(str.isalpha, name))
        and not _NO_NAME.match(name)
        and not _NO_NAME_AT_ALL.fullmatch(name)
    )


def _strip_initial(name: str) -> str:
    """Strip the letter that stands for a picture: "E Eric Ek", "Premo3 P"."""
    words = name.split()
    if len(words) > 1 and len(words[1]) > 1 and words[0] == words[1][0].upper():
        return " ".join(words[1:])
    if len(words) == 2 and words[1] == words[0][0].upper():
        return words[0]
    return name


def _strip_role(name: str) -> str:
    """Strip a job title from a name: "Ann Lee Senior Autos Reporter"; empty if no name is left."""
    words = name.split()
    kinds = [word.lower().strip(".,:") for word in words]
    if _ROLES.isdisjoint(kinds) or not _OF_ROLES.isdisjoint(kinds):
        return name
    roles = [i for i, kind in enumerate(kinds) if kind in _ROLES or kind in _ROLES_BEFORE]
    if roles[0] == 0:
        after = max(i for i, kind in enumerate(kinds) if kind in _ROLES) + 1
        return " ".join(words[after:]) if len(words) - after > 1 else ""
    return " ".join(words[: roles[0]]) if roles[0] > 1 else ""


def starts_byline(text: str) -> bool:
    words = text[:40].lower().split(None, 1)
    if not words:
        return False
    first = words[0]
    # Most texts end here, without the pattern.
    if first.rstrip(":|") not in _FIRST_WORDS and (
        first.isascii() or not first.startswith(_FIRST_LETTERS)
    ):
        return False
    return _BY.match(text) is not None


def _strip_date(text: str) -> str:
    """Strip a date in words and what follows it: "Ann Lee December 2"."""
    words = text.split()
    for at in range(1, len(words)):
        before, word = words[at - 1].strip(".,"), words[at]
        month_first = word[0].isdigit() and before.lower() in MONTHS
        if month_first or (before.isdigit() and word.strip(".,").lower() in MONTHS):
            return " ".join(words[: at - 1])
    return text


# Bylines in the page

# Blocks before and after the headline among which a byline is looked for. Half as many find fewer
# names (wcxb-dev -.006, trafilatura-eval -.018), twice as many hardly more (+.003, .000).
_BEFORE, _AFTER = 10, 30
_MOST_TEXTS = 12
_LONGEST_BYLINE = 15  # words
# Points for words in the attributes of an element, and for a text that begins with "by". A byline
# loses a twentieth for each block after the headline, and a tenth for each block before it.
_HINTS = dict.fromkeys((b"author", b"byline", b"autor", b"writer", b"posted-by"), 2.0) | {
    b"username": 1.5,
    b"/user": 1.0,
}
_HINTED = list(_HINTS)
_DECLARED, _NAMED, _SAYS_BY, _LONG, _PART = 3.0, 1.0, 2.0, -1.0, -1.5
_ONLY_SAYS_BY = 2.5
_LEAST = 0.5
_MANY = 3
# Parts of a box about the author that are not the name.
_OTHER_PART = re.compile(
    rb"bio|avatar|image|photo|img|social|title|role|job|position|date|time|comment|related|count"
    rb"|review|testimonial|log_?in|sign_?in|sign_?up|register"
    rb"|authori[sz]|authority"
)
_REL, _ITEMPROP, _HREF, *_NAMES = tags.find_attribute_ids("rel itemprop href class id")
_IS_READ = np.zeros(len(tags.ATTRIBUTES), np.uint8)
_IS_READ[[_REL, _ITEMPROP, _HREF, *_NAMES]] = True
# Lines of a byline that belong together.
_GOES_ON = re.compile(r"(?:,|&|\b(?:and|und|et|y|e|og|och|en|ja|by|von)):?$", re.IGNORECASE)
_CONTINUES = re.compile(r",|&|(?:and|und|et|y|e|og|och|en|ja)\b", re.IGNORECASE)

_META_NAMES = read_word_lists("metadata/meta_names.tsv")["authors"]


class _Byline(NamedTuple):
    points: float
    node: int
    """The element, -1 if it is a whole block."""
    block: int


def find_authors(
    page: Page, headline: int, url: str, people: list[str], *, is_dated: bool
) -> tuple[tuple[str, ...], str]:
    """Find the names of the authors, and where they come from.

    `headline` is a block, and `people` are the authors of the main object of the JSON-LD.

    Names that only repeat the site's name are the last choice, and only on pages that are dated or
    articles: shops and services call themselves authors, too.
    """
    declared, own = page.declared, find_own_names(page, url)
    claims = [(people, "json-ld")]
    for name in _META_NAMES:
        if name in declared.meta and (candidates := list(declared.of_meta([name]))):
            claims.append(([content for content, _ in candidates], candidates[0][1]))
    for number in "12":
        # What a reader sees beside a shared link: "Written by" and a name.
        label = next(declared.contents("twitter:label" + number), "")
        if starts_byline(label + " "):
            claims.append(([*declared.contents("twitter:data" + number)], "meta"))
    last: tuple[tuple[str, ...], str] = ((), "")
    for values, source in (*claims, (None, "html")):
        if values is None:
            names = find_byline(page, headline)
        else:
            names = list(dict.fromkeys(chain.from_iterable(map(read_names, values[:_MOST]))))
        if not all(names_site(name, own) for name in names):
            return tuple(names), source
        if not last[0]:
            last = tuple(names), source
    kinds = [*declared.contents("og:type"), *list_texts(declared.main.get("@type"))]
    is_article = any(kind.lower().endswith(("article", "posting", "blog")) for kind in kinds)
    return last if is_dated or is_article else ((), "")


def find_byline(page: Page, headline: int) -> list[str]:
    """Find the names in the element near the headline that looks most like a byline."""
    likely = sorted(_list_bylines(page, headline), key=attrgetter("points"), reverse=True)
    listed = _find_listed(page, likely)
    for _, node, block in likely:
        if block in listed:
            continue
        lines = [page.block_text(block)] if node < 0 else page.node_text(node).split("\n")
        for text in _join_lines(lines):
            if authors := read_names(text):
                return authors
    return []


def _find_listed(page: Page, likely: list[_Byline]) -> set[int]:
    """Find blocks that look the same below several headings: these name authors of teasers."""
    if len(likely) < _MANY:
        return set()
    alike: dict[tuple[int, str | None], set[int]] = {}
    for _, node, block in likely:
        tag = -1 if node < 0 else int(page.nodes.tag[node])
        look = tag, None if node < 0 else page.attribute(node, "class")
        alike.setdefault(look, set()).add(block)
    listed: set[int] = set()
    for blocks in alike.values():
        if len(blocks) < _MANY:
            continue
        low = min(blocks)
        before = np.cumsum(page.blocks.flags[low : max(blocks) + 1] & tags.IN_HEADING != 0)
        sections = {int(before[block - low]) for block in blocks}
        if len(sections) >= _MANY and len(set(map(page.block_text, blocks))) > 1:
            listed |= blocks
    return listed


def _join_lines(lines: list[str]) -> Iterator[str]:
    """Join lines that belong together; ranks, places and dates are in other lines."""
    text = ""
    for number, line in enumerate(lines, 1):
        if len(line) > 1:
            text = f"{text} {line}".strip()
        if number == len(lines) or not (_GOES_ON.search(text) or _CONTINUES.match(lines[number])):
            yield _strip_initial(text)


def _list_bylines(page: Page, headline: int) -> Iterator[_Byline]:
    """List elements near the headline that speak of an author, and texts that begin with "by"."""
    blocks, texts, nodes = page.blocks, page.texts, page.nodes
    low, high = max(headline - _BEFORE, 0), min(headline + _AFTER, len(blocks))
    for node, points in _find_hinted(page, low, high).items():
        first, end = int(nodes.first_text[node]), int(nodes.end_text[node])
        if not 0 < end - first <= _MOST_TEXTS:
            continue
        words = int(texts.words[first:end].sum())
        if words > _LONGEST_BYLINE:
            continue
        if starts_byline(page.node_text(node).replace("\n", " ")):
            points += _SAYS_BY
        elif words >= _MOST_WORDS:
            points += _LONG
        block = int(texts.block[first])
        points -= _measure_distance(block - headline)
        if points > _LEAST:
            yield _Byline(points, node, block)
    short = np.flatnonzero(blocks.words[low:high] <= _LONGEST_BYLINE) + low
    starts = texts.start[blocks.first_text[short]]
    for block, start in zip(short.tolist(), starts.tolist(), strict=True):
        if starts_byline(page.source[start : start + 40].decode("utf-8", "ignore")):
            yield _Byline(_ONLY_SAYS_BY - _measure_distance(block - headline), -1, block)


def _measure_distance(blocks: int) -> float:
    return blocks / 20 if blocks >= 0 else -blocks / 10


def _find_hinted(page: Page, low: int, high: int) -> dict[int, float]:
    """Find the elements in a range of blocks whose attributes speak of an author; give points."""
    if low >= high:
        return {}
    attributes, starts, ends = page.attribute_rows
    begin = page.nodes.start[page.blocks.node[low]]
    stop = page.texts.end[page.blocks.end_text[high - 1] - 1]
    rows = slice(*starts.searchsorted((begin, stop)).tolist())
    is_read = _IS_READ[attributes[rows]]
    found = find_hints(page.source, starts[rows], ends[rows], is_read, _HINTED)
    of_node: dict[int, float] = {}
    for hint, place in found:
        row = rows.start + place
        node = int(page.nodes.attributes.searchsorted(row, "right")) - 1
        value = page.source[starts[row] : ends[row]].lower()
        points, is_other = _HINTS[_HINTED[hint]], _OTHER_PART.search(value)
        if attributes[row] in (_REL, _ITEMPROP):
            points = _DECLARED
        elif attributes[row] != _HREF or is_other:
            if b"name" in value and b"username" not in value:
                points += _NAMED
            if is_other:
                points += _PART
        of_node[node] = max(of_node.get(node, 0.0), points)
    return of_node
