"""A site model: learned from some pages of a site, it makes every page of it come out cleaner.

    site = tamis.Site().fit(pages)
    site.extract(page).text
    site.save("example.org.npz")

It is a method like any other, for `tamis.extract(page, method=site)` and whatever else takes one.
The default corrects the method `tamis` by counts (`tamis.site.counts`), no pages: where it knows
no other page of the same template, the result is that of `tamis.extract`. The published methods
that learn from a site are fitted in the same way: `Site().fit(pages, method="x_cex")`.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import ClassVar, TypeAlias, Unpack

import numpy as np

from tamis._runtime import storage
from tamis.errors import MethodError, OptionsError, TamisError, WeightsError
from tamis.flow import extract, parse
from tamis.inputs import Fetched, PageInput, unwrap
from tamis.method_choices import MethodLike, find_class
from tamis.methods._base import Method, Scores
from tamis.methods._shared.site_method import SiteMethod, spread
from tamis.model.weights.archive import read_file
from tamis.options import DEFAULT_METHOD, OptionFields, Options, choose_options
from tamis.page.arrays import Indexes
from tamis.page.table import Page
from tamis.result import Result
from tamis.site import stored
from tamis.site.counts import TEMPLATE_SHARE, Reading, SiteCounts
from tamis.site.joint import SiteTamis, site_method
from tamis.site.stored import Repeated, Sample, Samples, TemplateBlock

Html: TypeAlias = PageInput | Page | Fetched
SitePage: TypeAlias = Html | tuple[Html, str | None] | tuple[Html, str | None, str | None]
"""A page, alone, with its address, or with that and its content type, as for `extract_many`."""

# Pages of a site whose blocks a published method is asked about, to show those that repeat.
_ASKED = 32
# Blocks of templates of which a sample is kept, and how much of it.
_SAMPLES = 400
_SAMPLE_CHARACTERS = 160
_LONGEST_ADDRESS = 2000

# Pages of a template after which the model is half as sure as it can be.
_HALF_SURE = 2


@dataclass(frozen=True, eq=False)
class Site(Method):
    """What the pages of one site have in common. Never changed: `fit` gives another.

    >>> stories = "Rain floods forty cellars.", "A choir wins silver.", "The bakery closes."
    >>> pages = [f"<p>Menu, search, imprint, login.<p>{story}" for story in stories]
    >>> site = Site().fit(pages, method="x_cex")
    >>> site.extract(pages[0]).text
    'Rain floods forty cellars.'
    """

    method: SiteMethod = field(default_factory=SiteTamis)
    """The method that was fitted."""
    samples: Samples = field(default_factory=dict)
    """Blocks of its templates, of the default method."""
    skipped: int = 0
    """Pages that could not be read, or had no text."""
    repeated: Repeated = ()
    """Blocks that a published method finds on several pages."""

    citation: ClassVar[str] = SiteTamis.citation

    def __repr__(self) -> str:
        return f"<Site {self.name}, {self.pages} pages, {self.skipped} skipped>"

    # Learning

    def fit(
        self,
        pages: Iterable[SitePage],
        *,
        options: Options | None = None,
        **fields: Unpack[OptionFields],
    ) -> Site:
        """A site that knows these pages, too; those that cannot be read or are empty are skipped.

        Of the options the method, its parameters and the limits matter here. A page that was
        learned before does not count again. Only the default method learns more pages later.
        """
        options = choose_options(options, fields)
        if self.pages and options.method not in (DEFAULT_METHOD, self.name):
            raise MethodError(
                f"this site was fitted with method {self.name}; begin another, tamis.Site(), for"
                f" {options.make_method().name}"
            )
        method = self.method if self.pages else site_method(options)
        tables = (_parse_item(item, options) for item in pages)
        if not isinstance(method, SiteTamis):
            held = list(tables)
            readable = [table for table in held if table]
            pages_only = [page for page, _ in readable]
            fitted = method.fit(pages_only, [url for _, url in readable])
            skipped = self.skipped + len(held) - len(readable)
            return Site(fitted, {}, skipped, _find_repeated(fitted, pages_only))
        counts, samples, skipped = method.learned, self.samples, self.skipped
        for table in tables:
            if table is None:
                skipped += 1
                continue
            page, url = table
            reading = method.read(page, url)
            before, counts = counts, counts.add_page(reading)
            if counts is not before:
                samples = _add_samples(samples, page, reading, counts, url)
        return Site(method.with_knowledge(counts), samples, skipped)

    # Extraction

    def extract(
        self,
        page: Html,
        *,
        url: str | None = None,
        content_type: str | None = None,
        options: Options | None = None,
        **fields: Unpack[OptionFields],
    ) -> Result:
        """Keep what the page is about, as `tamis.extract` does, given the other pages."""
        options = choose_options(options, fields)
        if options.method != DEFAULT_METHOD or options.parameters:
            raise OptionsError("a site extracts by its own method; give that to Site.fit")
        options = replace(options, method=self)
        return extract(page, url=url, content_type=content_type, options=options)

    def score(self, page: Page) -> Scores:
        """The scores of the method that was fitted."""
        return self.method.score(page)

    def because(self, page: Page, blocks: Indexes) -> Sequence[str]:
        """The account of the method that was fitted."""
        return self.method.because(page, blocks)

    @property
    def base(self) -> Method:
        """The method that scores a page by itself."""
        return self.method.base

    @property
    def site_pages(self) -> int:
        """Pages that were learned."""
        return self.method.site_pages

    # What it knows

    pages = site_pages

    @property
    def template_count(self) -> int:
        """Templates that the default method distinguished; the others take all for one."""
        return len(self._counts.pages) if self._counts else min(1, self.pages)

    @property
    def confidence(self) -> float:
        """How much the model can know about a new page of its most frequent template, up to 1."""
        pages = int(self._counts.pages.max(initial=0)) if self._counts else self.pages
        return pages / (pages + _HALF_SURE)

    @property
    def page_names(self) -> tuple[str, ...]:
        """The pages that a published method knows by name, at most 128."""
        return tuple(getattr(self.method.learned, "names", ()))

    @property
    def template_blocks(self) -> list[TemplateBlock]:
        """The blocks of the templates, the most frequent first, of equals the longest."""
        blocks: list[TemplateBlock] = list(self.repeated)
        counts = self._counts or SiteCounts.make_empty()
        for sample in self.samples.values():  # of the default method
            pages, share = counts.pages_with(sample.pattern, sample.cluster)
            if share >= TEMPLATE_SHARE and pages > 1:
                blocks.append(TemplateBlock(sample.text, pages, share, sample.cluster, sample.url))
        return sorted(blocks, key=lambda block: (-block.share, -len(block.text), block.text))

    @property
    def _counts(self) -> SiteCounts | None:
        learned = self.method.learned
        return learned if isinstance(learned, SiteCounts) else None

    # On disk

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the model to a file, whole or not at all."""
        storage.write(path, self.pack())

    def pack(self) -> bytes:
        """The content of the file that `save` writes."""
        return stored.pack(self.method, self.samples, self.skipped, self.repeated)

    @classmethod
    def load(cls, path: str | os.PathLike[str], *, method: MethodLike | None = None) -> Site:
        """A model that `save` wrote; a `WeightsError` if the file is not one, or is damaged.

        A model of a method of your own needs that `method`: no file says what code to run.
        """
        try:
            content = read_file(path)
        except (OSError, ValueError) as error:  # a name may have a zero in it
            why = getattr(error, "strerror", None) or error
            raise WeightsError(f"there is no site model at {path}: {why}") from error
        return cls.unpack(content, str(path), method)

    @classmethod
    def unpack(cls, content: bytes, name: str, method: MethodLike | None = None) -> Site:
        """A model from the content of its file; `name` is for the messages."""
        kind = type(method) if isinstance(method, Method) else method and find_class(method)
        return cls(*stored.unpack(content, name, kind or None))


def _parse_item(item: SitePage, options: Options) -> tuple[Page, str | None] | None:
    """A page with its address; None if it cannot be read or has no text."""
    given = (*(item if isinstance(item, tuple) else (item,)), None, None)[:3]
    page, url, content_type = unwrap(*given)
    try:
        if not isinstance(page, Page):
            page = parse(page, options=options, content_type=content_type)
    except TamisError:
        return None
    return (page, url) if len(page.blocks) else None


def _find_repeated(method: SiteMethod, pages: Sequence[Page]) -> Repeated:
    """The blocks of some of the pages that other pages have, too, the most frequent."""
    blocks: dict[str, TemplateBlock] = {}
    for number in spread(len(pages), _ASKED):
        page = pages[number]
        repetition = method.repetition(page)
        several = np.flatnonzero((repetition.pages >= 1.5) & ~np.isnan(repetition.values))
        for block, text in zip(several.tolist(), page.block_texts(several), strict=True):
            on = tuple(np.flatnonzero(repetition.on[block]).tolist())
            count = round(float(repetition.pages[block]))
            share = count / repetition.all_pages
            value = float(repetition.values[block])
            text = text[:_SAMPLE_CHARACTERS]
            blocks.setdefault(text, TemplateBlock(text, count, share, value=value, on=on))
    ordered = sorted(blocks.values(), key=lambda block: (-block.pages, -len(block.text)))
    return tuple(ordered[:_SAMPLES])


def _add_samples(
    samples: Samples, page: Page, reading: Reading, counts: SiteCounts, url: str | None
) -> Samples:
    """With samples of the blocks of a new page that turn out to be of a template."""
    cluster = counts.cluster_of(reading)
    if cluster is None:
        return samples
    url = url if url is None or len(url) <= _LONGEST_ADDRESS else None
    pages = counts.pattern_pages(reading.pattern, cluster)
    least = max(2.0, TEMPLATE_SHARE * float(counts.pages[cluster]))
    blocks = np.flatnonzero((pages >= least) & (reading.words > 0)).tolist()
    new = {
        pattern: block
        for block in blocks
        if ((pattern := int(reading.pattern[block])), cluster) not in samples
    }
    if not new:
        return samples
    samples = dict(samples)
    for pattern, block in new.items():
        text = page.block_text(block)[:_SAMPLE_CHARACTERS]
        samples[pattern, cluster] = Sample(pattern, cluster, text, url)
    if len(samples) <= _SAMPLES:
        return samples
    # Three quarters of them, those with the largest share of their template's pages.
    ordered = sorted(samples, key=lambda key: -counts.pages_with(*key)[1])
    return {key: samples[key] for key in ordered[: _SAMPLES * 3 // 4]}
