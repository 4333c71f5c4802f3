"""The folders in which public data sets, and the test pages of other libraries, are published.

Each reader says what the folder looks like; `read_folder` takes the first one whose files are
there. Pages stay bytes: finding out their encoding is part of the task.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import chain
from pathlib import Path

from public_sets import authors, l3s_gn1, suites
from tamis.errors import DatasetError
from tamis.labels import datasets
from tamis.labels.datasets import Entry, Example, OnError

Reader = Callable[[Path], Iterator[Entry]]


def read(path: Path, *, on_error: OnError | None = None) -> Iterator[Example]:
    """Read a set in the layout of its authors, or in a format that tamis reads itself.

    `on_error` gets each entry that is broken; without it, the first one ends the reading.
    """
    entries = read_folder(path) if path.is_dir() else datasets.read_entries(path)
    return datasets.skip_errors(entries, path, keep_going=on_error is not None, on_error=on_error)


def read_folder(folder: Path) -> Iterator[Entry]:
    """Read a folder in the layout that is recognised from its content."""
    for reader, needed in _LAYOUTS:
        if all(any((folder / name).exists() for name in names) for names in needed):
            return reader(folder)
    # WCXB as a whole: one folder per split.
    splits = [path for path in sorted(folder.iterdir()) if (path / "ground-truth").is_dir()]
    if splits:
        return chain.from_iterable(map(authors.wcxb, splits))
    if any(datasets.find_pages(path) for path in folder.glob("*.txt")):
        return datasets.read_entries(folder)
    known = "; ".join(
        f"{reader.__name__}: {' and '.join('|'.join(names) for names in needed)}"
        for reader, needed in _LAYOUTS
    )
    raise DatasetError(
        f"{folder}: no known layout of a data set. The known ones have {known}; or NAME.txt beside"
        " NAME.html"
    )


_LAYOUTS: tuple[tuple[Reader, tuple[tuple[str, ...], ...]], ...] = (
    (authors.scrapinghub, (("ground-truth.json",), ("html",))),
    (authors.news2023, (("articles.json",), ("html",))),
    (authors.wcxb, (("ground-truth",), ("html",))),
    (authors.dragnet, (("HTML",), ("Corrected",))),
    (l3s_gn1.read_l3s_gn1, (("original",), ("annotated",))),
    (authors.big9, (("big5-05",), ("big5-17",))),
    (authors.cleaneval, (authors.PAGE_FOLDERS, authors.GOLD_FOLDERS)),
    (suites.trafilatura, (("evaldata.json",), ("eval",))),
    (suites.defuddle, (("fixtures",), ("expected",))),
    (suites.newspaper, (("html",), ("txt",), ("metadata",))),
    (suites.fundus, (("at/meta.info",), ("us/meta.info",))),
    (suites.recipe_scrapers, (("15gram.be",), ("addapinch.com",))),
    (suites.readability, (("001/expected.html",), ("001/source.html",))),
)
