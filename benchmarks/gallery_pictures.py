"""The pictures of benchmarks/gallery.py: the decision on a page, and a page beside its Markdown.

The style sheets of the pages in tests/pages are there to be read by programs, not to be looked at:
the pictures have one plain style for all of them.
"""

from __future__ import annotations

import base64
import io
import json
import re
from html import escape
from pathlib import Path

import click
from PIL import Image, ImageDraw, ImageOps
from tests.browser.chromium import Browser
from tests.browser.window import Window

import tamis
from tamis.render import original

# --- the decision on a page -----------------------------------------------------------------------

WIDTH, HEIGHT = 720, 960
"""What is seen of a page, at most."""
LOWEST = 400
GAP = 20
MAP_WIDTH = 170
"""Most pixels of the whole page in small beside it."""
LEAD = 400
"""Pixels of a page above the first block that is kept."""
SMALL = 200
"""The side of a square picture of the index."""
MOST_BYTES = 150_000

# Words of many sites' class names; the pages have no style of their own that is to be seen.
PLAIN = """
html { background: #fff; color: #23262b; font: 16px/1.55 "Noto Sans", system-ui, sans-serif }
body { margin: 0; padding: 16px 24px 32px }
h1 { font-size: 30px; line-height: 1.2; margin: 16px 0 10px }
h2 { font-size: 22px; line-height: 1.3; margin: 20px 0 8px }
h3, h4 { font-size: 17px; margin: 16px 0 6px }
p { margin: 10px 0 }
a { color: #1b5fa8; text-decoration: none }
nav a, header a, footer a { margin-inline-end: 10px }
nav ul, nav ol, header ul, footer ul, [class*=menu] ul, ul[class*=menu], [class*=nav] ul,
ul[class*=nav], [class*=bread] ol, [class*=share] ul { list-style: none; margin: 4px 0; padding: 0;
  display: flex; flex-wrap: wrap; gap: 2px 16px; font-size: 14px }
nav ul ul, header ul ul, [class*=menu] ul ul { font-size: 12px; gap: 0 10px }
footer { font-size: 13px; background: #eef0f3; padding: 10px 16px; margin-top: 20px }
footer footer { background: none; padding: 0; margin: 0 }
aside { font-size: 14px; background: #f4f4f0; padding: 6px 16px; margin: 12px 0;
  border-radius: 6px }
aside aside { padding: 0; margin: 0 }
[class*=cookie], [class*=consent], [id*=cookie], [id*=consent] { background: #2d3139;
  color: #f3f3f3; padding: 8px 14px; border-radius: 6px; font-size: 14px }
:is([class*=cookie], [class*=consent], [id*=cookie], [id*=consent]) * { background: none;
  padding: 0; color: inherit }
table { border-collapse: collapse; margin: 12px 0 }
td, th { padding: 4px 12px; border: 1px solid #d5d9df; text-align: start; font-size: 15px }
pre { background: #f4f5f7; border: 1px solid #e2e5ea; border-radius: 6px; padding: 10px 14px;
  font-size: 14px; line-height: 1.5 }
blockquote { border-inline-start: 4px solid #cfd5dd; margin: 14px 0; padding: 2px 18px }
figure { margin: 14px 0 }
figcaption { font-size: 14px; color: #666 }
tamis-button, tamis-select { border: 1px solid #c3c9d2; border-radius: 6px; padding: 2px 12px;
  background: #f4f5f7; font-size: 14px; max-height: 2em; overflow: hidden }
tamis-picture { display: inline-flex; align-items: flex-end; border: 0; border-radius: 6px;
  padding: 6px 12px; margin: 4px 4px 4px 0; color: #5c6673; font-size: 12px;
  background: linear-gradient(160deg, #dbe4ec 40%, #c6d3cf) }
figure tamis-picture { min-height: 90px; width: min(420px, 100%); max-width: none;
  box-sizing: border-box }
"""

# The colours of the page of `tamis serve`. What is dropped fades with the boxes around it.
PAINT = """
html { overflow: visible !important; height: auto !important }
::-webkit-scrollbar { display: none }
[data-kept] { background: rgba(23, 138, 104, .26); border-radius: 2px }
[data-dropped] { opacity: .4; filter: grayscale(1) }
"""

PAINTER = """((css, kept) => {
  const style = document.createElement("style");
  style.textContent = css;
  document.head.append(style);
  for (const element of document.body.querySelectorAll("*"))
    if (["fixed", "sticky"].includes(getComputedStyle(element).position))
      element.style.setProperty("position", "static", "important");
  for (const span of document.querySelectorAll("[data-tamis]"))
    if (kept.includes(Number(span.dataset.tamis))) span.dataset.kept = "";
  const fade = (element) => {
    if (element.matches("[data-kept]")) return;
    if (element.querySelector("[data-kept]")) [...element.children].forEach(fade);
    else if (element.matches("[data-tamis], :has([data-tamis])")) element.dataset.dropped = "";
  };
  fade(document.body);
  const { scrollWidth, scrollHeight } = document.documentElement;
  const seen = [...document.querySelectorAll("[data-kept]")].map(e => e.getBoundingClientRect());
  const tops = seen.filter(box => box.height).map(box => box.top);
  return [scrollWidth, scrollHeight, Math.min(...tops, scrollHeight)];
})"""


def show(window: Window, html: str) -> None:
    """Put a document into a window without any address."""
    frame = window.call("Page.getFrameTree")["frameTree"]["frame"]["id"]
    window.call("Page.setDocumentContent", frameId=frame, html=html)


def pictured(window: Window) -> Image.Image:
    """What a window shows."""
    return Image.open(io.BytesIO(window.picture())).convert("RGB")


def decision(browser: Browser, html: str) -> tuple[Image.Image, Image.Image]:
    """The decision on a page: a part of it beside the whole of it, and a small one."""
    result = tamis.extract(html)
    document, css = original.render(result.page, result.url), PAINT
    if "<style media" in document:
        document = re.sub(r"<style media=.*?</style>", "", document, flags=re.DOTALL)
        css = PLAIN + PAINT
    # As low as the lowest page, for a window is never higher than what it shows.
    window = Window.of(browser, WIDTH, LOWEST)
    show(window, document)
    kept = json.dumps(result.kept.nonzero()[0].tolist())
    width, height, first = window.value(f"{PAINTER}({json.dumps(css)}, {kept})")
    window.resize(width, height)
    whole = pictured(window)
    window.close()
    scale = WIDTH / width
    whole = whole.resize((WIDTH, round(height * scale)), Image.Resampling.LANCZOS)
    top = int(max(0, min(first * scale - LEAD, whole.height - HEIGHT)))
    part = whole.crop((0, top, WIDTH, min(top + HEIGHT, whole.height)))
    square = whole.crop((0, top, WIDTH, top + WIDTH)) if whole.height > WIDTH else part
    small = square.resize((SMALL, SMALL * square.height // WIDTH), Image.Resampling.LANCZOS)
    return beside(part, whole, top), ImageOps.expand(small, 1, "#c9ced6")


def beside(part: Image.Image, whole: Image.Image, top: int) -> Image.Image:
    """A part of a page and the whole of it in small, with a frame around the part."""
    scale = min(HEIGHT / whole.height, MAP_WIDTH / WIDTH)
    size = (round(WIDTH * scale), round(whole.height * scale))
    picture = Image.new("RGB", (WIDTH + GAP + MAP_WIDTH, part.height), "#eceef1")
    picture.paste(part)
    left = WIDTH + (GAP + MAP_WIDTH - size[0]) // 2
    picture.paste(whole.resize(size, Image.Resampling.LANCZOS), (left, 0))
    above, below = round(top * scale), round((top + part.height) * scale) - 1
    frame = (left - 2, above, left + size[0] + 1, below)
    ImageDraw.Draw(picture).rectangle(frame, outline="#c26a00", width=3)
    return picture


def compressed(picture: Image.Image, colours: int = 64) -> bytes:
    """A PNG of few colours: a quarter of the size, and text and tints look the same."""
    out = io.BytesIO()
    few = picture.quantize(colours, dither=Image.Dither.NONE)
    few.save(out, "PNG", optimize=True)
    if out.tell() > MOST_BYTES:
        raise click.ClickException(f"a picture has {out.tell():,} bytes, too many")
    return out.getvalue()


# --- a page and its Markdown ----------------------------------------------------------------------

HALF, TALL = 556, 740
"""The size of each half of the picture, of which there are two and some space."""
BROWSER = 900
"""The width of the window that the page at the left is seen in."""

# The photograph that the example has an address for, which leads nowhere.
SCENE = """<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1200 520">
<defs><linearGradient id="sky" x2="0" y2="1"><stop stop-color="#16213f"/><stop offset="1"
stop-color="#51557c"/></linearGradient><radialGradient id="fire"><stop stop-color="#ffd68a"/><stop
offset=".5" stop-color="#f08a35"/><stop offset="1" stop-color="#f08a35" stop-opacity="0"/>
</radialGradient></defs><path fill="url(#sky)" d="M0 0h1200v520H0z"/>
<circle cx="950" cy="120" r="58" fill="#fdf3d0"/><g fill="#dfe3f5"><circle cx="130" cy="80" r="3"/>
<circle cx="300" cy="140" r="2"/><circle cx="470" cy="60" r="3"/><circle cx="690" cy="110" r="2"/>
<circle cx="800" cy="50" r="3"/><circle cx="1110" cy="70" r="2"/></g>
<path fill="#2b3156" d="M0 330q280-120 600-30t600-40v260H0z"/>
<path fill="#1d2240" d="M80 400v-90l60-50 60 50v90zM230 400v-70l46-40 46 40v70zM980 400v-80l52-44
52 44v80zM1094 400v-230l18-40 18 40v230z"/><g fill="#f6c667"><path d="M112 330h20v26h-20zM258
346h18v22h-18zM1012 340h20v26h-20z"/></g><path fill="#171a31" d="M0 398h1200v122H0z"/>
<circle cx="620" cy="400" r="210" fill="url(#fire)" opacity=".5"/>
<path fill="#7a4a38" d="M480 440v-60a140 130 0 0 1 280 0v60z"/><path fill="#5b3529"
d="M690 262v-60h36v84z"/><path fill="#2a1510" d="M560 440v-40a60 62 0 0 1 120 0v40z"/>
<path fill="#f39a3d" d="M574 440v-22a46 50 0 0 1 92 0v22z"/><path fill="#ffe0a0"
d="M594 440q6-40 26-48 20 10 26 48z"/><g fill="#d9a15f"><ellipse cx="850" cy="440" rx="46" ry="22"/>
<ellipse cx="945" cy="442" rx="42" ry="20"/><ellipse cx="390" cy="442" rx="44" ry="21"/></g>
</svg>"""

ILLUSTRATE = """(scene => {
  const style = document.createElement("style");
  style.textContent = "::-webkit-scrollbar { display: none } img { width: 100%; height: auto }";
  document.head.append(style);
  for (const image of [...document.images])
    if (image.closest("figure")) image.src = "data:image/svg+xml," + encodeURIComponent(scene);
    else image.replaceWith(image.alt);
  return Promise.all([...document.images].map(image => image.decode())).then(() => true);
})"""

POSTER = """<!doctype html><meta charset="utf-8"><style>
::-webkit-scrollbar { display: none }
body { margin: 0; width: 1200px; background: #f3f5f4; color: #1d2b27; display: grid;
  grid-template-columns: auto auto; justify-content: space-between; padding: 18px 28px 28px;
  box-sizing: border-box; font: 16px/1.5 "Noto Sans", sans-serif }
h2 { font-size: 19px; margin: 0 4px 10px; display: flex; justify-content: space-between;
  align-items: baseline }
h2 small { font-weight: 400; font-size: 15px; color: #5d6b67 }
section > div { width: HALFpx; height: TALLpx; overflow: hidden; border-radius: 12px;
  background: #fff; box-shadow: 0 0 0 1px #d3dad7, 0 8px 24px #0c2b2014; position: relative }
section > div::after { content: ""; position: absolute; inset: auto 0 0; height: 70px;
  background: linear-gradient(#fff0, #fff) }
img { display: block; width: HALFpx }
pre { margin: 0; padding: 20px 26px; font: 13px/1.5 "Noto Sans Mono", monospace;
  white-space: pre-wrap; overflow-wrap: break-word }
b { color: #0d6b50 } i { color: #5d6b67 } .kept { color: #0d6b50 }
</style><section><h2>A page <small>PAGE</small></h2><div><img src="PICTURE"></div></section>
<section><h2 class="kept">What tamis keeps <small>KEPT</small></h2><div><pre>MARKDOWN</pre></div>
</section>"""


def before_after(browser: Browser, path: Path) -> Image.Image:
    """A page as a browser shows it, beside our Markdown of it."""
    result = tamis.extract(path, title=True)
    window = Window.of(browser)
    window.resize(BROWSER, TALL * BROWSER // HALF, scale=HALF / BROWSER)
    show(window, path.read_text("utf-8"))
    window.value(f"{ILLUSTRATE}({json.dumps(SCENE)})")
    page = base64.b64encode(window.picture()).decode()
    window.close()
    parts = {
        "HALF": str(HALF),
        "TALL": str(TALL),
        "PAGE": f"{result.page.blocks.words.sum():,} words",
        "KEPT": f"{len(result.text.split()):,} words, as Markdown",
        "MARKDOWN": "\n".join(map(_highlighted, result.markdown.splitlines())),
        "PICTURE": f"data:image/png;base64,{page}",
    }
    window = Window.of(browser, 1200, TALL + 84)
    show(window, re.sub("|".join(parts), lambda found: parts[found[0]], POSTER))
    window.value("document.images[0].decode().then(() => true)")
    return pictured(window)


def _highlighted(line: str) -> str:
    """A line of Markdown with its marks in colour."""
    marked = re.sub(r"\*[^*]+\*", r"<i>\g<0></i>", escape(line))
    return re.sub(r"^(#.*|- |&gt; )", r"<b>\g<0></b>", marked)
