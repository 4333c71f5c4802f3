"""No request names code: a class or a file as a method is refused, by every endpoint."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

Server = Any

HTML = "<p>A tamis is a sieve with a fine mesh of silk, horsehair or steel."
WITH_OPTIONS = ("extract", "explain", "view", "cloud", "compare", "site")


@pytest.fixture
def evil(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A file whose code leaves a trace, which is not there at the end."""
    trace = tmp_path / "was_run"
    path = tmp_path / "evil.py"
    path.write_text(
        f"import tamis\nopen({str(trace)!r}, 'w').close()\n"
        "class Evil(tamis.Method):\n    def score(self, page): return page.blocks.words * 0.0\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    yield path
    assert not trace.exists()


def named(evil: Path) -> list[str]:
    """The ways of naming the class in that file, and a model."""
    return [f"{evil}:Evil", "evil:Evil", str(evil), "evil.py:Evil", str(evil.with_suffix(".npz"))]


def body(task: str, options: dict[str, Any]) -> dict[str, Any]:
    page: dict[str, Any] = {"pages": [{"html": HTML}]} if task == "site" else {"html": HTML}
    methods = {"methods": ["tamis", "baseline"]} if task == "compare" else {}
    return {**page, **methods, "options": options}


def refusal(response: Any) -> str:
    assert response.status_code == 422, response.text
    detail: str = response.json()["detail"]
    assert "give a name: baseline" in detail
    return detail


def test_all_endpoints_with_options_are_tried_here(server: Server) -> None:
    document = server.get("/openapi.json").json()
    schemas = document["components"]["schemas"]
    there = {name for name, schema in schemas.items() if "options" in schema.get("properties", {})}
    assert "ExtractRequest" in there
    assert there <= {f"{task.capitalize()}Request" for task in WITH_OPTIONS} | {"BatchRequest"}


@pytest.mark.parametrize("task", WITH_OPTIONS)
def test_options_name_no_class_and_no_file(server: Server, evil: Path, task: str) -> None:
    for method in named(evil):
        refusal(server.post(f"/v1/{task}", **body(task, {"method": method})))


def test_methods_that_are_compared_are_no_classes(server: Server, evil: Path) -> None:
    for method in named(evil):
        for choice in (method, {"method": method}, {"method": method, "weights": "shipped"}):
            refusal(server.post("/v1/compare", html=HTML, methods=["tamis", choice]))


def test_neither_lines_nor_addresses_name_a_class(server: Server, evil: Path, site: str) -> None:
    for method in named(evil):
        line = json.dumps({"html": HTML, "options": {"method": method}})
        answer = server.client.post("/v1/batch", content=line)
        assert "give a name: baseline" in answer.json()["error"]["detail"]
        query = {"url": f"{site}/", "method": method}
        refusal(server.client.get("/v1/extract", params=query))


def test_a_project_takes_no_method_at_all(serve: Any, evil: Path, tmp_path: Path) -> None:
    with serve(project=str(tmp_path / "project")) as server:
        for method in named(evil):
            for given in ({"options": {"method": method}}, {"method": method}):
                answer = server.post("/v1/project/pages", html=HTML, **given)
                assert (answer.status_code, "there is no field" in answer.text) == (422, True)
