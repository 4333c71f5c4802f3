"""`tamis site`: what the pages of a site have in common, learned, used and shown."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tamis.cli import several
from tamis.cli.extract import check_front_matter, extract_command, nothing_kept
from tamis.cli.help import CommandGroup
from tamis.cli.output import make_folder, one_line, progress_bar, report, report_first, write
from tamis.cli.pages import PageName, pages_of
from tamis.cli.parameters import output_option, path_option, read_options
from tamis.cli.site_show import own_method_option, show_command, summary
from tamis.cli.source import Source, read_source
from tamis.errors import InputError, OutputError, TamisError, WeightsError
from tamis.method_choices import is_model
from tamis.options import DEFAULT_METHOD, Options

if TYPE_CHECKING:
    from tamis import Page, Result
    from tamis.site.model import Site

# Seconds of work that a power cut may cost; Ctrl-C costs none.
_SAVE_SECONDS = 30.0


def _of_extract(*names: str) -> list[click.Parameter]:
    """Options of `tamis extract`, which mean the same here."""
    return [option for option in extract_command.params if option.name in names]


_METHOD = ("method", "parameters", "weights")
_LIMITS = ("content_type", "max_bytes", "max_nodes", "max_depth", "max_seconds", "allow_private")
_SWITCHES = (
    *("url", "focus", "threshold", "output_format", "comments", "tables", "links", "images"),
    *("hidden", "title", "front_matter", "overview", "page_type_weights"),
)


@click.group("site", cls=CommandGroup)
def site_command() -> None:
    """Learn what the pages of a site have in common; extract them better by it.

    Menus, teasers, newsletter boxes and legal text repeat from page to page. A site model counts
    what repeats: 5 pages are a good beginning, with very few it changes little.

    \b
    Examples:
      tamis site learn example.org/ --output example.npz
      tamis site extract example.npz example.org/ --output texts/
      tamis site show example.npz
    """


@site_command.command("learn", params=_of_extract(*_METHOD, *_LIMITS))
@click.argument("sources", metavar="DIR|FILE|URL...", nargs=-1, required=True)
@path_option(
    "--output -o",
    "MODEL|DIR",
    "Where the model goes: a name that ends in .npz, or a folder for a HOST.npz of each site.",
    required=True,
)
@click.option("--one-site", is_flag=True, help="Take all pages for one site, whatever their hosts.")
@click.option("--new", is_flag=True, help="Start anew; a model that is there is replaced.")
def learn_command(
    sources: tuple[str, ...], output: Path, one_site: bool, new: bool, **choices: Any
) -> None:
    """Learn a site from some of its pages.

    The default method is corrected by what its pages have in common. With --method it is one of the
    published methods that learn from a site: x_cex, content_extractor, infodiscoverer,
    site_style_tree, xpath_site; or a class of your own that learns from one. These learn all pages
    at once: --new begins again.

    Folders are searched for .html, .htm, .xhtml and .shtml files. The host of a file is the
    innermost folder that is called like one, else what the page says (canonical link, og:url).
    With a folder as --output there is one model per host; files without a host go by their folder.

    Ctrl-C keeps what was learned: the same command goes on, a page that is known does not count
    again (of a site with more than 16,000 pages, the first 16,000 are known again). Pages that
    cannot be read or have no text are left out and reported.

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
            "--method is a name or a class here; the model that is learned goes to --output."
        )
    pages = pages_of(sources)
    models = _Models(output, options, one_site, new)
    left_out: list[str] = []
    try:
        with progress_bar(pages, "learning", len(pages)) as bar:
            for page in bar:
                try:
                    table = _read(page, choices["content_type"], options)
                except TamisError as error:
                    left_out.append(several.message(page, error))
                else:
                    models.learn(page, table)
        models.finish()
    except KeyboardInterrupt:
        models.save()
        report("what was learned is kept; the same command goes on")
        raise
    finally:
        models.save()
        report_first(left_out, "left out: ", "pages left out")
    if not models.sites:
        raise InputError(f"nothing was learned: none of {len(pages):,} pages could be used")
    for line in models.summary():
        click.echo(one_line(line))


def _read(page: PageName, content_type: str | None, options: Options) -> Page:
    from tamis.page.read import parse

    read = read_source(page.name, None, content_type, options)
    table = parse(read.body, options, content_type=read.content_type)
    if not len(table.blocks):
        raise InputError("the page has no text")
    return table


@site_command.command("extract", params=_of_extract(*_SWITCHES, *_LIMITS))
@click.argument("model", type=click.Path(path_type=Path), metavar="MODEL|DIR")
@click.argument("sources", metavar="DIR|FILE|URL...", nargs=-1, required=True)
@output_option(
    "FILE|DIR",
    "Write here instead of to standard output: a file for one page, a folder for several.",
)
@own_method_option
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
    """Print what pages are about, as `tamis extract` does, given what was learned of their site.

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
    pages = pages_of(sources)
    several_pages = several.is_several(pages, sources)
    if several_pages:
        several.check_usage(output_format, output, url)
    reader = _Reader(model, options, method)
    if several_pages:
        results = (reader.rendered(page, content_type, output_format, output) for page in pages)
        several.write_several(pages, results, output_format, output)
        return
    result = reader.extract(pages[0], read_source(pages[0].name, url, content_type, options))
    target = several.file_of(pages[0], output, output_format)
    write(several.render(result, output_format), target)
    if not result.text.strip():
        report(f"{pages[0].name}: {nothing_kept(result)}")


site_command.add_command(show_command)


class _Models:
    """The models that a run learns, by file: read where they are, written when they changed."""

    def __init__(self, out: Path, options: Options, one_site: bool, new: bool) -> None:
        self.out, self.options, self.new, self.one_site = out, options, new, one_site
        self.single = out.suffix == ".npz" and not out.is_dir()
        self.host = ""
        self.sites: dict[Path, Site] = {}
        self.waiting: dict[Path, list[tuple[Page, str]]] = {}
        """Pages for methods that learn all of a site at once."""
        self.added: Counter[Path] = Counter()
        self.unsaved: set[Path] = set()
        self.saved = time.monotonic()
        if one_site and not self.single:
            raise click.UsageError("--one-site makes one model: give --output a name in .npz.")
        if not self.single:
            make_folder(out)
        elif not out.absolute().parent.is_dir():
            raise OutputError(f"{out}: there is no folder {out.parent}; make it first")

    def learn(self, page: PageName, table: Page) -> None:
        path = self._path(page, table)
        if path not in self.sites:
            self.sites[path] = self._opened(path)
        item = table, page.name
        if self.options.method == DEFAULT_METHOD:
            self._fit(path, [item])
        else:
            self.waiting.setdefault(path, []).append(item)
        if time.monotonic() - self.saved > _SAVE_SECONDS:
            self.save()

    def finish(self) -> None:
        """Fit what learns all pages of a site at once."""
        for path, pages in self.waiting.items():
            self._fit(path, pages)

    def _fit(self, path: Path, pages: list[tuple[Page, str]]) -> None:
        before = self.sites[path]
        site = self.sites[path] = before.fit(pages, options=self.options)
        if site.pages > before.pages:
            self.added[path] += site.pages - before.pages
            self.unsaved.add(path)

    def _path(self, page: PageName, table: Page) -> Path:
        if not self.single:
            return self.out / f"{page.site(table)}.npz"
        host = "" if self.one_site else page.host or table.declared.host
        if host and self.host and host != self.host:
            raise InputError(
                f"{page.name}: a page of {host}, others are of {self.host}, which were learned;"
                " give a folder as --output for a model of each, or --one-site for one of all"
            )
        self.host = self.host or host
        return self.out

    def _opened(self, path: Path) -> Site:
        from tamis.site.model import Site

        if self.new or not path.exists():
            return Site()
        try:
            site = Site.load(path)
        except WeightsError as error:
            raise WeightsError(f"{error} (--new replaces it)") from error
        if self.options.method != DEFAULT_METHOD or site.name != DEFAULT_METHOD:
            raise OutputError(
                f"{path}: a model of method {site.name} is there; only {DEFAULT_METHOD} learns more"
                " pages later (--new replaces it)"
            )
        return site

    def save(self) -> None:
        """Write what changed; who interrupts that loses at most what was new."""
        for path in sorted(self.unsaved):
            self.sites[path].save(path)
            self.unsaved.remove(path)
        self.saved = time.monotonic()

    def summary(self) -> Iterator[str]:
        """One line per model."""
        for path, site in sorted(self.sites.items()):
            yield f"{path}: {summary(site)}, {self.added[path]:,} new"


class _Reader:
    """Extraction by the model of each page's site."""

    def __init__(self, model: Path, options: Options, method: str | None) -> None:
        from tamis.site.model import Site

        self.model, self.options = model, options
        self._load = cache(partial(Site.load, method=method))
        if not model.is_dir():
            self._load(model)  # a wrong file is reported before any page is read

    def rendered(
        self, page: PageName, content_type: str | None, output_format: str, output: str | None
    ) -> several.Rendered | TamisError:
        """One of several pages, or why it is none; a model that is damaged ends all."""
        try:
            result = self.extract(page, read_source(page.name, None, content_type, self.options))
            return several.render_one(result, output_format, as_line=output is None)
        except WeightsError:
            raise
        except TamisError as error:
            return error

    def extract(self, page: PageName, read: Source) -> Result:
        from tamis.page.read import parse

        table = parse(read.body, self.options, content_type=read.content_type)
        path = self.model
        if path.is_dir():
            path /= f"{page.site(table)}.npz"
            if not path.exists():
                raise InputError(f"there is no {path}; learn the site of the page first")
        return self._load(path).extract(table, url=read.url, options=self.options)
