"""A site model: learned from some pages of a site, it makes every page of it come out cleaner.

    site = tamis.Site().fit(pages)
    site.extract(page).text
    site.save("example.org.npz")

It is a method like any other, for `tamis.extract(page, method=site)` and whatever else takes one.
The default corrects the method `tamis` by counts (`tamis.site.evidence`), no pages: where it knows
no other page of the same template, the result is that of `tamis.extract`. The published methods
that learn from a site are fitted in the same way: `Site().fit(pages, method="x_cex")`.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import ClassVar, TypeAlias, Unpack

import numpy as np

from tamis.errors import MethodError, OptionsError, TamisError
from tamis.flow import extract
from tamis.methods._base import Method, Scores
from tamis.methods._registry import site_methods
from tamis.methods._shared.site import SiteMethod
from tamis.options import DEFAULT_METHOD, OptionFields, Options, chosen
from tamis.page.read import parse
from tamis.page.table import Page
from tamis.result import Result
from tamis.site import stored
from tamis.site.evidence import SiteCounts
from tamis.site.joint import SiteTamis
from tamis.site.reading import Reading
from tamis.site.stored import Sample, Samples

Html: TypeAlias = str | bytes | Page
SitePage: TypeAlias = Html | tuple[Html, str | None] | tuple[Html, str | None, str | None]
"""A page, alone, with its address, or with that and its content type, as for `extract_many`."""

TEMPLATE_SHARE = 0.2
"""Share of the pages from which on a repeated block is a template's (Fernandes et al. 2021)."""

# Blocks of templates of which a sample is kept, and how much of it.
_SAMPLES = 400
_SAMPLE_CHARACTERS = 160

# Pages of a template after which the model is half as sure as it can be.
_HALF_SURE = 2


@dataclass(frozen=True, slots=True)
class TemplateBlock:
    """A block that many pages of a template have."""

    text: str
    """Its text on one of the pages, the begin of it."""
    pages: int
    """On how many pages it is; digits may differ."""
    share: float
    """That as a share of the pages of the template."""
    template: int
    """Number of the template, from 0."""
    example: str | None
    """Address of a page that has it, if it was given."""


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
        options = chosen(options, fields)
        tables = _Tables(pages, options)
        if self.pages and options.method not in (DEFAULT_METHOD, self.name):
            raise MethodError(
                f"this site was fitted with method {self.name}; begin another, tamis.Site(), for"
                f" {options.make_method().name}"
            )
        method = self.method if self.pages else site_method(options)
        if isinstance(method, SiteTamis):
            counts, samples = method.learned, self.samples
            for page, url in tables:
                reading = method.read(page, url)
                before, counts = counts, counts.plus(reading)
                if counts is not before:
                    samples = _sampled(samples, page, reading, counts, url)
            return Site(method.knowing(counts), samples, self.skipped + tables.skipped)
        fitted = method.fit([page for page, _ in tables])
        return Site(fitted, {}, self.skipped + tables.skipped)

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
        """Keep what the page is about, as `tamis.extract` does, given what the site tells."""
        options = chosen(options, fields)
        if options.method != DEFAULT_METHOD or options.parameters:
            raise OptionsError("a site extracts by its own method; give that to Site.fit")
        options = replace(options, method=self)
        return extract(page, url=url, content_type=content_type, options=options)

    def score(self, page: Page) -> Scores:
        """The scores of the method that was fitted."""
        return self.method.score(page)

    def score_many(self, pages: Sequence[Page]) -> list[Scores]:
        """The scores of the method that was fitted."""
        return self.method.score_many(pages)

    def chance_of_nothing(self, page: Page, scores: Scores, expected: float) -> float:
        """That of the method that was fitted."""
        return self.method.chance_of_nothing(page, scores, expected)

    @property
    def calibrated(self) -> bool:
        """Whether the scores are probabilities."""
        return self.method.calibrated

    @property
    def name(self) -> str:
        """Name of the method that was fitted."""
        return self.method.name

    @property
    def base(self) -> Method:
        """The method that scores a page by itself."""
        return self.method.base

    @property
    def site_pages(self) -> int:
        """Pages that were learned."""
        return self.method.site_pages

    # What it knows

    @property
    def pages(self) -> int:
        """Pages that were learned."""
        return self.method.site_pages

    @property
    def template_count(self) -> int:
        """Templates that were told apart, by the default method; the others take all for one."""
        return len(self._counts.pages) if self._counts else min(1, self.pages)

    @property
    def confidence(self) -> float:
        """How much the model can know about a new page of its most frequent template, up to 1."""
        pages = int(self._counts.pages.max(initial=0)) if self._counts else self.pages
        return pages / (pages + _HALF_SURE)

    @property
    def template_blocks(self) -> list[TemplateBlock]:
        """The blocks of the templates, the most frequent first, of equals the longest.

        Only the default method keeps their text.
        """
        blocks: list[TemplateBlock] = []
        counts = self._counts
        if counts is None:
            return blocks
        for sample in self.samples.values():
            patterns = np.array([sample.pattern], np.uint64)
            pages = int(counts.pattern_pages(patterns, sample.cluster)[0])
            share = pages / int(counts.pages[sample.cluster])
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
        stored.save(path, self.pack())

    def pack(self) -> bytes:
        """The content of the file that `save` writes."""
        return stored.pack(self.method, self.samples, self.skipped)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Site:
        """A model that `save` wrote; a `WeightsError` if the file is not one, or is damaged."""
        return cls(*stored.load(path))

    @classmethod
    def unpack(cls, content: bytes, name: str) -> Site:
        """A model from the content of its file; `name` is for the messages."""
        return cls(*stored.unpack(content, name))


def site_method(options: Options) -> SiteMethod:
    """The method that a site is fitted with, by the options."""
    if options.method == DEFAULT_METHOD:
        return SiteTamis(**options.parameters)
    method = options.make_method()
    if not isinstance(method, SiteMethod):
        raise MethodError(
            f"method {method.name} scores each page by itself; a site can be fitted with"
            f" {DEFAULT_METHOD}, {', '.join(site_methods())}"
        )
    return method


class _Tables:
    """The pages that can be read and have text, with their addresses; the others are counted."""

    def __init__(self, pages: Iterable[SitePage], options: Options) -> None:
        self._pages, self._options = pages, options
        self.skipped = 0

    def __iter__(self) -> Iterator[tuple[Page, str | None]]:
        for item in self._pages:
            page, url, content_type = (*(item if isinstance(item, tuple) else (item,)), None, None)[
                :3
            ]
            try:
                if not isinstance(page, Page):
                    page = parse(page, self._options, content_type=content_type)
            except TamisError:
                self.skipped += 1
                continue
            if len(page.blocks):
                yield page, url
            else:
                self.skipped += 1


def _sampled(
    samples: Samples, page: Page, reading: Reading, counts: SiteCounts, url: str | None
) -> Samples:
    """With samples of the blocks of a new page that turn out to be of a template."""
    cluster = counts.cluster_of(reading)
    if cluster is None:
        return samples
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
    samples = dict(samples) | {
        (pattern, cluster): Sample(
            pattern, cluster, page.block_text(block)[:_SAMPLE_CHARACTERS], url
        )
        for pattern, block in new.items()
    }
    if len(samples) <= _SAMPLES:
        return samples
    return {key: samples[key] for key in _most_frequent(list(samples), counts)}


def _most_frequent(keys: list[tuple[int, int]], counts: SiteCounts) -> list[tuple[int, int]]:
    """Three quarters of the samples, those with the largest share of their template's pages."""
    shares = np.array(
        [
            counts.pattern_pages(np.array([pattern], np.uint64), cluster)[0] / counts.pages[cluster]
            for pattern, cluster in keys
        ]
    )
    return [keys[number] for number in np.argsort(-shares, kind="stable")[: _SAMPLES * 3 // 4]]
