"""The folders in which the authors of public data sets publish them."""

from __future__ import annotations

import html
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import partial
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
from tamis.errors import DatasetError
from tamis.labels.datasets import (
    Entry,
    Example,
    get_optional,
    get_required,
    read_bytes,
    read_text,
)
from tamis.page.addresses import find_host

# --- WCXB -----------------------------------------------------------------------------------


def wcxb(folder: Path) -> Iterator[Entry]:
    """WCXB: ground-truth/0001.json with `ground_truth` in it, html/0001.html.gz."""
    gold = sorted((folder / "ground-truth").glob("*.json"))
    return each(gold, partial(_wcxb_page, folder))


def _wcxb_page(folder: Path, path: Path) -> Example:
    row = read_json(path)
    with locate_errors(path, "line 1"):
        gold = row.get("ground_truth")
        if not isinstance(gold, dict):
            raise DatasetError("field 'ground_truth' is missing or no object")
        internal = row.get("_internal")
        kind = internal.get("page_type") if isinstance(internal, dict) else None
        return article(
            gold,
            text=get_required(gold, "main_content"),
            id=str(row.get("file_id") or path.stem),
            dataset=f"wcxb-{folder.name}",
            html=read_bytes(page_beside(folder / "html", path.stem, path)),
            url=get_optional(row, "url"),
            split=folder.name,
            page_type=get_optional(kind, "primary") if isinstance(kind, dict) else None,
            expected_markdown=get_optional(gold, "main_content_markdown"),
        )


# --- Scrapinghub ----------------------------------------------------------------------------


def scrapinghub(folder: Path) -> Iterator[Entry]:
    """Scrapinghub: ground-truth.json, id to articleBody and url; html/<id>.html.gz."""
    return rows_of(folder / "ground-truth.json", partial(_article_page, "scrapinghub"))


def news2023(folder: Path) -> Iterator[Entry]:
    """Article extraction dataset: articles.json, id to articleBody, title, authors, date, url."""
    return rows_of(folder / "articles.json", partial(_article_page, "news2023", kind="article"))


def _article_page(
    dataset: str, path: Path, name: str, row: dict[str, Any], *, kind: str | None = None
) -> Example:
    html = read_bytes(page_beside(path.parent / "html", name, path))
    text, url = get_required(row, "articleBody"), get_optional(row, "url")
    gold = {**row, "author": row.get("author", row.get("authors")) or None}
    return article(gold, id=name, dataset=dataset, html=html, text=text, url=url, page_type=kind)


# --- Dragnet --------------------------------------------------------------------------------

# The line is typed by hand; some files have one space or a character less than the others.
_COMMENTS = re.compile(r"^[!@#$%^&*() \t]{6,}COMMENTS[ \t]*\r?$", re.MULTILINE)


def dragnet(folder: Path) -> Iterator[Entry]:
    """Dragnet: HTML/X.html, Corrected/X.html.corrected.txt, comments after a line of their own."""
    gold = sorted((folder / "Corrected").glob("*.corrected.txt"))
    splits: dict[str, str] = {}
    for split, names in (("train", folder / "training.txt"), ("test", folder / "test.txt")):
        if names.exists():
            splits |= dict.fromkeys(map(_file_root, read_text(names).split()), split)
    return each(gold, partial(_dragnet_page, folder, splits))


def _file_root(name: str) -> str:
    return name.removesuffix(".corrected.txt").removesuffix(".html")


def _dragnet_page(folder: Path, splits: Mapping[str, str], path: Path) -> Example:
    name = _file_root(path.name)
    main, *comments = _COMMENTS.split(read_text(path), maxsplit=1)
    return Example(
        id=name,
        dataset="dragnet",
        html=read_bytes(page_beside(folder / "HTML", name, path)),
        text=main.strip(),
        split=splits.get(name),
        comments="".join(comments).strip() or None,
    )


# --- CleanEval, CleanPortalEval -------------------------------------------------------------

PAGE_FOLDERS = ("en_original", "finalrun-input", "input")
GOLD_FOLDERS = ("en_cleaned", "GoldStandard", "gold_std")
_URL = re.compile(r"^\s*URL:[ \t]*(\S*)[^\n]*\n?")
_TAG = re.compile(r"^[ \t]*<(?:h|p|l)>[ \t]*", re.MULTILINE | re.IGNORECASE)
_WRAPPER = re.compile(rb"^\s*<text id=\"([^\"]*)\"")


def cleaneval(folder: Path) -> Iterator[Entry]:
    """CleanEval and CleanPortalEval: a folder of pages, one of gold with <h>, <p>, <l> tags."""
    pages = next(folder / name for name in PAGE_FOLDERS if (folder / name).is_dir())
    gold = next(folder / name for name in GOLD_FOLDERS if (folder / name).is_dir())
    return each(sorted(gold.glob("*.txt")), partial(_cleaneval_page, folder, pages))


def _cleaneval_page(folder: Path, pages: Path, path: Path) -> Example:
    name = path.stem.removesuffix("-cleaned")
    page = read_bytes(page_beside(pages, name, path))
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
        site=find_host(url or "") or None,
    )


# --- Big9 -----------------------------------------------------------------------------------

# The authors name the pages by their subject, not by their site: it is the one that is linked most,
# also through the archive of the web. That gives the site of each of the 360 pages.
_BIG9_LINK = re.compile(
    rb"https?:/?/(?:[\w-]+\.)*"
    rb"((?:arstechnica|cnn|forbes|foxnews|latimes|nymag|nypost|yahoo)\.com|bbc\.co\.uk)\b",
    re.IGNORECASE,
)


def big9(folder: Path) -> Iterator[Entry]:
    """Big9: a folder per year, big5-05 to big5-17, with gold/NAME.txt and html/NAME.htm."""
    return each(sorted(folder.glob("big5-*/gold/*.txt")), _big9_page)


def _big9_page(path: Path) -> Example:
    year = path.parent.parent
    page = read_bytes(page_beside(year / "html", path.stem, path))
    links = Counter(match[1].decode().lower() for match in _BIG9_LINK.finditer(page))
    site = max(links, key=lambda name: links[name], default=None)
    return Example(
        id=f"{year.name}/{path.stem}",
        dataset="big9",
        split=year.name,
        html=page,
        text=read_text(path),
        site="news.yahoo.com" if site == "yahoo.com" else site,
    )
