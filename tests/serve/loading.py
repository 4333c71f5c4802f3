"""Clients that are slow, many, or wait: what the tests of a loaded service have in common."""

from __future__ import annotations

import os
import signal
import socket
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from typing import Any

import httpx

Server = Any
PAGE = "<p>A tamis is a sieve with a fine mesh of silk, horsehair or steel."
HEAD = b"POST /v1/extract HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\n{"
"""A request of which the first byte of the body is there."""


def text_of(server: Server, **more: Any) -> httpx.Response:
    response: httpx.Response = server.post("/v1/extract", html=PAGE, formats=["text"], **more)
    return response


def until(condition: Callable[[], Any]) -> None:
    """Wait for something that must happen; the time limit is for what is broken."""
    end = time.monotonic() + 100
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.01)


@contextmanager
def half_sent(
    server: Server, count: int, head: bytes = HEAD, client: str = "127.0.0.1"
) -> Iterator[list[socket.socket]]:
    """Requests of which only this much has come."""
    with ExitStack() as opened:
        sockets = []
        for _ in range(count):
            connection = socket.create_connection(
                ("127.0.0.1", server.port), source_address=(client, 0)
            )
            sockets.append(opened.enter_context(connection))
            connection.settimeout(60)
            connection.sendall(head)
        yield sockets


def answer_of(connection: socket.socket) -> bytes:
    """All that comes until the server closes."""
    answer = b""
    try:
        while part := connection.recv(65536):
            answer += part
    except ConnectionResetError:
        pass
    return answer


def pids(server: Server) -> list[int]:
    """The processes that extract."""
    return [process.pid for process in server.service.workers._processes if process.pid]


@contextmanager
def stopped(pids: Sequence[int]) -> Iterator[None]:
    """Processes that do nothing until the block ends."""
    for pid in pids:
        os.kill(pid, signal.SIGSTOP)
    try:
        yield
    finally:
        for pid in pids:
            os.kill(pid, signal.SIGCONT)
