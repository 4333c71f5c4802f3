"""A service of this machine that really listens, and a site for it to read."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

import httpx
import pytest
from tests.servers import serving

from tamis.serve.app import listen, make_server
from tamis.serve.service import Service
from tamis.serve.settings import ServeSettings

PAGE = """<!doctype html><html lang=en><head><title>Dry stone walls - The Field</title>
<meta name=description content="How walls without mortar are built."></head><body>
<nav><a href=/>Home</a> <a href=/news>News</a> <a href=/about>About us</a></nav>
<article><h1>Dry stone walls</h1>
<p class=byline>By <a rel=author href=/ann>Ann Mason</a>, <time datetime=2026-03-04>March</time>
<p>A dry stone wall is built without mortar; it stands because each stone rests on two others, and
because its two faces lean against each other. Such walls are found wherever fields are full of
stones, and the oldest of them have stood for three thousand years.</p>
<p class=second>Builders begin with the largest stones, in a trench, and fill the heart of the wall
with small ones. <a href=/tools>The tools</a> are a hammer, a line and patience. Every metre or so a
long stone goes through the whole wall and ties its faces together.</p>
<p class=share>Share this with your friends on all networks</p></article>
<aside><h2>Related</h2><a href=/hedges>Hedges</a> <a href=/gates>Gates</a></aside>
<footer>Imprint, privacy, 2026 The Field</footer></body></html>"""


SENTENCES = " ".join(
    f"Course {number} of the wall is laid by hand, without mortar, and rests on the one below."
    for number in range(1, 31)
)
DATA = {
    "/json-ld": '<script type="application/ld+json">'
    + json.dumps({"@type": "NewsArticle", "headline": "The wall", "articleBody": SENTENCES})
    + "</script>",
    "/state": '<script id="__NEXT_DATA__" type="application/json">'
    + json.dumps({"props": {"title": "The wall", "content": f"<p>{SENTENCES}</p>"}})
    + "</script>",
}
"""Scripts that repeat an article, by the address of the page that has it."""


def repeated(path: str) -> str:
    """A page that has its article in its data, too; the shell of one that has it only there."""
    shown = "" if path.endswith("/shell") else f"<p class=body>{SENTENCES}</p>"
    data = DATA[path.removesuffix("/shell")]
    return (
        f"<!doctype html><html><head><title>The wall</title>{data}</head>"
        f"<body><nav><a href=/>Home</a></nav><article><h1>The wall</h1>{shown}</article>"
        "<p class=share>Share this</p></body></html>"
    )


class Site(BaseHTTPRequestHandler):
    """A few addresses, each with its own answer."""

    protocol_version = "HTTP/1.1"

    def log_message(self, format: str, *args: object) -> None:
        """Keep the test output clean."""

    def do_GET(self) -> None:
        status, kind, body = 200, "text/html; charset=utf-8", PAGE.encode()
        path = self.path.partition("?")[0]
        if path == "/missing":
            status = 404
        elif path == "/picture":
            kind = "image/png"
        elif path == "/query":
            body = f"<title>Asked</title><p>You asked for the page {self.path}".encode()
        elif path.removesuffix("/shell") in DATA:
            body = repeated(path).encode()
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


@pytest.fixture(scope="session")
def site() -> Iterator[str]:
    with serving(Site) as address:
        yield address


class Running:
    """A service that runs: its address, its parts, and a client of it."""

    def __init__(self, address: str, service: Service, connections: set[Any]) -> None:
        self.address = address
        self.service = service
        self.connections = connections
        self.client = httpx.Client(base_url=address, timeout=300, trust_env=False)
        self.port = int(address.rpartition(":")[2])

    def post(self, path: str, /, **body: Any) -> httpx.Response:
        return self.client.post(path, json=body)

    def get(self, path: str, **headers: str) -> httpx.Response:
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        return self.client.get(path, headers=named)

    def metric(self, line: str) -> float:
        for written in self.get("/metrics").text.splitlines():
            if written.startswith(line + " "):
                return float(written.rpartition(" ")[2])
        return 0.0

    def count_answered(self, endpoint: str | None = None) -> int:
        """How many requests were answered, of one endpoint or of all, without asking."""
        return sum(
            int(sample.value)
            for metric in self.service.metrics.registry.collect()
            for sample in metric.samples
            if sample.name == "tamis_requests_total"
            and endpoint in (None, sample.labels["endpoint"])
        )


@contextmanager
def running(**settings: Any) -> Iterator[Running]:
    """A service with these settings until the block ends."""
    chosen = ServeSettings(**{"port": 0, "workers": 1, **settings})
    begun = threading.Event()
    addresses: list[str] = []

    def ready(address: str) -> None:
        addresses.append(address)
        begun.set()

    with listen(chosen) as listening:
        server = make_server(chosen, ready, listening)
        app = server.config.app
        thread = threading.Thread(target=server.run, args=([listening],), daemon=True)
        thread.start()
        assert begun.wait(120)
        service = Running(addresses[0], app.state.service, server.server_state.connections)
        try:
            with service.client:
                yield service
        finally:
            server.should_exit = True
            thread.join(120)
            assert not thread.is_alive()


@pytest.fixture(scope="session")
def serve() -> Callable[..., Any]:
    """To start a service of one's own."""
    return running


@pytest.fixture(scope="session")
def server() -> Iterator[Running]:
    """One service for all tests that change nothing of it; it may read the site of this machine."""
    with running(workers=2, allow_private=True) as service:
        yield service


@pytest.fixture(scope="session")
def page() -> str:
    return PAGE


@pytest.fixture(scope="session")
def example() -> str:
    """The page that comes with tamis."""
    root = Path(__file__).parent.parent.parent
    return (root / "examples" / "news.html").read_text("utf-8")
