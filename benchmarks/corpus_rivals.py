"""WARC to Parquet with other libraries, as people write it: the rivals of benchmarks/corpus.py.

    python benchmarks/corpus_rivals.py resiliparse pages.warc.gz out/ --processes 2 --middle 12345
    python benchmarks/corpus_rivals.py trafilatura pages.warc.gz out/ --processes 2

resiliparse reads with fastwarc; two processes read a half each, the second from the byte
`--middle`, where a record begins. trafilatura gets its pages from a pool. Neither watches a page,
and neither can go on after it was killed.
"""

from __future__ import annotations

import logging
import multiprocessing
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import script
from fastwarc.warc import ArchiveIterator, WarcRecordType

GROUP_ROWS = 10_000
COLUMNS = pa.schema([("id", pa.string()), ("url", pa.string()), ("text", pa.string())])


def pages(warc: Path, start: int, end: int | None) -> Iterator[tuple[str, str, bytes, str]]:
    """Id, address, body and encoding of the responses that begin in a range of bytes."""
    with warc.open("rb") as file:
        file.seek(start)
        for record in ArchiveIterator(file, record_types=WarcRecordType.response, parse_http=True):
            if end is not None and start + record.stream_pos >= end:
                return
            url = record.headers["WARC-Target-URI"]
            yield record.record_id or "", url, record.reader.read(), record.http_charset or "utf-8"


def write(rows: Iterable[tuple[str, str, str]], target: Path) -> None:
    """Rows to a Parquet file."""
    with pq.ParquetWriter(target, COLUMNS, compression="zstd") as writer:
        group = []
        for row in rows:
            group.append(row)
            if len(group) == GROUP_ROWS:
                writer.write_table(_table(group))
                group = []
        if group:
            writer.write_table(_table(group))


def _table(group: list[tuple[str, str, str]]) -> Any:
    return pa.table(list(zip(*group, strict=True)), schema=COLUMNS)


def resiliparse(warc: Path, start: int, end: int | None, target: Path) -> None:
    """The main content by resiliparse's rules."""
    from resiliparse.extract.html2text import extract_plain_text
    from resiliparse.parse.html import HTMLTree

    write(
        (
            (
                name,
                url,
                extract_plain_text(
                    HTMLTree.parse_from_bytes(body, encoding=encoding), main_content=True
                ),
            )
            for name, url, body, encoding in pages(warc, start, end)
        ),
        target,
    )


def trafilatura_text(page: tuple[str, str, bytes, str]) -> tuple[str, str, str]:
    """What trafilatura keeps of a page, with its defaults."""
    from trafilatura import extract

    logging.disable(logging.CRITICAL)
    name, url, body, encoding = page
    return name, url, extract(body.decode(encoding, "replace")) or ""


def main() -> None:
    """Parse the command line and run."""
    parser = script.parser(__doc__, shared=False)
    parser.add_argument("rival", choices=["resiliparse", "trafilatura"])
    parser.add_argument("warc", type=Path)
    parser.add_argument("output", type=Path)
    parser.add_argument("--processes", type=int, choices=[1, 2], default=1)
    parser.add_argument("--middle", type=int)
    arguments = parser.parse_args()
    arguments.output.mkdir(parents=True)
    first, second = (arguments.output / f"part-{number}.parquet" for number in (0, 1))
    if arguments.rival == "trafilatura":
        with multiprocessing.Pool(arguments.processes) as pool:
            texts = pool.imap(trafilatura_text, pages(arguments.warc, 0, None), chunksize=8)
            write(texts, first)
    elif arguments.processes == 1:
        resiliparse(arguments.warc, 0, None, first)
    else:
        half = (arguments.warc, 0, arguments.middle, first)
        process = multiprocessing.Process(target=resiliparse, args=half)
        process.start()
        resiliparse(arguments.warc, arguments.middle, None, second)
        process.join()
        raise SystemExit(process.exitcode)


if __name__ == "__main__":
    main()
