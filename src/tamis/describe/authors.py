"""Names of authors out of what pages write where a name should be."""

from __future__ import annotations

import re
from collections.abc import Iterator
from operator import itemgetter

import numpy as np
import numpy.typing as npt

from tamis.describe import candidates
from tamis.describe.dates import MONTHS
from tamis.describe.word_lists import word_lists
from tamis.page import tags
from tamis.page.table import Page

_WORDS = word_lists("bylines.tsv")
_BEFORE_BY, _SPACED_BY, _UNSPACED_BY = (
    "|".join(_WORDS[name]) for name in ("before_by", "by", "by_unspaced")
)
_BY = re.compile(
    rf"(?:(?:{_BEFORE_BY})\s+)?(?:{_SPACED_BY})(?:\s*[:|]\s*|\s+)|(?:{_UNSPACED_BY})[\s:：|]*",
    re.IGNORECASE,
)
_FIRST_WORDS = frozenset((*_WORDS["by"], *_WORDS["before_by"]))
_FIRST_LETTERS = tuple(_WORDS["by_unspaced"])


def _beginnings() -> npt.NDArray[np.uint8]:
    """Which pairs of bytes a byline may begin with, by the first times 256 and the second.

    White space, the letters of its first words, all but ASCII.
    """
    pairs = np.zeros((256, 256), np.uint8)
    pairs[[*range(128, 256), *b" \t\n\v\f\r\x1c\x1d\x1e\x1f"]] = True
    for word in filter(str.isascii, (word[:1] for word in _FIRST_WORDS)):
        pairs[[*(word + word.upper()).encode()], 128:] = True
    for word in filter(str.isascii, (word[:2] for word in _FIRST_WORDS)):
        first, second = ([*(letter + letter.upper()).encode()] for letter in word)
        pairs[np.ix_(first, second)] = True
    return pairs.reshape(-1)


_BEGINNINGS = _beginnings()

_SEPARATOR = re.compile(
    r"\s*(?:[;|/•·●⋅»›、，]|,(?!\s*(?:jr|sr)\b)|\s(?:and|und|&|et|y|e|og|och|en|ja)\s)\s*",
    re.IGNORECASE,
)
# What most authors are called: a first name, perhaps a second, and a last name. No word of it has
# any meaning in a byline but "By", "And" and what people do.
_PLAIN = re.compile(r"[A-Z][a-z]+(?: [A-Z][a-z]+)? [A-Z][a-z]+")
_OTHER_WORDS = (
    _FIRST_WORDS | frozenset("and und et y e og och en ja".split()) | frozenset(_WORDS["role"])
)
_NOISE = re.compile(
    r"\([^)]*\)|\[[^\]]*\]|<[^>]*>|https?://\S+"
    r"|(?<![^\s)\]>])\S[^\s@]*@\S[^\s.]*\.\S+|(?<!\S)@\w+|\s[-–—]\s.*$"
)
_MAY_BE_NOISE = re.compile(r"[(\[<@:–—-]")  # it has one of these
# Where a byline ends and something else begins: a place, a date in digits.
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
# What an element named for an author may hold instead: buttons, days, kinds of documents.
_NO_NAME_AT_ALL = re.compile(
    r"sign(?: (?:in|up))?|log ?in|register(?: now)?|write|written by|link|learn more|read more"
    r"|updated|published|(?:articles?|artikel) (?:by|von)\b.*|by|von"
    r"|(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?"
    r"|(?:.* )?(?:guide|guidelines|manual|documentation|handbook|tutorial|tips|reviews?"
    r"|testimonials?)"
    r"|.*(?:§|--|\?$|\.author$|\.name$).*",
    re.IGNORECASE,
)
# A phrase out of a sentence; names in lower case begin with other words.
_PHRASE = re.compile(r"(?:the|to|and|of|an?|in|for|with|your|our|or|at|as|is|if|you|this|that) ")
_ROLES_BEFORE, _ROLES = frozenset(_WORDS["role_before"]), frozenset(_WORDS["role"])
_OF_ROLES = frozenset(("the", "of", "to", "daily", "weekly"))  # "Letters to the Editor"
_LAST_WORDS = re.compile(r"\s+(?:OP|Published|Updated|\d+(?:st|nd|rd|th))$")
# Who checked a text has not written it.
_CHECKED = re.compile(
    r"(?:^|[\s.,])(?:(?:fact|medically)[ -])?(?:checked|reviewed|edited|illustrated) by\b.*$",
    re.IGNORECASE,
)
_ABBREVIATION = re.compile(r"\b[^\W\d_]{1,3}\.$")
_LONGEST = 60
_MOST_WORDS = 6
_MOST = 20


def names(text: str) -> list[str]:
    """The names in a value or a byline, in order, each once.

    >>> names("By Ann Lee and Bo Ek, PhD | 3 May 2024")
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
    text = _END.sub("", _without_date(_CHECKED.sub("", text)))
    by_folded: dict[str, str] = {}
    for piece in _SEPARATOR.split(text)[:_MOST]:
        name = piece.strip(" ,:;|-–—*~\"'“”").lstrip(". ")
        if name.endswith(".") and not _ABBREVIATION.search(name):
            name = name.rstrip(". ")
        name = _without_role(_LAST_WORDS.sub("", name))
        if is_name(name) and not (by_folded and _DEGREE.fullmatch(name)):
            by_folded.setdefault(name.casefold(), name)
    return list(by_folded.values())


def names_in(values: list[str]) -> list[str]:
    """The names in several values, each once."""
    return list(dict.fromkeys(name for value in values[:_MOST] for name in names(value)))


def is_name(name: str) -> bool:
    """Whether it may be the name of a person, a group or a user."""
    return (
        1 < len(name) <= _LONGEST
        and len(name.split()) <= _MOST_WORDS
        and any(map(str.isalpha, name))
        and not _NO_NAME.match(name)
        and not _NO_NAME_AT_ALL.fullmatch(name)
    )


def _without_initial(name: str) -> str:
    """A name without the letter that stands for a picture: "E Eric Ek", "Premo3 P"."""
    words = name.split()
    if len(words) > 1 and len(words[1]) > 1 and words[0] == words[1][0].upper():
        return " ".join(words[1:])
    if len(words) == 2 and words[1] == words[0][0].upper():
        return words[0]
    return name


def _without_role(name: str) -> str:
    """A name without what its bearer does: "Ann Lee Senior Autos Reporter"; empty if it is that."""
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
    """Whether a text begins as bylines do."""
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


def _without_date(text: str) -> str:
    """A byline up to a date in words: "Ann Lee December 2"."""
    words = text.split()
    for at in range(1, len(words)):
        before, word = words[at - 1].strip(".,"), words[at]
        month_first = word[0].isdigit() and before.lower() in MONTHS
        if month_first or (before.isdigit() and word.strip(".,").lower() in MONTHS):
            return " ".join(words[: at - 1])
    return text


# --- Bylines in the page --------------------------------------------------------------------

# Blocks before and after the headline among which a byline is looked for. Half as many find fewer
# names (wcxb-dev -.006, trafilatura-eval -.018), twice as many hardly more (+.003, .000).
_BEFORE, _AFTER = 10, 30
_MOST_TEXTS = 12
_LONGEST_BYLINE = 15  # words
# Points: what the attributes of an element say, a text that begins with "by", and a twentieth less
# for each block after the headline, a tenth for each before it.
_HINTS = dict.fromkeys((b"author", b"byline", b"autor", b"writer", b"posted-by"), 2.0) | {
    b"username": 1.5,
    b"/user": 1.0,
}
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
_CLASS, _ID, _REL, _ITEMPROP, _HREF = (
    tags.ATTRIBUTE_ID[name] for name in ("class", "id", "rel", "itemprop", "href")
)
_LOOKED_AT = np.zeros(len(tags.ATTRIBUTES), np.uint8)
_LOOKED_AT[[_CLASS, _ID, _REL, _ITEMPROP, _HREF]] = True
_HINTED = list(_HINTS)
# Lines of a byline that are one.
_GOES_ON = re.compile(r"(?:,|&|\b(?:and|und|et|y|e|og|och|en|ja|by|von)):?$", re.IGNORECASE)
_CONTINUES = re.compile(r",|&|(?:and|und|et|y|e|og|och|en|ja)\b", re.IGNORECASE)


def byline(page: Page, headline: int) -> list[str]:
    """The names in the element near the headline that looks most like a byline."""
    likely = [candidate for candidate in _candidates(page, headline) if candidate[0] > _LEAST]
    likely.sort(key=itemgetter(0), reverse=True)
    listed = _find_listed(page, likely)
    for _, node, block in likely:
        if block in listed:
            continue
        lines = [page.block_text(block)] if node < 0 else page.node_text(node).split("\n")
        if authors := _names_in_lines(lines):
            return authors
    return []


def _find_listed(page: Page, likely: list[tuple[float, int, int]]) -> set[int]:
    """Blocks that look the same below several headings: authors of teasers, not of the page."""
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
        if len(sections) >= _MANY and len({page.block_text(block) for block in blocks}) > 1:
            listed |= blocks
    return listed


def _names_in_lines(lines: list[str]) -> list[str]:
    """The names in the first lines that have any; ranks, places and dates are in others."""
    text = ""
    for number, line in enumerate(lines, 1):
        if len(line) > 1:
            text = f"{text} {line}".strip()
        goes_on = number < len(lines) and (_GOES_ON.search(text) or _CONTINUES.match(lines[number]))
        if not goes_on and (authors := names(_without_initial(text))):
            return authors
    return []


def _candidates(page: Page, headline: int) -> Iterator[tuple[float, int, int]]:
    """Points, and an element or -1 and the block of what may be a byline."""
    blocks, texts, nodes = page.blocks, page.texts, page.nodes
    first, end = max(headline - _BEFORE, 0), min(headline + _AFTER, len(blocks))
    hinted = _find_hinted(page, first, end)
    numbers = np.fromiter(hinted, np.intp, len(hinted))
    firsts, stops = nodes.first_text[numbers].tolist(), nodes.end_text[numbers].tolist()
    for (node, points), text, stop in zip(hinted.items(), firsts, stops, strict=True):
        if not 0 < stop - text <= _MOST_TEXTS:
            continue
        words = sum(texts.words[text:stop].tolist())
        if words > _LONGEST_BYLINE:
            continue
        if _may_start(page, text) and starts_byline(page.node_text(node).replace("\n", " ")):
            points += _SAYS_BY
        elif words >= _MOST_WORDS:
            points += _LONG
        block = int(texts.block[text])
        yield points - _away(block - headline), node, block
    # Most texts are not decoded for this.
    for place, start in candidates.with_beginnings(
        page.source,
        texts.start,
        blocks.first_text[first:end],
        blocks.words[first:end],
        _LONGEST_BYLINE,
        _BEGINNINGS,
    ):
        if starts_byline(page.source[start : start + 40].decode("utf-8", "ignore")):
            yield _ONLY_SAYS_BY - _away(first + place - headline), -1, first + place


def _may_start(page: Page, text: int) -> bool:
    """Whether a byline may begin with this text; most do not, and are not decoded for it."""
    start = int(page.texts.start[text])
    two = page.source[start : min(start + 2, int(page.texts.end[text]))]
    return (
        len(two) < 2
        or b"&" in two
        or b"\0" in two
        or bool(_BEGINNINGS[two[0] << 8 | two[1]])
        or bool(page.texts.flags[text] & tags.HIDDEN)
    )


def _away(blocks: int) -> float:
    return blocks / 20 if blocks >= 0 else -blocks / 10


def _find_hinted(page: Page, first: int, end: int) -> dict[int, float]:
    """Elements in a range of blocks whose attributes speak of an author, with their points."""
    if first >= end:
        return {}
    attributes, starts, ends = page.attribute_rows
    begin = page.nodes.start[page.blocks.node[first]]
    stop = page.texts.end[page.blocks.end_text[end - 1] - 1]
    low, high = starts.searchsorted((begin, stop)).tolist()
    matches = candidates.with_hints(
        page.source, page.nodes.attributes, page.attribute_rows, low, high, _LOOKED_AT, _HINTED
    )
    of_node: dict[int, float] = {}
    for hint, row, node in matches:
        value = page.source[int(starts[row]) : int(ends[row])].lower()
        worth = _worth(int(attributes[row]), value, _HINTS[_HINTED[hint]])
        of_node[node] = max(of_node.get(node, 0.0), worth)
    return of_node


def _worth(attribute: int, value: bytes, points: float) -> float:
    if attribute in (_REL, _ITEMPROP):
        return _DECLARED
    if attribute == _HREF and not _OTHER_PART.search(value):
        return points
    if b"name" in value and b"username" not in value:
        points += _NAMED
    return points + _PART if _OTHER_PART.search(value) else points
