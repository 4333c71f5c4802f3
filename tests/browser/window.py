"""A window of Chromium as a person uses it: look, wait, click, drag, type.

A place is a CSS selector. `@name` in it stands for `[data-test="name"]`, and ` >>> ` leads into a
frame: `@frame >>> [data-tamis="3"]`. Everything waits until the place is there; nothing sleeps for
a fixed time.
"""

from __future__ import annotations

import base64
import json
import os
import re
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from tests.browser.chromium import Browser, Message, Session

PATIENCE = float(os.environ.get("TAMIS_TEST_PATIENCE", "60"))
"""Seconds until something that should happen has happened; machines that run tests are busy."""
_POLL = 0.02
_FUNCTIONS = (Path(__file__).parent / "window.js").read_text("utf-8")
_VIOLATED = "tellOfViolation"
_LISTEN = f"""if (window === top) document.addEventListener("securitypolicyviolation", event =>
  {_VIOLATED}(event.effectiveDirective + " " + event.blockedURI));"""
_MODIFIERS = {"Alt": 1, "Control": 2, "Meta": 4, "Shift": 8}
_KEYS = {
    "Enter": (13, "\r"), "Tab": (9, ""), "Escape": (27, ""), "Backspace": (8, ""),
    "Delete": (46, ""), "Home": (36, ""), "End": (35, ""), "PageUp": (33, ""),
    "PageDown": (34, ""), "ArrowLeft": (37, ""), "ArrowUp": (38, ""), "ArrowRight": (39, ""),
    "ArrowDown": (40, ""), "Space": (32, " "),
}  # fmt: skip
_EDITING = {"v": "paste", "c": "copy", "x": "cut", "a": "selectAll"}


class Window(Session):
    """A tab with what it asked for, what it complained about, and hands and eyes on it."""

    def __init__(self, browser: Browser, number: str, context: str) -> None:
        super().__init__(browser, number, context)
        self.requests: list[tuple[str, str]] = []
        """What was asked for, also in vain: the number of the request, and the address."""
        self.errors: list[str] = []
        """Exceptions and `console.error`."""
        self.violations: list[str] = []
        """What the content security policy forbade the page itself: directive and address."""
        self.scripts: list[str] = []
        """Addresses of scripts that were compiled, after `Debugger.enable`; ours have none."""
        self.windows: list[str] = []
        """Windows that the page opened."""
        self.dialogs: list[str] = []
        """Questions of the browser itself; each is answered with yes."""
        self._refusal: Message = {}

    @classmethod
    def of(
        cls, browser: Browser, width: int = 1280, height: int = 800, *, phone: bool = False
    ) -> Window:
        """A private window of this size, without motion."""
        window = browser.open(cls, private=True)
        window.call("DOM.enable")
        window.call("Runtime.addBinding", name=_VIOLATED)
        window.call("Page.addScriptToEvaluateOnNewDocument", source=_LISTEN)
        window.call("Emulation.setFocusEmulationEnabled", enabled=True)
        window.resize(width, height, phone=phone)
        window.theme("light")
        return window

    # --- what happens -----------------------------------------------------------------------------

    def take(self, event: Message) -> None:
        """Note what the page does."""
        method, about = event["method"], event.get("params", {})
        if method == "Network.requestWillBeSent":
            self.requests.append((about["requestId"], about["request"]["url"]))
        elif method == "Network.loadingFailed" and about.get("blockedReason") == "csp":
            self.requests = [asked for asked in self.requests if asked[0] != about["requestId"]]
        elif method == "Runtime.exceptionThrown":
            details = about["exceptionDetails"]
            thrown = details.get("exception", {}).get("description") or details["text"]
            self.errors.append(f"{thrown} ({details.get('url', '')})")
        elif method == "Runtime.consoleAPICalled" and about["type"] in ("error", "assert"):
            self.errors.append(" ".join(str(value.get("value")) for value in about["args"]))
        elif method == "Runtime.bindingCalled" and about["name"] == _VIOLATED:
            self.violations.append(about["payload"])
        elif method == "Debugger.scriptParsed" and about["url"]:
            self.scripts.append(about["url"])
        elif method == "Page.windowOpen":
            self.windows.append(about["url"])
        elif method == "Page.javascriptDialogOpening":
            self.dialogs.append(about["message"])
            self.send("Page.handleJavaScriptDialog", accept=True)
        elif method == "Fetch.requestPaused":
            self.send("Fetch.fulfillRequest", requestId=about["requestId"], **self._refusal)

    def foreign(self, *origins: str) -> list[str]:
        """Addresses that were asked for elsewhere than at these origins or in the page itself."""
        self.value("0")  # all events until now are there
        own = ("data:", "blob:", "about:", *(f"{origin}/" for origin in origins))
        return [address for _, address in self.requests if not address.startswith(own)]

    # --- looking ----------------------------------------------------------------------------------

    def value(self, expression: str) -> Any:
        """The value of a JavaScript expression; a promise is waited for."""
        answer = self.call(
            "Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True,
            userGesture=True,
        )  # fmt: skip
        if "exceptionDetails" in answer:
            details = answer["exceptionDetails"]
            raise RuntimeError(details.get("exception", {}).get("description", details["text"]))
        return answer["result"].get("value")

    def ask(self, function: str, place: str, rest: str = "") -> Any:
        """The value of a function of window.js for a place."""
        return self.value(f"{_FUNCTIONS}.{function}({json.dumps(_selector(place))}){rest}")

    def wait(self, expression: str, what: str = "", seconds: float = PATIENCE) -> Any:
        """The value of an expression as soon as it is true."""
        return self.until(lambda: self.value(expression), what or expression, seconds)

    def until(self, look: Callable[[], Any], what: str, seconds: float = PATIENCE) -> Any:
        """What a function gives as soon as it is true."""
        deadline = time.monotonic() + seconds
        while True:
            fault = ""
            try:
                if value := look():
                    return value
            except RuntimeError as error:  # a document that is just being replaced
                fault = str(error)
            if time.monotonic() > deadline:
                raise AssertionError(
                    f"{what} did not come in {seconds:.0f} s; {fault} {self._state()}"
                )
            self.browser.read(_POLL)

    def see(self, place: str, text: str = "", seconds: float = PATIENCE) -> str:
        """The text of the first such place that is shown, once it is and has this text in it."""
        shown = f"{_FUNCTIONS}.shown({json.dumps(_selector(place))})"
        content = "[element.innerText, element.value].filter(Boolean).join(' ')"
        has = f"{shown}.find(element => ({content}).includes({json.dumps(text)}))"
        found = f"(() => {{ const element = {has}; return element && [{content}]; }})()"
        return str(self.wait(found, f"{place} with {text!r}", seconds)[0])

    def gone(self, place: str, seconds: float = PATIENCE) -> None:
        """Wait until no such place is shown."""
        shown = f"{_FUNCTIONS}.shown({json.dumps(_selector(place))})"
        self.wait(f"{shown}.length === 0", f"the end of {place}", seconds)

    def count(self, place: str) -> int:
        """How many such places are shown now."""
        return int(self.ask("shown", place, ".length"))

    def texts(self, place: str) -> list[str]:
        """The texts of all such places that are shown now."""
        return list(self.ask("shown", place, ".map(element => element.innerText)"))

    def attribute(self, place: str, name: str) -> str | None:
        """An attribute of the first such place, shown or not, as soon as it is there."""
        first = f"{_FUNCTIONS}.all({json.dumps(_selector(place))})[0]"
        values = self.wait(f"(e => e && [e.getAttribute({json.dumps(name)})])({first})", place)
        return None if values[0] is None else str(values[0])

    def style(self, place: str, name: str) -> str:
        """A computed property of the first such place, as soon as it is there."""
        first = f"{_FUNCTIONS}.all({json.dumps(_selector(place))})[0]"
        computed = f"[getComputedStyle(e).getPropertyValue({json.dumps(name)})]"
        return str(self.wait(f"(e => e && {computed})({first})", place)[0])

    def picture(self, *, whole: bool = False) -> bytes:
        """What the window shows, as PNG; the whole document on demand."""
        taken = self.call("Page.captureScreenshot", captureBeyondViewport=whole)
        return base64.b64decode(taken["data"])

    def _state(self) -> str:
        try:
            shown = self.value("location.href + ' ' + document.body?.innerText.slice(0, 1500)")
        except RuntimeError as error:
            shown = str(error)
        return f"errors: {self.errors}; shown: {shown}"

    # --- doing ------------------------------------------------------------------------------------

    def open(self, address: str) -> None:
        """Go to an address."""
        answer = self.call("Page.navigate", url=address)
        if answer.get("errorText"):
            raise AssertionError(f"{address}: {answer['errorText']}")
        self.wait("document.readyState === 'complete'")

    def reload(self) -> None:
        """Load the page again, as F5 does."""
        self.value("globalThis.isOld = true")
        self.call("Page.reload")
        self.wait("!globalThis.isOld && document.readyState === 'complete'")

    def click(self, place: str, *modifiers: str) -> None:
        """A click of the mouse in the middle of the first such place, once it is in view."""
        x, y = self._middle(place)
        self._mouse("mouseMoved", x, y, modifiers, held=False)
        self._mouse("mousePressed", x, y, modifiers)
        self._mouse("mouseReleased", x, y, modifiers)

    def hover(self, place: str) -> None:
        """The mouse over a place."""
        self._mouse("mouseMoved", *self._middle(place), (), held=False)

    def drag(self, start: str, end: str, steps: int = 8) -> None:
        """The mouse pressed on one place, moved to another, which must be in view, and let go."""
        x, y = self._middle(start)
        to_x, to_y = self._middle(end, scroll=False)
        self._mouse("mouseMoved", x, y, (), held=False)
        self._mouse("mousePressed", x, y, ())
        for step in range(1, steps + 1):
            share = step / steps
            self._mouse("mouseMoved", x + (to_x - x) * share, y + (to_y - y) * share, ())
        self._mouse("mouseReleased", to_x, to_y, ())

    def press(self, *keys: str) -> None:
        """Keys one after the other: "a", "?", "Enter", "Control+z", "Shift+Tab"."""
        for key in keys:
            *held, name = key.split("+") if key != "+" else [key]
            modifiers = sum(_MODIFIERS[modifier] for modifier in held)
            code, text = _KEYS.get(name, (ord(name[0].upper()), name))
            about: Message = {
                "key": " " if name == "Space" else name,
                "code": name if name in _KEYS else f"Key{name.upper()}" if name.isalpha() else "",
                "windowsVirtualKeyCode": code,
                "modifiers": modifiers,
            }
            if text and not modifiers & ~_MODIFIERS["Shift"]:
                about |= {"text": text}
            if modifiers & _MODIFIERS["Control"] and name in _EDITING:
                about |= {"commands": [_EDITING[name]]}
            self.call("Input.dispatchKeyEvent", type="keyDown", **about)
            self.call("Input.dispatchKeyEvent", type="keyUp", **about | {"commands": []})

    def type(self, place: str, text: str) -> None:
        """Click a field, take out what is in it, and type."""
        self.click(place)
        self.press("Control+a", "Backspace")
        self.call("Input.insertText", text=text)

    def paste(self, place: str, text: str) -> None:
        """Click a field and paste into it by the keys for it."""
        self.allow_clipboard()
        self.value(f"navigator.clipboard.writeText({json.dumps(text)})")
        self.click(place)
        self.press("Control+v")

    def clipboard(self) -> str:
        """What was copied."""
        self.allow_clipboard()
        return str(self.value("navigator.clipboard.readText()"))

    def allow_clipboard(self) -> None:
        """Let the page read and write the clipboard."""
        self.browser.call(
            "Browser.grantPermissions",
            permissions=["clipboardReadWrite", "clipboardSanitizedWrite"],
            browserContextId=self.context,
        )

    def choose_files(self, place: str, paths: Sequence[Path]) -> None:
        """Choose files, or a folder, for a field; it may be hidden behind a button."""
        expression = f"{_FUNCTIONS}.all({json.dumps(_selector(place))})[0]"
        self.wait(f"!!{expression}", place)
        field = self.call("Runtime.evaluate", expression=expression)["result"]["objectId"]
        self.call("DOM.setFileInputFiles", files=[str(path) for path in paths], objectId=field)

    def drop_files(self, place: str, paths: Sequence[Path]) -> None:
        """Drag files from outside of the browser onto a place."""
        x, y = self._middle(place)
        data = {"items": [], "files": [str(path) for path in paths], "dragOperationsMask": 1}
        for kind in ("dragEnter", "dragOver", "drop"):
            self.call("Input.dispatchDragEvent", type=kind, x=x, y=y, data=data)

    def keep_downloads(self, folder: Path) -> None:
        """Write what is downloaded into a folder."""
        self.browser.call(
            "Browser.setDownloadBehavior",
            behavior="allow", downloadPath=str(folder), browserContextId=self.context,
        )  # fmt: skip

    def resize(self, width: int, height: int, *, phone: bool = False, scale: float = 1) -> None:
        """Another size of the window; a phone has a touch screen."""
        self.call(
            "Emulation.setDeviceMetricsOverride",
            width=width, height=height, deviceScaleFactor=scale, mobile=phone,
        )  # fmt: skip

    def theme(self, scheme: str) -> None:
        """What the system prefers: light or dark; always without motion."""
        preferred = {"prefers-color-scheme": scheme, "prefers-reduced-motion": "reduce"}
        features = [{"name": name, "value": value} for name, value in preferred.items()]
        self.call("Emulation.setEmulatedMedia", features=features)

    def offline(self, is_offline: bool) -> None:
        """Pull the network cable, or plug it in."""
        self.call(
            "Network.emulateNetworkConditions",
            offline=is_offline, latency=0, downloadThroughput=-1, uploadThroughput=-1,
        )  # fmt: skip

    def refuse(self, pattern: str, status: int, problem: Message) -> None:
        """Answer requests to such addresses with a problem instead of asking the server."""
        self._refusal = {
            "responseCode": status,
            "responseHeaders": [{"name": "Content-Type", "value": "application/problem+json"}],
            "body": base64.b64encode(json.dumps(problem).encode()).decode(),
        }
        self.call("Fetch.enable", patterns=[{"urlPattern": pattern}])

    def refuse_nothing(self) -> None:
        """Let the server answer again."""
        self.call("Fetch.disable")

    def _middle(self, place: str, *, scroll: bool = True) -> tuple[float, float]:
        """Where to click: as soon as it is there, is over everything else and stays where it is."""
        deadline = time.monotonic() + PATIENCE
        before: Message = {}
        while True:
            try:
                at = dict(self.ask("middle" if scroll else "middleAsIs", place))
            except RuntimeError as error:
                at = {"fault": str(error)}
            if "x" in at and at == before:
                return at["x"], at["y"]
            if time.monotonic() > deadline:
                fault = at.get("fault", "it does not stay where it is")
                raise AssertionError(f"{place} cannot be clicked: {fault}; {self._state()}")
            before = at
            self.browser.read(_POLL)

    def _mouse(
        self, kind: str, x: float, y: float, modifiers: Sequence[str], *, held: bool = True
    ) -> None:
        button = {"button": "left", "buttons": int(kind != "mouseReleased")} if held else {}
        self.call(
            "Input.dispatchMouseEvent",
            type=kind, x=x, y=y, modifiers=sum(_MODIFIERS[name] for name in modifiers),
            clickCount=int(kind != "mouseMoved"), **button,
        )  # fmt: skip


def _selector(place: str) -> str:
    return re.sub(r"@([\w-]+)", r'[data-test="\1"]', place)
