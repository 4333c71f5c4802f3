"""Addresses that no stranger may have read for them, in all their spellings."""

from __future__ import annotations

import socket
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler
from typing import Any

import pytest
from tests.servers import serving

from tamis.web.download import FetchFailure, FetchLimits, is_public
from tamis.web.fetch import fetch

FORBIDDEN = """
127.0.0.1 127.0.0.1. 127.1 127.0.1 127.255.255.254 0 0.0.0.0 0.0.0.1 0x0
2130706433 0x7f000001 0x7F.1 0x7f.0x0.0x0.0x1 017700000001 0177.1 0177.0.0.01 00000177.0.0.1
127.0.0.0x1 127.0x1 4294967295 255.255.255.255 １２７.０.０.１ 127。0。0。1 ①②⑦.0.0.1
localhost LOCALHOST LocalHost localhost.
10.0.0.1 10.255.255.255 167772161 0xa000001 012.0.0.1 172.16.0.1 172.31.255.255 192.168.0.1
3232235521 0xc0a80001 0300.0250.0.1 192.168.1 100.64.0.1 100.127.255.255 198.18.0.1 192.0.0.8
169.254.169.254 2852039166 0xa9fea9fe 0251.0376.0251.0376 169.254.43518 169.254.170.2
100.100.100.200 192.0.0.192 168.63.129.16 0xa83f8110 192.0.2.1 198.51.100.7 203.0.113.9
224.0.0.1 239.255.255.250 240.0.0.1
[::1] [0:0:0:0:0:0:0:1] [0000:0000:0000:0000:0000:0000:0000:0001] [::] [0::0]
[::ffff:127.0.0.1] [::ffff:7f00:1] [::FFFF:10.0.0.1] [::ffff:a9fe:a9fe] [0:0:0:0:0:ffff:c0a8:1]
[::127.0.0.1] [::7f00:1] [::ffff:0:127.0.0.1] [64:ff9b::127.0.0.1] [64:ff9b::a9fe:a9fe]
[64:ff9b:1::10.0.0.1] [2002:7f00:1::] [2002:a9fe:a9fe::1] [2001:0:4136:e378:8000:63bf:80ff:fffe]
[fe80::1] [fe80::1%25eth0] [fe80::a9fe:a9fe] [febf::1] [fec0::1] [fc00::1] [fd00:ec2::254]
[fd12:3456:789a::1] [ff02::1] [ff05::1:3] [2001:db8::1] [100::1] [4000::1]
me:secret@127.0.0.1 example.org@127.0.0.1 example.org:80@[::1] 127.0.0.1\\@example.org
%31%32%37.0.0.1 127.0.0.1%00.example.org [::1%25lo] [::ffff:169.254.169.254]
""".split()

PUBLIC = "93.184.216.34", "2606:2800:220:1:248:1893:25c8:1946", "64:ff9b::5db8:d822"


@pytest.fixture(autouse=True)
def _no_connection(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever gets past the check does not leave this machine."""
    if "leaving" in request.fixturenames:
        return

    def refuse(address: Any, *_: Any, **__: Any) -> socket.socket:
        pytest.fail(f"a connection to {address}")

    monkeypatch.setattr("socket.create_connection", refuse)


@pytest.fixture
def leaving(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, int]]:
    """Where connections go; those to the test's public address go to this machine."""
    targets: list[tuple[str, int]] = []
    connect = socket.create_connection

    def recorded(address: tuple[str, int], *rest: Any, **more: Any) -> socket.socket:
        targets.append(address)
        host = "127.0.0.1" if address[0] == PUBLIC[0] else address[0]
        return connect((host, address[1]), *rest, **more)

    monkeypatch.setattr("socket.create_connection", recorded)
    return targets


def resolving(monkeypatch: pytest.MonkeyPatch, *answers: list[str]) -> None:
    """Let names have other addresses at each lookup, the last from then on."""
    left = list(answers)
    look_up = socket.getaddrinfo

    def lookup(host: Any, port: Any, *rest: Any, **more: Any) -> Any:
        if not str(host).endswith(".example"):
            return look_up(host, port, *rest, **more)
        addresses = left.pop(0) if len(left) > 1 else left[0]
        return [
            (
                socket.AF_INET6 if ":" in ip else socket.AF_INET,
                socket.SOCK_STREAM,
                6,
                "",
                (ip, port),
            )
            for ip in addresses
        ]

    monkeypatch.setattr("socket.getaddrinfo", lookup)


def refused(url: str) -> str:
    with pytest.raises(FetchFailure) as caught:
        fetch(url, FetchLimits(timeout=2, max_seconds=4))
    assert "secret" not in str(caught.value)
    return caught.value.reason


def test_there_are_at_least_sixty_spellings() -> None:
    assert len(set(FORBIDDEN)) >= 60


@pytest.mark.parametrize("host", FORBIDDEN)
@pytest.mark.parametrize("scheme", ["http", "https"])
def test_a_forbidden_address_is_refused_however_it_is_spelled(scheme: str, host: str) -> None:
    # What no system takes for an address is a name, and that name does not exist.
    assert refused(f"{scheme}://{host}/latest/meta-data/") in (
        "private address",
        "bad address",
        "no answer",
    )


@pytest.mark.parametrize("address", PUBLIC)
def test_a_public_address_is_public(address: str) -> None:
    assert is_public(address)


@pytest.mark.parametrize(
    "addresses",
    [["93.184.216.34", "10.0.0.1"], ["10.0.0.1", "93.184.216.34"], ["93.184.216.34", "::1"]],
)
def test_a_name_with_two_addresses_of_which_one_is_private_is_refused(
    addresses: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    resolving(monkeypatch, addresses)
    assert refused("http://two.example/") == "private address"


@pytest.mark.parametrize("address", ["fec0::1", "::7f00:1", "2002:a00:1::", "64:ff9b::a00:1"])
def test_a_name_that_leads_to_a_private_ipv6_address_is_refused(
    address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    resolving(monkeypatch, [address])
    assert refused("http://six.example/") == "private address"


def redirecting(target: Callable[[], str]) -> Callable[..., BaseHTTPRequestHandler]:
    class Redirecting(BaseHTTPRequestHandler):
        def log_message(self, format: str, *args: object) -> None:
            """Keep the test output clean."""

        def do_GET(self) -> None:
            if self.path == "/page":
                self.send_response(200)
                self.send_header("Content-Type", "text/html")
                self.end_headers()
                self.wfile.write(self.headers["Host"].encode())
            else:
                self.send_response(302)
                self.send_header("Location", target())
                self.end_headers()

    return Redirecting


@pytest.mark.parametrize(
    "target",
    [
        "http://127.0.0.1/",
        "//169.254.169.254/latest/",
        "http://[::ffff:10.0.0.1]/",
        "http://inside.example/",
    ],
)
def test_a_redirect_into_the_private_network_is_refused(
    target: str, leaving: list[tuple[str, int]], monkeypatch: pytest.MonkeyPatch
) -> None:
    resolving(monkeypatch, [PUBLIC[0]], ["192.168.1.1"])
    with serving(redirecting(lambda: target)) as address:
        port = int(address.rpartition(":")[2])
        assert refused(f"http://outside.example:{port}/start") == "private address"
    assert leaving == [(PUBLIC[0], port)]


def test_a_name_that_changes_after_the_check_is_read_at_the_address_that_was_checked(
    leaving: list[tuple[str, int]], monkeypatch: pytest.MonkeyPatch
) -> None:
    resolving(monkeypatch, [PUBLIC[0]], ["127.0.0.1"])
    with serving(redirecting(str)) as address:
        port = int(address.rpartition(":")[2])
        fetched = fetch(f"http://changing.example:{port}/page")
        assert leaving == [(PUBLIC[0], port)]
        assert fetched.body.decode() == f"changing.example:{port}"
        # And with every redirect it is looked up and checked again.
        assert refused(f"http://changing.example:{port}/page") == "private address"
