"""Addresses: the short ways to an absolute address lead where the long way leads."""

from __future__ import annotations

from urllib.parse import urljoin

import pytest

import tamis
from tamis.page.addresses import Base
from tamis.page.attributes import value_of

BASES = ("https://example.org/blog/2024/post.html?id=1#top", "https://example.org", "http://a.b/c/")


@pytest.mark.parametrize("url", BASES)
@pytest.mark.parametrize(
    "address",
    [
        "next.html", "a/b.html?x=1&y=2#part", "../up/", "./here", "a//b", "a/../b", "page;",
        "page?", "page#", "/top", "/top/../x", "//other.org/x.png", "?q=1", "https://x.org/a",
        "a..b", ".", "a/.", "a/.b", "é.html", "-",
    ],
)  # fmt: skip
def test_a_relative_address_is_joined_as_the_standard_library_does(url: str, address: str) -> None:
    base = Base(tamis.parse("<p>a"), url)
    assert base.link(address) == urljoin(url, address)


def test_a_link_inside_the_page_stays_a_fragment() -> None:
    base = Base(tamis.parse("<p>a"), "https://example.org/post")
    assert base.link("#note-1") == "#note-1"
    elsewhere = Base(tamis.parse("<base href=/other/><p>a"), "https://example.org/post")
    assert elsewhere.link("#note-1") == "https://example.org/other/#note-1"


@pytest.mark.parametrize(
    ("raw", "value"),
    [
        (b"/a?b=1&amp;c=2", "/a?b=1&c=2"),
        (b"/a?b=1&amp;copy=2", "/a?b=1&copy=2"),
        (b"/a?b=1&copy=2", "/a?b=1&copy=2"),
        (b"caf&eacute;&amp;x", "café&x"),
        (b"a\0b", "a\ufffdb"),
    ],
)
def test_references_in_attributes_are_resolved_once(raw: bytes, value: str) -> None:
    assert value_of(raw) == value
