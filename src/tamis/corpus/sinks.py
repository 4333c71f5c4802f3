"""Where rows go: Parquet, JSON lines or WET, one file a shard, whole or absent.

The same rows give the same bytes: no clock, no random number goes into a file.
"""

from __future__ import annotations

import gzip
import json
import re
from base64 import b32encode
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from datetime import UTC, datetime
from hashlib import sha1
from io import BufferedReader
from types import NoneType, UnionType
from typing import Any, BinaryIO, Protocol, cast, get_args, get_type_hints
from urllib.parse import quote
from uuid import NAMESPACE_URL, uuid5

from tamis import __version__
from tamis.corpus.folder import Folder, OutputFile
from tamis.corpus.records import Refused
from tamis.corpus.rows import SCHEMA, Row, in_order
from tamis.errors import InputError, TamisError

GROUP_ROWS = 10_000
"""Most rows of a row group of Parquet."""
GROUP_BYTES = 64 * 1024 * 1024
"""Bytes of text, Markdown and HTML at which a row group ends: they are in memory until then."""

# Rows that become columns at once. As such they take half the memory: 320 MB instead of 600 MB for
# the whole process, and the same from the first group to the last.
_BATCH_ROWS = 256

# Columns with few different values.
_REPETITIVE = (
    "source", "authors.list.element", "site_name", "language", "page_type", "encoding", "embedded",
)  # fmt: skip
# Columns that are asked for by a range or a value: the others need no minimum and maximum.
_SOUGHT = ("fetched", "published", "language", "page_type", "overview", "probability", "words")

# WARC-Date must be there. The time of the run would make each run's file another, so what has no
# date has one that nobody takes for a real one.
_NO_DATE = datetime(1970, 1, 1, tzinfo=UTC)
_BREAKING = re.compile(r"[\x00-\x20\x7f]")

# Level 6, the usual, makes records 2% and lines 4% smaller, in 1.6 and 2.7 times the time.
_GZIP_LEVEL = 4


class _Writer(Protocol):
    """Rows to bytes, in one format."""

    def write(self, row: Row, size: int) -> None:
        """Append a row of so many bytes of text."""

    def finish(self) -> None:
        """Write what is left."""


class _Output:
    """A file that is being written."""

    def __init__(self, file: OutputFile) -> None:
        self._file = file

    @property
    def name(self) -> str:
        """The name of the file in its folder."""
        return self._file.name

    @property
    def digest(self) -> str:
        """BLAKE2b of the file, once it is closed."""
        return self._file.digest

    @property
    def size(self) -> int:
        """Bytes of the file, once it is closed."""
        return self._file.size


class Sink(_Output):
    """A file of rows."""

    def __init__(self, file: OutputFile, writer: _Writer) -> None:
        super().__init__(file)
        self._writer = writer
        self.rows = 0

    def write(self, row: Row) -> None:
        """Append a row; what is no Unicode in it (lone surrogates) is replaced by U+FFFD."""
        try:
            size = _encoded_size(row)
        except UnicodeEncodeError:
            row = Row(*map(_replaced, row))
            size = _encoded_size(row)
        self._writer.write(row, size)
        self.rows += 1


@contextmanager
def sink(format: str, folder: Folder, stem: str, fields: Sequence[str]) -> Iterator[Sink]:
    """Write rows to a file of the folder that appears when the block ends, and only then.

    `format` is one of `FORMATS`; `fields` are the columns, which WET has none of.
    """
    if format not in FORMATS:
        raise InputError(f"unknown format {format!r}; choose one of {', '.join(FORMATS)}")
    suffix, writer = FORMATS[format]
    with folder.writing(stem + suffix) as file:
        opened = writer(file, in_order(fields))
        yield Sink(file, opened)
        opened.finish()


class Rejects(_Output):
    """A file of the records that gave no row."""

    def __init__(self, file: OutputFile, lines: _Lines) -> None:
        super().__init__(file)
        self._lines = lines

    def write(self, refused: Refused) -> None:
        """Append a record."""
        self._lines.put({name: _replaced(value) for name, value in asdict(refused).items()})


@contextmanager
def rejects(folder: Folder, stem: str) -> Iterator[Rejects]:
    """Write `STEM.rejects.jsonl.gz`, like `sink`."""
    with folder.writing(f"{stem}.rejects.jsonl.gz") as file:
        lines = _Lines(_gzipped(file))
        yield Rejects(file, lines)
        lines.finish()


def read_rows(folder: Folder, name: str) -> Iterator[Row]:
    """The rows of a file that a sink wrote; of WET there are none to be read."""
    try:
        with folder.reading(name) as file:
            for values in (_read_parquet if name.endswith(".parquet") else _read_lines)(file, name):
                known = {key: value for key, value in values.items() if key in Row._fields}
                if "authors" in known:
                    known["authors"] = tuple(known["authors"])
                yield Row(**known)
    except TamisError:
        raise
    except Exception as error:  # each format has its own for a damaged file
        reason = " ".join(str(error).split())
        raise InputError(
            f"{folder.path(name)}: damaged ({reason}); remove it and run the same command again"
        ) from error


def _encoded_size(row: Row) -> int:
    return sum(
        len(part.encode())
        for value in row
        for part in (value if isinstance(value, tuple) else (value,))
        if isinstance(part, str)
    )


def _replaced(value: Any) -> Any:
    if isinstance(value, tuple):
        return tuple(map(_replaced, value))
    if isinstance(value, str):
        return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return value


def _instant(time: datetime) -> str:
    aware = time if time.tzinfo else time.replace(tzinfo=UTC)
    return aware.astimezone(UTC).isoformat().replace("+00:00", "Z")


_JSON = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), default=_instant)


@contextmanager
def _needed(format: str) -> Iterator[None]:
    """Say what is missing where a library of the extra is imported."""
    try:
        yield
    except ImportError as error:
        raise InputError(f"{format} needs {error.name}: pip install 'tamis[corpus]'") from error


# Parquet


def parquet_schema(fields: Sequence[str]) -> Any:
    """The columns as pyarrow has them."""
    import pyarrow as pa

    types = {
        str: pa.string(),
        int: pa.int64(),
        float: pa.float64(),
        datetime: pa.timestamp("us", tz="UTC"),
        tuple[str, ...]: pa.list_(pa.field("element", pa.string(), nullable=False)),
    }
    hints = get_type_hints(Row)
    columns = []
    for name in in_order(fields):
        kinds = set(get_args(hints[name]) if isinstance(hints[name], UnionType) else [hints[name]])
        (kind,) = kinds - {NoneType}
        columns.append(pa.field(name, types[kind], nullable=NoneType in kinds))
    return pa.schema(columns, {"tamis": __version__, "schema": str(SCHEMA)})


class _Parquet:
    def __init__(self, file: OutputFile, fields: Sequence[str]) -> None:
        with _needed("Parquet"):
            import pyarrow
            import pyarrow.parquet as pq

        self._pyarrow = pyarrow
        self._schema = parquet_schema(fields)
        self._places = [Row._fields.index(name) for name in self._schema.names]
        self._writer = pq.ParquetWriter(
            file,
            self._schema,
            compression="zstd",
            compression_level=3,
            use_dictionary=[path for path in _REPETITIVE if path.partition(".")[0] in fields],
            write_statistics=[name for name in _SOUGHT if name in fields],
        )
        self._rows: list[Row] = []
        self._batches: list[Any] = []
        self._group_rows = self._group_bytes = 0

    def write(self, row: Row, size: int) -> None:
        self._rows.append(row)
        self._group_rows += 1
        self._group_bytes += size
        if len(self._rows) == _BATCH_ROWS:
            self._end_batch()
        if self._group_rows >= GROUP_ROWS or self._group_bytes >= GROUP_BYTES:
            self._end_group()

    def finish(self) -> None:
        self._end_group()
        self._writer.close()

    def _end_batch(self) -> None:
        columns = list(zip(*self._rows, strict=True))
        chosen = [columns[place] for place in self._places]
        self._batches.append(self._pyarrow.record_batch(chosen, schema=self._schema))
        self._rows = []

    def _end_group(self) -> None:
        if self._rows:
            self._end_batch()
        if self._batches:
            group = self._pyarrow.Table.from_batches(self._batches)
            self._writer.write_table(group, self._group_rows)
        self._batches = []
        self._group_rows = self._group_bytes = 0


def _read_parquet(file: BinaryIO, name: str) -> Iterator[dict[str, Any]]:
    with _needed("Parquet"):
        import pyarrow.parquet as pq

    for batch in pq.ParquetFile(file).iter_batches(batch_size=256):
        yield from batch.to_pylist()


# JSON lines


class _Lines:
    """Objects as JSON, one a line."""

    def __init__(self, stream: Any, fields: Sequence[str] = ()) -> None:
        self._stream = stream
        self._fields = fields

    def write(self, row: Row, size: int) -> None:
        self.put({name: getattr(row, name) for name in self._fields})

    def put(self, values: dict[str, Any]) -> None:
        self._stream.write(_JSON.encode(values).encode() + b"\n")

    def finish(self) -> None:
        if not isinstance(self._stream, OutputFile):
            self._stream.close()


def _gzipped(file: OutputFile) -> gzip.GzipFile:
    return gzip.GzipFile("", "wb", _GZIP_LEVEL, cast(BinaryIO, file), mtime=0)


def _zstd(file: OutputFile) -> Any:
    with _needed("zstd"):
        import zstandard

    compressor = zstandard.ZstdCompressor(write_checksum=True)
    return compressor.stream_writer(cast(BinaryIO, file), closefd=False)


def _read_lines(file: BinaryIO, name: str) -> Iterator[dict[str, Any]]:
    stream: Any = file
    if name.endswith(".gz"):
        stream = gzip.GzipFile(fileobj=file)
    elif name.endswith(".zst"):
        with _needed("zstd"):
            import zstandard

        stream = BufferedReader(zstandard.ZstdDecompressor().stream_reader(file))
    for line in stream:
        values = json.loads(line)
        if values.get("fetched"):
            values["fetched"] = datetime.fromisoformat(values["fetched"])
        yield values


# WET


class _Wet:
    """The text as `conversion` records of WARC, like the WET files of Common Crawl."""

    def __init__(self, file: OutputFile, fields: Sequence[str]) -> None:
        self._file = file
        about = f"software: tamis {__version__}\r\nformat: WARC File Format 1.0\r\n"
        self._put("warcinfo", file.name, _NO_DATE, "application/warc-fields", about, {})

    def write(self, row: Row, size: int) -> None:
        found = re.fullmatch(r"<?(urn:[^<>\s]+)>?", row.id)
        headers = {
            "WARC-Target-URI": row.url or f"file:{quote(row.id)}",
            "WARC-Refers-To": f"<{found[1]}>" if found else "",
            "WARC-Identified-Content-Language": row.language,
        }
        seed = f"{row.source}\n{row.id}"
        self._put("conversion", seed, row.fetched or _NO_DATE, "text/plain", row.text, headers)

    def finish(self) -> None:
        pass

    def _put(
        self, kind: str, seed: str, date: datetime, form: str, text: str, more: dict[str, str]
    ) -> None:
        block = text.encode()
        headers = {
            "WARC-Type": kind,
            "WARC-Record-ID": f"<{uuid5(NAMESPACE_URL, seed).urn}>",
            "WARC-Date": _instant(date.replace(microsecond=0)),
            **more,
            "WARC-Block-Digest": f"sha1:{b32encode(sha1(block).digest()).decode()}",
            "Content-Type": form,
            "Content-Length": str(len(block)),
        }
        lines = [
            f"{name}: {_BREAKING.sub(lambda found: quote(found[0]), value)}\r\n"
            for name, value in headers.items()
            if value
        ]
        record = b"".join((f"WARC/1.0\r\n{''.join(lines)}\r\n".encode(), block, b"\r\n\r\n"))
        self._file.write(gzip.compress(record, _GZIP_LEVEL, mtime=0))


FORMATS: dict[str, tuple[str, Callable[[OutputFile, Sequence[str]], _Writer]]] = {
    "parquet": (".parquet", _Parquet),
    "jsonl": (".jsonl", _Lines),
    "jsonl.gz": (".jsonl.gz", lambda file, fields: _Lines(_gzipped(file), fields)),
    "jsonl.zst": (".jsonl.zst", lambda file, fields: _Lines(_zstd(file), fields)),
    "wet": (".warc.wet.gz", _Wet),
}
"""For each format the end of the names of its files, and what writes it."""
