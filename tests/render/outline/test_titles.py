"""Where the title of a page stands in the output: as the method decides, on top, or nowhere."""

from __future__ import annotations

import json

import pytest

import tamis

SENTENCE = "The ferry crosses the sound in nine minutes and nobody has missed the diesel since. "
TITLE = "Nine minutes to Marrow"


def page(content: str, title: str = f"{TITLE} | Marrow Post") -> str:
    return f"""<!DOCTYPE html><html lang="en"><head><title>{title}</title>
<meta property="og:site_name" content="Marrow Post"></head><body>
<header class="site-header"><a href="/">Marrow Post</a><nav><a href="/news">News</a>
<a href="/sport">Sport</a></nav></header><main><article>{content}
<p>{SENTENCE * 4}</p><h2>The boat</h2><p>{SENTENCE * 5}</p></article></main>
<footer><a href="/legal">Legal notice</a> <a href="/jobs">Jobs</a></footer></body></html>"""


HEADED = page(f"<h1>{TITLE}</h1><p>By Ines Vale</p><p>{SENTENCE * 3}</p>")
BELOW = page(f"<p>{SENTENCE * 3}</p><h1>Nine minutes<br>to <em>Marrow</em></h1>")
TWICE = page(f"<h1>{TITLE}</h1><p>{SENTENCE * 3}</p><h2>{TITLE.upper()}</h2>")
DECLARED = page(f"<p>{SENTENCE * 3}</p>")
ALL = [HEADED, BELOW, TWICE, DECLARED]


def keep_all(source: str, **options: object) -> tamis.Result:
    return tamis.extract(source, method="baseline", **options)  # type: ignore[arg-type]


@pytest.mark.parametrize("source", ALL)
def test_a_title_that_is_asked_for_stands_once_and_on_top(source: str) -> None:
    for result in (tamis.extract(source, title=True), keep_all(source, title=True)):
        assert result.markdown.startswith(f"# {TITLE}\n\n")
        assert result.html.startswith(f"<h1>{TITLE}</h1>\n")
        assert result.text.startswith(TITLE + "\n")
        assert result.to_dict()["document"][0] == {"kind": "heading", "level": 1, "text": TITLE}
        for view in (result.markdown, result.html, result.text):
            assert view.casefold().count(TITLE.casefold()) == 1
        assert "## The boat" in result.markdown


@pytest.mark.parametrize("source", ALL)
def test_a_title_that_is_not_wanted_is_nowhere(source: str) -> None:
    for result in (tamis.extract(source, title=False), keep_all(source, title=False)):
        for view in (result.markdown, result.html, result.text):
            assert TITLE.casefold() not in view.casefold()
            assert "to Marrow" not in view
        assert "## The boat" in result.markdown
    assert "by the option title" in " ".join(
        block.reason for block in keep_all(TWICE, title=False).blocks
    )


def test_by_default_the_method_decides() -> None:
    assert keep_all(HEADED).markdown.count(TITLE) == 1
    assert TITLE not in keep_all(DECLARED).markdown
    assert keep_all(TWICE).markdown.casefold().count(TITLE.casefold()) == 2


def test_the_words_of_the_title_stay_where_they_are_no_heading() -> None:
    source = page(f"<h1>{TITLE}</h1><p>{SENTENCE}</p><ul><li>{TITLE}</li><li>By bus</li></ul>")
    assert f"- {TITLE}" in keep_all(source, title=True).markdown
    assert f"- {TITLE}" in keep_all(source, title=False).markdown


def test_a_headline_that_says_nearly_the_same_is_not_repeated() -> None:
    source = page(f"<h1>Nine minutes to Marrow!</h1><p>{SENTENCE}</p>")
    assert keep_all(source, title=True).markdown.count("Nine minutes") == 1


def test_a_page_without_a_title_or_without_content_gets_none() -> None:
    assert keep_all(f"<p>{SENTENCE}", title=True).markdown == SENTENCE.strip()
    assert keep_all("<title>Empty</title>", title=True).markdown == ""


def test_a_title_that_looks_like_markup_means_itself() -> None:
    source = page(f"<p>{SENTENCE}", title="*Stars* and &lt;b&gt; too")
    assert keep_all(source, title=True).text.startswith("*Stars* and <b> too\n")
    assert "<b>" not in keep_all(source, title=True).html


def test_chunks_are_below_the_title_and_posts_are_not() -> None:
    chunks = keep_all(DECLARED, title=True).chunks(max_tokens=60)
    assert all(chunk.headings[0] == TITLE for chunk in chunks)
    assert keep_all(DECLARED, front_matter=True).chunks()[0].text.startswith("[Marrow Post]")
    messages = [
        "How do you clean a tamis without soap?",
        "Cold water will do.",
        "Thanks, that worked.",
    ]
    posts = "".join(
        f"""<div class="post" id="p{number}"><a class="author" href="/user/{number}">Ines</a>
        <time datetime="2024-05-0{number}">2024-05-0{number}</time>
        <div class="message"><p>{message}</p></div><a href="#">Reply</a></div>"""
        for number, message in enumerate(messages, 1)
    )
    thread = tamis.extract(f"<title>{TITLE}</title><h1>{TITLE}</h1>{posts}", title=True)
    assert [post.markdown for post in thread.posts] == messages


def test_the_title_and_the_authors_of_a_shell_are_those_of_its_head() -> None:
    body = "".join(f"<p>{number}: {SENTENCE}</p>" for number in range(20))
    data = {"@type": "NewsArticle", "author": {"name": "Ines Vale"}, "articleBody": body}
    source = (
        f"<html><head><title>{TITLE}</title><noscript>No scripts</noscript>"
        f'<script type="application/ld+json">{json.dumps(data)}</script></head>'
        "<body><div id=root>Loading</div></body></html>"
    )
    result = tamis.extract(source, title=True)
    assert result.embedded == "json-ld"
    assert result.metadata.authors == ("Ines Vale",)
    assert result.markdown.startswith(f"# {TITLE}\n\n0: The ferry")


def test_results_of_other_processes_have_the_same_title() -> None:
    many = list(tamis.extract_many([HEADED, BELOW] * 10, workers=2, title=True))
    for result, source in zip(many, [HEADED, BELOW] * 10, strict=True):
        assert isinstance(result, tamis.Result)
        assert result.text == tamis.extract(source, title=True).text
