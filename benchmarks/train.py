"""Train the weights that come with tamis: from the permitted sets to weights, card and measures.

    python benchmarks/train.py tamis --data FILE... --output tamis-1.npz --folds DIR
    python benchmarks/train.py site --data FILE... --output site-1.npz --folds DIR
    python benchmarks/train.py page_type --data FILE... --output page_type-1.npz
    python benchmarks/train.py dragnet --data FILE... --output dragnet-1.npz

`make model` runs all of it. `tamis` is the default method, from nothing; `--folds` gets its weights
for each fold of the sites, which honest measuring needs. `site` is what a fitted site adds to it,
and learns from the weights of these folds. `page_type` learns from pages whose type is known. The
other two, dragnet and text_block_context, are learned by `tamis train`; here the card gets the
licences of the sets.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

import click
import script
from training import default_method, page_types, site_corrections
from training.licences import LICENCES

from tamis.cli.commands.train import learner_of

METHODS = ("tamis", "site", "page_type", "dragnet", "text_block_context")


@click.command(cls=script.Command)
@click.argument("method", type=click.Choice(METHODS))
@click.option("--data", type=click.Path(path_type=Path, exists=True), multiple=True, required=True)
@click.option("--output", type=click.Path(path_type=Path), required=True)
@click.option("--folds", type=click.Path(path_type=Path), help="The weights for each fold.")
@click.option(
    "--work",
    type=click.Path(path_type=Path),
    help="For tamis: a folder for what is done, so that an interrupted run goes on.",
)
@click.option("--parameter", "parameters", metavar="NAME=VALUE", multiple=True)
@click.option("--rows", type=int, default=1_000_000, help="For dragnet and text_block_context.")
@click.option("--seed", type=int, default=0)
def main(
    method: str,
    data: tuple[Path, ...],
    output: Path,
    folds: Path | None,
    work: Path | None,
    parameters: tuple[str, ...],
    rows: int,
    seed: int,
) -> None:
    """Train one of the weights that come with tamis, and print its measures."""
    train: Callable[..., dict[str, float]]
    if method == "tamis":
        train = partial(default_method.run, folds=folds, work=work)
    elif method == "site":
        if folds is None:
            raise click.UsageError("site needs --folds DIR, which `train.py tamis` wrote.")
        train = partial(site_corrections.run, folds=folds)
    elif method == "page_type":
        train = partial(page_types.run, folds=folds)
    else:
        train = partial(learner_of(method, parameters), rows=rows, licences=LICENCES)
    for name, value in train(data, output, seed=seed, say=partial(click.echo, err=True)).items():
        click.echo(f"{name}: {value:.3f}")
    click.echo(f"wrote {output} and {output.with_suffix('.json').name}")


if __name__ == "__main__":
    main()
