"""Dates in many spellings."""

from __future__ import annotations

import datetime as dt

import pytest

from tamis.describe.dates import day_in, days_between, in_url, iso


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2023-05-17", "2023-05-17"),
        ("2023-05-17T09:30:00+0200", "2023-05-17T09:30:00+02:00"),
        ("2023-05-17T09:30:00.123Z", "2023-05-17T09:30:00Z"),
        ("2023-05-17 09:30", "2023-05-17T09:30"),
        ("20230517T0930", "2023-05-17"),
        ("2023-05", "2023-05"),
        ("2023", "2023"),
        ("Wed, 17 May 2023 09:30:00 GMT", "2023-05-17T09:30:00Z"),
        ("May 17, 2023 4:05 pm", "2023-05-17T16:05"),
        ("Wed 17-May-23 09:30:00", "2023-05-17T09:30:00"),
        ("Wed, May 17 '23, 9:30 AM", "2023-05-17T09:30"),
        ("1684315800", "2023-05-17T09:30:00Z"),
        ("1684315800000", "2023-05-17T09:30:00Z"),
    ],
)
def test_a_declared_date_keeps_the_precision_and_the_zone_it_has(text: str, expected: str) -> None:
    assert iso(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "Published on May 17th, 2023",
        "17. Mai 2023, 09:30 Uhr",
        "Publié le 17 mai 2023 à 9h30",
        "17 de mayo de 2023",
        "17 maggio 2023",
        "17 мая 2023",
        "17 maja 2023",
        "17. května 2023",
        "17. toukokuuta 2023",
        "17 Mayıs 2023",
        "17 พฤษภาคม 2566",
        "17 พ.ค. 2566",
        "17 مايو 2023",
        "١٧ مايو ٢٠٢٣",
        "17 मई 2023",
        "2023年5月17日",
        "2023년 5월 17일",
        "2023. 5. 17.",
        "2023. május 17.",
        "17.05.2023",
        "17/05/2023",
        "05/17/2023",
        "17-May-2023",
    ],
)
def test_a_day_in_a_text_is_found_in_many_languages(text: str) -> None:
    assert day_in(text)[0] == "2023-05-17"


def test_the_order_of_day_and_month_is_not_guessed() -> None:
    assert day_in("3/4/2023")[0] == ""
    assert day_in("3/4/2023", month_first=True)[0] == "2023-03-04"
    assert day_in("3/4/2023", month_first=False)[0] == "2023-04-03"
    assert day_in("3.4.2023")[0] == "2023-04-03"


@pytest.mark.parametrize(
    "text",
    [
        "31 June 2023",
        "2023-13-01",
        "99999-01-01",
        "in the year 99999",
        "0001-01-01T00:00:00Z",
        "1970-01-01T00:00:00Z",
        "17 Foobar 2023",
        "version 2.14.3",
        "9999999999",
        "",
        "2100-01-01",
    ],
)
def test_what_cannot_be_the_date_of_a_page_is_none(text: str) -> None:
    assert iso(text) is None


def test_the_place_of_a_date_in_its_text_is_told() -> None:
    assert day_in("Updated 17 May 2023") == ("2023-05-17", 8)


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("https://news.example/2023/05/17/river", "2023-05-17"),
        ("https://news.example/2023/5/17/river", "2023-05-17"),
        ("https://news.example/world/2023/may/17/river", "2023-05-17"),
        ("https://news.example/2023-05-17-river.html", "2023-05-17"),
        ("https://news.example/20230517/river", "2023-05-17"),
        ("https://news.example/press/17-05-2023", "2023-05-17"),
        ("https://news.example/2023/99/17/river", None),
        ("https://news.example/20230/river", None),
        ("https://news.example/river-2023", None),
    ],
)
def test_an_address_may_hold_the_day(url: str, expected: str | None) -> None:
    assert in_url(url) == expected


def test_days_between_take_dates_of_any_precision() -> None:
    assert days_between("2023-05-17", "2023-05-18T01:00:00Z") == 1
    assert days_between("2023-05", "2023-04-30") == -1


def test_a_long_text_of_digits_takes_no_time() -> None:
    assert iso("1" * 1_000_000) is None


def test_a_day_in_the_future_is_no_date_if_the_day_is_known() -> None:
    today = dt.date(2023, 5, 17)
    assert iso("2023-05-18", today=today) == "2023-05-18"  # today, in another time zone
    assert iso("2023-05-19", today=today) is None
    assert day_in("On 19 May 2023", today=today) == ("", 0)
    assert in_url("/2023/05/19/", today) is None


def test_the_clock_is_not_asked() -> None:
    assert iso("2048-05-19") == "2048-05-19"
    assert iso("2050-05-19") is None
