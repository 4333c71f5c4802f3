"""What a robots.txt allows."""

from __future__ import annotations

import time

import pytest

from tamis.corpus.fetching.politeness import MAX_BYTES, parse_rules

SITE = "https://jardin.example"


def allowed(robots: str, path: str, product: str = "tamis") -> bool:
    return parse_rules(robots.encode(), product).allows_url(SITE + path)


def test_an_empty_file_allows_everything() -> None:
    assert allowed("", "/")
    assert allowed("<!doctype html><title>Not found</title>", "/prive/")


@pytest.mark.parametrize(
    ("pattern", "path", "matches"),
    [
        ("/potager", "/potager", True),
        ("/potager", "/potager/tomates.html", True),
        ("/potager", "/Potager", False),
        ("/potager/", "/potager", False),
        ("/*.pdf$", "/plans/serre.pdf", True),
        ("/*.pdf$", "/plans/serre.pdf?page=2", False),
        ("/*.pdf", "/plans/serre.pdf?page=2", True),
        ("/a*b*c", "/a-c-b", False),
        ("/a*b*c", "/abbc", True),
        ("/a*a$", "/a", False),
        ("/***x", "/---x", True),
        ("/$", "/", True),
        ("/$", "/x", False),
        ("*", "/anything", True),
        ("*/x", "/y/x", True),
        ("/*?", "/page?", True),
        ("/*?", "/page", False),
        ("/page?id=", "/page?id=7#top", True),
        ("/été", "/%C3%A9t%c3%a9/juin", True),
        ("/%c3%a9", "/é", True),
        ("/a%62c", "/abc", True),
        ("/a%2Fb", "/a/b", False),
        ("/price%24", "/price$", True),
        ("/a%2A", "/a*", True),
        ("/a%2A", "/ab", False),
        ("/sale$/x", "/sale$/x", True),
        ("", "/", False),
    ],
)
def test_a_pattern_matches_from_the_start_with_wildcards_and_an_end(
    pattern: str, path: str, matches: bool
) -> None:
    assert allowed(f"User-agent: *\nDisallow: {pattern}", path) is not matches


def test_the_longest_rule_decides_and_of_two_the_one_that_allows() -> None:
    robots = "User-agent: *\nAllow: /a\nDisallow: /a/b\nAllow: /a/b/c\nDisallow: /x\nAllow: /x"
    assert [allowed(robots, path) for path in ("/a/1", "/a/b/1", "/a/b/c/1", "/x", "/y")] == [
        True,
        False,
        True,
        True,
        True,
    ]


def test_rules_for_our_name_replace_those_for_everyone() -> None:
    robots = "User-agent: *\nDisallow: /\n\nUser-agent: TAMIS/2.0 (beta)\nDisallow: /only"
    assert allowed(robots, "/page")
    assert not allowed(robots, "/only")
    assert not allowed(robots, "/page", "other")
    assert not allowed(robots, "/page", "tam")
    assert not allowed(robots, "/page", "tamis-bot")


def test_a_group_for_our_name_without_rules_allows_everything() -> None:
    assert allowed("User-agent: tamis\nDisallow:\nUser-agent: *\nDisallow: /", "/page")


def test_groups_of_one_name_are_one_and_a_group_may_have_several_names() -> None:
    robots = (
        "User-agent: tamis\nDisallow: /a\nUser-agent: other\nUser-agent: tamis\n"
        "Sitemap: https://jardin.example/s.xml\nDisallow: /b\n"
    )
    assert not allowed(robots, "/a")
    assert not allowed(robots, "/b")
    assert not allowed(robots, "/b", "other")
    assert allowed(robots, "/a", "other")


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_line_ends_comments_spaces_case_and_a_byte_order_mark_do_not_matter(end: str) -> None:
    lines = ["\ufeffUSER-AGENT : * # all", "", "# no", "  disallow:/a#b", "Allow /", "nonsense"]
    assert not allowed(end.join(lines), "/a")
    assert allowed(end.join(lines), "/b")


def test_rules_before_any_name_hold_for_nobody() -> None:
    assert allowed("Disallow: /\nUser-agent: *\nDisallow: /a", "/b")


def test_the_robots_file_itself_may_always_be_read() -> None:
    assert allowed("User-agent: *\nDisallow: /", "/robots.txt")


@pytest.mark.parametrize(
    ("value", "delay"), [("5", 5), ("0.5", 0.5), ("soon", 0), ("-1", 0), ("nan", 0), ("inf", 0)]
)
def test_a_crawl_delay_is_a_number_of_seconds(value: str, delay: float) -> None:
    robots = f"User-agent: *\nCrawl-delay: {value}\nUser-agent: other\nCrawl-delay: 99\n"
    assert parse_rules(robots.encode(), "tamis").delay == delay


def test_what_is_no_text_allows_everything() -> None:
    assert parse_rules(bytes(range(256)) * 10, "tamis").allows_url(SITE)


@pytest.mark.parametrize("name", ["User-agent:", "USER AGENT", "useragent :", "user  agent\t"])
def test_other_spellings_of_the_field_begin_a_group(name: str) -> None:
    robots = f"{name} tamis\nDisallow: /a\n{name} other\nDisallow: /b"
    assert not allowed(robots, "/a")
    assert allowed(robots, "/b")


@pytest.mark.parametrize(
    "robots",
    [
        b"User-agent: *\nDisallow: /" + b"*a" * MAX_BYTES,
        b"User-agent: *\n" + b"Disallow: /*a*b*c$\n" * 30_000,
        b"".join(b"User-agent: a%d\n" % i for i in range(20_000)) + b"Disallow: /x\n" * 30_000,
        b"User-agent: *\n" + b" " * MAX_BYTES + b":\n",
        b"User" + b" " * MAX_BYTES,
        b"".join(b"User agent\ta%d\n" % i for i in range(20_000)) + b"Disallow: /x\n" * 30_000,
    ],
)
def test_a_hostile_file_costs_little(robots: bytes) -> None:
    start = time.process_time()
    parse_rules(robots, "tamis").allows_url(SITE + "/" + "ab" * 1000)
    assert time.process_time() - start < 2
