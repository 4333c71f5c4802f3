"""Hostile pages in the page view: nothing of them runs, nothing is loaded, nobody is led away.

benchmarks/safety.py opens all of them, and ten thousand more, in the same way.
"""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path
from typing import Any

from tests.browser.window import Window
from tests.serve.page.opening import Opened, paste_page

HOSTILE = Path(__file__).parents[3] / "benchmarks" / "hostile.py"
EACH = 6
"""Every so many of the hostile pages are opened here."""
ADDRESS = "https://example.org/sieves/silk.html"

SHOW = """(async pages => {
  const { PageFrame } = await import("/page/frame.js");
  const frame = new PageFrame(document.body);
  let shown = 0;
  for (const html of pages) {
    const body = JSON.stringify({ html, base_url: %s, document: true });
    const headers = { "Content-Type": "application/json" };
    const answer = await fetch("/v1/view", { method: "POST", headers, body });
    if (!answer.ok) continue;
    await frame.load(await answer.json());
    await new Promise(done => requestAnimationFrame(() => setTimeout(done)));
    shown += frame.blocks.length > 0;
  }
  return shown;
})(%s)"""

TEMPTING = """<!doctype html><title>Prizes</title><base href=https://l.test/ target=_top>
<meta http-equiv=refresh content="0; url=https://l.test/refresh">
<article><h1 onclick="ran('heading')">Prizes for everybody</h1>
<p onmouseover="ran('over')">There are prizes of all kinds for whoever reads this whole paragraph
about prizes, which is long enough to be the content of a page.</p>
<p><a id=script href="javascript:ran('link')">Click here for your prize of prizes, dear reader.</a>
<p><a id=top href="https://l.test/top" target=_top>Or click here to be led to another place.</a>
<p><a id=ping href="#here" ping=https://l.test/ping>Or here, and somebody will be told of it.</a>
<form action=https://l.test/form><p><button id=send>Send your address to win another prize</button>
</form><img src=https://l.test/picture.png onerror="ran('picture')">
<img src=https://l.test/set.png srcset="https://l.test/set2.png 2x">
<p style="background: url(https://l.test/background.png)">A paragraph with a background picture.</p>
<style>@import url(https://l.test/sheet.css); h1 { background: url(https://l.test/h1.png) }
@font-face { font-family: Far; src: url(https://l.test/font.woff2) } p { font-family: Far }</style>
<link rel=stylesheet href=https://l.test/link.css><link rel=prefetch href=https://l.test/fetch>
<video src=https://l.test/video.mp4 poster=https://l.test/poster.png autoplay></video>
<iframe src=https://l.test/frame.html></iframe><object data=https://l.test/object></object>
<svg><image href=https://l.test/image.svg /><use href="https://l.test/use.svg#a" /></svg>
<script src=https://l.test/script.js></script><script>ran('script')</script></article>"""


def hostile_pages() -> list[str]:
    spec = importlib.util.spec_from_file_location("hostile", HOSTILE)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    pages = list(module.pages().values())
    return [page.decode("utf-8", "replace") for page in pages[::EACH]]


def listen(window: Window) -> None:
    """Notice every script from now on, whatever it does."""
    window.value("globalThis.ran = what => { (globalThis.hasRun ??= []).push(what) }")
    window.call("Debugger.enable")


def check_harmless(window: Window, address: str) -> None:
    assert window.foreign(address) == []
    assert window.value("globalThis.hasRun") is None
    assert [url for url in window.scripts if not url.startswith(f"{address}/page/")] == []
    assert window.windows == [] and window.dialogs == []


def test_nothing_of_hostile_pages_runs_or_loads(opened: Opened, server: Any) -> None:
    window = opened(server.address)
    listen(window)
    pages = hostile_pages()
    shown = window.value(SHOW % (json.dumps(ADDRESS), json.dumps(pages)))
    assert shown > 0.9 * len(pages)
    check_harmless(window, server.address)


def test_a_tempting_page_is_harmless_however_one_clicks(opened: Opened, server: Any) -> None:
    window = opened(server.address)
    listen(window)
    paste_page(window, TEMPTING)
    for place in ("h1", "p", "p:has(#script)", "#top", "#ping", "#send"):
        if window.count(f"@frame >>> {place}"):
            window.hover(f"@frame >>> {place}")
            window.click(f"@frame >>> {place}")
            window.click(f"@frame >>> {place}", "Control")
    for text in ("Click here", "Or click here", "Or here", "Send your"):
        window.see("@frame >>> [data-tamis]", text)
    check_harmless(window, server.address)
    assert window.value("location.hash") == "#/page"


def test_pictures_are_loaded_after_a_click_and_nothing_else(opened: Opened, server: Any) -> None:
    window = opened(server.address, may_load=True)
    paste_page(window, TEMPTING)
    window.see("@frame >>> h1")
    assert window.foreign(server.address) == []
    window.click("button.pictures")
    picture = "https://l.test/picture.png"
    window.until(lambda: picture in window.foreign(server.address), picture)
    allowed = ("picture.png", "set.png", "set2.png", "background.png", "h1.png", "link.css")
    allowed += ("sheet.css", "font.woff2", "poster.png", "image.svg")
    asked = {address.rpartition("/")[2] for address in window.foreign(server.address)}
    assert asked <= set(allowed)
    assert window.value("globalThis.hasRun") is None
