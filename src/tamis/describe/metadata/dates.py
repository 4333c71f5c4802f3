"""Dates in any usual spelling, and the days on which a page was published and changed.

Dates become ISO 8601, as precise as they are written. One table has the words for months in all
languages, and digits may be of any script. The 31st of June and the year 99999 are not dates, and
nothing later than tomorrow is one if the caller says what day it is. The clock is never asked.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

import numpy as np

from tamis.describe import read_word_lists
from tamis.page.declared import Candidate
from tamis.page.table import Page

MONTHS = {
    word: month
    for line in reversed(Path(__file__).with_name("months.tsv").read_text("utf-8").splitlines())
    for month, word in enumerate(line.split(), 1)
    if word != "-"
}
"""Month by its name or abbreviation, in lower case; the first language in the list wins."""

EARLIEST = "1990"
"""A page that says it is older than the web must say so twice."""

# Other years are not dates of pages.
_FIRST_YEAR, _LAST_YEAR = 1800, 2049
_ZERO = dt.date(1970, 1, 1)  # a date that was never set
_BUDDHIST = 543  # years that the Thai calendar is ahead
_BUDDHIST_YEARS = 2400, 2700

# One alternative for dates that begin with a digit and one for dates that begin with a word, so
# that at most characters nothing else is tried.
_SPELLINGS = re.compile(
    r"""
    (?<!\d)(?=\d)(?:
    # 2023-05-17, 2023/5/17, 2023. 5. 17, 2023年5月17日, 2023년 5월 17일
     (?P<y1>\d{4})\s?[-/.年년]\s?(?P<m1>\d{1,2})\s?[-/.月월]\s?(?P<d1>\d{1,2})(?!\d)
    # 20230517T1200
    |(?P<y2>\d{4})(?P<m2>\d{2})(?P<d2>\d{2})(?=T|$)
    # 17.05.2023, 17/5/23, 05/17/2023
    |(?<!\.)(?P<d3>\d{1,2})\s?(?P<sign>[-/.])\s?(?P<m3>\d{1,2})\s?(?P=sign)\s?
     (?P<y3>\d{4}|\d{2})(?![\d.])
    # 17 May 2023, 17. Mai 2023, 17 de mayo de 2023, 17-May-2023, 17 พฤษภาคม 2566
    |(?P<d4>\d{1,2})(?:st|nd|rd|th|er|º|ª|\.)?[\s-]?\s?(?:de\s|of\s|d')?
     (?P<m4>WORD)(?:[\s,-]|del?\s|พ\.ศ\.){0,5}(?P<y4>\d{4})(?!\d)
    # 17-May-23
    |(?P<d7>\d{1,2})-(?P<m7>WORD)-(?P<y7>\d{2})(?!\d)
    # 2023. május 17
    |(?P<y6>\d{4})[.,]?\s(?P<m6>WORD)\s(?P<d6>\d{1,2})(?!\d)
    )
    |\b(?=WORD\s{1,2}\d)(?:
    # May 17, 2023, May 17th 2023
     (?P<m5>WORD)\s{1,2}(?P<d5>\d{1,2})(?:st|nd|rd|th)?[,\s]\s?(?P<y5>\d{4})(?!\d)
    # May 17 '23
    |(?P<m8>WORD)\s(?P<d8>\d{1,2}),?\s['’](?P<y8>\d{2})(?!\d)
    )
    """.replace("WORD", r"[^\W\d_][^\s\d,;:|/()-]{1,15}"),
    re.VERBOSE,
)
_DAY_AND_MONTH = re.compile(
    r"(?<!\d)(?P<d1>\d{1,2})(?:st|nd|rd|th|er|\.)?[\s-]\s?(?P<m1>[^\W\d_]{3,12})"
    r"|(?P<m2>[^\W\d_]{3,12})\.?\s(?P<d2>\d{1,2})(?![\d:])"
)
_CLOCK = re.compile(
    r"(?:\s*(?:(?:T|t|,|-|–|\||at|um|à|kl\.?)\s*)?(\d{1,2})[:.h](\d{2})(?:[:.](\d{2}))?(?:[.,]\d+)?"
    r"\s*([ap]\.?m\.?)?\s*(Z|UTC|GMT|[+-]\d{2}:?\d{2})?)?"
)
_ISO = re.compile(
    r"(\d{4})-(\d{2})-(\d{2})"
    r"(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:[.,]\d+)?)?\s?(Z|[+-]\d{2}:?\d{2})?)?"
)
_SHORT_ISO = re.compile(r"(\d{4})(?:-(\d{2}))?$")
_IN_URL = re.compile(
    # /2023/05/17/, /2023/5/17/, /2023/may/17/, /2023-05-17-title, /20230517/, /17-05-2023
    r"/(?P<y1>(?:19|20)\d\d)([/-])(?P<m1>\d{1,2}|[a-z]{3,9})\2(?P<d1>\d{1,2})(?=[/_.-]|$)"
    r"|/(?P<y2>20\d\d)(?P<m2>\d\d)(?P<d2>\d\d)(?=[/_.-]|$)"
    r"|[/-](?P<d3>\d\d)-(?P<m3>\d\d)-(?P<y3>20\d\d)(?=[/_.-]|$)"
)
_EPOCH = re.compile(r"(\d{10})(?:\d{3})?$")


def read_iso(
    text: str, *, month_first: bool | None = None, today: dt.date | None = None
) -> str | None:
    """Read the first date in `text`, with its time and zone if it has them."""
    text = text.strip()[:200]
    if match := _ISO.match(text):
        year, month, day, hour, minute, second, zone = match.groups()
        date = _make_date(year, month, day, today)
        return date and date + _write_time(hour, minute, second, "", zone)
    if match := _SHORT_ISO.match(text):
        return match[0] if _make_date(match[1], match[2] or 1, 1, today) else None
    if match := _EPOCH.match(text):
        moment = dt.datetime.fromtimestamp(int(match[1]), dt.UTC)
        date = _make_date(moment.year, moment.month, moment.day, today)
        return date and moment.strftime("%Y-%m-%dT%H:%M:%SZ")
    for date, match in find_days(text, month_first, today):
        clock = _CLOCK.match(text, match.end())
        return date + _write_time(*clock.groups()) if clock else date
    return None


def find_days(
    text: str, month_first: bool | None = None, today: dt.date | None = None
) -> Iterator[tuple[str, re.Match[str]]]:
    """Find the days in a text and where they stand.

    3/4/2025 is no day if it is not known whether the month comes first.
    """
    for match in _SPELLINGS.finditer(text):
        spelling = next(number for number in "12345678" if match["y" + number])
        year, month, day = (match[name + spelling] for name in "ymd")
        year = year if len(year) == 4 else "20" + year
        if spelling in "45678":
            month = str(MONTHS.get(month.lower().rstrip("."), ""))
        elif spelling == "3":
            if match["sign"] == "/" and int(day) <= 12 and int(month) <= 12 and day != month:
                if month_first is None:
                    continue
                day, month = (month, day) if month_first else (day, month)
            elif int(month) > 12:
                day, month = month, day
        if date := _make_date(year, month, day, today):
            yield date, match


def find_day_without_year(text: str, latest: dt.date) -> str | None:
    """Find the first day in a short text without a year: the last such day up to `latest`."""
    for match in _DAY_AND_MONTH.finditer(text):
        month = MONTHS.get((match["m1"] or match["m2"]).lower(), 0)
        day = int(match["d1"] or match["d2"])
        for year in (latest.year, latest.year - 1):
            if (date := _make_date(year, month, day, None)) and date <= latest.isoformat():
                return date
    return None


def has_day(text: str) -> bool:
    matches = _DAY_AND_MONTH.finditer(text)
    return any((match["m1"] or match["m2"]).lower() in MONTHS for match in matches)


def count_days_between(first: str, second: str) -> int:
    """Return how many days the second day comes after the first."""
    begin, end = (dt.date.fromisoformat((date + "-01-01")[:10]) for date in (first, second))
    return (end - begin).days


def find_day_in_url(url: str, today: dt.date | None = None) -> str | None:
    """Find the day in an address, `/2023/05/17/`."""
    match = _IN_URL.search(url)
    if not match:
        return None
    spelling = next(number for number in "123" if match["y" + number])
    year, month, day = (match[name + spelling] for name in "ymd")
    return _make_date(year, MONTHS.get(month, month), day, today)


def _make_date(
    year: str | int, month: str | int, day: str | int, today: dt.date | None
) -> str | None:
    try:
        number = int(year)
        if _BUDDHIST_YEARS[0] < number < _BUDDHIST_YEARS[1]:
            number -= _BUDDHIST
        date = dt.date(number, int(month), int(day))
    except ValueError:
        return None
    # A day ahead is today in another time zone.
    if not _FIRST_YEAR <= date.year <= _LAST_YEAR or date == _ZERO:
        return None
    if today and (date - today).days > 1:
        return None
    return date.isoformat()


def _write_time(
    hour: str | None, minute: str | None, second: str | None, half: str | None, zone: str | None
) -> str:
    if not hour or not minute or int(hour) > 23 or int(minute) > 59 or int(second or 0) > 59:
        return ""
    hours = int(hour)
    if half:
        hours = hours % 12 + (12 if half[0] in "pP" else 0)
    time = f"T{hours:02}:{int(minute):02}" + (f":{int(second):02}" if second else "")
    if zone in ("Z", "UTC", "GMT"):
        return time + "Z"
    if zone and len(zone) == 5:
        zone = zone[:3] + ":" + zone[3:]
    return time + (zone or "")


# The dates of a page

_META_NAMES = read_word_lists("metadata/meta_names.tsv")
_PROPERTIES = {
    "published": ("datePublished", "dateCreated", "uploadDate"),
    "modified": ("dateModified",),
}
# Blocks from the headline within which a date that is shown is the page's own. 8 and 12 give the
# same days on wcxb-dev, news2023 and trafilatura-eval within .004; 2 loses up to .026.
_NEAR = 5
_NEAR_BEFORE = 1
# Short texts that may have a date and a time, how many of them are read, and how much of each; a
# block before the headline is as far as three after it.
_LEAST_DIGITS, _MOST_DIGITS = 4, 20
_MOST_WORDS = 15
_MOST_TEXTS = 20
_LONGEST = 200
_BACK = 3
_ITEMS = 3  # days in microdata that are not all the page's
_LABEL = 40  # characters before a date that say what date it is
_CHANGED = re.compile(
    r"updat|modified|changed|edited|reviewed|revised|aktualisier|geändert|bearbeitet|mis à jour"
    r"|actualiz|atualiz|aggiorn|bijgewerkt|uppdater|opdater|oppdater|päivitetty|zaktualiz|обновл|изменен"
    r"|güncell|更新|수정|แก้ไข|อัปเดต|อัพเดท|تحديث",
    re.IGNORECASE,
)
# What every date has, in any spelling: a year of this century or the last (Thai years, too), or
# digits with signs or other letters between. Prices, which are many, have none of it.
_DATE_SIGNS = re.compile(r"(?:19|20|25)\d\d|\d[/.-]\d|[^\x00-\x7f]")
_OTHER = re.compile(r"joined|registered|copyright|©|expires|deadline|since", re.IGNORECASE)


def find_dates(
    page: Page, headline: int, url: str, month_first: bool | None, today: dt.date | None
) -> tuple[Candidate, Candidate]:
    """Find the days on which a page was published and changed; `headline` is a block."""
    published: Candidate = ("", "")
    change: Candidate = ("", "")
    declared: list[Candidate] = []
    changes: list[Candidate] = []
    for (kind, names), found in zip(_PROPERTIES.items(), (declared, changes), strict=True):
        # A date before the web needs another value of the same day to be believed.
        old: set[str] = set()
        for value, source in chain(
            page.declared.of_data(*names),
            page.declared.of_meta(_META_NAMES[kind]),
            page.declared.of_properties(*names),
        ):
            if date := read_iso(value, month_first=month_first, today=today):
                if date >= EARLIEST or date[:10] in old:
                    found.append((date, source))
                old.add(date[:10])
    blocks = page.texts.block.searchsorted((headline - _NEAR_BEFORE, headline + _NEAR + 1))
    times = {int(page.nodes.first_text[node]): value for node, value in page.declared.times}
    near = list(_list_shown(page, headline, times, slice(*blocks.tolist()), month_first, today))
    in_url = find_day_in_url(url, today) or "", "url"
    if declared:
        shown = [candidate for candidate, is_change in near if not is_change]
        published = _choose_published(declared, changes, [*shown, in_url])
    elif in_url[0]:
        published = in_url
    else:
        # American sites are the most, but a guess is no reason to doubt a declared date.
        guess = True if month_first is None else month_first
        for candidate, is_change in _list_shown(page, headline, times, slice(None), guess, today):
            if not is_change:
                published = candidate
                break
            change = change if change[0] else candidate
    changes += [candidate for candidate, is_change in near if is_change]
    if changes:
        return published, changes[0]
    return published, ("", "") if published[0] else change


def _list_shown(
    page: Page,
    headline: int,
    times: dict[int, str],
    rows: slice,
    month_first: bool | None,
    today: dt.date | None,
) -> Iterator[tuple[Candidate, bool]]:
    """List dates in short texts and time elements, the nearest first, and whether of a change."""
    texts = page.texts
    digits, words, block = texts.digits[rows], texts.words[rows], texts.block[rows]
    first = rows.start or 0
    # Few texts have digits, so everything else is asked of these only.
    places = (digits >= _LEAST_DIGITS).nonzero()[0]
    places = places[(digits[places] <= _MOST_DIGITS) & (words[places] <= _MOST_WORDS)]
    if declared := [text - first for text in times if first <= text < first + len(digits)]:
        places = np.union1d(places, declared)
    if not len(places):
        return
    away = block[places] - headline
    order = np.where(away < 0, -_BACK * away, away).argsort(kind="stable")[:_MOST_TEXTS]
    for text in (places[order] + first).tolist():
        content, date, source = page.text(text)[:_LONGEST], "", "text"
        before = ""
        if _DATE_SIGNS.search(content):
            for day, match in find_days(content, month_first, today):
                date, before = day, content[: match.start()]
                break
        if text in times and (moment := read_iso(times[text], today=today)):
            date, source = moment, "html"
        if not before.strip() and text and texts.block[text - 1] == texts.block[text]:
            before = page.text(text - 1)
        before = before[-_LABEL:]
        if date >= EARLIEST and not (_OTHER.search(content) or _OTHER.search(before)):
            yield (date, source), _CHANGED.search(before) is not None


def _choose_published(
    known: list[Candidate], changes: list[Candidate], shown: list[Candidate]
) -> Candidate:
    """Choose the day of publication: as first declared, unless the page shows a better day.

    A day shown at the headline counts more if it is declared, too. A day after the declared one is
    the same moment in another time zone; an earlier day means that the page was moved from another
    system, unless it is declared as that of a change.
    """
    # Comments and posts have microdata of their own.
    items = [candidate for candidate in known if candidate[1] == "microdata"]
    others = items[1:] if len({date[:10] for date, _ in items}) >= _ITEMS else ()
    days = {day[0][:10]: day for day in reversed(known) if day not in others}
    of_change = {date[:10] for date, _ in changes}
    for date, source in shown:
        if date[:10] in days:
            return days[date[:10]]
        if not date:
            continue
        earlier = count_days_between(date, known[0][0])
        if earlier in (-1, 0) or (earlier > 0 and date[:10] not in of_change):
            return date, source
    return known[0]
