"""`tamis extract`: the content of one page, as text, Markdown, HTML or JSON."""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING, Any

import click

from tamis.cli.output import one_line, write
from tamis.cli.parameters import method_options, read_parameters
from tamis.cli.source import read_source, source_options
from tamis.decision import USUAL_THRESHOLD
from tamis.options import OVERVIEWS, Options

if TYPE_CHECKING:
    from tamis import Result


@click.command("extract")
@source_options
@method_options(default=Options().method)
@click.option(
    "--format",
    "output_format",
    type=click.Choice(["text", "markdown", "html", "json"]),
    default="text",
    show_default=True,
    help="json has the content in its structure, what is known about the page, and every block"
    " with its score, its kind and its place in the source.",
)
@click.option("--comments", is_flag=True, help="Keep the readers' comments, too.")
@click.option("--tables/--no-tables", default=True, help="Keep tables of data.  [default: yes]")
@click.option("--links/--no-links", default=True, help="Keep the targets of links.  [default: yes]")
@click.option("--images/--no-images", default=True, help="Keep images.  [default: yes]")
@click.option(
    "--hidden/--no-hidden",
    default=True,
    help="Keep content that a browser does not show at once.  [default: yes]",
)
@click.option(
    "--overview",
    type=click.Choice(OVERVIEWS),
    default=Options().overview,
    show_default=True,
    help="What to do with a page that is a list of links to others: treat it like any other, give"
    " nothing, or its entries alone.",
)
@click.option(
    "--output",
    metavar="FILE",
    help="Write here instead of to standard output; the file appears only when it is complete.",
)
def extract_command(
    source: str,
    url: str | None,
    content_type: str | None,
    parameters: tuple[str, ...],
    weights: str | None,
    output_format: str,
    output: str | None,
    **choices: Any,
) -> None:
    """Print what a page is about, without navigation, ads and footers.

    The page is a file, an http or https address, or - for standard input. The output is UTF-8.

    \b
    Examples:
      tamis extract article.html
      tamis extract https://example.org/story --format json --output story.json
      tamis extract old.html --content-type 'text/html; charset=windows-1251'
      tamis extract article.html --format markdown --no-images
      tamis extract article.html --focus recall
      tamis extract article.html --method dragnet --threshold 0.3
      tamis extract article.html --method dragnet --weights news.npz
    """
    from tamis import extract

    set_parameters = read_parameters(choices["method"], parameters, weights)
    options = Options(parameters=set_parameters, **choices)
    read = read_source(source, url, content_type, options)
    result = extract(read.body, read.url, options, content_type=read.content_type)
    write(rendered(result, output_format), output)
    if not result.text.strip():
        click.echo(f"tamis: {one_line(_nothing_kept(source, result, options))}", err=True)


def rendered(result: Result, output_format: str) -> str:
    """The result in a format of `--format`."""
    if output_format == "json":
        return json.dumps(result.to_dict(), ensure_ascii=False, indent=2) + "\n"
    text: str = getattr(result, output_format)
    return text if not text or text.endswith("\n") else text + "\n"


def _nothing_kept(source: str, result: Result, options: Options) -> str:
    from tamis.methods._registry import get

    if not len(result.scores):
        return (
            f"{source}: nothing was kept, since the page has no text; if scripts write it, save "
            "the page in a browser and give the file"
        )
    if options.overview == "skip" and result.overview > 0.5:
        return f"{source}: nothing was kept, since it is an overview page"
    best = math.floor(float(result.scores.max()) * 100) / 100
    why, threshold = "", options.threshold
    if threshold is None:
        threshold = USUAL_THRESHOLD
        if get(options.method).calibrated:
            # It was the page as a whole that was dropped: its best blocks may have any score.
            why = ", since the page looks like one without content (blocked, an error, a login)"
            best, threshold = min(best, threshold), 1.0
    lower = f"--threshold {best:g} or " if 0 < best < threshold else ""
    return (
        f"{source}: nothing was kept of {len(result.scores):,} blocks{why}; "
        f"try {lower}another --method (`tamis methods` lists them)"
    )
