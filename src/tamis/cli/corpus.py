"""`tamis corpus`: from WARC files, folders, tables or a list of addresses to a table of texts."""

from __future__ import annotations

import json
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from copy import copy
from dataclasses import fields
from functools import partial
from typing import TYPE_CHECKING, Any

import click

from tamis.cli.extract import extract_command
from tamis.cli.live import Live, dropped
from tamis.cli.output import one_line
from tamis.cli.parameters import read_parameters
from tamis.errors import InputError
from tamis.options import Options

if TYPE_CHECKING:
    from tamis.corpus.crawl import Politeness
    from tamis.corpus.run import Engine, Rank, Summary
    from tamis.corpus.settings import Settings

_FORMATS = ("parquet", "jsonl", "jsonl.gz", "jsonl.zst", "wet")
_INPUT_FORMATS = ("warc", "html", "jsonl", "parquet", "urls")
_PAGE_TYPES = tuple("article forum product collection listing documentation service".split())
_DUPLICATES = ("keep", "exact", "near")
_LIMITS = {"max_bytes": 16 * 1024 * 1024, "max_seconds": 10.0}
_SWITCHES = (
    *("method", "parameters", "weights", "focus", "threshold", "comments", "tables", "links"),
    *("images", "hidden", "overview", "max_bytes", "max_nodes", "max_depth", "max_seconds"),
)


@click.command("corpus")
@click.argument("inputs", metavar="INPUT...", nargs=-1, required=True)
@click.option(
    "--output",
    metavar="DIR",
    required=True,
    help="The folder for the rows: a path, or an address that fsspec knows (s3://bucket/run).",
)
@click.option(
    "--format",
    "output_format",
    type=click.Choice(_FORMATS),
    default="parquet",
    show_default=True,
    help="wet is WARC with the text as conversion records, as Common Crawl has it.",
)
@click.option(
    "--also",
    type=click.Choice(["markdown", "html"]),
    multiple=True,
    help="A column for this view, beside the text; may be given twice.",
)
@click.option(
    "--describe/--no-describe",
    default=True,
    help="Title, authors, dates, language and type of each page.  [default: yes]",
)
@click.option(
    "--language",
    "languages",
    multiple=True,
    metavar="en",
    callback=lambda _, __, tags: tuple(tag.lower().partition("-")[0] for tag in tags),
    help="Keep these only; may be given several times.",
)
@click.option(
    "--page-type",
    "page_types",
    multiple=True,
    type=click.Choice(_PAGE_TYPES),
    help="Keep these only; may be given several times.",
)
@click.option(
    "--min-words",
    type=click.IntRange(min=1),
    default=1,
    metavar="N",
    show_default=True,
    help="Fewest words of content.",
)
@click.option(
    "--min-probability",
    type=click.FloatRange(0, 1),
    default=0.0,
    metavar="P",
    show_default=True,
    help="Least mean score of the kept blocks.",
)
@click.option(
    "--duplicates",
    type=click.Choice(_DUPLICATES),
    default="keep",
    show_default=True,
    help="Which texts to drop that were there before, in all of the input.",
)
@click.option(
    "--site-models",
    is_flag=True,
    help="Two passes: learn what the pages of each site have in common first.",
)
@click.option("--rejects", is_flag=True, help="Write what was dropped, and why, to rejects/.")
@click.option(
    "--workers",
    type=click.IntRange(min=1),
    metavar="N",
    help="Processes that work at a time.  [default: one a processor]",
)
@click.option(
    "--memory",
    type=click.IntRange(min=256),
    default=2048,
    metavar="MB",
    show_default=True,
    help="Most memory for a page; the process that takes more is replaced.",
)
@click.option(
    "--engine",
    type=click.Choice(["local", "ray"]),
    default="local",
    show_default=True,
    help="Where the work is done: by processes here, or on a Ray cluster.",
)
@click.option(
    "--address",
    metavar="HOST:PORT",
    help="The head of a running Ray cluster.  [default: RAY_ADDRESS, or one is started here]",
)
@click.option(
    "--rank",
    metavar="N/M",
    help="Do the Nth of M parts of the work, from 0; the other parts are other commands'.",
)
@click.option("--input-format", type=click.Choice(_INPUT_FORMATS), help="If no name tells.")
@click.option("--html-column", default="", metavar="NAME", help="Of JSONL and Parquet input.")
@click.option("--url-column", default="", metavar="NAME", help="Of JSONL and Parquet input.")
@click.option("--id-column", default="", metavar="NAME", help="Of JSONL and Parquet input.")
@click.option("--date-column", default="", metavar="NAME", help="Of JSONL and Parquet input.")
@click.option(
    "--per-host",
    type=click.IntRange(min=1),
    default=1,
    metavar="N",
    show_default=True,
    help="Addresses of one host that are read at a time.",
)
@click.option(
    "--delay",
    type=click.FloatRange(min=0),
    default=1.0,
    metavar="SECONDS",
    show_default=True,
    help="Between two requests to a host.",
)
@click.option(
    "--user-agent",
    metavar="TEXT",
    help="What servers are told: a name that robots.txt files may know, and how to reach you.",
)
@click.option("--ignore-robots", is_flag=True, help="Read what robots.txt files forbid, too.")
@click.option("--allow-private", is_flag=True, help="Read addresses of private networks, too.")
@click.option("--quiet", is_flag=True, help="No progress; the summary and errors alone.")
@click.option("--json", "as_json", is_flag=True, help="The summary as JSON, to standard output.")
def corpus_command(
    inputs: tuple[str, ...],
    output: str,
    output_format: str,
    quiet: bool,
    as_json: bool,
    **choices: Any,
) -> None:
    """Extract all pages of the input to a table: a row a page, in the order of the input.

    The input is WARC files (.warc, .warc.gz, .warc.zst), folders of HTML pages, JSONL (.gz, .xz,
    .zst) or Parquet files with a column of HTML, folders of those, or a list of web addresses: a
    .txt file with one a line.

    The work is cut into shards. A shard is either whole in the output folder or not there; the
    same command goes on where it was ended, by Ctrl-C or by a power cut. Other options need another
    folder.

    \b
    Examples:
      tamis corpus crawl.warc.gz --output texts/
      tamis corpus pages/ --output texts/ --format jsonl --language en --min-words 50
      tamis corpus pages.parquet --html-column body --output texts/ --duplicates near
      tamis corpus crawl/ --output texts/ --site-models --rejects
      tamis corpus addresses.txt --output texts/ --delay 2
      tamis corpus s3://bucket/crawl/ --output s3://bucket/texts --engine ray
    """
    from tamis.corpus.folder import Folder
    from tamis.corpus.inputs import begin
    from tamis.corpus.run import execute

    settings, rank = _settings(output_format, choices), _rank(choices["rank"])
    engine = _engine(choices)
    live = Live(quiet)
    with _terminable(), live:
        try:
            run = begin(
                inputs,
                Folder(output),
                settings,
                choices["input_format"],
                _politeness(settings, choices),
                live.fetched,
            )
            summary = execute(run, engine, live.show, rank)
        except KeyboardInterrupt:
            live.clear()
            click.echo("tamis: what is done is kept; the same command goes on", err=True)
            raise
    _tell(summary, output, as_json)


def _of_extract() -> list[click.Parameter]:
    """The options of `tamis extract` that mean the same here, with the limits of a crawl."""
    found = [copy(one) for one in extract_command.params if one.name in _SWITCHES]
    for one in found:
        one.default = _LIMITS.get(one.name or "", one.default)
        if isinstance(one, click.Option) and one.name == "max_seconds":
            one.help = "Longest time for a page, without that to fetch it."
    return found


# Below those of its own in the help.
corpus_command.params += _of_extract()


def _settings(output_format: str, choices: dict[str, Any]) -> Settings:
    from tamis.corpus.records import Columns
    from tamis.corpus.settings import Settings

    parameters = read_parameters(choices["method"], choices["parameters"], choices["weights"])
    names = [one.name for one in fields(Options) if one.name in choices.keys() - {"parameters"}]
    return Settings(
        options=Options(parameters=parameters, **{name: choices[name] for name in names}),
        columns=Columns(**{one.name: choices[f"{one.name}_column"] for one in fields(Columns)}),
        format=output_format,
        memory=choices["memory"] * 1024 * 1024,
        also=tuple(sorted(set(choices["also"]))),
        **{
            name: choices[name]
            for name in (
                *("describe", "languages", "page_types", "min_words", "min_probability"),
                *("duplicates", "site_models", "rejects"),
            )
        },
    )


def _politeness(settings: Settings, choices: dict[str, Any]) -> Politeness:
    from tamis.corpus.crawl import Politeness

    agent = {"user_agent": choices["user_agent"]} if choices["user_agent"] else {}
    try:
        return Politeness(
            per_host=choices["per_host"],
            delay=choices["delay"],
            robots=not choices["ignore_robots"],
            allow_private=choices["allow_private"],
            max_bytes=settings.options.max_bytes,
            **agent,
        )
    except ValueError as error:
        raise click.UsageError(str(error)) from error


def _engine(choices: dict[str, Any]) -> Engine:
    if choices["engine"] == "ray":
        from tamis.corpus.cluster import check, cluster

        if choices["workers"]:
            raise click.UsageError("--workers are processes here; a Ray cluster has its own.")
        check(choices["address"])
        return partial(cluster, address=choices["address"])
    if choices["address"]:
        raise click.UsageError("--address is that of a Ray cluster: give --engine ray, too.")
    from tamis.corpus.local import local
    from tamis.processes import processors

    return partial(local, workers=choices["workers"] or processors())


def _rank(text: str | None) -> Rank:
    from tamis.corpus.run import Rank

    if text is None:
        return Rank()
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
        click.echo("tamis: terminated", err=True)
        click.get_current_context().exit(128 + signal.SIGTERM)
    finally:
        signal.signal(signal.SIGTERM, before)


class _Terminated(KeyboardInterrupt):
    """SIGTERM came."""


def _tell(summary: Summary, output: str, as_json: bool) -> None:
    """What came out, and how to go on if that is not all."""
    counts = summary.counts
    if summary.complete and not counts.records:
        raise InputError(f"{output}: no rows, as there are no records in the input")
    if as_json:
        click.echo(json.dumps({"output": output} | summary.to_dict()))
    else:
        rate = summary.new.records / summary.seconds if summary.seconds else 0.0
        click.echo(
            f"{one_line(output)}: {_number(counts.kept, 'row')} of"
            f" {_number(counts.records, 'record')} ({counts.bytes / 1e6:,.0f} MB) in"
            f" {_number(summary.shards, 'shard')}"
            f"{dropped(counts)}; {summary.new.records:,} new in {summary.seconds:,.1f} s"
            f" ({rate:,.0f} a second)"
        )
    for name, why in list(summary.failed.items())[:10]:
        click.echo(f"tamis: not done: {one_line(f'{name}: {why}')}", err=True)
    if summary.failed:
        click.echo(
            f"tamis: {len(summary.failed):,} tasks were not done; the same command tries them"
            " again and keeps the rest",
            err=True,
        )
        click.get_current_context().exit(2)
    if not summary.complete:
        click.echo("tamis: this part is done; others of the run are not yet", err=True)


def _number(count: int, of: str) -> str:
    return f"{count:,} {of}" if count == 1 else f"{count:,} {of}s"
