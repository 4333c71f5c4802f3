"""A corpus run as one call, which is what `tamis corpus` makes of its options."""

from __future__ import annotations

import difflib
import os
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import fields as fields_of
from typing import Any, Unpack

from tamis.corpus.engines import ENGINES
from tamis.corpus.fetching.crawl import Politeness
from tamis.corpus.folder import Folder
from tamis.corpus.formats import INPUTS, OUTPUTS
from tamis.corpus.growth import CHANGED, Changed
from tamis.corpus.plan import ADDRESSES, begin
from tamis.corpus.records import Columns
from tamis.corpus.run import CorpusReport, Progress, Rank, execute
from tamis.corpus.settings import Duplicates, Settings
from tamis.errors import InputError, OptionsError
from tamis.options import OptionFields, Options, choose_options


class CorpusFields(OptionFields, total=False):
    """What else may be chosen, beside the fields of `Options`; all are options of the command."""

    format: str
    also: Sequence[str]
    describe: bool
    languages: Sequence[str]
    page_types: Sequence[str]
    min_words: int
    min_probability: float
    duplicates: Duplicates
    site_models: bool
    rejects: bool
    memory: int
    html_column: str
    url_column: str
    id_column: str
    date_column: str
    per_host: int
    delay: float
    user_agent: str
    robots: bool
    allow_private: bool


_OWN = CorpusFields.__annotations__.keys() - OptionFields.__annotations__.keys()
_COLUMN = "_column"
_POLITENESS = {field.name for field in fields_of(Politeness)} & _OWN
_SEVERAL = ("also", "languages", "page_types")


def extract_corpus(
    inputs: str | os.PathLike[str] | Iterable[str | os.PathLike[str]],
    output: str | os.PathLike[str],
    *,
    input_format: str | None = None,
    engine: str = "local",
    workers: int | None = None,
    address: str | None = None,
    rank: tuple[int, int] = (0, 1),
    changed: Changed = "refuse",
    on_progress: Callable[[Progress], None] = lambda progress: None,
    on_fetch: Callable[[int, int, int], None] = lambda done, of, failed: None,
    options: Options | None = None,
    **fields: Unpack[CorpusFields],
) -> CorpusReport:
    """Extract all pages of the input to a table in the folder `output`, one row per page.

    `inputs` are files or folders of WARC, HTML, JSONL or Parquet, or addresses: a .txt file with
    one per line, or the addresses themselves. The keywords are the options of `tamis corpus`:
    `format`, `languages`, `min_words`, `duplicates` ..., and every field of `Options`.

    What was interrupted goes on with the same call, byte for byte as if it had not been. Inputs
    that are new since then are added. Inputs that changed are refused, done `again`, or their rows
    are kept (`changed="keep"`). A shard that fails does not stop the others: `report.failed` says
    which and why.

    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     page = Path(folder, "page.html")
    ...     _ = page.write_text("<html lang=en><p>A tamis is a sieve, and the finest of them.")
    ...     report = extract_corpus(page, Path(folder, "out"), format="jsonl", languages="english")
    >>> report.complete, report.counts.kept, dict(report.counts.rejected)
    (True, 1, {})
    """
    _check_names(fields, [*CorpusFields.__annotations__])
    _check_known("format", fields.get("format", next(iter(OUTPUTS))), OUTPUTS)
    _check_known("engine", engine, ENGINES)
    _check_known("changed", changed, CHANGED)
    if input_format is not None:
        _check_known("input_format", input_format, [*INPUTS, ADDRESSES])
    if workers is not None and workers < 1:
        raise OptionsError(f"workers is {workers}; give 1 or more, or None for one per processor")
    if not 0 <= rank[0] < rank[1]:
        raise OptionsError(f"rank is {rank}; give (0, 8) for the first of 8 parts, to (7, 8)")
    given = [inputs] if isinstance(inputs, str | os.PathLike) else inputs
    sources = [os.fspath(source) for source in given]
    settings = _settings(options, fields)
    polite: dict[str, Any] = {name: value for name, value in fields.items() if name in _POLITENESS}
    politeness = Politeness(**polite, max_bytes=settings.options.max_bytes)
    start = ENGINES[engine].start(workers, address)
    folder = Folder(os.fspath(output))
    run = begin(sources, folder, settings, input_format, politeness, on_fetch, changed)
    report = execute(run, start, on_progress, Rank(*rank))
    if report.complete and not report.counts.records:
        raise InputError(f"{folder.address}: no rows, as there are no records in the input")
    return report


def _settings(options: Options | None, fields: Any) -> Settings:
    own = {name: value for name, value in fields.items() if name in _OWN - _POLITENESS}
    for name in own.keys() & set(_SEVERAL):
        value = own[name]
        own[name] = (value,) if isinstance(value, str) else tuple(value)
    columns = {name: own.pop(name) for name in [*own] if name.endswith(_COLUMN)}
    changes = {name: value for name, value in fields.items() if name not in _OWN}
    return Settings(
        **own | {"also": tuple(sorted(set(own.get("also", ()))))},
        options=choose_options(options or Settings().options, changes),
        columns=Columns(**{name.removesuffix(_COLUMN): value for name, value in columns.items()}),
    )


def _check_names(names: Iterable[str], known: Sequence[str]) -> None:
    for name in names:
        if name not in known:
            near = difflib.get_close_matches(name, known, n=1)
            hint = f"did you mean {near[0]!r}?" if near else f"there are: {', '.join(known)}"
            raise OptionsError(f"there is no option {name!r}; {hint}")


def _check_known(name: str, value: str, known: Collection[str]) -> None:
    if value not in known:
        raise OptionsError(f"{name} is {value!r}; give one of {', '.join(known)}")
