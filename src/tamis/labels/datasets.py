"""Pages with gold: our JSON lines, exports of Label Studio, folders of pages and texts.

`read` recognises the format from the name of a file. Input that cannot be read is a `DatasetError`
that names file, line and field.
"""

from __future__ import annotations

import contextlib
import gzip
import hashlib
import heapq
import json
import lzma
import os
import warnings
import zlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import IO, Any

from tamis._runtime import storage
from tamis.errors import DatasetError

SUFFIXES = (".jsonl", ".jsonl.xz", ".jsonl.gz")
DATASETS = "datasets"
"""The folder of the sets in a data folder."""
OnError = Callable[[DatasetError], None]

KINDS = ("main", "title", "comments", "navigation", "promotion", "other")
"""What a person says a part of a page is."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BlockLabel:
    """What a person said of a part of a page: all below an element, or the text between offsets."""

    kind: str
    """One of `KINDS`."""
    xpath: str | None = None
    """The element; with offsets it says where they must be, so that a changed page is noticed."""
    start: int | None = None
    """Where the part begins in the source, in bytes of UTF-8."""
    end: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """One page with its gold. What a set does not have is None or ()."""

    id: str
    dataset: str
    html: str | bytes
    text: str | None = None
    """Gold: the main content as plain text."""
    split: str | None = None
    url: str | None = None
    site: str | None = None
    page_type: str | None = None
    with_: tuple[str, ...] = ()
    """Snippets that must be in the output; the field is called `with` in a file."""
    without: tuple[str, ...] = ()
    """Snippets that must not be in the output."""
    title: str | None = None
    author: str | None = None
    date: str | None = None
    comments: str | None = None
    annotated: str | None = None
    """The page with the annotators' classes around its text, in L3S-GN1 alone."""
    expected_html: str | None = None
    expected_markdown: str | None = None
    lang: str | None = None
    blocks: tuple[BlockLabel, ...] = ()
    """Labels of parts of the page. Of two for the same text the later one holds; text without one
    is not content."""


Entry = Example | DatasetError


def read(
    path: str | Path, *, keep_going: bool = False, on_error: OnError | None = None
) -> Iterator[Example]:
    """Read a data set, one example at a time.

    `path` is a .jsonl, .jsonl.xz or .jsonl.gz file, ours or that of WebMainBench, a .json file that
    Label Studio exported, or a folder with the gold text of NAME.html in NAME.txt.

    A broken entry ends the reading with a `DatasetError`. With `keep_going` the rest is still read
    and `on_error` gets each error; without `on_error` one warning at the end counts them.
    """
    return skip_errors(read_entries(Path(path)), path, keep_going=keep_going, on_error=on_error)


def skip_errors(
    entries: Iterable[Entry],
    path: str | Path,
    *,
    keep_going: bool,
    on_error: OnError | None,
) -> Iterator[Example]:
    """Give the examples among the entries, and deal with the errors as `read` says."""
    errors: list[DatasetError] = []
    for entry in entries:
        if not isinstance(entry, DatasetError):
            yield entry
        elif not keep_going:
            raise entry
        else:
            (on_error or errors.append)(entry)
    if errors:
        warnings.warn(
            f"{path}: {len(errors):,} broken entries were left out; the first: {errors[0]}",
            stacklevel=2,
        )


def name_of(path: str | Path) -> str:
    """The name of a set: of its file without the suffix, or of its folder."""
    path = Path(path)
    for suffix in (*sorted(SUFFIXES, key=len, reverse=True), ".json"):
        if path.name.endswith(suffix):
            return path.name.removesuffix(suffix)
    return path.resolve().name


def data_folder() -> Path:
    """Where public data sets are kept: $TAMIS_DATA, else this system's place for data."""
    if chosen := os.environ.get("TAMIS_DATA"):
        return Path(chosen)
    return storage.find_user_folder("XDG_DATA_HOME", ".local/share", "Application Support")


def sample(examples: Iterable[Example], count: int | None) -> list[Example]:
    """Choose `count` examples by the hash of their ids: the same ones on every run."""
    if count is None:
        return list(examples)
    return heapq.nsmallest(count, examples, key=lambda example: hash_of(example.id))


def hash_of(name: str) -> bytes:
    """What decides which pages are in a sample or in a half: the same on every run."""
    return hashlib.sha256(name.encode("utf-8", "surrogatepass")).digest()


def read_entries(path: Path) -> Iterator[Entry]:
    """Read the examples of a data set, with an error in the place of each that is broken."""
    if path.is_dir():
        return _read_pairs(path)
    if not path.exists():
        raise DatasetError(f"{path}: there is no such file or folder; check the path")
    if path.name.endswith(SUFFIXES):
        return read_lines(path)
    if path.suffix == ".json":
        # Other formats need the labels of blocks, which need this module.
        from tamis.labels import formats

        return formats.read_tasks(path)
    raise DatasetError(
        f"{path}: unknown format of a data set; it can be a {', '.join(SUFFIXES)} file, a .json"
        " file of Label Studio or a folder"
    )


def _read_pairs(folder: Path) -> Iterator[Entry]:
    """Read NAME.html with the gold text in NAME.txt."""
    golds = [path for path in sorted(folder.glob("*.txt")) if find_pages(path)]
    if not golds:
        raise DatasetError(
            f"{folder}: no NAME.html with its gold text in NAME.txt; public data sets become such"
            " files or JSON lines by `python benchmarks/data.py` of the repository of tamis"
        )
    for path in golds:
        try:
            yield Example(
                id=path.stem,
                dataset=name_of(folder),
                html=read_bytes(find_pages(path)[0]),
                text=read_text(path),
            )
        except DatasetError as error:
            yield error


def find_pages(gold: Path) -> list[Path]:
    """Find the page that a gold text belongs to, packed or not."""
    names = (gold.with_suffix(suffix) for suffix in (".html", ".htm", ".html.gz"))
    return [page for page in names if page.exists()]


# --- JSON lines -----------------------------------------------------------------------------

_TEXT_FIELDS = tuple(
    field.name
    for field in fields(Example)
    if field.name not in ("id", "dataset", "html", "with_", "without", "blocks")
)


def read_lines(path: Path) -> Iterator[Entry]:
    number = 0
    try:
        with _open_lines(path) as lines:
            for number, line in enumerate(lines, 1):
                if not line.strip():
                    continue
                try:
                    yield read_line(line, name_of(path))
                except DatasetError as error:
                    yield DatasetError(f"{path}, line {number}: {error}")
    except (OSError, EOFError, lzma.LZMAError, zlib.error) as error:
        yield DatasetError(
            f"{path}, after line {number}: the file is damaged or cut off ({error}); get it again"
        )


def _open_lines(path: Path) -> IO[bytes]:
    if path.suffix == ".xz":
        return lzma.open(path, "rb")
    if path.suffix == ".gz":
        return gzip.open(path, "rb")  # type: ignore[return-value]  # it reads as bytes
    return path.open("rb")


def read_line(line: bytes, dataset: str) -> Example:
    try:
        row = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise DatasetError(f"not valid JSON ({error}); each line must be one object") from error
    if not isinstance(row, dict):
        raise DatasetError(f"a JSON {type(row).__name__}, not an object; each line must be one")
    if "track_id" in row and "id" not in row:
        from tamis.labels import formats

        return formats.read_row(row, dataset)
    return Example(
        id=get_required(row, "id", (str, int)),
        dataset=get_optional(row, "dataset") or dataset,
        html=get_required(row, "html"),
        with_=get_snippets(row, "with"),
        without=get_snippets(row, "without"),
        blocks=_block_labels(row),
        **{name: get_optional(row, name) for name in _TEXT_FIELDS},
    )


def json_line(example: Example) -> str:
    """A page as a line of a data set, what it does not have left out."""
    row = {key.removesuffix("_"): value for key, value in asdict(example).items()}
    row["blocks"] = tuple(map(_without_empty, row["blocks"]))
    return json.dumps(_without_empty(row)) + "\n"


def _without_empty(row: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in row.items() if value is not None and value != ()}


def _block_labels(row: dict[str, Any]) -> tuple[BlockLabel, ...]:
    entries = row.get("blocks")
    if entries is None:
        return ()
    if not isinstance(entries, list):
        raise DatasetError("field 'blocks' is not a list of labels")
    return tuple(map(_block_label, entries))


def _block_label(entry: Any) -> BlockLabel:
    if not isinstance(entry, dict) or entry.get("kind") not in KINDS:
        kind = entry.get("kind") if isinstance(entry, dict) else entry
        raise DatasetError(
            f"field 'blocks': {kind!r} is not a kind; choose from: {', '.join(KINDS)}"
        )
    start: Any = entry.get("start")
    end: Any = entry.get("end")
    if start is None and end is None:
        return BlockLabel(kind=entry["kind"], xpath=get_required(entry, "xpath"))
    if not _is_offset(start) or not _is_offset(end) or start > end:
        raise DatasetError("field 'blocks': `start` and `end` are places in the source, in bytes")
    return BlockLabel(kind=entry["kind"], xpath=get_optional(entry, "xpath"), start=start, end=end)


def _is_offset(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def get_required(row: dict[str, Any], field: str, kinds: tuple[type, ...] = (str,)) -> str:
    if row.get(field) is None:
        raise DatasetError(f"field {field!r} is missing; every page needs it")
    if not isinstance(row[field], kinds) or isinstance(row[field], bool):
        raise DatasetError(f"field {field!r} is a {type(row[field]).__name__}, not text")
    return str(row[field])


def get_optional(row: dict[str, Any], field: str) -> str | None:
    """The text of a field, None if it is not there or null; of a list (authors), all of it."""
    value = row.get(field)
    if isinstance(value, list) and all(isinstance(item, str) for item in value):
        return ", ".join(value) or None
    return None if value is None else get_required(row, field)


def get_snippets(row: dict[str, Any], field: str) -> tuple[str, ...]:
    value = row.get(field)
    if value is None:
        return ()
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise DatasetError(f"field {field!r} is not a list of texts")
    return tuple(value)


def read_bytes(path: Path) -> bytes:
    try:
        data = path.read_bytes()
        return gzip.decompress(data) if path.suffix == ".gz" else data
    except (OSError, EOFError, ValueError, zlib.error) as error:  # a name may have a zero in it
        raise DatasetError(f"{path}: cannot be read ({error})") from error


def read_text(path: Path) -> str:
    """The text of a gold file: UTF-8, or else the code page of Western Windows."""
    data = read_bytes(path)
    with contextlib.suppress(UnicodeDecodeError):
        return data.decode("utf-8-sig")
    return data.decode("cp1252", "replace")
