"""The driver of the browser itself: it does what a person does, and notices what a page does."""

from __future__ import annotations

from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler
from pathlib import Path

import pytest

from tests.browser.chromium import Browser
from tests.browser.window import Window
from tests.servers import serving

PAGE = """<!doctype html><title>Sieves</title>
<style>#late, #out { height: 3em } .dark { display: none }
@media (prefers-color-scheme: dark) { .dark { display: block } }</style>
<p class=dark>It is dark</p>
<button data-test=make>Make</button> <button data-test=away disabled>Away</button>
<textarea data-test=field></textarea> <input type=file data-test=file multiple>
<div data-test=out id=out></div>
<iframe data-test=frame srcdoc="<p style='margin:400px 0' data-tamis=1>First<p data-tamis=2>Second">
</iframe>
<script>
const out = document.getElementById("out");
const say = text => { out.textContent += text + "; " };
document.querySelector("[data-test=make]").onclick = event => {
  say("clicked " + (event.shiftKey ? "with shift" : ""));
  setTimeout(() => out.insertAdjacentHTML("afterend", "<p id=late data-test=late>Late"), 100);
};
addEventListener("keydown", event => say("key " + event.key + (event.ctrlKey ? " control" : "")));
document.querySelector("input").onchange = event =>
  say("files " + [...event.target.files].map(file => file.name));
addEventListener("dragover", event => event.preventDefault());
addEventListener("drop", event => {
  event.preventDefault();
  say("dropped " + [...event.dataTransfer.files].map(file => file.name));
});
document.querySelector("iframe").onload = event => {
  const inside = event.target.contentDocument;
  for (const kind of ["mousedown", "mouseup"])
    inside.addEventListener(kind, event => say(kind + " " + event.target.dataset.tamis));
};
</script>"""

BAD = """<!doctype html><meta http-equiv=Content-Security-Policy content="img-src 'none'">
<img src=https://pictures.example/forbidden.png>
<link rel=stylesheet href=https://styles.example/asked.css>
<script>window.open("https://window.example/"); console.error("it went wrong"); missing();</script>
"""


class Site(BaseHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:
        """Keep the test output clean."""

    def do_GET(self) -> None:
        body = (BAD if self.path == "/bad" else PAGE).encode()
        self.send_response(200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


@pytest.fixture(scope="module")
def site() -> Iterator[str]:
    with serving(Site) as address:
        yield address


@pytest.fixture
def window(chromium: Browser, site: str) -> Iterator[Window]:
    window = Window.of(chromium)
    window.open(f"{site}/")
    yield window
    window.close()


def test_clicks_and_waits_for_what_comes(window: Window) -> None:
    window.click("@make")
    assert window.see("@late", "Late") == "Late"
    window.click("@make", "Shift")
    window.see("@out", "clicked with shift")


def test_what_cannot_be_clicked_is_not_clicked(
    window: Window, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tests.browser.window.PATIENCE", 0.1)
    with pytest.raises(AssertionError, match="away cannot be clicked: it is disabled"):
        window.click("@away")
    with pytest.raises(AssertionError, match="nowhere cannot be clicked: it is not there"):
        window.click("@nowhere")


def test_types_pastes_and_presses_keys(window: Window) -> None:
    window.type("@field", "a sieve")
    window.paste("@field", " of <silk>")
    window.see("@field", "a sieve of <silk>")
    window.press("?", "Control+z", "Escape")
    window.see("@out", "key ?; key z control; key Escape;")
    window.click("@field")
    window.press("Control+a", "Control+c")
    assert window.clipboard() == "a sieve of <silk>"


def test_drags_inside_of_a_frame_that_is_scrolled(window: Window) -> None:
    window.drag("@frame >>> [data-tamis='1']", "@frame >>> [data-tamis='1']")
    window.see("@out", "mousedown 1; mouseup 1;")
    window.click("@frame >>> [data-tamis='2']")
    window.see("@out", "mousedown 2; mouseup 2;")


def test_chooses_and_drops_files(window: Window, tmp_path: Path) -> None:
    files = [tmp_path / "one.html", tmp_path / "two.html"]
    for file in files:
        file.write_text("<p>A sieve")
    window.choose_files("@file", files)
    window.see("@out", "files one.html,two.html")
    window.drop_files("@out", files[:1])
    window.see("@out", "dropped one.html")


def test_prefers_dark_and_is_as_wide_as_a_phone(window: Window) -> None:
    assert window.count(".dark") == 0
    window.theme("dark")
    window.see(".dark")
    window.resize(360, 640, phone=True)
    assert window.value("matchMedia('(max-width: 980px)').matches")
    assert window.picture().startswith(b"\x89PNG")


def test_what_a_page_does_is_noted(window: Window, site: str) -> None:
    assert window.foreign(site) == []
    window.open(f"{site}/bad")
    assert window.foreign(site) == ["https://styles.example/asked.css"]
    assert any("it went wrong" in error for error in window.errors)
    assert any("missing is not defined" in error for error in window.errors)
    assert window.violations == ["img-src https://pictures.example/forbidden.png"]
    assert window.windows == ["https://window.example/"]


def test_private_windows_share_nothing(window: Window, chromium: Browser, site: str) -> None:
    window.value("localStorage.setItem('who', 'Ann')")
    other = Window.of(chromium)
    other.open(f"{site}/")
    assert other.value("localStorage.getItem('who')") is None
    other.close()


def test_without_the_network_nothing_is_fetched(window: Window, site: str) -> None:
    window.offline(True)
    assert window.value("fetch('/').then(() => 'fetched', () => 'failed')") == "failed"
    window.offline(False)
    assert window.value("fetch('/').then(() => 'fetched', () => 'failed')") == "fetched"
