"""Reading a list of addresses, from real servers on this machine."""

from __future__ import annotations

import gzip
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tamis.corpus import crawl
from tamis.corpus.crawl import fetch_list, read_addresses
from tamis.corpus.politeness import Politeness
from tamis.errors import InputError, OutputError

PAGE = (
    "<!doctype html><title>Le potager en juin</title><nav><a href=/>Accueil</a></nav>"
    "<p>Arrosez les tomates le soir, jamais sur les feuilles.<footer>Mentions légales</footer>"
).encode()


class Garden(ThreadingHTTPServer):
    """A server that remembers what it was asked, when, and how much of it at once."""

    daemon_threads = True
    request_queue_size = 100

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Gardener)
        self.lock = threading.Condition()
        self.hits: list[tuple[str, str, float]] = []
        self.active: Counter[str] = Counter()
        self.most: Counter[str] = Counter()
        self.robots: bytes | int = 404
        self.waiting, self.closing = threading.Event(), threading.Event()
        self.plain = f"http://127.0.0.1:{self.server_port}"
        self.other = f"http://localhost:{self.server_port}"

    def asked(self, path: str, host: str = "") -> int:
        return sum(path == asked and host in of for of, asked, _ in self.hits)

    def handle_error(self, request: object, client_address: object) -> None:
        """Say nothing of the connections that the tests drop on purpose."""


class Gardener(BaseHTTPRequestHandler):
    """Each path misbehaves in its own way."""

    server: Garden

    def log_message(self, format: str, *args: object) -> None:
        """Keep the test output clean."""

    def answer(self, body: bytes = PAGE, status: int = 200, /, **headers: str) -> None:
        self.end()
        self.send_response(status)
        for name, value in ({"Content_Type": "text/html; charset=utf-8"} | headers).items():
            self.send_header(name.replace("_", "-"), value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self) -> None:
        garden, host = self.server, self.headers["Host"]
        with garden.lock:
            garden.hits.append((host, self.path, time.monotonic()))
            garden.active[host] += 1
            garden.most[host] = max(garden.most[host], garden.active[host])
            garden.lock.notify_all()
        self.is_active = True
        try:
            self.route(self.path.partition("?")[0].strip("/"))
        finally:
            self.end()

    def end(self) -> None:
        """Count the request as done: before the client can know, or it asks for more meanwhile."""
        with self.server.lock:
            self.server.active[self.headers["Host"]] -= self.is_active
            self.is_active = False

    def wait(self) -> None:
        self.server.waiting.set()
        self.server.closing.wait()

    def meet(self) -> None:
        """Hold the answer back until both hosts are asked for two things at a time."""
        garden = self.server
        hosts = [address.removeprefix("http://") for address in (garden.plain, garden.other)]

        def are_busy() -> bool:
            return all(garden.most[host] > 1 for host in hosts)

        with garden.lock:
            assert garden.lock.wait_for(are_busy, timeout=600)

    def route(self, path: str) -> None:
        robots = self.server.robots
        times = self.server.asked(self.path)
        routes: dict[str, Callable[[], None]] = {
            "robots.txt": lambda: (
                self.answer(b"", robots)
                if isinstance(robots, int)
                else self.answer(robots, Content_Type="application/octet-stream")
            ),
            "agent": lambda: self.answer(self.headers["User-Agent"].encode()),
            "missing": lambda: self.answer(b"", 404),
            "forbidden": lambda: self.answer(b"", 403),
            "broken": lambda: self.answer(b"", 500),
            "once-busy": lambda: (
                self.answer(b"", 503, Retry_After="1") if times == 1 else self.answer()
            ),
            "once-broken": lambda: self.answer(b"", 500) if times == 1 else self.answer(),
            "moved": lambda: self.answer(b"", 301, Location="/page"),
            "moved-away": lambda: self.answer(b"", 301, Location=f"{self.server.other}/page"),
            "moved-to-shed": lambda: self.answer(b"", 301, Location=f"{self.server.other}/shed"),
            "moved-to-file": lambda: self.answer(b"", 301, Location="file:///etc/passwd"),
            "circle": lambda: self.answer(b"", 302, Location=f"{self.server.other}/circle-back"),
            "circle-back": lambda: self.answer(b"", 302, Location=f"{self.server.plain}/circle"),
            "silent": lambda: None,
            "meet": lambda: self.meet() or self.answer(),
            "never": self.wait,
            "big": lambda: self.answer(b"x" * 200_000),
            "picture": lambda: self.answer(b"\x89PNG", Content_Type="image/png"),
        }
        if path.startswith("slow"):
            time.sleep(0.05)
        routes.get(path, self.answer)()


@pytest.fixture
def garden(monkeypatch: pytest.MonkeyPatch) -> Iterator[Garden]:
    """Return a server with a memory of its own."""
    for name in ("http_proxy", "https_proxy", "all_proxy"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)
    with Garden() as server:
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        yield server
        server.closing.set()
        server.shutdown()


class Archived(NamedTuple):
    """A record as a reader of WARC files finds it."""

    url: str
    refused: str | None
    content: bytes
    id: str
    asked: str | None
    status: int | None
    content_type: str | None


def archived(folder: Path, names: list[str]) -> list[Archived]:
    warc = pytest.importorskip("fastwarc.warc")
    records = []
    for name in names:
        with (folder / name).open("rb") as file:
            for record in warc.ArchiveIterator(file, parse_http=True):
                kind = record.headers["WARC-Type"]
                if kind == "warcinfo":
                    continue
                http, headers = record.http_headers, record.headers
                assert kind == ("metadata" if http is None else "response")
                assert record.record_date is not None
                records.append(
                    Archived(
                        headers["WARC-Target-URI"],
                        headers.get("Tamis-Refused"),
                        record.reader.read(),
                        record.record_id,
                        headers.get("Tamis-Asked"),
                        http.status_code if http else None,
                        http.get("Content-Type") if http else None,
                    )
                )
    return records


def gentle(**changes: Any) -> Politeness:
    hasty: dict[str, Any] = {"delay": 0.0, "backoff": 0.01, "allow_private": True}
    return Politeness(**(hasty | changes))


def fetched(addresses: list[str], folder: Path, **changes: Any) -> list[Archived]:
    records = archived(folder, fetch_list(addresses, folder, politeness=gentle(**changes)).names)
    assert len(records) == len(addresses)
    return records


def reasons(addresses: list[str], folder: Path, **changes: Any) -> list[str | None]:
    return [record.refused for record in fetched(addresses, folder, **changes)]


def test_each_address_gives_a_record_in_the_order_of_the_list(
    garden: Garden, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(crawl, "FILE_ADDRESSES", 4)
    hosts = (garden.plain, garden.other)
    addresses = [f"{hosts[n % 2]}/{'slow' if n % 3 else 'page'}/{n}" for n in range(10)]
    names = fetch_list(addresses, tmp_path, politeness=gentle(per_host=3)).names
    assert names == [f"fetched-0000{n}.warc.gz" for n in range(3)]
    assert sorted(path.name for path in tmp_path.iterdir()) == names
    assert [len(archived(tmp_path, [name])) for name in names] == [4, 4, 2]
    assert [record.url for record in archived(tmp_path, names)] == addresses


def test_a_page_is_archived_with_its_headers_and_both_its_addresses(
    garden: Garden, tmp_path: Path
) -> None:
    [page] = fetched([f"{garden.plain}/moved"], tmp_path / "1")
    assert page.content == PAGE
    assert (page.status, page.content_type) == (200, "text/html; charset=utf-8")
    assert (page.url, page.asked) == (f"{garden.plain}/page", f"{garden.plain}/moved")
    [again] = fetched([f"{garden.plain}/moved"], tmp_path / "2")
    assert page.id == again.id
    assert page.id.startswith("<urn:uuid:")


def test_what_fails_has_a_short_reason_and_a_message(garden: Garden, tmp_path: Path) -> None:
    expected = {
        f"{garden.plain}/missing": "not found",
        f"{garden.plain}/forbidden": "http status",
        f"{garden.plain}/broken": "http status",
        f"{garden.plain}/silent": "no answer",
        f"{garden.plain}/big": "too large",
        f"{garden.plain}/picture": "not html",
        f"{garden.plain}/moved-to-file": "bad address",
        f"{garden.plain}/circle": "http status",
        "http://[::1/": "bad address",
        "http://127.0.0.1:99999/": "bad address",
        "http://nowhere.invalid/": "no answer",
    }
    records = fetched(list(expected), tmp_path, retries=0, max_bytes=100_000)
    assert [record.refused for record in records] == list(expected.values())
    assert all(record.content.decode().isprintable() for record in records)
    assert b"404 Not Found" in records[0].content
    assert records[0].url == f"{garden.plain}/missing"


def test_credentials_do_not_reach_the_archive(garden: Garden, tmp_path: Path) -> None:
    address = garden.plain.replace("//", "//ich:geheim@")
    for record in fetched([f"{address}/page", f"{address}/missing"], tmp_path):
        assert "geheim" not in repr(record)


def test_robots_txt_is_read_once_and_followed(garden: Garden, tmp_path: Path) -> None:
    garden.robots = b"User-agent: *\nDisallow: /\n\nUser-agent: tamis\nDisallow: /shed\n"
    paths = ["/page", "/shed/key", "/shed", "/bench"]
    outcomes = reasons([garden.plain + path for path in paths], tmp_path, per_host=4)
    assert outcomes == [None, "robots", "robots", None]
    assert garden.asked("/robots.txt") == 1
    assert garden.asked("/shed") == 0


def test_robots_txt_can_be_left_alone(garden: Garden, tmp_path: Path) -> None:
    garden.robots = b"User-agent: *\nDisallow: /\n"
    assert reasons([f"{garden.plain}/page"], tmp_path, robots=False) == [None]
    assert garden.asked("/robots.txt") == 0


@pytest.mark.parametrize(
    ("status", "reason"), [(404, None), (403, None), (503, "robots"), (429, "robots")]
)
def test_without_robots_txt_a_site_is_free_and_with_a_broken_one_closed(
    garden: Garden, tmp_path: Path, status: int, reason: str | None
) -> None:
    garden.robots = status
    addresses = [f"{garden.plain}/page/{n}" for n in range(3)]
    assert reasons(addresses, tmp_path, retries=1) == [reason] * 3
    assert garden.asked("/robots.txt") == (2 if reason else 1)


def test_the_crawler_says_who_it_is(garden: Garden, tmp_path: Path) -> None:
    agent = "maulwurf/1.0 (+https://garten.example/bot)"
    garden.robots = b"User-agent: maulwurf\nDisallow: /shed\n"
    addresses = [f"{garden.plain}/agent", f"{garden.plain}/shed"]
    records = fetched(addresses, tmp_path, user_agent=agent)
    assert records[0].content == agent.encode()
    assert records[1].refused == "robots"


def test_a_redirect_to_another_host_obeys_the_rules_of_that_host(
    garden: Garden, tmp_path: Path
) -> None:
    garden.robots = b"User-agent: *\nDisallow: /shed\n"
    records = fetched([f"{garden.plain}/moved-away", f"{garden.plain}/moved-to-shed"], tmp_path)
    assert records[0].url == f"{garden.other}/page"
    assert records[0].asked == f"{garden.plain}/moved-away"
    assert records[1].refused == "robots"
    assert garden.asked("/robots.txt", "localhost") == 1
    assert garden.asked("/shed") == 0


def test_a_busy_server_is_asked_again_when_it_says(garden: Garden, tmp_path: Path) -> None:
    [page] = fetched([f"{garden.plain}/once-busy"], tmp_path)
    assert page.content == PAGE
    first, second = [when for _, path, when in garden.hits if path == "/once-busy"]
    assert second - first >= 0.99


def test_errors_that_may_pass_are_retried_and_others_not(garden: Garden, tmp_path: Path) -> None:
    paths = ["/once-broken", "/broken", "/missing"]
    outcomes = reasons([garden.plain + path for path in paths], tmp_path)
    assert outcomes == [None, "http status", "not found"]
    assert [garden.asked(path) for path in paths] == [2, 3, 1]


def test_each_retry_waits_twice_as_long(garden: Garden, tmp_path: Path) -> None:
    reasons([f"{garden.plain}/broken"], tmp_path, backoff=0.1)
    first, second, third = [when for _, path, when in garden.hits if path == "/broken"]
    assert second - first >= 0.1
    assert third - second >= 0.2


def test_a_host_that_never_answers_is_given_up(garden: Garden, tmp_path: Path) -> None:
    addresses = [f"{garden.plain}/silent?{n}" for n in range(8)]
    records = fetched([*addresses, f"{garden.other}/page"], tmp_path, retries=0)
    assert [record.refused for record in records] == ["no answer"] * 8 + [None]
    assert sum("silent" in path for _, path, _ in garden.hits) == 5
    assert b"asked no more" in records[-2].content


def test_a_server_that_waits_too_long_with_its_answer_is_left(
    garden: Garden, tmp_path: Path
) -> None:
    never = [f"{garden.plain}/never"]
    assert reasons(never, tmp_path, robots=False, retries=0, timeout=0.1) == ["no answer"]


@pytest.fixture
def starts(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, float]]:
    """The requests for pages in the order in which they began, and when.

    The server is the wrong one to ask: a busy machine delivers one request late, the next in time.
    """
    begun: list[tuple[str, float]] = []
    start = crawl._Crawl._start

    def noted(plan: crawl._Crawl, host: crawl._Host) -> None:
        url, waiting, now = host.queue[0].url, len(host.queue), time.monotonic()
        start(plan, host)
        if len(host.queue) < waiting:  # otherwise it was the request for the robots.txt
            begun.append((url, now))

    monkeypatch.setattr(crawl._Crawl, "_start", noted)
    return begun


def test_no_host_has_more_requests_than_allowed_and_none_waits_for_another(
    garden: Garden, tmp_path: Path
) -> None:
    many = [f"{garden.plain}/meet?{n}" for n in range(12)]
    few = [f"{garden.other}/meet?{n}" for n in range(2)]
    assert reasons(many + few, tmp_path, per_host=2, concurrency=8) == [None] * 14
    assert set(garden.most.values()) == {2}


def test_no_more_requests_than_allowed_are_under_way(garden: Garden, tmp_path: Path) -> None:
    hosts = (garden.plain, garden.other)
    reasons([f"{hosts[n % 2]}/slow/{n}" for n in range(6)], tmp_path, concurrency=1, per_host=2)
    times = sorted(when for _, path, when in garden.hits if "slow" in path)
    assert all(after - before >= 0.05 for before, after in pairwise(times))


@pytest.mark.parametrize(("robots", "delay"), [(404, 0.1), (b"User-agent: *\nCrawl-delay: 0.2", 0)])
def test_requests_to_a_host_have_the_longer_of_both_delays_between_them(
    garden: Garden,
    tmp_path: Path,
    starts: list[tuple[str, float]],
    robots: bytes | int,
    delay: float,
) -> None:
    garden.robots = robots
    reasons([f"{garden.plain}/page/{n}" for n in range(4)], tmp_path, per_host=2, delay=delay)
    assert len(starts) == 4
    assert all(b - a >= (delay or 0.2) for (_, a), (_, b) in pairwise(starts))


def test_private_addresses_are_refused_unless_allowed(garden: Garden, tmp_path: Path) -> None:
    for robots in (True, False):
        addresses = [f"{garden.plain}/page", f"{garden.other}/page"]
        outcomes = reasons(addresses, tmp_path / str(robots), allow_private=False, robots=robots)
        assert outcomes == ["private address"] * 2
    assert not garden.hits


def test_a_second_run_reads_only_what_is_missing(
    garden: Garden, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(crawl, "FILE_ADDRESSES", 2)
    addresses = [f"{garden.plain}/page/{n}" for n in range(5)]
    before = fetched(addresses, tmp_path)
    (tmp_path / "fetched-00001.warc.gz").unlink()
    garden.hits.clear()
    seen: list[Counter[str]] = []
    names, new, _ = fetch_list(
        addresses, tmp_path, politeness=gentle(), progress=lambda now: seen.append(now.copy())
    )
    assert new == 2
    assert [path for _, path, _ in garden.hits] == ["/robots.txt", "/page/2", "/page/3"]
    assert archived(tmp_path, names) == before
    assert seen == [{"kept": 3}, {"kept": 3, "fetched": 1}, {"kept": 3, "fetched": 2}]


def test_new_addresses_get_files_of_their_own_and_known_ones_are_not_read_again(
    garden: Garden, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(crawl, "FILE_ADDRESSES", 2)
    login = garden.plain.replace("//", "//ich:geheim@")
    first = [f"{garden.plain}/page/0", "no address", f"{login}/page/2"]
    fetched(first, tmp_path)
    before = {path: path.read_bytes() for path in tmp_path.iterdir()}
    garden.hits.clear()
    later = [f"{garden.plain}/page/3", *first[2:], f"{garden.plain}/page/4"]
    names, new, unlisted = fetch_list(later, tmp_path, politeness=gentle())
    assert (names, new) == ([f"fetched-0000{n}.warc.gz" for n in range(3)], 2)
    assert unlisted == first[:2]
    assert [path for _, path, _ in garden.hits] == ["/robots.txt", "/page/3", "/page/4"]
    assert {path: path.read_bytes() for path in before} == before


def test_files_without_a_list_of_their_addresses_are_read_for_it(
    garden: Garden, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Those of tamis 0.2."""
    addresses = [f"{garden.plain}/moved", f"{garden.plain}/missing"]
    with monkeypatch.context() as earlier:
        earlier.setattr("tamis.corpus.formats.warc_writing._ASKED", "tamis-addresses: ")
        fetched(addresses, tmp_path)
    assert fetch_list(addresses, tmp_path, politeness=gentle())[1:] == (0, [])
    new = f"{garden.plain}/page"
    assert fetch_list([new], tmp_path, politeness=gentle())[1:] == (1, addresses)


@pytest.mark.parametrize("content", [b"", b"no archive", b"\x1f\x8b\x08\0cut"])
def test_a_file_that_is_not_ours_is_not_taken_for_ours(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "fetched-00000.warc.gz").write_bytes(content)
    with pytest.raises(InputError):
        fetch_list(["http://a.example/"], tmp_path)


def test_a_crawl_that_is_stopped_leaves_whole_files_only_and_goes_on_later(
    garden: Garden, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(crawl, "FILE_ADDRESSES", 2)
    addresses = [f"{garden.plain}/page/{n}" for n in range(8)]
    stop = threading.Event()

    def stop_after_five(counts: Counter[str]) -> None:
        if counts["fetched"] == 5:
            stop.set()

    with pytest.raises(KeyboardInterrupt):
        fetch_list(addresses, tmp_path, politeness=gentle(), progress=stop_after_five, stop=stop)
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "fetched-00000.warc.gz",
        "fetched-00001.warc.gz",
    ]
    garden.hits.clear()
    assert [record.url for record in fetched(addresses, tmp_path)] == addresses
    assert garden.asked("/page/3") == 0
    assert garden.asked("/page/4") == 1


def test_a_stop_does_not_wait_for_a_slow_server(garden: Garden, tmp_path: Path) -> None:
    stop = threading.Event()
    threading.Thread(target=lambda: garden.waiting.wait() and stop.set()).start()
    patient = gentle(timeout=600.0, max_seconds=600.0)
    with pytest.raises(KeyboardInterrupt):
        fetch_list([f"{garden.plain}/never"], tmp_path, politeness=patient, stop=stop)
    assert garden.active.total() == 1, "the answer is still held back"
    assert not list(tmp_path.iterdir())


def test_a_folder_that_cannot_be_written_is_reported(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(OutputError, match="cannot be written"):
        fetch_list(["http://a.example/"], tmp_path / "file")


@pytest.mark.parametrize("address", ["a.example", "ftp://a.example/", "http://a.example/\r\nX: y"])
def test_what_is_no_web_address_is_one_record_with_the_reason(tmp_path: Path, address: str) -> None:
    [name] = fetch_list([address], tmp_path).names
    with gzip.open(tmp_path / name) as file:
        head, _, rest = file.read().decode().partition("Tamis-Refused: ")
    assert "WARC-Target-URI: " + address.replace("\r\n", "\ufffd" * 2) in head
    assert rest.startswith("bad address\r\n")
    assert "no web address; begin with http:// or https://" in rest


def test_an_address_is_read_once(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="twice"):
        fetch_list(["http://a.example/"] * 2, tmp_path)


@pytest.mark.parametrize(
    "wrong",
    [{"concurrency": 0}, {"per_host": 0}, {"delay": -1}, {"retries": -1}, {"user_agent": "1/2"}],
)
def test_politeness_has_limits(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=next(iter(wrong))):
        Politeness(**wrong)


def test_a_list_is_read_line_by_line(tmp_path: Path) -> None:
    path = tmp_path / "list.txt"
    path.write_bytes(
        "\ufeffhttps://a.example/été\r\n# ein Kommentar\r\n\r\n  HTTP://b.example  \n"
        "https://a.example/été\nhttps://a.example/#c".encode()
    )
    assert read_addresses(path) == [
        "https://a.example/été",
        "HTTP://b.example",
        "https://a.example/#c",
    ]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"example.org\n", "no web address in it; write one per line, with http://"),
        (b"https://a.example/ b", "no web address in it"),
        (b"http:///path", "no web address in it"),
        (b"https://a.example/\xe9", "UTF-8"),
        (b"# nothing\n", "no web address in it"),
    ],
)
def test_a_list_that_is_none_is_refused(tmp_path: Path, content: bytes, message: str) -> None:
    path = tmp_path / "list.txt"
    path.write_bytes(content)
    with pytest.raises(InputError, match=message):
        read_addresses(path)


def test_a_bad_line_of_a_list_is_one_of_its_addresses(tmp_path: Path) -> None:
    (tmp_path / "list.txt").write_text("https://a.example/\nexample.org\nhttps://b.example/\n")
    listed = ["https://a.example/", "example.org", "https://b.example/"]
    assert read_addresses(tmp_path / "list.txt") == listed


def test_a_list_that_is_not_there_is_reported(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"list\.txt: cannot be read"):
        read_addresses(tmp_path / "list.txt")
