"""`tamis bench`: methods and rival libraries on data sets, measured."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tamis import list_methods
from tamis.cli import Command
from tamis.cli.output import as_json, progress_bar, report, report_first, write
from tamis.cli.parameters import count_option, format_option, path_option, read_parameters
from tamis.errors import DatasetError, MethodError
from tamis.labels.datasets import data_folder
from tamis.method_choices import is_name

if TYPE_CHECKING:
    from tamis.bench.contestants import Contestant
    from tamis.bench.protocols import Protocol


@click.command("bench", cls=Command)
@path_option(
    "--data",
    "FILE|DIR",
    "A data set: .jsonl, .jsonl.xz or .jsonl.gz, an export of Label Studio, or a folder with"
    " NAME.html and its gold text in NAME.txt; may be repeated.",
    multiple=True,
)
@path_option(
    "--shared",
    "DIR",
    "A folder with datasets/*.jsonl.xz in it, instead of or beside --data.  [default with --sets:"
    " $TAMIS_DATA, else tamis in the user's folder of data]",
)
@click.option("--sets", metavar="NAME,...", help="Only these sets of --shared.")
@click.option(
    "--methods",
    metavar="NAME,...",
    default="all",
    show_default=True,
    help="Our methods, or all, or none, and classes of your own as MODULE:CLASS or FILE.py:CLASS; "
    "parameters follow after colons: boilerpipe:NAME=VALUE, own.py:LongBlocks:least=8. Methods "
    "that are fitted to a site, and `site` for the site model, need a protocol; all has them if "
    "there is one.",
)
@click.option(
    "--rivals",
    metavar="NAME,...",
    default="none",
    show_default=True,
    help="Other libraries, or all that are installed, or none; pip install 'tamis[rivals]'.",
)
@click.option(
    "--protocol",
    type=click.Choice(["same", "half"]),
    help="Bench on the pages of sites with several pages alone. What is fitted to a site learns "
    "from all its pages and is scored on the same ones, or learns from one half of them and is "
    "scored on the other, both ways round; never from gold.  [default: half if a method that is "
    "fitted to a site is named]",
)
@count_option(
    "--least-pages", "With a protocol: pages that a site needs to take part.  [default: 6]", least=2
)
@count_option(
    "--sample", "N pages of each set, the same ones on every run; with a protocol, whole sites."
)
@count_option("--workers", "Pages at once.  [default: cores]")
@click.option(
    "--seconds",
    type=click.FloatRange(min=0, min_open=True),
    default=30.0,
    show_default=True,
    help="Longest time for one page; a page that takes longer counts as a miss.",
)
@click.option("--rouge", is_flag=True, help="Take ROUGE-LSum too, which is slow.")
@click.option(
    "--blocks",
    is_flag=True,
    help="Take the decisions on blocks, too: precision, recall and F1 of the content, accuracy. A"
    " block is kept, or content, if more than half of its words are in the output, or in the gold.",
)
@path_option(
    "--cache",
    "DIR",
    "Where results are remembered.  [default: the user's cache folder, tamis in it]",
)
@click.option("--no-cache", is_flag=True, help="Remember nothing and start anew.")
@path_option(
    "--report report_folder", "DIR", "Write report.md and report.html (charts, worst pages) here."
)
@click.option("--keep-going", is_flag=True, help="Leave out broken entries of a data set.")
@format_option("markdown", "json", by_name=False)
def bench_command(
    data: tuple[Path, ...],
    shared: Path | None,
    sets: str | None,
    methods: str,
    rivals: str,
    protocol: Protocol | None,
    least_pages: int | None,
    sample: int | None,
    workers: int | None,
    seconds: float,
    rouge: bool,
    blocks: bool,
    cache: Path | None,
    no_cache: bool,
    report_folder: Path | None,
    keep_going: bool,
    output_format: str,
) -> None:
    """Run methods and other libraries on data sets and print how near they come to the gold.

    Each contestant runs in a process of its own: a crash, a hang or too much memory costs it the
    page. Results are remembered, so that a second run is immediate and an interrupted one goes on
    where it stopped; a change of the package, a library, a page or its gold makes them anew.

    \b
    Examples:
      tamis bench --shared ../shared --sample 100
      tamis bench --shared ../shared --sets wcxb-dev,dragnet --methods boilerpipe --rivals all
      tamis bench --data labelled/ --methods boilerpipe,boilerpipe:variant=density
      tamis bench --shared ../shared --sets big9 --protocol half --methods x_cex,site,tamis
      tamis bench --data my.jsonl --methods tamis,./own.py:LongBlocks:least=8
      tamis bench --data my.jsonl --rivals trafilatura --report out/ --format json
    """
    from tamis.bench import protocols
    from tamis.bench import report as reports
    from tamis.bench.contestants import Limits
    from tamis.bench.measures import BLOCKS
    from tamis.bench.report import summarise_sets, summarise_types
    from tamis.bench.run import DEFAULT_MEASURES, Bench, find_cache

    if no_cache and cache is not None:
        raise click.UsageError("--cache and --no-cache exclude each other.")
    paths = [*data, *_shared_sets(shared, sets)]
    if not paths:
        raise click.UsageError("Nothing to bench on: give --data FILE|DIR or --shared DIR.")
    named = _name_contestants(methods, protocol)
    if protocol is None and any(protocols.is_fitted_to_sites(name) for name, _ in named):
        protocol = "half"
    if protocol is None and least_pages is not None:
        raise click.UsageError("--least-pages belongs to --protocol.")
    others = _rivals(rivals)
    if not named and not others:
        raise click.UsageError("Nobody takes part: --methods and --rivals are both none.")
    remembered = None if no_cache else cache or find_cache()
    errors: list[DatasetError] = []
    with contextlib.ExitStack() as stack:
        if protocol is not None:
            sites = protocols.sets_of_sites(
                paths,
                folder=remembered and remembered / "sites",
                least=least_pages or protocols.LEAST_PAGES,
                sample=sample,
                keep_going=keep_going,
                on_error=errors.append,
            )
            paths, sample = stack.enter_context(sites), None
        contestants = [*(_contestant(*method, protocol, paths) for method in named), *others]
        bench = Bench(
            sample=sample,
            workers=workers,
            measures=(*DEFAULT_MEASURES, *["rouge_lsum"] * rouge, *[BLOCKS] * blocks),
            limits=Limits(seconds=seconds),
            keep_going=keep_going,
            cache=remembered,
        )
        progress = stack.enter_context(_progress())
        results = bench.run(contestants, paths, progress=progress, on_error=errors.append)
    if report_folder is not None:
        for path in reports.write_report(report_folder, results):
            report(f"wrote {path}")
    if output_format == "json":
        tables = {
            "sets": [row.to_dict() for row in summarise_sets(results)],
            "page_types": [row.to_dict() for row in summarise_types(results)],
            "errors": [str(error) for error in errors],
        }
        write(as_json(tables))
    else:
        write(reports.write_markdown(results))
    report_first([str(error) for error in errors], "left out: ", "broken entries left out")


def _shared_sets(shared: Path | None, names: str | None) -> list[Path]:
    if shared is None and names is None:
        return []
    shared = shared or data_folder()
    there = {path.name.split(".")[0]: path for path in sorted(shared.glob("datasets/*.jsonl*"))}
    if not there:
        raise DatasetError(f"{shared}: no datasets/*.jsonl.xz in it; check --shared")
    chosen = _split(names) if names is not None else list(there)
    for name in chosen:
        if name not in there:
            raise DatasetError(f"{shared}: no set {name!r} in it; there are: {', '.join(there)}")
    return [there[name] for name in chosen]


def _name_contestants(chosen: str, protocol: Protocol | None) -> list[tuple[str, dict[str, Any]]]:
    from tamis.bench.protocols import SITE_MODEL, is_fitted_to_sites

    if chosen == "none":
        return []
    if chosen == "all":
        names = [*list_methods(), SITE_MODEL]
        return [(name, {}) for name in names if protocol or not is_fitted_to_sites(name)]
    named = []
    for entry in _split(chosen):
        name, assignments = _split_entry(entry)
        method = "tamis" if name == SITE_MODEL else name
        named.append((name, read_parameters(method, assignments)))
    return named


def _split_entry(entry: str) -> tuple[str, list[str]]:
    """A method and its parameters: `boilerpipe:NAME=VALUE`, `own.py:LongBlocks:NAME=VALUE`."""
    parts = entry.split(":")
    first = next((n for n, part in enumerate(parts) if re.match(r"\w+=", part)), len(parts))
    if is_name(parts[0]):
        first = 1
    return ":".join(parts[:first]), parts[first:]


def _contestant(
    name: str, parameters: dict[str, Any], protocol: Protocol | None, paths: list[Path]
) -> Contestant:
    from tamis.bench import protocols
    from tamis.bench.contestants import make_contestant

    if protocol is None or not protocols.is_fitted_to_sites(name):
        return make_contestant(name, parameters)
    return protocols.make_fitted(name, parameters, protocol, paths)


def _rivals(chosen: str) -> list[Contestant]:
    from tamis.bench import rivals

    if chosen == "none":
        return []
    names: Sequence[str] = rivals.list_installed() if chosen == "all" else _split(chosen)
    if not names:
        raise MethodError(f"no rival is installed; {rivals.INSTALL}")
    return [rivals.make_rival(name) for name in names]


def _split(names: str) -> list[str]:
    return list(dict.fromkeys(name.strip() for name in names.split(",") if name.strip()))


@contextlib.contextmanager
def _progress() -> Iterator[Callable[[int, int], None]]:
    with progress_bar(range(0), "pages", 1) as bar:

        def show(done: int, total: int) -> None:
            bar.length = max(total, 1)
            bar.update(done - bar.pos)

        yield show
