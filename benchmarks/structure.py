"""How much of a page's structure survives: headings, lists, tables, code, quotes, links, images.

    python benchmarks/structure.py                       everything, as the README has it
    python benchmarks/structure.py --only structure --rivals none --page footnotes
    python benchmarks/structure.py --only readability --page 001      what is missing, what too much
    python benchmarks/structure.py --only generators --page seen--pandoc

`readability`: our HTML, trafilatura's and readability-lxml's against the expected HTML; all parsed
by turbohtml to (kind, text) units (benchmarks/units.py), links with their target, images as their
source. Once with all units, which measures extraction too; and once with those in the region that
gold and output share: of the gold's units those whose text the output has, of the output's those
whose text the gold has (images: the text around them), each system with its own region.

`structure`: our Markdown, trafilatura's and turbohtml's `to_markdown` of the whole page against the
expected Markdown; all parsed by markdown-it-py with footnotes and formulas. Headings count with
their level, code with its language, items with the kind of their list. The gold has the title
apart: a heading that says the same as the title is left out of the outputs if the gold lacks it,
and first-level headings count as second-level ones, as the gold has none.

`generators`: the same as `structure`, on the pages of tests/generators, which we wrote as common
generators and platforms write theirs. Those in `seen` may be looked at when the code is changed,
those in `unseen` are for measuring only; the figures of the two are apart.

Figures are F1 over all units of all pages. "gold's blocks" is our rendering of the blocks that the
gold has, as if the extraction were perfect. Prints Markdown and writes
benchmarks/results/structure.json; a run that is not a whole one writes nothing. Needs the shared
folder (`--shared`), markdown-it-py, mdit-py-plugins, trafilatura and readability-lxml.
"""

from __future__ import annotations

import bisect
import datetime
import importlib.metadata
import json
import logging
import lzma
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import click
import numpy as np
import numpy.typing as npt
import readability
import script
import trafilatura
import turbohtml
from units import (
    HEADING,
    KINDS,
    MARKDOWN_KINDS,
    SHINGLE,
    Document,
    Unit,
    covered,
    lies_inside,
    normalised,
    of_html,
    of_markdown,
)

import tamis
from tamis.render import clean_html, markdown

OUT = script.RESULTS / "structure.json"
GENERATORS = script.ROOT / "tests" / "generators"
LIBRARIES = ("trafilatura", "readability-lxml", "turbohtml", "markdown-it-py", "mdit-py-plugins")
OURS = "tamis"
PERFECT = "tamis, gold's blocks"
OPTIONS = tamis.Options()

# Where Readability's tests say the pages come from.
READABILITY_PAGE = "http://fakehost/test/page.html"

Row = dict[str, Any]
Counts = Counter[tuple[str, str]]
"""Units of a kind: (kind, "gold" or "output" or "both")."""

# --- the contestants ----------------------------------------------------------------------------


@dataclass(frozen=True)
class Contestant:
    """One way to make a document of a page: `run` gets the row of the page and its address."""

    name: str
    run: Callable[[Row, str], str]


def ours_html(row: Row, url: str) -> str:
    """Our HTML."""
    result = tamis.extract(row["html"], url=url)
    return clean_html.render(result.page, result.kept, url, OPTIONS)


def ours_markdown(row: Row, url: str) -> str:
    """Our Markdown."""
    result = tamis.extract(row["html"], url=url)
    return markdown.render(result.page, result.kept, url, OPTIONS)


def perfect_html(row: Row, url: str) -> str:
    """Our HTML of the gold's blocks."""
    page = tamis.parse(row["html"])
    return clean_html.render(
        page, in_gold(page, of_html(row["expected_html"]).stream), url, OPTIONS
    )


def perfect_markdown(row: Row, url: str) -> str:
    """Our Markdown of the gold's blocks."""
    page = tamis.parse(row["html"])
    gold = of_markdown(row["expected_markdown"]).stream
    return markdown.render(page, in_gold(page, gold), url, OPTIONS)


def in_gold(page: tamis.Page, gold: str) -> npt.NDArray[np.bool_]:
    """The blocks whose text the gold has; a short one only between what is around it."""
    texts = [
        "".join(normalised(text).split()) for text in page.block_texts(np.arange(len(page.blocks)))
    ]
    long = [len(text) >= 2 * SHINGLE for text in texts]
    kept = [
        sure and 2 * covered(text, gold)[-1] >= len(text)
        for text, sure in zip(texts, long, strict=True)
    ]
    places = {
        block: gold.find(text)
        for block, text in enumerate(texts)
        if long[block] and gold.count(text) == 1
    }
    anchors = rising(places)
    blocks = [-1, *anchors, len(texts)]
    for first, end in pairwise(blocks):
        start = places[first] + len(texts[first]) if first >= 0 else 0
        between = gold[start : places[end]] if end < len(texts) else gold[start:]
        for block in range(first + 1, end):
            if not long[block]:
                kept[block] = bool(texts[block]) and texts[block] in between
    return np.array(kept, bool)


def rising(places: dict[int, int]) -> list[int]:
    """The most keys in their order whose values rise."""
    smallest: list[int] = []
    last: list[int] = []
    before: dict[int, int | None] = {}
    for key, value in places.items():
        length = bisect.bisect_left(smallest, value)
        before[key] = last[length - 1] if length else None
        smallest[length:] = [value, *smallest[length + 1 :]]
        last[length:] = [key, *last[length + 1 :]]
    chain = []
    at: int | None = last[-1] if last else None
    while at is not None:
        chain.append(at)
        at = before[at]
    return chain[::-1]


def trafilatura_as(output_format: str) -> Callable[[Row, str], str]:
    """trafilatura with all kinds of content switched on."""

    def run(row: Row, url: str) -> str:
        extracted = trafilatura.extract(
            row["html"],
            url=url,
            output_format=output_format,
            include_comments=True,
            include_tables=True,
            include_images=True,
            include_formatting=True,
            include_links=True,
        )
        return str(extracted or "")

    return run


def readability_html(row: Row, url: str) -> str:
    """readability-lxml."""
    try:
        return str(readability.Document(row["html"], url=url).summary())
    except readability.readability.Unparseable:
        return ""


def turbohtml_markdown(row: Row, url: str) -> str:
    """turbohtml: the whole page."""
    options = turbohtml.Markdown(links=turbohtml.Markdown.Links(base_url=url))
    return turbohtml.parse(row["html"]).to_markdown(options)


CONTESTANTS = {
    "readability": (
        Contestant(OURS, ours_html),
        Contestant(PERFECT, perfect_html),
        Contestant("trafilatura", trafilatura_as("html")),
        Contestant("readability-lxml", readability_html),
    ),
    "structure": (
        Contestant(OURS, ours_markdown),
        Contestant(PERFECT, perfect_markdown),
        Contestant("trafilatura", trafilatura_as("markdown")),
        Contestant("turbohtml", turbohtml_markdown),
    ),
}
CONTESTANTS["generators"] = CONTESTANTS["structure"]

# --- the pages ----------------------------------------------------------------------------------


def rows(shared: Path, name: str) -> list[Row]:
    """The pages of a data set."""
    if name == "generators":
        return generator_rows()
    with lzma.open(shared / "datasets" / f"{name}.jsonl.xz", "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def generator_rows() -> list[Row]:
    """The pages of tests/generators, with their folder as the group.

    The title is what the first comment says, or the first heading of the first level.
    """
    result = []
    for path in sorted(GENERATORS.glob("*/*.html")):
        source = path.read_text(encoding="utf-8")
        heading = turbohtml.parse(source).find("h1")
        result.append(
            {
                "id": f"{path.parent.name}--{path.stem}",
                "html": source,
                "expected_markdown": path.with_suffix(".md").read_text(encoding="utf-8"),
                "title": first_comment(source).get("title") or (heading.text if heading else ""),
            }
        )
    return result


def first_comment(source: str) -> dict[str, str]:
    """What the first comment of a page says about it."""
    comment = re.search(r'<!--\s*(\{"url".*?\})\s*-->', source[:1000])
    return json.loads(comment[1]) if comment else {}


def page_address(row: Row) -> str:
    """Where a page comes from: its first comment says it, or its name does."""
    if address := first_comment(row["html"]).get("url"):
        return address
    rest = row["id"].partition("--")[2]
    # The gold resolved some addresses by the whole name, others by what follows the group.
    named = f"https://{rest}/"
    return named if rest and named in row["expected_markdown"] else f"https://{row['id']}/"


def without_title(document: Document, gold: Document, title: str) -> list[Unit]:
    """The units without a heading that is the title, unless the gold has that heading."""
    title = normalised(title).casefold()
    if any(unit.kind == HEADING and unit.text.casefold() == title for unit in gold.units):
        return document.units
    return [u for u in document.units if u.kind != HEADING or u.text.casefold() != title]


# --- the comparison -----------------------------------------------------------------------------


def counts(gold: Iterable[Unit], output: Iterable[Unit]) -> Counts:
    """Units in the gold, in the output and in both, by kind."""
    wanted, present = Counter(u.key for u in gold), Counter(u.key for u in output)
    both = wanted & present
    result: Counts = Counter()
    for name, units in (("gold", wanted), ("output", present), ("both", both)):
        for (kind, _, _), number in units.items():
            result[kind, name] += number
    return result


def in_common(gold: Document, output: Document) -> tuple[list[Unit], list[Unit]]:
    """The units of each that lie in what the other has as well."""
    gold_sums = covered(gold.stream, output.stream)
    output_sums = covered(output.stream, gold.stream)
    return (
        [unit for unit in gold.units if lies_inside(unit, gold_sums)],
        [unit for unit in output.units if lies_inside(unit, output_sums)],
    )


def f1(counted: Counts, kinds: Iterable[str]) -> float | None:
    """F1 over all units of some kinds, None if nobody has any."""
    gold, output, both = (
        sum(counted[k, name] for k in kinds) for name in ("gold", "output", "both")
    )
    return 2 * both / (gold + output) if gold + output else None


@dataclass
class Figures:
    """The counts of a contestant: all units, those in the region, those of each group."""

    everything: Counts
    region: Counts
    groups: dict[str, Counts]


def measure(
    name: str, pages: list[Row], contestants: Iterable[Contestant], misses: bool
) -> dict[str, Figures]:
    """Run the contestants on the pages of one set."""
    result = {}
    for contestant in contestants:
        figures = result[contestant.name] = Figures(Counter(), Counter(), {})
        with click.progressbar(pages, label=f"{name}, {contestant.name}", file=sys.stderr) as bar:
            for row in bar:
                gold, output = compared(name, row, contestant)
                counted = counts(gold.units, output.units)
                figures.everything += counted
                figures.groups.setdefault(row["id"].partition("--")[0], Counter()).update(counted)
                common = in_common(gold, output)
                figures.region += counts(*common)
                if misses and contestant.name.startswith(OURS):
                    print_misses(f"{contestant.name}: {row['id']}", gold.units, output.units)
    return result


def compared(name: str, row: Row, contestant: Contestant) -> tuple[Document, Document]:
    """Gold and output for a page."""
    if name == "readability":
        gold = of_html(row["expected_html"], READABILITY_PAGE)
        return gold, of_html(contestant.run(row, READABILITY_PAGE), READABILITY_PAGE)
    url = page_address(row)
    gold = of_markdown(row["expected_markdown"], url)
    output = of_markdown(contestant.run(row, url), url)
    return gold, Document(without_title(output, gold, row.get("title") or ""), output.stream)


def print_misses(title: str, gold: Iterable[Unit], output: Iterable[Unit]) -> None:
    """What the output lacks and what it has too much."""
    wanted, present = Counter(u.key for u in gold), Counter(u.key for u in output)
    print(f"\n## {title}")
    for sign, keys in (("-", wanted - present), ("+", present - wanted)):
        for kind, text, extra in keys.elements():
            print(f"{sign} {kind}: {text[:150]!r} {extra[:150]!r}")


# --- the tables ---------------------------------------------------------------------------------


def table(by_contestant: dict[str, Counts], kinds: tuple[str, ...]) -> str:
    """Contestants by kinds, the number of the gold's units under each kind."""
    gold = next(iter(by_contestant.values()))
    heads = [f"{kind} ({gold[kind, 'gold']:,})" for kind in kinds]
    lines = [f"| | {' | '.join(heads)} | all |", "|---|" + "---:|" * (len(kinds) + 1)]
    for name, numbers in by_contestant.items():
        cells = [number(f1(numbers, [kind])) for kind in kinds] + [number(f1(numbers, kinds))]
        lines.append(f"| {name} | {' | '.join(cells)} |")
    return "\n".join(lines)


def group_table(by_contestant: dict[str, Figures], kinds: tuple[str, ...]) -> str:
    """Groups by contestants."""
    first = next(iter(by_contestant.values()))
    lines = [
        f"| | units | {' | '.join(by_contestant)} |",
        "|---|" + "---:|" * (len(by_contestant) + 1),
    ]
    for group, numbers in first.groups.items():
        units = sum(numbers[kind, "gold"] for kind in kinds)
        cells = [number(f1(figures.groups[group], kinds)) for figures in by_contestant.values()]
        lines.append(f"| {group} | {units} | {' | '.join(cells)} |")
    return "\n".join(lines)


def number(value: float | None) -> str:
    """A figure with three digits."""
    return "" if value is None else f"{value:.3f}".removeprefix("0")


def described(by_contestant: dict[str, Figures], kinds: tuple[str, ...]) -> dict[str, Any]:
    """All figures, for the file of results."""

    def all_of(numbers: Counts) -> dict[str, Any]:
        return {
            "f1": f1(numbers, kinds),
            "kinds": {
                kind: {"f1": f1(numbers, [kind])}
                | {key: numbers[kind, key] for key in ("gold", "output", "both")}
                for kind in kinds
            },
        }

    return {
        name: {
            "all": all_of(figures.everything),
            "region": all_of(figures.region),
            "groups": {group: f1(numbers, kinds) for group, numbers in figures.groups.items()},
        }
        for name, figures in by_contestant.items()
    }


def run(name: str, pages: list[Row], rivals: bool, misses: bool) -> dict[str, Any]:
    """Measure one set, print its tables and return its figures."""
    chosen = [
        contestant for contestant in CONTESTANTS[name] if rivals or contestant.name.startswith(OURS)
    ]
    by_contestant = measure(name, pages, chosen, misses)
    kinds = KINDS if name == "readability" else MARKDOWN_KINDS
    print(f"\n{name}, {len(pages)} pages: F1 of all units\n")
    print(
        table(
            {contestant: figures.everything for contestant, figures in by_contestant.items()}, kinds
        )
    )
    print(f"\n{name}: F1 of the units in the region that gold and output share\n")
    print(
        table({contestant: figures.region for contestant, figures in by_contestant.items()}, kinds)
    )
    if name == "structure":
        print(f"\n{name}: F1 by group\n")
        print(group_table(by_contestant, kinds))
    elif name == "generators":
        for group in dict.fromkeys(row["id"].partition("--")[0] for row in pages):
            print(f"\n{name}, {group}: F1 of all units\n")
            counted = {name: figures.groups[group] for name, figures in by_contestant.items()}
            print(table(counted, kinds))
    return {"pages": len(pages), "contestants": described(by_contestant, kinds)}


def main() -> None:
    """Parse the command line and run."""
    parser = script.parser(__doc__)
    parser.add_argument("--only", choices=list(CONTESTANTS), help="only this set")
    parser.add_argument("--rivals", choices=("all", "none"), default="all")
    parser.add_argument("--page", default="", help="only pages whose id begins so, with the misses")
    arguments = parser.parse_args()
    logging.disable(logging.CRITICAL)
    result: dict[str, Any] = {
        "date": datetime.date.today().isoformat(),
        "versions": {name: importlib.metadata.version(name) for name in LIBRARIES},
    }
    for name in [arguments.only] if arguments.only else CONTESTANTS:
        pages = [r for r in rows(arguments.shared, name) if r["id"].startswith(arguments.page)]
        result[name] = run(name, pages, arguments.rivals == "all", bool(arguments.page))
    if not (arguments.only or arguments.page) and arguments.rivals == "all":
        script.write(OUT, result)


if __name__ == "__main__":
    main()
