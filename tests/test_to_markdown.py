"""`to_markdown`: all that a page shows as Markdown, whatever is content in it."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

import tamis

PAGE = """<!DOCTYPE html><html lang="en"><head><title>Harbour times | Marrow</title>
<style>body { margin: 0 }</style><script>var a = "<p>script</p>";</script></head><body>
<nav><ul><li><a href="/">Home</a></li><li><a href="/times">Times</a></li></ul></nav>
<img src="/harbour.jpg" alt="The harbour">
<h1>Harbour times</h1><p>High water is at <b>nine</b>.</p><template><p>template</p></template>
<p hidden>hidden</p><p style="display:none">styled away</p><noscript><p>noscript</p></noscript>
<table><tr><th>Day</th><th>Water</th></tr><tr><td>Monday</td><td>3 m</td></tr></table>
<form><label>Your town</label> <button>Search</button></form>
<footer>Marrow harbour office, <a href="/legal">Legal notice</a></footer></body></html>"""
MARKDOWN = """- [Home](https://marrow.example/)
- [Times](https://marrow.example/times)

![The harbour](https://marrow.example/harbour.jpg)

# Harbour times

High water is at **nine**.

| Day | Water |
| --- | --- |
| Monday | 3 m |

Your town

Search

Marrow harbour office, [Legal notice](https://marrow.example/legal)"""
URL = "https://marrow.example/harbour"


def test_all_that_is_visible_is_converted_and_nothing_else() -> None:
    assert tamis.to_markdown(PAGE, url=URL) == MARKDOWN


@pytest.mark.parametrize(
    ("fragment", "markdown"),
    [
        ("", ""),
        ("plain words", "plain words"),
        ("<li>one<li>two", "- one\n- two"),
        ("a <em>word</em>", "a *word*"),
        ('<img src="https://a.example/a.png" alt="A">', "![A](https://a.example/a.png)"),
        ('<p><img src="a.png"></p><p>after', "![](a.png)\n\nafter"),
        ("<p>before</p><figure><img src=a.png><figcaption>A</figcaption></figure><img src=b.png>",
         "before\n\n![](a.png)\n\nA\n\n![](b.png)"),
    ],
)  # fmt: skip
def test_fragments_are_converted_too(fragment: str, markdown: str) -> None:
    assert tamis.to_markdown(fragment) == markdown


def test_it_takes_what_extract_takes(tmp_path: Path) -> None:
    path = tmp_path / "harbour.html"
    path.write_text(PAGE, encoding="utf-8")
    fetched = tamis.Fetched(URL, PAGE.encode(), "text/html; charset=utf-8", 200)
    assert tamis.to_markdown(fetched) == MARKDOWN
    for page in (PAGE.encode(), path, io.BytesIO(PAGE.encode()), tamis.parse(PAGE)):
        assert tamis.to_markdown(page, url=URL) == MARKDOWN
    latin = "<p>Le café".encode("latin-1")
    assert tamis.to_markdown(latin, content_type="text/html; charset=latin-1") == "Le café"
    with pytest.raises(tamis.InputError, match="is an address"):
        tamis.to_markdown("https://marrow.example/")
    with pytest.raises(tamis.TooLargeError):
        tamis.to_markdown(PAGE, max_bytes=10)
    with pytest.raises(tamis.OptionsError, match="did you mean 'links'"):
        tamis.to_markdown(PAGE, link=False)  # type: ignore[call-arg]


def test_the_options_of_the_output_count() -> None:
    bare = tamis.to_markdown(PAGE, links=False, images=False, tables=False, title=False)
    assert bare.startswith("- Home\n- Times\n\nHigh water is at **nine**.\n\nYour town")
    assert tamis.to_markdown(PAGE, title=True).startswith("# Harbour times\n\n- [Home](/)")
    assert tamis.to_markdown(PAGE, front_matter=True).startswith('---\ntitle: "Harbour times"\n')
