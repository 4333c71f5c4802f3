"""The scanner gives the same table whether it was compiled or not."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from tamis.errors import LimitError
from tamis.page.scan import scanner as installed
from tamis.page.scan.lexer import Lexer
from tests.uncompiled import from_source

ODD = [
    b"",
    b"x",
    b"<",
    b"<p",
    b"&",
    b"\0",
    b"\xff\xfe<p>\xc3",
    b"<p>\xe0\xb8\xa0\xe0\xb8",
    b"<p>a&amp;b&#x80;&#99999999999;&notit;&",
    b"<a href=x>one<div>two</a>three</div><a>four",
    b"<table>a<td>b<table><td>c</table><tr><th>d",
    b"<svg><a href=x><text>a<![CDATA[<b>]]></a><foreignObject><p>b</svg>c",
    b"<script><!--<script></script>--></script><p>x<script>",
    b"<p>one<br>two<br><br>three<pre>\n a\r\n <b> </b>b</pre>",
    b"<p><span hidden>no</span>yes<span style='display: none'>no</span> yes",
    b"<div role=main aria-hidden=true hidden style='visibility:hidden'>x<dialog>y",
    b"<select><option>a<optgroup><option>b<select>c",
    b"<form>a<form>b</form></form><button>c<button>d",
    b"<!doctype html><p>a<table><td>b",
    b"<title>a<b></title><textarea>\n&lt;</textarea><plaintext><p>",
    b"<title>a<p>b<iframe><p>c<script src=x><p>d<noscript><p>e<style>f<p>g<textarea>h<p>i",
    b"<noscript><iframe></noscript><p>a<script><!--<script></script><p>b<script>c<p>",
    b"<template><td>a</template><noscript><p>b</noscript><frameset>",
    b"</p></br></h1></x><h1>a</h2><b><i>c</b>d</i>",
    "<p>สวัสดีครับ 今天天气很好 Korean 한국어 ١٢ نص 😀 𠀀 e\u0301".encode(),
    " ".join(["word" * n for n in range(40)]).encode(),
    "水".encode() * 500 + b" <b>" + "水a".encode() * 200,
    b"".join(b"<x-%d a=b class=c>" % number for number in range(1200)),
    b"<div id=a class=b href=c>" * 300,
]


@pytest.fixture(scope="module")
def uncompiled() -> SimpleNamespace:
    """The scanner from its source, and what it is made of."""
    scan, lex, errors = from_source("page.scan.scanner", "page.scan.lexer", "errors")
    return SimpleNamespace(scan=scan.scan, Lexer=lex.Lexer, LimitError=errors.LimitError)


def _assert_same(uncompiled: SimpleNamespace, source: bytes) -> None:
    ours = installed.scan(source, 100_000, 10_000, None)
    theirs: tuple[Any, ...] = uncompiled.scan(source, 100_000, 10_000, None)
    for our_column, their_column in zip(ours[:4], theirs[:4], strict=True):
        assert our_column.dtype == their_column.dtype
        np.testing.assert_array_equal(our_column, their_column)
    assert ours[4] == theirs[4]


@pytest.mark.parametrize("source", ODD)
def test_odd_pages_have_the_same_table(uncompiled: SimpleNamespace, source: bytes) -> None:
    _assert_same(uncompiled, source)


def test_pages_have_the_same_table(uncompiled: SimpleNamespace, folder: Path) -> None:
    _assert_same(uncompiled, (folder / "source.html").read_bytes()[:20_000])


@pytest.mark.parametrize("limits", [(3, 100, None), (100, 3, None), (100, 100, 0.0)])
def test_limits_hold_in_both(
    uncompiled: SimpleNamespace, limits: tuple[int, int, float | None]
) -> None:
    messages = []
    for scan, error in ((installed.scan, LimitError), (uncompiled.scan, uncompiled.LimitError)):
        with pytest.raises(error) as caught:
            scan(b"<div>x" * 50, *limits)
        messages.append(str(caught.value))
    assert messages[0] == messages[1]


@pytest.mark.parametrize("source", ODD)
def test_tokens_are_the_same(uncompiled: SimpleNamespace, source: bytes) -> None:
    lexers = Lexer(source), uncompiled.Lexer(source)
    for place in range(len(source)):
        if source[place : place + 1] == b"<":
            ours, theirs = (lexer.read(place) for lexer in lexers)
            assert ours == theirs
            assert lexers[0].attribute_list(place) == lexers[1].attribute_list(place)
