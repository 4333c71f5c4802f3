"""The gallery of the docs: a dozen pages with pictures of the decision, our Markdown, the peers'.

    python benchmarks/gallery.py                  everything, with the peers run again
    python benchmarks/gallery.py --only tamis     our part of the texts, the peers' as they were
    python benchmarks/gallery.py --only pictures  the pictures of the gallery
    python benchmarks/gallery.py --only picture   the one at the top of the README

Writes docs/gallery, docs/images/gallery and docs/images/before-after.png; what the peers gave is in
benchmarks/results/gallery.json, so that our part can be made again, and be tested, without them.
The pages are those of tests/pages, all written by us.

Pictures need Chromium, Pillow, and fonts-noto-core and fonts-noto-cjk for the fonts of those in
docs; the peers need the extras `rivals` and `bench`. Takes less than a minute.
"""

from __future__ import annotations

import bisect
import json
import re
import unicodedata
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from html import escape
from importlib import import_module, metadata
from itertools import accumulate
from typing import Any

import click
import script
from gallery_pictures import before_after, compressed, decision
from tests.browser.chromium import Browser, find_chromium
from units import markdown_text

import tamis
from tamis.bench import measures, rivals
from tamis.labels.alignment import tokenize

STORED = script.RESULTS / "gallery.json"
DOCS = script.ROOT / "docs"
GALLERY = DOCS / "gallery"
PICTURES = DOCS / "images" / "gallery"
BEFORE_AFTER = DOCS / "images" / "before-after.png"
SOURCES = script.ROOT / "tests" / "pages"
EXAMPLE = script.ROOT / "examples" / "news.html"
OURS = "tamis"
COLUMNS = 92
"""Width at which long lines of text are wrapped; a code block on the web never does."""
CARDS = 3
"""Pages in a row of the index, so many that a phone can show them."""
RIGHT_TO_LEFT = {"Arabic"}

# --- the pages ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Page:
    """A page of tests/pages, with what we say about it."""

    name: str
    kind: str
    language: str
    about: str
    hard: str
    look: str
    """What each extractor lost or kept wrongly, ours among them. To be read again whenever the
    outputs change."""

    @property
    def html(self) -> str:
        """The page."""
        return (SOURCES / self.name / "source.html").read_text("utf-8")

    @property
    def expected(self) -> dict[str, Any]:
        """What a reader would keep of it."""
        return dict(json.loads((SOURCES / self.name / "expected.json").read_text("utf-8")))


PAGES = (
    Page(
        "news-en", "news", "English",
        "A story of a local newspaper about a battery ferry.",
        "A consent dialog before the header, an advertisement and a “Read also” box inside the"
        " story, six teasers and three comments after it.",
        "trafilatura and newspaper4k give the body alone; tamis has the standfirst and the picture,"
        " too, but no headline. jusText has the headline and the caption,"
        " and with them “- Advertisement -” and “Read also”. resiliparse"
        " has the standfirst, and every teaser, too.",
    ),
    Page(
        "news-ar", "news", "Arabic",
        "A story about a library on camels, from right to left.",
        "Made with a page builder: the story is in nameless boxes, while each teaser below it is in"
        " an `article` element; share buttons, a ticker and an author's box around it.",
        "tamis, trafilatura and newspaper4k give the same text, without headline and caption."
        " readability-lxml returns the ticker and nothing of the story. jusText has the"
        " headline, and the author's box.",
    ),
    Page(
        "blog-ja", "blog", "Japanese",
        "A diary entry of 2012 about a second-hand bookshop.",
        "No spaces between words, paragraphs made of line breaks, a date as a heading, trackbacks,"
        " a calendar and archives by month.",
        "tamis keeps the date, the line that asks for a click in a ranking and the one with author"
        " and trackback; readability-lxml has none of these and is the best here, though it loses"
        " the headline. newspaper4k returns the"
        " trackback box. jusText has no stop words for Japanese, and keeps nothing without them.",
    ),
    Page(
        "blog-hi", "blog", "Hindi",
        "A memory of a grandmother's radio, on a hosted blog.",
        "Devanagari, paragraphs made of line breaks, comments that read like the story, a column of"
        " widgets around it.",
        "tamis, trafilatura and readability-lxml agree word for word, and all lose the headline."
        " jusText is the best here: it has the headline, with the date above it. newspaper4k"
        " returns the first comment and nothing else.",
    ),
    Page(
        "forum-en", "forum", "English",
        "A thread of six posts about a leaking skylight.",
        "The content is six pieces with members' data, signatures and buttons between them, and"
        " some posts are one short line.",
        "tamis has every post, and keeps the quotation as one, but does not say in its Markdown who"
        " wrote which (`result.posts` does), and has no headline, as most others. trafilatura"
        " and jusText lose two short greetings, trafilatura also that the tries are a list."
        " readability-lxml returns one post of six. newspaper4k loses the last post and keeps"
        " ranks, dates and places, as resiliparse does.",
    ),
    Page(
        "product-en", "product", "English",
        "A camping lantern in a shop.",
        "Prices, delivery terms, reviews and other products look like text; the specification is a"
        " table.",
        "tamis keeps the brand, the stars, the price and the delivery promise, which our gold has"
        " not. trafilatura adds"
        " headings and names of the reviews without their texts; readability-lxml loses the"
        " headline and the summary, and has reviews, newsletter and cookie notice; newspaper4k"
        " loses the table.",
    ),
    Page(
        "shop-th", "product", "Thai",
        "A clay pot in a Thai shop.",
        "No spaces between words, so counts of words and stop words say nothing; buttons, colours"
        " and stock stand in the same column as the description.",
        "Here tamis is not the best: it keeps the breadcrumbs, the price and the stock."
        " readability-lxml, newspaper4k and jusText (which has"
        " no stop words for Thai and does without) miss the headline alone. trafilatura loses the"
        " steps of the first use and three headings.",
    ),
    Page(
        "docs-en", "documentation", "English",
        "A page of the documentation of a Python library.",
        "Code, notes, a table and definitions, between a tree of navigation, breadcrumbs and a"
        " table of contents.",
        "All words are right in tamis, which also knows the languages of the code, the kinds of the"
        " notes and the link. trafilatura loses the caption of the table and empty lines in code"
        " and keeps “¶”; readability-lxml has everything, and “Copy” three times. jusText loses"
        " code and table.",
    ),
    Page(
        "recipe-fr", "recipe", "French",
        "A tart with pears and buckwheat, after a story about a rainy Sunday.",
        "Ingredients are short lines without verbs, and an advertisement and a newsletter stand"
        " between story and recipe.",
        "Here tamis is not the best: it loses three small headings (“Pour la pâte”, “Pour la"
        " garniture”, “Instructions”), so that two lists stand without their names. trafilatura has"
        " everything but the headline. jusText and newspaper4k lose the ingredients, newspaper4k"
        " the steps as well.",
    ),
    Page(
        "listing-en", "overview", "English",
        "The first of 32 pages of stories of a magazine.",
        "There is no article: the content is ten titles with their excerpts, among names, dates,"
        " topics and links.",
        "tamis keeps the breadcrumbs, too. It says that the page is a listing and gives the items,"
        " each title with its link"
        " (`overview=\"skip\"` gives nothing instead). trafilatura has “Read story” ten times;"
        " readability-lxml loses all ten titles; jusText keeps nothing.",
    ),
    Page(
        "table-layout-1999", "table layout of 1999", "English",
        "A page of railway friends, laid out by tables in tables.",
        "No element has a meaning: the menu, the story, the bill and the guestbook are all cells,"
        " headings are bold text in a larger font.",
        "Here tamis is not the best: it keeps the menu at the left, the visitor counter, a row"
        " of thumbnails, the guestbook and the web ring; jusText and newspaper4k drop the menu,"
        " and jusText with it the headline."
        " trafilatura keeps everything as one table. readability-lxml loses the whole story, and"
        " leaves an empty table.",
    ),
    Page(
        "blocked-en", "blocked", "English",
        "What a crawler gets where it is not wanted: a check of the connection.",
        "All its sentences are complete, but none of them is content; the right answer is nothing.",
        "tamis and jusText give nothing. The others return the check, which then stands in a corpus"
        " as if it were a page.",
    ),
)  # fmt: skip

# --- the extractors -------------------------------------------------------------------------------


def ours(page: Page) -> str:
    """Our Markdown, with the defaults."""
    return tamis.extract(page.html).markdown


def _trafilatura(page: Page) -> str:
    extract = import_module("trafilatura").extract
    return extract(page.html, output_format="markdown", include_comments=False) or ""


def _readability(page: Page) -> str:
    summary = import_module("readability").Document(page.html).summary(html_partial=True)
    return str(import_module("markdownify").markdownify(summary))


def _turbohtml(page: Page) -> str:
    return str(import_module("turbohtml").parse(page.html).to_markdown())


def _text_of(name: str) -> Callable[[Page], str]:
    return lambda page: rivals.load(name)(page.html)


@dataclass(frozen=True)
class Peer:
    """Somebody else's extractor: how it is called here, and what it gives."""

    name: str
    call: str
    run: Callable[[Page], str]
    libraries: tuple[str, ...]
    gives_markdown: bool = True
    chooses: bool = True
    """Whether it tells content from the rest."""


PEERS = (
    Peer(
        "trafilatura", '`extract(page, output_format="markdown", include_comments=False)`',
        _trafilatura, ("trafilatura",),
    ),
    Peer(
        "readability-lxml", "`markdownify(Document(page).summary(html_partial=True))`",
        _readability, ("readability-lxml", "markdownify"),
    ),
    Peer(
        "resiliparse", "`extract_plain_text(page, main_content=True)`, text",
        _text_of("resiliparse"), ("resiliparse",), gives_markdown=False,
    ),
    Peer(
        "newspaper4k", "`Article(...).text` after `parse()`, text",
        _text_of("newspaper4k"), ("newspaper4k",), gives_markdown=False,
    ),
    Peer(
        "jusText", "`justext(page, get_stoplist(language))`, or without stop words where it has"
        " none, text",
        _text_of("justext"), ("justext",), gives_markdown=False,
    ),
    Peer(
        "turbohtml", "`parse(page).to_markdown()`: the whole page, it does not choose",
        _turbohtml, ("turbohtml",), chooses=False,
    ),
)  # fmt: skip

Stored = dict[str, Any]
"""The versions of the peers, and what they gave, by page and name."""


def run_peers() -> Stored:
    """Run the peers on all pages."""
    return {
        "versions": {
            peer.name: " + ".join(
                f"{library if number else peer.name} {metadata.version(library)}"
                for number, library in enumerate(peer.libraries)
            )
            for peer in PEERS
        },
        "outputs": {
            page.name: {peer.name: peer.run(page).strip("\n") for peer in PEERS} for page in PAGES
        },
    }


# --- the figures ----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Figures:
    """How an output compares with what a reader would keep."""

    words: int
    f1: float
    snippets: measures.Snippets


def figures(page: Page, output: str, *, gives_markdown: bool) -> Figures:
    """The figures of one output on one page."""
    text = markdown_text(output) if gives_markdown else output
    expected = page.expected
    return Figures(
        len(tokenize(text)),
        measures.bag_of_words(text, expected["text"]).f1,
        measures.count_snippets(text, expected["with"], expected["without"]),
    )


@cache
def our_figures(page: Page) -> Figures:
    """Those of tamis."""
    return figures(page, ours(page), gives_markdown=True)


def all_figures(page: Page, stored: Stored) -> dict[str, Figures]:
    """Those of all extractors, by name."""
    outputs = stored["outputs"][page.name]
    theirs = {
        peer.name: figures(page, outputs[peer.name], gives_markdown=peer.gives_markdown)
        for peer in PEERS
    }
    return {OURS: our_figures(page)} | theirs


# --- the documents --------------------------------------------------------------------------------


def documents(stored: Stored) -> dict[str, str]:
    """The Markdown files of the gallery, by name."""
    made = {f"{page.name}.md": "\n".join(page_document(page, stored)) for page in PAGES}
    return made | {"index.md": "\n".join(index_document(stored))}


def page_document(page: Page, stored: Stored) -> Iterator[str]:
    """The lines of one page of the gallery."""
    title = f"{page.kind.capitalize()}, {page.language}"
    yield f"# {title}: {page.expected['title']}\n"
    yield f"{page.about} It is `tests/pages/{page.name}/source.html`.\n"
    yield f"**What makes it hard:** {page.hard}\n"
    yield f"![{title}: what is kept is tinted](../images/gallery/{page.name}.png)\n"
    yield from _figures_table(page, stored)
    yield f"**What to look at:** {page.look}\n"
    yield "## tamis\n"
    yield shown(ours(page), page, gives_markdown=True)
    yield "## The others\n"
    for peer in PEERS:
        output = stored["outputs"][page.name][peer.name]
        words = figures(page, output, gives_markdown=peer.gives_markdown).words
        version = escape(stored["versions"][peer.name])
        yield f"<details><summary>{version}: {words:,} words</summary>\n"
        yield shown(output, page, gives_markdown=peer.gives_markdown)
        yield "</details>\n"
    yield "[All pages of the gallery](index.md)\n"


def _figures_table(page: Page, stored: Stored) -> Iterator[str]:
    rows = all_figures(page, stored)
    scores = _scores([row.f1 for row in rows.values()])
    counts = rows[OURS].snippets
    yield f"| | words | F1 | wanted, of {counts.wanted} | unwanted, of {counts.unwanted} |"
    yield "|---|--:|--:|--:|--:|"
    for (name, row), f1 in zip(rows.items(), scores, strict=True):
        found = row.snippets
        yield f"| {_bold(name)} | {row.words:,} | {f1} | {found.present} | {found.leaked} |"
    yield ""


def _bold(name: str) -> str:
    return f"**{name}**" if name == OURS else name


def shown(output: str, page: Page, *, gives_markdown: bool) -> str:
    """An output in a fence that nothing in it can end."""
    if not output.strip():
        return "*Nothing.*\n"
    longest = max(map(len, re.findall("`+", output)), default=0)
    fence = "`" * max(3, longest + 1)
    lines = "\n".join(part for line in output.splitlines() for part in wrapped(line))
    block = f"{fence}{'markdown' if gives_markdown else 'text'}\n{lines}\n{fence}\n"
    return f'<div dir="rtl">\n\n{block}\n</div>\n' if page.language in RIGHT_TO_LEFT else block


def wrapped(line: str) -> Iterator[str]:
    """A long line in pieces, between words where there are such; rows of tables as they are."""
    while not line.startswith("|"):
        # Marks take no column: they stay with the letter that they stand on.
        reached = list(accumulate(map(width_of, line)))
        end = bisect.bisect_right(reached, COLUMNS)
        if end == len(line):
            break
        space = line.rfind(" ", COLUMNS // 3, end + 1)
        cut = space if space > 0 else end
        yield line[:cut]
        line = line[cut:].lstrip(" ")
    yield line


def width_of(letter: str) -> int:
    """The columns that a letter takes in a fixed-width font."""
    if unicodedata.category(letter) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(letter) in "WF" else 1


def index_document(stored: Stored) -> Iterator[str]:
    """The lines of the first page of the gallery."""
    left_out = len([path for path in SOURCES.iterdir() if path.is_dir()]) - len(PAGES)
    kinds = len({page.kind for page in PAGES})
    yield "# Gallery\n"
    yield (
        "A dozen pages of different kinds, with a picture of the decision, our Markdown, and what"
        " other extractors make of the same page.\n"
    )
    yield f"|{' |' * CARDS}"
    yield f"|{':-:|' * CARDS}"
    cards = map(_card, PAGES)
    yield from (f"| {' | '.join(row)} |" for row in zip(*[cards] * CARDS, strict=True))
    yield "\n## Figures\n"
    yield "F1 of the words against what a reader would keep; the best of each page in bold.\n"
    table = {page: all_figures(page, stored) for page in PAGES}
    names = [OURS, *(peer.name for peer in PEERS if peer.chooses)]
    yield f"| | {' | '.join(map(_bold, names))} |"
    yield f"|---|{'--:|' * len(names)}"
    for page, row in table.items():
        cells = [f"[{page.kind}, {page.language}]({page.name}.md)"]
        yield f"| {' | '.join(cells + _scores([row[name].f1 for name in names]))} |"
    means = {
        name: sum(row[name].f1 for row in table.values()) / len(table) for name in table[PAGES[0]]
    }
    yield f"| mean | {' | '.join(_scores([means[name] for name in names]))} |"
    for peer in PEERS:
        if not peer.chooses:
            yield (
                f"\n{peer.name} turns the whole page into Markdown; what it has on average,"
                f" {_score(means[peer.name])}, is what one gets without choosing."
            )
    yield "\n## How it was made\n"
    yield (
        f"The pages are {len(PAGES)} of the {len(PAGES) + left_out} in `tests/pages`, where the"
        " test suite has the text that a reader would keep of each. They were chosen by kind,"
        f" before there was any figure: one for each of the {kinds} kinds there, and three more for"
        " scripts that were still missing (Arabic, Devanagari, Thai). We wrote all of them, so they"
        " can stand here; and"
        " we have looked at them while we built tamis, so a dozen figures prove nothing. Those over"
        " thousands of pages that others collected are in"
        " [Measured](../explanation/measured.md).\n"
    )
    yield (
        "In the pictures what is kept is tinted green and what is dropped is faded; at the right is"
        " the whole page in small, with a frame around the part at the left. They show every page"
        " in one plain style instead of its own, and a grey box for each image, because the pages"
        " and their images exist nowhere else. The page of 1999 is as it is.\n"
    )
    yield (
        "Words are counted as our measurements count them: in scripts without spaces a character"
        " is one. *Wanted* are whole sentences that must be in an output, *unwanted* pieces of"
        " boilerplate that must not. Figures are of the text of what is shown, without marks and"
        " addresses. Long lines are wrapped here so that they can be read; the extractors give"
        " one line for each paragraph.\n"
    )
    yield "Everything has its defaults, in the newest version that there was:\n"
    yield "| | called as |"
    yield "|---|---|"
    yield "| tamis | `tamis.extract(page).markdown` |"
    for peer in PEERS:
        yield f"| {stored['versions'][peer.name]} | {peer.call} |"
    yield "\n`python benchmarks/gallery.py` makes all of it again.\n"
    yield "```{toctree}\n:hidden:\n"
    yield from (page.name for page in PAGES)
    yield "```\n"


def _card(page: Page) -> str:
    """A page in the index: its small picture above its name."""
    name, link = f"{page.kind.capitalize()}, {page.language}", f"{page.name}.md"
    return f"[![{name}](../images/gallery/{page.name}-small.png)]({link})<br>[{name}]({link})"


def _score(value: float) -> str:
    return f"{value:.3f}".removeprefix("0")


def _scores(values: list[float]) -> list[str]:
    """Scores as cells, the best of them in bold."""
    best = max(map(_score, values))
    return [f"**{best}**" if _score(value) == best else _score(value) for value in values]


# --- the command ----------------------------------------------------------------------------------


def write_pictures(browser: Browser) -> None:
    """Take the pictures of the gallery."""
    PICTURES.mkdir(parents=True, exist_ok=True)
    for page in PAGES:
        large, small = decision(browser, page.html)
        for name, picture in ((page.name, large), (f"{page.name}-small", small)):
            data = compressed(picture)
            (PICTURES / f"{name}.png").write_bytes(data)
            click.echo(f"{name}.png {len(data):,} bytes")


@click.command()
@click.option("--only", type=click.Choice(("tamis", "pictures", "picture")), help="A part.")
def main(only: str | None) -> None:
    """Make the gallery."""
    if only is None:
        script.write(STORED, run_peers())
    if only in (None, "tamis"):
        GALLERY.mkdir(parents=True, exist_ok=True)
        for name, text in documents(json.loads(STORED.read_text("utf-8"))).items():
            (GALLERY / name).write_text(text, "utf-8")
    if only == "tamis":
        return
    path = find_chromium()
    if path is None:
        raise click.ClickException("no Chromium; install the Debian package chromium")
    with Browser(path) as browser:
        if only in (None, "pictures"):
            write_pictures(browser)
        if only in (None, "picture"):
            data = compressed(before_after(browser, EXAMPLE), colours=160)
            BEFORE_AFTER.write_bytes(data)
            click.echo(f"{BEFORE_AFTER.name} {len(data):,} bytes")


if __name__ == "__main__":
    main()
