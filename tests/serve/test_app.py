"""Health, metrics and paths that are not there."""

from __future__ import annotations

from typing import Any

from tests.serve.endpoints.test_extraction import problem

Server = Any


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
