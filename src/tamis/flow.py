"""The flow from a page to its content, a table of contents."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Unpack

import numpy as np

from tamis._runtime import limits
from tamis.decision import THREAD, WHOLE, Decision, decide
from tamis.errors import InputError, MethodError
from tamis.inputs import Fetched, PageInput, html_of, unwrap
from tamis.methods._base import Flags, Method, Scores
from tamis.options import OptionFields, Options, choose_options
from tamis.page import read, tags
from tamis.page.table import Page
from tamis.page.tags import HIDDEN
from tamis.result import Result

SHELL_WORDS = 150
"""Words kept up to which a page may be a shell, whose content is in its data."""


def extract(
    page: PageInput | Fetched | Page,
    *,
    url: str | None = None,
    content_type: str | None = None,
    options: Options | None = None,
    **fields: Unpack[OptionFields],
) -> Result:
    """Keep what the page is about.

    `page` is HTML as text or as bytes of any encoding, a `pathlib.Path`, an open file, what
    `tamis.fetch` gave, or a table that `tamis.parse` made; for an address there is
    `tamis.extract_url`. `url` is its address,
    `content_type` the HTTP header of that name, if they are known. The choices are an `Options`, or
    single fields of it. Raises a `TamisError` if it is no page or over a limit, or a choice is
    wrong; never fails on what is in a page.

    >>> page = '''<nav><a href="/">Home</a> <a href="/tools">Tools</a></nav>
    ... <p>A tamis is a sieve with a fine mesh of silk, horsehair or steel.
    ... <p>A cook rubs purees, sauces and flour through it, and what is coarse stays behind; the
    ... name is also that of a cloth through which soups were strained.'''
    >>> extract(page, focus="precision").text.splitlines()[0]
    'A tamis is a sieve with a fine mesh of silk, horsehair or steel.'
    """
    options = choose_options(options, fields)
    with limits.within(options.max_seconds):
        method = options.make_method()
        table, url = _table(page, url, content_type, options)
        return result_of(table, scores_of(method, table), method, options, url)


def to_markdown(
    page: PageInput | Fetched | Page,
    *,
    url: str | None = None,
    content_type: str | None = None,
    options: Options | None = None,
    **fields: Unpack[OptionFields],
) -> str:
    """Convert a whole page, or a part of one, to Markdown, without choosing content.

    All that a browser shows is converted, navigation and footer too; no scripts, no styles, nothing
    hidden. `page`, `url` and `content_type` are those of `extract`; of the options `links`,
    `images`, `tables`, `title`, `front_matter` and the limits count.

    >>> print(to_markdown('<h2>Sieves</h2><p>Of <b>silk</b> or <a href="/s">steel</a>.'))
    ## Sieves
    <BLANKLINE>
    Of **silk** or [steel](/s).
    """
    options = choose_options(options, fields)
    with limits.within(options.max_seconds):
        table, url = _table(page, url, content_type, options)
        shown = table.blocks.flags & HIDDEN == 0
        decision = Decision(shown.astype(float), shown, cut=1.0)
        return Result(table, _switched(table, decision, options, url), options, url).markdown


def _table(
    page: PageInput | Fetched | Page, url: str | None, content_type: str | None, options: Options
) -> tuple[Page, str | None]:
    """The page table of what a caller gave, and the address of the page."""
    given, url, content_type = unwrap(page, url, content_type)
    if not isinstance(url, str | None):
        raise InputError(f"url is {type(url).__name__}; give the address of the page as str")
    if isinstance(given, Page):
        return given, url
    html = html_of(given, options.max_bytes)
    return read.parse(html, options, content_type=content_type), url


def parse(
    page: PageInput | Fetched,
    *,
    content_type: str | None = None,
    options: Options | None = None,
    **fields: Unpack[OptionFields],
) -> Page:
    """Read a page into its table, the first step of `extract`.

    `content_type` is the HTTP header of that name, if there was one; it may name the encoding.
    Of the options only the limits matter here.

    >>> page = parse("<nav>Home</nav><p>A <b>tamis</b> is a sieve.")
    >>> [page.block_text(block) for block in range(len(page.blocks))]
    ['Home', 'A tamis is a sieve.']
    """
    options = choose_options(options, fields)
    given, _, content_type = unwrap(page, None, content_type)
    return read.parse(html_of(given, options.max_bytes), options, content_type=content_type)


def scores_of(method: Method, page: Page) -> Scores:
    """What a method says of a page; a `MethodError` if that is not one number per block."""
    if not len(page.blocks):
        return np.zeros(0)
    scores = method.score(page)
    if not isinstance(scores, np.ndarray) or scores.shape != (len(page.blocks),):
        raise MethodError(
            f"method {method.name} gave {np.shape(scores)} scores for {len(page.blocks)} blocks;"
            " `score` returns an array with one number per block"
        )
    return scores


def extract_visible(page: Page, url: str | None, options: Options) -> Result:
    """Like `extract`, but ignore articles in the data of a page: keep only what it shows."""
    with limits.within(options.max_seconds):
        method = options.make_method()
        return result_of(page, scores_of(method, page), method, options, url, use_data=False)


def result_of(
    page: Page,
    scores: Scores,
    method: Method,
    options: Options,
    url: str | None,
    *,
    use_data: bool = True,
) -> Result:
    """From the scores of a page to its result: decide, look for embedded content, switch."""
    decision = decide(page, scores, method, options)
    if use_data and page.blocks.words[decision.kept].sum() <= SHELL_WORDS:
        page, decision = _embedded(page, decision, options)
    if method.calibrated and options.threshold is None and decision.embedded is None:
        decision = _thread(page, decision, options, url)
        decision = _whole(page, decision)
        decision = _without_advertisements(page, decision)
    return Result(page, _switched(page, decision, options, url), options, url)


def _embedded(page: Page, decision: Decision, options: Options) -> tuple[Page, Decision]:
    """The article that a page carries in its data, if what is visible is a shell without it."""
    from tamis.describe import embedded

    content = embedded.instead_of(page, decision.kept)
    if content is None:
        return page, decision
    head = _head(page)
    page = read.parse(head + content.html, options)
    # The article says nothing of its title, authors and date; the head of the shell does.
    scores = (page.texts.start[page.blocks.first_text] >= len(head.encode())).astype(float)
    return page, Decision(scores, scores > 0, cut=1.0, embedded=content.source)


def _head(page: Page) -> str:
    """The source of a page up to its body."""
    bodies = np.flatnonzero(page.nodes.tag == tags.ID["body"])
    end = int(page.nodes.start[bodies[0]]) if len(bodies) else 0
    return page.source[:end].decode("utf-8", "replace")


def _thread(page: Page, decision: Decision, options: Options, url: str | None) -> Decision:
    """The decision, or of a page that is a thread all that was written in its posts."""
    from tamis.describe import thread

    written = thread.written(page, decision.kept, url, options.page_type_weights)
    if written is None:
        return decision
    kept = decision.kept | written if options.focus == "recall" else written
    changed = decision.kept != kept
    return replace(decision, kept=kept, switched={THREAD: changed}) if changed.any() else decision


def _whole(page: Page, decision: Decision) -> Decision:
    """The decision, with the rest of footnotes and callouts that it tore."""
    from tamis.render import walk

    if not walk.may_be_torn(page, decision.kept):
        return decision
    from tamis.render import structures

    kept = structures.completed(page, decision.kept)
    if kept is None:
        return decision
    return replace(
        decision, kept=kept, switched={**decision.switched, WHOLE: decision.kept != kept}
    )


def _without_advertisements(page: Page, decision: Decision) -> Decision:
    """The decision, without labels of advertisements."""
    from tamis.describe import advertisements

    labels = advertisements.find_labels(page, decision.kept)
    if labels is None:
        return decision
    switched = {**decision.switched, advertisements.LABEL: labels}
    return replace(decision, kept=decision.kept & ~labels, switched=switched)


def _switched(page: Page, decision: Decision, options: Options, url: str | None) -> Decision:
    """The decision, with what the switches of the options add and take."""
    kept: Flags = decision.kept
    switched: dict[str, Flags] = dict(decision.switched)

    def switch(name: str, wanted: Flags) -> None:
        nonlocal kept
        if (changed := kept != wanted).any():
            kept, switched[name] = wanted, changed

    if options.overview != "keep":
        from tamis.describe import overview, page_type

        types = partial(page_type.page_types, page, url, options.page_type_weights)
        if page_type.is_overview(overview.chance(page, options.make_method(), types)):
            in_items = options.overview == "items"
            items = overview.in_items(page, decision.scores) if in_items else kept & False
            switch("overview", items)
    if options.comments:
        from tamis.describe.regions import KIND, regions

        switch("comments", kept | (regions(page, decision.kept, url) == KIND["comments"]))
    if not options.tables:
        from tamis.page.tables import in_data_tables

        switch("tables", kept & ~in_data_tables(page))
    if not options.hidden:
        switch("hidden", kept & (page.blocks.flags & HIDDEN == 0))
    if options.title is False:
        from tamis.page.headline import says_title

        switch("title", kept & ~says_title(page, url))
    return replace(decision, kept=kept, switched=switched) if switched else decision
