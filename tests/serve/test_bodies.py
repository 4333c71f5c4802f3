"""Bodies of requests, packed and in any encoding; batches: JSON lines in, JSON lines out."""

from __future__ import annotations

import gzip
import json
import re
from typing import Any

import httpx
import pytest
from tests.serve.endpoints.test_extraction import problem
from tests.serve.loading import PAGE, Server, answer_of, half_sent, text_of
from tests.serve.loading import until as wait_until
from tests.serve.test_sharing import LARGE


def test_a_packed_body_is_unpacked(server: Server, page: str) -> None:
    body = gzip.compress(json.dumps({"html": page * 20, "formats": ["text"]}).encode())
    headers = {"Content-Encoding": "gzip"}
    response = server.client.post("/v1/extract", content=body, headers=headers)
    assert "dry stone wall" in response.json()["text"]


def test_a_page_can_be_the_body_in_any_encoding(server: Server) -> None:
    response = server.client.post(
        "/v1/extract?formats=text&method=baseline&base_url=https://a.example/",
        content="<p>Le café de la gare".encode("latin-1"),
        headers={"Content-Type": "text/html; charset=iso-8859-1"},
    )
    assert response.json() == {
        "url": "https://a.example/",
        "method": "baseline",
        "text": "Le café de la gare",
    }


@pytest.mark.parametrize("coding", ["gzip", "snappy"])
def test_a_body_that_cannot_be_unpacked_is_refused(server: Server, coding: str) -> None:
    response = server.client.post(
        "/v1/extract", content=b"\x1f\x8b no", headers={"Content-Encoding": coding}
    )
    assert "cannot be unpacked" in problem(response, 415)


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
