"""Bodies of requests, packed and in any encoding."""

from __future__ import annotations

import gzip
import json
import re
from typing import Any

import pytest
from tests.serve.endpoints.test_extraction import problem
from tests.serve.http.test_sharing import LARGE
from tests.serve.loading import PAGE, Server, answer_of, half_sent, text_of
from tests.serve.loading import until as wait_until


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
