"""Health, metrics, paths that are not there; the server under load, and its end."""

from __future__ import annotations

import json
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from tests import needs
from tests.serve.endpoints.test_extraction import problem
from tests.serve.loading import PAGE, Server, answer_of, half_sent, pids, stopped, text_of, until
from tests.serve.loading import until as wait_until
from tests.serve.test_sharing import OTHER

from tamis.serve.app import Connections


def test_health_and_metrics(server: Server, page: str) -> None:
    assert server.get("/healthz").text == "ok\n"
    assert server.get("/readyz").text == "ready\n"
    counted = 'tamis_requests_total{endpoint="/v1/extract",status="200"}'
    parts = {part: f'tamis_part_seconds_count{{part="{part}"}}' for part in ("extract", "render")}
    before = {name: server.metric(name) for name in (counted, *parts.values())}
    assert server.post("/v1/extract", html=page).status_code == 200
    for name, count in before.items():
        assert server.metric(name) == count + 1
    rejected = 'tamis_rejects_total{reason="no json"}'
    before_rejects = server.metric(rejected)
    server.client.post("/v1/extract", content=b"{")
    assert server.metric(rejected) == before_rejects + 1
    assert server.metric("tamis_workers") == 2
    assert server.metric("tamis_workers_memory_bytes") > 0
    assert server.metric("tamis_slots_taken") == 0
    for line in server.get("/metrics").text.splitlines():
        assert line.startswith("#") or float(line.rpartition(" ")[2]) >= 0


def test_an_unknown_path_is_a_problem_document_too(server: Server) -> None:
    assert "/openapi.json" in problem(server.get("/v1/extrakt"), 404)
    assert "GET /v1/batch" in problem(server.get("/v1/batch"), 405)


@needs.posix
def test_a_full_queue_is_answered_429_at_once(serve: Any) -> None:
    with serve(queue=3) as server, ThreadPoolExecutor(3) as clients:
        with stopped(pids(server)):
            waiting = [clients.submit(text_of, server) for _ in range(3)]
            until(lambda: server.service.slots.taken == 3)
            response = text_of(server)
            assert response.status_code == 429
            assert response.headers["retry-after"] == "1"
            assert "try again" in response.json()["detail"]
            assert server.get("/readyz").status_code == 503
            assert server.get("/healthz").status_code == 200
            assert server.metric('tamis_rejects_total{reason="busy"}') == 1
        assert {each.result().status_code for each in waiting} == {200}
        assert server.service.slots.taken == 0
        assert text_of(server).status_code == 200


@needs.posix
def test_bodies_together_have_a_limit(serve: Any) -> None:
    with serve(max_held=2000, max_body=1500) as server, ThreadPoolExecutor(1) as clients:
        large = {"html": "x" * 1200, "formats": ["text"]}
        assert server.post("/v1/extract", **large).status_code == 200
        with stopped(pids(server)):
            waiting = clients.submit(server.post, "/v1/extract", **large)
            until(lambda: server.service.workers.busy)
            assert server.post("/v1/extract", **large).status_code == 429
        assert waiting.result().status_code == 200
        assert server.service.slots.held == 0


def test_many_clients_meet_nothing_but_200_and_429(serve: Any) -> None:
    with serve(queue=8, workers=2) as server, ThreadPoolExecutor(32) as clients:
        statuses = list(clients.map(lambda _: text_of(server).status_code, range(300)))
        assert set(statuses) <= {200, 429}
        assert statuses.count(200) >= 8
        until(lambda: server.service.slots.taken == 0)
        assert server.service.workers.waiting == server.service.workers.busy == 0


def test_a_client_that_does_not_send_its_body_is_cut(serve: Any) -> None:
    with serve(body_seconds=0.3) as server, half_sent(server, 1) as (connection,):
        answer = answer_of(connection)
        assert b"408 Request Timeout" in answer
        assert b"did not come within 0.3 seconds" in answer


@pytest.mark.parametrize("head", [b"", b"POST /v1/extract HT", b"GET / HTTP/1.1\r\nX: "])
def test_a_client_that_does_not_send_its_head_is_cut(serve: Any, head: bytes) -> None:
    with serve(header_seconds=1) as server, half_sent(server, 1, head or b"\r\n") as (slow,):
        assert answer_of(slow) == b""
        assert text_of(server).status_code == 200


def test_a_head_without_an_end_is_refused(serve: Any) -> None:
    with serve() as server, half_sent(server, 1, b"GET / HTTP/1.1\r\n") as (connection,):
        with pytest.raises(OSError, match=r"reset|pipe"):
            connection.sendall(b"X-Header: an ordinary value\r\n" * 1_000_000)
        assert text_of(server).status_code == 200


@pytest.mark.parametrize(
    "garbage",
    [
        b"\0\1\2\3\r\n\r\n",
        b"\x16\x03\x01\x02\0\x01\0",
        b"GET\r\n\r\n",
        b"POST /v1/extract HTTP/1.1\r\nContent-Length: -1\r\n\r\n",
        b"POST /x HTTP/1.1\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        b"POST /v1/extract HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
        b"GET http://[::1 HTTP/1.1\r\nHost: localhost\r\n\r\n",
        b"GET /r/%ff%fe%00 HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
        b"GET /" + b"a" * 70_000 + b" HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
    ],
)
def test_what_is_no_http_does_no_harm(server: Server, garbage: bytes) -> None:
    with half_sent(server, 1, garbage) as (connection,):
        connection.shutdown(socket.SHUT_WR)
        answer = answer_of(connection)
    assert not answer.startswith(b"HTTP/1.1 2")
    until(lambda: not server.service.slots.taken)
    assert text_of(server).status_code == 200


def test_a_client_that_sends_its_next_head_slowly_is_cut(serve: Any) -> None:
    whole = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"
    with serve(header_seconds=1) as server, half_sent(server, 1, whole) as (connection,):
        answer = connection.recv(65536)
        time.sleep(1.3)  # to be idle is allowed
        connection.sendall(whole)
        assert connection.recv(65536).startswith(answer[:15])
        connection.sendall(b"GET /hea")
        assert answer_of(connection) == b""


def test_a_client_that_does_not_read_is_cut(serve: Any) -> None:
    body = json.dumps({"html": PAGE * 20_000, "formats": ["json", "html", "blocks"]}).encode()
    head = b"POST /v1/extract HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n" % len(body)
    with serve(send_seconds=0.3) as server, half_sent(server, 1, head + body) as (connection,):
        until(lambda: server.count_answered("/v1/extract"))
        until(lambda: not server.connections)
        answer = answer_of(connection)
        size = re.search(rb"content-length: (\d+)", answer)
        assert size
        assert len(answer) < int(size[1])
        assert text_of(server).status_code == 200


def test_a_refused_body_does_not_end_the_connection(serve: Any) -> None:
    with serve(max_body=1000, header_seconds=1) as server:
        for _ in range(2):
            assert server.post("/v1/extract", html="x" * 300_000).status_code == 413
            time.sleep(1.2)
            assert text_of(server).status_code == 200


# The end


@contextmanager
def started(*words: str) -> Iterator[tuple[subprocess.Popen[str], int]]:
    command = [sys.executable, "-m", "tamis", "serve", "--port", "0", "--workers", "1", *words]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr
        line = process.stderr.readline()
        match = re.search(r"listening on http://127\.0\.0\.1:(\d+)$", line)
        assert match, line
        yield process, int(match[1])


@needs.posix
def test_sigterm_finishes_what_runs() -> None:
    body = json.dumps({"html": PAGE, "formats": ["text"]}).encode()
    head = b"POST /v1/extract HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n" % len(body)
    with (
        started() as (process, port),
        socket.create_connection(("127.0.0.1", port)) as connection,
    ):
        connection.settimeout(60)
        connection.sendall(head + body[:10])
        # An answer says that the server has seen the request before.
        address = f"http://127.0.0.1:{port}"
        assert httpx.get(f"{address}/healthz", trust_env=False).status_code == 200
        metrics = httpx.get(f"{address}/metrics", trust_env=False).text
        assert 'tamis_requests_total{endpoint="/healthz",status="200"} 1.0' in metrics
        assert "_created" not in metrics
        process.send_signal(signal.SIGTERM)
        until(lambda: refuses(port))
        connection.sendall(body[10:])
        answer = answer_of(connection)
        assert process.wait(60) in (0, -signal.SIGTERM)
    assert answer.startswith(b"HTTP/1.1 200")
    assert b"A tamis is a sieve" in answer


def refuses(port: int) -> bool:
    try:
        socket.create_connection(("127.0.0.1", port), 1).close()
    except OSError:
        return True
    return False


@needs.linux
def test_no_worker_outlives_a_server_that_was_killed() -> None:
    with started() as (process, _):
        tasks = Path(f"/proc/{process.pid}/task").iterdir()
        (worker,) = (child for task in tasks for child in (task / "children").read_text().split())
        process.kill()
    until(lambda: not Path(f"/proc/{worker}").exists())


def test_threads_of_a_service_end_with_it(serve: Any) -> None:
    before = set(threading.enumerate())
    with serve() as server:
        assert text_of(server).status_code == 200
    assert set(threading.enumerate()) <= before


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
