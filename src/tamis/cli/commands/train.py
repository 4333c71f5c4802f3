"""`tamis train`: weights of a method that learns, from pages with gold text."""

from __future__ import annotations

import difflib
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import click

from tamis._runtime.libraries import check_installed
from tamis.cli import Command
from tamis.cli.output import progress_bar, report
from tamis.cli.parameters import count_option, parse_assignments, path_option
from tamis.errors import MethodError, WeightsError
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
