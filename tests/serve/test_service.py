"""Requests whose clients leave, pages that are fetched, and counts for Prometheus."""

from __future__ import annotations

import json
import socket
import threading
from typing import Any

from tests import needs
from tests.serve.loading import PAGE, half_sent, pids, stopped, text_of
from tests.serve.loading import until as wait_until

from tamis.serve.service import Metrics


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


def test_what_is_counted_is_written_with_its_labels() -> None:
    metrics = Metrics()
    metrics.count_request("/v1/extract", 200)
    metrics.count_request("/v1/extract", 200)
    metrics.count_problem("busy")
    metrics.count_lost_worker("memory")
    metrics.count_seconds({"fetch": 0.2, "extract": 0.001})
    lines = metrics.write({"tamis_workers": ("Worker processes.", 3)}).decode().splitlines()
    for line in (
        'tamis_requests_total{endpoint="/v1/extract",status="200"} 2.0',
        'tamis_rejects_total{reason="busy"} 1.0',
        'tamis_workers_lost_total{reason="memory"} 1.0',
        'tamis_part_seconds_bucket{le="0.25",part="fetch"} 1.0',
        'tamis_part_seconds_bucket{le="0.1",part="fetch"} 0.0',
        'tamis_part_seconds_bucket{le="0.001",part="extract"} 1.0',
        "# HELP tamis_workers Worker processes.",
        "tamis_workers 3.0",
    ):
        assert line in lines


def test_two_services_count_for_themselves() -> None:
    one, other = Metrics(), Metrics()
    one.count_problem("busy")
    assert b"busy" in one.write({})
    assert b"busy" not in other.write({})
