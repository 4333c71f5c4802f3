"""Dates in many spellings."""

from __future__ import annotations

import datetime as dt

import pytest
from tests.describe.metadata.pages import TEXT, page, read

from tamis.describe.metadata.dates import count_days_between, find_day_in_url, find_days, read_iso


def find_first_day(text: str, month_first: bool | None = None) -> str:
    return next((day for day, _ in find_days(text, month_first)), "")


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
    assert read_iso(text) == expected


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
    assert find_first_day(text) == "2023-05-17"


def test_the_order_of_day_and_month_is_not_guessed() -> None:
    assert find_first_day("3/4/2023") == ""
    assert find_first_day("3/4/2023", month_first=True) == "2023-03-04"
    assert find_first_day("3/4/2023", month_first=False) == "2023-04-03"
    assert find_first_day("3.4.2023") == "2023-04-03"


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
    assert read_iso(text) is None


def test_the_place_of_a_date_in_its_text_is_told() -> None:
    [(day, match)] = find_days("Updated 17 May 2023")
    assert (day, match.start()) == ("2023-05-17", 8)


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
    assert find_day_in_url(url) == expected


def test_days_between_take_dates_of_any_precision() -> None:
    assert count_days_between("2023-05-17", "2023-05-18T01:00:00Z") == 1
    assert count_days_between("2023-05", "2023-04-30") == -1


def test_a_long_text_of_digits_takes_no_time() -> None:
    assert read_iso("1" * 1_000_000) is None


def test_a_day_in_the_future_is_no_date_if_the_day_is_known() -> None:
    today = dt.date(2023, 5, 17)
    assert read_iso("2023-05-18", today=today) == "2023-05-18"  # today, in another time zone
    assert read_iso("2023-05-19", today=today) is None
    assert list(find_days("On 19 May 2023", today=today)) == []
    assert find_day_in_url("/2023/05/19/", today) is None


def test_the_clock_is_not_asked() -> None:
    assert read_iso("2048-05-19") == "2048-05-19"
    assert read_iso("2050-05-19") is None


# The dates of a page


def test_a_day_that_is_shown_and_declared_wins_over_one_that_is_only_declared() -> None:
    head = """<title>Floods</title>
    <meta property="article:published_time" content="2023-05-17T08:00">
    <script type="application/ld+json">{"@type": "Article", "datePublished": "2015-01-16"}
    </script>"""
    values = read(page(head, "<h1>Floods</h1><p>17 May 2023</p>"))
    assert values.published == "2023-05-17T08:00"


def test_an_earlier_day_at_the_headline_is_that_of_publication() -> None:
    head = '<title>Floods</title><meta property="article:published_time" content="2025-08-21">'
    assert read(page(head, "<h1>Floods</h1><p>Apr 26, 2023</p>")).published == "2023-04-26"


def test_a_change_is_not_a_publication() -> None:
    values = read(page("<title>Floods</title>", "<h1>Floods</h1><p>Updated on May 17, 2023</p>"))
    assert (values.published, values.modified, values.date) == ("", "2023-05-17", "2023-05-17")


def test_a_change_counts_anywhere_on_a_page_without_another_date() -> None:
    changed = "<footer><p>Last updated: March 13, 2024</p></footer>"
    html = page("<title>Floods</title>", f"<h1>Floods</h1>{TEXT}{TEXT}{changed}")
    assert (read(html).published, read(html).date) == ("", "2024-03-13")


def test_the_day_of_a_change_does_not_show_that_a_page_moved() -> None:
    head = """<title>Floods</title><meta property="article:published_time" content="2022-12-25">
    <meta property="article:modified_time" content="2022-12-07">"""
    assert read(page(head, "<h1>Floods</h1><p>7 December 2022</p>")).published == "2022-12-25"


def test_a_thread_is_of_the_day_of_its_first_post() -> None:
    posts = "".join(
        f'<div itemprop=comment itemscope><meta itemprop=datePublished content="2024-01-{day}">'
        f"<p>The {day}th, and still no sign of the water going down in our street.</p></div>"
        for day in (14, 15, 16, 18)
    )
    shown = "<h1>Floods</h1><p>4 replies, the last one by ann on Jan 18, 2024</p>"
    assert read(page("<title>Floods</title>", shown + posts)).published == "2024-01-14"


def test_the_day_on_which_a_member_joined_is_not_that_of_the_page() -> None:
    post = """<h1>Floods</h1><dl><dd><strong>Joined:</strong> 4. Jul 2012, 10:00</dd></dl>
    <p>by <b>ann</b> » <time datetime="2024-09-11T16:36:25+00:00">11. Sep 2024, 18:36</time></p>"""
    assert read(page("<title>Floods</title>", post)).published == "2024-09-11T16:36:25+00:00"


def test_the_address_has_the_day_when_nothing_else_has() -> None:
    values = read(page("<title>Floods</title>"), "https://harbour.example/2023/05/17/floods")
    assert (values.published, values.sources["published"]) == ("2023-05-17", "url")


def test_a_date_before_the_web_must_be_said_twice() -> None:
    before_the_web = '<meta property="article:published_time" content="1962-02-03">'
    assert read(page(before_the_web)).published == ""
    assert (
        read(page(before_the_web + "<meta name=dc.date content=1962-02-03>")).published
        == "1962-02-03"
    )


def test_absurd_dates_are_dropped() -> None:
    head = """<meta property="article:published_time" content="99999-01-01">
    <script type="application/ld+json">{"@type": "Article", "datePublished": "9999-12-31",
    "dateModified": "0000-00-00"}</script>"""
    values = read(page(head, "<h1>Floods</h1><p>32 May 2023</p>"))
    assert (values.published, values.modified) == ("", "")


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("2023-05-17", "2023-05-17"),
        ("on 17.05.2023", "2023-05-17"),
        ("1.17.05.2023", ""),
        ("20230517", "2023-05-17"),
        ("17th of May 2023", "2023-05-17"),
        ("May 17, 2023", "2023-05-17"),
        ("May 17 '23", "2023-05-17"),
        ("17-May-23", "2023-05-17"),
        ("2023. május 17", "2023-05-17"),
        ("Room 17, 2023-05-17", ""),
        ("xMay 17, 2023", ""),
    ],
)
def test_days_are_read_in_all_spellings(text: str, day: str) -> None:
    assert find_first_day(text, month_first=False) == day
