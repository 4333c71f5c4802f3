"""The gallery shows what tamis gives today, and what is in a page stays in its block."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

import pytest
from markdown_it import MarkdownIt
from PIL import Image

ROOT = Path(__file__).parents[2]
BENCHMARKS = str(ROOT / "benchmarks")

sys.path.insert(0, BENCHMARKS)
try:
    import gallery
finally:
    sys.path.remove(BENCHMARKS)

STORED = json.loads(gallery.STORED.read_text("utf-8"))
INDEX = (gallery.GALLERY / "index.md").read_text("utf-8")
PAGES = {page.name: page for page in gallery.PAGES}


def text_of(name: str) -> str:
    return (gallery.GALLERY / f"{name}.md").read_text("utf-8")


def unwrapped(text: str) -> str:
    return "".join(text.split())


def test_there_are_a_dozen_pages_of_at_least_eight_kinds_and_five_languages() -> None:
    assert len(PAGES) == 12
    assert len({page.kind for page in gallery.PAGES}) >= 8
    assert len({page.language for page in gallery.PAGES}) >= 5
    assert {path.stem for path in gallery.GALLERY.glob("*.md")} == {*PAGES, "index"}


def test_the_index_leads_to_every_page() -> None:
    toctree = INDEX.split("```{toctree}")[1].split("```")[0].split()
    assert toctree[1:] == list(PAGES)
    assert [name for name in PAGES if f"]({name}.md)" not in INDEX] == []


def test_every_picture_exists_and_is_small() -> None:
    texts = [INDEX, *map(text_of, PAGES)]
    named = {
        name for text in texts for name in re.findall(r"!\[[^]]*\]\((\.\./images/\S+?)\)", text)
    }
    paths = [(gallery.GALLERY / name).resolve() for name in named]
    assert {path.name for path in paths} == {path.name for path in gallery.PICTURES.iterdir()}
    assert sum(path.stat().st_size for path in paths) < 1_000_000


def test_the_picture_of_the_readme_is_wide_and_small() -> None:
    with Image.open(gallery.BEFORE_AFTER) as picture:
        assert picture.width == 1200
    assert gallery.BEFORE_AFTER.stat().st_size < 150_000


@pytest.fixture(scope="module")
def made() -> dict[str, str]:
    return dict(gallery.documents(STORED))


@pytest.mark.parametrize("name", [*PAGES, "index"])
def test_a_page_is_what_the_script_makes_of_it_today(name: str, made: dict[str, str]) -> None:
    assert text_of(name) == made[f"{name}.md"], (
        "python benchmarks/gallery.py --only tamis; read `look` again"
    )


@pytest.mark.parametrize("page", gallery.PAGES, ids=PAGES)
def test_every_output_is_whole_and_in_a_block_of_its_own(page: gallery.Page) -> None:
    outputs = [gallery.ours(page), *STORED["outputs"][page.name].values()]
    tokens = MarkdownIt("commonmark", {"html": True}).enable("table").parse(text_of(page.name))
    fences = [token.content for token in tokens if token.type == "fence"]
    assert [*map(unwrapped, fences)] == [unwrapped(text) for text in outputs if text.strip()]


@pytest.mark.parametrize("page", gallery.PAGES, ids=PAGES)
def test_nothing_of_a_page_stands_outside_of_its_blocks(page: gallery.Page) -> None:
    tokens = MarkdownIt("commonmark", {"html": True}).enable("table").parse(text_of(page.name))
    raw = "".join(token.content for token in tokens if token.type == "html_block")
    raw += "".join(
        child.content for token in tokens for child in token.children or ()
        if child.type == "html_inline"
    )  # fmt: skip
    ours = r"</?details>|</?div>|<div dir=\"rtl\">|<summary>[\w .+-]+: [\d,]+ words</summary>|\s"
    assert re.sub(ours, "", raw) == ""
    headings = [token for token in tokens if token.type == "heading_open"]
    assert len(headings) == 3


def test_a_fence_is_longer_than_every_run_of_backticks_in_it() -> None:
    page = gallery.PAGES[0]
    hostile = "text\n\n`````\n</details>\n~~~~\n# Heading\n"
    tokens = MarkdownIt().parse(gallery.shown(hostile, page, gives_markdown=True))
    assert [(token.type, token.content) for token in tokens] == [("fence", hostile)]


@pytest.mark.parametrize("line", ["ก้" * 300, "a " * 300, "日本" * 200, "x" * 400, "", "short"])
def test_a_long_line_is_wrapped_without_losing_a_letter(line: str) -> None:
    pieces = list(gallery.wrapped(line))
    assert unwrapped("".join(pieces)) == unwrapped(line)
    assert all(sum(map(gallery.width_of, piece)) <= gallery.COLUMNS for piece in pieces)
    assert not any(piece.startswith("\u0e49") for piece in pieces)


def test_a_row_of_a_table_stays_one_line() -> None:
    row = f"| {'cell ' * 50} |"
    assert list(gallery.wrapped(row)) == [row]


def test_no_text_of_a_page_is_run_as_an_example() -> None:
    assert [name for name in PAGES if re.search(r"^\s*>>> ", text_of(name), re.MULTILINE)] == []
