"""The flow from a page to its content, a table of contents."""

from __future__ import annotations

from typing import Unpack

from tamis._runtime import limits
from tamis.decide.decision import Decision, decide
from tamis.decide.steps import RULES, SWITCHES, Context, open_shell, run_steps
from tamis.inputs import Fetched, PageInput, make_table, read_html, unwrap
from tamis.methods._base import Method, Scores, score_blocks
from tamis.options import OptionFields, Options, choose_options
from tamis.page import reader
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

    `page` is HTML as text or as bytes of any encoding, a `pathlib.Path`, an open file, the result
    of `tamis.fetch`, or a table from `tamis.parse`. To extract from an address, call
    `tamis.extract_url`. Pass the address of the page as `url` and its HTTP header as `content_type`
    if you know them, and your choices as an `Options` or as single fields of it. Raises a
    `TamisError` if the input is not a page, is over a limit, or an option is wrong. Nothing that is
    in a page makes it fail.

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
        table, url = make_table(page, url, content_type, options)
        return make_result(table, score_blocks(method, table), method, options, url)


def to_markdown(
    page: PageInput | Fetched | Page,
    *,
    url: str | None = None,
    content_type: str | None = None,
    options: Options | None = None,
    **fields: Unpack[OptionFields],
) -> str:
    """Convert a whole page, or a part of one, to Markdown, without choosing content.

    Everything that a browser shows is converted, including navigation and footer, but no scripts,
    styles or hidden text. `page`, `url` and `content_type` are those of `extract`. The options
    `links`, `images`, `tables`, `title`, `front_matter` and the limits apply.

    >>> print(to_markdown('<h2>Sieves</h2><p>Of <b>silk</b> or <a href="/s">steel</a>.'))
    ## Sieves
    <BLANKLINE>
    Of **silk** or [steel](/s).
    """
    options = choose_options(options, fields)
    with limits.within(options.max_seconds):
        table, url = make_table(page, url, content_type, options)
        shown = table.blocks.flags & HIDDEN == 0
        decision = Decision(shown.astype(float), shown, cut=1.0)
        decision = run_steps(SWITCHES, Context(table, options, url), decision)
        return Result(table, decision, options, url).markdown


def parse(
    page: PageInput | Fetched,
    *,
    content_type: str | None = None,
    options: Options | None = None,
    **fields: Unpack[OptionFields],
) -> Page:
    """Read a page into its table, the first step of `extract`.

    `content_type` is the HTTP header, which may name the encoding. Of the options, only the limits
    apply.

    >>> page = parse("<nav>Home</nav><p>A <b>tamis</b> is a sieve.")
    >>> [page.block_text(block) for block in range(len(page.blocks))]
    ['Home', 'A tamis is a sieve.']
    """
    options = choose_options(options, fields)
    given, _, content_type = unwrap(page, None, content_type)
    return reader.parse(read_html(given, options.max_bytes), options, content_type=content_type)


def extract_visible(page: Page, url: str | None, options: Options) -> Result:
    """Like `extract`, but ignore articles in the data of a page: keep only what it shows."""
    with limits.within(options.max_seconds):
        method = options.make_method()
        return make_result(page, score_blocks(method, page), method, options, url, use_data=False)


def make_result(
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
