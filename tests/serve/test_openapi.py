"""The OpenAPI document."""

from __future__ import annotations

import json
import time
from typing import Any

Server = Any


def test_every_endpoint_is_documented_with_examples_that_work(server: Server, site: str) -> None:
    document = server.get("/openapi.json").json()
    for path in [path for path in document["paths"] if path.startswith("/v1/project")]:
        del document["paths"][path]  # tests/serve/endpoints/test_project_pages.py has them
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
