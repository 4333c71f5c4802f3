"""Footnotes: marks in the text, and the notes that they lead to."""

from __future__ import annotations

from collections.abc import Callable

import pytest

Markdown = Callable[..., str]


@pytest.mark.parametrize(
    "source",
    [
        "<p>one.<sup><a href=#fn1>1</a></sup><ol><li id=fn1>Note. <a href=#r1>↩</a></ol>",
        "<p>one.<a href=#fn1><sup>[1]</sup></a><p id=fn1><a href=#r1>[1]</a> Note.",
        "<p>one.<sup><a href=#_ftn1>[1]</a></sup><p><a href=#_ftnref1>[1]</a> Note.",
        "<p>one.<sup>1</sup><hr><p><sup>1</sup> Note.",
        "<p>one.<sup>1</sup><ol><li id=footnote-1>Note.</ol>",
    ],
)
def test_footnotes(as_markdown: Markdown, source: str) -> None:
    result = as_markdown(source).replace("\n\n---", "")
    assert result == "one.[^1]\n\n[^1]: Note."


def test_two_marks_of_one_note_stay_two(as_markdown: Markdown) -> None:
    mark = "<sup><a href=#fn1>[1]</a></sup>"
    assert as_markdown(f"<p>one{mark}{mark}<p id=fn1>Note.") == "one[^1][^1]\n\n[^1]: Note."


def test_numbers_that_lead_elsewhere_are_no_footnotes(as_markdown: Markdown) -> None:
    source = "<p>see <a href=#eq>1</a>, 10<sup>6</sup><h2 id=eq>Equation</h2>"
    assert as_markdown(source) == "see [1](#eq), 10<sup>6</sup>\n\n## Equation"


def test_of_raised_numbers_inside_one_another_the_outermost_is_the_mark(
    as_html: Callable[..., str],
) -> None:
    source = "<p>a<sup><sup>1</sup></sup> b<p><b>1</b> c"
    assert as_html(source).count("<a ") == 1


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        (
            "<p>one.<sup><a href=#fn1>1</a></sup><h2>Notes</h2><ol><li id=fn1>Note. "
            "<a href=#r1>↩</a></ol>",
            "one.[^1]\n\n[^1]: Note.",
        ),
        (
            "<p>one.<sup><a href=#fn1>1</a></sup><dl><dt id=fn1>[1]</dt><dd>Note.</dd></dl>",
            "one.[^1]\n\n[^1]: Note.",
        ),
        (
            "<p>one.<span class=footnote-ref data-note=n1>1</span><p>two<p id=n1>Note.",
            "one.[^1]\n\ntwo\n\n[^1]: Note.",
        ),
        ("<p>one [<a href=#fn1>1</a>] two<p id=fn1>[1] Note.", "one \\[[^1]] two\n\n[^1]: Note."),
        (
            "<p>one<sup>1</sup> two<sup>2</sup><p><sup>1</sup> Note.",
            "one<sup>1</sup> two<sup>2</sup>\n\n<sup>1</sup> Note.",
        ),
        ("<p>one<sup>*</sup> two<p>* Note.", "one<sup>\\*</sup> two\n\n\\* Note."),
        ("<p>one<a href=#fn1>*</a> two<p id=fn1>* Note.", "one[^1] two\n\n[^1]: Note."),
        ('<p>one <span class="sidenote">Note.</span> two', "one Note. two"),
        (
            '<p>one<sup>1</sup><span class="sidenote">1. Note.</span> two',
            "one<sup>1</sup>1. Note. two",
        ),
    ],
)
def test_a_note_is_found_by_its_name_its_sign_or_beside_the_text(
    as_markdown: Markdown, source: str, expected: str
) -> None:
    assert as_markdown(source) == expected
