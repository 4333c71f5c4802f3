"""The input of a run: what is given, fetched first if it is addresses, cut into shards."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Callable, Sequence
from importlib.util import find_spec

from tamis.corpus.crawl import Politeness, fetch_list, read_addresses
from tamis.corpus.folder import Folder
from tamis.corpus.ledger import Run
from tamis.corpus.plan import plan
from tamis.corpus.records import Shard
from tamis.corpus.settings import Settings
from tamis.corpus.sources.files import is_remote
from tamis.errors import InputError

_LIBRARIES = {"warc": "fastwarc", "parquet": "pyarrow", "jsonl.zst": "zstandard"}
_ADDRESS = re.compile(r"https?://", re.IGNORECASE)


def begin(
    inputs: Sequence[str],
    output: Folder,
    settings: Settings,
    input_format: str | None = None,
    politeness: Politeness | None = None,
    fetched: Callable[[int, int, int], None] = lambda done, of, failed: None,
) -> Run:
    """Begin a run or go on with it; `fetched` hears of addresses read, of all, and failures.

    Addresses are read into WARC files of the output folder first, where they stay: to extract them
    again needs no network.
    """
    inputs = [one if "://" in one else os.path.abspath(one) for one in inputs]
    output = output if "://" in output.address else Folder(os.path.abspath(output.address))

    def shards() -> list[Shard]:
        _check_library(settings.format)
        if settings.duplicates != "keep":
            _check_library("parquet")
        lists = [one for one in inputs if input_format == "urls" or _of_addresses(one)]
        given: Sequence[str] = inputs
        if lists:
            if len(lists) < len(inputs):
                other = next(one for one in inputs if one not in lists)
                raise InputError(
                    f"mixed formats: {lists[0]} is of addresses, {other} is not; give them to two"
                    " runs"
                )
            _check_library("warc")
            given = _fetched(lists, output, politeness or Politeness(), fetched)
        found = plan(
            given,
            settings.columns,
            settings.options.max_bytes,
            "warc" if lists else input_format,
        )
        if not any(shard.size or is_remote(shard.source) for shard in found):
            raise InputError("no records: all files of the input are empty")
        _check_library(found[0].format)
        return found

    return Run.begin(output, inputs, settings, shards)


def _check_library(format: str) -> None:
    """See that what reads or writes a format is there, before anything is written."""
    library = _LIBRARIES.get(format, "")
    if library and find_spec(library) is None:
        raise InputError(f"{format} needs {library}: pip install 'tamis[corpus]'")


def _of_addresses(given: str) -> bool:
    return given.lower().endswith(".txt") or _ADDRESS.match(given) is not None


def _fetched(
    lists: Sequence[str],
    output: Folder,
    politeness: Politeness,
    report: Callable[[int, int, int], None],
) -> list[str]:
    """Read the addresses; the WARC files that have them."""
    addresses: dict[str, None] = {}
    for one in lists:
        addresses |= dict.fromkeys([one] if _ADDRESS.match(one) else read_addresses(one))
    if "://" in output.address:
        raise InputError(
            f"{output.address}: addresses are read into a local folder; give one as --output, or"
            " read them on one machine and give the WARC files to the next run"
        )
    output.create()
    folder = output.path("fetched")

    def progress(counts: Counter[str]) -> None:
        failed = counts.total() - counts["fetched"] - counts["kept"]
        report(counts.total(), len(addresses), failed)

    names = fetch_list(list(addresses), folder, politeness=politeness, progress=progress)
    return [os.path.join(folder, name) for name in names]
