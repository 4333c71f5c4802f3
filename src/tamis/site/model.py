"""A site model: learned from some pages of a site, it makes every page of it come out cleaner.

    site = tamis.Site().fit(pages)
    site.extract(page).text
    site.save("example.org.npz")

The model holds counts, no pages (`tamis.site.evidence`). Where it knows no other page of the same
template, the result is that of `tamis.extract`.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np

from tamis.describe.page_type import page_types
from tamis.errors import DeadlineError, MethodError, TamisError
from tamis.flow import decide
from tamis.methods import _registry
from tamis.methods.tamis import Tamis
from tamis.options import Options
from tamis.page.read import parse
from tamis.page.table import Page
from tamis.result import Result
from tamis.site import stored
from tamis.site.evidence import Counts
from tamis.site.joint import Alone, alone, together
from tamis.site.stored import Sample, Stored

Html = str | bytes | Page

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


class Site:
    """What the pages of one site have in common.

    Any number of threads may extract while another one learns.
    """

    def __init__(self, options: Options | None = None) -> None:
        self.options = options or Options()
        method = _registry.create(self.options.method, self.options.parameters)
        if not isinstance(method, Tamis):
            raise MethodError(
                "a site model corrects the scores of method 'tamis', not of"
                f" {self.options.method!r}; leave Options.method as it is"
            )
        self._method = method
        self._stored = Stored(Counts.none(), {}, 0)
        self._learning = threading.Lock()

    def __repr__(self) -> str:
        return f"<Site {self.pages} pages, {self.templates} templates, {self.skipped} skipped>"

    # Learning

    def fit(self, pages: Iterable[Html | tuple[Html, str | None]]) -> Site:
        """Learn from pages, each alone or with its address; those that cannot be read are skipped.

        May be called again with more pages. A page that was learned before does not count again.
        """
        for item in pages:
            page, url = item if isinstance(item, tuple) else (item, None)
            try:
                self.update(page, url)
            except TamisError:
                self._skip()
        return self

    def update(self, page: Html, url: str | None = None) -> bool:
        """Learn from one page; False if it has no text, which counts as skipped, or is known.

        Raises a `TamisError` if the page cannot be read.
        """
        table = page if isinstance(page, Page) else parse(page, self.options)
        if not len(table.blocks):
            self._skip()
            return False
        known = alone(self._method, table, page_types(table, url)["forum"])
        with self._learning:
            before = self._stored
            counts = before.counts.plus(known.reading)
            if counts is before.counts:
                return False
            samples = _sampled(before.samples, table, known, counts, url)
            self._stored = Stored(counts, samples, before.skipped)
        return True

    def _skip(self) -> None:
        with self._learning:
            now = self._stored
            self._stored = Stored(now.counts, now.samples, now.skipped + 1)

    # Extraction

    def extract(
        self, page: Html, url: str | None = None, *, content_type: str | None = None
    ) -> Result:
        """Keep what the page is about, as `tamis.extract` does, given what the site tells."""
        deadline = time.monotonic() + self.options.max_seconds
        if not isinstance(page, Page):
            page = parse(page, self.options, content_type=content_type)
        scores = together(self._stored.counts, alone(self._method, page))
        result = decide(page, scores, self._method, self.options, url)
        if time.monotonic() > deadline:
            raise DeadlineError(
                f"extraction took longer than {self.options.max_seconds} s;"
                " raise Options.max_seconds to give it more time"
            )
        return replace(result, site_pages=self.pages)

    # What it knows

    @property
    def pages(self) -> int:
        """Pages that were learned."""
        return int(self._stored.counts.pages.sum())

    @property
    def templates(self) -> int:
        """Templates that were told apart."""
        return len(self._stored.counts.pages)

    @property
    def skipped(self) -> int:
        """Pages that could not be read, or had no text."""
        return self._stored.skipped

    @property
    def confidence(self) -> float:
        """How much the model can know about a new page of its most frequent template, up to 1."""
        pages = int(self._stored.counts.pages.max(initial=0))
        return pages / (pages + _HALF_SURE)

    def template(self) -> list[TemplateBlock]:
        """The blocks of the templates, the most frequent first, of equals the longest."""
        now = self._stored
        blocks = []
        for sample in now.samples.values():
            patterns = np.array([sample.pattern], np.uint64)
            pages = int(now.counts.pattern_pages(patterns, sample.cluster)[0])
            share = pages / int(now.counts.pages[sample.cluster])
            if share >= TEMPLATE_SHARE and pages > 1:
                blocks.append(TemplateBlock(sample.text, pages, share, sample.cluster, sample.url))
        return sorted(blocks, key=lambda block: (-block.share, -len(block.text), block.text))

    # On disk

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the model to a file, whole or not at all."""
        stored.save(path, self._stored)

    @classmethod
    def load(cls, path: str | os.PathLike[str], options: Options | None = None) -> Site:
        """A model that `save` wrote; a `WeightsError` if the file is not one, or is damaged."""
        return cls._of(stored.load(path), options)

    @classmethod
    def unpack(cls, content: bytes, name: str, options: Options | None = None) -> Site:
        """A model from the content of its file; `name` is for the messages."""
        return cls._of(stored.unpack(content, name), options)

    @classmethod
    def _of(cls, known: Stored, options: Options | None) -> Site:
        site = cls(options)
        site._stored = known
        return site


def _sampled(
    samples: dict[tuple[int, int], Sample],
    page: Page,
    known: Alone,
    counts: Counts,
    url: str | None,
) -> dict[tuple[int, int], Sample]:
    """With samples of the blocks of a new page that turn out to be of a template."""
    reading = known.reading
    cluster = counts.cluster_of(reading)
    if cluster is None:
        return samples
    found = counts.pattern_pages(reading.pattern, cluster)
    least = max(2.0, TEMPLATE_SHARE * float(counts.pages[cluster]))
    blocks = np.flatnonzero((found >= least) & (reading.words > 0)).tolist()
    new = {
        pattern: block
        for block in blocks
        if ((pattern := int(reading.pattern[block])), cluster) not in samples
    }
    if not new:
        return samples
    samples = samples | {
        (pattern, cluster): Sample(
            pattern, cluster, page.block_text(block)[:_SAMPLE_CHARACTERS], url
        )
        for pattern, block in new.items()
    }
    if len(samples) <= _SAMPLES:
        return samples
    return {key: samples[key] for key in _most_frequent(list(samples), counts)}


def _most_frequent(keys: list[tuple[int, int]], counts: Counts) -> list[tuple[int, int]]:
    """Three quarters of the samples, those with the largest share of their template's pages."""
    shares = np.array(
        [
            counts.pattern_pages(np.array([pattern], np.uint64), cluster)[0] / counts.pages[cluster]
            for pattern, cluster in keys
        ]
    )
    return [keys[number] for number in np.argsort(-shares, kind="stable")[: _SAMPLES * 3 // 4]]
