"""Headless Chromium, driven through the pipe of its DevTools, so that no library is needed."""

from __future__ import annotations

import json
import os
import select
import shutil
import subprocess
import tempfile
import time
from collections import deque
from typing import Any, Self, TypeVar

PATIENCE = 60.0
"""Seconds for an answer of the browser; machines that run tests are busy."""

Message = dict[str, Any]


def find_chromium() -> str | None:
    """Where Chromium is on this machine, None if it has none."""
    names = ("chromium", "chromium-browser", "google-chrome", "chrome")
    return next(filter(None, map(shutil.which, names)), None)


class Session:
    """One tab: commands to it, and its events in their order."""

    def __init__(self, browser: Browser, number: str, context: str) -> None:
        self.browser = browser
        self.context = context
        self._number = number
        self._events: deque[Message] = deque()

    def send(self, method: str, **parameters: Any) -> int:
        """Send a command without waiting for its answer."""
        return self.browser.send(method, parameters, self._number)

    def call(self, method: str, **parameters: Any) -> Message:
        """Send a command and wait for its answer."""
        return self.browser.answer(self.send(method, **parameters), method)

    def event(self, seconds: float) -> Message | None:
        """The next event, None if none comes in time."""
        deadline = time.monotonic() + seconds
        while not self._events:
            if not self.browser.read(deadline - time.monotonic()):
                return None
        return self._events.popleft()

    def close(self) -> None:
        """Close a private tab with all that it stored."""
        self.browser.call("Target.disposeBrowserContext", browserContextId=self.context)

    def take(self, event: Message) -> None:
        """Keep an event."""
        self._events.append(event)


AnySession = TypeVar("AnySession", bound=Session)


class Browser:
    """Headless Chromium, which reaches no host but those named."""

    def __init__(self, path: str, *, reachable: tuple[str, ...] = ()) -> None:
        self._folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        read_there, self._write = os.pipe()
        self._read, write_there = os.pipe()

        def as_three_and_four() -> None:
            # By way of high numbers, so that neither is overwritten.
            high = os.dup2(read_there, 60), os.dup2(write_there, 61)
            os.dup2(high[0], 3)
            os.dup2(high[1], 4)

        hosts = ", ".join(["MAP * ~NOTFOUND", *(f"EXCLUDE {host}" for host in reachable)])
        command = [
            path, "--headless=new", "--no-sandbox", "--disable-gpu", "--remote-debugging-pipe",
            "--disable-background-networking", "--disable-component-update", "--no-first-run",
            "--disable-sync", "--mute-audio", "--disable-dev-shm-usage",
            f"--host-resolver-rules={hosts}", f"--user-data-dir={self._folder.name}",
            "about:blank",
        ]  # fmt: skip
        self._process = subprocess.Popen(
            command,
            close_fds=False,
            preexec_fn=as_three_and_four,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(read_there)
        os.close(write_there)
        self._buffer = b""
        self._number = 0
        self._answers: dict[int, Message] = {}
        self._awaited: set[int] = set()
        self._sessions: dict[str, Session] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        """End the browser."""
        self._process.terminate()
        self._process.wait()
        os.close(self._read)
        os.close(self._write)
        self._folder.cleanup()

    def open(self, kind: type[AnySession], *, private: bool = False) -> AnySession:
        """A new tab; a private one shares nothing with the others, as if somebody else had it."""
        context = self.call("Target.createBrowserContext") if private else {}
        target = self.call("Target.createTarget", url="about:blank", **context)["targetId"]
        number = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        session = kind(self, number, context.get("browserContextId", ""))
        self._sessions[number] = session
        for domain in ("Page", "Runtime", "Network"):
            session.call(f"{domain}.enable")
        return session

    def call(self, method: str, **parameters: Any) -> Message:
        """Send a command to the browser itself and wait for its answer."""
        return self.answer(self.send(method, parameters), method)

    def send(self, method: str, parameters: Message, session: str = "") -> int:
        """Send a command to a session, or to the browser itself; gives its number."""
        self._number += 1
        message: Message = {"id": self._number, "method": method, "params": parameters}
        if session:
            message["sessionId"] = session
        data = json.dumps(message).encode() + b"\0"
        while data:
            data = data[os.write(self._write, data) :]
        return self._number

    def answer(self, number: int, method: str) -> Message:
        """Wait for the answer to a command; the sessions take what comes meanwhile."""
        self._awaited.add(number)
        deadline = time.monotonic() + PATIENCE
        while number not in self._answers:
            if not self.read(deadline - time.monotonic()):
                raise RuntimeError(f"{method}: no answer in {PATIENCE:.0f} s")
        self._awaited.remove(number)
        message = self._answers.pop(number)
        if "error" in message:
            raise RuntimeError(f"{method}: {message['error']}")
        return dict(message["result"])

    def read(self, seconds: float) -> bool:
        """Take the next message to where it belongs; False if none comes in time."""
        deadline = time.monotonic() + seconds
        while b"\0" not in self._buffer:
            wait = max(0.0, deadline - time.monotonic())
            if not select.select([self._read], [], [], wait)[0]:
                return False
            data = os.read(self._read, 1 << 20)
            if not data:
                raise RuntimeError("the browser has ended")
            self._buffer += data
        text, _, self._buffer = self._buffer.partition(b"\0")
        message = dict(json.loads(text))
        if "id" not in message:
            session = self._sessions.get(message.get("sessionId", ""))
            if session:
                session.take(message)
        elif message["id"] in self._awaited:
            self._answers[message["id"]] = message
        return True
