"""How clients share the service: slow ones, greedy ones, those that leave, and all others."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from typing import Any

import httpx
import pytest
from tests import needs
from tests.serve.loading import HEAD, PAGE, Server, answer_of, half_sent, pids, stopped, text_of
from tests.serve.loading import until as wait_until

from tamis.serve.sharing import may_take, name_client

OTHER = "127.0.0.2"
"""A client besides that of all other requests, which is 127.0.0.1."""

BATCH = (
    b"POST /v1/batch HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100000\r\n\r\n"
    b'{"html": "<p>A tamis is'
)
LARGE = json.dumps({"html": PAGE * 10_000, "formats": ["json", "html", "blocks"]}).encode()
LARGE = b"POST /v1/extract HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n%b" % (
    len(LARGE),
    LARGE,
)


@contextmanager
def other_client(server: Server) -> Iterator[httpx.Client]:
    transport = httpx.HTTPTransport(local_address=OTHER)
    with httpx.Client(base_url=server.address, transport=transport, timeout=100) as client:
        yield client


def ask(client: httpx.Client) -> httpx.Response:
    return client.post("/v1/extract", json={"html": PAGE, "formats": ["text"]})


# Slow clients


@pytest.mark.parametrize(
    "begin",
    [HEAD, b"", b"POST /v1/extract HTTP/1.1\r\nHo", BATCH],
    ids=["body", "idle", "head", "batch"],
)
@pytest.mark.parametrize("client", [OTHER, "127.0.0.1"])
def test_slow_clients_keep_nobody_out(serve: Any, client: str, begin: bytes) -> None:
    with serve(queue=4) as server, half_sent(server, 160, begin, client):
        wait_until(lambda: len(server.connections) == 160)
        statuses = [text_of(server).status_code for _ in range(20)]
        assert statuses == [200] * 20


@pytest.mark.parametrize("client", [OTHER, "127.0.0.1"])
def test_clients_that_do_not_read_keep_nobody_out(serve: Any, client: str) -> None:
    with serve(queue=4, max_held=8 << 20) as server, ExitStack() as unread:
        for number in range(6):  # their answers together are larger than what is held
            unread.enter_context(half_sent(server, 1, LARGE, client))
            wait_until(lambda number=number: server.count_answered() == 2 * number + 1)
            assert server.service.slots.held <= 8 << 20
            assert text_of(server).status_code == 200
        assert server.metric('tamis_rejects_total{reason="busy"}') == 0


def test_the_oldest_unfinished_body_of_a_client_makes_room_for_the_next(serve: Any) -> None:
    with serve(max_held=20_000, max_body=8000) as server:
        begin = HEAD.replace(b"1000", b"7000") + b"x" * 5999
        with half_sent(server, 3, begin) as (first, *others):
            # A client may have three quarters: two of these, and the third cut the first.
            assert b"408 Request Timeout" in (answer := answer_of(first))
            assert b"urn:tamis:problem:cut" in answer
            assert text_of(server).status_code == 200
            wait_until(lambda: server.service.slots.held == 12_000)
            for connection in others:
                connection.sendall(b"x" * 1000)
                assert b"400 Bad Request" in connection.recv(65536)
        assert server.service.slots.held == 0


def test_a_client_cannot_cut_the_requests_of_another(serve: Any) -> None:
    begin = HEAD.replace(b"1000", b"7000") + b"x" * 5999
    with serve(max_held=20_000, max_body=8000) as server, half_sent(server, 1, begin) as (mine,):
        wait_until(lambda: server.service.slots.held == 6000)
        with half_sent(server, 9, begin, OTHER):
            wait_until(lambda: server.metric('tamis_rejects_total{reason="cut"}') >= 7)
            mine.sendall(b"x" * 1000)
            assert b"400 Bad Request" in mine.recv(65536)


# Greedy clients


def test_one_client_gets_three_quarters_and_the_next_a_share_of_the_rest() -> None:
    taken = {"a": 0, "b": 0, "c": 0}
    for name in taken:
        while may_take(taken[name], sum(taken.values()), 128):
            taken[name] += 1
    assert taken == {"a": 96, "b": 24, "c": 6}


@pytest.mark.parametrize("most", [1, 2, 3, 10])
@pytest.mark.parametrize("size", [1, 3])
def test_no_more_is_taken_than_there_is(most: int, size: int) -> None:
    taken = 0
    while may_take(0, taken, most, size):
        taken += size
    assert taken <= most
    assert taken or size > most


@pytest.mark.parametrize(
    ("host", "name"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2:ffff::", "2001:db8:1:2::/64"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("fe80::1%eth0", "fe80::/64"),
        ("::1", "::/64"),
        ("unix:", "unix:"),
        ("", ""),
    ],
)
def test_a_client_is_an_address_or_the_network_of_one(host: str, name: str) -> None:
    assert name_client(host) == name


@needs.posix
def test_a_client_that_fills_the_queue_leaves_places_for_others(serve: Any) -> None:
    with (
        serve(queue=8) as server,
        other_client(server) as greedy,
        ThreadPoolExecutor(11) as clients,
    ):
        with stopped(pids(server)):
            asked = [clients.submit(ask, greedy) for _ in range(10)]
            wait_until(lambda: sum(each.done() for each in asked) == 4)  # the first to be refused
            assert server.service.slots.taken == 6
            own = clients.submit(text_of, server)
            wait_until(lambda: server.service.slots.taken == 7)
        assert own.result().status_code == 200
        statuses = [each.result().status_code for each in asked]
        assert sorted(statuses) == [200] * 6 + [429] * 4


@needs.posix
def test_the_lines_of_batches_wait_for_places(serve: Any) -> None:
    lines = "".join(json.dumps({"html": PAGE, "id": number}) + "\n" for number in range(40))
    begin = b"POST /v1/batch HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
    begin += b"Content-Length: %d\r\n\r\n" % len(lines)
    with serve(queue=1) as server, half_sent(server, 4, begin) as batches:
        wait_until(lambda: len(server.connections) == 4)
        with stopped(pids(server)):
            for batch in batches:
                batch.sendall(lines.encode())
            wait_until(lambda: server.service.slots.taken == 1)
            assert text_of(server).status_code == 429
        for batch in batches:
            answers = re.findall(rb'^{"id":(\d+),"url":null', answer_of(batch), re.MULTILINE)
            assert list(map(int, answers)) == list(range(40))
        assert text_of(server).status_code == 200
        assert server.service.slots.held == 0


# Proxies


@needs.posix
@pytest.mark.parametrize(("proxies", "clients"), [((), 1), (("127.0.0.0/8",), 3)])
def test_a_proxy_is_believed_who_its_clients_are_if_it_is_named(
    serve: Any, proxies: tuple[str, ...], clients: int
) -> None:
    with serve(trusted_proxies=proxies) as server, ThreadPoolExecutor(3) as threads:
        with stopped(pids(server)):
            asked = [
                threads.submit(
                    server.client.post,
                    "/v1/extract",
                    json={"html": PAGE},
                    headers={"X-Forwarded-For": f"192.0.2.{number}"},
                )
                for number in range(3)
            ]
            wait_until(lambda: server.service.slots.taken == 3)
            assert len(server.service.slots.clients) == clients
        assert {each.result().status_code for each in asked} == {200}
