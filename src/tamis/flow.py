"""The flow from a page to its content, a table of contents."""

from __future__ import annotations

import time
from dataclasses import replace

import numpy as np

from tamis.decision import label
from tamis.errors import DeadlineError
from tamis.methods import _registry
from tamis.methods._base import Method, Scores
from tamis.options import Options
from tamis.page.read import parse
from tamis.page.table import Page
from tamis.page.tags import HIDDEN
from tamis.result import Result

# Words kept up to which a page may be a shell, whose content is in its data.
_SHELL_WORDS = 150


def extract(
    page: str | bytes | Page,
    url: str | None = None,
    options: Options | None = None,
    *,
    content_type: str | None = None,
) -> Result:
    """Keep what the page is about.

    `page` is HTML as text or as bytes of any encoding, or a table that `tamis.parse` made.
    `content_type` is the HTTP header of that name, if there was one. Raises a `TamisError` if the
    page is over a limit of `options` or the method is unknown; never fails on what is in a page.

    >>> page = '''<nav><a href="/">Home</a> <a href="/tools">Tools</a></nav>
    ... <p>A tamis is a sieve with a fine mesh of silk, horsehair or steel.
    ... <p>A cook rubs purees, sauces and flour through it, and what is coarse stays behind; the
    ... name is also that of a cloth through which soups were strained.'''
    >>> extract(page).text.splitlines()[0]
    'A tamis is a sieve with a fine mesh of silk, horsehair or steel.'
    """
    options = options or Options()
    deadline = time.monotonic() + options.max_seconds
    method = _registry.create(options.method, options.parameters)
    table = page if isinstance(page, Page) else parse(page, options, content_type=content_type)
    result = decide(table, method.score(table), method, options, url)
    if time.monotonic() > deadline:
        raise DeadlineError(
            f"extraction took longer than {options.max_seconds} s;"
            " raise Options.max_seconds to give it more time"
        )
    return result


def decide(page: Page, scores: Scores, method: Method, options: Options, url: str | None) -> Result:
    """From the scores of a page to its result; `extract` and `extract_many` share it."""
    kept = label(page, scores, method, options)
    result = Result(page, scores, kept, options, url)
    if page.blocks.words[kept].sum() <= _SHELL_WORDS:
        result = _embedded(result) or result
    return _switched(result)


def _embedded(result: Result) -> Result | None:
    """The article that the page carries in its data, if what is visible is a shell without it."""
    from tamis.describe import embedded

    found = embedded.instead_of(result.page, result.kept)
    if found is None:
        return None
    page = parse(found.html, result.options)
    every = np.ones(len(page.blocks))
    return Result(page, every, every > 0, result.options, result.url, embedded=found.source)


def _switched(result: Result) -> Result:
    """The result, as the switches of its options want it."""
    options, page, kept = result.options, result.page, result.kept
    if options.overview != "keep" and result.overview > 0.5:
        from tamis.describe.overview import in_items

        kept = kept & False if options.overview == "skip" else in_items(page, result.scores)
    if options.comments:
        from tamis.describe.regions import KIND

        kept = kept | (result.regions == KIND["comments"])
    if not options.tables:
        from tamis.page.tables import in_data_tables

        kept = kept & ~in_data_tables(page)
    if not options.hidden:
        kept = kept & (page.blocks.flags & HIDDEN == 0)
    if kept is result.kept:
        return result
    return replace(result, kept=kept, _decided=result.kept)
