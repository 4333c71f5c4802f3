"""`tamis corpus`: from WARC files, folders, tables or a list of addresses to a table of texts."""

from __future__ import annotations

import json
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from copy import copy
from dataclasses import fields
from typing import Any

import click

from tamis.cli.extract import extract_command
from tamis.cli.help import Command
from tamis.cli.live import Live, list_dropped
from tamis.cli.output import one_line, report
from tamis.cli.parameters import choice_option, count_option, output_option, read_options
from tamis.corpus.call import extract_corpus
from tamis.corpus.engines import ENGINES
from tamis.corpus.fetching.crawl import Politeness
from tamis.corpus.formats import INPUTS, OUTPUTS
from tamis.corpus.growth import CHANGED
from tamis.corpus.plan import ADDRESSES
from tamis.corpus.records import Columns
from tamis.corpus.rows import ON_REQUEST
from tamis.corpus.run import CorpusReport, Rank
from tamis.corpus.settings import DUPLICATES, LEAST_MEMORY, Settings
from tamis.describe.page_type import TYPES
from tamis.options import Options

_DEFAULTS = Settings()
_POLITE = Politeness()
_NAMES = {"weights", "project", *(field.name for field in fields(Options))}
"""Options of `tamis extract` that hold here, too."""


def _field(
    of: Settings | Politeness, name: str, kind: Any, text: str, metavar: str | None = None
) -> Callable[[Any], Any]:
    """An option for a field, with its default."""
    names = name.split()
    default = getattr(of, names[0].removeprefix("--").replace("-", "_"))
    return click.option(
        *names, type=kind, default=default, metavar=metavar, show_default=True, help=text
    )


def _columns(command: Any) -> Any:
    """An option for each column of a table."""
    for column in reversed(fields(Columns)):
        name = f"--{column.name}-column"
        option = click.option(name, default="", metavar="NAME", help="Of JSONL and Parquet input.")
        command = option(command)
    return command


@click.command("corpus", cls=Command)
@click.argument("inputs", metavar="INPUT...", nargs=-1, required=True)
@output_option(
    "DIR",
    "The folder for the rows: a path, or an address that fsspec knows (s3://bucket/run).",
    required=True,
)
@_field(
    _DEFAULTS,
    "--format -f",
    click.Choice(list(OUTPUTS)),
    "wet is WARC with the text as conversion records, as Common Crawl has it.",
)
@click.option(
    "--also",
    type=click.Choice(ON_REQUEST),
    multiple=True,
    help="A column for this view, beside the text; may be given twice.",
)
@click.option(
    "--describe/--no-describe",
    default=_DEFAULTS.describe,
    help="Title, authors, dates, language and type of each page.  [default: on]",
)
@click.option(
    "--language",
    "languages",
    multiple=True,
    metavar="NAME",
    help="Keep pages in these only, by name or code: english, en; may be given several times.",
)
@click.option(
    "--page-type",
    "page_types",
    multiple=True,
    type=click.Choice(TYPES),
    help="Keep these only; may be given several times.",
)
@_field(_DEFAULTS, "--min-words", click.IntRange(min=1), "Fewest words of content.", "N")
@_field(
    _DEFAULTS,
    "--min-probability",
    click.FloatRange(0, 1),
    "Least mean score of the kept blocks.",
    "P",
)
@_field(
    _DEFAULTS,
    "--duplicates",
    click.Choice(DUPLICATES),
    "Which texts to drop that were there before, in all of the input.",
)
@click.option(
    "--site-models",
    is_flag=True,
    help="Two passes: learn what the pages of each site have in common first.",
)
@click.option("--rejects", is_flag=True, help="Write what was dropped, and why, to rejects/.")
@count_option("--workers", "Processes that work at a time.  [default: one per processor]")
@click.option(
    "--memory",
    type=click.IntRange(min=LEAST_MEMORY // 2**20),
    default=_DEFAULTS.memory // 2**20,
    callback=lambda _, __, size: size * 2**20,
    metavar="MB",
    show_default=True,
    help="Most memory for a page; the process that takes more is replaced.",
)
@choice_option(
    "--engine",
    list(ENGINES),
    next(iter(ENGINES)),
    f"Where the work is done: {', or '.join(kind.place for kind in ENGINES.values())}.",
)
@click.option(
    "--address",
    metavar="HOST:PORT",
    help="The head of a running Ray cluster.  [default: RAY_ADDRESS, or one is started here]",
)
@click.option(
    "--rank",
    metavar="N/M",
    default="0/1",
    callback=lambda _, __, text: _rank(text),
    help="Do the Nth of M parts of the work, from 0; the other parts are other commands'.",
)
@choice_option(
    "--changed",
    CHANGED,
    CHANGED[0],
    "For inputs that changed since they were read: stop, do their shards again, or keep the rows.",
)
@click.option(
    "--input-format",
    type=click.Choice([*INPUTS, ADDRESSES]),
    help="If neither the name nor the first bytes say it. Names end in"
    f" {', '.join(end for known in INPUTS.values() for end in known.suffixes)}, packed or not.",
)
@_columns
@_field(_POLITE, "--per-host", click.IntRange(min=1), "Addresses of a host read at a time.", "N")
@_field(_POLITE, "--delay", click.FloatRange(min=0), "Between two requests to a host.", "SECONDS")
@_field(
    _POLITE,
    "--user-agent",
    click.STRING,
    "Sent to servers: a name that robots.txt files may know, and how to reach you.",
    "TEXT",
)
@click.option(
    "--ignore-robots",
    "robots",
    flag_value=False,
    default=_POLITE.robots,
    help="Read what robots.txt files forbid, too.",
)
@click.option("--allow-private", is_flag=True, help="Read addresses of private networks, too.")
@click.option("--quiet", is_flag=True, help="No progress; the summary and errors alone.")
@click.option("--json", "as_json", is_flag=True, help="The summary as JSON, to standard output.")
def corpus_command(
    inputs: tuple[str, ...], output: str, quiet: bool, as_json: bool, **choices: Any
) -> None:
    """Extract all pages of the input to a table: one row per page, in the order of the input.

    The input is files or folders of one of the formats of --input-format: WARC, HTML pages, JSONL
    or Parquet with a column of HTML. Or it is a list of web addresses: a .txt file with one per
    line.

    The work is cut into shards. A shard is either whole in the output folder or not there; the
    same command goes on where it was ended, by Ctrl-C or by a power cut. It also adds what is new
    in the input since then. Other options need another folder.

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
    with _terminable(), live:
        try:
            summary = extract_corpus(
                inputs,
                output,
                options=options,
                on_progress=live.show,
                on_fetch=live.fetched,
                **choices,
            )
        except KeyboardInterrupt:
            live.clear()
            report("what is done is kept; the same command goes on")
            raise
    _show(summary, output, as_json)


def _of_extract() -> list[click.Parameter]:
    """The options of `tamis extract` that mean the same here, with the limits of a crawl."""
    limits = _DEFAULTS.options
    shared = [copy(option) for option in extract_command.params if option.name in _NAMES]
    for option in shared:
        if option.name in ("max_bytes", "max_seconds"):
            option.default = getattr(limits, option.name)
        if isinstance(option, click.Option) and option.name == "max_seconds":
            option.help = "Longest time for a page, without that to fetch it."
    return shared


# Below those of its own in the help.
corpus_command.params += _of_extract()


def _rank(text: str) -> Rank:
    try:
        number, of = map(int, text.split("/"))
    except ValueError:
        number, of = 0, 0
    if not 0 <= number < of:
        raise click.UsageError(f"--rank is {text!r}; give 0/8 for the first of 8 parts, to 7/8.")
    return Rank(number, of)


@contextmanager
def _terminable() -> Iterator[None]:
    """SIGTERM ends the command as Ctrl-C does, with its own exit code."""

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


class _Terminated(KeyboardInterrupt):
    """SIGTERM came."""


def _show(summary: CorpusReport, output: str, as_json: bool) -> None:
    """What came out, and how to go on if that is not all."""
    counts = summary.counts
    for note in summary.notes:
        report(note)
    if summary.new_inputs:
        report(f"{_number(summary.new_inputs, 'input')} added")
    if as_json:
        click.echo(json.dumps({"output": output} | summary.to_dict()))
    else:
        rate = summary.new.records / summary.seconds if summary.seconds else 0.0
        click.echo(
            f"{one_line(output)}: {_number(counts.kept, 'row')} of"
            f" {_number(counts.records, 'record')} ({counts.bytes / 1e6:,.0f} MB) in"
            f" {_number(summary.shards, 'shard')}"
            f"{list_dropped(counts)}; {summary.new.records:,} new in {summary.seconds:,.1f} s"
            f" ({rate:,.0f} a second)"
        )
    for name, why in list(summary.failed.items())[:10]:
        report(f"not done: {name}: {why}")
    if summary.failed:
        report(
            f"{len(summary.failed):,} tasks were not done; the same command tries them again and"
            " keeps the rest"
        )
        click.get_current_context().exit(2)
    if not summary.complete:
        report("this part is done; others of the run are not yet")


def _number(count: int, of: str) -> str:
    return f"{count:,} {of}" if count == 1 else f"{count:,} {of}s"
