"""`tamis site show`: what a site model knows, the blocks that repeat and the pages they are on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tamis.cli.help import Command
from tamis.cli.output import one_line, write
from tamis.cli.parameters import format_option, output_option
from tamis.cli.source import private_option, read_source
from tamis.errors import InputError
from tamis.method_choices import import_from_here
from tamis.options import DEFAULT_METHOD, Options

if TYPE_CHECKING:
    from tamis.site.model import Site

_TEXT = 100  # letters of a block that are shown


def _from_here(_: click.Context, __: click.Parameter, method: str | None) -> str | None:
    if method:
        import_from_here(method)
    return method


own_method_option = click.option(
    "--method",
    metavar="CLASS",
    callback=_from_here,
    help="The class of your own that the model was learned with, as for `tamis site learn`:"
    " own.py:CLASS. A model of a method of tamis needs none.",
)
"""Adds --method to a command that reads a model, which never says itself what code to run."""


@click.command("show", cls=Command)
@click.argument("model", type=click.Path(path_type=Path))
@click.argument("source", metavar="[FILE|URL]", required=False)
@format_option(
    "text",
    "html",
    "svg",
    help="html is a page of its own, to open in a browser; svg is the tree of site_style_tree.",
)
@output_option()
@own_method_option
@private_option
def show_command(
    model: Path, source: str | None, output_format: str, output: str | None, method: str | None
) -> None:
    """Show the templates of a site: the blocks that repeat, how often, and pages that have them.

    For a published method each block has what the method measures by it, IBDF, entropy or
    importance, and the numbers of all pages that share it; pages are known by name up to 128 per
    site. With a page, all blocks of the page are shown, + for those that are kept.

    \b
    Examples:
      tamis site show example.npz
      tamis site show example.npz story.html
      tamis site show example.npz --format html --output template.html
      tamis site show tree.npz --format svg --output tree.svg
    """
    from tamis.site.model import Site

    site = Site.load(model, method=method)
    if source is not None:
        if output_format != "text":
            raise click.UsageError("The blocks of a page are shown as text.")
        lines = list(_page_lines(site, model, source))
    elif output_format == "svg":
        write(_tree(site, model), output)
        return
    elif output_format == "html":
        from tamis.site.view import view

        write(view(site, model.stem), output)
        return
    else:
        lines = list(_template_lines(site) if site.name == DEFAULT_METHOD else _block_lines(site))
        lines.insert(0, one_line(f"{model}: {summary(site)}"))
        if len(lines) == 1:
            lines.append("no block repeats: there are too few pages, or no two are similar")
    write("\n".join(lines) + "\n", output)


def summary(site: Site) -> str:
    """A site model in a line."""
    count = site.template_count
    templates = "1 template" if count == 1 else f"{count} templates"
    pages = "1 page" if site.pages == 1 else f"{site.pages:,} pages"
    method = "" if site.name == DEFAULT_METHOD else f"method {site.name}, "
    return f"{method}{pages} of {templates}, confidence {site.confidence:.2f}"


def _tree(site: Site, model: Path) -> str:
    from tamis.methods.site_style_tree import SiteStyleTree
    from tamis.render.method_pictures import style_tree

    if not isinstance(site.method, SiteStyleTree):
        raise InputError(
            f"{model}: a model of method {site.name}; only that of site_style_tree is a tree"
        )
    return style_tree(site.method, model.stem)


def _template_lines(site: Site) -> Iterator[str]:
    """Of the default method: the templates, one after the other."""
    from tamis.site.view import by_template

    examples: dict[str, int] = {}
    for number, (pages, blocks) in enumerate(by_template(site), 1):
        yield from ("", f"template {number}: {pages:,} pages, {len(blocks):,} blocks that repeat")
        for block in blocks:
            line = f"  {block.share:4.0%} {block.pages:5,} pages  {_cut(block.text)}"
            if block.example:
                line += f"  [{examples.setdefault(block.example, len(examples) + 1)}]"
            yield line
    if examples:
        yield from ("", "pages that have them:")
        yield from (f"  [{number}] {one_line(example)}" for example, number in examples.items())


def _block_lines(site: Site) -> Iterator[str]:
    """Of a published method: the blocks of the model, and the pages by number."""
    if not site.repeated:
        return
    yield from ("", f"{len(site.repeated):,} blocks that repeat: {site.method.measure}, pages")
    for block in site.repeated:
        yield (
            f"  {block.value:6.3f} {block.pages:5,} of {site.pages:,}  {_cut(block.text)}"
            f"  [{_ranges(block.on)}]"
        )
    yield from _names(site)


def _page_lines(site: Site, model: Path, source: str) -> Iterator[str]:
    """The blocks of a page."""
    from tamis.page.read import parse

    read = read_source(source, None, None, Options())
    page = parse(read.body, Options(), content_type=read.content_type)
    repetition, kept = site.method.repetition(page), site.extract(page, url=read.url).kept
    yield one_line(f"{model}: {summary(site)}")
    yield from ("", f"{one_line(source)}: {repetition.measure}, pages of {repetition.all_pages:,}")
    for block in range(len(page.blocks)):
        value = repetition.values[block]
        measured = "     -" if value != value else f"{value:6.3f}"
        sign = "+" if kept[block] else " "
        line = f"{sign} {measured} {repetition.pages[block]:5,.0f}  {_cut(page.block_text(block))}"
        on = [number for number, flag in enumerate(repetition.on[block].tolist()) if flag]
        yield line + (f"  [{_ranges(on)}]" if on else "")
    yield from _names(site)


def _names(site: Site) -> Iterator[str]:
    names = site.page_names
    if names:
        some = "" if len(names) >= site.pages else f", {len(names):,} of {site.pages:,} by name"
        yield from ("", f"pages{some}:")
        yield from (f"  [{number}] {one_line(name)}" for number, name in enumerate(names, 1))


def _ranges(pages: Sequence[int]) -> str:
    """Numbers from 1, those that follow each other as a range."""
    parts: list[list[int]] = []
    for page in pages:
        if parts and parts[-1][-1] == page:
            parts[-1][-1] = page + 1
        else:
            parts.append([page + 1, page + 1])
    return " ".join(f"{first}" if first == last else f"{first}-{last}" for first, last in parts)


def _cut(text: str) -> str:
    return one_line(text[:_TEXT] + ("…" if len(text) > _TEXT else ""))
