"""Pictures of the page of `tamis serve` for the docs: each view, one in the dark, one on a phone.

    python benchmarks/screenshots.py                 writes docs/images
    python benchmarks/screenshots.py --output DIR    elsewhere

The pages on it are examples/ and those of tests/pages and tests/train, all written by us. Needs
Chromium and LightGBM, and fonts-noto-core for the fonts of the pictures in docs. Takes a minute.
"""

from __future__ import annotations

import io
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import click
import httpx
import script
from PIL import Image
from tests.browser.chromium import Browser, find_chromium
from tests.browser.window import Window
from tests.serve.page.labelling import OwnProcess, add_pages, begin, label_by_api, saved

PICTURES = script.ROOT / "docs" / "images"
WIDTH, HEIGHT = 1280, 800
PHONE = (390, 780)
MOST_BYTES = 150_000
TAUGHT = 12
"""Pages that the teaching in the picture has."""
QUEUE = ("docs-en", "forum-en", "recipe-fr", "news-de", "product-en", "news-th", "blog-ja")


def example(window: Window, address: str) -> None:
    """The page view of the first example, with the reason for one block."""
    window.open(f"{address}/")
    window.click("@start-example-1")
    window.see("@frame >>> .tamis-kept")


def start(window: Window, address: str) -> None:
    """Where pages come in."""
    window.open(f"{address}/")
    window.see("@start-example-1")


def page(window: Window, address: str) -> None:
    """What is kept, with the reason for one block."""
    example(window, address)
    window.click("@frame >>> .story-body p [data-tamis]")
    window.see("@block-panel", "XPath")
    window.gone("[aria-busy=true]")


def result(window: Window, address: str) -> None:
    """What comes out."""
    example(window, address)
    window.click("@tab-result")
    window.see(".reading iframe >>> h2")


def compare(window: Window, address: str) -> None:
    """Two methods side by side."""
    example(window, address)
    window.click("@tab-compare")
    window.see("@compare-agreement")
    window.see(".differs")


def label(window: Window, address: str) -> None:
    """A page that is being corrected."""
    window.open(f"{address}/#/label/1")
    begin(window, "Ann")
    window.click("@label-brush-promotion")
    window.click("@frame >>> .newsletter [data-tamis]")
    saved(window)


def teach(window: Window, address: str) -> None:
    """The answer whether it became better."""
    window.open(f"{address}/#/teach")
    window.click("@teach-start")
    window.see("@teach-report", "points", seconds=300)
    window.value("scrollTo(0, 0)")


def phone(window: Window, address: str) -> None:
    """Labelling with a thumb."""
    label(window, address)


SHOTS: dict[str, tuple[Callable[[Window, str], None], str, tuple[int, int]]] = {
    "start": (start, "light", (WIDTH, HEIGHT)),
    "page": (page, "light", (WIDTH, HEIGHT)),
    "page-dark": (page, "dark", (WIDTH, HEIGHT)),
    "result": (result, "light", (WIDTH, HEIGHT)),
    "compare": (compare, "light", (WIDTH, HEIGHT)),
    "label": (label, "light", (WIDTH, HEIGHT)),
    "label-phone": (phone, "light", PHONE),
    "teach": (teach, "light", (WIDTH, 1100)),
}


def add_queue(client: httpx.Client) -> None:
    """Pages to label: the example, and some of tests/pages, two of them done."""
    sources = [script.ROOT / "examples" / "news.html"]
    sources += [script.ROOT / "tests" / "pages" / name / "source.html" for name in QUEUE]
    for number, source in enumerate(sources, 1):
        body = {"html": source.read_text("utf-8"), "name": source.parent.name}
        client.post("/v1/project/pages", json=body).raise_for_status()
        if number in (2, 3):
            label_by_api(client, number)


def both_wanted(xpath: str) -> bool:
    """What most readers of the harbour want: the story and the log beside it."""
    return "/article" in xpath or "/aside" in xpath


def story_wanted(xpath: str) -> bool:
    """What one of them wants."""
    return "/article" in xpath


@contextmanager
def services() -> Iterator[dict[str, str]]:
    """A service with pages to label, and one whose pages are all labelled, by name."""
    with (
        tempfile.TemporaryDirectory() as folder,
        OwnProcess(Path(folder) / "mine") as mine,
        OwnProcess(Path(folder) / "harbour") as harbour,
    ):
        add_queue(mine.client)
        for number in add_pages(harbour.client, TAUGHT):
            label_by_api(harbour.client, number, both_wanted if number > 1 else story_wanted)
        yield {"mine": mine.address, "harbour": harbour.address}


def compressed(picture: bytes) -> bytes:
    """A PNG of at most 256 colours: half the size, and no eye sees it."""
    with Image.open(io.BytesIO(picture)) as image:
        few = image.convert("RGB").quantize(256, dither=Image.Dither.NONE)
    out = io.BytesIO()
    few.save(out, "PNG", optimize=True)
    return out.getvalue()


@click.command()
@click.option("--output", type=click.Path(path_type=Path), default=PICTURES, help="A folder.")
@click.option("--only", multiple=True, type=click.Choice(list(SHOTS)), help="Some of them.")
def main(output: Path, only: tuple[str, ...]) -> None:
    """Take the pictures."""
    path = find_chromium()
    if path is None:
        raise click.ClickException("no Chromium; install the Debian package chromium")
    output.mkdir(parents=True, exist_ok=True)
    with services() as addresses, Browser(path, reachable=("127.0.0.1",)) as browser:
        for name in only or SHOTS:
            show, theme, (width, height) = SHOTS[name]
            window = Window.of(browser, width, height, phone=show is phone)
            window.theme(theme)
            show(window, addresses["harbour" if show is teach else "mine"])
            picture = compressed(window.picture())
            if len(picture) > MOST_BYTES:
                raise click.ClickException(f"{name}.png has {len(picture):,} bytes, too many")
            (output / f"{name}.png").write_bytes(picture)
            click.echo(f"{name}.png {len(picture):,} bytes")
            window.close()


if __name__ == "__main__":
    main()
