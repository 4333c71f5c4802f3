"""Posts of threads, questions with answers and comments: who wrote what, when and where."""

from __future__ import annotations

import datetime as dt

import numpy as np
import pytest
from tests.describe import thread_pages as pages

import tamis

URL = "https://quay.example/t/1"


def posts_of(page: str, today: dt.date | None = None) -> tuple[tamis.Post, ...]:
    return tamis.extract(page, url=URL, today=today).posts


@pytest.mark.parametrize(
    "make",
    [
        pages.phpbb,
        pages.phpbb_tables,
        pages.discourse,
        pages.nested,
        pages.guestbook,
    ],
)
def test_every_post_of_a_thread_has_its_message_its_author_and_its_day(make: pages.Maker) -> None:
    posts = posts_of(make())
    assert [post.text for post in posts] == list(pages.MESSAGES)
    assert [post.author for post in posts] == list(pages.AUTHORS)
    assert [(post.date or "")[:10] for post in posts] == list(pages.DAYS)
    assert [post.position for post in posts] == [1, 2, 3, 4, 5]
    assert len({post.address for post in posts}) == 5


def test_a_quote_stays_in_the_message_as_a_block_quote() -> None:
    second = posts_of(pages.vbulletin())[1]
    assert second.author == "slate_77"
    assert "> only when the wind is from the west" in second.markdown
    assert second.markdown.endswith(pages.MESSAGES[1])


def test_the_author_card_the_signature_and_the_buttons_are_no_part_of_a_message() -> None:
    text = "\n".join(post.text for post in posts_of(pages.phpbb()))
    for other in ("Carpenter", "Joined", "Quote", "Re:", pages.SIGNATURE):
        assert other not in text


def test_replies_inside_replies_are_deeper() -> None:
    assert [post.depth for post in posts_of(pages.nested())] == [0, 1, 2, 1, 0]


def test_a_question_and_its_answers_are_posts_and_comments_on_them_are_deeper() -> None:
    posts = posts_of(pages.stack_exchange())
    assert [post.depth for post in posts] == [0, 1, 1, 0, 1, 1, 0]
    assert [post.author for post in posts if not post.depth] == [
        pages.AUTHORS[number] for number in (0, 1, 3)
    ]
    assert posts[3].address == f"{URL}#answer-41"


def test_the_comments_below_an_article_are_posts_and_the_article_is_none() -> None:
    posts = posts_of(pages.wordpress())
    assert [post.text for post in posts] == list(pages.MESSAGES[1:4])
    assert [post.author for post in posts] == list(pages.AUTHORS[1:4])
    assert [post.depth for post in posts] == [0, 1, 0]
    assert posts[0].address == "https://quay.example/mill#comment-31"


def test_a_single_comment_is_a_post() -> None:
    page = pages.wordpress()
    first = page.index('<li id="comment-32"')
    page = page[:first] + "</ol></li></ol></div></main>" + pages.FOOT
    assert [post.author for post in posts_of(page)] == ["slate_77"]


@pytest.mark.parametrize(
    ("make", "messages", "authors", "days"),
    [
        (
            pages.discuz,
            pages.CHINESE,
            ("木匠老王", "小雨点", "木匠老王"),
            ("2019-11-03T08:10", "2019-11-04T08:11", "2019-11-05T08:12"),
        ),
        (
            pages.german,
            pages.GERMAN,
            ("Jörg", "Dachdecker_Uwe", "Jörg", "Frieda"),
            tuple(f"2021-03-0{n + 3}T18:2{n}" for n in range(4)),
        ),
    ],
)
def test_threads_in_other_languages_need_no_english_text(
    make: pages.Maker, messages: tuple[str, ...], authors: tuple[str, ...], days: tuple[str, ...]
) -> None:
    posts = posts_of(make())
    assert tuple(post.text for post in posts) == messages
    assert tuple(post.author for post in posts) == authors
    assert tuple(post.date for post in posts) == days


@pytest.mark.parametrize(
    "page",
    [pages.wordpress(comments=False), pages.teasers(), pages.products(), "", "<p>One line"],
)
def test_articles_teasers_and_products_have_no_posts(page: str) -> None:
    result = tamis.extract(page)
    assert result.posts == ()
    assert "posts" not in result.to_dict()


def test_a_day_without_a_year_is_the_last_before_today() -> None:
    page = pages.german()
    for number in range(4):
        page = page.replace(f"{number + 3}. März 2021", f"{number + 3}. März")
    assert {post.date for post in posts_of(page)} == {None}
    dates = [post.date for post in posts_of(page, today=dt.date(2021, 3, 5))]
    assert dates == ["2021-03-03", "2021-03-04", "2021-03-05", "2020-03-06"]


def test_posts_are_in_the_json_view() -> None:
    posts = tamis.extract(pages.phpbb(), url=URL).to_dict()["posts"]
    assert posts[0] == {
        "author": "Marten Ode",
        "date": "2019-11-03T08:00",
        "text": pages.MESSAGES[0],
        "markdown": pages.MESSAGES[0],
        "depth": 0,
        "address": f"{URL}#p100",
        "position": 1,
    }


# What readers wrote below an article, and the thread itself


@pytest.mark.parametrize("make", [pages.nested, pages.phpbb, pages.guestbook])
def test_a_thread_is_no_comments(make: pages.Maker) -> None:
    result = tamis.extract(make(), url=URL, comments=True)
    assert result.comments == ""


def test_only_the_comments_on_answers_are_comments() -> None:
    comments = tamis.extract(pages.stack_exchange(), url=URL).comments
    assert pages.MESSAGES[4] in comments
    assert pages.MESSAGES[0] not in comments
    assert pages.MESSAGES[1] not in comments


def test_the_comments_below_an_article_are_comments() -> None:
    result = tamis.extract(pages.wordpress(), url=URL)
    assert pages.MESSAGES[1] in result.comments
    assert "tide mill" not in result.comments


# Any page


@pytest.mark.parametrize(
    "page",
    [
        '<div class="comment" id="c1">2020-05-01 <a class="author">Ann</a> one two three' * 1500,
        "<ul>" * 300 + '<li class="post"><time datetime="2020-05-01"></time>a b c d e f g' * 300,
        '<p class="post" id="p1"><b class="author">Ann</b> 1.2.2020 four words of text</p>'
        * 20_000,
        "".join(
            f'<div class="c{n} post" id="i{n}">3 May 2020 <i>x</i> y</div>' for n in range(9000)
        ),
        '<table><tr><td class="post">1/2/2020 <a href="/user/1">Ann</a><td>text of it' * 400,
        "<dl>" + '<dt class="author">Ann <time>2020-05-01</time><dd>what Ann wrote there' * 8000,
    ],
)
def test_any_page_has_posts_in_order_or_none(page: str) -> None:
    result = tamis.extract(page)
    posts = result.posts
    assert [post.position for post in posts] == list(range(1, len(posts) + 1))
    assert posts == tamis.extract(page).posts
    assert len(result.regions) == len(result.page.blocks)


def test_every_message_is_text_of_the_page_once() -> None:
    result = tamis.extract(pages.stack_exchange(), url=URL)
    words = " ".join(result.page.block_texts(np.arange(len(result.page.blocks))))
    for post in result.posts:
        for line in post.text.splitlines():
            assert line in words


def test_a_thread_that_scripts_would_show_is_found_in_its_noscript() -> None:
    thread = (
        pages.nested()
        .replace('<div class="sitetable">', "<noscript>")
        .replace("</div></div>" + pages.FOOT, "</noscript></div>" + pages.FOOT)
    )
    assert len(posts_of(thread)) == 5
    assert "main" in tamis.extract(thread).regions
