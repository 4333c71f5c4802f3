"""What may be a formula, and which words are apart where no white space says so."""

from __future__ import annotations

from collections.abc import Callable

import pytest

import tamis
from tamis.render.outline import roles

Markdown = Callable[..., str]


@pytest.mark.parametrize("name", [*roles.WRAPPERS, "MathJax", "MathJax_Display"])
def test_every_class_of_elements_around_formulas_is_noticed(name: str) -> None:
    assert roles.may_have_wrappers(tamis.parse(f"<p>a <span class='x {name}'>b</span>"))


def test_other_classes_are_not_taken_for_those_around_formulas() -> None:
    source = "<p class='related text-center'>katex <b class='widget-area metadata t at'>a</b>"
    assert not roles.may_have_wrappers(tamis.parse(source))


# Words of neighbouring elements: apart where a browser shows them apart, together in a word


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("<p><a href=/a>red</a><a href=/b>blue</a>", "[red](/a) [blue](/b)"),
        ("<ul><li><span><a href=/a>été</a></span><span><a href=/b>über</a></span></ul>",
         "- [été](/a) [über](/b)"),
        ("<p><a class=by__name href=/i>Ines Vale</a><time>3 May</time>", "[Ines Vale](/i) 3 May"),
        ('<p><span class="author">Ines</span><span class="role">Editor</span>', "Ines Editor"),
        ('<p><span class="tag">silk</span><span class="tag">steel</span>', "silk steel"),
        ('<p>Home<i class="fa fa-angle-right"></i>News<svg><path d="M0 0"/></svg>Sport',
         "Home News Sport"),
        ("<p>one<br>two&nbsp;three", "one  \ntwo\u00a0three"),
        ("<table><tr><td>one</td><td>two</td></tr><tr><td>3</td><td>4</td></tr></table>",
         "| one | two |\n| --- | --- |\n| 3 | 4 |"),
    ],
)  # fmt: skip
def test_words_that_are_shown_apart_are_apart(
    as_markdown: Markdown, source: str, expected: str
) -> None:
    assert as_markdown(source).replace("https://example.org", "") == expected


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("<p><b>W</b>ord", "**W**ord"),
        ('<p><span class="dropcap">O</span>nce', "Once"),
        ('<p><span class="a">You</span><span class="b">Tube</span>', "YouTube"),
        ("<p>under<wbr>stand <a href=/x>un</a>done<a id=here></a>s", "understand [un](/x)dones"),
        ("<p><a href=/x>Data</a><a href=/x>base</a>", "[Database](/x)"),
        ("<p><a href=/x>東京</a><a href=/y>大阪</a>", "[東京](/x)[大阪](/y)"),
        ('<p><code><span class="hljs-keyword">let</span><span class="hljs-tag">x</span></code>',
         "`letx`"),
    ],
)  # fmt: skip
def test_what_is_one_word_stays_one(as_markdown: Markdown, source: str, expected: str) -> None:
    assert as_markdown(source).replace("https://example.org", "") == expected


def test_the_text_is_as_the_source_has_it(as_text: Callable[[str], str]) -> None:
    assert as_text("<p><a href=/a>red</a><a href=/b>blue</a>") == "redblue"
