"""Posts: each message of a thread by itself."""

from __future__ import annotations

from collections.abc import Callable

import tamis

Markdown = Callable[..., str]


SENTENCE = "The mesh of this sieve is finer than it looks, and flour goes through it slowly. "
THREAD = "<title>Which sieve?</title><h1>Which sieve?</h1>" + "".join(
    f"""<div class="post" id="p{number}"><div class="author"><a href="/u/{name}">{name}</a></div>
<time datetime="2024-05-0{number}T10:00">May {number}</time>
<div class="content"><p>{number}: {SENTENCE * 2}</p><p><b>Sift</b> twice.</p></div></div>"""
    for number, name in enumerate(("ines", "tom", "maren", "ines", "jon"), 1)
)


def test_a_post_has_its_text_its_markdown_and_its_place() -> None:
    posts = tamis.extract(THREAD, url="https://example.org/t").posts
    assert [post.position for post in posts] == [1, 2, 3, 4, 5]
    assert [post.author for post in posts] == ["ines", "tom", "maren", "ines", "jon"]
    assert posts[1].text.endswith("\nSift twice.")
    assert posts[1].markdown.endswith("\n\n**Sift** twice.")
    assert posts[1].address == "https://example.org/t#p2"


def test_a_title_that_is_asked_for_is_of_the_page_and_not_of_each_post() -> None:
    posts = tamis.extract(THREAD, title=True).posts
    assert posts and not any("Which sieve?" in post.markdown for post in posts)
