"""Clues of posts in a page: dates, links to profiles, permalinks, numbered ids, names of elements.

Words of class names and ids are English on pages of most languages; dates, links and numbers need
no language at all.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Sequence
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from tamis import limits
from tamis.describe import dates
from tamis.describe.posts import values
from tamis.describe.word_lists import word_lists
from tamis.page import json_ld, tags
from tamis.page.hashes import distinct
from tamis.page.table import Page

Flags = npt.NDArray[np.bool_]
Ints = npt.NDArray[np.signedinteger[Any]]

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
# No character; a page that has it gets other clues.
_BETWEEN = "\uffff"
_WORD = re.compile(rf"[a-z]+|[A-Z][a-z]+|[A-Z]+|{_BETWEEN}")
_DIGITS = re.compile(r"\d+")
_TYPE = re.compile(r"(?:DiscussionForumPosting|Comment|Answer|Question|Message)$")
_CLASS, _ID, _HREF, _ITEMTYPE, _NAME, _DATETIME, _ITEMPROP, _REL = (
    tags.ATTRIBUTE_ID[name]
    for name in ("class", "id", "href", "itemtype", "name", "datetime", "itemprop", "rel")
)

_NAMING = np.zeros(len(tags.ATTRIBUTES), bool)
_NAMING[[_CLASS, _ID, _ITEMTYPE, _NAME, _ITEMPROP, _REL]] = True


def _hashed(words: Sequence[str]) -> npt.NDArray[np.uint64]:
    ends = np.cumsum([len(word) for word in words]).astype(np.intc)
    return values.hashes("".join(words).encode(), np.append(np.intc(0), ends[:-1]), ends)


_PEOPLE = _hashed(_LISTS["profile"])

UNSEEN = (tags.HIDDEN & ~tags.IN_NOSCRIPT) | tags.IN_CONTROL
"""What is not looked at; threads that scripts show are in noscript."""

_MOST_KNOWN = 50_000  # words that are remembered
_MOST_NAMES = 12  # of an element
_LONGEST = 200  # characters of an attribute that are looked at
_LONGEST_DATE = 80
_MOST_WORDS, _MOST_HINTED_WORDS, _MOST_DIGITS = 14, 6, 24  # of a text that is a date
_FEWEST_DIGITS = 3  # of a whole date: 1-May-23
_YEAR = re.compile(r"\d{4}|\d\s?[-/.]\s?\d{1,2}\s?[-/.]|[-'’]\d\d")  # or a part of a date with one
_CLOCK = re.compile(r"(?<![\d:.])\d{1,2}[:h]\d{2}(?![\d.])")
_SLASHES = re.compile(r"(?<![\d/])(\d{1,2})/(\d{1,2})/(?:\d{4}|\d\d)(?![\d/])")
_COPYRIGHT_SIGNS = (b"\xc2\xa9", b"&copy;", b"&#169;", b"Copyright", b"copyright")
_YEARS = re.compile(rb"[^<>]{0,40}?(20\d\d)(?:\s?(?:-|\xe2\x80\x93)\s?(20\d\d))?")
_STAMP = re.compile(r"1\d{9}(?:\d{3})?$")
_PERMALINK = re.compile(
    r"#[\w.:=-]*\d{2,}|[?&;](?:p|pid|post|comment|msg)=?\d+|/(?:post|comment)s?[-/]\d+"
)


class _Kinds(dict[str, int]):
    """What words of names say; each is looked at once."""

    def __missing__(self, word: str) -> int:
        if len(self) >= _MOST_KNOWN:
            self.clear()
        small = word.lower()
        match = _COMPOUND.fullmatch(small)
        kinds = _WORDS.get(small, 0) | (_WORDS[match[1] or match[2]] if match else 0)
        self[word] = kinds & ~PROFILE
        return self[word]


_KINDS = _Kinds()


class _Meanings(NamedTuple):
    """What values of attributes say, each once."""

    kinds: list[int]
    numbered: list[bool]
    names: list[list[str]]
    """The names in each, numbers in them replaced, so that they repeat."""

    @classmethod
    def of(cls, values: list[str]) -> _Meanings:
        """The meanings of values with names; all are read at once, which is much faster."""
        joined = _BETWEEN.join(values)
        kinds, own = [], 0
        for word in _WORD.findall(joined):
            if word == _BETWEEN:
                kinds.append(own)
                own = 0
            else:
                own |= _KINDS[word]
        kinds.append(own)
        replaced = _DIGITS.sub("0", joined).split(_BETWEEN)
        names = [value.split()[:_MOST_NAMES] for value in replaced]
        return cls(kinds, ["0" in value for value in replaced], names)


class Clues:
    """The clues of a page, found in one pass over its attributes and short texts."""

    def __init__(
        self, page: Page, month_first: bool | None = None, today: dt.date | None = None
    ) -> None:
        self.page, self.month_first, self.today = page, month_first, today
        nodes = len(page.nodes)
        self.kinds = np.zeros(nodes, np.intc)
        """What the names of each element say."""
        self.has_permalink = np.zeros(nodes, bool)
        """Whether it leads to a post, or has a name with a number that a link may lead to."""
        self.is_numbered = np.zeros(nodes, bool)
        """Whether its id has a number."""
        self.is_typed = np.zeros(nodes, bool)
        """Whether schema.org's word for a post stands on it."""
        numbers = page.attribute_rows[0]
        self._read_links(np.flatnonzero(numbers == _HREF))
        self._read_names(np.flatnonzero(_NAMING[numbers]))

    def _values(self, rows: Ints) -> tuple[Ints, Ints, Ints]:
        """The nodes of these rows of attributes, and where their values begin and end."""
        _, starts, ends = self.page.attribute_rows
        nodes = np.searchsorted(self.page.nodes.attributes, rows, side="right") - 1
        starts = starts[rows]
        return nodes, starts, np.minimum(ends[rows], starts + np.intc(_LONGEST))

    def _read_links(self, rows: Ints) -> None:
        source = self.page.source
        nodes, starts, ends = self._values(rows)
        self.links = nodes
        """The elements that lead somewhere."""
        self._hrefs = starts, ends
        leads = values.leads(source, starts, ends, _PEOPLE)
        self.kinds[nodes] |= np.where(leads & values.TO_PROFILE, np.intc(PROFILE), np.intc(0))
        for row in limits.checked(np.flatnonzero(leads & values.TO_POST).tolist()):
            address = source[starts[row] : ends[row]].decode("utf-8", "replace")
            if _PERMALINK.search(address):
                self.has_permalink[nodes[row]] = True

    def _read_names(self, rows: Ints) -> None:
        """Read each value once; on forums most are there in every post."""
        source, attribute = self.page.source, self.page.attribute_rows[0][rows]
        nodes, starts, ends = self._values(rows)
        keys = values.hashes(source, starts, ends) ^ (attribute == _ITEMTYPE)
        group, firsts = values.groups(keys)
        columns = (starts[firsts].tolist(), ends[firsts].tolist())
        texts = [
            source[start:end].decode("utf-8", "replace").replace(_BETWEEN, " ")
            for start, end in limits.checked(zip(*columns, strict=True))
        ]
        meanings = _Meanings.of(texts)
        for place in np.flatnonzero(attribute[firsts] == _ITEMTYPE).tolist():
            is_typed = _TYPE.search(texts[place]) is not None
            meanings.kinds[place], meanings.names[place] = POST * is_typed, [texts[place]]
            self.is_typed[nodes[group == place]] = is_typed
        is_id, is_name = attribute == _ID, attribute == _NAME
        numbered = np.array(meanings.numbered, bool)[group]
        self.has_permalink[nodes[numbered & (is_id | is_name)]] = True
        self.is_numbered[nodes[is_id]] = numbered[is_id]
        kinds = np.array(meanings.kinds, np.intc)[group]
        np.bitwise_or.at(self.kinds, nodes[~is_name], kinds[~is_name])
        # An id without a number is there once.
        naming = ~is_name & (numbered | ~is_id)
        self._list_names(nodes[naming], group[naming], meanings.names)

    def _list_names(self, nodes: Ints, group: Ints, names: list[list[str]]) -> None:
        self.all_names: list[str] = sorted(set().union(*names))
        """The names of elements, numbers in them replaced, so that they repeat."""
        number = {name: place for place, name in enumerate(self.all_names)}
        flat = np.array([number[name] for own in names for name in own], np.int64)
        counts = np.array(list(map(len, names)), np.int64)
        firsts = np.cumsum(counts) - counts
        counts, firsts = counts[group], firsts[group]
        before = np.cumsum(counts) - counts
        places = np.arange(counts.sum()) + np.repeat(firsts - before, counts)
        rows = distinct(np.repeat(nodes, counts) * len(flat) + flat[places])
        # Elements and their names side by side, each once.
        self.name_node = rows // max(len(flat), 1)
        self.name = (rows % max(len(flat), 1)).astype(np.intc)
        self.first_name = np.searchsorted(self.name_node, np.arange(len(self.kinds) + 1)).astype(
            np.intc
        )
        """The first row of the names of each element."""

        self._names = self.first_name.tolist(), self.name.tolist()

    def names(self, node: int) -> list[str]:
        """The names of an element."""
        first, name = self._names
        return [self.all_names[number] for number in name[first[node] : first[node + 1]]]

    @cached_property
    def _href_rows(self) -> dict[int, tuple[int, int]]:
        starts, ends = (column.tolist() for column in self._hrefs)
        return dict(zip(self.links.tolist(), zip(starts, ends, strict=True), strict=True))

    def href(self, node: int) -> str | None:
        """Where an element leads, as it stands in the source."""
        if node not in self._href_rows:
            return None
        start, end = self._href_rows[node]
        return self.page.source[start:end].decode("utf-8", "replace")

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
        made: dict[int, str] = {}
        for text, hint in limits.checked(
            zip(places.tolist(), hinted[places].tolist(), strict=True), 100
        ):
            date = self._date_of(text, hint)
            if date is not None:
                made[text] = date
        return made

    def _date_of(self, text: int, hinted: bool) -> str | None:
        content = self.page.text(text)[:_LONGEST_DATE]
        digits = sum(map(str.isdigit, content))
        shown = self._iso(content) if digits >= _FEWEST_DIGITS and _YEAR.search(content) else None
        if exact := self._declared(int(self.page.texts.node[text])):
            return exact
        if shown:
            return shown
        if dates.names_a_day(content):
            return (self._latest and dates.day_without_year(content, self._latest)) or ""
        is_date = _CLOCK.search(content) or (hinted and digits)
        return "" if is_date or self._is_time(text) else None

    def _is_time(self, text: int) -> bool:
        return bool(self.page.nodes.tag[self.page.texts.node[text]] == tags.ID["time"])

    def _declared(self, node: int) -> str | None:
        """A moment in the attributes of an element or the one around it, if these are small."""
        nodes = self.page.nodes
        for holder in (node, int(nodes.parent[node])):
            if holder < 0 or nodes.end_text[holder] - nodes.first_text[holder] > 3:
                break
            if not self._may_declare(holder):
                continue
            for name, value in self.page.attributes(holder).items():
                of_data = name.startswith("data-") and (_STAMP.match(value) or "T" in value)
                if (of_data or name in ("datetime", "title")) and (date := self._iso(value)):
                    return date
        return None

    def _may_declare(self, node: int) -> bool:
        """Whether the source has the name of an attribute for a moment up to the next element."""
        nodes = self.page.nodes
        end = nodes.start[node + 1] if node < nodes.last[node] else nodes.close[node]
        tag = self.page.source[nodes.start[node] : end].lower()
        # What is formatted again has the place of the first time.
        return not tag or b"data-" in tag or b"title" in tag or b"datetime" in tag

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
        source, years = self.page.source, []
        for sign in _COPYRIGHT_SIGNS:
            place = source.find(sign)
            while place >= 0:
                if match := _YEARS.match(source, place + len(sign)):
                    years.append(int(match[2] or match[1]))
                place = source.find(sign, place + 1)
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
