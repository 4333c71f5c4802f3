"""The files of the page: all of them, nothing else, under policies that let nothing foreign in."""

from __future__ import annotations

import http.client
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tamis.serve.endpoints.page_files import FOLDER

Server = Any

NAMES = sorted(path.relative_to(FOLDER).as_posix() for path in FOLDER.rglob("*") if path.is_file())
TYPES = {
    ".html": "text/html",
    ".js": "text/javascript",
    ".css": "text/css",
    ".svg": "image/svg+xml",
}


def test_the_page_is_at_the_root(server: Server) -> None:
    response = server.get("/")
    assert response.headers["content-type"] == "text/html; charset=utf-8"
    assert response.text == (FOLDER / "index.html").read_text("utf-8")


@pytest.mark.parametrize("name", NAMES)
def test_every_file_is_served_with_its_type_and_its_policy(server: Server, name: str) -> None:
    response = server.get(f"/page/{name}")
    assert response.content == (FOLDER / name).read_bytes()
    wanted = "text/plain" if name.startswith("examples/") else TYPES[Path(name).suffix]
    assert response.headers["content-type"].partition(";")[0] == wanted
    assert response.headers["x-content-type-options"] == "nosniff"
    assert response.headers["cache-control"] == "no-cache"
    again = server.get(f"/page/{name}", if_none_match=response.headers["etag"])
    assert (again.status_code, again.content) == (304, b"")
    policy = response.headers["content-security-policy"]
    assert policy.startswith("default-src 'none'")
    assert "unsafe-eval" not in policy
    assert "script-src 'self'" in policy or name == "frame.html"


def test_the_frame_can_run_nothing_and_loads_pictures_only_if_asked(server: Server) -> None:
    usual = server.get("/page/frame.html").headers["content-security-policy"]
    loaded = server.get("/page/frame.html?pictures").headers["content-security-policy"]
    for policy in (usual, loaded):
        assert "script-src" not in policy
        assert "sandbox allow-same-origin;" in policy
        assert "frame-ancestors 'self'" in policy
    assert "http:" not in usual
    assert "img-src data: http: https:" in loaded


@pytest.mark.parametrize(
    "path",
    [
        *("/page/", "/page/..", "/page/../api.py", "/page/%2e%2e/api.py", "/page/..%2fapi.py"),
        *("/page//etc/passwd", "/page/examples", "/page/index.html/", "/page/__init__.py"),
        *("/page/..%5capi.py", "/page/app.js%00.css", "/page/APP.JS"),
    ],
)
def test_nothing_outside_the_folder_is_served(server: Server, path: str) -> None:
    # A client of the library would resolve the dots.
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=300)
    connection.request("GET", path)
    response = connection.getresponse()
    assert response.status == 404
    assert b"there is no such file" in response.read() or "/page" not in path
    connection.close()


def test_files_need_no_token_and_everything_else_does(serve: Callable[..., Any]) -> None:
    with serve(token="secret") as service:
        assert service.get("/").status_code == 200
        assert service.get("/page/app.js").status_code == 200
        assert service.get("/page/nothing.js").status_code == 404
        assert service.get("/v1/methods").status_code == 401
        assert service.post("/v1/view", html="<p>x").status_code == 401
        assert service.get("/v1/methods", authorization="Bearer secret").status_code == 200


def test_files_are_counted_together(server: Server) -> None:
    before = server.metric('tamis_requests_total{endpoint="/page/",status="200"}')
    server.get("/page/app.js")
    assert server.metric('tamis_requests_total{endpoint="/page/",status="200"}') == before + 1


def test_all_that_a_module_imports_and_the_page_links_is_there() -> None:
    for name in NAMES:
        path = FOLDER / name
        if path.suffix == ".js":
            imported = re.findall(r'from "([^"]+)"', path.read_text("utf-8"))
            for target in imported:
                assert target.startswith("."), f"{name}: {target} is from elsewhere"
                assert (path.parent / target).is_file(), f"{name}: {target}"
    linked = re.findall(r'(?:href|src)="/page/([^"]+)"', (FOLDER / "index.html").read_text("utf-8"))
    assert linked
    for target in linked:
        assert (FOLDER / target).is_file()


def test_no_module_writes_markup() -> None:
    # Elements are made by dom.js; the one document that is written goes into the sandboxed frame.
    forbidden = (
        r"\.(innerHTML|outerHTML|insertAdjacentHTML|setHTMLUnsafe)\b|\beval\(|new Function\("
    )
    for name in NAMES:
        if name.endswith(".js"):
            text = (FOLDER / name).read_text("utf-8")
            assert not re.search(forbidden, text), name
            assert ("document.write(" in text or ".write(" in text) <= (name == "frame.js"), name
