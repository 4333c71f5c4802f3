"""`/v1/explain`, `/v1/compare`, `/v1/cloud`, `/v1/site`, and what the service says of itself."""

from __future__ import annotations

import base64
import json
import time
from typing import Any
from xml.etree import ElementTree

import pytest

import tamis
from tamis.site.model import Site

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


# About the service


def test_every_endpoint_is_documented_with_examples_that_work(server: Server, site: str) -> None:
    document = server.get("/openapi.json").json()
    for path in [path for path in document["paths"] if path.startswith("/v1/project")]:
        del document["paths"][path]  # tests/serve/test_projects.py has them
    assert set(document["paths"]) == {
        "/v1/extract", "/v1/batch", "/v1/explain", "/v1/view", "/v1/compare", "/v1/methods",
        "/v1/cloud", "/v1/site", "/r/", "/r/{address}", "/healthz", "/readyz", "/metrics",
        *(f"/{version}/{path}" for version in ("v1", "v2") for path in (
            "scrape", "batch/scrape", "batch/scrape/{id}", "batch/scrape/{id}/errors",
        )),
    }  # fmt: skip
    text = json.dumps(document)
    for name in set(text.split("#/components/schemas/")[1:]):
        assert name.partition('"')[0] in document["components"]["schemas"]
    for path, methods in document["paths"].items():
        for method, about in methods.items():
            assert about["summary"]
            if method == "post":
                (media, first), *_ = about["requestBody"]["content"].items()
                example = json.dumps(first["example"]).replace("https://example.org", site)
                response = server.client.post(
                    path, content=example, headers={"Content-Type": media}
                )
                assert response.status_code == 200, response.text
            if path.startswith("/v"):
                assert about["responses"]["200"]["content"]
                assert "application/problem+json" in about["responses"]["default"]["content"]
    while server.metric("tamis_jobs"):  # the examples started some, which other tests would meet
        time.sleep(0.01)


def test_no_page_loads_its_documentation_from_elsewhere(server: Server) -> None:
    assert server.get("/docs").status_code == 404
    assert server.get("/redoc").status_code == 404


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
