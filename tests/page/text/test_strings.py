"""Text runs and blocks as strings."""

from __future__ import annotations

import random
import re

import numpy as np
import pytest

from tamis.page.reader import parse
from tamis.page.table import Page
from tamis.page.tags import BREAK_BEFORE, HIDDEN, IN_PRE, SPACE_BEFORE, VERBATIM
from tamis.page.text.references import resolve_references
from tamis.page.text.strings import join_kept

UTF8 = "text/html; charset=utf-8"
_WHITE_SPACE = re.compile(r"[ \t\n\f\r]+")
PIECES = (
    *(b"a", b"b c", b"  ", b"\n", b"\t", b"\x0b", b"\x0c", b"\x1c", b"\0", b"&", b";", b"\r\n"),
    *(b"&#", b"&#x", b"&#32;", b"&#9;", b"&#160;", b"&#xA0", b"&#0;", b"&#150;", b"&#xD800;"),
    *(b"&#1234567890123;", b"&#x1F600;", b"&Tab;", b"&amp;", b"&ampx", b"&notit;", b"&#11;"),
    *("\u3000", "\u2003", "\u1680", "\x85", "\xa0", "é€\U0001f600“"),
    *(b"\xe2", b"\x82\xac", b"\xe2\x82", b"\xc2", b"\xa0"),
    *(b"<b>", b"</b>", b"<br>", b"<p>", b"<pre>", b"</pre>", b"<span hidden>", b"</span>"),
    *(b"<textarea>", b"</textarea>", b"<xmp>", b"</xmp>", b"\r"),
)


def block_texts(source: bytes | str) -> list[str]:
    page = parse(source, content_type=UTF8)
    return page.block_texts(np.arange(len(page.blocks)))


def run_by_rule(raw: bytes, flags: int) -> str:
    """A run as a browser shows it, one step after the other."""
    if flags & IN_PRE:
        text = raw.decode("utf-8", "replace").replace("\r\n", "\n").replace("\r", "\n")
    else:
        text = b" ".join(raw.split()).decode("utf-8", "replace")
    text = text.replace("\0", "")
    if "&" not in text or flags & VERBATIM:
        return text
    return (
        resolve_references(text)
        if flags & IN_PRE
        else _WHITE_SPACE.sub(" ", resolve_references(text))
    )


def block_by_rule(page: Page, block: int) -> str:
    first, end = int(page.blocks.first_text[block]), int(page.blocks.end_text[block])
    hidden = page.blocks.flags[block] & HIDDEN
    pieces = []
    for text in range(first, end):
        flags = int(page.texts.flags[text])
        if hidden or not flags & HIDDEN:
            if flags & BREAK_BEFORE:
                pieces.append("\n")
            elif flags & SPACE_BEFORE and not flags & IN_PRE:
                pieces.append(" ")
            pieces.append(
                run_by_rule(page.source[page.texts.start[text] : page.texts.end[text]], flags)
            )
    joined = "".join(pieces)
    return joined.strip("\n").rstrip() if page.texts.flags[first] & IN_PRE else joined.strip()


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("<p> a \n\t b ", "a b"),
        ("<p>a&nbsp;&amp;&#x20;b&Tab;&NewLine; c", "a\xa0& b c"),
        ("<p>&copy2024 &notit; &nosuch; & &# &#x;", "©2024 ¬it; &nosuch; & &# &#x;"),
        ("<p>&#8217;&#146;&#0;&#xD800;&#x110000;&#99999999999;", "’’\ufffd\ufffd\ufffd\ufffd"),
        ("<p>&#32;a&#32;", "a"),
        ("<p>a<b> b</b>c <i>d</i>", "a bc d"),
        ("<p>a<br>b", "a\nb"),
        ("<p>a <span hidden>b</span> c", "a c"),
        ("<pre>\n  a\n   b  \n</pre>", "  a\n   b"),
        ("<p>\u3000\xa0a\u2003\u2028", "a"),
    ],
)
def test_the_text_of_a_block_is_what_a_browser_shows(source: str, text: str) -> None:
    assert block_texts(source) == [text]


def test_all_white_space_is_taken_off_the_ends_and_nothing_else() -> None:
    for character in map(chr, range(1, 0x3100)):
        text = f"{character}a{character}"
        if character not in "&<":
            assert block_texts(f"<p>{text}") == [text.strip()], hex(ord(character))


def test_texts_are_those_of_the_rules_whatever_stands_beside() -> None:
    chosen = random.Random(1)
    for _ in range(2_000):
        pieces = chosen.choices(PIECES, k=chosen.randint(1, 30))
        source = b"<p>" + b"".join(
            piece if isinstance(piece, bytes) else piece.encode() for piece in pieces
        )
        page = parse(source, content_type=UTF8)
        expected = [block_by_rule(page, block) for block in range(len(page.blocks))]
        assert page.block_texts(np.arange(len(page.blocks))) == expected, source
        kept = np.arange(len(page.blocks)) % 3 != 1
        lines = [text for text, wanted in zip(expected, kept, strict=True) if wanted]
        assert join_kept(page, kept)[0] == "\n".join(lines), source
