"""`tamis extract` and `tamis convert`: the content of pages, or a whole page as Markdown."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import click

from tamis.cli import page_output
from tamis.cli.help import Command
from tamis.cli.output import report, write
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
from tamis.cli.sources import (
    PageName,
    find_pages,
    page_options,
    read_source,
    source_argument,
    source_options,
)
from tamis.decide.decision import USUAL_THRESHOLD
from tamis.options import DEFAULT_METHOD, OVERVIEWS, Options

if TYPE_CHECKING:
    from tamis import Result


@click.command("extract", cls=Command)
@source_argument("[FILE|DIR|URL|-]...", several=True)
@format_option(
    *("text", "markdown", "html", "json"),
    help="json has the structured content, the metadata, the posts of a thread or of comments, and"
    " every block with its score, its kind and its place in the source.",
)
@output_option(
    "FILE|DIR",
    "Write to this file instead of standard output, or to one file per page in this folder. A file"
    " appears only when it is complete.",
)
@switch_option("comments", "Also keep the comments of readers.")
@switch_option("tables", "Keep tables of data.")
@switch_option("links", "Keep the targets of links.")
@switch_option("images", "Keep images.")
@switch_option("hidden", "Keep content that a browser does not show at first.")
@switch_option("title", "Put the title at the top, once, or leave it out.")
@switch_option(
    "front_matter",
    "Begin the Markdown with YAML: title, authors, date, address, language, site, page type and"
    " number of words.",
)
@choice_option(
    "--overview",
    OVERVIEWS,
    Options().overview,
    "What to do with a page that lists links to other pages: treat it like any other page, keep"
    " nothing, or keep only its entries.",
)
@count_option("--workers", "Processes that read several pages.  [default: one per processor]")
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

    A page is a file, an http or https address, or - for standard input; a pipe needs no -. A folder
    stands for all .html files and the like in it and below it. You can give patterns such as
    'saved/*.html'. Several pages go into a folder, one file each, or as JSON to standard output,
    one page per line; tamis reports those that fail. The output is UTF-8.

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
    pages = find_pages(sources)
    if page_output.is_several(pages, sources):
        page_output.check_usage(output_format, output, choices["url"])
        results = page_output.extract_pages(
            pages, choices["content_type"], read_options(choices), output_format, output, workers
        )
        page_output.write_several(pages, results, output_format, output)
        return
    write_result(extract_source(sources[0], choices), pages[0], output_format, output)


def borrow_options(*names: str) -> list[click.Parameter]:
    """Options of `tamis extract` for commands in which they mean the same."""
    return [option for option in extract_command.params if option.name in names]


def write_result(result: Result, page: PageName, output_format: str, output: str | None) -> None:
    """Write a single page, and report if nothing was kept."""
    target = page_output.choose_file(page, output, output_format)
    write(page_output.render(result, output_format), target)
    if not result.text.strip():
        report(f"{page.name}: {_explain_nothing(result)}")


def check_front_matter(wanted: bool, output_format: str) -> None:
    if wanted and output_format != "markdown":
        raise click.UsageError("--front-matter is for Markdown; add --format markdown.")


def extract_source(source: str, choices: dict[str, Any]) -> Result:
    """Extract the page of a command that has `page_options` and `method_options`."""
    from tamis import extract

    options = read_options(choices)
    read = read_source(source, choices["url"], choices["content_type"], options)
    return extract(read.body, url=read.url, options=options, content_type=read.content_type)


def _explain_nothing(result: Result) -> str:
    """Why nothing was kept, and what to do about it."""
    decision = result.decision
    blocks = len(decision.scores)
    if not blocks:
        return (
            "nothing was kept, since the page has no text; if scripts write its text, save the page"
            " in a browser and give that file"
        )
    if options := " and ".join(
        f"--{name}" for name in decision.switched if name in Options.__dataclass_fields__
    ):
        return f"nothing was kept of {blocks:,} blocks, because of the options for {options}"
    best = math.floor(float(decision.scores.max()) * 100) / 100
    why = ""
    if decision.cut > 1:
        # The whole page was dropped, so its best blocks may have any score.
        why = ", since the page looks like one without content (blocked, an error, a login)"
        best = min(best, USUAL_THRESHOLD)
    lower = f"--threshold {best:g} or " if 0 < best < decision.cut else ""
    return (
        f"nothing was kept of {blocks:,} blocks{why}; try {lower}another --method (`tamis methods`"
        " lists them)"
    )


@click.command(
    "convert",
    cls=Command,
    params=borrow_options("tables", "links", "images", "title", "front_matter"),
)
@output_option()
@source_options
def convert_command(
    source: str, url: str | None, content_type: str | None, output: str | None, **choices: Any
) -> None:
    """Convert a whole page to Markdown, with navigation, ads and footers.

    You get everything that a browser shows; `tamis extract` keeps only what a page is about.

    \b
    Examples:
      tamis convert mail.html
      tamis convert https://example.org/ --output page.md
      pandoc notes.docx -t html | tamis convert --no-images
    """
    from tamis import to_markdown

    options = Options(**choices)
    read = read_source(source, url, content_type, options)
    text = to_markdown(read.body, url=read.url, content_type=read.content_type, options=options)
    write(text + "\n" if text else "", output)
