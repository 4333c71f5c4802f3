"""The gallery of the docs: a dozen pages with pictures of the decision, our Markdown, the peers'.

    python benchmarks/gallery.py                  everything, with the peers run again
    python benchmarks/gallery.py --only tamis     our part of the texts, the peers' as they were
    python benchmarks/gallery.py --only pictures  the pictures of the gallery
    python benchmarks/gallery.py --only picture   the one at the top of the README

Writes docs/gallery, docs/images/gallery and docs/images/before-after.png; what the peers gave is in
benchmarks/results/gallery.json, so that our part can be made again, and be tested, without them.
The pages are those of tests/pages, all written by us. Their style sheets are there to be read by
programs, not to be looked at: the pictures have one plain style for all of them.

Pictures need Chromium, Pillow, and fonts-noto-core and fonts-noto-cjk for the fonts of those in
docs; the peers need the extras `rivals` and `bench`. Takes half a minute.
"""

from __future__ import annotations

import base64
import bisect
import io
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
from PIL import Image, ImageDraw, ImageOps
from tests.browser.chromium import Browser, find_chromium
from tests.browser.window import Window
from units import markdown_text

import tamis
from tamis.evaluate import measures, rivals
from tamis.render import original

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
        "tamis, trafilatura and newspaper4k give the body alone: headline, standfirst and caption"
        " are missing, so none of them is the best here. jusText has the headline and the caption,"
        " and with them “- Advertisement -” and “Read also”. Of those that choose, resiliparse alone has"
        " the standfirst, and every teaser, too.",
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
        "tamis keeps the date and the line that asks for a click in a ranking; readability-lxml has"
        " neither and is the best here, though it loses the headline. newspaper4k returns the"
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
        "tamis keeps the price and the delivery promise, which our gold has not. trafilatura adds"
        " headings and names of the reviews without their texts; readability-lxml loses the"
        " headline and the summary, and has reviews, newsletter and cookie notice; newspaper4k"
        " loses the table.",
    ),
    Page(
        "shop-th", "product", "Thai",
        "A clay pot in a Thai shop.",
        "No spaces between words, so counts of words and stop words say nothing; buttons, colours"
        " and stock stand in the same column as the description.",
        "Here tamis is not the best: it keeps the breadcrumbs, the price, the stock and even the"
        " buttons “add to cart” and “buy now”. readability-lxml, newspaper4k and jusText (which has"
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
        "tamis says that it is a listing and gives the items, each title with its link"
        " (`overview=\"skip\"` gives nothing instead). trafilatura has “Read story” ten times;"
        " readability-lxml loses all ten titles; jusText keeps nothing.",
    ),
    Page(
        "table-layout-1999", "table layout of 1999", "English",
        "A page of railway friends, laid out by tables in tables.",
        "No element has a meaning: the menu, the story, the bill and the guestbook are all cells,"
        " headings are bold text in a larger font.",
        "Here tamis is not the best: it keeps the menu at the left, the visitor counter and a row"
        " of thumbnails; jusText and newspaper4k drop the menu, and jusText with it the headline."
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


def _justext(page: Page) -> str:
    library = import_module("justext")
    if page.language in library.get_stoplists():
        paragraphs = library.justext(page.html, library.get_stoplist(page.language))
    else:  # what its own command does when it is asked for no list
        paragraphs = library.justext(page.html, frozenset(), stopwords_low=0, stopwords_high=0)
    return "\n\n".join(found.text for found in paragraphs if not found.is_boilerplate)


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
        _justext, ("justext",), gives_markdown=False,
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
        len(measures.tokens(text)),
        measures.bag_of_words(text, expected["text"]).f1,
        measures.snippets(text, expected["with"], expected["without"]),
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
        " test suite has the text that a reader would keep of each. They were chosen by kind before"
        f" anything was run: one for each of the {kinds} kinds there, and three more for scripts"
        " and directions that were still missing. We wrote all of them, so they can stand here; and"
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


# --- the pictures ---------------------------------------------------------------------------------

WIDTH, HEIGHT = 720, 960
"""What is seen of a page, at most."""
LOWEST = 400
GAP = 20
MAP_WIDTH = 170
"""Most pixels of the whole page in small beside it."""
LEAD = 400
"""Pixels of a page above the first block that is kept."""
SMALL = 200
"""The side of a square picture of the index."""
MOST_BYTES = 150_000

# Words of many sites' class names; the pages have no style of their own that is to be seen.
PLAIN = """
html { background: #fff; color: #23262b; font: 16px/1.55 "Noto Sans", system-ui, sans-serif }
body { margin: 0; padding: 16px 24px 32px }
h1 { font-size: 30px; line-height: 1.2; margin: 16px 0 10px }
h2 { font-size: 22px; line-height: 1.3; margin: 20px 0 8px }
h3, h4 { font-size: 17px; margin: 16px 0 6px }
p { margin: 10px 0 }
a { color: #1b5fa8; text-decoration: none }
nav a, header a, footer a { margin-inline-end: 10px }
nav ul, nav ol, header ul, footer ul, [class*=menu] ul, ul[class*=menu], [class*=nav] ul,
ul[class*=nav], [class*=bread] ol, [class*=share] ul { list-style: none; margin: 4px 0; padding: 0;
  display: flex; flex-wrap: wrap; gap: 2px 16px; font-size: 14px }
nav ul ul, header ul ul, [class*=menu] ul ul { font-size: 12px; gap: 0 10px }
footer { font-size: 13px; background: #eef0f3; padding: 10px 16px; margin-top: 20px }
footer footer { background: none; padding: 0; margin: 0 }
aside { font-size: 14px; background: #f4f4f0; padding: 6px 16px; margin: 12px 0;
  border-radius: 6px }
aside aside { padding: 0; margin: 0 }
[class*=cookie], [class*=consent], [id*=cookie], [id*=consent] { background: #2d3139;
  color: #f3f3f3; padding: 8px 14px; border-radius: 6px; font-size: 14px }
:is([class*=cookie], [class*=consent], [id*=cookie], [id*=consent]) * { background: none;
  padding: 0; color: inherit }
table { border-collapse: collapse; margin: 12px 0 }
td, th { padding: 4px 12px; border: 1px solid #d5d9df; text-align: start; font-size: 15px }
pre { background: #f4f5f7; border: 1px solid #e2e5ea; border-radius: 6px; padding: 10px 14px;
  font-size: 14px; line-height: 1.5 }
blockquote { border-inline-start: 4px solid #cfd5dd; margin: 14px 0; padding: 2px 18px }
figure { margin: 14px 0 }
figcaption { font-size: 14px; color: #666 }
tamis-button, tamis-select { border: 1px solid #c3c9d2; border-radius: 6px; padding: 2px 12px;
  background: #f4f5f7; font-size: 14px; max-height: 2em; overflow: hidden }
tamis-picture { display: inline-flex; align-items: flex-end; border: 0; border-radius: 6px;
  padding: 6px 12px; margin: 4px 4px 4px 0; color: #5c6673; font-size: 12px;
  background: linear-gradient(160deg, #dbe4ec 40%, #c6d3cf) }
figure tamis-picture { min-height: 90px; width: min(420px, 100%); max-width: none;
  box-sizing: border-box }
"""

# The colours of the page of `tamis serve`. What is dropped fades with the boxes around it.
PAINT = """
html { overflow: visible !important; height: auto !important }
::-webkit-scrollbar { display: none }
[data-kept] { background: rgba(23, 138, 104, .26); border-radius: 2px }
[data-dropped] { opacity: .4; filter: grayscale(1) }
"""

PAINTER = """((css, kept) => {
  const style = document.createElement("style");
  style.textContent = css;
  document.head.append(style);
  for (const element of document.body.querySelectorAll("*"))
    if (["fixed", "sticky"].includes(getComputedStyle(element).position))
      element.style.setProperty("position", "static", "important");
  for (const span of document.querySelectorAll("[data-tamis]"))
    if (kept.includes(Number(span.dataset.tamis))) span.dataset.kept = "";
  const fade = (element) => {
    if (element.matches("[data-kept]")) return;
    if (element.querySelector("[data-kept]")) [...element.children].forEach(fade);
    else if (element.matches("[data-tamis], :has([data-tamis])")) element.dataset.dropped = "";
  };
  fade(document.body);
  const { scrollWidth, scrollHeight } = document.documentElement;
  const seen = [...document.querySelectorAll("[data-kept]")].map(e => e.getBoundingClientRect());
  const tops = seen.filter(box => box.height).map(box => box.top);
  return [scrollWidth, scrollHeight, Math.min(...tops, scrollHeight)];
})"""


def show(window: Window, html: str) -> None:
    """Put a document into a window without any address."""
    frame = window.call("Page.getFrameTree")["frameTree"]["frame"]["id"]
    window.call("Page.setDocumentContent", frameId=frame, html=html)


def pictured(window: Window) -> Image.Image:
    """What a window shows."""
    return Image.open(io.BytesIO(window.picture())).convert("RGB")


def take_picture(browser: Browser, page: Page) -> tuple[Image.Image, Image.Image]:
    """The decision on a page: a part of it beside the whole of it, and a small one."""
    result = tamis.extract(page.html)
    document, css = original.render(result.page, result.url), PAINT
    if "<style media" in document:
        document = re.sub(r"<style media=.*?</style>", "", document, flags=re.DOTALL)
        css = PLAIN + PAINT
    # As low as the lowest page, for a window is never higher than what it shows.
    window = Window.of(browser, WIDTH, LOWEST)
    show(window, document)
    kept = json.dumps(result.kept.nonzero()[0].tolist())
    width, height, first = window.value(f"{PAINTER}({json.dumps(css)}, {kept})")
    window.resize(width, height)
    whole = pictured(window)
    window.close()
    scale = WIDTH / width
    whole = whole.resize((WIDTH, round(height * scale)), Image.Resampling.LANCZOS)
    top = int(max(0, min(first * scale - LEAD, whole.height - HEIGHT)))
    part = whole.crop((0, top, WIDTH, min(top + HEIGHT, whole.height)))
    square = whole.crop((0, top, WIDTH, top + WIDTH)) if whole.height > WIDTH else part
    small = square.resize((SMALL, SMALL * square.height // WIDTH), Image.Resampling.LANCZOS)
    return beside(part, whole, top), ImageOps.expand(small, 1, "#c9ced6")


def beside(part: Image.Image, whole: Image.Image, top: int) -> Image.Image:
    """A part of a page and the whole of it in small, with a frame around the part."""
    scale = min(HEIGHT / whole.height, MAP_WIDTH / WIDTH)
    size = (round(WIDTH * scale), round(whole.height * scale))
    picture = Image.new("RGB", (WIDTH + GAP + MAP_WIDTH, part.height), "#eceef1")
    picture.paste(part)
    left = WIDTH + (GAP + MAP_WIDTH - size[0]) // 2
    picture.paste(whole.resize(size, Image.Resampling.LANCZOS), (left, 0))
    above, below = round(top * scale), round((top + part.height) * scale) - 1
    frame = (left - 2, above, left + size[0] + 1, below)
    ImageDraw.Draw(picture).rectangle(frame, outline="#c26a00", width=3)
    return picture


def compressed(picture: Image.Image, colours: int = 64) -> bytes:
    """A PNG of few colours: a quarter of the size, and text and tints look the same."""
    out = io.BytesIO()
    few = picture.quantize(colours, dither=Image.Dither.NONE)
    few.save(out, "PNG", optimize=True)
    if out.tell() > MOST_BYTES:
        raise click.ClickException(f"a picture has {out.tell():,} bytes, too many")
    return out.getvalue()


def write_pictures(browser: Browser) -> None:
    """Take the pictures of the gallery."""
    PICTURES.mkdir(parents=True, exist_ok=True)
    for page in PAGES:
        large, small = take_picture(browser, page)
        for name, picture in ((page.name, large), (f"{page.name}-small", small)):
            data = compressed(picture)
            (PICTURES / f"{name}.png").write_bytes(data)
            click.echo(f"{name}.png {len(data):,} bytes")


# --- the picture of the README --------------------------------------------------------------------

HALF, TALL = 556, 740
"""The size of each half of the picture, of which there are two and some space."""
BROWSER = 900
"""The width of the window that the page at the left is seen in."""

# The photograph that the example has an address for, which leads nowhere.
SCENE = """<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1200 520">
<defs><linearGradient id="sky" x2="0" y2="1"><stop stop-color="#16213f"/><stop offset="1"
stop-color="#51557c"/></linearGradient><radialGradient id="fire"><stop stop-color="#ffd68a"/><stop
offset=".5" stop-color="#f08a35"/><stop offset="1" stop-color="#f08a35" stop-opacity="0"/>
</radialGradient></defs><path fill="url(#sky)" d="M0 0h1200v520H0z"/>
<circle cx="950" cy="120" r="58" fill="#fdf3d0"/><g fill="#dfe3f5"><circle cx="130" cy="80" r="3"/>
<circle cx="300" cy="140" r="2"/><circle cx="470" cy="60" r="3"/><circle cx="690" cy="110" r="2"/>
<circle cx="800" cy="50" r="3"/><circle cx="1110" cy="70" r="2"/></g>
<path fill="#2b3156" d="M0 330q280-120 600-30t600-40v260H0z"/>
<path fill="#1d2240" d="M80 400v-90l60-50 60 50v90zM230 400v-70l46-40 46 40v70zM980 400v-80l52-44
52 44v80zM1094 400v-230l18-40 18 40v230z"/><g fill="#f6c667"><path d="M112 330h20v26h-20zM258
346h18v22h-18zM1012 340h20v26h-20z"/></g><path fill="#171a31" d="M0 398h1200v122H0z"/>
<circle cx="620" cy="400" r="210" fill="url(#fire)" opacity=".5"/>
<path fill="#7a4a38" d="M480 440v-60a140 130 0 0 1 280 0v60z"/><path fill="#5b3529"
d="M690 262v-60h36v84z"/><path fill="#2a1510" d="M560 440v-40a60 62 0 0 1 120 0v40z"/>
<path fill="#f39a3d" d="M574 440v-22a46 50 0 0 1 92 0v22z"/><path fill="#ffe0a0"
d="M594 440q6-40 26-48 20 10 26 48z"/><g fill="#d9a15f"><ellipse cx="850" cy="440" rx="46" ry="22"/>
<ellipse cx="945" cy="442" rx="42" ry="20"/><ellipse cx="390" cy="442" rx="44" ry="21"/></g>
</svg>"""

ILLUSTRATE = """(scene => {
  const style = document.createElement("style");
  style.textContent = "::-webkit-scrollbar { display: none } img { width: 100%; height: auto }";
  document.head.append(style);
  for (const image of [...document.images])
    if (image.closest("figure")) image.src = "data:image/svg+xml," + encodeURIComponent(scene);
    else image.replaceWith(image.alt);
  return Promise.all([...document.images].map(image => image.decode())).then(() => true);
})"""

POSTER = """<!doctype html><meta charset="utf-8"><style>
::-webkit-scrollbar { display: none }
body { margin: 0; width: 1200px; background: #f3f5f4; color: #1d2b27; display: grid;
  grid-template-columns: auto auto; justify-content: space-between; padding: 18px 28px 28px;
  box-sizing: border-box; font: 16px/1.5 "Noto Sans", sans-serif }
h2 { font-size: 19px; margin: 0 4px 10px; display: flex; justify-content: space-between;
  align-items: baseline }
h2 small { font-weight: 400; font-size: 15px; color: #5d6b67 }
section > div { width: HALFpx; height: TALLpx; overflow: hidden; border-radius: 12px;
  background: #fff; box-shadow: 0 0 0 1px #d3dad7, 0 8px 24px #0c2b2014; position: relative }
section > div::after { content: ""; position: absolute; inset: auto 0 0; height: 70px;
  background: linear-gradient(#fff0, #fff) }
img { display: block; width: HALFpx }
pre { margin: 0; padding: 20px 26px; font: 13px/1.5 "Noto Sans Mono", monospace;
  white-space: pre-wrap; overflow-wrap: break-word }
b { color: #0d6b50 } i { color: #5d6b67 } .kept { color: #0d6b50 }
</style><section><h2>A page <small>PAGE</small></h2><div><img src="PICTURE"></div></section>
<section><h2 class="kept">What tamis keeps <small>KEPT</small></h2><div><pre>MARKDOWN</pre></div>
</section>"""


def before_after(browser: Browser) -> Image.Image:
    """The first example as a browser shows it, beside our Markdown of it."""
    result = tamis.extract(EXAMPLE, title=True)
    window = Window.of(browser)
    window.resize(BROWSER, TALL * BROWSER // HALF, scale=HALF / BROWSER)
    show(window, EXAMPLE.read_text("utf-8"))
    window.value(f"{ILLUSTRATE}({json.dumps(SCENE)})")
    page = base64.b64encode(window.picture()).decode()
    window.close()
    parts = {
        "HALF": str(HALF),
        "TALL": str(TALL),
        "PAGE": f"{result.page.blocks.words.sum():,} words",
        "KEPT": f"{len(result.text.split()):,} words, as Markdown",
        "MARKDOWN": "\n".join(map(_highlighted, result.markdown.splitlines())),
        "PICTURE": f"data:image/png;base64,{page}",
    }
    window = Window.of(browser, 1200, TALL + 84)
    show(window, re.sub("|".join(parts), lambda found: parts[found[0]], POSTER))
    window.value("document.images[0].decode().then(() => true)")
    return pictured(window)


def _highlighted(line: str) -> str:
    """A line of Markdown with its marks in colour."""
    marked = re.sub(r"\*[^*]+\*", r"<i>\g<0></i>", escape(line))
    return re.sub(r"^(#.*|- |&gt; )", r"<b>\g<0></b>", marked)


# --- the command ----------------------------------------------------------------------------------


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
            data = compressed(before_after(browser), 160)
            BEFORE_AFTER.write_bytes(data)
            click.echo(f"{BEFORE_AFTER.name} {len(data):,} bytes")


if __name__ == "__main__":
    main()
