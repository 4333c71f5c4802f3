"""Clues of posts in a page: dates, links to profiles, permalinks, numbered ids, names of elements.

Words in class names and ids are English on pages in most languages; dates, links and numbers do not
depend on the language at all.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from tamis._runtime import limits
from tamis.describe import attribute_values as values
from tamis.describe import read_word_lists
from tamis.describe.metadata import dates
from tamis.page import tags
from tamis.page.arrays import Flags, sort_distinct
from tamis.page.declared import list_people, list_texts
from tamis.page.table import Page

Ints = npt.NDArray[np.signedinteger[Any]]

# What the name of an element may say about it, as bits.
_LISTS = read_word_lists("posts/post_names.tsv")
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
_DIGITS = re.compile(rb"\d+")
_TYPE = re.compile(rb"(?:DiscussionForumPosting|Comment|Answer|Question|Message)$")
_ID, _HREF, _ITEMTYPE, _NAME, _DATETIME, _ITEMPROP, _CONTENT = tags.find_attribute_ids(
    "id href itemtype name datetime itemprop content"
)
_NAMING = np.zeros(len(tags.ATTRIBUTES), bool)
_NAMING[[*tags.find_attribute_ids("class id itemtype name itemprop rel")]] = True


def _hash_words(words: Sequence[str]) -> npt.NDArray[np.uint64]:
    ends = np.cumsum([len(word) for word in words]).astype(np.intc)
    return values.hash_values("".join(words).encode(), np.append(np.intc(0), ends[:-1]), ends)


_PEOPLE = _hash_words(_LISTS["profile"])

UNSEEN = (tags.HIDDEN & ~tags.IN_NOSCRIPT) | tags.IN_CONTROL
"""Flags of texts that are ignored; threads that scripts show are in noscript."""

_MOST_KNOWN = 50_000  # words that are remembered
_MOST_NAMES = 12  # of an element
_LONGEST = 200  # characters of an attribute that are read
_LONGEST_DATE = 80
_MOST_WORDS, _MOST_HINTED_WORDS, _MOST_DIGITS = 14, 6, 24  # of a text that is a date
_MOST_TEXTS = 3  # of an element that declares the date of all of them
_FEWEST_DIGITS = 3  # of a whole date: 1-May-23
_YEAR = re.compile(r"\d{4}|\d\s?[-/.]\s?\d{1,2}\s?[-/.]|[-'’]\d\d")  # or part of a date with one
_CLOCK = re.compile(r"(?<![\d:.])\d{1,2}[:h]\d{2}(?![\d.])")
_SLASHES = re.compile(r"(?<![\d/])(\d{1,2})/(\d{1,2})/(?:\d{4}|\d\d)(?![\d/])")
_COPYRIGHT_SIGNS = (b"\xc2\xa9", b"&copy;", b"&#169;", b"Copyright", b"copyright")
_YEARS = re.compile(rb"[^<>]{0,40}?(20\d\d)(?:\s?(?:-|\xe2\x80\x93)\s?(20\d\d))?")
_STAMP = re.compile(r"1\d{9}(?:\d{3})?$")
_PERMALINK = re.compile(
    r"#[\w.:=-]*\d{2,}|[?&;](?:p|pid|post|comment|msg)=?\d+|/(?:post|comment)s?[-/]\d+"
)


# What words say, by their hashes, so that each is read once.
_known: dict[int, int] = {}


def _classify_word(word: str) -> int:
    match = _COMPOUND.fullmatch(word)
    kinds = _WORDS.get(word, 0) | (_WORDS[match[1] or match[2]] if match else 0)
    return kinds & ~PROFILE


class Clues:
    """The clues of a page, found in one pass over its attributes and short texts."""

    def __init__(
        self, page: Page, month_first: bool | None = None, today: dt.date | None = None
    ) -> None:
        self.page, self.month_first, self.today = page, month_first, today
        nodes = len(page.nodes)
        self.kinds = np.zeros(nodes, np.intc)
        """What the names of each element say, as bits."""
        self.has_permalink = np.zeros(nodes, bool)
        """Whether it links to a post, or has a numbered name that a link may lead to."""
        self.is_numbered = np.zeros(nodes, bool)
        """Whether its id has a number."""
        self.is_typed = np.zeros(nodes, bool)
        """Whether it has schema.org's type of a post."""
        numbers = page.attribute_rows[0]
        self._read_links(np.flatnonzero(numbers == _HREF))
        self._read_names(np.flatnonzero(_NAMING[numbers]))

    def _find_values(self, rows: Ints) -> tuple[Ints, Ints, Ints]:
        """Find the nodes of these rows of attributes, and where their values begin and end."""
        _, starts, ends = self.page.attribute_rows
        nodes = np.searchsorted(self.page.nodes.attributes, rows, side="right") - 1
        starts = starts[rows]
        return nodes, starts, np.minimum(ends[rows], starts + np.intc(_LONGEST))

    def _read_links(self, rows: Ints) -> None:
        source = self.page.source
        nodes, starts, ends = self._find_values(rows)
        self.links = nodes
        """The elements with an address."""
        self._hrefs = starts, ends
        targets = values.classify_addresses(source, starts, ends, _PEOPLE)
        self.kinds[nodes] |= np.where(targets & values.TO_PROFILE, np.intc(PROFILE), np.intc(0))
        for row in limits.check_each(np.flatnonzero(targets & values.TO_POST).tolist()):
            address = source[starts[row] : ends[row]].decode("utf-8", "replace")
            if _PERMALINK.search(address):
                self.has_permalink[nodes[row]] = True

    def _read_names(self, rows: Ints) -> None:
        """Read each value once; on forums most of them occur in every post."""
        source, attribute = self.page.source, self.page.attribute_rows[0][rows]
        nodes, starts, ends = self._find_values(rows)
        keys = values.hash_values(source, starts, ends) ^ (attribute == _ITEMTYPE)
        group, firsts = values.number_equal_keys(keys)
        starts, ends = starts[firsts], ends[firsts]
        kinds = self._classify_values(starts, ends)
        is_post_type = np.zeros(len(starts), bool)
        for place in np.flatnonzero(attribute[firsts] == _ITEMTYPE).tolist():
            is_post_type[place] = _TYPE.search(source, starts[place], ends[place]) is not None
            kinds[place] = POST * is_post_type[place]
        self.is_typed[nodes[is_post_type[group]]] = True
        row, name_hashes, begins, stops, has_number = values.split_names(
            source, starts, ends, _MOST_NAMES
        )
        numbered = np.zeros(len(starts), bool)
        numbered[row[has_number]] = True
        numbered = numbered[group]
        is_id, is_name = attribute == _ID, attribute == _NAME
        self.has_permalink[nodes[numbered & (is_id | is_name)]] = True
        self.is_numbered[nodes[is_id]] = numbered[is_id]
        np.bitwise_or.at(self.kinds, nodes[~is_name], kinds[group[~is_name]])
        # An id without a number occurs once.
        naming = ~is_name & (numbered | ~is_id)
        number, firsts = values.number_equal_keys(name_hashes)
        columns = (column[firsts].tolist() for column in (begins, stops, has_number))
        names = []
        for begin, stop, has_digits in limits.check_each(zip(*columns, strict=True)):
            name = source[begin:stop]
            names.append(_DIGITS.sub(b"0", name) if has_digits else name)
        counts = np.bincount(row, minlength=len(starts))
        self._list_names(nodes[naming], group[naming], names, number, counts)

    def _classify_values(self, starts: Ints, ends: Ints) -> Ints:
        """Tell what the words in values say, as bits."""
        rows, word_hashes, begins, stops = values.split_words(self.page.source, starts, ends)
        group, firsts = values.number_equal_keys(word_hashes)
        kinds = []
        for place, key in zip(firsts.tolist(), word_hashes[firsts].tolist(), strict=True):
            known = _known.get(key)
            if known is None:
                if len(_known) >= _MOST_KNOWN:
                    _known.clear()
                word = self.page.source[begins[place] : stops[place]]
                known = _known[key] = _classify_word(word.decode().lower())
            kinds.append(known)
        made = np.zeros(len(starts), np.intc)
        np.bitwise_or.at(made, rows, np.array(kinds, np.intc)[group])
        return made

    def _list_names(
        self, nodes: Ints, group: Ints, names: list[bytes], number: Ints, counts: Ints
    ) -> None:
        """List the names of elements, given those of their values."""
        order = sorted(range(len(names)), key=names.__getitem__)
        self.all_names = [names[place] for place in order]
        """The names of elements in order, with all numbers replaced so that names repeat."""
        place_of = np.empty(len(names), np.int64)
        place_of[order] = np.arange(len(names))
        flat = place_of[number]
        firsts = np.cumsum(counts) - counts
        counts, firsts = counts[group], firsts[group]
        before = np.cumsum(counts) - counts
        places = np.arange(counts.sum()) + np.repeat(firsts - before, counts)
        width = max(len(names), 1)
        rows = sort_distinct(np.repeat(nodes, counts) * width + flat[places])
        # Elements and their names side by side, each pair once.
        self.name_node = rows // width
        self.name = (rows % width).astype(np.intc)
        self.first_name = np.searchsorted(self.name_node, np.arange(len(self.kinds) + 1)).astype(
            np.intc
        )
        """The first row of the names of each element."""
        self._names = self.first_name.tolist(), self.name.tolist()

    def list_names(self, node: int) -> list[str]:
        first, name = self._names
        rows = name[first[node] : first[node + 1]]
        return [self.all_names[number].decode("utf-8", "replace") for number in rows]

    @cached_property
    def _href_rows(self) -> dict[int, tuple[int, int]]:
        starts, ends = (column.tolist() for column in self._hrefs)
        return dict(zip(self.links.tolist(), zip(starts, ends, strict=True), strict=True))

    def find_href(self, node: int) -> str | None:
        if node not in self._href_rows:
            return None
        start, end = self._href_rows[node]
        return self.page.source[start:end].decode("utf-8", "replace")

    @cached_property
    def people(self) -> frozenset[str]:
        """The authors of posts by the JSON-LD of the page."""
        objects = self.page.declared.objects
        return frozenset(
            name
            for described in objects
            if any(_TYPE.search(kind.encode()) for kind in list_texts(described.get("@type")))
            for name in list_people(described, objects)
        )

    # Dates

    @cached_property
    def moments(self) -> dict[int, str]:
        """The dates of elements without text that have one in an attribute."""
        nodes, names = self.page.nodes, self.page.attribute_rows[0]
        has = {
            name: np.bincount(
                self._find_values(np.flatnonzero(names == name))[0], minlength=len(nodes)
            )
            for name in (_DATETIME, _ITEMPROP, _CONTENT)
        }
        may = (has[_DATETIME] > 0) | (has[_ITEMPROP] > 0) & (has[_CONTENT] > 0)
        holders = np.flatnonzero(may & (nodes.first_text == nodes.end_text))
        made = {}
        for node in limits.check_each(holders.tolist(), 100):
            for name in ("datetime", "content"):
                value = self.page.attribute(node, name)
                if value and (date := self._read_day(value)):
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
        holders = self._find_declaring(texts.node[places])
        made: dict[int, str] = {}
        columns = places.tolist(), hinted[places].tolist(), *(own.tolist() for own in holders)
        for text, hint, *declaring in limits.check_each(zip(*columns, strict=True), 100):
            date = self._read_date(text, hint, declaring)
            if date is not None:
                made[text] = date
        return made

    def _read_date(self, text: int, hinted: bool, declaring: list[int]) -> str | None:
        content = self.page.text(text)[:_LONGEST_DATE]
        digits = sum(map(str.isdigit, content))
        shown = self._read_day(content) if digits >= _FEWEST_DIGITS else None
        for node in declaring:
            if node >= 0 and (exact := self._read_declared(node)):
                return exact
        if shown:
            return shown
        if digits and dates.has_day(content):
            return (self._latest and dates.find_day_without_year(content, self._latest)) or ""
        is_date = _CLOCK.search(content) or (hinted and digits)
        is_time = self.page.nodes.tag[self.page.texts.node[text]] == tags.ID["time"]
        return "" if is_date or is_time else None

    def _find_declaring(self, nodes: Ints) -> tuple[Ints, Ints]:
        """Return nodes and their parents that are small and may declare a date; -1 for others."""
        columns = self.page.nodes
        own = columns.end_text[nodes] - columns.first_text[nodes] <= _MOST_TEXTS
        above = columns.parent[nodes]
        around = own & (above >= 0)
        around &= columns.end_text[above] - columns.first_text[above] <= _MOST_TEXTS
        return self._keep_declaring(nodes, own), self._keep_declaring(above, around)

    def _keep_declaring(self, nodes: Ints, small: Flags) -> Ints:
        """Keep the small nodes whose tags have the name of an attribute for a date; -1 for others.

        Only small ones are scanned: a long tag around thousands of elements would be read for each.
        """
        kept, columns = np.full_like(nodes, -1), self.page.nodes
        small_nodes = nodes[small]
        start, following = columns.start[small_nodes], np.minimum(small_nodes + 1, len(columns) - 1)
        has_children = small_nodes < columns.last[small_nodes]
        end = np.where(has_children, columns.start[following], columns.close[small_nodes])
        # Formatting that the standard opens again has the place of the first time.
        dated = (end <= start) | values.mark_dated_tags(self.page.source, start, end)
        kept[small] = np.where(dated, small_nodes, -1)
        return kept

    def _read_declared(self, node: int) -> str | None:
        """Read the date in the attributes of an element."""
        for name, value in self.page.attributes(node).items():
            of_data = name.startswith("data-") and (_STAMP.match(value) or "T" in value)
            if (of_data or name in ("datetime", "title")) and (date := self._read_day(value)):
                return date
        return None

    def _read_day(self, text: str) -> str | None:
        """Read the day in a short text, if it is complete."""
        if len(text) > _LONGEST or not _YEAR.search(text):
            return None
        date = dates.read_iso(text, month_first=self._month_first if "/" in text else None)
        return date if date and len(date) >= 10 and date >= dates.EARLIEST else None

    @cached_property
    def _latest(self) -> dt.date | None:
        """The latest possible date: today, or the end of the last year of a copyright."""
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
        for text in limits.check_each(np.flatnonzero(short).tolist()):
            if match := _SLASHES.search(self.page.text(text)[:_LONGEST_DATE]):
                day_first += int(match[1]) > 12 >= int(match[2])
                month_first += int(match[2]) > 12 >= int(match[1])
        if day_first != month_first:
            return month_first > day_first
        return self.month_first is not False
