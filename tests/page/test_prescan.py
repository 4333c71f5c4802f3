"""Declarations of an encoding are found as the HTML standard's prescan finds them.

The scan is a few regular expressions. The reference below follows the standard byte by byte, so it
shows where a version of Python evaluates those expressions differently.
"""

from __future__ import annotations

import importlib
import pkgutil
import random
import re
from collections.abc import Iterator
from re import _constants, _parser

import pytest

import tamis
from tamis.page.encoding import _DECLARED_AS, _find_charset, _prescan, _resolve_label
from tamis.page.reader import is_html

SPACE = b"\t\n\f\r "
CONTROLS = bytes(range(33))
PARTS = [
    b"<!doctype html>",
    b"<html lang=en>",
    b"<head>",
    b"</head>",
    b"<title>Flour &amp; sieves</title>",
    b"<!-- a comment -->",
    b"<!-->",
    b"<!--->",
    b"<!-- <meta charset=big5> -->",
    b"<!--",
    b"-->",
    b"--",
    b"<?xml version='1.0' encoding='euc-kr'?>",
    b"<?php x ?>",
    b"<!x>",
    b"</>",
    b"</1>",
    b"< ",
    b"<",
    b">",
    b"<meta charset=utf-8>",
    b"<META CHARSET='koi8-r'/>",
    b'<meta name="a" charset = "euc-jp" >',
    b"<meta\tcharset=gbk\n>",
    b"<meta/charset=shift_jis>",
    b"<meta charset=none>",
    b"<meta>",
    b"<metal a=b>",
    b"<meta http-equiv=Content-Type content='text/html; charset=windows-874'>",
    b"<meta content='text/html; charset=\"big5\"' http-equiv=content-type>",
    b"<meta http-equiv=refresh content='1; charset=euc-kr'>",
    b"<meta content='charset=utf-16'",
    b"<meta charset=utf-16le charset=koi8-u>",
    b"<link rel=a href=/b.css>",
    b"<a href='>'>",
    b'<a b="c>',
    b"<a b=c/d = e>",
    b"<a = b>",
    b"<a ==>",
    b"<p/>",
    b"</p a=b>",
    b"<p a = >",
    b"<meta charset=>",
    b"text ",
    b"'",
    b'"',
    b"=",
    b"/",
    b"charset",
    b"charset=ascii",
    b"<script>var a = '<meta charset=tis-620>';</script>",
    "สวัสดี".encode(),
    b"\xb5\xb6",
    b"\0",
    b"\n",
    b"<body class=x data-y='1 2'>",
    b"<meta charset='",
]


class OutOfBytes(Exception):
    """The window ends inside a tag or a comment."""


def get_attribute(head: bytes, at: int) -> tuple[bytes, bytes, int] | None:
    """The standard's "get an attribute"; also where it ends, or None at the end of the tag."""

    def byte(position: int) -> bytes:
        if position >= len(head):
            raise OutOfBytes
        return head[position : position + 1]

    while byte(at) in b"\t\n\f\r /":
        at += 1
    if byte(at) == b">":
        return None
    name = value = b""
    while not (byte(at) == b"=" and name):
        if byte(at) in SPACE:
            while byte(at) in SPACE:
                at += 1
            if byte(at) != b"=":
                return name, b"", at
            break
        if byte(at) in b"/>":
            return name, b"", at
        name += byte(at).lower()
        at += 1
    at += 1
    while byte(at) in SPACE:
        at += 1
    if byte(at) in b"\"'":
        quote = byte(at)
        at += 1
        while byte(at) != quote:
            value += byte(at)
            at += 1
        return name, value, at + 1
    while byte(at) not in SPACE + b">":
        value += byte(at)
        at += 1
    return name, value, at


def get_attributes(head: bytes, at: int) -> tuple[dict[bytes, bytes], int]:
    attributes: dict[bytes, bytes] = {}
    while found := get_attribute(head, at):
        name, value, at = found
        attributes.setdefault(name, value)
    return attributes, head.index(b">", at) + 1


def declared_encoding(attributes: dict[bytes, bytes]) -> str | None:
    if b"charset" in attributes:
        return _resolve_label(attributes[b"charset"])
    if attributes.get(b"http-equiv", b"").lower() == b"content-type":
        return _resolve_label(_find_charset(attributes.get(b"content", b"")))
    return None


def find_end(head: bytes, end: bytes, at: int) -> int:
    found = head.find(end, at)
    if found < 0:
        raise OutOfBytes
    return found + len(end)


def prescan(head: bytes) -> str | None:
    """The standard's "prescan a byte stream to determine its encoding", one byte at a time."""
    at = 0
    while at < len(head):
        following = head[at : at + 6].lower()
        if following.startswith(b"<!--"):
            at = find_end(head, b"-->", at + 2)
        elif following[:5] == b"<meta" and following[5:] and following[5:] in b"\t\n\f\r /":
            attributes, at = get_attributes(head, at + 5)
            if name := declared_encoding(attributes):
                return name
        elif re.match(rb"</?[a-z]", following):
            while at < len(head) and head[at : at + 1] not in SPACE + b">":
                at += 1
            at = get_attributes(head, at)[1]
        elif following[:2] in (b"<!", b"</", b"<?"):
            at = find_end(head, b">", at)
        else:
            at += 1
    return None


def xml_encoding(declaration: bytes) -> str | None:
    value = declaration.partition(b"encoding")[2].lstrip(CONTROLS)
    if not value.startswith(b"="):
        return None
    value = value[1:].lstrip(CONTROLS)
    label, closed, _ = value[1:].partition(value[:1]) if value[:1] in (b"'", b'"') else (b"",) * 3
    return _resolve_label(label) if closed and not set(label) & set(CONTROLS) else None


def expected_encoding(head: bytes) -> str | None:
    try:
        name = prescan(head)
    except OutOfBytes:
        name = None
    if not name and head.startswith(b"<?xml") and b">" in head:
        name = xml_encoding(head[: head.index(b">")])
    return _DECLARED_AS.get(name, name) if name else None


@pytest.mark.parametrize("seed", range(40))
def test_declarations_are_found_as_the_standard_finds_them(seed: int) -> None:
    chance = random.Random(seed)
    for _ in range(100):
        head = b"".join(chance.choices(PARTS, k=chance.randrange(1, 12)))[
            : chance.randrange(10, 400)
        ]
        assert _prescan(head) == expected_encoding(head), head


@pytest.mark.parametrize(
    "prefix", [b"", b"\xef\xbb\xbf", b" \n", b"<?xml version='1.0'?>\n", b"<!-- a --> <!-- b -->"]
)
def test_a_page_is_recognised_behind_what_may_stand_before_it(prefix: bytes) -> None:
    assert is_html(prefix + b"<title>Flour</title>")
    assert not is_html(prefix + b"Flour")


def find_operators(parsed: object) -> set[str]:
    """Names of the operators in a parsed pattern, whose literals are plain numbers."""
    if isinstance(parsed, _parser.SubPattern | list | tuple):
        return {name for part in parsed for name in find_operators(part)}
    return {str(parsed)} if isinstance(parsed, type(_constants.LITERAL)) else set()


def find_patterns(owner: object) -> Iterator[tuple[str, re.Pattern[str] | re.Pattern[bytes]]]:
    for name, value in vars(owner).items():
        if isinstance(value, re.Pattern):
            yield name, value
        elif isinstance(value, type) and value is not owner:
            yield from find_patterns(value)


def test_no_pattern_uses_what_early_versions_of_python_3_11_evaluate_wrongly() -> None:
    seen = 0
    for module in pkgutil.walk_packages(tamis.__path__, "tamis."):
        if module.name.startswith("tamis.integrations") or module.name.endswith("__main__"):
            continue
        for name, pattern in find_patterns(importlib.import_module(module.name)):
            seen += 1
            operators = find_operators(_parser.parse(pattern.pattern, pattern.flags & ~re.DEBUG))
            wrong = operators & {"POSSESSIVE_REPEAT", "ATOMIC_GROUP"}
            assert not wrong, f"{module.name}: {name} has {wrong}"
    assert seen > 100


def test_the_search_for_patterns_sees_possessive_quantifiers() -> None:
    class Holder:
        pattern = re.compile("a*+b")

    [(_, pattern)] = find_patterns(Holder)
    assert "POSSESSIVE_REPEAT" in find_operators(_parser.parse(pattern.pattern))
