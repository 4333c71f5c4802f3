"""Are the words of text, Markdown, HTML and JSON the same, and all of them the page's own?

    python benchmarks/fidelity.py                          everything, as the README has it
    python benchmarks/fidelity.py --only wcxb-dev --sample 50
    python benchmarks/fidelity.py --only structure --page math       the words that differ

For each page of each data set: what `tamis.extract` keeps is rendered four times. Markdown is read
by markdown-it-py, HTML by turbohtml. The words of the four must be the same sequence; and this must
be a subsequence of the words that turbohtml finds in the page, those that a browser does not show
only if a kept block is hidden. A word is a run of letters, marks and digits without white space
between them, what else is between them left out: so footnotes may be [1] here and [^1] there, but
words that are glued, split, lost, doubled or out of order show. Words that only styles set apart
(`tamis.render.outline.roles`) are glued in the text and apart in the others. Of Markdown the
labels of footnotes and links back are left out, and links to edit a section; callouts have their
kind.

The causes of a failure, by the first that holds: "glued or split", the letters are right, the
white space is not; "order", the words are there, in another order (turbohtml moves text out of
broken tables, as browsers do, the scanner does not); "words", there are too many or too few.

Prints a table and writes benchmarks/results/fidelity.json; a run that is not a whole one writes
nothing. Needs the shared folder (`--shared`), markdown-it-py and mdit-py-plugins.
"""

from __future__ import annotations

import datetime
import difflib
import sys
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

import click
import script
import turbohtml
from units import markdown_text

import tamis
from tamis.labels import datasets
from tamis.page import tags
from tamis.render import clean_html, document, markdown, text
from tamis.render.outline.roles import find_word_gaps
from tamis.render.outline.selection import select

OUT = script.RESULTS / "fidelity.json"
SETS = (
    "wcxb-dev", "news2023", "scrapinghub", "readability", "trafilatura-eval", "dragnet",
    "cleaneval-dev", "cleaneval-final", "l3s-gn1", "big9", "structure", "languages",
)  # fmt: skip
OPTIONS = tamis.Options(images=False)
"""Without images, whose alternative texts are words of Markdown alone."""
EXAMPLES = 20

# --- words --------------------------------------------------------------------------------------


class _Letters(dict[int, str]):
    """What `str.translate` makes of each character: letters, marks, digits, white space."""

    def __missing__(self, code: int) -> str:
        character = chr(code)
        kept = unicodedata.category(character)[0] in "LMN"
        self[code] = character if kept else " " if character.isspace() else ""
        return self[code]


# A variation selector alone is no word: it follows an arrow back from a footnote.
_LETTERS = _Letters({0: "\0"} | dict.fromkeys(range(0xFE00, 0xFE10), ""))


def words(text: str) -> list[str]:
    """Runs of letters, marks and digits that no white space separates."""
    return text.translate(_LETTERS).split()


# --- the renderings -----------------------------------------------------------------------------


def json_text(blocks: Sequence[dict[str, Any]]) -> str:
    """The text of our JSON document."""
    todo = list(reversed(blocks))
    pieces = []
    while todo:
        block = todo.pop()
        pieces.append(block.get("text", ""))
        todo += reversed(block.get("children", ()))
    return "\n".join(pieces)


LEFT_OUT = frozenset(("label", "back"))


def text_of_markdown(blocks: Sequence[dict[str, Any]]) -> str:
    """The text of our JSON document that Markdown has: all but what only leads back, and labels.

    Markdown has the kind of a callout where that has no title.
    """
    todo = list(reversed(blocks))
    pieces = []
    while todo:
        block = todo.pop()
        if not block.get("titled", True):
            pieces.append(block["callout"].capitalize())
        spans = block.get("spans", [{"text": block.get("text", "")}])
        pieces.append(
            "".join(
                s.get("tex", s.get("text", ""))
                for s in spans
                if not LEFT_OUT & set(s.get("marks", ()))
            )
        )
        todo += reversed(block.get("children", ()))
    return "\n".join(pieces)


BLOCKS = {name for name, traits in zip(tags.NAMES, tags.TRAITS, strict=True) if traits & tags.BLOCK}
SEPARATE = BLOCKS | {"br"}
SKIPPED = set("head title script style iframe noembed noframes".split())
UNSEEN = set("template noscript audio video canvas datalist rp title desc".split())


def html_text(source: str, *, hidden: bool = True, formulas: bool = True) -> str:
    """The text of an HTML document by turbohtml, with what a browser does not show or without."""
    pieces: list[str] = []
    # Without scripts the parser reads what is in noscript.
    todo: list[Any] = [turbohtml.parse(source, scripting=not hidden)]
    while todo:
        node = todo.pop()
        if isinstance(node, str):
            pieces.append(node)
        elif isinstance(node, turbohtml.Text):
            pieces.append(node.data)
        elif isinstance(node, turbohtml.Element):
            if is_skipped(node) or (not hidden and is_unseen(node)):
                continue
            if not formulas and node.has_class("math"):
                continue
            separator = " " if node.tag in SEPARATE else ""
            todo += [separator, *reversed(list(node.children)), separator]
        elif isinstance(node, (turbohtml.Document, turbohtml.DocumentFragment)):
            todo += reversed(list(node.children))
    return "".join(pieces)


def is_skipped(node: turbohtml.Element) -> bool:
    """Whether the content of an element is no text of the page."""
    # The title of a drawing is a text that a browser does not show.
    drawn = node.tag == "title" and node.namespace != turbohtml.Namespace.HTML
    return node.tag in SKIPPED and not drawn


def is_unseen(node: turbohtml.Element) -> bool:
    """Whether a browser shows nothing of an element."""
    style = "".join(str(node.attrs.get("style") or "").lower().split())
    return (
        node.tag in UNSEEN
        or "hidden" in node.attrs
        or "display:none" in style
        or "visibility:hidden" in style
        or (node.tag == "dialog" and "open" not in node.attrs)
    )


# --- the comparison -----------------------------------------------------------------------------


def is_subsequence(part: Iterable[str], whole: Iterable[str]) -> bool:
    """Whether the first is the second with some left out."""
    rest = iter(whole)
    return all(word in rest for word in part)


def cause(part: list[str], whole: list[str]) -> str:
    """Why the first is no subsequence of the second."""
    if is_subsequence("".join(part), "".join(whole)):
        return "glued or split"
    return "words" if Counter(part) - Counter(whole) else "order"


def are_same(rendered: list[str], plain: list[str]) -> bool:
    """Whether two sequences are the same, labels after a NUL left out of the first or not."""
    place = 0
    label = ""
    for word in rendered:
        if word.startswith("\0"):
            label = word[1:]
            continue
        if plain[place : place + 1] == [label] != [word]:
            place += 1
        if plain[place : place + 1] not in ([word], [label + word]):
            return False
        place += 1
        label = ""
    return plain[place:] in ([], [label])


def rejoined(rendered: list[str], plain: list[str]) -> list[str]:
    """Words that only styles set apart, as they are in the source."""
    rest = iter(rendered)
    joined = []
    for word in plain:
        parts = next(rest, "")
        while len(parts) < len(word) and word.startswith(parts):
            following = next(rest, "")
            if not following or not word.startswith(parts + following):
                joined.append(parts)
                parts = following
                break
            parts += following
        joined.append(parts)
    return [*joined, *rest]


def failures(source: str, url: str | None) -> Iterator[tuple[str, list[str], list[str]]]:
    """What fails on a page: what and why, the words, and the words they should be."""
    result = tamis.extract(source, url=url)
    page, kept = result.page, result.kept
    source = page.source.decode()  # other than the page's if the content was embedded in it
    plain = words(text.render(page, kept))
    as_html = clean_html.render(page, kept, url, OPTIONS)
    blocks = document.render(page, kept, url, OPTIONS)
    as_markdown = markdown_text(markdown.render(page, kept, url, OPTIONS))
    renderings = (
        ("Markdown", as_markdown, words(text_of_markdown(blocks))),
        ("HTML", html_text(as_html), plain),
        ("JSON", json_text(blocks), plain),
    )
    splits = len(find_word_gaps(page, select(page, kept).texts))
    for name, rendered, wanted in renderings:
        shown = words(rendered)
        if splits and 0 < len(shown) - len(wanted) <= splits:
            shown = rejoined(shown, wanted)
        if not are_same(shown, wanted):
            yield f"{name}: {cause(shown, wanted)}", shown, wanted
    is_hidden = (page.blocks.flags & tags.HIDDEN) != 0
    for hidden in (False, True):
        chosen = kept & (is_hidden if hidden else ~is_hidden)
        shown = words(html_text(source, hidden=hidden))
        plain = words(text.render(page, chosen))
        if is_subsequence(plain, shown):
            continue
        # The source of a formula is not among the words that a page shows.
        without = words(html_text(clean_html.render(page, chosen, url, OPTIONS), formulas=False))
        if without == plain or not is_subsequence("".join(without), "".join(shown)):
            yield f"page: {cause(plain, shown)}", plain, shown


def run(paths: Sequence[Path], sample: int | None, prefix: str) -> dict[str, Any]:
    """The failures of all pages of some sets."""
    result: dict[str, Any] = {}
    for path in paths:
        examples = list(datasets.sample(datasets.read(path), sample))
        pages: dict[str, list[str]] = {}
        with click.progressbar(examples, label=path.name, file=sys.stderr) as bar:
            for example in bar:
                if not example.id.startswith(prefix):
                    continue
                source = example.html if isinstance(example.html, str) else example.html.decode()
                try:
                    failed = list(failures(source, example.url))
                except Exception as error:  # a crash is a finding, too
                    failed = [(f"{type(error).__name__}", [], [])]
                for kind, rendered, plain in failed:
                    pages.setdefault(kind, []).append(example.id)
                    if prefix:
                        print_difference(f"{example.id}, {kind}", rendered, plain)
        result[datasets.name_of(path)] = {"pages": len(examples), "failed": pages}
    return result


def print_difference(title: str, rendered: list[str], plain: list[str]) -> None:
    """Where two sequences of words differ, and a few words around."""
    print(f"\n## {title}")
    matcher = difflib.SequenceMatcher(None, rendered, plain, autojunk=False)
    groups = (group for group in matcher.get_opcodes() if group[0] != "equal")
    for _, start, end, other_start, other_end in islice(groups, EXAMPLES):
        before = " ".join(rendered[max(0, start - 4) : start])
        mine, other = rendered[start:end][:12], plain[other_start:other_end][:12]
        print(f"{before} - {' '.join(mine)!r} + {' '.join(other)!r}")


def main() -> None:
    """Parse the command line and run."""
    parser = script.parser(__doc__)
    parser.add_argument("--only", choices=SETS, help="only this set")
    parser.add_argument("--sample", type=int, help="so many pages of each set")
    parser.add_argument("--page", default="", help="only pages whose id begins so, in detail")
    arguments = parser.parse_args()
    names = [arguments.only] if arguments.only else SETS
    paths = [arguments.shared / "datasets" / f"{name}.jsonl.xz" for name in names]
    results = run(paths, arguments.sample, arguments.page)
    kinds = sorted({kind for row in results.values() for kind in row["failed"]})
    print(f"\n| {' | '.join(['', 'pages', 'failed', *kinds])} |")
    print("|---|" + "---:|" * (len(kinds) + 2))
    for name, row in results.items():
        failed = {page for ids in row["failed"].values() for page in ids}
        cells = [row["pages"], len(failed), *(len(row["failed"].get(kind, ())) for kind in kinds)]
        print(f"| {name} | {' | '.join(f'{cell:,}' for cell in cells)} |")
    if not (arguments.only or arguments.sample or arguments.page):
        result = {"date": datetime.date.today().isoformat(), "sets": results}
        script.write(OUT, result)


if __name__ == "__main__":
    main()
