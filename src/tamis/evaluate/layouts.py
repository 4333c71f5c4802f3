"""The folders in which the authors of public data sets publish them.

Each reader says what the folder looks like; `read_folder` takes the first one whose files are
there. Pages stay bytes: finding out their encoding is part of the task.
"""

from __future__ import annotations

import contextlib
import html
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from html.parser import HTMLParser
from itertools import chain
from pathlib import Path
from typing import Any, TypeVar

from tamis.errors import DatasetError
from tamis.evaluate.datasets import (
    Entry,
    Example,
    name_of,
    optional,
    read_bytes,
    read_text,
    required,
    snippets,
)
from tamis.page.addresses import host_of

Reader = Callable[[Path], Iterator[Entry]]
T = TypeVar("T")


def read_folder(folder: Path) -> Iterator[Entry]:
    """Read a folder in the layout that is recognised from its content."""
    for reader, needed in _LAYOUTS:
        if all(any((folder / name).exists() for name in names) for names in needed):
            return reader(folder)
    # WCXB as a whole: one folder per split.
    splits = [path for path in sorted(folder.iterdir()) if (path / "ground-truth").is_dir()]
    if splits:
        return chain.from_iterable(map(_wcxb, splits))
    if golds := [path for path in sorted(folder.glob("*.txt")) if _pages_beside(path)]:
        return _each(golds, partial(_pair, name_of(folder)))
    known = "; ".join(
        f"{reader.__name__.strip('_')}: {' and '.join('|'.join(names) for names in needed)}"
        for reader, needed in _LAYOUTS
    )
    raise DatasetError(
        f"{folder}: no known layout of a data set. The known ones have {known}; or NAME.txt beside"
        " NAME.html"
    )


def _each(sources: Iterable[T], make: Callable[[T], Example]) -> Iterator[Entry]:
    for source in sources:
        try:
            yield make(source)
        except DatasetError as error:
            yield error


@contextlib.contextmanager
def _located(path: Path, place: str) -> Iterator[None]:
    """Errors inside name the file and the place, unless they name the file already."""
    try:
        yield
    except DatasetError as error:
        if str(path) in str(error):
            raise
        raise DatasetError(f"{path}, {place}: {error}") from error


def _json(path: Path) -> dict[str, Any]:
    try:
        value = json.loads(read_bytes(path))
    except (ValueError, RecursionError) as error:
        line = getattr(error, "lineno", 1)
        raise DatasetError(f"{path}, line {line}: not valid JSON ({error})") from error
    if not isinstance(value, dict):
        raise DatasetError(f"{path}, line 1: a JSON {type(value).__name__}, not an object")
    return value


def _page_beside(folder: Path, name: str, needed_by: Path) -> Path:
    for path in (folder / f"{name}.html.gz", folder / f"{name}.html", folder / f"{name}.htm"):
        if path.exists():
            return path
    raise DatasetError(
        f"{needed_by}: its page {folder / name}.html or .html.gz is missing; get the set again"
    )


def _article(gold: dict[str, Any], *, url: str | None, **more: Any) -> Example:
    """A page whose gold has snippets, title, author and date under the usual names."""
    return Example(
        url=url,
        site=host_of(url or "") or None,
        with_=snippets(gold, "with"),
        without=snippets(gold, "without"),
        title=optional(gold, "title"),
        author=optional(gold, "author"),
        date=optional(gold, "publish_date"),
        **more,
    )


# --- a gold text beside each page ---------------------------------------------------------------


def _pages_beside(path: Path) -> list[Path]:
    names = (path.with_suffix(suffix) for suffix in (".html", ".htm", ".html.gz"))
    return [page for page in names if page.exists()]


def _pair(dataset: str, path: Path) -> Example:
    """NAME.html with what is wanted of it in NAME.txt."""
    html = read_bytes(_pages_beside(path)[0])
    return Example(id=path.stem, dataset=dataset, html=html, text=read_text(path))


# --- WCXB -----------------------------------------------------------------------------------


def _wcxb(folder: Path) -> Iterator[Entry]:
    """WCXB: ground-truth/0001.json with `ground_truth` in it, html/0001.html.gz."""
    gold = sorted((folder / "ground-truth").glob("*.json"))
    return _each(gold, partial(_wcxb_page, folder))


def _wcxb_page(folder: Path, path: Path) -> Example:
    row = _json(path)
    with _located(path, "line 1"):
        gold = row.get("ground_truth")
        if not isinstance(gold, dict):
            raise DatasetError("field 'ground_truth' is missing or no object")
        internal = row.get("_internal")
        kind = internal.get("page_type") if isinstance(internal, dict) else None
        return _article(
            gold,
            text=required(gold, "main_content"),
            id=str(row.get("file_id") or path.stem),
            dataset=f"wcxb-{folder.name}",
            html=read_bytes(_page_beside(folder / "html", path.stem, path)),
            url=optional(row, "url"),
            split=folder.name,
            page_type=optional(kind, "primary") if isinstance(kind, dict) else None,
            expected_markdown=optional(gold, "main_content_markdown"),
        )


# --- Scrapinghub ----------------------------------------------------------------------------


def _scrapinghub(folder: Path) -> Iterator[Entry]:
    """Scrapinghub: ground-truth.json, id to articleBody and url; html/<id>.html.gz."""
    path = folder / "ground-truth.json"
    try:
        rows = _json(path)
    except DatasetError as error:
        yield error
        return
    yield from _each(rows.items(), partial(_scrapinghub_page, folder, path))


def _scrapinghub_page(folder: Path, path: Path, entry: tuple[str, Any]) -> Example:
    name, row = entry
    with _located(path, f"entry {name!r}"):
        if not isinstance(row, dict):
            raise DatasetError("it is no object")
        html = read_bytes(_page_beside(folder / "html", name, path))
        text, url = required(row, "articleBody"), optional(row, "url")
        return _article(row, id=name, dataset="scrapinghub", html=html, text=text, url=url)


# --- Dragnet --------------------------------------------------------------------------------

# The line is typed by hand; some files have one space or a character less than the others.
_COMMENTS = re.compile(r"^[!@#$%^&*() \t]{6,}COMMENTS[ \t]*\r?$", re.MULTILINE)


def _dragnet(folder: Path) -> Iterator[Entry]:
    """Dragnet: HTML/X.html, Corrected/X.html.corrected.txt, comments after a line of their own."""
    gold = sorted((folder / "Corrected").glob("*.corrected.txt"))
    return _each(gold, partial(_dragnet_page, folder))


def _dragnet_page(folder: Path, path: Path) -> Example:
    name = path.name.removesuffix(".corrected.txt").removesuffix(".html")
    article, *comments = _COMMENTS.split(read_text(path), maxsplit=1)
    return Example(
        id=name,
        dataset="dragnet",
        html=read_bytes(_page_beside(folder / "HTML", name, path)),
        text=article.strip(),
        comments="".join(comments).strip() or None,
    )


# --- CleanEval, CleanPortalEval -------------------------------------------------------------

_PAGE_FOLDERS = ("en_original", "finalrun-input", "input")
_GOLD_FOLDERS = ("en_cleaned", "GoldStandard", "gold_std")
_URL = re.compile(r"^\s*URL:[ \t]*(\S*)[^\n]*\n?")
_TAG = re.compile(r"^[ \t]*<(?:h|p|l)>[ \t]*", re.MULTILINE | re.IGNORECASE)
_WRAPPER = re.compile(rb"^\s*<text id=\"([^\"]*)\"")


def _cleaneval(folder: Path) -> Iterator[Entry]:
    """CleanEval and CleanPortalEval: a folder of pages, one of gold with <h>, <p>, <l> tags."""
    pages = next(folder / name for name in _PAGE_FOLDERS if (folder / name).is_dir())
    gold = next(folder / name for name in _GOLD_FOLDERS if (folder / name).is_dir())
    return _each(sorted(gold.glob("*.txt")), partial(_cleaneval_page, folder, pages))


def _cleaneval_page(folder: Path, pages: Path, path: Path) -> Example:
    name = path.stem.removesuffix("-cleaned")
    page = read_bytes(_page_beside(pages, name, path))
    gold = read_text(path)
    address = _URL.match(gold)
    wrapper = _WRAPPER.match(page)
    url = address[1] if address else wrapper[1].decode("utf-8", "replace") if wrapper else None
    text = _TAG.sub("", gold[address.end() :] if address else gold)
    return Example(
        id=name,
        dataset=folder.resolve().name.lower(),
        html=page,
        text=html.unescape(text).strip(),
        url=url or None,
        site=host_of(url or "") or None,
    )


# --- L3S-GN1 --------------------------------------------------------------------------------

_HEADLINE, _FULL_TEXT, _SUPPLEMENTAL, _COMMENT = "1", "2", "3", "5"
_ADDRESS = re.compile(r"([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\S*\s+.*?(https?://\S+)")


def _l3s_gn1(folder: Path) -> Iterator[Entry]:
    """L3S-GN1: original/X.html and annotated/X.html with spans of class x-nc-selN."""
    mapping = folder / "url-mapping.txt"
    lines = read_text(mapping) if mapping.exists() else ""
    urls = {match[1]: match[2] for match in _ADDRESS.finditer(lines)}
    return _each(
        sorted((folder / "annotated").glob("*.html")), partial(_l3s_gn1_page, folder, urls)
    )


def _l3s_gn1_page(folder: Path, urls: Mapping[str, str], path: Path) -> Example:
    url = urls.get(path.stem)
    annotated = read_text(path)
    return Example(
        id=path.stem,
        dataset="l3s-gn1",
        html=read_bytes(_page_beside(folder / "original", path.stem, path)),
        text=selected_text(annotated, _HEADLINE + _FULL_TEXT + _SUPPLEMENTAL),
        comments=selected_text(annotated, _COMMENT) or None,
        annotated=annotated,
        url=url,
        site=host_of(url or "") or None,
    )


def selected_text(annotated: str, labels: str) -> str:
    """The text of an annotated page of L3S-GN1 that has one of the labels, one line per span."""
    parser = _Selection(labels)
    parser.feed(annotated)
    parser.close()
    lines = (" ".join("".join(line).split()) for line in parser.lines)
    return "\n".join(line for line in lines if line)


class _Selection(HTMLParser):
    """Collects the text of the spans whose class is x-nc-sel and one of the labels."""

    def __init__(self, labels: str) -> None:
        super().__init__(convert_charrefs=True)
        self.labels = labels
        self.lines: list[list[str]] = []
        self._spans: list[str] = []
        self._silent = 0

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        if tag in ("script", "style"):
            self._silent += 1
        if tag != "span":
            return
        label = re.search(r"x-nc-sel(\d)", dict(attributes).get("class") or "")
        self._spans.append(label[1] if label else self._spans[-1] if self._spans else "0")
        if label:
            self.lines.append([])

    def handle_endtag(self, tag: str) -> None:
        if tag in ("script", "style"):
            self._silent = max(0, self._silent - 1)
        if tag == "span" and self._spans:
            self._spans.pop()

    def handle_data(self, data: str) -> None:
        if not self._silent and self._spans and self._spans[-1] in self.labels:
            self.lines[-1].append(data)


_LAYOUTS: tuple[tuple[Reader, tuple[tuple[str, ...], ...]], ...] = (
    (_scrapinghub, (("ground-truth.json",), ("html",))),
    (_wcxb, (("ground-truth",), ("html",))),
    (_dragnet, (("HTML",), ("Corrected",))),
    (_l3s_gn1, (("original",), ("annotated",))),
    (_cleaneval, (_PAGE_FOLDERS, _GOLD_FOLDERS)),
)
