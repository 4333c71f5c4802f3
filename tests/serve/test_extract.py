"""`/v1/extract` and `/v1/batch`, by a real client."""

from __future__ import annotations

import gzip
import json
from typing import Any

import httpx
import pytest

import tamis
from tamis.serve.work import FORMATS

Server = Any


def problem(response: httpx.Response, status: int) -> str:
    """The message of a problem document, which must be one."""
    assert response.status_code == status, response.text
    assert response.headers["content-type"] == "application/problem+json"
    document = response.json()
    assert document["status"] == status
    assert document["type"].startswith("urn:tamis:problem:")
    assert document["title"]
    message: str = document["detail"]
    assert message.isprintable()
    return message


def test_html_gives_what_the_library_gives(server: Server, page: str) -> None:
    response = server.post("/v1/extract", html=page, formats=["text", "markdown", "html"])
    result = tamis.extract(page)
    assert response.json() == {
        "url": None,
        "method": "tamis",
        "text": result.text,
        "markdown": result.markdown,
        "html": result.html,
    }


def test_markdown_and_metadata_come_unasked(server: Server, page: str) -> None:
    answer = server.post("/v1/extract", html=page).json()
    assert list(answer) == ["url", "method", "markdown", "metadata"]
    assert answer["metadata"]["title"] == "Dry stone walls"


@pytest.mark.parametrize("name", FORMATS)
def test_every_format_is_given(server: Server, example: str, name: str) -> None:
    url = "https://news.example/story"
    answer = server.post("/v1/extract", html=example, base_url=url, formats=[name]).json()
    assert answer["url"] == url
    expected = FORMATS[name](tamis.extract(example, url=url), {})
    assert answer[name] == json.loads(json.dumps(expected))


def test_chunks_have_the_size_that_is_asked_for(server: Server, page: str) -> None:
    answer = server.post(
        "/v1/extract", html=page, formats=["chunks"], chunks={"max_tokens": 60, "overlap": 5}
    ).json()
    assert len(answer["chunks"]) > 1
    assert all(chunk["tokens"] <= 60 for chunk in answer["chunks"])


def test_options_are_those_of_the_library(server: Server, page: str) -> None:
    options = {"method": "baseline", "links": False, "today": "2026-11-16"}
    answer = server.post("/v1/extract", html=page, formats=["markdown"], options=options).json()
    expected = tamis.extract(page, method="baseline", links=False)
    assert (answer["method"], answer["markdown"]) == ("baseline", expected.markdown)


def test_an_address_is_fetched(server: Server, site: str, page: str) -> None:
    answer = server.post("/v1/extract", url=f"{site}/walls", formats=["text"]).json()
    assert answer["url"] == f"{site}/walls"
    assert answer["text"] == tamis.extract(page).text


def test_an_address_is_fetched_by_get(server: Server, site: str) -> None:
    response = server.client.get(
        "/v1/extract",
        params={"url": f"{site}/walls", "formats": "markdown, metadata", "links": "false"},
    )
    answer = response.json()
    assert list(answer) == ["url", "method", "markdown", "metadata"]
    assert "](" not in answer["markdown"]


def test_a_switch_in_an_address_is_true_or_false_as_the_message_about_it_says(
    server: Server,
) -> None:
    def answer(title: str) -> dict[str, str]:
        address = f"/v1/extract?formats=markdown&title={title}"
        html = {"Content-Type": "text/html"}
        page = b"<title>Sieves</title><p>A tamis is a sieve."
        answered: dict[str, str] = server.client.post(address, content=page, headers=html).json()
        return answered

    assert "give 'auto', True or False" in answer("yes")["detail"]
    for title in ("true", "True"):
        assert answer(title)["markdown"].startswith("# Sieves")
    for title in ("false", "False"):
        assert "Sieves" not in answer(title)["markdown"]


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


def test_an_empty_page_is_a_page(server: Server) -> None:
    assert server.post("/v1/extract", html="", formats=["text"]).json()["text"] == ""


@pytest.mark.parametrize(
    ("body", "status", "message"),
    [
        (b"", 400, "not valid JSON"),
        (b"{", 400, "not valid JSON"),
        (b"\xff\xfe", 400, "not valid JSON"),
        (b'{"html": "<p>x" ', 400, "not valid JSON"),
        (b'{"html": "\\ud800"}', 400, "not valid JSON"),
        (b"[" * 100_000, 400, "not valid JSON"),
        (b"[]", 422, "the request is []"),
        (b"7", 422, "the request is 7"),
        (b"{}", 422, "neither html nor url is given; give one of them"),
        (b'{"html": "<p>x", "url": "http://a.example"}', 422, "both html and url are given"),
        (b'{"html": 5}', 422, "html is 5"),
        (b'{"html": "x", "formats": []}', 422, "formats is []"),
        (b'{"html": "x", "formats": ["mardkown"]}', 422, "did you mean 'markdown'?"),
        (b'{"html": "x", "formats": ["qqqq"]}', 422, "there are: text, markdown, html"),
        (b'{"htm": "x"}', 422, "there is no field 'htm'; did you mean 'html'?"),
        (b'{"html": "x", "options": {"focuss": 1}}', 422, "did you mean 'focus'?"),
        (b'{"html": "x", "options": {"focus": 1}}', 422, "one of precision, balanced, recall"),
        (b'{"html": "x", "options": {"max_seconds": -1}}', 422, "a number above 0"),
        (b'{"html": "x", "options": {"today": "soon"}}', 422, "give a day as 2026-11-16"),
        (b'{"html": "x", "options": {"method": "tamisch"}}', 422, "did you mean 'tamis'?"),
        (b'{"html": "x", "options": {"method": "../x"}}', 422, "no method is called"),
        (b'{"html": "x", "options": {"method": ["tamis"]}}', 422, "method is ['tamis']"),
        (b'{"html": "x", "options": {"parameters": 5}}', 422, "parameters is 5"),
        (
            b'{"html": "x", "options": {"parameters": {"weights": "/etc/passwd"}}}',
            422,
            "weights are files of the server",
        ),
        (
            b'{"html": "x", "options": {"page_type_weights": "/etc/passwd"}}',
            422,
            "weights are files of the server",
        ),
        (b'{"html": "x", "formats": ["chunks"], "chunks": {"max_tokens": 0}}', 422, "max_tokens"),
        (b'{"url": ""}', 422, "not an address with a scheme"),
        (b'{"url": "file:///etc/passwd"}', 422, "only http and https"),
        (b'{"url": "http://nowhere.invalid/"}', 502, "no such host"),
    ],
)
def test_what_is_wrong_with_a_request_is_said(
    server: Server, body: bytes, status: int, message: str
) -> None:
    response = server.client.post("/v1/extract", content=body)
    assert message in problem(response, status)


def test_what_is_wrong_with_an_address_is_said(server: Server, site: str) -> None:
    for path, status, message in [
        ("missing", 502, "the server answered 404 Not Found"),
        ("picture", 415, "image/png is not a web page"),
    ]:
        assert message in problem(server.post("/v1/extract", url=f"{site}/{path}"), status)
    assert "url is missing" not in problem(server.get("/v1/extract"), 422)
    wrong = server.client.get("/v1/extract", params={"url": site, "formats": "tekst"})
    assert "did you mean 'text'?" in problem(wrong, 422)


def test_a_page_over_a_limit_says_which(server: Server) -> None:
    deep = "<div>" * 5000
    for options, html, status, message in [
        ({"max_bytes": 10}, "<p>more than ten bytes", 413, "max_bytes"),
        ({"max_nodes": 2}, "<p>x<p>y<p>z", 422, "max_nodes"),
        ({"max_depth": 10}, deep, 422, "max_depth"),
        ({"max_output": 3}, "<p>A tamis is a sieve.", 422, "max_output"),
        ({"max_seconds": 1e-9}, "<p>x", 422, "max_seconds"),
    ]:
        response = server.post("/v1/extract", html=html, options=options)
        assert message in problem(response, status)


def test_what_is_no_page_is_named(server: Server) -> None:
    response = server.client.post(
        "/v1/extract", content=b"%PDF-1.7 \0\1\2", headers={"Content-Type": "text/html"}
    )
    assert "PDF" in problem(response, 415)


def test_a_request_cannot_raise_the_limits(server: Server, serve: Any) -> None:
    with serve(max_body=100_000) as small:
        options = {"max_bytes": 10**12, "max_seconds": 10**6}
        assert small.post("/v1/extract", html="<p>x", options=options).status_code == 200
        large = small.post("/v1/extract", html="x" * 200_000, options=options)
        assert "more than 100,000 bytes" in problem(large, 413)
        bomb = gzip.compress(b'{"html": "' + b"x" * 10_000_000 + b'"}')
        packed = small.client.post(
            "/v1/extract", content=bomb, headers={"Content-Encoding": "gzip"}
        )
        assert "more than 100,000 bytes" in problem(packed, 413)

        def endless() -> Any:
            for _ in range(100):
                yield b"x" * 10_000

        assert problem(small.client.post("/v1/extract", content=endless()), 413)


@pytest.mark.parametrize("coding", ["gzip", "snappy"])
def test_a_body_that_cannot_be_unpacked_is_refused(server: Server, coding: str) -> None:
    response = server.client.post(
        "/v1/extract", content=b"\x1f\x8b no", headers={"Content-Encoding": coding}
    )
    assert "cannot be unpacked" in problem(response, 415)


def test_an_unknown_path_is_a_problem_document_too(server: Server) -> None:
    assert "/openapi.json" in problem(server.get("/v1/extrakt"), 404)
    assert "GET /v1/batch" in problem(server.get("/v1/batch"), 405)


# Batches


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
