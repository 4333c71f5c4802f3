"""The kinds of regions: what every block of a page is part of."""

from __future__ import annotations

import numpy as np
import pytest

import tamis
from tamis.describe.regions import KIND, KINDS, find_regions

STORY = (
    "The tide mill at Low Quay turns again after forty years, and the miller, who had never seen"
    " it move, was the first to get wet.",
    "Volunteers spent three winters on the wheel; the oak came from a barn that the storm of 2019"
    " had taken down.",
)

NEWS = f"""<!doctype html><html lang="en"><head><title>Tide mill turns again | The Courier</title>
</head><body class="single comments-open">
<div role="dialog" class="bar"><p>We use cookies to count readers.</p><button>Fine</button></div>
<header><a href="/">The Courier</a> <span>Printed since 1887</span></header>
<nav><ul><li><a href="/news">News</a></li><li><a href="/sport">Sport</a></li></ul></nav>
<article><h1>Tide mill turns again</h1><p>{STORY[0]}</p>
<div class="ad-slot">Bramley Sails: everything must go</div><p>{STORY[1]}</p>
<div class="share-buttons"><a href="#">Post it</a></div></article>
<section class="related-posts"><h3>More from the quay</h3>
<a href="/1">Harbour master retires after 34 years at the gate</a></section>
<div id="comments"><ol><li class="commentBody"><p>Lovely wheel, shame about the car park.</p>
<footer>Gull, 8 May</footer></li></ol>
<form action="/c"><label>Your name</label><input name="n"></form></div>
<div style="display:none">You have read your three free articles.</div>
<form><label>Search</label><input name="q"></form>
<footer><nav><a href="/about">About the paper</a></nav><p>Owned by its readers.</p>
<p class="copyright">© 2024 The Courier</p></footer></body></html>"""


def kinds_of(html: str, *kept: str) -> dict[str, str]:
    """The kind of each block by its text, when the blocks that begin with `kept` are kept."""
    page = tamis.parse(html)
    texts = page.block_texts(np.arange(len(page.blocks)))
    kinds = find_regions(page, np.array([text.startswith(kept) for text in texts], bool))
    return {text: KINDS[kind] for text, kind in zip(texts, kinds, strict=True)}


def test_every_part_of_a_news_page_has_its_kind() -> None:
    kinds = kinds_of(NEWS, *STORY)
    assert [kinds[text] for text in STORY] == ["main", "main"]
    expected = {
        "We use cookies to count readers.": "legal",
        "Fine": "legal",
        "News": "navigation",
        "Tide mill turns again": "title",
        "Bramley Sails: everything must go": "promotion",
        "Post it": "promotion",
        "More from the quay": "related",
        "Harbour master retires after 34 years at the gate": "related",
        "Lovely wheel, shame about the car park.": "comments",
        "Gull, 8 May": "comments",
        "Your name": "form",
        "You have read your three free articles.": "hidden",
        "Search": "form",
        "About the paper": "footer",
        "Owned by its readers.": "footer",
        "© 2024 The Courier": "legal",
    }
    assert {text: kinds[text] for text in expected} == expected


def test_comments_that_were_kept_are_still_comments() -> None:
    comment = "Lovely wheel, shame about the car park."
    assert kinds_of(NEWS, *STORY, comment)[comment] == "comments"


def test_comments_below_a_heading_need_no_element_of_their_own() -> None:
    comment = "Bring back the growl. I set my watch by it."
    page = f"""<div class="content"><h2 class="comment-count">2 comments</h2><p>{STORY[0]}</p>
    <p>{STORY[1]}</p><h2 id="comments">Comments</h2><p>{comment}</p>
    <div class="newsletter">The Morning Tide</div></div><p>Old news</p>"""
    kinds = kinds_of(page, *STORY, comment)
    assert kinds[STORY[0]] == "main"
    assert kinds[comment] == "comments"
    assert kinds["The Morning Tide"] == "promotion"
    assert kinds["Old news"] == "other"


def test_the_latest_comments_of_a_site_are_links_to_other_pages() -> None:
    page = f"""<p>{STORY[0]}</p><div class="widget widget_recent_comments"><ul>
    <li class="recentcomments">Gull on <a href="/1">Low tide market</a></li></ul></div>"""
    assert kinds_of(page, STORY[0])["Gull on Low tide market"] == "related"


def test_the_posts_of_a_forum_are_main_although_they_are_called_comments() -> None:
    posts = [f"{number}. The skylight drips only when the wind is west." for number in range(9)]
    thread = "".join(f'<div class="comment"><p>{post}</p></div>' for post in posts)
    kinds = kinds_of(f"<h1>Skylight drips</h1>{thread}<footer>Old House Bench</footer>", *posts)
    assert {kinds[post] for post in posts} == {"main"}


def test_the_replies_of_known_forum_software_are_main_below_a_long_first_post() -> None:
    reply = "Have you looked at the flashing on the west side?"
    page = f"""<html id="XenForo"><p>{STORY[0]}</p><p>{STORY[1]}</p>
    <div itemscope itemtype="https://schema.org/Comment"><p>{reply}</p></div>"""
    assert kinds_of(page, *STORY, reply)[reply] == "main"
    assert kinds_of(page.replace("XenForo", "x"), *STORY, reply)[reply] == "comments"


@pytest.mark.parametrize(
    ("title", "heading", "other"),
    [
        ("ตลาดน้ำคลองบัวลอย - สยามริมน้ำ", "ตลาดน้ำคลองบัวลอย", "ข่าวเด่น"),
        ("مكتبة على ظهر الجمال | صحيفة الواحة", "مكتبة على ظهر الجمال", "أخبار"),
        ("湖の水は毎年少なくなっている｜湖畔日報", "湖の水は毎年少なくなっている", "天気"),
    ],
)
def test_the_title_is_found_in_every_script(title: str, heading: str, other: str) -> None:
    page = f"<title>{title}</title><h2>{other}</h2><h2>{heading}</h2><p>{STORY[0]}</p>"
    kinds = kinds_of(page, STORY[0])
    assert kinds[heading] == "title"
    assert kinds[other] != "title"


def test_a_title_that_is_no_heading_is_found_by_its_text() -> None:
    page = f"""<title>Typhoon nears the coast - Harbour News</title><table><tr><td>Typhoon</td></tr>
    </table><div class="hl">Typhoon nears the coast</div><p>{STORY[0]}</p>"""
    assert kinds_of(page, STORY[0])["Typhoon nears the coast"] == "title"


def test_the_name_of_the_site_is_not_the_title() -> None:
    page = f"""<title>Soccer - Anelka may sign before the weekend - Sport</title>
    <h1>Soccer</h1><h2>Anelka may sign before the weekend</h2><p>{STORY[0]}</p>"""
    kinds = kinds_of(page, STORY[0])
    assert kinds["Anelka may sign before the weekend"] == "title"
    assert kinds["Soccer"] != "title"


def test_a_name_on_an_element_around_everything_means_nothing() -> None:
    page = f'<div class="newsletter menu"><p>{STORY[0]}</p><p>By the editor</p></div>'
    kinds = kinds_of(page, STORY[0])
    assert kinds == {STORY[0]: "main", "By the editor": "other"}


def test_unmarked_links_are_navigation_when_short_and_related_when_long() -> None:
    page = f"""<p>{STORY[0]}</p><div><a href="/a">Weather</a></div>
    <div><a href="/b">Old diesel boat to become a floating library</a></div>"""
    kinds = kinds_of(page, STORY[0])
    assert kinds["Weather"] == "navigation"
    assert kinds["Old diesel boat to become a floating library"] == "related"


def test_hidden_content_that_was_kept_is_main() -> None:
    page = f"<div hidden><p>{STORY[0]}</p></div><div hidden><p>Join us</p></div><p>Loading</p>"
    kinds = kinds_of(page, STORY[0])
    assert kinds[STORY[0]] == "main"
    assert kinds["Join us"] == "hidden"


@pytest.mark.parametrize(
    "html",
    [
        "",
        "text",
        "<p>",
        "a comment without any attribute",
        "<div class='nav " * 50 + "'>x",
        "<div class=comment>" * 1500 + "deep" + "</div>" * 1500,
        "<div role=dialog>cookie</div>" * 3000,
        f"<title>{'a ' * 50_000}</title>" + "<h1>a a</h1>" * 2000,
    ],
)
def test_any_page_has_one_kind_a_block(html: str) -> None:
    page = tamis.parse(html)
    for kept in (np.zeros(len(page.blocks), bool), np.ones(len(page.blocks), bool)):
        kinds = find_regions(page, kept)
        assert kinds.dtype == np.uint8
        assert len(kinds) == len(page.blocks)
        assert (kinds < len(KINDS)).all()
        assert np.array_equal(kinds, find_regions(page, kept))
        assert (kinds == KIND["title"]).sum() <= 1
