"""Dates in any usual spelling to ISO 8601, as precise as they are written.

Words for months are looked up in one table for all languages; digits may be of any script. What
cannot be a date of a web page (the 31st of June, the year 99999) is no date, and nothing later than
tomorrow is one if the caller says what day it is. The clock is never asked.
"""

from __future__ import annotations

import datetime as dt
import re
from pathlib import Path

MONTHS = {
    word: month
    for line in reversed(Path(__file__).with_name("months.tsv").read_text("utf-8").splitlines())
    for month, word in enumerate(line.split(), 1)
    if word != "-"
}
"""Month by its name or abbreviation, in lower case; the first language in the list wins."""

EARLIEST = "1990"
"""A page that says it is older than the web must say so twice."""

_FIRST_YEAR = 1800  # what is older is no date of a page, whoever says so
_LAST_YEAR = 2049  # nor is what is later; that of today is an option, not the clock's
_ZERO = dt.date(1970, 1, 1)  # of clocks: a date that was never set
_BUDDHIST = 543  # years that the Thai calendar is ahead
_BUDDHIST_YEARS = 2400, 2700

# One alternative for days that begin with a digit, one for those that begin with a word: so at
# most characters nothing else is tried.
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


def iso(text: str, *, month_first: bool | None = None, today: dt.date | None = None) -> str | None:
    """The first date in `text` with its time and zone, if it has them."""
    text = text.strip()[:200]
    if match := _ISO.match(text):
        year, month, day, hour, minute, second, zone = match.groups()
        date = _date(year, month, day, today)
        return date and date + _time(hour, minute, second, "", zone)
    if match := _SHORT_ISO.match(text):
        return match[0] if _date(match[1], match[2] or 1, 1, today) else None
    if match := _EPOCH.match(text):
        moment = dt.datetime.fromtimestamp(int(match[1]), dt.UTC)
        date = _date(moment.year, moment.month, moment.day, today)
        return date and moment.strftime("%Y-%m-%dT%H:%M:%SZ")
    for match in _SPELLINGS.finditer(text):
        if date := _of(match, month_first, today):
            clock = _CLOCK.match(text, match.end())
            return date + _time(*clock.groups()) if clock else date
    return None


def day_in(
    text: str, *, month_first: bool | None = None, today: dt.date | None = None
) -> tuple[str, int]:
    """The first day in a visible text and where it begins, empty if there is none.

    3/4/2025 is no day if it is not known whether the month comes first.
    """
    for match in _SPELLINGS.finditer(text):
        if date := _of(match, month_first, today):
            return date, match.start()
    return "", 0


def day_without_year(text: str, latest: dt.date) -> str | None:
    """The first day in a short text that has no year: the last such day up to `latest`."""
    for match in _DAY_AND_MONTH.finditer(text):
        month = MONTHS.get((match["m1"] or match["m2"]).lower(), 0)
        day = int(match["d1"] or match["d2"])
        for year in (latest.year, latest.year - 1):
            if (date := _date(year, month, day, None)) and date <= latest.isoformat():
                return date
    return None


def names_a_day(text: str) -> bool:
    """Whether a short text has a day and a month in words."""
    matches = _DAY_AND_MONTH.finditer(text)
    return any((match["m1"] or match["m2"]).lower() in MONTHS for match in matches)


def days_between(first: str, second: str) -> int:
    """How many days the second day is after the first."""
    begin, end = (dt.date.fromisoformat((date + "-01-01")[:10]) for date in (first, second))
    return (end - begin).days


def in_url(url: str, today: dt.date | None = None) -> str | None:
    """The day in an address, `/2023/05/17/`."""
    match = _IN_URL.search(url)
    if not match:
        return None
    spelling = next(number for number in "123" if match["y" + number])
    year, month, day = (match[name + spelling] for name in "ymd")
    return _date(year, MONTHS.get(month, month), day, today)


def _of(match: re.Match[str], month_first: bool | None, today: dt.date | None) -> str | None:
    spelling = next(number for number in "12345678" if match["y" + number])
    year, month, day = (match[name + spelling] for name in "ymd")
    year = year if len(year) == 4 else "20" + year
    if spelling in "45678":
        return _date(year, MONTHS.get(month.lower().rstrip("."), ""), day, today)
    if spelling == "3":
        if match["sign"] == "/" and int(day) <= 12 and int(month) <= 12 and day != month:
            if month_first is None:
                return None
            day, month = (month, day) if month_first else (day, month)
        elif int(month) > 12:
            day, month = month, day
    return _date(year, month, day, today)


def _date(year: str | int, month: str | int, day: str | int, today: dt.date | None) -> str | None:
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


def _time(
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
