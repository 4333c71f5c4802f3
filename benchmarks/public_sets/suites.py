"""The folders in which other libraries keep the pages that they are tested with."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import partial
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

from public_sets.reading import (
    article,
    each,
    locate_errors,
    page_beside,
    read_json,
    rows_of,
)
from tamis.errors import DatasetError, TamisError
from tamis.flow import extract
from tamis.labels.datasets import (
    Entry,
    Example,
    get_optional,
    get_required,
    get_snippets,
    read_bytes,
    read_text,
)
from tamis.page.addresses import find_host

# --- Mozilla Readability --------------------------------------------------------------------


def readability(folder: Path) -> Iterator[Entry]:
    """Readability: a folder per page with source.html, expected.html and expected-metadata.json."""
    pages = sorted(path.parent for path in folder.glob("*/expected.html"))
    return each(pages, _readability_page)


def _readability_page(folder: Path) -> Example:
    path = folder / "expected-metadata.json"
    metadata = read_json(path) if path.exists() else {}
    expected = read_text(folder / "expected.html")
    with locate_errors(path, "line 1"):
        return Example(
            id=folder.name,
            dataset="readability",
            html=read_bytes(folder / "source.html"),
            text=text_of(expected),
            expected_html=expected,
            title=get_optional(metadata, "title"),
            author=get_optional(metadata, "byline"),
            date=get_optional(metadata, "publishedTime"),
        )


_INLINE = frozenset(
    "a abbr acronym b bdi bdo big cite code data del dfn em font i img ins kbd mark q s samp small "
    "span strike strong sub sup time tt u var wbr".split()
)
_SILENT = frozenset(["script", "style", "template"])


def text_of(page: str) -> str:
    """The text of a page that has nothing but content, one line per block."""
    parser = _Text()
    parser.feed(page)
    parser.close()
    lines = (" ".join(line.split()) for line in "".join(parser.parts).split("\n"))
    return "\n".join(line for line in lines if line)


class _Text(HTMLParser):
    """Collects text, with a line break at each tag that is not inline."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.parts: list[str] = []
        self._silent = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._silent += tag in _SILENT
        self._break(tag)

    def handle_endtag(self, tag: str) -> None:
        self._silent = max(0, self._silent - (tag in _SILENT))
        self._break(tag)

    def _break(self, tag: str) -> None:
        if tag not in _INLINE:
            self.parts.append("\n")

    def handle_data(self, data: str) -> None:
        if not self._silent:
            self.parts.append(data.replace("\n", " "))


# --- trafilatura ----------------------------------------------------------------------------


def trafilatura(folder: Path) -> Iterator[Entry]:
    """Trafilatura: evaldata.json, address to file, with and without; the pages in eval/."""
    return rows_of(folder / "evaldata.json", _trafilatura_page)


def _trafilatura_page(path: Path, url: str, row: dict[str, Any]) -> Example:
    name = get_required(row, "file")
    page = path.parent / "eval" / Path(name).name
    if not page.exists():
        page = path.parent / "cache" / Path(name).name
    html = read_bytes(page)
    return article(row, id=page.stem, dataset="trafilatura-eval", html=html, url=url)


# --- newspaper4k ----------------------------------------------------------------------------


def newspaper(folder: Path) -> Iterator[Entry]:
    """Newspaper4k: html/NAME.html, the text in txt/NAME.txt or metadata/NAME.json."""
    golds = {path.stem: path for path in sorted((folder / "metadata").glob("*.json"))}
    golds |= {path.stem: path for path in sorted((folder / "txt").glob("*.txt"))}
    named = [name for name in sorted(golds) if (folder / "html" / f"{name}.html").exists()]
    return each(named, partial(_newspaper_page, folder, golds))


def _newspaper_page(folder: Path, golds: dict[str, Path], name: str) -> Example:
    path = folder / "metadata" / f"{name}.json"
    metadata = read_json(path) if path.exists() else {}
    with locate_errors(golds[name], "line 1"):
        text = read_text(golds[name]) if golds[name].suffix == ".txt" else None
        url = get_optional(metadata, "url")
        return Example(
            id=name,
            dataset="languages",
            html=read_bytes(page_beside(folder / "html", name, golds[name])),
            text=text if text is not None else get_required(metadata, "text"),
            url=url,
            site=find_host(url or "") or None,
        )


# --- defuddle -------------------------------------------------------------------------------

_HEAD = re.compile(r"```json\n(.*?)\n```\n*", re.DOTALL)


def defuddle(folder: Path) -> Iterator[Entry]:
    """Defuddle: fixtures/NAME.html, expected/NAME.md with the metadata first, in a JSON block."""
    return each(sorted((folder / "expected").glob("*.md")), partial(_defuddle_page, folder))


def _defuddle_page(folder: Path, path: Path) -> Example:
    expected = read_text(path)
    head = _HEAD.match(expected)
    try:
        metadata = json.loads(head[1]) if head else {}
    except (ValueError, RecursionError) as error:
        raise DatasetError(f"{path}, line 1: not valid JSON ({error})") from error
    if not isinstance(metadata, dict):
        raise DatasetError(f"{path}, line 1: a JSON {type(metadata).__name__}, not an object")
    with locate_errors(path, "line 1"):
        return Example(
            id=path.stem,
            dataset="structure",
            html=read_bytes(page_beside(folder / "fixtures", path.stem, path)),
            expected_markdown=expected[head.end() if head else 0 :],
            title=get_optional(metadata, "title"),
            author=get_optional(metadata, "author"),
            date=get_optional(metadata, "published"),
            site=get_optional(metadata, "site"),
        )


# --- fundus ---------------------------------------------------------------------------------

_DATED = re.compile(r"(.+)_\d{4}_\d{2}_\d{2}\.html\.gz")


def fundus(folder: Path) -> Iterator[Entry]:
    """Fundus: COUNTRY/NAME_DATE.html.gz, addresses in meta.info, what is expected in NAME.json.

    NAME.json has an entry per version of the parser, and each version a page, in order of time.
    """
    pages: dict[Path, list[Path]] = {}
    for path in sorted(folder.glob("*/*.html.gz")):
        if named := _DATED.fullmatch(path.name):
            pages.setdefault(path.with_name(f"{named[1]}.json"), []).append(path)
    for expected, dated in pages.items():
        try:
            versions = [row for _, row in sorted(read_json(expected).items())]
            if len(versions) != len(dated):
                raise DatasetError(
                    f"{expected}: {len(versions)} expected outputs of {len(dated)} pages; they are"
                    " left out"
                )
        except DatasetError as error:
            yield error
            continue
        yield from each(zip(dated, versions, strict=True), _fundus_page)


def _fundus_page(source: tuple[Path, Any]) -> Example:
    path, row = source
    with locate_errors(path, "its expected output"):
        body = row.get("body") if isinstance(row, dict) else None
        if not isinstance(body, dict):
            raise DatasetError("field 'body' is missing or no object")
        lines = [*get_snippets(body, "summary")]
        for section in _sections(body):
            lines += [*get_snippets(section, "headline"), *get_snippets(section, "paragraphs")]
        known = read_json(path.with_name("meta.info")).get(path.name)
        url = get_optional(known, "url") if isinstance(known, dict) else None
        date = get_optional(row, "publishing_date")
        return Example(
            id=f"{path.parent.name}/{path.name.removesuffix('.html.gz')}",
            dataset="world-news",
            html=read_bytes(path),
            text="\n".join(lines),
            url=url,
            site=find_host(url or "") or None,
            page_type="article",
            title=get_optional(row, "title"),
            author=get_optional(row, "authors"),
            date=date and date[:10],
        )


def _sections(body: dict[str, Any]) -> list[dict[str, Any]]:
    sections = body.get("sections") or []
    if not isinstance(sections, list) or not all(isinstance(part, dict) for part in sections):
        raise DatasetError("field 'sections' is not a list of objects")
    return sections


# --- recipe-scrapers ------------------------------------------------------------------------

_SHORTEST = 8  # characters of a snippet: shorter ones stand anywhere on a page


def recipe_scrapers(folder: Path) -> Iterator[Entry]:
    """recipe-scrapers: SITE/NAME.testhtml, and what is expected of it in SITE/NAME.json."""
    return each(sorted(folder.glob("*/*.testhtml")), _recipe_page)


def _recipe_page(path: Path) -> Example:
    expected = path.with_suffix(".json")
    row, html = read_json(expected), read_bytes(path)
    with locate_errors(expected, "line 1"):
        url = get_optional(row, "canonical_url")
        steps = get_snippets(row, "instructions_list") or get_snippets(row, "instructions")
        # What is only in the data of a page, or is put together of it, cannot be extracted.
        shown = _plain(_text_shown(html))
        wanted = [
            text for text in (*get_snippets(row, "ingredients"), *steps) if _plain(text) in shown
        ]
        return Example(
            id=f"{path.parent.name}/{path.stem}",
            dataset="recipes",
            html=html,
            with_=tuple(text for text in wanted if len(text) >= _SHORTEST),
            url=url,
            site=path.parent.name,
            page_type="recipe",
            title=get_optional(row, "title"),
            author=get_optional(row, "author"),
        )


def _text_shown(html: bytes) -> str:
    try:
        return extract(html, method="baseline").text
    except TamisError as error:
        raise DatasetError(f"its page cannot be read: {error}") from error


def _plain(text: str) -> str:
    return " ".join(text.split()).casefold()
