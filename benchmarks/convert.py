"""Whole pages to Markdown: `tamis.to_markdown` beside other converters, structure and speed.

    python benchmarks/convert.py                     everything, as docs/how-to/convert.md has it
    python benchmarks/convert.py --only readability --page 001     what is missing, what too much

`readability`: each converter gets the expected HTML of a page, a fragment; the units of its
Markdown, parsed by markdown-it-py, against those of that HTML, parsed by turbohtml
(benchmarks/units.py). A unit is its kind and text, of links and images the address; not the level
of headings and the kind of lists. Left out on both sides is what a converter may well write in
another form: references to notes and the signs that lead back from them (a note itself is a list
item), signs that link a heading to itself, addresses that are no pages of the web (`data:`).

`structure`: each gets a whole page with its address, if it takes one; its units against those of
the expected Markdown, which has the main content alone, so only those count that lie in what gold
and output share, as in benchmarks/structure.py: levels, languages, footnotes, formulas count.

Figures are F1 over all units of all pages. Speed: the whole pages of both sets, the best of three
runs of each page, from the HTML as a string. Converters have their defaults but for lines that are
not wrapped (html2text), and headings and code with the signs that all others write (markdownify).
Writes benchmarks/results/convert.json; a run that is not a whole one writes nothing. Needs the
shared folder (`--shared`) and the extra `bench`.
"""

from __future__ import annotations

import datetime
import importlib.metadata
import re
import time
from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any

import html2text
import html_to_markdown
import markdownify
import script
import structure
import turbohtml
from structure import READABILITY_PAGE, Counts, Row, counts, f1, in_common, table
from units import (
    IMAGE,
    ITEM,
    KINDS,
    LINK,
    MARKDOWN_KINDS,
    NOTE,
    Document,
    Unit,
    normalised,
    of_html,
    of_markdown,
)

import tamis

OUT = script.RESULTS / "convert.json"
LIBRARIES = ("markdownify", "html2text", "html-to-markdown", "turbohtml", "markdown-it-py")
OURS = "tamis"
RUNS = 3

# Left out on both sides: references to notes in the text, signs that lead back from a note or to
# the heading that they stand in, addresses of places in a page and such as are not of the web.
_REFERENCE = re.compile(r"\[[^\[\]]{1,6}\]")
_SIGNS = re.compile(r"^[\^↑\s]+|[¶#§↩︎\s]+$")
_SKIPPED = re.compile(r"#|^(?!https?:|mailto:|tel:)[a-z]+:", re.IGNORECASE)

Converter = Callable[[str, str | None], str]


def by_html2text(page: str, url: str | None) -> str:
    """html2text."""
    converter = html2text.HTML2Text(baseurl=url or "", bodywidth=0)
    return str(converter.handle(page))


def by_turbohtml(page: str, url: str | None) -> str:
    """turbohtml."""
    document = turbohtml.parse(page)
    if url is None:
        return document.to_markdown()
    return document.to_markdown(turbohtml.Markdown(links=turbohtml.Markdown.Links(base_url=url)))


CONVERTERS: dict[str, Converter] = {
    OURS: lambda page, url: tamis.to_markdown(page, url=url),
    "turbohtml": by_turbohtml,
    "html-to-markdown": lambda page, _: html_to_markdown.convert(page).content or "",
    "markdownify": lambda page, _: markdownify.markdownify(page, heading_style="ATX"),
    "html2text": by_html2text,
}

# --- structure ----------------------------------------------------------------------------------


def comparable(document: Document) -> list[Unit]:
    """Units as the HTML has them: without levels, kinds of lists, languages and lines of code."""
    units: list[Unit] = []
    end = -1
    for unit in document.units:
        kind = ITEM if unit.kind == NOTE else unit.kind
        has_address = kind in (LINK, IMAGE)
        text = normalised(_SIGNS.sub("", _REFERENCE.sub("", unit.text)))
        if kind not in KINDS or (has_address and _SKIPPED.search(unit.extra)):
            continue
        if kind == LINK:
            text = "".join(text.split())
            goes_on = unit.spans[0][0] == end and units[-1].key[::2] == (LINK, unit.extra)
            end = unit.spans[-1][1]
            if goes_on:  # two in a row to the same address are one to a reader
                text = units.pop().text + text
        if text or kind == IMAGE:
            units.append(Unit(kind, text, unit.extra if has_address else ""))
    return units


def of_fragment(row: Row, convert: Converter) -> tuple[list[Unit], list[Unit]]:
    """The units of the expected HTML of a page, and those of its conversion."""
    gold = of_html(row["expected_html"], READABILITY_PAGE)
    output = of_markdown(convert(row["expected_html"], None), READABILITY_PAGE)
    return comparable(gold), comparable(output)


def of_page(row: Row, convert: Converter) -> tuple[list[Unit], list[Unit]]:
    """The units of the expected Markdown and of the conversion of the page, where they overlap."""
    url = structure.page_address(row)
    gold = of_markdown(row["expected_markdown"], url)
    output = of_markdown(convert(row["html"], url), url)
    own = structure.without_title(output, gold, row.get("title") or "")
    return in_common(gold, Document(own, output.stream))


SETS = {"readability": (of_fragment, KINDS), "structure": (of_page, MARKDOWN_KINDS)}


def measure(name: str, pages: list[Row], names: Iterable[str], misses: bool) -> dict[str, Counts]:
    """The counts of the converters on one set."""
    units_of, _ = SETS[name]
    result: dict[str, Counts] = {}
    for converter in names:
        counted: Counts = Counter()
        for row in pages:
            gold, output = units_of(row, CONVERTERS[converter])
            counted += counts(gold, output)
            if misses and converter == OURS:
                structure.print_misses(row["id"], gold, output)
        result[converter] = counted
    return result


# --- speed --------------------------------------------------------------------------------------


def seconds(convert: Converter, pages: list[str]) -> float:
    """Seconds for all pages, of each the best of some runs."""
    total = 0.0
    for page in pages:
        runs = []
        for _ in range(RUNS):
            start = time.perf_counter()
            convert(page, None)
            runs.append(time.perf_counter() - start)
        total += min(runs)
    return total


def speed_table(pages: dict[str, list[str]], speed: dict[str, dict[str, float]]) -> str:
    """Milliseconds per page by set."""
    heads = [
        f"{name} ({len(of_set)} pages, mean {sum(map(len, of_set)) / len(of_set) / 1000:.0f} kB)"
        for name, of_set in pages.items()
    ]
    lines = [f"| ms per page | {' | '.join(heads)} |", "|---|" + "---:|" * len(heads)]
    for name, by_set in speed.items():
        lines.append(f"| {name} | {' | '.join(f'{ms:.2f}' for ms in by_set.values())} |")
    return "\n".join(lines)


def main() -> None:
    """Parse the command line and run."""
    parser = script.parser(__doc__)
    parser.add_argument("--only", choices=list(SETS), help="only this set")
    parser.add_argument("--page", default="", help="only pages whose id begins so, with the misses")
    parser.add_argument("--rivals", choices=("all", "none"), default="all")
    arguments = parser.parse_args()
    names = list(CONVERTERS) if arguments.rivals == "all" else [OURS]
    result: dict[str, Any] = {
        "date": datetime.date.today().isoformat(),
        "versions": {name: importlib.metadata.version(name) for name in LIBRARIES},
        "structure": {},
    }
    pages: dict[str, list[str]] = {}
    for name in [arguments.only] if arguments.only else SETS:
        rows = structure.rows(arguments.shared, name)
        rows = [row for row in rows if row["id"].startswith(arguments.page)]
        pages[name] = [row["html"] for row in rows]
        counted = measure(name, rows, names, bool(arguments.page))
        kinds = SETS[name][1]
        print(f"\n{name}, {len(rows)} pages: F1 of the units\n\n{table(counted, kinds)}")
        result["structure"][name] = {
            converter: {kind: f1(own, [kind]) for kind in kinds} | {"all": f1(own, kinds)}
            for converter, own in counted.items()
        }
    speed = {
        name: {of: 1000 * seconds(CONVERTERS[name], own) / len(own) for of, own in pages.items()}
        for name in names
    }
    print("\n" + speed_table(pages, speed))
    result["milliseconds"] = speed
    if not (arguments.only or arguments.page) and arguments.rivals == "all":
        script.write(OUT, result)


if __name__ == "__main__":
    main()
