"""Who may ask the service, and what it may fetch for them."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from tamis.errors import InputError, OptionsError
from tamis.serve.app import listen
from tamis.serve.settings import ServeSettings

Server = Any
ASKED = {"html": "<p>A tamis is a sieve.", "formats": ["text"]}


@pytest.fixture(scope="module")
def guarded(serve: Any) -> Iterator[Server]:
    with serve(allowed_hosts=("tamis.example",), cors=("https://app.example",)) as service:
        yield service


@pytest.fixture(scope="module")
def locked(serve: Any) -> Iterator[Server]:
    with serve(token="s3cret") as service:
        yield service


def ask(server: Server, **headers: str) -> httpx.Response:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    response: httpx.Response = server.client.post("/v1/extract", json=ASKED, headers=named)
    return response


# Where it listens


@pytest.mark.parametrize("host", ["127.0.0.1", "127.0.0.2", "::1", "localhost"])
def test_loopback_needs_nothing(host: str) -> None:
    assert ServeSettings(host=host).is_loopback


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.168.1.2", "myhost.example", ""])
def test_another_address_needs_a_token_or_to_be_open(host: str) -> None:
    with pytest.raises(OptionsError, match=r"can be reached from other machines.*--token, --open"):
        ServeSettings(host=host)
    assert not ServeSettings(host=host, token="x").is_loopback
    assert not ServeSettings(host=host, open=True).is_loopback


@pytest.mark.parametrize(
    "wrong",
    [
        {"token": " "},
        {"token": "clé"},
        {"cors": ("app.example",)},
        {"cors": ("*",)},
        {"cors": ("https://app.example/path",)},
        {"workers": 0},
        {"queue": 0},
    ],
)
def test_wrong_settings_are_named(wrong: dict[str, Any]) -> None:
    with pytest.raises(OptionsError, match="; "):
        ServeSettings(**wrong)


def test_an_address_that_is_taken_is_said() -> None:
    with (
        listen(ServeSettings(port=0)) as taken,
        pytest.raises(InputError, match=r"cannot be listened on.*--host and --port"),
    ):
        listen(ServeSettings(port=taken.getsockname()[1]))


# The token


@pytest.mark.parametrize(
    "header",
    [
        "",
        "Bearer",
        "Bearer s3cre",
        "Bearer s3crets",
        "Basic s3cret",
        "s3cret",
        "Bearer é",
    ],
)
def test_without_the_token_nothing_is_answered(locked: Server, header: str) -> None:
    raw = {"Authorization": header.encode()} if header else {}
    for path in ("/v1/extract", "/v2/scrape", "/v1/batch", "/nothing"):
        response = locked.client.post(path, json=ASKED, headers=raw)
        assert response.status_code == 401
        assert response.headers["www-authenticate"] == "Bearer"
        assert "Authorization: Bearer TOKEN" in response.json()["detail"]
        assert "s3cret" not in response.text
    for path in ("/metrics", "/openapi.json", "/r/https://a.example/", "/v1/extract?url=x"):
        assert locked.client.get(path, headers=raw).status_code == 401


def test_with_the_token_all_is_answered(locked: Server) -> None:
    for scheme in ("Bearer", "bearer"):
        assert ask(locked, Authorization=f"{scheme} s3cret").status_code == 200
    # By any name, and from anywhere: no other page has the token.
    foreign = {"Host": "service.example", "Origin": "https://other.example"}
    assert ask(locked, Authorization="Bearer s3cret", **foreign).status_code == 200


def test_health_needs_no_token(locked: Server) -> None:
    assert locked.get("/healthz").status_code == 200
    assert locked.get("/readyz").status_code == 200


# The name it is asked by


@pytest.mark.parametrize(
    "host",
    [
        "localhost", "localhost:8765", "LOCALHOST", "127.0.0.1:1", "[::1]:8765", "192.168.1.7:80",
        "tamis.example", "Tamis.Example:443",
    ],
)  # fmt: skip
def test_its_own_names_are_answered(guarded: Server, host: str) -> None:
    assert ask(guarded, Host=host).status_code == 200


@pytest.mark.parametrize(
    "host",
    [
        "evil.example", "localhost.evil.example", "127.0.0.1.evil.example", "evil.localhost", "",
        "tamis.example.evil.example", "evil.example:8765", "[::1", "user@evil.example", "a b",
    ],
)  # fmt: skip
def test_a_name_that_was_made_to_lead_here_is_refused(guarded: Server, host: str) -> None:
    for path in ("/v1/extract?url=https://a.example/", "/metrics", "/healthz", "/openapi.json"):
        response = guarded.client.get(path, headers={"Host": host})
        assert response.status_code == 421
        assert "--allow-host" in response.json()["detail"]


def raw(server: Server, head: str, body: str = "") -> bytes:
    """The first line of the answer to a request that is sent as it is."""
    with socket.create_connection(("127.0.0.1", server.port), 60) as connection:
        connection.sendall(f"{head}\r\nConnection: close\r\n\r\n{body}".encode("latin-1"))
        return connection.recv(65536).partition(b"\r\n")[0]


@pytest.mark.parametrize(
    "host",
    [
        "user@localhost", "evil@127.0.0.1", "evil.example@localhost:1", "localhost/evil.example",
        "localhost:", "localhost:x", "localhost:123456", "localhost:80:80", "localhost#evil",
        "localhost?evil", "localhost,evil.example", "localhost evil", "[localhost]", "[]", "::1",
        "[::1]evil", "127.0.0.1\\evil", "loc%61lhost", "ｌocalhost", ".", "http://localhost",
    ],
)  # fmt: skip
def test_what_is_no_host_is_refused(guarded: Server, host: str) -> None:
    encoded = {"Host": host.encode()}
    assert guarded.client.get("/healthz", headers=encoded).status_code in (400, 421)


@pytest.mark.parametrize("version", ["1.0", "1.1"])
def test_a_request_needs_one_host(guarded: Server, version: str) -> None:
    head = f"GET /healthz HTTP/{version}"
    assert b" 421 " in raw(guarded, head)
    assert b" 200 " in raw(guarded, f"{head}\r\nHost: localhost")
    assert b" 421 " in raw(guarded, f"{head}\r\nHost: localhost\r\nHost: localhost")
    assert b" 421 " in raw(guarded, f"{head}\r\nHost: evil.example\r\nHost: localhost")


# Pages of other sites


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "https://evil.example"},
        {"Origin": "null"},
        {"Origin": "http://127.0.0.1"},
        {"Origin": "http://localhost:1"},
        {"Origin": "https://app.example.evil.example"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
        {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors"},
        {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "iframe"},
    ],
)
def test_pages_of_other_sites_are_refused(guarded: Server, headers: dict[str, str]) -> None:
    response = ask(guarded, **headers)
    assert response.status_code == 403
    assert "access-control-allow-origin" not in response.headers
    read = guarded.client.get("/r/https://a.example/", headers=headers)
    assert read.status_code == 403
    assert read.json()["type"] == "urn:tamis:problem:other-origin"


def test_a_form_of_another_site_is_refused(guarded: Server) -> None:
    response = guarded.client.post(
        "/v1/extract",
        content=b'{"html": "x", "base_url": "="}',
        headers={
            "Content-Type": "text/plain",
            "Origin": "https://evil.example",
            "Sec-Fetch-Site": "cross-site",
            "Sec-Fetch-Mode": "navigate",
            "Sec-Fetch-Dest": "document",
        },
    )
    assert response.status_code == 403


_FORM_TYPES = [
    None,
    "text/plain",
    "text/plain;charset=UTF-8",
    "application/x-www-form-urlencoded",
    "multipart/form-data; boundary=x",
]
_BROWSERS = [
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:52.0) Gecko/20100101 Firefox/52.0",
    "Mozilla/4.0 (compatible; MSIE 7.0; Windows NT 5.1)",
    "Opera/9.80 (Windows NT 6.1) Presto/2.12.388 Version/12.18",
]


@pytest.mark.parametrize("kind", _FORM_TYPES)
@pytest.mark.parametrize("path", ["/v1/extract", "/v1/batch", "/r/", "/v1/project/teach"])
def test_a_form_of_another_site_that_names_no_origin_is_refused(
    guarded: Server, path: str, kind: str | None
) -> None:
    typed = {"Content-Type": kind} if kind else {}
    followed = {
        "Sec-Fetch-Site": "cross-site",
        "Sec-Fetch-Mode": "navigate",
        "Sec-Fetch-Dest": "document",
    }
    for headers in (
        followed,
        followed | {"Sec-Fetch-Site": "same-site"},
        *({"User-Agent": browser} for browser in _BROWSERS),
        {"Referer": "https://evil.example/"},
    ):
        response = guarded.client.post(path, content=b'{"html": "x"}', headers=typed | headers)
        assert response.status_code == 403
        assert response.json()["type"] == "urn:tamis:problem:other-origin"


@pytest.mark.parametrize(
    ("agent", "kind"),
    [
        ("curl/8.5.0", "application/x-www-form-urlencoded"),
        ("Wget/1.21", "application/x-www-form-urlencoded"),
        ("python-requests/2.32.3", None),
        ("node", "text/plain;charset=UTF-8"),
        (None, None),
        (_BROWSERS[0], "application/json"),  # a browser asks first, and is refused
    ],
)
def test_programs_name_no_origin_and_are_answered(
    guarded: Server, agent: str | None, kind: str | None
) -> None:
    lines = ["POST /v1/extract HTTP/1.1", "Host: localhost"]
    lines += [f"User-Agent: {agent}"] if agent else []
    lines += [f"Content-Type: {kind}"] if kind else []
    body = json.dumps(ASKED)
    head = "\r\n".join((*lines, f"Content-Length: {len(body)}"))
    assert b" 200 " in raw(guarded, head, body)


@pytest.mark.parametrize("origin", ["http://[", "http://[::1", "//", "\xe9", "localhost"])
def test_what_is_no_origin_is_refused(guarded: Server, origin: str) -> None:
    encoded = {"Origin": origin.encode("latin-1")}
    response = guarded.client.post("/v1/extract", json=ASKED, headers=encoded)
    assert response.status_code == 403


def test_its_own_pages_and_those_that_were_asked_for_are_answered(guarded: Server) -> None:
    own = {"Origin": guarded.address, "Sec-Fetch-Site": "same-origin"}
    response = ask(guarded, **own)
    assert response.status_code == 200
    assert "access-control-allow-origin" not in response.headers
    shared = ask(guarded, Origin="https://app.example", Sec_Fetch_Site="cross-site")
    assert shared.status_code == 200
    assert shared.headers["access-control-allow-origin"] == "https://app.example"
    assert shared.headers["vary"] == "Origin"


def test_a_link_of_another_site_may_be_followed(guarded: Server) -> None:
    followed = {
        "Sec-Fetch-Site": "cross-site",
        "Sec-Fetch-Mode": "navigate",
        "Sec-Fetch-Dest": "document",
    }
    assert guarded.client.get("/healthz", headers=followed).status_code == 200


def test_browsers_may_ask_first_for_the_origins_that_were_asked_for(guarded: Server) -> None:
    for origin, status in (("https://app.example", 204), ("https://evil.example", 403)):
        response = guarded.client.options(
            "/v1/extract", headers={"Origin": origin, "Access-Control-Request-Method": "POST"}
        )
        assert response.status_code == status
        allowed = response.headers.get("access-control-allow-origin")
        assert allowed == (origin if status == 204 else None)


def test_no_answer_runs_or_loads_anything_in_a_browser(guarded: Server) -> None:
    for response in (
        ask(guarded),
        guarded.get("/nothing"),
        guarded.client.post("/v1/explain", json={"html": "<script>x", "format": "html"}),
        guarded.client.post("/v1/cloud", json={"html": "<p>sieve sieve"}),
    ):
        assert response.headers["x-content-type-options"] == "nosniff"
        policy = response.headers["content-security-policy"]
        assert "sandbox" in policy
        assert "default-src 'none'" in policy


# What it fetches


@pytest.mark.parametrize(
    "address",
    [
        "http://127.0.0.1/",
        "http://2130706433/",
        "http://0x7f.1/",
        "http://localhost/",
        "http://[::1]/",
        "http://[::ffff:127.0.0.1]/",
        "http://169.254.169.254/latest/meta-data/",
        "http://10.0.0.1/",
    ],
)
def test_private_addresses_are_refused_by_every_endpoint(guarded: Server, address: str) -> None:
    answers = [
        guarded.client.post("/v1/extract", json={"url": address}),
        guarded.client.get("/v1/extract", params={"url": address}),
        guarded.client.post("/v1/explain", json={"url": address}),
        guarded.client.post("/v1/compare", json={"url": address, "methods": ["tamis", "baseline"]}),
        guarded.client.post("/v1/cloud", json={"url": address}),
        guarded.client.post("/v2/scrape", json={"url": address}),
        guarded.client.get(f"/r/{address}"),
    ]
    for response in answers:
        assert response.status_code == 403
        assert "not a public address" in response.json()["detail"]
    lines = guarded.client.post("/v1/batch", json={"url": address}).json()
    assert lines["error"]["status"] == 403
    site = guarded.client.post("/v1/site", json={"pages": [{"url": address}, {"html": "<p>x"}]})
    assert site.json()["results"][0]["error"]["status"] == 403


def test_its_own_port_is_not_read_through_it(guarded: Server) -> None:
    response = guarded.client.post("/v1/extract", json={"url": f"{guarded.address}/metrics"})
    assert response.status_code == 403
