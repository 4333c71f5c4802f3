"""`tamis train`: weights of a method that learns, from pages with gold text."""

from __future__ import annotations

import difflib
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import click

from tamis._runtime.extras import check_installed
from tamis.cli.help import Command
from tamis.cli.output import progress_bar, report
from tamis.cli.parameters import count_option, parse_assignments, path_option
from tamis.errors import MethodError, WeightsError
from tamis.train import METHODS

_STEPS = 100
_OTHERS = ("page_type", "site")  # no methods, but weights like those of one


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
    help="For method tamis: go on from the shipped weights, or from those of a file, instead of"
    " beginning anew. A few pages are enough.",
)
@count_option(
    "--rows",
    "Learn from at most that many blocks, of pages in random order.",
    least=100,
    default=1_000_000,
    show_default=True,
)
@path_option(
    "--folds",
    "DIR",
    "For method tamis: where the weights for each fold go, which honest measuring needs."
    "  [default: beside --output]",
)
@path_option(
    "--work",
    "DIR",
    "For method tamis: a folder for what is done, so that an interrupted run goes on.",
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
    folds: Path | None,
    work: Path | None,
    parameters: tuple[str, ...],
    seed: int,
    comments: bool,
) -> None:
    """Train METHOD on pages whose content is known.

    Besides methods: page_type, on pages whose type is known, and site, on sites with several pages.

    A block is content if more than a tenth of its words is in the gold text, in order; the default
    method, tamis, learns the share itself. Labels of blocks hold as they are.

    With --from, tamis is taught: the weights are corrected by your pages, five or more, and stay as
    they are if that does not help. It says by folds over sites whether pages like yours come out
    better, by how much, how sure that is, and which come out worse.

    Use the weights of a method with `--weights FILE` of the
    other commands, those of page types with `--page-type-weights FILE`.

    \b
    Examples:
      tamis train tamis --from shipped --data mine.jsonl -o mine.npz
      tamis train tamis --data mine.jsonl --data wcxb-dev.jsonl.xz -o mine.npz --work scratch
      tamis train page_type --data typed.jsonl -o types.npz
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
    if start is not None:
        _teach(stem, data, output, start, comments, seed)
        return
    train = _trainer(stem, folds, work, rows, comments, parameters)
    measures = train(data, output, seed=seed, say=_say)
    for name, value in measures.items():
        click.echo(f"{name}: {value:.3f}")
    click.echo(f"wrote {output} and {output.with_suffix('.json').name}")


def _teach(
    stem: str, data: tuple[Path, ...], output: Path, start: str, comments: bool, seed: int
) -> None:
    """Correct weights that are there, and say whether that helped."""
    from tamis.train import teach

    if stem != "tamis":
        raise click.UsageError(f"--from is for method tamis; {stem} always begins anew.")
    weights = "" if start == "shipped" else start
    with progress_bar(range(_STEPS), "teaching", _STEPS) as bar:
        taught = teach.run(
            data,
            output,
            start=weights,
            comments=comments,
            seed=seed,
            progress=lambda share, text: bar.update(max(0, round(share * _STEPS) - bar.pos)),
        )
    for warning in taught.warnings:
        report(warning)
    click.echo(str(taught))
    click.echo(f"wrote {output} and {output.with_suffix('.json').name}")


def _trainer(
    stem: str,
    folds: Path | None,
    work: Path | None,
    rows: int,
    comments: bool,
    parameters: tuple[str, ...],
) -> Callable[..., dict[str, float]]:
    """What trains: from the sets, the output, a seed and what to say, to the measures."""
    from tamis.methods._registry import defaults_of
    from tamis.train import dragnet, page_type, run, site, text_block_context

    with_parameters: dict[str, tuple[Any, Callable[..., dict[str, float]]]] = {
        "dragnet": (dragnet.DragnetTraining, dragnet.run),
        "text_block_context": (text_block_context.ContextTraining, text_block_context.run),
    }
    if stem in with_parameters:
        make, run_training = with_parameters[stem]
        values = parse_assignments(stem, defaults_of(make), parameters)
        try:
            training = make(**values)
        except ValueError as error:
            raise MethodError(f"training of {stem}: {error}") from error
        return partial(run_training, training, rows=rows, comments=comments)
    parse_assignments(stem, {}, parameters)
    if stem == "page_type":
        return page_type.run
    if stem == "site":
        if folds is None:
            raise click.UsageError("site needs --folds DIR, which `tamis train tamis` wrote.")
        return partial(site.run, folds=folds)
    return partial(run.run, folds=folds, work=work)


def _say(text: str) -> None:
    click.echo(text, err=True)


def _method(name: str) -> str:
    stem = name.replace("-", "_")
    known = (*METHODS, *_OTHERS)
    if stem not in known:
        near = difflib.get_close_matches(stem, known, n=1)
        hint = f"did you mean {near[0]!r}?" if near else f"these do: {', '.join(known)}"
        raise MethodError(f"no method {name!r} that learns; {hint}")
    return stem
