"""Clues of posts in a page: dates, links to profiles, permalinks, numbered ids, names of elements.

Words of class names and ids are English on pages of most languages; dates, links and numbers need
no language at all.
"""

from __future__ import annotations

import datetime as dt
import re
from functools import cached_property, lru_cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from tamis import limits
from tamis.describe import dates
from tamis.describe.word_lists import word_lists
from tamis.page import json_ld, tags
from tamis.page.table import Page

Flags = npt.NDArray[np.bool_]

# What the name of an element says about it, as bits.
_LISTS = word_lists("post_names.tsv")
_BITS = {kind: 1 << place for place, kind in enumerate(_LISTS)}
POST, COMMENT, AUTHOR, DATE, SIGNATURE, CONTROL, QUOTE, PROFILE = (
    _BITS[kind] for kind in "post comment author date signature control quote profile".split()
)
_WORDS: dict[str, int] = {}
for _kind, _words in _LISTS.items():
    for _word in _words:
        _WORDS[_word] = _WORDS.get(_word, 0) | _BITS[_kind]
# blockpost, postbody
_COMPOUND = re.compile(
    "[a-z]{{2,}}({0})|({0})(?:{1})".format("|".join(_LISTS["post"]), "|".join(_LISTS["part"]))
)
_WORD = re.compile(r"[a-z]+|[A-Z][a-z]+|[A-Z]+")
_DIGITS = re.compile(r"\d+")
_TYPE = re.compile(r"(?:DiscussionForumPosting|Comment|Answer|Question|Message)$")
_CLASS, _ID, _HREF, _ITEMTYPE, _NAME, _DATETIME, _ITEMPROP, _REL = (
    tags.ATTRIBUTE_ID[name]
    for name in ("class", "id", "href", "itemtype", "name", "datetime", "itemprop", "rel")
)

UNSEEN = (tags.HIDDEN & ~tags.IN_NOSCRIPT) | tags.IN_CONTROL
"""What is not looked at; threads that scripts show are in noscript."""

_MOST_NAMES = 12  # of an element
_LONGEST = 200  # characters of an attribute that are looked at
_LONGEST_ADDRESS = 150  # characters at the end of an address
_LONGEST_DATE = 80
_MOST_WORDS, _MOST_HINTED_WORDS, _MOST_DIGITS = 14, 6, 24  # of a text that is a date
_CLOCK = re.compile(r"(?<![\d:.])\d{1,2}[:h]\d{2}(?![\d.])")
_SLASHES = re.compile(r"(?<![\d/])(\d{1,2})/(\d{1,2})/(?:\d{4}|\d\d)(?![\d/])")
_COPYRIGHT = re.compile(
    rb"(?:\xc2\xa9|&copy;|&#169;|[Cc]opyright)[^<>]{0,40}?(20\d\d)"
    rb"(?:\s?(?:-|\xe2\x80\x93)\s?(20\d\d))?"
)
_STAMP = re.compile(r"1\d{9}(?:\d{3})?$")
_PERMALINK = re.compile(
    r"#[\w.:=-]*\d{2,}|[?&;](?:p|pid|post|comment|msg)=?\d+|/(?:post|comment)s?[-/]\d+"
)


class _Meaning(NamedTuple):
    kinds: int
    names: tuple[str, ...]
    numbered: bool


@lru_cache(4096)
def _meaning(value: str) -> _Meaning:
    """What the names in a class, an id, a property or a relation say."""
    kinds = 0
    for word in map(str.lower, _WORD.findall(value)):
        kinds |= _WORDS.get(word, 0)
        if match := _COMPOUND.fullmatch(word):
            kinds |= _WORDS[match[1] or match[2]]
    numbered = _DIGITS.search(value) is not None
    names = tuple(_DIGITS.sub("0", name) for name in value.split()[:_MOST_NAMES])
    return _Meaning(kinds & ~PROFILE, names, numbered)


@lru_cache(4096)
def _leads_to_profile(href: str) -> bool:
    """Whether an address has a step or a field that speaks of a person."""
    words = _WORD.findall(href[-_LONGEST_ADDRESS:])
    return any(_WORDS.get(word.lower(), 0) & PROFILE for word in words)


class Clues:
    """The clues of a page, found in one pass over its attributes and short texts."""

    def __init__(
        self, page: Page, month_first: bool | None = None, today: dt.date | None = None
    ) -> None:
        self.page, self.month_first, self.today = page, month_first, today
        nodes = len(page.nodes)
        self.kinds = np.zeros(nodes, np.int64)
        """What the names of each element say."""
        self.has_permalink = np.zeros(nodes, bool)
        """Whether it leads to a post, or has a name with a number that a link may lead to."""
        self.is_numbered = np.zeros(nodes, bool)
        """Whether its id has a number."""
        self.is_typed = np.zeros(nodes, bool)
        """Whether schema.org's word for a post stands on it."""
        self.names: dict[int, list[str]] = {}
        """Names of elements, numbers in them replaced, so that they repeat."""
        self.hrefs: dict[int, str] = {}
        """Where elements lead, as it stands in the source."""
        self._read_attributes()

    def _read_attributes(self) -> None:
        page = self.page
        numbers, starts, ends = page.attribute_rows
        wanted = [_CLASS, _ID, _HREF, _ITEMTYPE, _NAME, _ITEMPROP, _REL]
        rows = np.flatnonzero(np.isin(numbers, wanted))
        nodes = np.searchsorted(page.nodes.attributes, rows, side="right") - 1
        columns = nodes, numbers[rows], starts[rows], np.minimum(ends, starts + _LONGEST)[rows]
        lists = (column.tolist() for column in columns)
        for node, number, start, end in limits.checked(zip(*lists, strict=True)):
            value = page.source[start:end].decode("utf-8", "replace")
            if number == _HREF:
                self.hrefs[node] = value
                self.has_permalink[node] |= _PERMALINK.search(value) is not None
                self.kinds[node] |= PROFILE * _leads_to_profile(value)
            elif number == _ITEMTYPE:
                if _TYPE.search(value):
                    self.is_typed[node] = True
                    self.kinds[node] |= POST
                self.names.setdefault(node, []).append(value)
            else:
                self._read_name(node, number, _meaning(value))

    def _read_name(self, node: int, number: int, meaning: _Meaning) -> None:
        if number in (_ID, _NAME):
            self.has_permalink[node] |= meaning.numbered
        if number == _NAME:
            return
        self.kinds[node] |= meaning.kinds
        if number == _ID:
            self.is_numbered[node] = meaning.numbered
        # An id without a number is there once.
        if meaning.names and (number != _ID or meaning.numbered):
            self.names.setdefault(node, []).extend(meaning.names)

    @cached_property
    def people(self) -> frozenset[str]:
        """The authors of posts that the JSON-LD of the page names."""
        objects = self.page.declared.objects
        return frozenset(
            name
            for described in objects
            if any(map(_TYPE.search, json_ld.texts(described.get("@type"))))
            for name in json_ld.people(described, objects)
        )

    # Dates

    @cached_property
    def moments(self) -> dict[int, str]:
        """Elements without text that carry a date in an attribute."""
        nodes = self.page.nodes
        rows = np.flatnonzero(np.isin(self.page.attribute_rows[0], [_DATETIME, _ITEMPROP]))
        holders = np.unique(np.searchsorted(nodes.attributes, rows, side="right") - 1)
        holders = holders[nodes.first_text[holders] == nodes.end_text[holders]]
        made = {}
        for node in limits.checked(holders.tolist(), 100):
            for name in ("datetime", "content"):
                value = self.page.attribute(node, name)
                if value and (date := self._iso(value)):
                    made[node] = date
                    break
        return made

    @cached_property
    def dated(self) -> dict[int, str]:
        """Texts that are dates, in ISO 8601, empty where the day or the year is not known."""
        texts, nodes = self.page.texts, self.page.nodes
        hints = self.kinds[texts.node] | self.kinds[np.maximum(nodes.parent[texts.node], 0)]
        hinted = (hints & DATE != 0) | (nodes.tag[texts.node] == tags.ID["time"])
        short = (texts.digits > 0) & (texts.digits <= _MOST_DIGITS) & (texts.words <= _MOST_WORDS)
        short |= hinted & (texts.words <= _MOST_HINTED_WORDS)
        places = np.flatnonzero(short & (texts.flags & UNSEEN == 0))
        values: dict[int, str] = {}
        for text, hint in limits.checked(
            zip(places.tolist(), hinted[places].tolist(), strict=True), 100
        ):
            date = self._date_of(text, hint)
            if date is not None:
                values[text] = date
        return values

    def _date_of(self, text: int, hinted: bool) -> str | None:
        content = self.page.text(text)[:_LONGEST_DATE]
        has_digits = any(map(str.isdigit, content))
        shown = self._iso(content) if has_digits else None
        if exact := self._declared(int(self.page.texts.node[text])):
            return exact
        if shown:
            return shown
        if dates.names_a_day(content):
            return (self._latest and dates.day_without_year(content, self._latest)) or ""
        is_date = _CLOCK.search(content) or (hinted and has_digits)
        return "" if is_date or self._is_time(text) else None

    def _is_time(self, text: int) -> bool:
        return bool(self.page.nodes.tag[self.page.texts.node[text]] == tags.ID["time"])

    def _declared(self, node: int) -> str | None:
        """A moment in the attributes of an element or the one around it, if these are small."""
        nodes = self.page.nodes
        for holder in (node, int(nodes.parent[node])):
            if holder < 0 or nodes.end_text[holder] - nodes.first_text[holder] > 3:
                break
            for name, value in self.page.attributes(holder).items():
                of_data = name.startswith("data-") and (_STAMP.match(value) or "T" in value)
                if (of_data or name in ("datetime", "title")) and (date := self._iso(value)):
                    return date
        return None

    def _iso(self, text: str) -> str | None:
        """The day in a short text, if there is a whole one."""
        if len(text) > _LONGEST:
            return None
        date = dates.iso(text, month_first=self._month_first if "/" in text else None)
        return date if date and len(date) >= 10 and date >= dates.EARLIEST else None

    @cached_property
    def _latest(self) -> dt.date | None:
        """No date is later: today, or the end of the last year of a copyright."""
        if self.today:
            return self.today
        years = [int(match[2] or match[1]) for match in _COPYRIGHT.finditer(self.page.source)]
        return dt.date(max(years), 12, 31) if years else None

    @cached_property
    def _month_first(self) -> bool:
        """Whether 3/4/2025 is in March: as other dates of the page say, or its language."""
        texts = self.page.texts
        short = (texts.digits >= 4) & (texts.digits <= _MOST_DIGITS) & (texts.words <= _MOST_WORDS)
        day_first = month_first = 0
        for text in limits.checked(np.flatnonzero(short).tolist()):
            if match := _SLASHES.search(self.page.text(text)[:_LONGEST_DATE]):
                day_first += int(match[1]) > 12 >= int(match[2])
                month_first += int(match[2]) > 12 >= int(match[1])
        if day_first != month_first:
            return month_first > day_first
        return self.month_first is not False
