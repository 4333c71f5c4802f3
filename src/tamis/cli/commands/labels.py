"""`tamis labels`: labels of pages in the formats of several tools."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

import click
import numpy as np

from tamis import Options, Result, extract
from tamis.cli import page_output
from tamis.cli.help import CommandGroup
from tamis.cli.output import progress_bar, report
from tamis.cli.parameters import choice_option, output_option
from tamis.cli.sources import PageName, find_pages, private_option, read_source
from tamis.errors import DatasetError, LimitError, TamisError
from tamis.labels import datasets
from tamis.labels.blocks import Kinds, LabelledSource, label_blocks, propose_kind
from tamis.labels.datasets import KINDS, Example
from tamis.labels.formats import FORMATS, write_labels


@click.group("labels", cls=CommandGroup)
def labels_command() -> None:
    """Labels of pages, from and for other tools.

    \b
    Examples:
      tamis labels propose pages/ --output mine.jsonl
      tamis labels convert mine.jsonl tasks.json --to label-studio
    """


@labels_command.command("propose")
@click.argument("sources", metavar="DIR|FILE|URL...", nargs=-1, required=True)
@output_option("FILE", "Where the labels go, our JSON lines.", required=True)
@click.option("--weights", metavar="FILE", help="Weights that `tamis train` wrote.")
@private_option
def propose_command(sources: tuple[str, ...], output: str, weights: str | None) -> None:
    """Label pages as tamis would, for a person to correct.

    What is kept becomes main or title, the rest comments, navigation, promotion or other.

    \b
    Examples:
      tamis labels propose pages/ --output mine.jsonl
      tamis labels propose pages/ --weights better.npz --output again.jsonl
    """
    pages = find_pages(sources)
    options = Options(parameters={"weights": weights} if weights else {})
    with progress_bar(pages, "labelling", len(pages)) as bar:
        count = write_labels(Path(output), _propose_labels(bar, options), "tamis")
    click.echo(f"wrote {count} pages to {output}")


def _propose_labels(pages: Iterable[PageName], options: Options) -> Iterator[LabelledSource]:
    for name in pages:
        try:
            read = read_source(name.name, None, None, options)
            result = extract(
                read.body, url=read.url, options=options, content_type=read.content_type
            )
        except TamisError as error:
            report(page_output.describe_error(name, error))
            continue
        page = result.page
        example = Example(
            id=name.inside.stem,
            dataset="",
            html=page.source,
            url=read.url,
            site=name.choose_site_name(page),
        )
        yield LabelledSource(example, page, _kinds(result), 0)


def _kinds(result: Result) -> Kinds:
    kinds = (propose_kind(block.kind, block.kept) for block in result.blocks)
    return np.array([KINDS.index(kind) for kind in kinds], np.int8)


@labels_command.command("convert")
@click.argument("source", metavar="IN", type=click.Path(path_type=Path, exists=True))
@click.argument("target", metavar="OUT", type=click.Path(path_type=Path, dir_okay=False))
@choice_option("--to", [*FORMATS], "tamis", "The format of OUT.")
def convert_command(source: Path, target: Path, to: str) -> None:
    """Write the labelled pages of IN as a file of another tool.

    IN is what `tamis train` and `tamis bench` read: our JSON lines, an export of Label Studio with
    HyperTextLabels (JSON), a file of WebMainBench, a folder of pages and texts. Labels are called
    main, title, comments, navigation, promotion and other. A page that has a gold text alone gets
    the labels of the blocks that have its words.

    docs/how-to/teaching.md has the set-up of a project in Label Studio.

    \b
    Examples:
      tamis labels convert project.json mine.jsonl
      tamis labels convert mine.jsonl tasks.json --to label-studio
      tamis labels convert mine.jsonl bench.jsonl --to webmainbench
    """
    count = write_labels(target, _read_labelled(source), to)
    if not count:
        raise DatasetError(f"{source}: no page with a label in it")
    click.echo(f"wrote {count} pages to {target}")


def _read_labelled(path: Path) -> Iterator[LabelledSource]:
    for example in datasets.read(path, keep_going=True, on_error=lambda error: report(str(error))):
        try:
            source = label_blocks(example)
        except LimitError as error:
            report(f"{example.id}: left out, {error}")
            continue
        if source.missing:
            report(f"{example.id}: {source.missing} labels are about nothing on the page")
        yield source
