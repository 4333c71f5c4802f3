"""`tamis extract`: the content of pages, as text, Markdown, HTML or JSON."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import click

from tamis.cli import several
from tamis.cli.help import Command
from tamis.cli.output import report, write
from tamis.cli.pages import pages_of
from tamis.cli.parameters import (
    choice_option,
    count_option,
    format_option,
    method_options,
    output_option,
    project_option,
    read_options,
    switch_option,
)
from tamis.cli.source import page_options, read_source, source_argument
from tamis.decide.decision import USUAL_THRESHOLD
from tamis.options import DEFAULT_METHOD, OVERVIEWS, Options

if TYPE_CHECKING:
    from tamis import Result


@click.command("extract", cls=Command)
@source_argument("[FILE|DIR|URL|-]...", several=True)
@format_option(
    *("text", "markdown", "html", "json"),
    help="json has the content in its structure, what is known about the page, the posts of a"
    " thread or of comments, and every block with its score, its kind and its place in the source.",
)
@output_option(
    "FILE|DIR",
    "Write here instead of to standard output: a file, which appears only when it is complete, or"
    " a folder for a file per page.",
)
@switch_option("comments", "Keep the readers' comments, too.")
@switch_option("tables", "Keep tables of data.")
@switch_option("links", "Keep the targets of links.")
@switch_option("images", "Keep images.")
@switch_option("hidden", "Keep content that a browser does not show at once.")
@switch_option("title", "Put the title on top, once, or leave it out.")
@switch_option(
    "front_matter",
    "Begin the Markdown with YAML: title, authors, date, address, language, site, page type and"
    " number of words.",
)
@choice_option(
    "--overview",
    OVERVIEWS,
    Options().overview,
    "What to do with a page that is a list of links to others: treat it like any other, give"
    " nothing, or its entries alone.",
)
@count_option("--workers", "Of several pages, processes at a time.  [default: one per processor]")
@method_options(default=DEFAULT_METHOD)
@project_option
@page_options
def extract_command(
    sources: tuple[str, ...],
    output_format: str,
    output: str | None,
    workers: int | None,
    **choices: Any,
) -> None:
    """Print what pages are about, without navigation, ads and footers.

    A page is a file, an http or https address, or - for standard input, which a pipe is without it.
    Of a folder all .html files and the like are read, those in its folders too; a pattern such as
    'saved/*.html' is understood. Several pages go into a folder, one file each, or as JSON to
    standard output, one page per line; those that fail are named. The output is UTF-8.

    \b
    Examples:
      tamis extract article.html
      tamis extract https://example.org/story -o story.md
      curl -s https://example.org/ | tamis extract --url https://example.org/
      tamis extract saved/ --format md --output texts/
      tamis extract article.html --focus recall
      tamis extract article.html --project mine/
      tamis extract article.html -o article.md --title --front-matter
    """
    check_front_matter(choices["front_matter"], output_format)
    pages = pages_of(sources)
    if several.is_several(pages, sources):
        several.check_usage(output_format, output, choices["url"])
        results = several.extracted_pages(
            pages, choices["content_type"], read_options(choices), output_format, output, workers
        )
        several.write_several(pages, results, output_format, output)
        return
    result = extract_source(sources[0], choices)
    target = several.file_of(pages[0], output, output_format)
    write(several.render(result, output_format), target)
    if not result.text.strip():
        report(f"{sources[0]}: {nothing_kept(result)}")


def check_front_matter(wanted: bool, output_format: str) -> None:
    """Refuse front matter of what is no Markdown."""
    if wanted and output_format != "markdown":
        raise click.UsageError("--front-matter is for Markdown; add --format markdown.")


def extract_source(source: str, choices: dict[str, Any]) -> Result:
    """The page of a command that has `page_options` and `method_options`."""
    from tamis import extract

    options = read_options(choices)
    read = read_source(source, choices["url"], choices["content_type"], options)
    return extract(read.body, url=read.url, options=options, content_type=read.content_type)


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
        f"--{name}" for name in decision.switched if name in Options.__dataclass_fields__
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
