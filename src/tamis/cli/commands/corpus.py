"""`tamis corpus`: from WARC files, folders, tables or lists of addresses to a table of texts."""

from __future__ import annotations

import json
import shutil
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from copy import copy
from dataclasses import fields
from typing import TYPE_CHECKING, Any

import click

from tamis.cli import Command
from tamis.cli.commands.extract import borrow_options
from tamis.cli.output import count_of, report, to_one_line
from tamis.cli.parameters import (
    Decorator,
    choice_option,
    combine_options,
    count_option,
    output_option,
    read_options,
    repeated_option,
    text_option,
)
from tamis.corpus.engines import ENGINES
from tamis.corpus.formats import INPUTS, OUTPUTS
from tamis.corpus.growth import CHANGED
from tamis.corpus.planning import ADDRESSES
from tamis.corpus.politeness import Politeness
from tamis.corpus.records import DUPLICATES, LEAST_MEMORY, ON_REQUEST, Columns, Settings
from tamis.corpus.run import CorpusReport, Rank, extract_corpus
from tamis.describe.types.page_type import TYPES
from tamis.options import Options

if TYPE_CHECKING:
    from tamis.corpus.manifest import RecordCounts
    from tamis.corpus.run import Progress

_DEFAULTS = Settings()
_POLITE = Politeness()
_NAMES = {"weights", "project", *(field.name for field in fields(Options))}
"""Options of `tamis extract` that this command has too."""


def _setting(names: str, kind: Any, help: str, metavar: str | None = None) -> Decorator:
    """Add an option for a field of `Settings` or `Politeness`, with the default of the field."""
    field = names.split()[0].removeprefix("--").replace("-", "_")
    default = getattr(_POLITE if hasattr(_POLITE, field) else _DEFAULTS, field)
    return text_option(names, metavar, help, type=kind, default=default, show_default=True)


_column_options = combine_options(
    *(
        text_option(
            f"--{column.name}-column", "NAME", "The column in JSONL and Parquet input.", default=""
        )
        for column in fields(Columns)
    )
)


@click.command("corpus", cls=Command)
@click.argument("inputs", metavar="INPUT...", nargs=-1, required=True)
@output_option(
    "DIR",
    "The folder for the rows: a path, or an address that fsspec knows (s3://bucket/run).",
    required=True,
)
@_setting(
    "--format -f",
    click.Choice(list(OUTPUTS)),
    "wet is WARC with the text as conversion records, like that of Common Crawl.",
)
@repeated_option(
    "--also", None, "Add a column for this view of the content.", type=click.Choice(ON_REQUEST)
)
@click.option(
    "--describe/--no-describe",
    default=_DEFAULTS.describe,
    help="Add title, authors, dates, language and type of each page.  [default: on]",
)
@repeated_option(
    "--language languages",
    "NAME",
    "Only keep pages in this language, by name or code: english, en.",
)
@repeated_option(
    "--page-type page_types", None, "Only keep pages of this type.", type=click.Choice(TYPES)
)
@_setting("--min-words", click.IntRange(min=1), "Fewest words of content.", "N")
@_setting("--min-probability", click.FloatRange(0, 1), "Least mean score of the kept blocks.", "P")
@_setting(
    "--duplicates",
    click.Choice(DUPLICATES),
    "Which texts to drop if they occurred before, in all of the input.",
)
@click.option(
    "--site-models",
    is_flag=True,
    help="First learn what the pages of each site have in common. This takes a second pass.",
)
@click.option("--rejects", is_flag=True, help="Write what was dropped and why to rejects/.")
@count_option("--workers", "How many processes work at a time.  [default: one per processor]")
@click.option(
    "--memory",
    type=click.IntRange(min=LEAST_MEMORY // 2**20),
    default=_DEFAULTS.memory // 2**20,
    callback=lambda _, __, size: size * 2**20,
    metavar="MB",
    show_default=True,
    help="Most memory for a page; tamis replaces a process that takes more.",
)
@choice_option(
    "--engine",
    list(ENGINES),
    next(iter(ENGINES)),
    f"Where the work is done: {', or '.join(kind.place for kind in ENGINES.values())}.",
)
@text_option(
    "--address",
    "HOST:PORT",
    "The head of a running Ray cluster.  [default: RAY_ADDRESS, else tamis starts one here]",
)
@text_option(
    "--rank",
    "N/M",
    "Do the Nth of M parts of the work, counted from 0, and leave the rest to other commands.",
    default="0/1",
    callback=lambda _, __, text: _parse_rank(text),
)
@choice_option(
    "--changed",
    CHANGED,
    CHANGED[0],
    "If inputs changed since they were read: stop, do their shards again, or keep their rows.",
)
@click.option(
    "--input-format",
    type=click.Choice([*INPUTS, ADDRESSES]),
    help="The format, if neither the name nor the first bytes tell. Names end in"
    f" {', '.join(end for known in INPUTS.values() for end in known.suffixes)}, packed or not.",
)
@_column_options
@_setting("--per-host", click.IntRange(min=1), "Addresses to read from a host at a time.", "N")
@_setting("--delay", click.FloatRange(min=0), "Time between two requests to a host.", "SECONDS")
@_setting(
    "--user-agent",
    click.STRING,
    "What to send to servers: a name for robots.txt files, and how to reach you.",
    "TEXT",
)
@click.option(
    "--ignore-robots",
    "robots",
    flag_value=False,
    default=_POLITE.robots,
    help="Also read what robots.txt files forbid.",
)
@click.option("--allow-private", is_flag=True, help="Also read addresses of private networks.")
@click.option("--quiet", is_flag=True, help="Show no progress, only the summary and errors.")
@click.option("--json", "as_json", is_flag=True, help="Print the summary as JSON.")
def corpus_command(
    inputs: tuple[str, ...], output: str, quiet: bool, as_json: bool, **choices: Any
) -> None:
    """Extract all pages of the input to a table: one row per page, in the order of the input.

    The input is files or folders in one of the formats of --input-format: WARC, HTML pages, or
    JSONL or Parquet with a column of HTML. Or it is a list of web addresses: a .txt file with one
    per line.

    tamis cuts the work into shards. The output folder has either all of a shard or nothing of it.
    After Ctrl-C or a power cut, the same command goes on where it stopped. It also adds what is
    new in the input since then. Other options need another folder.

    \b
    Examples:
      tamis corpus crawl.warc.gz --output texts/
      tamis corpus pages/ --output texts/ --format jsonl --language en --min-words 50
      tamis corpus pages.parquet --html-column body --output texts/ --duplicates near
      tamis corpus crawl/ --output texts/ --site-models --rejects
      tamis corpus addresses.txt --output texts/ --delay 2
      tamis corpus s3://bucket/crawl/ --output s3://bucket/texts --engine ray
    """
    of_options = _NAMES & choices.keys()
    options = read_options({name: choices.pop(name) for name in of_options})
    live = Live(quiet)
    with _handle_sigterm(), live:
        try:
            summary = extract_corpus(
                inputs,
                output,
                options=options,
                on_progress=live.show,
                on_fetch=live.show_fetched,
                **choices,
            )
        except KeyboardInterrupt:
            live.clear()
            report("what is done is kept; run the same command again to go on")
            raise
    _show(summary, output, as_json)


# The help lists what means the same in `tamis extract` below the options of the command itself.
for _option in map(copy, borrow_options(*_NAMES)):
    if _option.name in ("max_bytes", "max_seconds"):  # a crawl has limits of its own
        _option.default = getattr(_DEFAULTS.options, _option.name)
    if isinstance(_option, click.Option) and _option.name == "max_seconds":
        _option.help = "Longest time for a page, not counting the time to fetch it."
    corpus_command.params.append(_option)


def _parse_rank(text: str) -> Rank:
    try:
        number, of = map(int, text.split("/"))
    except ValueError:
        number, of = 0, 0
    if not 0 <= number < of:
        raise click.UsageError(f"--rank is {text!r}; give 0/8 for the first of 8 parts, to 7/8.")
    return Rank(number, of)


class _Terminated(KeyboardInterrupt):
    """SIGTERM came."""


@contextmanager
def _handle_sigterm() -> Iterator[None]:
    """Let SIGTERM end the command like Ctrl-C, with its own exit code."""

    def end(number: int, _: object) -> None:
        raise _Terminated

    before = signal.signal(signal.SIGTERM, end)
    try:
        yield
    except _Terminated:
        report("terminated")
        click.get_current_context().exit(128 + signal.SIGTERM)
    finally:
        signal.signal(signal.SIGTERM, before)


def _show(summary: CorpusReport, output: str, as_json: bool) -> None:
    """Print what came out, and how to go on if the run is not complete."""
    counts = summary.counts
    for note in summary.notes:
        report(note)
    if summary.new_inputs:
        report(f"{count_of(summary.new_inputs, 'input')} added")
    if as_json:
        click.echo(json.dumps({"output": output} | summary.to_dict()))
    else:
        rate = summary.new.records / summary.seconds if summary.seconds else 0.0
        click.echo(
            f"{to_one_line(output)}: {count_of(counts.kept, 'row')} of"
            f" {count_of(counts.records, 'record')} ({counts.bytes / 1e6:,.0f} MB) in"
            f" {count_of(summary.shards, 'shard')}"
            f"{list_dropped(counts)}; {summary.new.records:,} new in {summary.seconds:,.1f} s"
            f" ({rate:,.0f} a second)"
        )
    for name, why in list(summary.failed.items())[:10]:
        report(f"not done: {name}: {why}")
    if summary.failed:
        report(
            f"{len(summary.failed):,} tasks failed; run the same command again to try them again"
        )
        click.get_current_context().exit(2)
    if not summary.complete:
        report("this part is done, but other parts of the run are not")


_ERRORS = frozenset(["crash", "damaged", "too much memory", "too slow", "unreadable"])
# Time between two lines of a log, and between two changes of the line in a terminal.
_LOG_SECONDS = 30.0
_LOOK_SECONDS = 0.2


class Live:
    """Shows progress on standard error: a line that changes in a terminal, or lines in a log."""

    def __init__(self, quiet: bool) -> None:
        self._quiet = quiet
        self._terminal = sys.stderr.isatty()
        self._shown = time.monotonic() if not self._terminal else 0.0
        self._line = ""

    def __enter__(self) -> Live:
        return self

    def __exit__(self, *_: object) -> None:
        self.clear()

    def show(self, progress: Progress) -> None:
        if self._is_due(progress.done == progress.tasks):
            self._print(_format_progress(progress))

    def show_fetched(self, done: int, of: int, failed: int) -> None:
        if self._is_due(done == of):
            self._print(f"fetch  {done:,}/{of:,} addresses  failed {failed:,}")

    def clear(self) -> None:
        if self._line:
            click.echo("\r" + " " * len(self._line) + "\r", err=True, nl=False)
            self._line = ""

    def _is_due(self, last: bool) -> bool:
        now = time.monotonic()
        wait = _LOOK_SECONDS if self._terminal else _LOG_SECONDS
        if self._quiet or (now - self._shown < wait and not (last and self._terminal)):
            return False
        self._shown = now
        return True

    def _print(self, line: str) -> None:
        if not self._terminal:
            click.echo(line, err=True)
            return
        line = line[: shutil.get_terminal_size().columns - 1]
        click.echo("\r" + line.ljust(len(self._line)), err=True, nl=False)
        self._line = line


def _format_progress(progress: Progress) -> str:
    counts, new, seconds = progress.counts, progress.new, max(progress.seconds, 1e-3)
    parts = [
        progress.step,
        f"{progress.done:,}/{progress.tasks:,}",
        f"{counts.records:,} pages",
        f"{new.records / seconds:,.0f}/s",
        f"{new.bytes / 1e6 / seconds:,.1f} MB/s",
        f"kept {counts.kept:,}{list_dropped(counts)}",
    ]
    if progress.seconds_left is not None:
        parts.append(f"{_format_time(progress.seconds_left)} left")
    return "  ".join(parts)


def list_dropped(counts: RecordCounts) -> str:
    """Count the records without a row by reason, most frequent first, with errors apart."""
    text = ""
    for name, errors in (("dropped", False), ("errors", True)):
        reasons = {
            reason: count
            for reason, count in counts.rejected.most_common()
            if (reason in _ERRORS) == errors
        }
        if reasons:
            listed = ", ".join(f"{reason} {count:,}" for reason, count in reasons.items())
            text += f", {name} {sum(reasons.values()):,} ({listed})"
    return text


def _format_time(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
