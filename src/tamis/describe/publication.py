"""When a page was published and when it was changed."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterable, Iterator

import numpy as np

from tamis.describe import dates
from tamis.describe.candidates import near_headline
from tamis.page.declared import Candidate
from tamis.page.lazy import lazy
from tamis.page.table import Page

NOTHING: Candidate = ("", "")

# Blocks from the headline within which a date that is shown is the page's own. 8 and 12 give the
# same days on wcxb-dev, news2023 and trafilatura-eval within .004; 2 loses up to .026.
_NEAR = 5
_NEAR_BEFORE = 1
_LONGEST = 200  # characters of a text that are looked at
_ITEMS = 3  # days in microdata that are not all the page's
_LABEL = 40  # characters before a date that say what it is of
_CHANGED = re.compile(
    r"updat|modified|changed|edited|reviewed|revised|aktualisier|geändert|bearbeitet|mis à jour"
    r"|actualiz|atualiz|aggiorn|bijgewerkt|uppdater|opdater|oppdater|päivitetty|zaktualiz|обновл|изменен"
    r"|güncell|更新|수정|แก้ไข|อัปเดต|อัพเดท|تحديث",
    re.IGNORECASE,
)
# What every date has, in any spelling: a year of this or the last century (Thai ones, too), or
# digits with signs or other letters between. Prices have none of it, and are many.
_DATE_SIGNS = re.compile(r"(?:19|20|25)\d\d|\d[/.-]\d|[^\x00-\x7f]")
_OTHER = re.compile(r"joined|registered|copyright|©|expires|deadline|since", re.IGNORECASE)


class Shown:
    """The dates that a page shows, those nearest to its headline first."""

    def __init__(
        self, page: Page, headline: int, month_first: bool | None, today: dt.date | None = None
    ) -> None:
        self.page = page
        self.headline = max(headline, 0)
        self.month_first = month_first
        self.today = today
        self.times = {
            int(page.nodes.first_text[node]): value for node, value in page.declared.times
        }

    @lazy
    def near(self) -> tuple[list[Candidate], list[Candidate]]:
        """Dates at the headline: of publication, and those with a label that speaks of a change."""
        candidates: tuple[list[Candidate], list[Candidate]] = [], []
        blocks = self.page.texts.block
        low, high = self.headline - _NEAR_BEFORE, self.headline + _NEAR
        first, end = blocks.searchsorted((low, high + 1)).tolist()
        for candidate, changed in self._dates(first, end, self.month_first):
            candidates[changed].append(candidate)
        return candidates

    @lazy
    def anywhere(self) -> tuple[Candidate, Candidate]:
        """The same of the whole page: of each the nearest one."""
        # American sites are the most, but a guess is no reason to doubt a declared date.
        month_first = True if self.month_first is None else self.month_first
        of_change = NOTHING
        for candidate, changed in self._dates(0, len(self.page.texts), month_first):
            if not changed:
                return candidate, of_change
            if not of_change[0]:
                of_change = candidate
        return NOTHING, of_change

    def _dates(
        self, first: int, end: int, month_first: bool | None
    ) -> Iterator[tuple[Candidate, bool]]:
        """Dates in short texts and time elements, and whether they are of a change."""
        for text in self._texts(first, end):
            content = self.page.text(text)[:_LONGEST]
            date, at = "", 0
            if _DATE_SIGNS.search(content):
                date, at = dates.day_in(content, month_first=month_first, today=self.today)
            source = "text"
            if text in self.times and (moment := dates.iso(self.times[text], today=self.today)):
                date, source = moment, "html"
            before = self._before(text, content[:at])
            if date >= dates.EARLIEST and not (_OTHER.search(content) or _OTHER.search(before)):
                yield (date, source), _CHANGED.search(before) is not None

    def _texts(self, first: int, end: int) -> list[int]:
        texts = self.page.texts
        also = np.zeros(end - first if self.times else 0, np.uint8)
        if self.times:
            also[[text - first for text in self.times if first <= text < end]] = True
        digits, words, blocks = (
            texts.digits[first:end],
            texts.words[first:end],
            texts.block[first:end],
        )
        return [first + text for text in near_headline(digits, words, blocks, also, self.headline)]

    def _before(self, text: int, beginning: str) -> str:
        """What stands before a date: in its text, or the text before in the same block."""
        blocks = self.page.texts.block
        if not beginning.strip() and text and blocks[text - 1] == blocks[text]:
            beginning = self.page.text(text - 1)
        return beginning[-_LABEL:]


def declared(
    values: Iterable[Candidate], month_first: bool | None, today: dt.date | None
) -> list[Candidate]:
    """The declared values that are dates.

    A date before the web needs another value of the same day to be believed.
    """
    candidates = []
    old: set[str] = set()
    for value, source in values:
        if date := dates.iso(value, month_first=month_first, today=today):
            if date >= dates.EARLIEST or date[:10] in old:
                candidates.append((date, source))
            old.add(date[:10])
    return candidates


def changed(known: list[Candidate], shown: Shown, published: str) -> Candidate:
    """The day of the last change: as declared, or as the headline has it.

    Or, on a page that does not say when it was published, as it has it anywhere.
    """
    if candidates := known or shown.near[1]:
        return candidates[0]
    return NOTHING if published else shown.anywhere[1]


def _of_page(known: list[Candidate]) -> list[Candidate]:
    """The declared dates without those of comments and posts, which have microdata of their own."""
    of_items = [candidate for candidate in known if candidate[1] == "microdata"]
    if len({date[:10] for date, _ in of_items}) < _ITEMS:
        return known
    return [candidate for candidate in known if candidate not in of_items[1:]]


def find_published(
    known: list[Candidate], changes: list[Candidate], shown: Shown, url: str
) -> Candidate:
    """The day of publication: as first declared, unless the page shows a better day.

    A day shown at the headline counts more if it is declared, too. A day after the declared one is
    the same moment in another time zone; an earlier day means that the page was moved from another
    system, unless it is declared as that of a change. Without a declared day the address has it, or
    the date nearest to the headline.
    """
    address = (dates.in_url(url, shown.today) or "", "url")
    if not known:
        return address if address[0] else shown.anywhere[0]
    days = {date[:10]: (date, source) for date, source in reversed(_of_page(known))}
    of_change = {date[:10] for date, _ in changes}
    for date, source in (*shown.near[0], address):
        if date[:10] in days:
            return days[date[:10]]
        if not date:
            continue
        earlier = dates.days_between(date, known[0][0])
        if earlier in (-1, 0) or (earlier > 0 and date[:10] not in of_change):
            return date, source
    return known[0]
