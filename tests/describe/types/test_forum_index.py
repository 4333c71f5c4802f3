"""A forum's index of topics is an overview page, and a thread is none."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.describe import forum_index_pages, thread_pages
from tests.describe.thread_pages import Maker

import tamis
from tamis.describe.types import forum_index
from tamis.describe.types.page_type import decide_type, estimate_types
from tamis.errors import DeadlineError
from tamis.page.reader import parse

PAGES = Path(__file__).parents[2] / "pages"
THREADS = (
    thread_pages.phpbb,
    thread_pages.phpbb_tables,
    thread_pages.vbulletin,
    thread_pages.discourse,
    thread_pages.stack_exchange,
    thread_pages.nested,
    thread_pages.discuz,
    thread_pages.german,
    thread_pages.guestbook,
)
NO_FORUM = (thread_pages.wordpress, thread_pages.teasers, thread_pages.products)


@pytest.mark.parametrize("make", forum_index_pages.INDEXES)
def test_an_index_of_topics_is_an_overview_page(make: Maker) -> None:
    assert forum_index.find_rows(parse(make())) is not None
    result = tamis.extract(make())
    assert result.page_type == "listing"
    assert result.overview > 0.9
    assert len(result.items) in (30, 42)
    assert tamis.extract(make(), overview="skip").text == ""


@pytest.mark.parametrize("make", [*THREADS, *NO_FORUM])
def test_threads_stories_and_products_are_no_topics(make: Maker) -> None:
    assert forum_index.find_rows(parse(make())) is None


@pytest.mark.parametrize(
    "folder", sorted(PAGES.glob("*/source.html")), ids=lambda path: path.parent.name
)
def test_no_other_test_page_is_an_index(folder: Path) -> None:
    assert forum_index.find_rows(parse(folder.read_bytes())) is None


def _similar(number: int) -> str:
    """The first rows of an index, as below a thread."""
    rows = forum_index_pages.plain().split("<tr>")
    return "<h3>Similar threads</h3><table><tr>" + "<tr>".join(rows[1 : number + 2]) + "</table>"


def test_similar_threads_below_a_thread_make_no_index_of_it() -> None:
    thread_page = thread_pages.vbulletin()
    assert forum_index.find_rows(parse(_similar(6))) is not None
    assert (
        forum_index.find_rows(parse(thread_page.replace("</body>", f"{_similar(6)}</body>")))
        is None
    )


def test_rows_whose_counts_have_no_name_only_say_that_a_forum_is_an_index() -> None:
    page = parse(forum_index_pages.plain().replace("Replies", "Depth").replace("Views", "Width"))
    rows_of_topics = forum_index.find_rows(page)
    assert rows_of_topics is not None
    assert not forum_index.has_named_counts(page, rows_of_topics)
    assert estimate_types(page)["forum"] < 0.1


def test_few_topics_titles_that_repeat_and_rows_without_counts_are_no_index() -> None:
    page = forum_index_pages.plain()
    rows = page.split("<tr>")
    assert forum_index.find_rows(parse("<tr>".join(rows[:5]) + "</table>")) is None
    first = forum_index_pages.TITLES[0]
    for title in forum_index_pages.TITLES:
        page = page.replace(f">{title}<", f">{first}<")
    assert forum_index.find_rows(parse(page)) is None
    without = "".join(
        f"<li><a href=/t/{n}>{title}</a> by somebody</li>"
        for n, title in enumerate(forum_index_pages.TITLES)
    )
    assert forum_index.find_rows(parse(f"<ul>{without}</ul>")) is None


@pytest.mark.parametrize("html", ["", "<a href=x>", "<table><tr><td>1", "<li><a>b</a> 1" * 9])
def test_pages_with_little_on_them_are_no_index(html: str) -> None:
    assert forum_index.find_rows(parse(html)) is None


def test_the_deadline_holds_on_many_rows() -> None:
    row = "<tr><td><a href=/t/{0}>The topic {0} of many</a><td>{0}<td>3</tr>"
    page = parse("<table>" + "".join(map(row.format, range(60_000))))
    with pytest.raises(DeadlineError), tamis._runtime.limits.within(0.01):
        forum_index.find_rows(page)


def test_the_type_of_an_index_is_a_listing_with_its_address_too() -> None:
    page = parse(forum_index_pages.phpbb())
    types = estimate_types(page, "https://bench.example/viewforum.php?f=2")
    assert decide_type(types) == "listing"
