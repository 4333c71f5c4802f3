"""WET: the text as `conversion` records of WARC, as in the files of Common Crawl."""

from __future__ import annotations

import re
from base64 import b32encode
from collections.abc import Sequence
from datetime import UTC, datetime
from hashlib import sha1
from urllib.parse import quote

from tamis._runtime.version import __version__
from tamis.corpus.folder import OutputFile
from tamis.corpus.formats._base import RowFormat
from tamis.corpus.formats.jsonl import GZIP_LEVEL
from tamis.corpus.formats.warc import packed_record
from tamis.corpus.rows import Row, utc_text

# WARC-Date must be there. The time of the run would make each run's file another, so what has no
# date has one that nobody takes for a real one.
_NO_DATE = datetime(1970, 1, 1, tzinfo=UTC)
_BREAKING = re.compile(r"[\x00-\x20\x7f]")


class _Wet:
    def __init__(self, file: OutputFile, fields: Sequence[str]) -> None:
        self._file = file
        about = f"software: tamis {__version__}\r\nformat: WARC File Format 1.0\r\n"
        self._put("warcinfo", file.name, _NO_DATE, "application/warc-fields", about, {})

    def write(self, row: Row, size: int) -> None:
        urn = re.fullmatch(r"<?(urn:[^<>\s]+)>?", row.id)
        headers = {
            "WARC-Target-URI": row.url or f"file:{quote(row.id)}",
            "WARC-Refers-To": f"<{urn[1]}>" if urn else "",
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
        headers = more | {
            "WARC-Block-Digest": f"sha1:{b32encode(sha1(block).digest()).decode()}",
            "Content-Type": form,
        }
        escaped = {
            name: _BREAKING.sub(lambda character: quote(character[0]), value)
            for name, value in headers.items()
            if value
        }
        when = utc_text(date.replace(microsecond=0))
        self._file.write(packed_record("1.0", kind, seed, when, escaped, block, GZIP_LEVEL))


OUTPUT: RowFormat = RowFormat(name="wet", suffix=".warc.wet.gz", writer=_Wet)
