"""What robots.txt files allow, and single pages within that from a real server of this machine."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler
from typing import Any

import pytest

from tamis.corpus import politeness as polite
from tamis.corpus.politeness import MAX_BYTES, Politeness, PoliteReader, parse_rules
from tamis.inputs import Fetched
from tamis.web.download import FetchFailure
from tests.servers import serving

PAGE = b"<p>Arrosez les tomates le soir, jamais sur les feuilles."


class Orchard:
    """What the server answers as robots.txt, and what it was asked."""

    def __init__(self, address: str) -> None:
        self.plain = address
        self.other = address.replace("127.0.0.1", "localhost")

    robots: bytes | int = b"User-agent: *\nDisallow: /shed\n"
    asked: list[str] = []  # noqa: RUF012  # made anew for each test


class Gate(BaseHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:
        """Keep the test output clean."""

    def do_GET(self) -> None:
        Orchard.asked.append(f"{self.headers['Host'].partition(':')[0]}{self.path}")
        port = self.headers["Host"].rpartition(":")[2]
        moved = {
            "/moved": "/page",
            "/to-shed": "/shed/1",
            "/away": f"http://localhost:{port}/page",
            "/away-to-shed": f"http://localhost:{port}/shed",
            "/circle": f"http://localhost:{port}/back",
            "/back": f"http://127.0.0.1:{port}/circle",
        }
        status, body = 200, PAGE
        if self.path == "/robots.txt":
            robots = Orchard.robots
            status, body = (robots, b"") if isinstance(robots, int) else (200, robots)
        elif self.path in moved:
            status, body = 301, b""
        self.send_response(status)
        if self.path in moved:
            self.send_header("Location", moved[self.path])
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


@pytest.fixture
def orchard(monkeypatch: pytest.MonkeyPatch) -> Iterator[Orchard]:
    monkeypatch.setattr(Orchard, "robots", Orchard.robots)
    monkeypatch.setattr(Orchard, "asked", [])
    with serving(Gate) as address:
        yield Orchard(address)


def read(*urls: str, **fields: Any) -> list[Fetched | FetchFailure]:
    """What one reader makes of some addresses, one after the other."""
    reader = PoliteReader(Politeness(**({"allow_private": True} | fields)))

    async def run() -> list[Fetched | FetchFailure]:
        outcomes: list[Fetched | FetchFailure] = []
        for url in urls:
            try:
                outcomes.append(await reader.read(url))
            except FetchFailure as failure:
                outcomes.append(failure)
        return outcomes

    return asyncio.run(run())


def reasons(*urls: str, **fields: Any) -> list[str | None]:
    return [
        outcome.reason if isinstance(outcome, FetchFailure) else None
        for outcome in read(*urls, **fields)
    ]


def test_what_is_not_allowed_is_not_asked_for(orchard: Orchard) -> None:
    page, shed, moved = read(
        f"{orchard.plain}/page", f"{orchard.plain}/shed/2", f"{orchard.plain}/to-shed"
    )
    assert isinstance(page, Fetched) and page.body == PAGE
    assert isinstance(shed, FetchFailure) and shed.reason == "robots"
    assert str(shed) == (
        f"{orchard.plain}/robots.txt does not allow tamis to read {orchard.plain}/shed/2; open it"
        " in a browser"
    )
    assert isinstance(moved, FetchFailure) and moved.reason == "robots"
    assert not any("/shed" in path for path in orchard.asked)


def test_messages_have_no_passwords(orchard: Orchard) -> None:
    with_password = orchard.plain.replace("//", "//me:secret@")
    outcomes = read(f"{with_password}/shed", "http://me:secret@[::1/")
    assert [type(outcome) for outcome in outcomes] == [FetchFailure, FetchFailure]
    assert not any("secret" in str(outcome) for outcome in outcomes)


def test_rules_are_asked_for_once(orchard: Orchard, monkeypatch: pytest.MonkeyPatch) -> None:
    read(*[f"{orchard.plain}/page"] * 3)
    assert orchard.asked.count("127.0.0.1/robots.txt") == 1
    monkeypatch.setattr(polite, "_REMEMBERED", -1.0)
    read(*[f"{orchard.plain}/page"] * 3)
    assert orchard.asked.count("127.0.0.1/robots.txt") == 4


def test_the_rules_of_many_origins_are_forgotten_one_by_one(
    orchard: Orchard, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(polite, "_ORIGINS", 1)
    pages = f"{orchard.plain}/page", f"{orchard.other}/page"
    assert reasons(*pages, *pages) == [None] * 4
    assert len([path for path in orchard.asked if path.endswith("robots.txt")]) == 4


def test_a_redirect_to_another_origin_obeys_the_rules_there(orchard: Orchard) -> None:
    away, shed = read(f"{orchard.plain}/away", f"{orchard.plain}/away-to-shed")
    assert isinstance(away, Fetched) and away.url == f"{orchard.other}/page"
    assert isinstance(shed, FetchFailure) and shed.reason == "robots"
    assert orchard.asked.count("localhost/robots.txt") == 1
    (circle,) = read(f"{orchard.plain}/circle")
    assert "redirected too often" in str(circle)


@pytest.mark.parametrize(("status", "reason"), [(404, None), (403, None), (503, "robots")])
def test_without_robots_txt_a_site_is_free_and_with_a_broken_one_closed(
    orchard: Orchard, monkeypatch: pytest.MonkeyPatch, status: int, reason: str | None
) -> None:
    monkeypatch.setattr(Orchard, "robots", status)
    assert reasons(f"{orchard.plain}/page") == [reason]


def test_rules_without_an_end_close_a_site(
    orchard: Orchard, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(polite, "_ROBOTS_BYTES", 10)
    assert reasons(f"{orchard.plain}/page") == ["robots"]


def test_whoever_does_not_care_reads_everything(orchard: Orchard) -> None:
    assert reasons(f"{orchard.plain}/shed", robots=False) == [None]
    assert orchard.asked == ["127.0.0.1/shed"]


def test_the_guards_of_a_fetch_hold(orchard: Orchard) -> None:
    assert reasons(
        f"{orchard.plain}/page", "http://[::1/", "ftp://a.example/", "tomates", allow_private=False
    ) == ["private address", "bad address", "bad address", "bad address"]


# The rules

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
