"""The flow from a page to its content, a table of contents."""

from __future__ import annotations

from typing import Unpack

from tamis._runtime import limits
from tamis.decide.decision import Decision, decide
from tamis.decide.steps import RULES, SWITCHES, Context, open_shell, run_steps
from tamis.errors import InputError
from tamis.inputs import Fetched, PageInput, html_of, unwrap
from tamis.methods._base import Method, Scores, score_blocks
from tamis.options import OptionFields, Options, choose_options
from tamis.page import read
from tamis.page.table import Page
from tamis.page.tags import HIDDEN
from tamis.result import Result


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
        return result_of(table, score_blocks(method, table), method, options, url)


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
        decision = run_steps(SWITCHES, Context(table, options, url), decision)
        return Result(table, decision, options, url).markdown


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


def extract_visible(page: Page, url: str | None, options: Options) -> Result:
    """Like `extract`, but ignore articles in the data of a page: keep only what it shows."""
    with limits.within(options.max_seconds):
        method = options.make_method()
        return result_of(page, score_blocks(method, page), method, options, url, use_data=False)


def result_of(
    page: Page,
    scores: Scores,
    method: Method,
    options: Options,
    url: str | None,
    *,
    use_data: bool = True,
) -> Result:
    """From the scores of a page to its result: decide by them, then by rules, then by switches."""
    context = Context(page, options, url)
    decision = decide(page, scores, method, options)
    if use_data:
        context, decision = open_shell(context, decision)
    if method.calibrated and options.threshold is None and decision.embedded is None:
        decision = run_steps(RULES, context, decision)
    return Result(context.page, run_steps(SWITCHES, context, decision), options, url)
