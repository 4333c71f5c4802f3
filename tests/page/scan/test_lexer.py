"""Tokens are those of the HTML standard's tokenizer."""

from __future__ import annotations

import pytest
import turbohtml
from tests.page.reading import blocks, node_of

import tamis
from tamis.page.scan.lexer import Lexer, read_attributes
from tamis.page.tags import COMMENT, DOCTYPE, END, NOTHING, START, TEXT


def token(source: str) -> tuple[int, str, str]:
    """The token at the beginning: its kind, its name or data, and the source after it."""
    kind, end, name, _, data = Lexer(source.encode()).read(0)
    return kind, (name or data).decode(), source.encode()[end:].decode()


# Tags


@pytest.mark.parametrize(
    ("source", "kind", "name"),
    [
        ("<p>x", START, "p"),
        ("<P>x", START, "p"),
        ("<p class=a id=b>x", START, "p"),
        ("<p\nclass=a>x", START, "p"),
        ("<br/>x", START, "br"),
        ("<h1>x", START, "h1"),
        ("<my-Element>x", START, "my-element"),
        ("<o:p>x", START, "o:p"),
        ("<p<b>x", START, "p<b"),
        ("<p title='>'>x", START, "p"),
        ("</p>x", END, "p"),
        ("</P >x", END, "p"),
        ("</p class=a>x", END, "p"),
    ],
)
def test_a_tag_ends_at_the_first_bracket_outside_quotes(source: str, kind: int, name: str) -> None:
    assert token(source) == (kind, name, "x")


@pytest.mark.parametrize(
    ("source", "closing"),
    [("<br/>", 1), ("<br />", 1), ("<br / >", 0), ("<br>", 0), ("<a href=/>", 0), ("<a b/>", 1)],
)
def test_a_slash_right_before_the_bracket_closes_the_tag(source: str, closing: int) -> None:
    assert Lexer(source.encode()).read(0)[3] == closing


@pytest.mark.parametrize("source", ["<", "< p>", "<3", "<<p>", "<=", "</"])
def test_a_bracket_before_anything_but_a_name_is_text(source: str) -> None:
    assert token(source)[0] == TEXT


@pytest.mark.parametrize("source", ["</>", "<p", "<p class", "<p class='a>", "</p"])
def test_an_empty_end_tag_and_a_tag_cut_off_by_the_end_are_nothing(source: str) -> None:
    assert token(source) == (NOTHING, "", "")


def test_text_before_a_cut_off_tag_is_kept() -> None:
    assert blocks("<p>one <b>two</b> three <a href='") == ["one two three"]


def test_a_less_than_sign_in_text_is_text() -> None:
    assert blocks("<p>1 < 2 and 3 <4 <= 5 <") == ["1 < 2 and 3 <4 <= 5 <"]


# Attributes

ATTRIBUTES = [
    ("<a href=\"x\" title='y' id=z hidden>", {"href": "x", "title": "y", "id": "z", "hidden": ""}),
    ("<a HREF=X>", {"href": "X"}),
    ("<a id=1 id=2 ID=3>", {"id": "1"}),
    ("<a id= title=x>", {"id": "title=x"}),
    ("<a id=>", {"id": ""}),
    ("<a id=''>", {"id": ""}),
    ("<a id = 'b' title>", {"id": "b", "title": ""}),
    ("<a id\n=\n'b'>", {"id": "b"}),
    ("<a =b>", {"=b": ""}),
    ("<a id==b>", {"id": "=b"}),
    ("<a id=b/c/>", {"id": "b/c/"}),
    ("<a/id=b/title=c>", {"id": "b/title=c"}),
    ("<a/id='b'/title>", {"id": "b", "title": ""}),
    ("<a id='b'title='c'>", {"id": "b", "title": "c"}),
    ("<a id='x>y' title=\"it's\">", {"id": "x>y", "title": "it's"}),
    ("<a title='a\nb'>", {"title": "a\nb"}),
    ("<a onclick='f(\"<b>\")'>", {"onclick": 'f("<b>")'}),
    ("<a @click=f :id=x data-a-b=c>", {"@click": "f", ":id": "x", "data-a-b": "c"}),
    ("<a href='?a=1&copy=2'>", {"href": "?a=1&copy=2"}),
    ("<a href='?a=1&amp;b=2'>", {"href": "?a=1&b=2"}),
    ("<a href=?a&lt=1&lt;>", {"href": "?a&lt=1<"}),
    ("<a title='&copyx &copy; &copy'>", {"title": "&copyx © ©"}),
    ("<a title='&notin; &notit;'>", {"title": "∉ &notit;"}),
    ("<a title='&#233;&#xe9;&#x80;'>", {"title": "éé€"}),
    ("<a title='&unknown;&'>", {"title": "&unknown;&"}),
]


@pytest.mark.parametrize(("markup", "expected"), ATTRIBUTES)
def test_attributes_are_those_of_the_standard(markup: str, expected: dict[str, str]) -> None:
    page = tamis.parse(markup)
    conforming = turbohtml.parse(markup).find("a")
    assert conforming is not None
    assert page.attributes(node_of(page, "a")) == expected
    assert {name: value or "" for name, value in conforming.attrs.items()} == expected


@pytest.mark.parametrize(("markup", "expected"), ATTRIBUTES)
def test_listed_attributes_are_found_by_name(markup: str, expected: dict[str, str]) -> None:
    page = tamis.parse(markup + "<p id=other title=other>")
    for name in ("href", "title", "id", "hidden", "onclick"):
        assert page.attribute(node_of(page, "a"), name) == expected.get(name)


def test_attributes_of_a_tag_come_in_order_and_raw() -> None:
    source = b"<p>x<img src=a.png alt='A &amp; B' SRC=b.png>y"
    pairs, end = read_attributes(source, source.index(b"<img"))
    assert pairs == [(b"src", b"a.png"), (b"alt", b"A &amp; B"), (b"src", b"b.png")]
    assert source[end:] == b"y"


def test_an_end_tag_has_no_attributes() -> None:
    page = tamis.parse("<div>x</div id=a><p>y</p>")
    assert page.attribute(node_of(page, "div"), "id") is None
    assert page.attribute(node_of(page, "p"), "id") is None


def test_a_nul_in_an_attribute_is_shown_as_a_replacement_character() -> None:
    page = tamis.parse("<a title='x\0y'>")
    assert page.attributes(node_of(page, "a")) == {"title": "x\ufffdy"}


# Comments and the like


@pytest.mark.parametrize(
    ("source", "data", "rest"),
    [
        ("<!---->x", "", "x"),
        ("<!-->x", "", "x"),
        ("<!--->x", "", "x"),
        ("<!--a-->x", "a", "x"),
        ("<!--a--!>x", "a", "x"),
        ("<!----!>x", "", "x"),
        ("<!--a--!-->x", "a--!", "x"),
        ("<!--a--b-->x", "a--b", "x"),
        ("<!--a->b-->x", "a->b", "x"),
        ("<!--a>b-->x", "a>b", "x"),
        ("<!--a--->x", "a-", "x"),
        ("<!--<!--a-->x", "<!--a", "x"),
        ("<!-- <p>a</p> -->x", " <p>a</p> ", "x"),
        ("<!--a", "a", ""),
        ("<!--a-", "a", ""),
        ("<!--a--", "a", ""),
        ("<!--a--!", "a", ""),
        ("<!--", "", ""),
    ],
)
def test_a_comment_ends_in_any_of_the_standard_ways(source: str, data: str, rest: str) -> None:
    assert token(source) == (COMMENT, data, rest)


@pytest.mark.parametrize(
    ("source", "data"),
    [
        ("<!a>x", "a"),
        ("<!>x", ""),
        ("<!-a-->x", "-a--"),
        ("<?xml version='1.0'?>x", "?xml version='1.0'?"),
        ("</ p>x", " p"),
        ("</3>x", "3"),
        ("<![CDATA[a]]>x", "[CDATA[a]]"),
        ("<![if IE]>x", "[if IE]"),
    ],
)
def test_markup_without_meaning_is_a_comment_up_to_the_next_bracket(source: str, data: str) -> None:
    assert token(source) == (COMMENT, data, "x")


@pytest.mark.parametrize(
    "source",
    [
        "<!DOCTYPE html>x",
        "<!doctypehtml>x",
        '<!DocType html PUBLIC "-//W3C//DTD HTML 4.01//EN" "http://www.w3.org/TR/html4/strict.dtd">x',
        "<!doctype>x",
    ],
)
def test_a_doctype_ends_at_the_bracket(source: str) -> None:
    kind, _, rest = token(source)
    assert (kind, rest) == (DOCTYPE, "x")


def test_comments_are_no_text_and_separate_nothing() -> None:
    assert blocks("<p>one<!-- <p>no</p> -->two <!-->three<!--->four") == ["onetwo threefour"]


# Raw text

SCRIPTS = [
    "x</script>",
    "if (a < b && c > d) '<p>no</p>';</script>",
    "x</scriptx>y</script>",
    "x</script >",
    "x</script/>",
    "x</script a='>'>",
    "x</SCRIPT>",
    "x</ script></script>",
    "x",
    "x</script",
    "<!--x</script>",
    "<!--x-->y</script>",
    "<!--<script>x</script>y--></script>",
    "<!--<script>x</script>y</script>",
    "<!--<script>x--></script>",
    "<!--<script></scriptx></script></script>",
    "<!--<scriptx></script>",
    "<!--x--><script></script>",
    "<!--><script></script>",
    "<!---><script></script>",
    "<!--<script",
    "<!--<SCRIPT >x</SCRIPT>y</SCRIPT>",
    "<!--<script><script></script>x</script>",
    "a<!-b<script></script>",
    "<!-- <!-- <script> --> </script>",
    "&amp;</script>",
]


@pytest.mark.parametrize("rest", SCRIPTS)
def test_a_script_ends_where_the_standard_says(rest: str) -> None:
    html = f"<body><script>{rest}<p>after"
    page = tamis.parse(html)
    document = turbohtml.parse(html)
    script = document.find("script")
    assert script is not None
    assert page.content(node_of(page, "script")) == script.text
    assert page.node_text(0).split() == [p.text for p in document.find_all("p")]


@pytest.mark.parametrize("name", ["script", "style", "iframe", "noembed", "noframes", "title"])
def test_the_content_of_raw_text_elements_is_neither_markup_nor_text(name: str) -> None:
    page = tamis.parse(f"<body><{name}>a <p>b</p> c</{name}><p>after")
    assert page.content(node_of(page, name)) == "a <p>b</p> c"
    assert page.node_text(0) == "after"


@pytest.mark.parametrize("name", ["textarea", "xmp"])
def test_the_content_of_a_text_area_is_text_but_no_markup(name: str) -> None:
    assert blocks(f"<body><{name}>a <p>b</p> c</{name}><p>after") == ["a <p>b</p> c", "after"]


@pytest.mark.parametrize(
    "rest", ["a</textareas>b</textarea>c", "a", "a</textarea", "a<!--</textarea>"]
)
def test_a_text_area_ends_at_its_own_end_tag_only(rest: str) -> None:
    html = f"<body><textarea>{rest}"
    page = tamis.parse(html)
    textarea = turbohtml.parse(html).find("textarea")
    assert textarea is not None
    assert page.node_text(node_of(page, "textarea")) == textarea.text


def test_references_count_in_title_and_text_area() -> None:
    page = tamis.parse("<title>a &amp; b &lt;i&gt;</title><textarea>&copy; &amp;</textarea>")
    assert page.title == "a & b <i>"
    assert page.node_text(0) == "© &"


@pytest.mark.parametrize(
    "html",
    [
        "<xmp>a &amp; b</xmp>",
        "<plaintext>a &amp; b",
        "<svg><text><![CDATA[a &amp; b]]></text></svg>",
    ],
)
def test_references_do_not_count_in_raw_text(html: str) -> None:
    assert blocks(html) == ["a &amp; b"]


def test_after_plaintext_there_is_no_markup() -> None:
    assert blocks("<p>a<plaintext>b<p>c</p></plaintext>") == ["a", "b<p>c</p></plaintext>"]


# CDATA


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<svg><text>a<![CDATA[<b>]]>c</text></svg>", ["a<b>c"]),
        ("<math><mi>x</mi><![CDATA[y > z]]></math>", ["xy > z"]),
        ("<svg><text><![CDATA[a]] b]]></text></svg>c", ["a]] bc"]),
        ("<svg><![CDATA[a<p>b", ["a<p>b"]),
    ],
)
def test_cdata_in_svg_and_math_is_text(html: str, expected: list[str]) -> None:
    assert blocks(html) == expected


@pytest.mark.parametrize(
    "html",
    [
        "<p><![CDATA[no]]>yes",
        "<svg></svg><p><![CDATA[no]]>yes",
        "<svg><foreignObject><p><![CDATA[no]]>yes",
        "<svg/><![CDATA[no]]>yes",
    ],
)
def test_cdata_elsewhere_is_a_comment(html: str) -> None:
    assert blocks(html) == ["yes"]


# Characters


@pytest.mark.parametrize("html", ["<p>a\0b", "<p>\0a\0b\0", "<p>a<b>\0b\0</b>"])
def test_a_nul_in_the_text_is_left_out(html: str) -> None:
    assert blocks(html) == ["ab"]


def test_a_nul_does_not_end_a_tag_or_a_script() -> None:
    assert blocks("<p cl\0ass='a\0b'>one<script>\0</script>\0<b>two") == ["onetwo"]


@pytest.mark.parametrize("end", ["\r\n", "\r", "\n", "\t", "\f"])
def test_any_white_space_separates_words_and_attributes(end: str) -> None:
    page = tamis.parse(f"<p{end}id=a{end}title=b>one{end}two</p{end}>")
    assert page.node_text(0) == "one two"
    assert page.attributes(node_of(page, "p")) == {"id": "a", "title": "b"}
