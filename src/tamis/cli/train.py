"""`tamis train`: weights of a method that learns, from pages with gold text."""

from __future__ import annotations

import difflib
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tamis.errors import DatasetError, MethodError, WeightsError
from tamis.train import METHODS

if TYPE_CHECKING:
    from tamis.train.documents import Document

_OTHERS = ("page_type", "site")  # no methods, but weights like those of one


@click.command("train")
@click.argument("method")
@click.option(
    "--data",
    "data",
    metavar="FILE|DIR",
    type=click.Path(exists=True, path_type=Path),
    multiple=True,
    required=True,
    help="Pages with gold: a .jsonl(.xz) file, one object with `id`, `html` and `text` a line, or a"
    " folder as `tamis bench` reads it; may be repeated.",
)
@click.option(
    "--out",
    metavar="FILE",
    type=click.Path(dir_okay=False, path_type=Path),
    required=True,
    help="Where the weights go, a name that ends in .npz; the card goes beside it as .json.",
)
@click.option(
    "--rows",
    type=click.IntRange(min=100),
    default=1_000_000,
    show_default=True,
    help="Learn from at most that many blocks, of pages in random order.",
)
@click.option(
    "--folds",
    metavar="DIR",
    type=click.Path(file_okay=False, path_type=Path),
    help="For method tamis: where the weights for each fold go, which honest measuring needs."
    "  [default: beside --out]",
)
@click.option(
    "--work",
    metavar="DIR",
    type=click.Path(file_okay=False, path_type=Path),
    help="For method tamis: a folder for what is done, so that an interrupted run goes on.",
)
@click.option("--seed", type=int, default=0, show_default=True, help="Seed of all that is random.")
@click.option("--comments", is_flag=True, help="The field `comments` of a page is content too.")
def train_command(
    method: str,
    data: tuple[Path, ...],
    out: Path,
    rows: int,
    folds: Path | None,
    work: Path | None,
    seed: int,
    comments: bool,
) -> None:
    """Train METHOD on pages whose content is known.

    Besides methods: page_type, on pages whose type is known, and site, on sites with several pages.

    A block is content if more than a tenth of its words is in the gold text, in order; the default
    method, tamis, learns the share itself. Use the weights with `--weights FILE` of the other
    commands.

    \b
    Examples:
      tamis train tamis --data mine.jsonl --data wcxb-dev.jsonl.xz --out mine.npz --work scratch
      tamis train page_type --data typed.jsonl --out types.npz
      tamis train dragnet --data news.jsonl.xz --out news.npz
      tamis extract article.html --method dragnet --weights news.npz
    """
    stem = _method(method)
    if out.suffix != ".npz" or not out.parent.is_dir():
        raise WeightsError(f"--out {out}: a name that ends in .npz, in a folder that exists")
    try:
        import lightgbm  # noqa: F401  only to see whether it is there
        import sklearn  # noqa: F401  the same
    except ImportError as error:
        raise click.ClickException(
            "training needs scikit-learn and LightGBM: pip install 'tamis[train]'"
        ) from error
    if stem in ("tamis", *_OTHERS):
        for name, value in _trained(stem, data, out, folds, work, seed).items():
            click.echo(f"{name}: {value:.3f}")
        click.echo(f"wrote {out} and {out.with_suffix('.json').name}")
        return
    import tamis
    from tamis.evaluate.datasets import name_of
    from tamis.model.weights import load
    from tamis.train import documents
    from tamis.train.fit import fit, table_of

    length = sum(map(documents.count, data))
    with click.progressbar(
        _pages(data, comments), length=length, label="reading pages", show_pos=True
    ) as pages:
        try:
            table = table_of(stem, pages)
        except ValueError as error:
            raise DatasetError(
                f"no page of {', '.join(map(str, data))} has gold in the field `text`"
            ) from error
    click.echo(f"learning from {min(rows, len(table)):,} of {len(table):,} blocks", err=True)
    fitted = fit(stem, table.sample(rows, seed), seed)
    names = map(name_of, data)
    card = load.Card(
        method=fitted.method,
        spec=fitted.spec,
        features=fitted.features,
        training_sets={name: documents.LICENCES.get(name, "unstated") for name in names},
        measures=fitted.measures,
        date=datetime.now(UTC).date().isoformat(),
        seed=seed,
        tamis=tamis.__version__,
    )
    load.save(out, fitted.arrays, card)
    for name, value in fitted.measures.items():
        click.echo(f"{name}: {value:.3f}")
    click.echo(f"wrote {out} and {out.with_suffix('.json').name}")


def _trained(
    stem: str, data: tuple[Path, ...], out: Path, folds: Path | None, work: Path | None, seed: int
) -> dict[str, float]:
    def say(text: str) -> None:
        click.echo(text, err=True)

    if stem == "page_type":
        from tamis.train import page_type

        return page_type.run(data, out, seed=seed, say=say)
    if stem == "site":
        from tamis.train import site

        if folds is None:
            raise click.UsageError("site needs --folds DIR, which `tamis train tamis` wrote.")
        return site.run(data, out, folds=folds, seed=seed, say=say)
    from tamis.train.run import run, summary

    return summary(run(data, out, folds=folds, work=work, seed=seed, say=say))


def _method(name: str) -> str:
    stem = name.replace("-", "_")
    known = (*METHODS, *_OTHERS)
    if stem not in known:
        near = difflib.get_close_matches(stem, known, n=1)
        hint = f"did you mean {near[0]!r}?" if near else f"these do: {', '.join(known)}"
        raise MethodError(f"no method {name!r} that learns; {hint}")
    return stem


def _pages(data: tuple[Path, ...], comments: bool) -> Iterator[Document]:
    from tamis.train.documents import documents

    for path in data:
        yield from documents(path, comments=comments)
