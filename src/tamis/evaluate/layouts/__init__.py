"""The folders in which public data sets, and the test pages of other libraries, are published.

Each reader says what the folder looks like; `read_folder` takes the first one whose files are
there. Pages stay bytes: finding out their encoding is part of the task.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from itertools import chain
from pathlib import Path

from tamis.errors import DatasetError
from tamis.evaluate.datasets import Entry, name_of
from tamis.evaluate.layouts import sets, suites
from tamis.evaluate.layouts.reading import each

Reader = Callable[[Path], Iterator[Entry]]


def read_folder(folder: Path) -> Iterator[Entry]:
    """Read a folder in the layout that is recognised from its content."""
    for reader, needed in _LAYOUTS:
        if all(any((folder / name).exists() for name in names) for names in needed):
            return reader(folder)
    # WCXB as a whole: one folder per split.
    splits = [path for path in sorted(folder.iterdir()) if (path / "ground-truth").is_dir()]
    if splits:
        return chain.from_iterable(map(sets.wcxb, splits))
    if golds := [path for path in sorted(folder.glob("*.txt")) if sets.pages_beside(path)]:
        return each(golds, partial(sets.pair, name_of(folder)))
    known = "; ".join(
        f"{reader.__name__}: {' and '.join('|'.join(names) for names in needed)}"
        for reader, needed in _LAYOUTS
    )
    raise DatasetError(
        f"{folder}: no known layout of a data set. The known ones have {known}; or NAME.txt beside"
        " NAME.html"
    )


_LAYOUTS: tuple[tuple[Reader, tuple[tuple[str, ...], ...]], ...] = (
    (sets.scrapinghub, (("ground-truth.json",), ("html",))),
    (sets.news2023, (("articles.json",), ("html",))),
    (sets.wcxb, (("ground-truth",), ("html",))),
    (sets.dragnet, (("HTML",), ("Corrected",))),
    (sets.l3s_gn1, (("original",), ("annotated",))),
    (sets.big9, (("big5-05",), ("big5-17",))),
    (sets.cleaneval, (sets.PAGE_FOLDERS, sets.GOLD_FOLDERS)),
    (suites.trafilatura, (("evaldata.json",), ("eval",))),
    (suites.defuddle, (("fixtures",), ("expected",))),
    (suites.newspaper, (("html",), ("txt",), ("metadata",))),
    (suites.fundus, (("at/meta.info",), ("us/meta.info",))),
    (suites.recipe_scrapers, (("15gram.be",), ("addapinch.com",))),
    (suites.readability, (("001/expected.html",), ("001/source.html",))),
)
