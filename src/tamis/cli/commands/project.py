"""`tamis project`: pages that people label, and what was taught with them."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from pathlib import Path

import click

from tamis._runtime import storage
from tamis._runtime.processes import count_processors
from tamis.cli import CommandGroup
from tamis.cli.output import report_first, to_one_line
from tamis.cli.parameters import choice_option, count_option, output_option
from tamis.cli.sources import allows_private, private_option
from tamis.errors import DatasetError, TamisError
from tamis.labels import datasets
from tamis.options import Options
from tamis.project import intake, pages, taught, transfer
from tamis.project.database import Database
from tamis.project.intake import Added
from tamis.project.taught import describe_project

_FOLDER = click.argument("folder", metavar="DIR", type=click.Path(file_okay=False, path_type=Path))


@click.group("project", cls=CommandGroup)
def project_command() -> None:
    """Pages that people label in `tamis serve --project DIR`, and weights taught with them.

    \b
    Examples:
      tamis project add mine/ pages/
      tamis project show mine/
      tamis extract --project mine/ article.html
    """


@project_command.command("add")
@_FOLDER
@click.argument("inputs", metavar="INPUT...", nargs=-1, required=True)
@click.option(
    "--labels",
    is_flag=True,
    help="The input has labels: our JSON lines, an export of Label Studio, a file of WebMainBench,"
    " a folder of a data set.",
)
@count_option("--limit", "Add at most that many pages.")
@count_option("--workers", "Processes that read pages.  [default: one per processor]")
@private_option
def add_command(
    folder: Path, inputs: tuple[str, ...], labels: bool, limit: int | None, workers: int | None
) -> None:
    """Add pages to the project in DIR, which is made if it is not there.

    INPUT is what `tamis corpus` reads: HTML files and folders of them, WARC, JSONL and Parquet
    files, addresses, and .txt files with an address per line. A page that is there already is not
    added again. A page whose address is there with other content replaces that: labels are carried
    over where the text is the same.

    \b
    Examples:
      tamis project add mine/ pages/
      tamis project add mine/ crawl.warc.gz --limit 500
      tamis project add mine/ https://example.org/story addresses.txt
      tamis project add mine/ labelled.jsonl --labels
    """
    with Database(folder) as database:
        options = taught.with_weights(Options(), taught.accepted_path(database))
        entries = list(
            _import_labelled(database, inputs, options, limit)
            if labels
            else intake.add_inputs(
                database,
                inputs,
                options,
                limit=limit,
                workers=workers or count_processors(),
                allow_private=allows_private(),
            )
        )
    failed = [f"{entry.name}: {entry.why}" for entry in entries if entry.number is None]
    report_first(failed, "not added: ", "not added")
    new = sum(entry.is_new for entry in entries)
    there = len(entries) - new - len(failed)
    click.echo(f"{folder}: {new:,} pages added, {there:,} were there already")
    if failed and not new and not there:
        click.get_current_context().exit(2)


def _import_labelled(
    database: Database, inputs: tuple[str, ...], options: Options, limit: int | None
) -> Iterator[Added]:
    count = 0
    failed: list[DatasetError] = []
    for source in inputs:
        for example in datasets.read(source, keep_going=True, on_error=failed.append):
            if count == limit:
                break
            count += 1
            try:
                before = pages.count_pages(database)["pages"]
                entry = transfer.import_page(example, options)
                number = transfer.add_imported(database, entry, "import", time.time())
                yield Added(example.id, number, pages.count_pages(database)["pages"] > before)
            except TamisError as error:
                yield Added(example.id, why=str(error))
    yield from (Added("input", why=str(error)) for error in failed)


@project_command.command("show")
@_FOLDER
@click.option("--json", "as_json", is_flag=True, help="All of it as JSON, as /v1/project answers.")
def show_command(folder: Path, as_json: bool) -> None:
    """Show how far a project is: its pages, what was taught, which weights are accepted.

    \b
    Examples:
      tamis project show mine/
      tamis project show mine/ --json
    """
    with Database(folder, create=False) as database:
        known = describe_project(database)
    if as_json:
        click.echo(json.dumps(known))
        return
    click.echo(
        f"{to_one_line(known['name'])}: {known['pages']:,} pages, {known['labelled']:,} labelled,"
        f" {known['skipped']:,} skipped, {known['left']:,} left"
    )
    for each in known["weights"]:
        accepted = ", accepted" if each["accepted"] else ""
        click.echo(
            f"{each['name']}: F1 {each['before']:.3f} to {each['after']:.3f} on {each['pages']}"
            f" pages, better in {each['sure']:.0%} of draws{accepted}"
        )
    state = known["teaching"]
    if state["state"] not in ("none", "done"):
        click.echo(f"teaching: {state['state']}, {state['error'] or state['text']}")
    if not known["accepted"]:
        click.echo("accepted: none; the shipped weights are used")


@project_command.command("export")
@_FOLDER
@output_option("FILE", "Where the labels go.", required=True)
@choice_option("--format", [*transfer.FORMATS], "jsonl", "What the labels are written as.")
@click.option("--all", "all_labels", is_flag=True, help="Also pages that are not done yet.")
def export_command(folder: Path, output: str, format: str, all_labels: bool) -> None:
    """Write the labels of a project to a file that `tamis train` and other tools read.

    \b
    Examples:
      tamis project export mine/ --output labels.jsonl
      tamis project export mine/ --output tasks.json --format label-studio
    """
    with Database(folder, create=False) as database:
        numbers = transfer.list_labelled(database, all_labels=all_labels)
        names = transfer.name_pages(database, numbers)
        first, between, last = transfer.FRAMES[format]
        with storage.output_errors(output), storage.open_replacing(output) as file:
            file.write(first)
            for place, number in enumerate(numbers):
                page = pages.get_page(database, number)
                example = transfer.make_example(page, names[number], database.name)
                file.write((between if place else b"") + transfer.export_page(example, format))
            file.write(last)
    click.echo(f"wrote {len(numbers):,} pages to {output}")
