"""`tamis site`: learn what the pages of a site have in common, use it and show it."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache, partial
from pathlib import Path
from typing import Any

import click

from tamis import Page, Result
from tamis.cli import CommandGroup
from tamis.cli.commands.extract import borrow_options, check_front_matter, write_result
from tamis.cli.output import (
    PageOutput,
    Rendered,
    count_of,
    cut_line,
    describe_error,
    is_several,
    make_folder,
    progress_bar,
    report,
    report_first,
    to_one_line,
    write,
)
from tamis.cli.parameters import format_option, output_option, path_option, read_options
from tamis.cli.sources import PageName, find_pages, private_option, read_source
from tamis.errors import InputError, OutputError, TamisError, WeightsError
from tamis.method_choices import import_from_here, is_model
from tamis.options import DEFAULT_METHOD, Options
from tamis.site.model import Site

# Seconds of work that a power cut may cost. Ctrl-C costs none.
_SAVE_SECONDS = 30.0

_METHOD = ("method", "parameters", "weights")
_LIMITS = ("content_type", "max_bytes", "max_nodes", "max_depth", "max_seconds", "allow_private")
_SWITCHES = (
    *("url", "focus", "threshold", "output_format", "comments", "tables", "links", "images"),
    *("hidden", "title", "front_matter", "overview", "page_type_weights"),
)


def _import_own_method(_: click.Context, __: click.Parameter, method: str | None) -> str | None:
    if method:
        import_from_here(method)
    return method


# A model never says itself what code to run.
_own_method_option = click.option(
    "--method",
    metavar="CLASS",
    callback=_import_own_method,
    help="If the model was learned with a class of your own, that class, as for `tamis site learn`:"
    " own.py:CLASS. Models of the methods of tamis need no --method.",
)


@click.group("site", cls=CommandGroup)
def site_command() -> None:
    """Learn what the pages of a site have in common, to extract them better.

    Menus, teasers, newsletter boxes and legal text repeat from page to page. A site model counts
    what repeats. Begin with 5 pages or more; fewer change little.

    \b
    Examples:
      tamis site learn example.org/ --output example.npz
      tamis site extract example.npz example.org/ --output texts/
      tamis site show example.npz
    """


@site_command.command("learn", params=borrow_options(*_METHOD, *_LIMITS))
@click.argument("sources", metavar="DIR|FILE|URL...", nargs=-1, required=True)
@path_option(
    "--output -o",
    "MODEL|DIR",
    "Where the model goes: a name that ends in .npz, or a folder for a HOST.npz of each site.",
    required=True,
)
@click.option("--one-site", is_flag=True, help="Treat all pages as one site, whatever their hosts.")
@click.option("--new", is_flag=True, help="Start over and replace an existing model.")
def learn_command(
    sources: tuple[str, ...], output: Path, one_site: bool, new: bool, **choices: Any
) -> None:
    """Learn a site from some of its pages.

    The model corrects the default method by what the pages have in common. With --method you choose
    one of the published methods that learn from a site: x_cex, content_extractor, infodiscoverer,
    site_style_tree, xpath_site; or a class of your own that learns from one. These learn all pages
    at once: --new begins again.

    tamis searches folders for .html, .htm, .xhtml and .shtml files. The host of a file is the name
    of the innermost folder that looks like a host, else what the page says (canonical link,
    og:url). If --output is a folder, you get one model per host; files without a host go by their
    folder.

    Ctrl-C keeps what was learned: run the same command again to go on. A page that the model knows
    does not count again (of a site with more than 16,000 pages it knows the first 16,000). tamis
    reports pages that it cannot read or that have no text, and leaves them out.

    \b
    Examples:
      tamis site learn saved/ --output example.npz
      tamis site learn mirror/ --output models/
      tamis site learn https://example.org/a https://example.org/b --output example.npz
      tamis site learn blog.example.org/ shop.example.org/ --one-site --output example.npz
      tamis site learn mirror/ --method x_cex --output models/
    """
    options = read_options(choices)
    if is_model(options.method):
        raise click.UsageError(
            "--method is a name or a class here; the model that you learn goes to --output."
        )
    pages = find_pages(sources)
    models = _Models(output, options, one_site, new)
    left_out: list[str] = []
    try:
        with progress_bar(pages, "learning", len(pages)) as bar:
            for page in bar:
                try:
                    read = read_source(page.name, None, choices["content_type"], options)
                    table = read.parse(options)
                    if not len(table.blocks):
                        raise InputError("the page has no text")
                except TamisError as error:
                    left_out.append(describe_error(page, error))
                else:
                    models.learn(page, table)
        models.fit_waiting()
    except KeyboardInterrupt:
        models.save()
        report("what was learned is saved; run the same command again to go on")
        raise
    finally:
        models.save()
        report_first(left_out, "left out: ", "pages left out")
    if not models.sites:
        raise InputError(f"nothing was learned: none of {len(pages):,} pages could be used")
    for path, site in sorted(models.sites.items()):
        click.echo(to_one_line(f"{path}: {_describe_model(site)}, {models.added[path]:,} new"))


class _Models:
    """The models that a command learns, by file."""

    def __init__(self, out: Path, options: Options, one_site: bool, new: bool) -> None:
        self.out, self.options, self.new, self.one_site = out, options, new, one_site
        self.is_single = out.suffix == ".npz" and not out.is_dir()
        self.host = ""
        self.sites: dict[Path, Site] = {}
        self.waiting: dict[Path, list[tuple[Page, str]]] = {}
        """Pages for methods that learn all pages of a site at once."""
        self.added: Counter[Path] = Counter()
        self.unsaved: set[Path] = set()
        self.saved = time.monotonic()
        if one_site and not self.is_single:
            raise click.UsageError("--one-site makes one model: give --output a name in .npz.")
        if not self.is_single:
            make_folder(out)
        elif not out.absolute().parent.is_dir():
            raise OutputError(f"{out}: there is no folder {out.parent}; make it first")

    def learn(self, page: PageName, table: Page) -> None:
        path = self._choose_path(page, table)
        if path not in self.sites:
            self.sites[path] = self._open(path)
        item = table, page.name
        if self.options.method == DEFAULT_METHOD:
            self._fit(path, [item])
        else:
            self.waiting.setdefault(path, []).append(item)
        if time.monotonic() - self.saved > _SAVE_SECONDS:
            self.save()

    def fit_waiting(self) -> None:
        for path, pages in self.waiting.items():
            self._fit(path, pages)

    def save(self) -> None:
        """Write the models that changed. An interruption loses no model that was saved before."""
        for path in sorted(self.unsaved):
            self.sites[path].save(path)
            self.unsaved.remove(path)
        self.saved = time.monotonic()

    def _fit(self, path: Path, pages: list[tuple[Page, str]]) -> None:
        before = self.sites[path]
        site = self.sites[path] = before.fit(pages, options=self.options)
        if site.pages > before.pages:
            self.added[path] += site.pages - before.pages
            self.unsaved.add(path)

    def _choose_path(self, page: PageName, table: Page) -> Path:
        if not self.is_single:
            return self.out / f"{page.choose_site_name(table)}.npz"
        host = "" if self.one_site else page.host or table.declared.host
        if host and self.host and host != self.host:
            raise InputError(
                f"{page.name}: a page of {host}, but the model has learned pages of {self.host};"
                " give a folder as --output for one model per site, or --one-site for one of all"
            )
        self.host = self.host or host
        return self.out

    def _open(self, path: Path) -> Site:
        if self.new or not path.exists():
            return Site()
        try:
            site = Site.load(path)
        except WeightsError as error:
            raise WeightsError(f"{error} (--new replaces it)") from error
        if self.options.method != DEFAULT_METHOD or site.name != DEFAULT_METHOD:
            raise OutputError(
                f"{path}: has a model of method {site.name}; only {DEFAULT_METHOD} can learn more"
                " pages later (--new replaces it)"
            )
        return site


@site_command.command("extract", params=borrow_options(*_SWITCHES, *_LIMITS))
@click.argument("model", type=click.Path(path_type=Path), metavar="MODEL|DIR")
@click.argument("sources", metavar="DIR|FILE|URL...", nargs=-1, required=True)
@output_option(
    "FILE|DIR",
    "Write here instead of to standard output: a file for one page, a folder for several.",
)
@_own_method_option
def site_extract_command(
    model: Path,
    sources: tuple[str, ...],
    url: str | None,
    content_type: str | None,
    output_format: str,
    output: str | None,
    method: str | None,
    **choices: Any,
) -> None:
    """Print what pages are about, as `tamis extract` does, with what you learned of their site.

    MODEL is a file that `tamis site learn` wrote, or its folder of models, one per host. Several
    pages go into a folder, one file each, or as JSON to standard output, one page per line.

    \b
    Examples:
      tamis site extract example.npz story.html
      tamis site extract example.npz example.org/ --format markdown --output texts/
      tamis site extract models/ mirror/ --format json > pages.jsonl
    """
    options = Options(**choices)
    check_front_matter(options.front_matter, output_format)
    pages = find_pages(sources)
    target = PageOutput(output_format, output)
    several = is_several(pages, sources)
    if several:
        target.check_several(url)
    load = cache(partial(Site.load, method=method))
    if not model.is_dir():
        load(model)  # report a wrong file before reading any page

    def extract_page(page: PageName) -> Result:
        read = read_source(page.name, url, content_type, options)
        table = read.parse(options)
        path = model
        if path.is_dir():
            path /= f"{page.choose_site_name(table)}.npz"
            if not path.exists():
                raise InputError(f"there is no {path}; learn the site of the page first")
        return load(path).extract(table, url=read.url, options=options)

    def render_page(page: PageName) -> Rendered | TamisError:
        try:
            return target.render_one(extract_page(page))
        except WeightsError:
            raise  # a damaged model ends the command
        except TamisError as error:
            return error

    if several:
        target.write_several(pages, map(render_page, pages))
    else:
        write_result(extract_page(pages[0]), pages[0], target)


@site_command.command("show")
@click.argument("model", type=click.Path(path_type=Path))
@click.argument("source", metavar="[FILE|URL]", required=False)
@format_option(
    "text",
    "html",
    "svg",
    help="html is a page to open in a browser; svg is the tree of site_style_tree.",
)
@output_option()
@_own_method_option
@private_option
def show_command(
    model: Path, source: str | None, output_format: str, output: str | None, method: str | None
) -> None:
    """Show the templates of a site: the blocks that repeat, how often, and pages that have them.

    For a published method, each block comes with what the method measures (IBDF, entropy or
    importance) and the numbers of all pages that share it; a model knows up to 128 pages by name.
    With a page, you see all its blocks, with + for those that are kept.

    \b
    Examples:
      tamis site show example.npz
      tamis site show example.npz story.html
      tamis site show example.npz --format html --output template.html
      tamis site show tree.npz --format svg --output tree.svg
    """
    site = Site.load(model, method=method)
    if source is not None:
        if output_format != "text":
            raise click.UsageError(
                "The blocks of a page are shown as text only; leave out --format."
            )
        lines = list(_list_page_blocks(site, model, source))
    elif output_format == "svg":
        write(_draw_tree(site, model), output)
        return
    elif output_format == "html":
        from tamis.site.template_view import render_templates

        write(render_templates(site, model.stem), output)
        return
    else:
        lines = list(
            _list_templates(site) if site.name == DEFAULT_METHOD else _list_repeated_blocks(site)
        )
        lines.insert(0, to_one_line(f"{model}: {_describe_model(site)}"))
        if len(lines) == 1:
            lines.append("no block repeats: there are too few pages, or no two are similar")
    write("\n".join(lines) + "\n", output)


def _describe_model(site: Site) -> str:
    count = site.template_count
    templates = "1 template" if count == 1 else f"{count} templates"
    method = "" if site.name == DEFAULT_METHOD else f"method {site.name}, "
    pages = count_of(site.pages, "page")
    return f"{method}{pages} of {templates}, confidence {site.confidence:.2f}"


def _draw_tree(site: Site, model: Path) -> str:
    from tamis.methods.site.site_style_tree import SiteStyleTree
    from tamis.render.method_pictures import draw_style_tree

    if not isinstance(site.method, SiteStyleTree):
        raise InputError(
            f"{model}: a model of method {site.name}; only site_style_tree models have a tree"
        )
    return draw_style_tree(site.method, model.stem)


def _list_templates(site: Site) -> Iterator[str]:
    """The templates of a model of the default method."""
    from tamis.site.template_view import group_by_template

    examples: dict[str, int] = {}
    for number, (pages, blocks) in enumerate(group_by_template(site), 1):
        yield from ("", f"template {number}: {pages:,} pages, {len(blocks):,} blocks that repeat")
        for block in blocks:
            line = f"  {block.share:4.0%} {block.pages:5,} pages  {cut_line(block.text)}"
            if block.example:
                line += f"  [{examples.setdefault(block.example, len(examples) + 1)}]"
            yield line
    if examples:
        yield from ("", "pages that have them:")
        yield from (f"  [{number}] {to_one_line(example)}" for example, number in examples.items())


def _list_repeated_blocks(site: Site) -> Iterator[str]:
    """The blocks of a model of a published method, and their pages by number."""
    if not site.repeated:
        return
    yield from ("", f"{len(site.repeated):,} blocks that repeat: {site.method.measure}, pages")
    for block in site.repeated:
        yield (
            f"  {block.value:6.3f} {block.pages:5,} of {site.pages:,}  {cut_line(block.text)}"
            f"  [{_format_ranges(block.on)}]"
        )
    yield from _list_pages(site)


def _list_page_blocks(site: Site, model: Path, source: str) -> Iterator[str]:
    read = read_source(source, None, None, Options())
    page = read.parse(Options())
    repetition, kept = site.method.repetition(page), site.extract(page, url=read.url).kept
    yield to_one_line(f"{model}: {_describe_model(site)}")
    yield from (
        "",
        f"{to_one_line(source)}: {repetition.measure}, pages of {repetition.all_pages:,}",
    )
    for block in range(len(page.blocks)):
        value = repetition.values[block]
        measured = "     -" if value != value else f"{value:6.3f}"
        sign = "+" if kept[block] else " "
        text = cut_line(page.block_text(block))
        line = f"{sign} {measured} {repetition.pages[block]:5,.0f}  {text}"
        on = [number for number, flag in enumerate(repetition.on[block].tolist()) if flag]
        yield line + (f"  [{_format_ranges(on)}]" if on else "")
    yield from _list_pages(site)


def _list_pages(site: Site) -> Iterator[str]:
    names = site.page_names
    if names:
        some = "" if len(names) >= site.pages else f", {len(names):,} of {site.pages:,} by name"
        yield from ("", f"pages{some}:")
        yield from (f"  [{number}] {to_one_line(name)}" for number, name in enumerate(names, 1))


def _format_ranges(pages: Sequence[int]) -> str:
    """Page numbers from 1, with consecutive numbers as a range."""
    parts: list[list[int]] = []
    for page in pages:
        if parts and parts[-1][-1] == page:
            parts[-1][-1] = page + 1
        else:
            parts.append([page + 1, page + 1])
    return " ".join(f"{first}" if first == last else f"{first}-{last}" for first, last in parts)
