"""Addresses: the short paths to an absolute address lead where the long path leads."""

from __future__ import annotations

from urllib.parse import urljoin

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import tamis
from tamis.page.addresses import Base, find_host
from tamis.page.attributes import value_of

PAGE = tamis.parse("<p>a")
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
    base = Base(PAGE, url)
    # The library keeps a mark that nothing follows since Python 3.14; we drop it with all of them.
    assert base.link(address) == urljoin(url, address.rstrip(";?#"))


def test_a_link_inside_the_page_stays_a_fragment() -> None:
    base = Base(PAGE, "https://example.org/post")
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


STEPS = st.lists(st.sampled_from(("a", "b.c", ".", "..", "", "é")), max_size=6).map("/".join)


@given(STEPS, STEPS, st.sampled_from(("", "?q=1/..", "#f", "?q#f?")))
def test_any_relative_address_is_joined_as_the_standard_library_does(
    directory: str, path: str, rest: str
) -> None:
    assume(not path.startswith("/") and not rest.startswith("#"))
    url = f"https://example.org/{directory.lstrip('/')}"
    assert Base(PAGE, url).web(path + rest) == urljoin(url, path + rest)


def test_an_address_of_the_web_stays_as_it_is_written() -> None:
    base = Base(PAGE, "https://example.org/a/b")
    assert base.web("c (1).jpg") == "https://example.org/a/c (1).jpg"
    assert base.link("c (1).jpg") == "https://example.org/a/c%20%281%29.jpg"
    assert base.web("\n https://x.example/a\tb ") == "https://x.example/ab"
    assert base.web("https:/c.jpg") == "https://example.org/c.jpg"
    assert base.web("mailto:ann@example.org") is None
    assert Base(PAGE, None).web("a/b") == "a/b"


def test_a_base_too_long_to_be_an_address_is_none() -> None:
    page = tamis.parse(f"<base href=https://example.org/{'a/' * 5000}><p>a")
    assert Base(page, "https://harbour.example/").link("x") == "https://harbour.example/x"
    assert Base(page, None).link("x") == "x"


@pytest.mark.parametrize(
    ("address", "host"),
    [
        ("https://www.example.org:8080/a", "example.org"),
        ("HTTP://Ann:secret@Example.org?q", "example.org"),
        ("https://bücher.example/", "xn--bcher-kva.example"),
        ("https://[::1]/", ""),
        ("https://a..b/", ""),
        ("ftp://example.org/", ""),
        ("example.org", ""),
        ("https://" + "a." * 150 + "org", ""),
    ],
)
def test_the_host_of_an_address_can_name_a_file(address: str, host: str) -> None:
    assert find_host(address) == host


def test_without_an_address_the_canonical_one_counts() -> None:
    head = "<link rel=canonical href=https://example.org/a/post><p>a"
    base = Base(tamis.parse(head), None)
    assert base.link("next") == "https://example.org/a/next"
    assert base.link("#note") == "#note"
    assert Base(tamis.parse(head), "https://b.example/c").link("next") == "https://b.example/next"
    declared = Base(tamis.parse(f"<base href=https://c.example/d/>{head}"), None)
    assert declared.link("next") == "https://c.example/d/next"
    relative = Base(tamis.parse(f"<base href=/d/>{head}"), None)
    assert relative.link("next") == "https://example.org/d/next"
    shared = tamis.parse("<meta property=og:url content=https://example.org/x/><p>a")
    assert Base(shared, None).link("y") == "https://example.org/x/y"


@pytest.mark.parametrize(
    "address",
    [
        "&#106;avascript:ran(1)", "javascript&colon;ran(1)", "javascript%3Aran(1)",
        "%256Aavascript%253Aran(1)", "java%0Ascript:ran(1)", "\\javascript:ran(1)",
        "java\u200bscript:ran(1)", "data&colon;text/html,x",
    ],
)  # fmt: skip
def test_a_scheme_that_only_a_renderer_would_decode_makes_no_link(address: str) -> None:
    assert Base(PAGE, None).link(address) is None


def test_nothing_of_a_base_address_is_special() -> None:
    page = tamis.parse("<base href='https://a.example\"><b>/(x) y/'><p>a")
    base = Base(page, None)
    prefix = "https://a.example%22%3E%3Cb%3E"
    assert base.link("z") == f"{prefix}/%28x%29%20y/z"
    assert base.link("/z") == f"{prefix}/z"
    assert base.image("z.png") == f"{prefix}/%28x%29%20y/z.png"
