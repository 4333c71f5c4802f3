"""`/v1/extract` and `/v1/batch`, by a real client."""

from __future__ import annotations

import base64
import gzip
import json
from typing import Any
from xml.etree import ElementTree

import httpx
import pytest

import tamis
from tamis.serve.tasks import FORMATS
from tamis.site.model import Site

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


Server = Any


def test_explain_gives_every_block_with_its_reason_and_its_place(server: Server, page: str) -> None:
    answer = server.post("/v1/explain", html=page, source=True).json()
    result = tamis.extract(page)
    assert [block["kept"] for block in answer["blocks"]] == result.kept.tolist()
    assert answer["cut"] == result.decision.cut
    source = answer["source"].encode()
    for block, expected in zip(answer["blocks"], result.blocks, strict=True):
        assert block["xpath"] == expected.xpath
        assert block["kind"] == expected.kind
        assert block["decision"]
        first = block["text"].split()[0].encode()
        assert first in source[block["start"] : block["end"]]


def test_explain_gives_a_page_that_can_do_nothing(server: Server, page: str) -> None:
    response = server.post("/v1/explain", html=page, format="html")
    assert response.headers["content-type"] == "text/html; charset=utf-8"
    assert response.headers["content-security-policy"].startswith("sandbox; default-src 'none'")
    assert response.text == tamis.extract(page).explain()


def test_compare_says_where_methods_differ(server: Server, page: str) -> None:
    answer = server.post(
        "/v1/compare",
        html=page,
        base_url="https://a.example/",
        methods=["tamis", "baseline", {"method": "baseline", "parameters": {}}],
    ).json()
    assert [row["name"] for row in answer["results"]] == ["tamis", "baseline 1", "baseline 2"]
    kept, everything = tamis.extract(page), tamis.extract(page, method="baseline")
    assert answer["results"][0]["text"] == kept.text
    assert [row["text"] for row in answer["differences"]] == [
        block.text
        for block, other in zip(kept.blocks, everything.blocks, strict=True)
        if block.kept != other.kept
    ]
    agreement = {tuple(row["names"]): row["f1"] for row in answer["agreement"]}
    assert agreement["baseline 1", "baseline 2"] == 1.0
    assert 0 < agreement["tamis", "baseline 1"] < 1


def test_compare_on_a_page_whose_content_is_in_its_data(server: Server) -> None:
    body = " ".join(f"Sentence number {number} of the story is here." for number in range(60))
    data = json.dumps({"@type": "NewsArticle", "headline": "A story", "articleBody": body})
    html = f"<title>A story</title><script type=application/ld+json>{data}</script><p>Loading"
    answer = server.post("/v1/compare", html=html, methods=["tamis", "baseline"]).json()
    assert answer["results"][0]["embedded"] == "json-ld"
    assert answer["agreement"][0]["f1"] > 0.9


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ({"methods": ["tamis"]}, "methods is ['tamis']"),
        ({"methods": ["tamis", "tamiss"]}, "did you mean 'tamis'?"),
        ({"methods": ["tamis", {"method": "baseline", "parameters": {"x": 1}}]}, "no parameter"),
        ({"methods": ["tamis", {"method": "tamis", "parameters": {"weights": "/x"}}]}, "files of"),
        ({}, "the field 'methods' is missing"),
    ],
)
def test_methods_that_there_are_not_are_named(
    server: Server, body: dict[str, Any], message: str
) -> None:
    response = server.post("/v1/compare", html="<p>x", **body)
    assert response.status_code == 422
    assert message in response.json()["detail"]


def test_a_cloud_is_a_picture_or_a_list(server: Server, page: str) -> None:
    style = {"palette": "clay", "dark": True}
    drawn = server.post("/v1/cloud", html=page, terms=10, style=style)
    assert drawn.headers["content-type"] == "image/svg+xml"
    assert ElementTree.fromstring(drawn.text).tag.endswith("svg")
    listed = server.post("/v1/cloud", html=page, terms=10, format="json").json()
    assert listed["title"] == "Dry stone walls"
    assert listed["terms"] == tamis.extract(page).cloud(10).to_list()
    wrong = server.post("/v1/cloud", html=page, style={"palette": "rainbow"})
    assert "no palette 'rainbow'; there are" in wrong.json()["detail"]


STORIES = "Rain floods forty cellars.", "A choir wins silver.", "The bakery closes after a century."


def pages() -> list[dict[str, str]]:
    return [{"html": f"<p>Menu, search, imprint, login.<p>{story}"} for story in STORIES]


def test_pages_of_a_site_are_extracted_with_what_they_share(server: Server, site: str) -> None:
    options = {"method": "x_cex"}
    answer = server.post(
        "/v1/site",
        pages=[*pages(), {"url": f"{site}/missing"}],
        formats=["text"],
        options=options,
        model=True,
    ).json()
    assert [result.get("text") for result in answer["results"]] == [*STORIES, None]
    assert "404" in answer["results"][3]["error"]["detail"]
    assert (answer["site"]["pages"], answer["site"]["skipped"]) == (3, 1)
    assert answer["site"]["template_blocks"][0]["text"] == "Menu, search, imprint, login."
    model = Site.unpack(base64.b64decode(answer["model"]), "model")
    assert model.extract(pages()[0]["html"]).text == STORIES[0]


def test_a_site_without_a_page_that_can_be_read_is_a_problem(server: Server, site: str) -> None:
    response = server.post("/v1/site", pages=[{"url": f"{site}/missing"}])
    assert response.status_code == 422
    assert "none of the pages could be read" in response.json()["detail"]
    response = server.post("/v1/site", pages=[{"html": "x"}, {}])
    assert "neither html nor url" in response.json()["detail"]


def test_pages_of_a_site_have_a_size_together(serve: Any, site: str, page: str) -> None:
    with serve(max_body=2 * len(page), allow_private=True) as small:
        asked = [{"url": f"{site}/walls?{number}"} for number in range(20)]
        answer = small.post("/v1/site", pages=asked, formats=["text"]).json()
        errors = [result for result in answer["results"] if "error" in result]
        assert len(errors) == 18
        assert "the pages together have more than" in errors[0]["error"]["detail"]
