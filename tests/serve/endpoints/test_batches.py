"""Batches: JSON lines in, JSON lines out."""

from __future__ import annotations

import gzip
import json
from typing import Any

import httpx

Server = Any


def lines_of(response: httpx.Response) -> list[dict[str, Any]]:
    assert response.headers["content-type"] == "application/x-ndjson"
    return [json.loads(line) for line in response.text.splitlines()]


def batch(server: Server, body: Any, **headers: str) -> list[dict[str, Any]]:
    return lines_of(server.client.post("/v1/batch", content=body, headers=headers))


def line(number: int, **more: Any) -> bytes:
    request = {"id": number, "html": f"<p>This is page number {number}.", "formats": ["text"]}
    options = {"options": {"method": "baseline"}}
    return json.dumps({**request, **options, **more}).encode() + b"\n"


def test_a_batch_is_answered_in_order(server: Server) -> None:
    answers = batch(server, b"".join(map(line, range(200))))
    assert [answer["id"] for answer in answers] == list(range(200))
    assert [answer["text"] for answer in answers] == [
        f"This is page number {number}." for number in range(200)
    ]


def test_a_bad_line_is_an_error_in_its_place(server: Server) -> None:
    bad = [b"nonsense\n", b'{"id": "x"}\n', line(4, formats=["tekst"]), b"\n", b"\xff\n"]
    answers = batch(server, line(1) + b"".join(bad) + line(2).rstrip())
    assert [answer.get("text") or answer["error"]["detail"][:20] for answer in answers] == [
        "This is page number 1.",
        "the request body is ",
        "neither html nor url",
        "there is no format '",
        "the request body is ",
        "This is page number 2.",
    ]
    assert answers[2]["id"] == "x"


def test_a_batch_may_be_packed_and_cut_anywhere(server: Server) -> None:
    packed = gzip.compress(b"".join(map(line, range(30)))) + gzip.compress(line(30))
    pieces = (packed[at : at + 7] for at in range(0, len(packed), 7))
    answers = batch(server, pieces, **{"Content-Encoding": "gzip"})
    assert [answer["id"] for answer in answers] == list(range(31))


def test_a_damaged_batch_is_answered_up_to_the_damage(server: Server) -> None:
    broken = gzip.compress(b"".join(map(line, range(3)))) + b"\x1f\x8b\x08broken"
    answers = batch(server, broken, **{"Content-Encoding": "gzip"})
    assert [answer.get("id") for answer in answers] == [0, 1, 2, None]
    assert "cannot be unpacked" in answers[-1]["error"]["detail"]


def test_a_line_that_is_too_long_is_an_error_in_its_place(serve: Any) -> None:
    with serve(max_body=5000) as small:
        answers = batch(small, line(1) + line(2, html="x" * 200_000) + line(3))
        assert [answer.get("id") for answer in answers] == [1, None, 3]
        assert answers[1]["error"]["status"] == 413


def test_answers_come_while_lines_are_sent(server: Server) -> None:
    """The next line is not sent before the answer to the one before is there."""
    import socket

    with socket.create_connection(("127.0.0.1", server.port)) as connection:
        connection.settimeout(60)
        connection.sendall(
            b"POST /v1/batch HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"
        )
        received = b""
        for number in range(3):
            sent = line(number)
            connection.sendall(b"%x\r\n%b\r\n" % (len(sent), sent))
            while b"page number %d" % number not in received:
                received += connection.recv(65536)
        connection.sendall(b"0\r\n\r\n")
        while not received.endswith(b"0\r\n\r\n"):
            received += connection.recv(65536)
