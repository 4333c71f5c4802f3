"""Public data sets, made from the repositories that they are published in.

python benchmarks/data.py list               what there is, and what it may be used for
python benchmarks/data.py get scrapinghub    make a set; `get all` makes all that can be made
python benchmarks/data.py convert IN OUT     the layout of its authors as JSON lines
python benchmarks/data.py check              compare what is read of the authors' layouts
"""

from __future__ import annotations

import contextlib
import dataclasses
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click
import script
from public_sets import PublicSet, layout_writers, layouts, path_of, source_of, table
from public_sets.making import Made, difference, make

from tamis.cli.output import as_json, progress_bar, report, report_first, write
from tamis.errors import DatasetError, TamisError
from tamis.labels.blocks import label_blocks
from tamis.labels.datasets import data_folder
from tamis.labels.formats import FORMATS, write_labels

if TYPE_CHECKING:
    from click._termui_impl import ProgressBar

_ALL = "all"
_folder_option = click.option(
    "-o",
    "--output",
    metavar="DIR",
    type=click.Path(path_type=Path),
    help="The data folder, in which the sets are datasets/NAME.jsonl.xz.  [default: $TAMIS_DATA,"
    " else tamis in the user's folder of data]",
)


@click.group(cls=script.Program)
def main() -> None:
    """Public data sets, made from the repositories that they are published in."""


@main.command("list")
@click.argument("names", metavar="[NAME]...", nargs=-1)
@_folder_option
@click.option("--format", "output_format", type=click.Choice(["text", "json"]), default="text")
def list_command(names: tuple[str, ...], output: Path | None, output_format: str) -> None:
    """List the sets: pages, commit, licence, what each may be used for, whether it is there.

    With names, all that is known of these: repository, hashes, and how each is known.
    """
    folder = output or data_folder()
    sources = [source_of(name) for name in names] or list(table().values())
    if output_format == "json":
        write(as_json([dataclasses.asdict(source) for source in sources]))
    elif names:
        write("\n".join(map(_describe, sources)))
    else:
        there = {source.name for source in sources if path_of(folder, source.name).exists()}
        write("".join(_row(source, source.name in there) for source in sources))
        report(f"?: not known, or not verified. `data.py get NAME` makes a set in {folder}")


@main.command("get")
@click.argument("names", metavar="NAME...", nargs=-1, required=True)
@click.option(
    "--from",
    "origin",
    metavar="GIT|DIR",
    help="Make the set from here: the address of a git repository, the path of a clone, or a folder"
    " with its files.  [default: the repository that `python benchmarks/data.py list NAME` says]",
)
@click.option(
    "--commit",
    metavar="COMMIT",
    help="Take this commit, or branch, of the repository.  [default: the one of our figures, if it"
    " is known, else the newest]",
)
@_folder_option
@click.option("--again", is_flag=True, help="Make a set that is there already, too.")
def get_command(
    names: tuple[str, ...],
    origin: str | None,
    commit: str | None,
    output: Path | None,
    again: bool,
) -> None:
    """Make sets, or all that can be made, from their repositories: our JSON lines.

    What was made is compared with the pages and the gold that our figures are of, and NAME.json
    beside the set says where it comes from. A set that fails does not stop the others; run the same
    command again to go on: what is there already is not made again.
    """
    if len(names) > 1 and (origin or commit):
        raise click.UsageError("--from and --commit are about one set; name one.")
    if names == (_ALL,):
        names = tuple(name for name, source in table().items() if not source.not_made)
    folder = output or data_folder()
    failed: list[TamisError] = []
    for source in [source_of(name) for name in names]:
        try:
            with _progress(source) as progress:
                made = make(
                    source,
                    folder,
                    origin=origin,
                    commit=commit,
                    again=again,
                    say=_say(source.name),
                    progress=progress,
                )
        except TamisError as error:
            if len(names) == 1:
                raise
            report(f"{source.name}: {error}")
            failed.append(error)
        else:
            _tell(source, made)
    if failed:
        raise DatasetError(
            f"{len(failed)} of {len(names)} sets could not be made, see above; run the same command"
            " again for these alone"
        )


@main.command("convert")
@click.argument("source", metavar="IN", type=click.Path(path_type=Path, exists=True))
@click.argument("target", metavar="OUT", type=click.Path(path_type=Path, dir_okay=False))
@click.option("--to", type=click.Choice([*FORMATS]), default="tamis")
def convert_command(source: Path, target: Path, to: str) -> None:
    """Write the labelled pages of a set as its authors publish it in another format."""
    examples = layouts.read(source, on_error=lambda error: report(str(error)))
    count = write_labels(target, map(label_blocks, examples), to)
    click.echo(f"wrote {count} pages to {target}")


@main.command("check")
@click.option("--data", type=click.Path(path_type=Path), help="The data folder.")
@click.argument("names", metavar="[NAME]...", nargs=-1)
def check_command(data: Path | None, names: tuple[str, ...]) -> None:
    """Write each set as its authors publish it, make it again from that, and compare the hashes.

    This compares what is read of a layout; only a network can tell that the real repository holds
    the same pages. The gold of dragnet, cleaneval-final and l3s-gn1 differs on a few pages: see
    `data.py list dragnet`.
    """
    if not layout_writers.compare(
        data or script.find_data(), names or tuple(layout_writers.WRITERS)
    ):
        raise DatasetError("some sets differ, see above")


@contextlib.contextmanager
def _progress(source: PublicSet) -> Iterator[Callable[[int], None]]:
    """A bar for the pages of a set, from the first one on: before that git has the terminal."""
    with contextlib.ExitStack() as stack:
        bars: list[ProgressBar[int]] = []

        def show(done: int) -> None:
            if not bars:
                bar = progress_bar(range(0), source.name, source.pages)
                bars.append(stack.enter_context(bar))
            bars[0].update(done - bars[0].pos)

        yield show


def _say(name: str) -> Callable[[str], None]:
    return lambda step: report(f"{name}: {step}")


def _tell(source: PublicSet, made: Made) -> None:
    report_first(list(made.left_out), f"{made.name}: left out: ", f"{made.name}: left out")
    if made.matches is False:
        report(
            difference(source, made)
            + ("" if source.verified else " (never compared with the repository until now)")
        )
    elif made.matches:
        report(f"{made.name}: pages and gold are those that our figures are of")
    at = f" at {made.commit[:12]}" if made.commit else ""
    click.echo(
        f"{made.path}: {made.pages:,} pages{'' if made.new else ', there already'}, from"
        f" {made.repository}{at}; licence: {made.licence}; use: {made.use}"
    )


def _row(source: PublicSet, there: bool) -> str:
    state = "there" if there else "cannot" if source.not_made else ""
    licence = source.licence + "?" * (not source.licence_verified)
    commit = source.commit[:8] if source.commit else "?"
    return (
        f"{source.name:<17}{source.pages:>6,}  {commit:<10}{licence:<15}{source.use:<28}{state:<8}"
        f"{source.about}\n"
    )


def _describe(source: PublicSet) -> str:
    hashes = source.hashes
    verified = "of the repository" if source.verified else "of our copy, not verified"
    sure = "" if source.licence_verified else "not verified: "
    lines = {
        "pages": f"{source.pages:,}",
        "repository": source.repository or "none",
        "commit": f"{source.commit or 'not known'} ({source.commit_from})",
        "folder": source.folder,
        "licence": f"{source.licence} ({sure}{source.licence_from})",
        "use": source.use,
        "pages hash": f"{hashes.pages} ({verified})" if hashes else "",
        "gold hash": f"{hashes.gold} ({verified})" if hashes else "",
        "see also": ", ".join(source.mirrors),
        "note": source.note or "",
        "cannot": source.not_made or "",
    }
    described = "".join(f"  {key:<11}{value}\n" for key, value in lines.items() if value)
    return f"{source.name}: {source.about}\n{described}"


if __name__ == "__main__":
    main()
