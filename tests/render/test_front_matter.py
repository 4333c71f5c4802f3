"""Front matter: YAML that every parser reads the same, and that no renderer takes for markup."""

from __future__ import annotations

import pytest
import yaml
from hypothesis import example, given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

import tamis
from tamis.render.markdown import quote, write_front_matter

SENTENCE = "The ferry crosses the sound in nine minutes and nobody has missed the diesel since. "
PAGE = f"""<html lang="en-GB"><head><title>Nine minutes: "fast" | Marrow Post</title>
<meta property="og:site_name" content="Marrow Post">
<meta property="article:published_time" content="2024-05-03">
<script type="application/ld+json">{{"@type": "NewsArticle",
"author": [{{"name": "Ines Vale"}}, {{"name": "Tom O'Hara"}}]}}</script></head><body><nav>
<a href="/">Home</a></nav><article><h1>Nine minutes: "fast"</h1>
<p>{SENTENCE * 4}</p><p>{SENTENCE * 5}</p>
</article></body></html>"""
URL = "https://marrow.example/ferry?a=1&b=[2]"


def test_front_matter_stands_before_the_markdown() -> None:
    plain = tamis.extract(PAGE, url=URL)
    result = tamis.extract(PAGE, url=URL, front_matter=True)
    first, yaml_part, markdown = result.markdown.split("---\n", 2)
    assert first == ""
    assert yaml.safe_load(yaml_part) == {
        "title": 'Nine minutes: "fast"',
        "authors": ["Ines Vale", "Tom O'Hara"],
        "date": "2024-05-03",
        "url": URL,
        "language": "en-GB",
        "site": "Marrow Post",
        "page_type": "article",
        "word_count": len(result.text.split()),
    }
    assert markdown == "\n" + plain.markdown
    assert result.text == plain.text
    assert result.html == plain.html
    assert result.chunks() == plain.chunks()


def test_what_is_not_known_is_left_out_and_an_empty_page_has_front_matter() -> None:
    result = tamis.extract("", front_matter=True)
    assert result.markdown.startswith("---\n")
    assert result.markdown.endswith("word_count: 0\n---")
    assert "title" not in result.markdown


HARD = [
    "no", "Null", "12:30:45", "1_000", "2024-05-03", "0x1F", "~", "=", "- a", "? b", "a: b", "a #b",
    "@at", "%TAG", "!tag", "&anchor", "*alias", "'single'", 'double "quoted"', "back\\slash", " ",
    "tab\tand\rreturn\n", "\u2028line\u2029s\x85", "\x00\x07\x1b[31m\x7f\x9f", "\ufeff\ufffe\uffff",
    "---", "...", "\ud800", "𝒜😀👩‍🚀", "می‌خواهم", "{{ liquid }}", "{: onclick=x}",
]  # fmt: skip


@pytest.mark.parametrize("text", HARD)
def test_a_hard_string_is_read_back_as_it_is(text: str) -> None:
    assert yaml.safe_load(quote(text)) == text
    assert "\n" not in quote(text)


@given(st.text(), st.lists(st.text(min_size=1), max_size=3))
@example("<script>", ["[a](javascript:b)"])
def test_any_string_is_read_back_as_it_is(title: str, authors: list[str]) -> None:
    written = write_front_matter({"title": title, "authors": authors, "word_count": 7})
    assert written[:4] == written[-4:] == "---\n"
    read = yaml.safe_load(written[4:-4])
    assert read.get("title", "") == title
    assert read.get("authors", []) == authors
    assert read["word_count"] == 7


@pytest.mark.parametrize(
    "text",
    [
        "<img src=x onerror=alert(1)>",
        "[a](javascript:alert(1))",
        "![a](http://a.example/x.png)",
        "`<b>`",
        "&#106;avascript:",
        "<javascript:alert(1)>",
        "a\\<b>",
    ],
)
def test_a_renderer_that_knows_no_front_matter_shows_it_as_text(text: str) -> None:
    source = write_front_matter({"title": text, "authors": [text], "word_count": 1})
    rendered = MarkdownIt("commonmark", {"html": True}).enable("table").render(source)
    for tag in ("<img", "<a ", "<b>", "<script", "<code"):
        assert tag not in rendered
