"""`tamis extract`: the content of one page, as text, Markdown, HTML or JSON."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import click

from tamis.cli.output import as_json, report, write
from tamis.cli.parameters import (
    choice_option,
    format_option,
    method_options,
    output_option,
    read_options,
)
from tamis.cli.source import read_source, source_options
from tamis.decision import THREAD, USUAL_THRESHOLD, WHOLE
from tamis.options import DEFAULT_METHOD, OVERVIEWS, Options

if TYPE_CHECKING:
    from tamis import Result


@click.command("extract")
@source_options
@method_options(default=DEFAULT_METHOD)
@format_option(
    *("text", "markdown", "html", "json"),
    help="json has the content in its structure, what is known about the page, the posts of a"
    " thread or of comments, and every block with its score, its kind and its place in the source.",
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
@choice_option(
    "--overview",
    OVERVIEWS,
    Options().overview,
    "What to do with a page that is a list of links to others: treat it like any other, give"
    " nothing, or its entries alone.",
)
@output_option()
def extract_command(output_format: str, output: str | None, **choices: Any) -> None:
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
      tamis extract article.html --method example.org.npz -o article.txt
    """
    result = extracted(choices)
    write(rendered(result, output_format), output)
    if not result.text.strip():
        report(f"{choices['source']}: {nothing_kept(result)}")


def extracted(choices: dict[str, Any]) -> Result:
    """The page of a command that has `source_options` and `method_options`."""
    from tamis import extract

    options = read_options(choices)
    read = read_source(choices["source"], choices["url"], choices["content_type"], options)
    return extract(read.body, url=read.url, options=options, content_type=read.content_type)


def rendered(result: Result, output_format: str) -> str:
    """The result in a format of `--format`."""
    if output_format == "json":
        return as_json(result.to_dict())
    text: str = getattr(result, output_format)
    return text if not text or text.endswith("\n") else text + "\n"


def nothing_kept(result: Result) -> str:
    """Why there is no content, and what to do about it."""
    decision = result.decision
    blocks = len(decision.scores)
    if not blocks:
        return (
            "nothing was kept, since the page has no text; if scripts write it, save the page in a"
            " browser and give the file"
        )
    if options := " and ".join(
        f"--{name}" for name in decision.switched if name not in (THREAD, WHOLE)
    ):
        return f"nothing was kept of {blocks:,} blocks, because of the options for {options}"
    best = math.floor(float(decision.scores.max()) * 100) / 100
    why = ""
    if decision.cut > 1:
        # It was the page as a whole that was dropped: its best blocks may have any score.
        why = ", since the page looks like one without content (blocked, an error, a login)"
        best = min(best, USUAL_THRESHOLD)
    lower = f"--threshold {best:g} or " if 0 < best < decision.cut else ""
    return (
        f"nothing was kept of {blocks:,} blocks{why}; try {lower}another --method (`tamis methods`"
        " lists them)"
    )
