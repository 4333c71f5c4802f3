"""Reading a URL, against a real server on this machine."""

from __future__ import annotations

import asyncio
import gzip
import pickle
import re
import socket
import socketserver
import threading
import time
import zlib
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler
from typing import Any
from urllib.parse import unquote

import pytest
from tests import needs
from tests.servers import QuietServer, serving

import tamis
from tamis.errors import FetchError, TooLargeError
from tamis.inputs import Fetched
from tamis.web.download import FetchFailure, FetchLimits
from tamis.web.fetch import fetch

PAGE = "<!doctype html><title>Étang</title><p>Le héron attend au bord de l'étang.".encode()
MEGABYTE = 1024 * 1024


class Site(BaseHTTPRequestHandler):
    """Each path misbehaves in its own way."""

    protocol_version = "HTTP/1.1"

    def log_message(self, format: str, *args: object) -> None:
        """Keep the test output clean."""

    def answer(self, body: bytes, status: int = 200, /, **headers: str) -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def page(self, body: bytes = PAGE, **headers: str) -> None:
        self.answer(body, 200, Content_Type="text/html; charset=utf-8", **headers)

    def redirect(self, target: str, **headers: str) -> None:
        self.answer(b"", 302, Location=target, **headers)

    def drip(self, begin: bytes = b"") -> None:
        # A server that never falls silent: each byte comes well within any read timeout.
        self.wfile.write(begin)
        while True:
            self.wfile.write(b"x")
            time.sleep(0.05)

    def drip_body(self) -> None:
        self.send_response(200)
        self.end_headers()
        self.drip()

    def do_GET(self) -> None:
        path = self.path.partition("?")[0].strip("/")
        steps = int(path.removeprefix("hops/")) if path.startswith("hops/") else 0
        routes: dict[str, Callable[[], None]] = {
            "page": self.page,
            "user-agent": lambda: self.page(self.headers["User-Agent"].encode()),
            "authorization": lambda: self.page(str(self.headers["Authorization"]).encode()),
            "latin": lambda: self.answer(
                "caf\xe9".encode("latin-1"), Content_Type="text/html; charset=ISO-8859-1"
            ),
            "untyped": lambda: self.answer(PAGE),
            "xhtml": lambda: self.answer(PAGE, Content_Type="application/xhtml+xml"),
            "json": lambda: self.answer(b"{}", Content_Type="application/ld+json"),
            "image": lambda: self.answer(b"\x89PNG", Content_Type="image/png"),
            "pdf": lambda: self.answer(b"%PDF", Content_Type="application/pdf"),
            "nothing": lambda: self.answer(b"", Content_Type="text/html"),
            "missing": lambda: self.answer(b"no", 404),
            "forbidden": lambda: self.answer(b"no", 403),
            "broken": lambda: self.answer(b"no", 503),
            "wait": lambda: self.answer(
                b"no", 429, Retry_After=unquote(self.path.partition("?")[2])
            ),
            f"hops/{steps}": lambda: self.redirect(f"/hops/{steps - 1}" if steps > 1 else "/page"),
            "loop": lambda: self.redirect("/loop"),
            "cookie": lambda: (
                self.page()
                if "seen=1" in self.headers.get("Cookie", "")
                else self.redirect("/cookie", Set_Cookie="seen=1")
            ),
            "to-file": lambda: self.redirect("file:///etc/passwd"),
            "to-script": lambda: self.redirect("javascript:alert(1)"),
            "to-escape": lambda: self.redirect("ftp://\x1b]0;owned"),
            "to-nonsense": lambda: self.redirect("http://[::1"),
            "gzip": lambda: self.page(gzip.compress(PAGE), Content_Encoding="gzip"),
            "gzip-twice": lambda: self.page(
                gzip.compress(PAGE[:9]) + gzip.compress(PAGE[9:]) + b"\0\0", Content_Encoding="gzip"
            ),
            "deflate": lambda: self.page(zlib.compress(PAGE), Content_Encoding="deflate"),
            "bare-deflate": lambda: self.page(
                zlib.compress(PAGE, wbits=-15), Content_Encoding="deflate"
            ),
            "not-gzip": lambda: self.page(b"\x1f\x8bnot", Content_Encoding="gzip"),
            "brotli": lambda: self.page(b"\x0b", Content_Encoding="br"),
            "bomb": lambda: self.page(gzip.compress(bytes(64 * MEGABYTE)), Content_Encoding="gzip"),
            "big": lambda: self.page(b"x" * MEGABYTE),
            "endless": self.endless,
            "cut": self.cut,
            "silent": lambda: time.sleep(1.5),
            "drip-headers": lambda: self.drip(b"HTTP/1.1 200 OK\r\nX: "),
            "drip-body": self.drip_body,
        }
        routes[path]()

    def endless(self) -> None:
        self.send_response(200)
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        while True:
            self.wfile.write(b"10000\r\n" + b"x" * 65536 + b"\r\n")

    def cut(self) -> None:
        self.send_response(200)
        self.send_header("Content-Length", "1000")
        self.end_headers()
        self.wfile.write(b"<p>half")
        self.close_connection = True


@pytest.fixture(scope="module")
def site() -> Iterator[str]:
    """Return the address of a server that runs for the whole file."""
    with serving(Site) as address:
        yield address


def read(url: str, follow: Callable[[str], bool] = bool, **limits: Any) -> Fetched:
    usual = {"max_bytes": MEGABYTE, "allow_private": True}
    return fetch(url, FetchLimits(**usual | limits), follow=follow)


def failure(url: str, **limits: Any) -> str:
    """Return the message of the FetchError, which must be one line that offers a way out."""
    with pytest.raises(FetchError) as caught:
        read(url, **limits)
    message = str(caught.value)
    assert message.isprintable()
    assert "; " in message
    return message


def test_a_page_comes_back_as_it_was_sent(site: str) -> None:
    assert read(f"{site}/page?a=1") == Fetched(
        f"{site}/page?a=1", PAGE, "text/html; charset=utf-8", 200
    )


def test_the_charset_of_the_header_is_handed_on_and_the_bytes_are_left_alone(site: str) -> None:
    fetched = read(f"{site}/latin")
    assert fetched.content_type == "text/html; charset=ISO-8859-1"
    assert fetched.body == b"caf\xe9"


def test_the_server_is_told_who_is_reading(site: str) -> None:
    assert re.fullmatch(rb"tamis/\S+", read(f"{site}/user-agent").body)


@pytest.mark.parametrize("path", ["untyped", "xhtml", "json"])
def test_anything_that_may_hold_a_page_is_accepted(site: str, path: str) -> None:
    assert read(f"{site}/{path}").status == 200


def test_an_empty_page_is_a_page(site: str) -> None:
    assert read(f"{site}/nothing").body == b""


@pytest.mark.parametrize(("path", "kind"), [("image", "image/png"), ("pdf", "application/pdf")])
def test_what_is_no_web_page_is_refused_by_its_type(site: str, path: str, kind: str) -> None:
    assert f"{kind} is not a web page" in failure(f"{site}/{path}")


def test_redirects_are_followed_and_the_final_address_is_given(site: str) -> None:
    assert read(f"{site}/hops/5").url == f"{site}/page"


def test_redirects_are_counted(site: str) -> None:
    assert "more than 5 times" in failure(f"{site}/hops/6")
    assert "more than 0 times" in failure(f"{site}/hops/1", max_redirects=0)


def test_a_redirect_loop_is_called_a_loop(site: str) -> None:
    assert "in a loop" in failure(f"{site}/loop")


def test_a_redirect_to_the_same_address_with_a_cookie_is_followed(site: str) -> None:
    assert read(f"{site}/cookie").body == PAGE


@pytest.mark.parametrize(
    ("path", "target"), [("to-file", "file:///etc/passwd"), ("to-script", "javascript:alert(1)")]
)
def test_a_redirect_away_from_the_web_is_refused(site: str, path: str, target: str) -> None:
    assert failure(f"{site}/{path}").startswith(f"{site}/{path}: redirected to {target}: ")


@pytest.mark.parametrize("path", ["to-escape", "to-nonsense"])
def test_a_redirect_to_a_malformed_address_is_refused(site: str, path: str) -> None:
    assert "not a valid address" in failure(f"{site}/{path}")


@pytest.mark.parametrize(
    ("path", "status", "advice"),
    [
        ("missing", "404 Not Found", "check the address"),
        ("forbidden", "403 Forbidden", "save the page"),
        ("broken", "503 Service Unavailable", "try again later"),
    ],
)
def test_an_error_status_is_reported_with_what_to_do(
    site: str, path: str, status: str, advice: str
) -> None:
    message = failure(f"{site}/{path}")
    assert f"the server answered {status}" in message
    assert advice in message


def test_a_silent_server_is_given_up(site: str) -> None:
    assert "no answer within 0.2 seconds" in failure(f"{site}/silent", timeout=0.2)


@pytest.mark.parametrize("path", ["drip-body", "drip-headers"])
def test_a_server_that_drips_is_held_to_the_deadline(site: str, path: str) -> None:
    assert "not read within 0.5 seconds" in failure(f"{site}/{path}", max_seconds=0.5)


def test_no_thread_is_left_waiting_after_the_deadline(site: str) -> None:
    failure(f"{site}/drip-headers", max_seconds=0.3)
    left = [thread for thread in threading.enumerate() if thread.name == "tamis-fetch"]
    for thread in left:
        thread.join(60.0)
    assert not any(thread.is_alive() for thread in left)


@pytest.mark.parametrize("path", ["gzip", "gzip-twice", "deflate", "bare-deflate"])
def test_compressed_pages_are_decompressed(site: str, path: str) -> None:
    assert read(f"{site}/{path}").body == PAGE


@pytest.mark.parametrize("path", ["not-gzip", "brotli", "cut"])
def test_a_body_that_cannot_be_decoded_is_an_error(site: str, path: str) -> None:
    assert failure(f"{site}/{path}").startswith(f"{site}/{path}: ")


@pytest.mark.parametrize("path", ["bomb", "big", "endless"])
def test_reading_stops_at_the_size_limit(site: str, path: str) -> None:
    with pytest.raises(TooLargeError, match=r"more than 500,000 bytes; raise max_bytes"):
        read(f"{site}/{path}", max_bytes=500_000)


def test_a_page_of_exactly_the_size_limit_is_read(site: str) -> None:
    assert len(read(f"{site}/big", max_bytes=MEGABYTE).body) == MEGABYTE


def test_a_refused_connection_says_so() -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        port = unused.getsockname()[1]
    assert "refused" in failure(f"http://127.0.0.1:{port}/")


def test_an_unknown_host_is_reported() -> None:
    assert "no such host" in failure("http://nowhere.invalid/")


def test_a_server_that_speaks_no_tls_is_reported(site: str) -> None:
    assert "no secure connection" in failure(site.replace("http:", "https:") + "/page")


def test_a_server_that_speaks_no_http_is_reported() -> None:
    class Greeter(socketserver.BaseRequestHandler):
        def handle(self) -> None:
            self.request.sendall(b"220 mail.example.org ESMTP\r\n")
            self.request.recv(1000)

    with socketserver.TCPServer(("127.0.0.1", 0), Greeter) as server:
        threading.Thread(target=server.handle_request, daemon=True).start()
        failure(f"http://127.0.0.1:{server.server_address[1]}/")


@pytest.mark.parametrize(
    "url",
    ["file:///etc/passwd", "ftp://example.org/x", "javascript:alert(1)", "data:text/html,<p>x"],
)
def test_other_schemes_are_refused(url: str) -> None:
    assert "only http and https" in failure(url)


@pytest.mark.parametrize(
    "url",
    [
        "http://",
        "http:///path",
        "http://[::1",
        "http://host:port/",
        "http://127.0.0.1:99999/",
        "http://a b/",
        "http://line\nbreak/",
        "http://" + "a" * 300 + ".org/",
        "http://\u200b.org/",
        "http://example.org/" + "x" * 100_000,
        "",
    ],
)
def test_a_malformed_address_is_refused(url: str) -> None:
    assert len(failure(url)) < 500


def test_an_address_without_a_scheme_is_completed_in_the_message() -> None:
    assert "write https://example.org/page" in failure("example.org/page")


def test_an_ipv6_address_is_read() -> None:
    class Server6(QuietServer):
        address_family = socket.AF_INET6

    try:
        server = Server6(("::1", 0), Site)
    except OSError:
        pytest.skip(needs.explain("IPv6", "sysctl net.ipv6.conf.lo.disable_ipv6=0"))
    with server:
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        assert read(f"http://[::1]:{server.server_address[1]}/page").body == PAGE
        server.shutdown()


def test_credentials_are_sent_but_not_shown(site: str) -> None:
    with_password = site.replace("//", "//me:secret@")
    fetched = read(f"{with_password}/authorization")
    assert fetched.body.startswith(b"Basic ")
    assert fetched.url == f"{site}/authorization"
    assert "secret" not in failure(f"{with_password}/missing")


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "[::1]", "169.254.169.254", "10.0.0.1"])
def test_private_addresses_are_refused_when_asked(site: str, host: str) -> None:
    port = site.rpartition(":")[2]
    assert "not a public address" in failure(f"http://{host}:{port}/page", allow_private=False)


def test_the_address_that_was_checked_is_the_one_that_is_read(
    site: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    port = int(site.rpartition(":")[2])
    monkeypatch.setattr("tamis.web.download._find_public_address", lambda url: "127.0.0.1")
    fetched = read(f"http://news.invalid:{port}/page", allow_private=False)
    assert fetched.url == f"http://news.invalid:{port}/page"
    assert fetched.body == PAGE


def reported(url: str, **limits: Any) -> FetchFailure:
    with pytest.raises(FetchFailure) as caught:
        read(url, **limits)
    return caught.value


@pytest.mark.parametrize(
    ("path", "reason", "status", "passing"),
    [
        ("missing", "not found", 404, False),
        ("forbidden", "http status", 403, False),
        ("broken", "http status", 503, True),
        ("loop", "http status", 302, False),
        ("pdf", "not html", None, False),
        ("not-gzip", "damaged", None, False),
        ("cut", "no answer", None, True),
        ("to-file", "bad address", None, False),
        ("to-nonsense", "bad address", None, False),
    ],
)
def test_a_failure_says_why_and_whether_it_may_pass(
    site: str, path: str, reason: str, status: int | None, passing: bool
) -> None:
    failed = reported(f"{site}/{path}")
    assert (failed.reason, failed.status, failed.passing) == (reason, status, passing)
    copy = pickle.loads(pickle.dumps(failed))
    assert (str(copy), copy.reason, copy.status) == (str(failed), reason, status)


@pytest.mark.parametrize(
    ("header", "seconds"),
    [
        ("7", 7),
        ("Fri, 31 Dec 1999 23:59:59 GMT", 0),
        ("soon", None),
        ("-1", None),
        ("", None),
        ("9" * 5000, 999_999_999),
        ("1 Jan 99999999999999999999 0:0:0", None),
    ],
)
def test_the_wait_that_a_server_asks_for_is_handed_on(
    site: str, header: str, seconds: float | None
) -> None:
    path = header.replace(" ", "%20")
    assert reported(f"{site}/wait?{path}").retry_after == seconds


def test_a_redirect_can_be_left_to_the_caller(site: str) -> None:
    failed = reported(f"{site}/hops/3", follow=lambda url: not url.endswith("/1"))
    assert failed.target == f"{site}/hops/1"
    assert read(f"{site}/hops/3", follow=lambda url: True).url == f"{site}/page"


def test_other_files_are_read_when_asked(site: str) -> None:
    assert read(f"{site}/pdf", pages_only=False).body == b"%PDF"


def test_the_reader_can_have_another_name(site: str) -> None:
    assert read(f"{site}/user-agent", user_agent="mole/1").body == b"mole/1"


# The public calls


def test_a_private_address_is_refused_unless_it_is_allowed(site: str) -> None:
    with pytest.raises(FetchError, match="allow_private=True"):
        tamis.fetch(f"{site}/page")
    with pytest.raises(FetchError, match="allow_private=True"):
        tamis.extract_url(f"{site}/page")
    with pytest.raises(FetchError, match="allow_private=True"):
        asyncio.run(tamis.fetch_async(f"{site}/page"))
    fetched = tamis.fetch(f"{site}/page", allow_private=True)
    assert fetched == Fetched(f"{site}/page", PAGE, "text/html; charset=utf-8", 200)
    assert repr(fetched).count("héron") == 0


def test_an_address_becomes_a_result_with_the_address_it_led_to(site: str) -> None:
    result = tamis.extract_url(f"{site}/hops/2", allow_private=True, method="baseline")
    assert result.text == "Le héron attend au bord de l'étang."
    assert result.url == f"{site}/page"
    later = asyncio.run(
        tamis.extract_url_async(f"{site}/hops/2", allow_private=True, method="baseline")
    )
    assert (later.text, later.url) == (result.text, result.url)


def test_what_was_fetched_is_a_page_with_its_address_and_its_header(site: str) -> None:
    fetched = tamis.fetch(f"{site}/latin", allow_private=True)
    alone = tamis.extract(fetched, method="baseline")
    (among_many,) = tamis.extract_many([fetched], method="baseline")
    assert isinstance(among_many, tamis.Result)
    for result in (alone, among_many):
        assert (result.text, result.url) == ("café", f"{site}/latin")
        assert result.page.encoding == "windows-1252"
    assert tamis.extract(fetched, url="https://a.example/").url == "https://a.example/"


def test_the_header_of_an_address_names_its_encoding(site: str) -> None:
    result = tamis.extract_url(f"{site}/latin", allow_private=True, method="baseline")
    assert (result.text, result.page.encoding) == ("café", "windows-1252")


def test_the_limits_of_an_address_are_keywords(site: str) -> None:
    for call in (tamis.fetch, tamis.extract_url):
        with pytest.raises(TooLargeError):
            call(f"{site}/big", allow_private=True, max_bytes=1000)
        with pytest.raises(FetchError, match=r"0\.2 seconds"):
            call(f"{site}/silent", allow_private=True, timeout=0.2)
    with pytest.raises(tamis.LimitError):
        tamis.extract_url(f"{site}/page", allow_private=True, max_nodes=1)
    given = FetchLimits(allow_private=True, max_redirects=0)
    with pytest.raises(FetchError, match="more than 0 times"):
        tamis.extract_url(f"{site}/hops/1", limits=given)
    assert tamis.fetch(f"{site}/hops/1", given, max_redirects=1).status == 200


def test_wrong_limits_are_named() -> None:
    with pytest.raises(tamis.OptionsError, match="did you mean 'allow_private'"):
        tamis.fetch("https://example.org/", alow_private=True)  # type: ignore[call-arg]
    with pytest.raises(tamis.OptionsError, match="did you mean 'focus'"):
        tamis.extract_url("https://example.org/", focuss="recall")  # type: ignore[call-arg]
    with pytest.raises(tamis.OptionsError, match="timeout is 0"):
        tamis.fetch("https://example.org/", timeout=0)
    with pytest.raises(tamis.InputError, match="url is int"):
        tamis.fetch(5)  # type: ignore[arg-type]


def test_pages_are_awaited_together(site: str) -> None:
    async def several() -> list[Fetched | BaseException]:
        given = FetchLimits(allow_private=True, timeout=0.3)
        paths = "page", "silent", "missing", "hops/3"
        return await asyncio.gather(
            *(tamis.fetch_async(f"{site}/{path}", given) for path in paths),
            return_exceptions=True,
        )

    page, silent, missing, redirected = asyncio.run(several())
    assert isinstance(page, Fetched)
    assert page.body == PAGE
    assert isinstance(silent, FetchError)
    assert isinstance(missing, FetchError)
    assert isinstance(redirected, Fetched)


def test_an_awaited_page_is_held_to_the_deadline_and_can_be_cancelled(site: str) -> None:
    address = f"{site}/drip-headers"

    async def cancelled() -> None:
        task = asyncio.create_task(tamis.fetch_async(address, allow_private=True))
        await asyncio.sleep(0.2)
        task.cancel()
        await task

    with pytest.raises(FetchError, match=r"not read within 0\.3 seconds"):
        asyncio.run(tamis.fetch_async(address, allow_private=True, max_seconds=0.3))
    with pytest.raises(asyncio.CancelledError):
        asyncio.run(cancelled())
    left = [thread for thread in threading.enumerate() if thread.name == "tamis-fetch"]
    for thread in left:
        thread.join(60.0)
    assert not any(thread.is_alive() for thread in left)
