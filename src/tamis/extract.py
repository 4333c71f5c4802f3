"""The flow from a page to its content, a table of contents."""

from __future__ import annotations

import time

from tamis.errors import DeadlineError
from tamis.labels import label
from tamis.methods import _registry
from tamis.methods._base import Method, Scores
from tamis.options import Options
from tamis.page.read import parse
from tamis.page.table import Page
from tamis.render import text
from tamis.result import Result


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
    return Result(page, scores, kept, options.method, url, text.render)
