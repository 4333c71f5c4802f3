"""Single pages within what robots.txt files allow, from a real server of this machine."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler
from typing import Any

import pytest

from tamis.corpus.fetching import politeness as polite
from tamis.corpus.fetching.politeness import Politeness, PoliteReader
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
    monkeypatch.setattr(polite, "ROBOTS_BYTES", 10)
    assert reasons(f"{orchard.plain}/page") == ["robots"]


def test_whoever_does_not_care_reads_everything(orchard: Orchard) -> None:
    assert reasons(f"{orchard.plain}/shed", robots=False) == [None]
    assert orchard.asked == ["127.0.0.1/shed"]


def test_the_guards_of_a_fetch_hold(orchard: Orchard) -> None:
    assert reasons(
        f"{orchard.plain}/page", "http://[::1/", "ftp://a.example/", "tomates", allow_private=False
    ) == ["private address", "bad address", "bad address", "bad address"]
