"""Headless Chromium, driven through the pipe of its DevTools, so that no library is needed."""

from __future__ import annotations

import json
import os
import select
import subprocess
import tempfile
from typing import Any


class Browser:
    """Headless Chromium, driven through the pipe of its DevTools."""

    def __init__(self, program: str) -> None:
        self._folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        read_there, self._write = os.pipe()
        self._read, write_there = os.pipe()

        def as_three_and_four() -> None:
            # By way of high numbers, so that neither is overwritten.
            high = os.dup2(read_there, 60), os.dup2(write_there, 61)
            os.dup2(high[0], 3)
            os.dup2(high[1], 4)

        command = [
            program, "--headless=new", "--no-sandbox", "--disable-gpu", "--remote-debugging-pipe",
            "--disable-background-networking", "--disable-component-update", "--no-first-run",
            "--disable-sync", "--mute-audio", "--disable-dev-shm-usage",
            "--host-resolver-rules=MAP * ~NOTFOUND", f"--user-data-dir={self._folder.name}",
            "about:blank",
        ]  # fmt: skip
        self._process = subprocess.Popen(
            command, close_fds=False, preexec_fn=as_three_and_four, stderr=subprocess.DEVNULL
        )
        os.close(read_there)
        os.close(write_there)
        self._buffer = b""
        self._number = 0
        self._events: list[dict[str, Any]] = []
        self._session = ""
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self._session = self.call("Target.attachToTarget", targetId=target, flatten=True)[
            "sessionId"
        ]
        for domain in ("Page", "Runtime", "Debugger", "Network"):
            self.call(f"{domain}.enable")
        self.call("Fetch.enable", patterns=[{"urlPattern": "*"}])

    def close(self) -> None:
        """End the browser."""
        self._process.terminate()
        self._process.wait()
        self._folder.cleanup()

    def send(self, method: str, **parameters: Any) -> int:
        """Send a command without waiting for its answer."""
        self._number += 1
        message: dict[str, Any] = {"id": self._number, "method": method, "params": parameters}
        if self._session:
            message["sessionId"] = self._session
        data = json.dumps(message).encode() + b"\0"
        while data:
            data = data[os.write(self._write, data) :]
        return self._number

    def call(self, method: str, **parameters: Any) -> dict[str, Any]:
        """Send a command and wait for its answer; events meanwhile are kept."""
        number = self.send(method, **parameters)
        while True:
            message = self._received()
            if message.get("id") == number:
                if "error" in message:
                    raise RuntimeError(f"{method}: {message['error']}")
                return dict(message["result"])
            self._events.append(message)

    def event(self, seconds: float) -> dict[str, Any] | None:
        """The next event, None if none comes in time."""
        if self._events:
            return self._events.pop(0)
        if b"\0" in self._buffer or select.select([self._read], [], [], max(0, seconds))[0]:
            return self._received()
        return None

    def _received(self) -> dict[str, Any]:
        while b"\0" not in self._buffer:
            data = os.read(self._read, 1 << 20)
            if not data:
                raise RuntimeError("the browser has ended")
            self._buffer += data
        message, _, self._buffer = self._buffer.partition(b"\0")
        return dict(json.loads(message))
