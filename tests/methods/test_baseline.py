"""The baseline keeps what a browser shows, and all of it."""

from __future__ import annotations

import pytest

import tamis

OPTIONS = tamis.Options(method="baseline")


def text(html: str) -> str:
    return tamis.extract(html, options=OPTIONS).text


def test_every_visible_block_is_kept_in_order() -> None:
    html = "<nav><a href=/>Home</a></nav><h1>Title</h1><p>Text<footer>Legal</footer>"
    assert text(html) == "Home\nTitle\nText\nLegal"


@pytest.mark.parametrize(
    "hidden",
    [
        "<p hidden>no</p>",
        "<p style='display: none'>no</p>",
        "<p style='visibility:hidden'>no</p>",
        "<template><p>no</p></template>",
        "<noscript><p>no</p></noscript>",
        "<dialog>no</dialog>",
        "<video>no</video>",
        "<script>no</script>",
        "<style>no</style>",
        "<!-- no -->",
        "<svg><title>no</title></svg>",
        "<span hidden>no</span>",
    ],
)
def test_what_a_browser_does_not_show_is_dropped(hidden: str) -> None:
    assert text(f"<body><p>one</p>{hidden}<p>two</p>") == "one\ntwo"
    assert text(f"<title>no</title><p>one {hidden}two") in ("one two", "one\ntwo")


def test_aria_hidden_is_seen_on_the_screen() -> None:
    assert text("<p aria-hidden=true>one") == "one"


def test_blocks_without_words_are_kept() -> None:
    assert text("<p>***<p>one<p>-") == "***\none\n-"


def test_scores_are_0_and_1() -> None:
    assert tamis.extract("<p>one<p hidden>two", options=OPTIONS).scores.tolist() == [1.0, 0.0]


def test_there_are_no_parameters() -> None:
    with pytest.raises(tamis.TamisError, match="it has: none"):
        tamis.extract("x", options=tamis.Options(method="baseline", parameters={"a": 1}))
