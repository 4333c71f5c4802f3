"""Names of authors in values, in bylines and near the headline."""

from __future__ import annotations

import pytest
from tests.describe.metadata.pages import page, read

from tamis.describe.metadata.authors import (
    _MAY_BE_NOISE,
    _NOISE,
    find_byline,
    is_name,
    read_names,
    starts_byline,
)
from tamis.page.reader import parse


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("By Ann Lee", ["Ann Lee"]),
        ("Written by: Ann Lee and Bo Ek", ["Ann Lee", "Bo Ek"]),
        ("Von Ann Lee und Bo Ek", ["Ann Lee", "Bo Ek"]),
        ("Ann Lee; Bo Ek", ["Ann Lee", "Bo Ek"]),
        ("Ann Lee, Ph.D., Bo Ek, MD", ["Ann Lee", "Bo Ek"]),
        ("Ann Lee (ann@harbour.example)", ["Ann Lee"]),
        ("Ann Lee | Harbour News", ["Ann Lee", "Harbour News"]),
        ("By Ann Lee December 2, 2024", ["Ann Lee"]),
        ("By Ann Lee on May 3", ["Ann Lee"]),
        ("Ann Lee - Staff writer", ["Ann Lee"]),
        ("Ann T.", ["Ann T."]),
        ("@annlee", []),
        ("https://social.example/annlee", []),
        ("admin", []),
        ("{{ author.name }}", []),
        ("JWood13", ["JWood13"]),
        ("โดย สมชาย ใจดี", ["สมชาย ใจดี"]),
        ("作者：王小明", ["王小明"]),
        ("", []),
    ],
)
def test_a_byline_gives_names_alone(text: str, expected: list[str]) -> None:
    assert read_names(text) == expected


@pytest.mark.parametrize(
    "byline",
    [
        "<p class=byline>By Ann Lee</p>",
        '<div class="post-meta"><span class="author vcard"><a rel=author>Ann Lee</a></span></div>',
        '<a href="/author/ann-lee">Ann Lee</a> <span>3 min read</span>',
        "<p>Posted by Ann Lee on 3 May 2023</p>",
        '<span itemprop="author">Ann Lee</span>',
        '<div class="author-box"><img alt=""><p class="author-name">Ann Lee</p>'
        '<p class="author-bio">Writes about rivers and the people who live beside them.</p></div>',
    ],
)
def test_a_byline_is_found_near_the_headline(byline: str) -> None:
    assert read(page("<title>Floods</title>", f"<h1>Floods</h1>{byline}")).authors == ("Ann Lee",)


def test_a_byline_counts_more_than_the_name_of_the_site() -> None:
    head = '<title>Floods</title><meta name=author content="Harbour News">'
    head += '<meta property="og:site_name" content="Harbour News">'
    assert read(page(head, "<h1>Floods</h1><p>By Ann Lee</p>")).authors == ("Ann Lee",)
    article = head + '<meta property="og:type" content="article">'
    assert read(page(article, "<h1>Floods</h1>")).authors == ("Harbour News",)


def test_authors_in_other_meta_elements_are_found() -> None:
    head = '<meta name="twitter:label1" content="Written by"><meta name="twitter:data1"'
    assert read(page(head + ' content="Ann Lee">')).authors == ("Ann Lee",)
    head = "<meta name=citation_author content='Ann Lee'>" * 2
    head += "<meta name=citation_author content='Bo Ek'>"
    assert read(page(head)).authors == ("Ann Lee", "Bo Ek")


@pytest.mark.parametrize(
    ("byline", "expected"),
    [
        ("Keith Barry Senior Autos Reporter", ("Keith Barry",)),
        ("By Ann Lee, Content Manager", ("Ann Lee",)),
        ("Senior Reporter Ann Lee", ("Ann Lee",)),
        ("Ann Lee ⋅ Founder, Editor-in-Chief ⋅ Updated", ("Ann Lee",)),
        ("<div>E</div><div>Eric K</div><div>Observer</div>", ("Eric K",)),
        ("Premo3 P", ("Premo3",)),
        ("Marty OP", ("Marty",)),
        ("<div>By</div><div>Ann Lee</div><div>and</div><div>Bo Ek</div>", ("Ann Lee", "Bo Ek")),
        ("<div>Ann Lee,</div><div>Bo Ek</div>", ("Ann Lee", "Bo Ek")),
        ("By Ann Lee, MD. Medically reviewed by Bo Ek", ("Ann Lee",)),
        ("Fact-checked by Bo Ek", ()),
        ("Review", ()),
        ("Sign in", ()),
        ("Written by", ()),
        ("Saturday", ()),
        ("AWS CloudFormation User Guide", ()),
        ("by the end of this course, you will know the river", ()),
        ("J. J. Abel", ("J. J. Abel",)),
        ("Letters to the Editor", ("Letters to the Editor",)),
    ],
)
def test_an_author_is_a_name_and_nothing_else(byline: str, expected: tuple[str, ...]) -> None:
    body = f'<h1>Floods</h1><div class="author">{byline}</div>'
    assert read(page("<title>Floods</title>", body)).authors == expected


def test_a_shop_that_calls_itself_an_author_is_none() -> None:
    head = """<title>Drum sieve | Sieves</title><meta property="og:site_name" content="Sieves">
        <meta property="og:type" content="product"><meta name="author" content="Sieves">"""
    assert read(page(head, "<h1>Drum sieve</h1>")).authors == ()


def test_authors_of_teasers_are_not_those_of_the_page() -> None:
    teasers = "".join(
        f'<div><h2><a href="/{name}">Of {name}</a></h2><p class="byline">By {name} Lee</p></div>'
        for name in ("Ann", "Bo", "Cy", "Di")
    )
    assert read(page("<title>All stories</title>", f"<h1>All stories</h1>{teasers}")).authors == ()


def test_who_reviews_a_product_and_where_to_sign_in_is_no_author() -> None:
    body = """<a href="/users/sign_in">Sign</a><h1>Sieve</h1><span class="review-author">Laura B.
        </span>"""
    assert read(page("<title>Sieve</title>", body)).authors == ()


@pytest.mark.parametrize("first", ["", "B", "<b>B</b>", "<i hidden>X</i>B", "&#66;", "\0B"])
def test_a_byline_in_pieces_begins_like_one_in_one_piece(first: str) -> None:
    head = "<h1>News</h1><p class=author>Site Staff Writers</p><p>" + "Word " * 40
    rest = "y Ann Lee" if first else "By Ann Lee"
    html = f"{head}<p><span class=author>{first}{rest}</span>"
    assert find_byline(parse(html), 0) == ["Ann Lee"]


def test_texts_without_a_sign_of_noise_have_none() -> None:
    for text in (
        "Ann (Bonn)",
        "Ann [1]",
        "Ann <a>",
        "https://a.b",
        "a@b.c",
        "@ann",
        "Ann - Post",
        "A – b",
    ):
        assert _NOISE.search(text)
        assert _MAY_BE_NOISE.search(text)


@pytest.mark.parametrize(
    "text", ["Ann Lee", "By Lee", "Ann And Bo", "Ann Und", "Von Trapp", "Staff Writer"]
)
def test_a_plain_name_is_read_like_any_other(text: str) -> None:
    # A mark at the end takes the long way.
    assert read_names(text) == read_names(text + ",")


# Which byline is chosen


def find_near(after: str, before: str = "") -> list[str]:
    """Find the byline of a page with one block per line, before and after the headline."""
    lines = [line if line.startswith("<") else f"<p>{line}" for line in before.split("\n") if line]
    lines.append("<h1>Floods</h1>")
    headline = len(lines) - 1
    lines += [line if line.startswith("<") else f"<p>{line}" for line in after.split("\n")]
    return find_byline(parse("\n".join(lines)), headline)


ANN, BO = "<p class=author>Ann Lee</p>", "<p class=author>Bo Ek</p>"


def test_the_nearest_byline_wins_and_one_above_the_headline_is_twice_as_far() -> None:
    assert find_near(f"{ANN}\n{BO}") == ["Ann Lee"]
    assert find_near(BO, before=ANN) == ["Bo Ek"]
    assert find_near(f"River\nRiver\n{BO}", before=ANN) == ["Ann Lee"]


@pytest.mark.parametrize(("blocks", "found"), [(29, ["Ann Lee"]), (30, [])])
def test_a_byline_is_at_most_29_blocks_below_the_headline(blocks: int, found: list[str]) -> None:
    assert find_near("River\n" * (blocks - 1) + ANN) == found


@pytest.mark.parametrize(("blocks", "found"), [(10, ["Ann Lee"]), (11, [])])
def test_a_byline_is_at_most_10_blocks_above_the_headline(blocks: int, found: list[str]) -> None:
    assert find_near("River", before=ANN + "\nRiver" * (blocks - 1)) == found


@pytest.mark.parametrize(
    ("nearer", "better"),
    [
        ("By Bo Ek", "<p><a rel=author>Ann Lee</a>"),
        (BO, "By Ann Lee"),
        (BO, "<p class=author-name>Ann Lee"),
        ("<p class=author-bio>Bo Ek", "<p class=username>Ann Lee"),
        ("<p class=username>Bo Ek", ANN),
        ('<p><a href="/user/bo">Bo Ek</a>', "<p class=username>Ann Lee"),
        ('<p><a href="/user/bo/avatar">Bo Ek</a>', '<p><a href="/user/ann">Ann Lee</a>'),
        ("<p class=author-login>Bo Ek", ANN),
        ("<p class=author>Bo Ek Cy Day Dee Eve", ANN),
    ],
)
def test_a_better_sign_of_an_author_counts_more_than_a_nearer_one(nearer: str, better: str) -> None:
    assert find_near(f"{nearer}\n{better}") == ["Ann Lee"]


def test_a_byline_has_at_most_15_words_and_12_texts() -> None:
    words = " | Desk" * 6
    assert find_near(f"By Ann Lee{words} 1 2 3 4 5 6") == ["Ann Lee"]
    assert find_near(f"By Ann Lee{words} 1 2 3 4 5 6 7") == []
    assert find_near("<p class=author>Ann Lee" + "<b>.</b>" * 11) == ["Ann Lee"]
    assert find_near("<p class=author>Ann Lee" + "<b>.</b>" * 12) == []


def test_names_below_several_headings_are_those_of_teasers() -> None:
    def list_teasers(*names: str, heading: str = "<h2>River</h2>\n") -> str:
        return "\n".join(f"{heading}<p class=author>{name}" for name in names)

    assert find_near(list_teasers("Ann Lee", "Bo Ek", "Cy Day")) == []
    assert find_near(list_teasers("Ann Lee", "Bo Ek")) == ["Ann Lee"]
    assert find_near(list_teasers("Ann Lee", "Ann Lee", "Ann Lee")) == ["Ann Lee"]
    assert find_near(list_teasers("Ann Lee", "Bo Ek", "Cy Day", heading="")) == ["Ann Lee"]
    assert find_near("<p class=byline>Dee Fox\n" + list_teasers("Ann Lee", "Bo Ek", "Cy Day")) == [
        "Dee Fox"
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("By Ann", True),
        ("par: Ann", True),
        ("Written by Ann", True),
        ("作者:王小明", True),
        ("\u00a0By Ann", False),
        ("Byte by byte", False),
        ("By", False),
        ("", False),
        ("王小明", False),
    ],
)
def test_a_byline_begins_with_a_word_for_by(text: str, expected: bool) -> None:
    assert starts_byline(text) == expected


@pytest.mark.parametrize(
    ("name", "expected"),
    [("Li", True), ("L", False), ("A" * 60, True), ("A" * 61, False), ("12", False),
     ("a b c d e f", True), ("a b c d e f g", False), ("staff", False), ("Reviews", False)],
)  # fmt: skip
def test_a_name_is_short_and_has_a_letter(name: str, expected: bool) -> None:
    assert is_name(name) == expected


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("E Eric Ek", ["Eric Ek"]),
        ("Ann A", ["Ann"]),
        ("Ann B", ["Ann B"]),
    ],
)
def test_the_letter_of_a_picture_is_no_part_of_a_name(text: str, names: list[str]) -> None:
    assert find_near(f"<p class=author>{text}") == names
