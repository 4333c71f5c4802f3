"""The columns of a page and what can be asked of them."""

from __future__ import annotations

import dataclasses
import pickle
import random
from pathlib import Path

import numpy as np
import pytest
import turbohtml

import tamis
from tamis.page import tags
from tamis.page.structure.subtrees import find_nearest
from tests.page.reading import blocks, node_of

# Text


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<p> one \n\t two  ", "one two"),
        ("<p>one<b>two</b>three", "onetwothree"),
        ("<p>one <b>two</b> three", "one two three"),
        ("<p>one<b> two </b>three", "one two three"),
        ("<p>one <b> two</b>", "one two"),
        ("<p>one<b> </b>two", "one two"),
        ("<p>one<b></b>two", "onetwo"),
        ("<p>one <!-- c --> two", "one two"),
        ("<p>one<!-- c -->two", "onetwo"),
        ("<p>one<script>x</script>two", "onetwo"),
        ("<p>one <script>x</script>two", "one two"),
        ("<p>o<i>n</i>e, <a href=x>two</a>.", "one, two."),
        ("<p>one<img>two<wbr>three", "onetwothree"),
        ("<p>one\xa0two", "one\xa0two"),
        ("<p>co\xadop\u200berate", "co\xadop\u200berate"),
        ("<p>สวัสดี<b>ครับ</b>", "สวัสดีครับ"),
        ("<p>one<x-y>two</x-y>", "onetwo"),
        ("<p>a & b < c > d", "a & b < c > d"),
    ],
)
def test_words_are_neither_glued_nor_split_by_inline_tags(html: str, expected: str) -> None:
    assert blocks(html) == [expected]


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<p>one<br>two", ["one\ntwo"]),
        ("<p>one <br> two", ["one\ntwo"]),
        ("<p>one<br>\n<b>two</b><br/>three", ["one\ntwo\nthree"]),
        ("<p><br>one<br>", ["one"]),
        ("<p>one<br><br>two", ["one", "two"]),
        ("<p>one<br> <br>two", ["one", "two"]),
        ("<p>one<br><b><br>two</b>", ["one", "two"]),
        ("<p>one<br><br><br><br>two<br>three", ["one", "two\nthree"]),
    ],
)
def test_one_line_break_is_a_new_line_and_two_are_a_new_block(
    html: str, expected: list[str]
) -> None:
    assert blocks(html) == expected


def test_a_block_level_tag_begins_a_block() -> None:
    html = "a<p>b</p>c<div>d<ul><li>e<li>f</ul>g</div><table><td>h<td>i</table>j<h1>k</h1>l"
    assert "".join(blocks(html)) == "abcdefghijkl"
    assert len(blocks(html)) == 12


@pytest.mark.parametrize("name", ["p", "div", "li", "td", "button", "option"])
def test_a_block_level_tag_inside_an_inline_one_separates_words(name: str) -> None:
    html = f"<table><tr><td><span>one<{name}>two</{name}>three</span></table>"
    assert blocks(html) == ["one", "two", "three"]


def test_a_preformatted_text_keeps_its_white_space() -> None:
    assert blocks("<pre>one\n  two\n\n\tthree   four</pre>") == ["one\n  two\n\n\tthree   four"]
    assert blocks("<pre>a  <b>b</b>  c\n<i> </i>d</pre>") == ["a  b  c\n d"]
    assert blocks("<textarea>a\n b</textarea>") == ["a\n b"]


def test_a_preformatted_text_keeps_the_indentation_of_its_first_line() -> None:
    assert blocks("<pre>\n    one\n  two\n</pre>") == ["    one\n  two"]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_lines_of_a_preformatted_text_end_in_the_same_way_everywhere(end: str) -> None:
    assert blocks(f"<pre>one{end}two{end}{end}three</pre>") == ["one\ntwo\n\nthree"]


def test_block_texts_are_those_of_the_blocks_asked_for() -> None:
    page = tamis.parse("<p>one<p>two <b>three</b><p>four")
    assert page.block_texts(np.array([2, 0])) == ["four", "one"]
    assert page.block_texts(np.array([], int)) == []


def test_the_text_of_a_node_has_a_line_a_block() -> None:
    page = tamis.parse("<p>zero<div>one<p>two <b>three</b></p>four</div>five")
    assert page.node_text(node_of(page, "div")) == "one\ntwo three\nfour"
    assert page.node_text(node_of(page, "b")) == "three"
    assert page.node_text(node_of(page, "head")) == ""
    assert page.node_text(0) == "zero\none\ntwo three\nfour\nfive"


def test_a_run_of_text_is_what_is_between_two_tags() -> None:
    page = tamis.parse("<p> one  two <b>three</b> four")
    assert [page.text(text) for text in range(len(page.texts))] == ["one two", "three", "four"]


def test_offsets_lead_to_the_text_in_the_source(folder: Path) -> None:
    page = tamis.parse((folder / "source.html").read_bytes())
    for text, (start, end) in enumerate(zip(page.texts.start, page.texts.end, strict=True)):
        raw = page.source[start:end].decode()
        assert b"<" not in page.source[start:end] or "<" in page.text(text)
        if "&" not in raw:
            assert page.text(text).split() == raw.split()


def test_offsets_of_nodes_lead_to_their_tags() -> None:
    page = tamis.parse("<div class=a>x<p>y</p></div>z")
    for name, start, close in (("div", b"<div class=a>", b"</div>z"), ("p", b"<p>", b"</p>")):
        node = node_of(page, name)
        assert page.source[page.nodes.start[node] :].startswith(start)
        assert page.source[page.nodes.close[node] :].startswith(close)


# Hidden text

HIDING = [
    "<div hidden>no</div>",
    "<div hidden=until-found>no</div>",
    "<div style='display:none'>no</div>",
    "<div style='color: red; DISPLAY : None !important'>no</div>",
    "<div style='visibility: hidden'>no</div>",
    "<div style='display:\n none'>no</div>",
    "<div style='display:\tnone'>no</div>",
    "<template>no</template>",
    "<noscript>no</noscript>",
    "<dialog>no</dialog>",
    "<video>no</video>",
    "<audio>no</audio>",
    "<canvas>no</canvas>",
    "<datalist><option>no</datalist>",
    "<section hidden><div><p>no</p></div></section>",
]
SHOWING = [
    "<div aria-hidden=true>yes</div>",
    "<div aria-hidden=false>yes</div>",
    "<div style='display:block'>yes</div>",
    "<div style='background:none'>yes</div>",
    "<div style='overflow:hidden'>yes</div>",
    "<dialog open>yes</dialog>",
    "<div class=hidden>yes</div>",
    "<div data-hidden>yes</div>",
    "<object>yes</object>",
    "<details><summary>yes</summary></details>",
]


@pytest.mark.parametrize("html", HIDING)
def test_a_block_that_a_browser_does_not_show_is_marked(html: str) -> None:
    page = tamis.parse(f"<body><p>before</p>{html}<p>after</p>")
    assert [page.block_text(block) for block in range(3)] == ["before", "no", "after"]
    assert (page.blocks.flags & tags.HIDDEN != 0).tolist() == [False, True, False]


@pytest.mark.parametrize("html", SHOWING)
def test_a_block_that_a_browser_shows_is_not_marked(html: str) -> None:
    page = tamis.parse(f"<body>{html}<p>after</p>")
    assert page.block_text(0) == "yes"
    assert not page.blocks.flags[0] & tags.HIDDEN


@pytest.mark.parametrize("value", ["type", "test", "t\u00e9e", "TRU3", "'true '", "' true'", "''"])
def test_only_true_is_aria_hidden(value: str) -> None:
    page = tamis.parse(f"<div aria-hidden={value}>one</div>")
    assert not page.blocks.flags[0] & tags.ARIA_HIDDEN


def test_aria_hidden_is_marked_but_seen() -> None:
    page = tamis.parse("<div aria-hidden=true>one</div><div aria-hidden=TRUE>two</div>three")
    assert (page.blocks.flags & tags.ARIA_HIDDEN != 0).tolist() == [True, True, False]


def test_hidden_text_inside_a_visible_block_is_in_the_table_but_not_in_the_block() -> None:
    page = tamis.parse("<p>one <span hidden>two 2 B</span> three</p>")
    assert page.block_text(0) == page.node_text(0) == "one three"
    assert [page.text(text) for text in range(3)] == ["one", "two 2 B", "three"]
    assert (page.blocks.words[0], page.blocks.digits[0], page.blocks.capitals[0]) == (2, 0, 0)


@pytest.mark.parametrize(
    ("html", "text", "words"),
    [
        ("<p><span hidden>no</span>yes", "yes", 1),
        ("<p><span hidden>no</span>yes sir", "yes sir", 2),
        ("<p><span hidden>no </span>yes", "yes", 1),
        ("<p>o<span hidden>no</span>ne", "one", 1),
        ("<p>one<span hidden> no </span>two", "onetwo", 1),
        ("<p>one <span hidden>no</span>two", "one two", 2),
        ("<p>one<span hidden>no</span>", "one", 1),
        ("<p>one<br><span hidden>no</span>two", "one\ntwo", 2),
    ],
)
def test_hidden_text_neither_joins_nor_separates_words(html: str, text: str, words: int) -> None:
    page = tamis.parse(html)
    assert page.block_text(0) == text
    assert page.blocks.words[0] == words


def test_a_hidden_line_break_does_not_break() -> None:
    assert blocks("<p>o<span hidden><br></span>ne") == ["one"]
    assert blocks("<p>one <span hidden><br><br></span>two") == ["one two"]


def test_the_counts_of_an_all_hidden_block_are_those_of_its_text() -> None:
    page = tamis.parse("<p hidden>one two <a href=x>three</a>")
    assert page.block_text(0) == "one two three"
    assert (page.blocks.words[0], page.blocks.link_words[0]) == (3, 1)


# Elements


def test_attributes_of_an_implied_element_are_none() -> None:
    page = tamis.parse("<td class=a>x<table><td class=b>y")
    for node in range(len(page.nodes)):
        if page.tag_name(node) == "td":
            assert page.attributes(node) == {"class": "b"}
        else:
            assert page.attributes(node) == {}
            assert page.attribute(node, "class") is None


def test_an_attribute_is_found_by_its_name() -> None:
    page = tamis.parse("<div id=a class='b c' data-x=1><img src=s alt=''>")
    div, img = node_of(page, "div"), node_of(page, "img")
    assert page.attribute(div, "class") == "b c"
    assert page.attribute(div, "href") is None
    assert page.attribute(img, "alt") == ""
    assert page.attribute(img, "id") is None
    assert page.attributes(div) == {"id": "a", "class": "b c", "data-x": "1"}


XPATH = (
    "<title>t</title><div><p>a<p>b<svg><g><path/><path/></g></svg></div><div><my-card>c</my-card>"
    "<table><tr><td>d<td>e<tr><th>f</table><ul><li>g<li>h<ul><li>i</ul></ul></div><p>j"
)


def test_the_xpath_of_a_node_leads_to_it() -> None:
    page = tamis.parse(XPATH)
    document = turbohtml.parse(XPATH)
    elements = [e for e in document.root.descendants if isinstance(e, turbohtml.Element)]
    elements_at = [document.xpath(page.xpath(node)) for node in range(1, len(page.nodes))]
    assert elements_at == [[element] for element in elements]
    assert page.xpath(node_of(page, "th")) == "/html/body/div[2]/table/tbody/tr[2]/th"


def test_xpaths_of_a_page_are_all_different(folder: Path) -> None:
    page = tamis.parse((folder / "source.html").read_bytes())
    paths = [page.xpath(node) for node in range(len(page.nodes))]
    assert len(set(paths)) == len(paths)


@pytest.mark.parametrize(
    ("html", "title"),
    [
        ("<title> A \n title </title>x", "A title"),
        ("<title>A &amp; B</title>", "A & B"),
        ("<title>one</title><title>two</title>", "one"),
        ("<svg><title>no</title></svg><title>yes</title>", "yes"),
        ("<title></title>", ""),
        ("<title>cut", "cut"),
        ("<h1>none</h1>", ""),
        ("", ""),
    ],
)
def test_the_title_is_that_of_the_page(html: str, title: str) -> None:
    assert tamis.parse(html).title == title


def test_the_content_of_a_script_is_as_it_is_in_the_source() -> None:
    page = tamis.parse('<script type="application/ld+json">{"a": "&amp; <b>"}\n</script>x')
    assert page.content(node_of(page, "script")) == '{"a": "&amp; <b>"}\n'


def test_the_content_of_an_element_is_what_is_between_its_tags() -> None:
    page = tamis.parse("one <p class=a>two <b>three</b></p> four")
    assert page.content(node_of(page, "p")) == "two <b>three</b>"
    assert page.content(node_of(page, "body")) == "one <p class=a>two <b>three</b></p> four"


def test_names_that_the_standard_does_not_know_are_kept() -> None:
    page = tamis.parse("<my-card><O:P>x</O:P><été>y</été></my-card>")
    names = [page.tag_name(node) for node in range(len(page.nodes))]
    assert names == ["html", "head", "body", "my-card", "o:p"]
    assert tamis.parse("<xé>y").tag_name(3) == "xé"


# Flags


@pytest.mark.parametrize(
    ("html", "flag"),
    [
        ("<main>x</main>", tags.IN_MAIN),
        ("<div role=main>x</div>", tags.IN_MAIN),
        ("<div role='MAIN '>x</div>", tags.IN_MAIN),
        ("<article>x</article>", tags.IN_ARTICLE),
        ("<nav>x</nav>", tags.IN_NAVIGATION),
        ("<ul role=navigation><li>x</ul>", tags.IN_NAVIGATION),
        ("<div role=menu>x</div>", tags.IN_NAVIGATION),
        ("<header>x</header>", tags.IN_HEADER),
        ("<div role=banner>x</div>", tags.IN_HEADER),
        ("<footer>x</footer>", tags.IN_FOOTER),
        ("<div role=contentinfo>x</div>", tags.IN_FOOTER),
        ("<aside>x</aside>", tags.IN_ASIDE),
        ("<div role=complementary>x</div>", tags.IN_ASIDE),
        ("<search>x</search>", tags.IN_SEARCH),
        ("<form>x</form>", tags.IN_FORM),
        ("<dialog open>x</dialog>", tags.IN_DIALOG),
        ("<div role=alertdialog>x</div>", tags.IN_DIALOG),
        ("<h1>x</h1>", tags.IN_HEADING),
        ("<h6>x</h6>", tags.IN_HEADING),
        ("<div role=heading>x</div>", tags.IN_HEADING),
        ("<ul><li>x</ul>", tags.IN_LIST),
        ("<dl><dd>x</dl>", tags.IN_LIST),
        ("<table><td>x</table>", tags.IN_TABLE),
        ("<figure><figcaption>x</figcaption></figure>", tags.IN_FIGURE),
        ("<blockquote>x</blockquote>", tags.IN_QUOTE),
        ("<button>x</button>", tags.IN_CONTROL),
        ("<select><option>x</select>", tags.IN_CONTROL),
        ("<pre>x</pre>", tags.IN_PRE),
        ("<svg><text>x</text></svg>", tags.FOREIGN),
        ("<a href=y>x</a>", tags.IN_LINK),
    ],
)
def test_a_block_knows_where_in_the_page_it_is(html: str, flag: int) -> None:
    page = tamis.parse(f"<body><section>{html}</section><p>after")
    assert page.blocks.flags[0] & flag
    assert not page.blocks.flags[1] & flag


def test_a_block_is_in_a_link_only_if_all_of_it_is() -> None:
    page = tamis.parse("<p><a href=x>one</a> <a href=x>two</a><p><a href=x>three</a> four")
    assert (page.blocks.flags & tags.IN_LINK != 0).tolist() == [True, False]


# Counts

COUNTS = ("words", "link_words", "punctuation", "capitals", "digits", "unspaced", "chars")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Two words.", (2, 0, 1, 1, 0, 0, 9)),
        ("one <a href=x>two three</a>!", (3, 2, 1, 0, 0, 0, 12)),
        ("don't e-mail", (2, 0, 2, 0, 0, 0, 11)),
        ("- a - b", (2, 0, 2, 0, 0, 0, 4)),
        ("In 2024, 3.5 kg", (4, 0, 2, 1, 6, 0, 12)),
        ("a &amp; b", (2, 0, 1, 0, 0, 0, 3)),
        ("$ € + = ☃", (0, 0, 0, 0, 0, 0, 5)),
        ("ÉTÉ été", (2, 0, 0, 3, 0, 0, 6)),
        ("co\xadop", (1, 0, 0, 0, 0, 0, 4)),
        ("one\xa0two\u3000three", (3, 0, 0, 0, 0, 0, 11)),
        ("in<b>side</b> out", (2, 0, 0, 0, 0, 0, 9)),
        ("😀 hi", (1, 0, 0, 0, 0, 0, 3)),
        # 8 code points, 4 a word; vowel signs are code points of their own
        ("ภาษาไทยน", (2, 0, 0, 0, 0, 8, 8)),
        ("ປະເທດລາວ", (2, 0, 0, 0, 0, 8, 8)),
        ("ភាសាខ្មែ", (2, 0, 0, 0, 0, 8, 8)),
        ("မြန်မာစာ", (2, 0, 0, 0, 0, 8, 8)),
        # 2 a word
        ("今天天气很好", (3, 0, 0, 0, 0, 6, 6)),
        ("今天天气，很好。", (3, 0, 2, 0, 0, 6, 8)),
        ("これはペンです", (4, 0, 0, 0, 0, 7, 7)),
        ("𠀀𠀁", (1, 0, 0, 0, 0, 2, 2)),
        # with spaces
        ("안녕하세요 여러분", (2, 0, 0, 0, 0, 0, 8)),
        ("مرحبا بالعالم، ١٢", (3, 0, 1, 0, 2, 0, 15)),
        ("नमस्ते दुनिया।", (2, 0, 1, 0, 0, 0, 13)),
        ("Привет, мир", (2, 0, 1, 1, 0, 0, 10)),
        # mixed
        ("iPhone 今天", (2, 0, 0, 1, 0, 2, 8)),
        ("**", (0, 0, 2, 0, 0, 0, 2)),
    ],
)
def test_counts_mean_something_in_every_language(text: str, expected: tuple[int, ...]) -> None:
    page = tamis.parse(f"<p>{text}")
    counted = dict(zip(COUNTS, (getattr(page.blocks, name)[0] for name in COUNTS), strict=True))
    assert counted == dict(zip(COUNTS, expected, strict=True))


def test_a_word_is_counted_where_it_begins() -> None:
    page = tamis.parse("<p>in<b>side</b> <i>out</i>")
    assert page.texts.words.tolist() == [1, 0, 1]


def test_characters_in_links_are_counted() -> None:
    page = tamis.parse("<p>one <a href=x>t w o</a>")
    assert (page.blocks.chars[0], page.blocks.link_chars[0]) == (6, 3)


def wrapped(text: str) -> tuple[int, int]:
    """Full lines at 80 characters and the words in them, as boilerpipe counts them."""
    lines = words = words_of_line = 0
    length = -1  # there is no space before the first word
    for token in text.split():
        if not any(character.isalnum() for character in token):
            continue
        words += 1
        words_of_line += 1
        length += len(token) + 1
        if length > 80:
            lines += 1
            length = len(token)
            words_of_line = 1
    return (lines, words - words_of_line) if lines else (1, words)


def _prose(seed: int, separators: str) -> str:
    chance = random.Random(seed)
    words = (
        chance.choice("abcdXYZ019") * chance.choice((1, 2, 3, 5, 8, 13, 40)) + chance.choice(",.")
        for _ in range(chance.randrange(1, 120))
    )
    return "".join(word + chance.choice(separators.split("|")) for word in words)


@pytest.mark.parametrize("seed", range(20))
def test_text_is_wrapped_as_boilerpipe_does(seed: int) -> None:
    text = _prose(seed, " | |\n| - ")
    blocks = tamis.parse(f"<p>{text}").blocks
    assert (blocks.lines[0], blocks.line_words[0]) == wrapped(text)


@pytest.mark.parametrize("seed", range(20))
def test_inline_tags_do_not_change_how_text_is_wrapped(seed: int) -> None:
    text = _prose(seed, " | <b>|</b> |<i></i>|<!-- --> |<a href=x> </a>| <span hidden>no no</span>")
    page = tamis.parse(f"<p>{text}")
    assert (page.blocks.lines[0], page.blocks.line_words[0]) == wrapped(page.block_text(0))


@pytest.mark.parametrize("seed", range(5))
def test_a_line_break_separates_words_and_begins_no_line(seed: int) -> None:
    page = tamis.parse(f"<p>{_prose(seed, ' | |<br>')}")
    assert (page.blocks.lines[0], page.blocks.line_words[0]) == wrapped(page.block_text(0))


@pytest.mark.parametrize(("last", "words"), [(40, 4), (41, 3)])
def test_the_first_line_holds_eighty_characters(last: int, words: int) -> None:
    first = f"{'a' * 20} {'b' * 10} {'c' * 7} {'d' * last}"  # 80 characters, or 81
    blocks = tamis.parse(f"<p>{first} {'e' * 30}").blocks
    assert (blocks.lines[0], blocks.line_words[0]) == (1, words)


@pytest.mark.parametrize(("size", "lines"), [(1, 1), (79, 1), (80, 1), (81, 1), (161, 2), (800, 9)])
def test_a_script_without_spaces_is_wrapped_by_characters(size: int, lines: int) -> None:
    blocks = tamis.parse("<p>" + "水" * size).blocks
    assert blocks.lines[0] == lines
    assert blocks.line_words[0] == (blocks.words[0] if size <= 80 else 40 * lines)


# Sums


def test_sums_below_a_node_are_those_of_its_texts(folder: Path) -> None:
    page = tamis.parse((folder / "source.html").read_bytes())
    sums = page.sums_below(page.texts.words)
    naive = [0] * len(page.nodes)
    for node, words in zip(page.texts.node.tolist(), page.texts.words.tolist(), strict=True):
        while node >= 0:
            naive[node] += words
            node = int(page.nodes.parent[node])
    assert sums.tolist() == naive


def test_sums_of_an_empty_page_are_zero() -> None:
    page = tamis.parse("")
    assert page.sums_below(page.texts.words).tolist() == [0, 0, 0]


def test_the_source_line_of_a_text_counts_from_zero() -> None:
    page = tamis.parse("<p>a\n<p>b\r\n\r\n<p>c<b>d</b>\n")
    assert page.text_lines.tolist() == [0, 1, 3, 3]
    assert tamis.parse("").text_lines.tolist() == []


def test_the_tags_before_a_text_are_counted() -> None:
    assert tamis.parse("a<p>b<br>c</p></p>d").texts.tags.tolist() == [0, 1, 2, 4]


# Read-only


@pytest.mark.parametrize("html", ["<p>one <b>two</b>", "<p class=a>x" * 50_000])
def test_no_column_can_be_written(html: str) -> None:
    page = tamis.parse(html)
    for table in (page.nodes, page.texts, page.blocks):
        for field in dataclasses.fields(table):
            with pytest.raises(ValueError, match="read-only"):
                getattr(table, field.name)[0] = 1
    with pytest.raises(ValueError, match="read-only"):
        page.attribute_rows[:] = 1


def test_no_field_can_be_set() -> None:
    page = tamis.parse("<p>x")
    with pytest.raises(dataclasses.FrozenInstanceError):
        page.source = b""  # type: ignore[misc]
    with pytest.raises(dataclasses.FrozenInstanceError):
        page.nodes.tag = page.nodes.parent  # type: ignore[misc]


def test_a_page_says_how_large_it_is() -> None:
    assert repr(tamis.parse("<p>x")) == "<Page 4 bytes, 4 nodes, 1 texts, 1 blocks>"


def test_the_nearest_chosen_node_may_be_the_node_itself_or_the_root() -> None:
    page = tamis.parse("<section><div><p>a</p></div></section><p>b</p>")
    chosen = np.array([page.tag_name(node) in ("section", "p") for node in range(len(page.nodes))])
    names = [page.tag_name(int(node)) for node in find_nearest(page, chosen)]
    assert names[-4:] == ["section", "section", "p", "p"]
    assert set(names[:-4]) == {"html"}


def test_a_page_is_pickled_without_what_was_made_of_it() -> None:
    page = tamis.parse("<title>a</title><p class=b>c")
    fresh = len(pickle.dumps(page))
    assert page.declared.rows is not None and page.title and page.text(0) and page.xpath(1)
    assert len(pickle.dumps(page)) == fresh
    assert pickle.loads(pickle.dumps(page)).block_text(0) == "c"


def test_an_element_with_a_very_long_name_is_a_star_in_paths() -> None:
    name = "x" * 200
    page = tamis.parse(f"<p>one</p><{name}><p>two</p></{name}>")
    assert [page.xpath(node) for node in page.blocks.node.tolist()] == [
        "/html/body/p",
        "/html/body/*[2]/p",
    ]
