"""`tamis labels`: labels of pages in the formats of several tools."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import click

from tamis.cli.help import CommandGroup
from tamis.cli.output import report
from tamis.cli.parameters import choice_option
from tamis.errors import DatasetError, LimitError
from tamis.evaluate import datasets
from tamis.evaluate.exchange import FORMATS, LabelledSource, labelled, write


@click.group("labels", cls=CommandGroup)
def labels_command() -> None:
    """Labels of pages, from and for other tools.

    \b
    Examples:
      tamis labels convert project.json mine.jsonl
      tamis labels convert mine.jsonl tasks.json --to label-studio
    """


@labels_command.command("convert")
@click.argument("source", metavar="IN", type=click.Path(path_type=Path, exists=True))
@click.argument("target", metavar="OUT", type=click.Path(path_type=Path, dir_okay=False))
@choice_option("--to", [*FORMATS], "tamis", "The format of OUT.")
def convert_command(source: Path, target: Path, to: str) -> None:
    """Write the labelled pages of IN as a file of another tool.

    IN is what `tamis train` and `tamis bench` read: our JSON lines, an export of Label Studio with
    HyperTextLabels (JSON), a file of WebMainBench, a folder of a public data set. Labels are called
    main, title, comments, navigation, promotion and other. A page that has a gold text alone gets
    the labels of the blocks that have its words.

    docs/teaching.md has the set-up of a project in Label Studio.

    \b
    Examples:
      tamis labels convert project.json mine.jsonl
      tamis labels convert mine.jsonl tasks.json --to label-studio
      tamis labels convert mine.jsonl bench.jsonl --to webmainbench
    """
    count = write(target, _labelled(source), to)
    if not count:
        raise DatasetError(f"{source}: no page with a label in it")
    click.echo(f"wrote {count} pages to {target}")


def _labelled(path: Path) -> Iterator[LabelledSource]:
    for example in datasets.read(path, keep_going=True, on_error=lambda error: report(str(error))):
        try:
            source = labelled(example)
        except LimitError as error:
            report(f"{example.id}: left out, {error}")
            continue
        if source.missing:
            report(f"{example.id}: {source.missing} labels are about nothing on the page")
        yield source
