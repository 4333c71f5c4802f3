"""`tamis labels` and `tamis train`: labelled pages, and weights that a method learns from them."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import click
import numpy as np

from tamis import Options
from tamis._runtime.libraries import check_installed
from tamis.cli import Command, CommandGroup
from tamis.cli.output import describe_error, progress_bar, report
from tamis.cli.parameters import (
    choice_option,
    count_option,
    output_option,
    parse_assignments,
    path_option,
)
from tamis.cli.sources import PageName, find_pages, private_option, read_source
from tamis.errors import DatasetError, LimitError, MethodError, TamisError, WeightsError
from tamis.labels import datasets
from tamis.labels.blocks import LabelledSource, label_blocks, propose_kind
from tamis.labels.datasets import KINDS, Example
from tamis.labels.formats import FORMATS, write_labels
from tamis.methods._registry import defaults_of
from tamis.train import METHODS

_STEPS = 100


@click.command("train", cls=Command)
@click.argument("method")
@path_option(
    "--data",
    "FILE|DIR",
    "Pages with gold: a .jsonl(.xz) file, one object with `id`, `html` and `text` or `blocks` per"
    " line, an export of Label Studio, or a folder as `tamis bench` reads it; may be repeated.",
    exists=True,
    multiple=True,
    required=True,
)
@path_option(
    "--output -o",
    "FILE",
    "Where the weights go, a name that ends in .npz; the card goes beside it as .json.",
    required=True,
)
@click.option(
    "--from",
    "start",
    metavar="shipped|FILE",
    help="For method tamis: correct the shipped weights, or those of a file. A few pages are"
    " enough.  [default: shipped]",
)
@count_option(
    "--rows",
    "For the methods of papers: learn from at most that many blocks, of pages in random order.",
    least=100,
    default=1_000_000,
    show_default=True,
)
@click.option(
    "--parameter",
    "parameters",
    metavar="NAME=VALUE",
    multiple=True,
    help="For method dragnet: blocks=text|paper, features=st+ic+cetr+cetd or fewer,"
    " tokens=all|meaning or most_words=N; for method text_block_context: confidence=X, least=N,"
    " text=visible|all or smoothing=X; may be repeated.",
)
@click.option("--seed", type=int, default=0, show_default=True, help="Seed of all that is random.")
@click.option(
    "--comments/--no-comments",
    default=False,
    help="The field `comments` of a page is content too.  [default: off]",
)
def train_command(
    method: str,
    data: tuple[Path, ...],
    output: Path,
    start: str | None,
    rows: int,
    parameters: tuple[str, ...],
    seed: int,
    comments: bool,
) -> None:
    """Train METHOD on pages whose content is known.

    METHOD is tamis, the default method, or one of the papers that learns: dragnet,
    text_block_context.

    tamis is taught: its weights are corrected by your pages, five or more, and stay as they are if
    that does not help. The command reports by folds over sites whether pages like yours come out
    better, by how much, how sure that is, and which come out worse.

    dragnet and text_block_context learn from nothing. For them a block is content if more than a
    tenth of its words is in the gold text, in order. Labels of blocks hold as they are.

    Use the weights with `--weights FILE` of the other commands.

    \b
    Examples:
      tamis train tamis --data mine.jsonl -o mine.npz
      tamis train tamis --from mine.npz --data more.jsonl -o better.npz
      tamis train dragnet --data news.jsonl.xz -o news.npz
      tamis extract article.html --method dragnet --weights news.npz
      tamis train dragnet --parameter blocks=paper --data news.jsonl.xz -o published.npz
      tamis train text_block_context --parameter least=25 --data news.jsonl.xz -o news.npz
    """
    stem = _method(method)
    if output.suffix != ".npz" or not output.parent.is_dir():
        raise WeightsError(f"--output {output}: a name that ends in .npz, in a folder that exists")
    for module in ("sklearn", "lightgbm"):
        check_installed(module, "training", "train")
    if stem == "tamis":
        parse_assignments(stem, {}, parameters)
        _teach(data, output, start or "shipped", comments, seed)
    elif start is not None:
        raise click.UsageError(f"--from is for method tamis; {stem} always begins anew.")
    else:
        train, say = learner_of(stem, parameters), partial(click.echo, err=True)
        measures = train(data, output, rows=rows, comments=comments, seed=seed, say=say)
        for name, value in measures.items():
            click.echo(f"{name}: {value:.3f}")
    click.echo(f"wrote {output} and {output.with_suffix('.json').name}")


def _teach(data: tuple[Path, ...], output: Path, start: str, comments: bool, seed: int) -> None:
    from tamis.train import teaching

    with progress_bar(range(_STEPS), "teaching", _STEPS) as bar:
        taught = teaching.teach_from_sets(
            data,
            output,
            start="" if start == "shipped" else start,
            comments=comments,
            seed=seed,
            progress=lambda share, text: bar.update(max(0, round(share * _STEPS) - bar.pos)),
        )
    for warning in taught.warnings:
        report(warning)
    click.echo(str(taught))


def learner_of(stem: str, parameters: tuple[str, ...]) -> Callable[..., dict[str, float]]:
    """What trains a published method: from the sets and the output to the measures."""
    from tamis.train import dragnet, text_block_context

    learners: dict[str, tuple[Any, Callable[..., dict[str, float]]]] = {
        "dragnet": (dragnet.DragnetTraining, dragnet.train),
        "text_block_context": (text_block_context.ContextTraining, text_block_context.train),
    }
    make, train = learners[stem]
    values = parse_assignments(stem, defaults_of(make), parameters)
    try:
        return partial(train, make(**values))
    except ValueError as error:
        raise MethodError(f"training of {stem}: {error}") from error


def _method(name: str) -> str:
    stem = name.replace("-", "_")
    if stem not in METHODS:
        near = difflib.get_close_matches(stem, METHODS, n=1)
        hint = f"did you mean {near[0]!r}?" if near else f"these do: {', '.join(METHODS)}"
        raise MethodError(f"no method {name!r} that learns; {hint}")
    return stem


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
            result = read.extract(options)
        except TamisError as error:
            report(describe_error(name, error))
            continue
        page = result.page
        example = Example(
            id=name.inside.stem,
            dataset="",
            html=page.source,
            url=read.url,
            site=name.choose_site_name(page),
        )
        kinds = [propose_kind(block.kind, block.kept) for block in result.blocks]
        numbers = np.array([KINDS.index(kind) for kind in kinds], np.int8)
        yield LabelledSource(example, page, numbers, 0)


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
