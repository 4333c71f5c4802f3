"""What the readers of all layouts need: files, their errors, and gold under the usual names."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, TypeVar

from tamis.errors import DatasetError
from tamis.labels.datasets import Entry, Example, get_optional, get_snippets, read_bytes
from tamis.page.addresses import find_host

T = TypeVar("T")


def each(sources: Iterable[T], make: Callable[[T], Example]) -> Iterator[Entry]:
    """What `make` makes of each source, or the error in its place."""
    for source in sources:
        try:
            yield make(source)
        except DatasetError as error:
            yield error


@contextlib.contextmanager
def locate_errors(path: Path, place: str) -> Iterator[None]:
    """Errors inside name the file and the place, unless they name the file already."""
    try:
        yield
    except DatasetError as error:
        if str(path) in str(error):
            raise
        raise DatasetError(f"{path}, {place}: {error}") from error


def read_json(path: Path) -> dict[str, Any]:
    """The JSON object of a file."""
    try:
        value = json.loads(read_bytes(path))
    except (ValueError, RecursionError) as error:
        line = getattr(error, "lineno", 1)
        raise DatasetError(f"{path}, line {line}: not valid JSON ({error})") from error
    if not isinstance(value, dict):
        raise DatasetError(f"{path}, line 1: a JSON {type(value).__name__}, not an object")
    return value


def page_beside(folder: Path, name: str, needed_by: Path) -> Path:
    """The page of that name, packed or not."""
    for path in (folder / f"{name}.html.gz", folder / f"{name}.html", folder / f"{name}.htm"):
        if path.exists():
            return path
    raise DatasetError(
        f"{needed_by}: its page {folder / name}.html or .html.gz is missing; get the set again"
    )


def article(gold: dict[str, Any], *, url: str | None, **more: Any) -> Example:
    """A page whose gold has snippets, title, author and date under the usual names."""
    return Example(
        url=url,
        site=find_host(url or "") or None,
        with_=get_snippets(gold, "with"),
        without=get_snippets(gold, "without"),
        title=get_optional(gold, "title"),
        author=get_optional(gold, "author"),
        date=get_optional(gold, "publish_date") or get_optional(gold, "date"),
        **more,
    )


def rows_of(path: Path, make: Callable[[Path, str, dict[str, Any]], Example]) -> Iterator[Entry]:
    """What `make` makes of each entry of a file that has one object with an object per page."""
    try:
        rows = read_json(path)
    except DatasetError as error:
        yield error
        return

    def page(entry: tuple[str, Any]) -> Example:
        name, row = entry
        with locate_errors(path, f"entry {name!r}"):
            if not isinstance(row, dict):
                raise DatasetError("it is no object")
            return make(path, name, row)

    yield from each(rows.items(), page)
