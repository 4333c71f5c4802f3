"""`tamis serve`, the command; the service itself is tested in tests/serve."""

from __future__ import annotations

import socket
import subprocess
import sys
from collections.abc import Callable

import pytest
from click.testing import CliRunner
from tests import needs

from tamis.cli import main


def run(*words: str) -> tuple[int, str]:
    result = CliRunner().invoke(main, ["serve", *words], env={"TAMIS_TOKEN": ""})
    return result.exit_code, result.stderr


def test_another_address_needs_a_token_or_to_be_open() -> None:
    code, message = run("--host", "0.0.0.0")
    assert code == 2
    assert "set a token, or say that everybody may ask (--token, --open)" in message


def test_a_port_that_is_taken_is_said() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        code, message = run("--port", str(taken.getsockname()[1]))
    assert code == 2
    assert "cannot be listened on" in message


def test_a_missing_package_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tamis._runtime.libraries.find_spec", lambda module: None)
    code, message = run()
    assert code == 2
    assert "pip install 'tamis[serve]'" in message


@needs.linux
def test_processes_that_cannot_be_started_are_said() -> None:
    command = [sys.executable, "-m", "tamis", "serve", "--port", "0", "--memory", "1"]
    run = subprocess.run(command, capture_output=True, text=True)
    assert run.returncode == 2
    assert "the processes that extract cannot be started" in run.stderr.splitlines()[-1]


def test_a_browser_is_opened_only_where_somebody_sees_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    addresses: list[str] = []
    monkeypatch.setattr("tamis.cli.commands.servers.webbrowser.open", addresses.append)
    monkeypatch.setattr("tamis.serve.app.run", lambda settings, ready: ready("http://127.0.0.1:1"))
    monkeypatch.setattr("tamis.cli.commands.servers.threading.Thread", _AtOnce)
    monkeypatch.setenv("DISPLAY", ":0")
    assert run("--no-browser")[0] == run()[0] == 0  # standard error is no terminal
    assert not addresses
    assert run("--browser")[0] == 0
    monkeypatch.setattr("tamis.cli.commands.servers._can_show", lambda: True)
    assert run()[0] == run("--no-browser")[0] == run("--host", "0.0.0.0", "--open")[0] == 0
    assert addresses == ["http://127.0.0.1:1/"] * 2


class _AtOnce:
    """A thread that has run when it was started."""

    def __init__(self, target: Callable[..., object], args: tuple[str, ...], daemon: bool) -> None:
        self.start = lambda: target(*args)
