"""What commands read by its address, and what they refuse: the same as the service."""

from __future__ import annotations

from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from tests.servers import serving

from tamis.cli import main
from tamis.site.model import Site

STORY = "<p>" + "The ferry crosses the lake four times a day, and in winter once. " * 5


class _Redirecting(BaseHTTPRequestHandler):
    """`/page` is a page; every other address leads there, under the address that it names."""

    asked: list[str]

    def log_message(self, format: str, *args: object) -> None:
        """Keep the test output clean."""

    def do_GET(self) -> None:
        self.asked.append(self.path)
        is_page = self.path == "/page"
        self.send_response(200 if is_page else 302)
        if not is_page:
            port = self.connection.getsockname()[1]
            self.send_header("Location", f"http://{self.path[1:]}:{port}/page")
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(STORY.encode() if is_page else b"")


@pytest.fixture
def asked() -> list[str]:
    return []


@pytest.fixture
def site(asked: list[str]) -> Iterator[str]:
    with serving(type("_Handler", (_Redirecting,), {"asked": asked})) as address:
        yield address


@pytest.fixture
def model(tmp_path: Path) -> Path:
    path = tmp_path / "model.npz"
    Site().fit([STORY, STORY]).save(path)
    return path


def run(*words: str | Path, **environment: str) -> Result:
    return CliRunner().invoke(main, list(map(str, words)), env=environment)


@pytest.fixture(
    params=[
        "extract ADDRESS",
        "extract ADDRESS page.html --format json",
        "convert ADDRESS",
        "explain ADDRESS",
        "page ADDRESS",
        "slope ADDRESS",
        "cloud ADDRESS",
        "labels propose ADDRESS --output labels.jsonl",
        "project add mine/ ADDRESS",
        "site learn ADDRESS --output learned.npz",
        "site extract MODEL ADDRESS",
        "site show MODEL ADDRESS",
    ]
)
def command(
    request: pytest.FixtureRequest, model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> str:
    monkeypatch.chdir(tmp_path)
    Path("page.html").write_text(STORY)
    return str(request.param).replace("MODEL", str(model))


def test_every_command_refuses_private_addresses_unless_told_otherwise(
    command: str, site: str, asked: list[str]
) -> None:
    words = command.replace("ADDRESS", f"{site}/page").split()
    refused = run(*words)
    assert "not a public address; to read private addresses" in refused.output
    assert "--allow-private" in refused.output
    assert not asked
    allowed = run(*words, "--allow-private")
    assert allowed.exit_code == 0, allowed.output
    assert asked == ["/page"]


def test_a_redirect_to_a_private_address_is_not_followed(
    command: str, site: str, asked: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    # As if 127.0.0.1 were public, and 127.0.0.2 what an attacker wants to be read.
    monkeypatch.setattr("tamis.web.download.is_public", "127.0.0.1".__eq__)
    refused = run(*command.replace("ADDRESS", f"{site}/127.0.0.2").split())
    assert "not a public address" in refused.output
    assert asked == ["/127.0.0.2"]
    followed = run(*command.replace("ADDRESS", f"{site}/127.0.0.1").split())
    assert followed.exit_code == 0, followed.output
    assert asked == ["/127.0.0.2", "/127.0.0.1", "/page"]


def test_private_addresses_can_be_allowed_for_all_commands(site: str) -> None:
    assert run("extract", f"{site}/page", TAMIS_ALLOW_PRIVATE="1").exit_code == 0


def test_a_proxy_that_is_not_used_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tamis.web.download._find_public_address", lambda url: "127.0.0.1")
    environment = {"http_proxy": "http://127.0.0.1:1"}
    hint = "add --allow-private to use it"
    assert hint in run("extract", "http://news.invalid:1/", **environment).output
    assert hint not in run("extract", "--allow-private", "http://a.invalid/", **environment).output
