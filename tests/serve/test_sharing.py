"""How clients share the service: slow ones, greedy ones, those that leave, and all others."""

from __future__ import annotations

import asyncio
import json
import re
import socket
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from typing import Any

import httpx
import pytest
from tests import needs
from tests.serve.loading import HEAD, PAGE, Server, answer_of, half_sent, pids, stopped, text_of
from tests.serve.loading import until as wait_until

from tamis.errors import OptionsError
from tamis.options import Options
from tamis.serve.clients import may_take, name_client
from tamis.serve.connections import Connections
from tamis.serve.settings import ServeSettings
from tamis.serve.work import Question
from tamis.serve.workers import Turns, Workers, _Waiting

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
def test_questions_are_answered_in_turns_of_their_clients(
    serve: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    order: list[bytes] = []
    with serve() as server, other_client(server) as greedy, ThreadPoolExecutor(9) as clients:
        (process,) = server.service.workers._processes
        answer = process.ask

        def noted(question: Question, seconds: float) -> Any:
            (page,) = question.pages
            order.append(page.html)  # type: ignore[union-attr]  # pages that were sent
            return answer(question, seconds)

        monkeypatch.setattr(process, "ask", noted)
        with stopped(pids(server)):
            asked = []
            for number, client in enumerate([greedy] * 5 + [server.client] * 2):
                body = {"html": f"<p>{number}"}
                asked.append(clients.submit(client.post, "/v1/extract", json=body))
                wait_until(lambda number=number: server.service.slots.taken == number + 1)
                wait_until(lambda number=number: server.service.workers.waiting == number)
        assert {each.result().status_code for each in asked} == {200}
    assert [html[-1:] for html in order] == [b"0", b"1", b"5", b"2", b"6", b"3", b"4"]


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


# Clients that leave


@needs.posix
def test_a_client_that_leaves_while_it_waits_gives_its_place_back(serve: Any) -> None:
    body = json.dumps({"html": PAGE}).encode()
    whole = b"POST /v1/extract HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n%b" % (
        len(body),
        body,
    )
    with serve() as server:
        with stopped(pids(server)):
            with half_sent(server, 5, whole):
                wait_until(lambda: server.service.slots.taken == 5)
                wait_until(lambda: server.service.workers.waiting == 4)
            wait_until(lambda: server.service.slots.taken == 0)
            assert server.service.workers.waiting == 0
            assert server.service.slots.held == 0
            assert server.metric('tamis_rejects_total{reason="client left"}') == 5
        assert text_of(server).status_code == 200


def test_a_client_that_leaves_while_its_page_is_fetched_gives_its_place_back(serve: Any) -> None:
    with (
        socket.create_server(("127.0.0.1", 0)) as silent,
        serve(allow_private=True) as server,
    ):
        port = silent.getsockname()[1]
        head = f"GET /r/http://127.0.0.1:{port}/ HTTP/1.1\r\nHost: localhost\r\n\r\n".encode()
        with half_sent(server, 1, head):
            page, _ = silent.accept()
            wait_until(lambda: server.service.slots.taken == 1)
        with page:
            wait_until(lambda: server.service.slots.taken == 0)
            page.recv(65536)
            assert page.recv(65536) == b""  # the fetch has ended, too


@needs.posix
def test_a_question_that_is_taken_back_waits_no_longer() -> None:
    async def run() -> None:
        workers = Workers(ServeSettings(workers=1))
        try:
            await workers.start()
            question = Question("extract", [], Options())
            (process,) = workers._processes
            with stopped([process.pid or 0]):
                tasks = [asyncio.create_task(workers.ask(question, "a")) for _ in range(3)]
                while workers.waiting != 2 or not workers.busy:
                    await asyncio.sleep(0.01)
                tasks[2].cancel()
                tasks[1].cancel()
                await asyncio.wait(tasks[1:])
                assert workers.waiting == 0
            await asyncio.wait(tasks[:1])
            assert workers.busy == 0
        finally:
            workers.close()

    asyncio.run(run())


def test_turns_forget_what_is_taken_back() -> None:
    turns, question = Turns(), Question("extract", [], Options())
    first, second, third = (_Waiting(question) for _ in range(3))
    turns.add("a", first)
    turns.add("a", second)
    turns.add("b", third)
    turns.drop("a", first)
    turns.drop("c", first)
    assert len(turns) == 2
    assert [turns.take(), turns.take(), turns.take()] == [second, third, None]


# Answers


def test_an_answer_that_is_too_large_is_a_problem(serve: Any) -> None:
    page = {"html": PAGE * 100, "formats": ["json", "markdown", "blocks"]}
    with serve(max_answer=5000) as server:
        response = server.post("/v1/extract", **page)
        assert response.status_code == 422
        assert response.json()["type"] == "urn:tamis:problem:over-a-limit"
        assert response.json()["detail"] == (
            "the answer has more than 5,000 bytes; ask for fewer formats, or give a smaller page"
        )
        small, large = {"html": PAGE}, page
        lines = "".join(json.dumps(line) + "\n" for line in (small, large, small))
        answers = server.client.post("/v1/batch", content=lines).text.splitlines()
        assert ["error" in json.loads(answer) for answer in answers] == [False, True, False]
        site = {"pages": [small, large, small], "formats": page["formats"]}
        assert server.post("/v1/site", **site).status_code == 422
        assert text_of(server).status_code == 200


def test_an_answer_that_is_read_slowly_is_whole(server: Server) -> None:
    with half_sent(
        server, 1, LARGE.replace(b"HTTP/1.1\r\n", b"HTTP/1.1\r\nConnection: close\r\n", 1)
    ) as (connection,):
        wait_until(lambda: server.service.slots.held > len(LARGE))
        head, _, body = answer_of(connection).partition(b"\r\n\r\n")
    size = re.search(rb"content-length: (\d+)", head)
    assert size
    assert len(body) == int(size[1])
    assert set(json.loads(body)) == {"url", "method", "json", "html", "blocks"}
    wait_until(lambda: server.service.slots.held == 0)


def test_a_page_that_is_fetched_counts_as_bytes_of_its_client(serve: Any) -> None:
    with socket.create_server(("127.0.0.1", 0)) as slow:

        def answer() -> None:
            connection, _ = slow.accept()
            with connection:
                connection.recv(65536)
                connection.sendall(
                    b"HTTP/1.1 200 OK\r\nContent-Length: 99999\r\n\r\n" + b"x" * 5000
                )
                connection.recv(65536)

        thread = threading.Thread(target=answer, daemon=True)
        thread.start()
        address = f"http://127.0.0.1:{slow.getsockname()[1]}/"
        with serve(allow_private=True, max_held=5000) as server:
            pages = [{"url": address}, {"url": address}]  # the second waits to be accepted
            response = server.post("/v1/site", pages=pages)
            assert response.status_code == 429
            assert server.service.slots.held == server.service.slots.taken == 0
        thread.join(60)
        assert not thread.is_alive()


# Connections


class _Idle:
    """A connection that knows whether it was cut."""

    def __init__(self, *, waits: bool = True) -> None:
        self.waits_for_client = waits
        self.is_cut = False

    def cut(self) -> None:
        self.is_cut = True


def test_the_connection_that_idles_longest_is_closed_for_the_next_of_its_client() -> None:
    own, connections = [_Idle(waits=number != 1) for number in range(8)], Connections(8)
    for each in own[:6]:
        connections.add("a", each)
    connections.touch("a", own[0])
    connections.add("a", own[6])  # the first was used, the second is being answered
    connections.add("a", own[7])
    assert [each.is_cut for each in own] == [False, False, True, True] + [False] * 4
    assert connections.count == 6
    other = _Idle()
    connections.add("b", other)
    assert not other.is_cut
    for each in own:
        connections.remove("a", each)
    connections.remove("b", other)
    assert connections.count == 0


def test_a_connection_is_refused_if_all_others_of_its_client_are_being_answered() -> None:
    connections = Connections(4)
    for _ in range(3):
        connections.add("a", _Idle(waits=False))
    last = _Idle()
    connections.add("a", last)
    assert last.is_cut
    assert connections.count == 3


@pytest.mark.parametrize("client", [OTHER, "127.0.0.1"])
def test_a_client_with_too_many_connections_keeps_nobody_out(serve: Any, client: str) -> None:
    with serve(connections=16) as server, half_sent(server, 100, b"", client) as opened:
        wait_until(lambda: len(server.connections) == 12)
        assert [text_of(server).status_code for _ in range(5)] == [200] * 5
        assert answer_of(opened[0]) == b""  # those that were first are closed


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


def test_what_is_no_address_of_a_proxy_is_named() -> None:
    with pytest.raises(OptionsError, match=r"'nginx' is no address.*10\.0\.0\.5"):
        ServeSettings(trusted_proxies=("nginx",))
