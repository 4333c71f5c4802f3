"""A service with a project, and people who label its pages in their browsers."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Self

import httpx
from tests.browser.window import Window
from tests.train.harbour import timetable

PAGES = 8


class OwnProcess:
    """`tamis serve --project` in a process that can be killed, and started again at its address."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        with socket.create_server(("127.0.0.1", 0)) as listening:
            self._port = listening.getsockname()[1]
        self.address = f"http://127.0.0.1:{self._port}"
        self.client = httpx.Client(base_url=self.address, timeout=300, trust_env=False)
        self._process: subprocess.Popen[str] | None = None

    def start(self) -> None:
        """Start it and wait until it listens."""
        command = [
            sys.executable, "-m", "tamis", "serve", "--port", str(self._port), "--workers", "1",
            "--project", str(self.folder),
        ]  # fmt: skip
        self._process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
        assert self._process.stderr
        line = self._process.stderr.readline()
        assert "listening" in line, line + self._process.stderr.read()

    def kill(self) -> None:
        """End it at once, in the middle of whatever it does."""
        assert self._process and self._process.stderr
        os.kill(self._process.pid, signal.SIGKILL)
        self._process.wait()
        self._process.stderr.close()
        self._process = None

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *error: object) -> None:
        if self._process:
            self.kill()
        self.client.close()


def add_pages(client: httpx.Client, count: int = PAGES) -> list[int]:
    """Add pages whose readers want the log beside the article; gives their numbers."""
    numbers = []
    for number in range(count):
        page = timetable(number)
        body = {"html": page.html, "base_url": f"https://{page.site}/{number}", "name": page.id}
        answer = client.post("/v1/project/pages", json=body)
        assert answer.status_code == 201, answer.text
        numbers.append(int(answer.json()["id"]))
    return numbers


def log_wanted(xpath: str) -> bool:
    """Whether the readers of these pages want what is at such a place: the log alone."""
    return "/aside" in xpath


def label_by_api(
    client: httpx.Client, number: int, wanted: Callable[[str], bool] = log_wanted
) -> None:
    """Label all of a page."""
    page = client.get(f"/v1/project/pages/{number}").json()
    labels = {
        str(block["block"]): "main" if wanted(block["xpath"]) else "other"
        for block in page["view"]["blocks"]
    }
    body = {
        "version": page["version"], "hash": page["view"]["hash"], "by": "Ann",
        "changes": labels, "state": "done",
    }  # fmt: skip
    answer = client.post(f"/v1/project/pages/{number}/labels", json=body)
    assert answer.status_code == 200, answer.text


def begin(window: Window, name: str) -> None:
    """Say who one is, and see the page to label."""
    window.type("@label-by", name)
    window.click("@label-by-save")
    window.see("@frame >>> [data-tamis]")


def saved(window: Window) -> None:
    """Wait until the page says that everything is saved."""
    window.wait("document.querySelector('[data-test=label-saved]')?.dataset.state === 'saved'")


def kind(window: Window, place: str) -> str:
    """The label with which a block is painted now."""
    classes = window.attribute(f"@frame >>> {place}", "class") or ""
    match = re.search(r"tamis-(main|title|comments|navigation|promotion|other)\b", classes)
    return match[1] if match else ""


def see_kind(window: Window, place: str, expected: str) -> None:
    """Wait until a block is painted with a label."""
    window.see(f"@frame >>> {place}.tamis-{expected}")


def block(number: int) -> str:
    """Where the text of a block is in the frame."""
    return f"[data-tamis='{number}']"
