"""Whether the site methods depend on the language of a site (Fernandes 2021, sec. 4.1 and 4.3).

    python benchmarks/site_languages.py
    python benchmarks/site_languages.py --stored    the tables of the last run

Needs the shared folder (`--shared`, default ../shared beside the repository). Two measurements.
First the sites of the multilingual sets that have two pages or more with gold, by language; most
have two or three, so big9, cut to as many pages, stands beside them. Then big9 with every Latin
letter of its text replaced by a Cyrillic one: no word and no stop word of it is known any more,
and a method that does not depend on the language gives the same verdicts. Prints Markdown and
writes benchmarks/results/site_languages.json.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import click
import numpy as np
import script
from site_methods import Flags, Labelled, SiteYears, agreement, big9, measured

import tamis
from tamis.labels.alignment import block_shares
from tamis.methods._base import visible_blocks
from tamis.methods._shared.site_method import SiteMethod
from tamis.methods.site.content_extractor import ContentExtractor
from tamis.methods.site.infodiscoverer import Infodiscoverer
from tamis.methods.site.site_style_tree import SiteStyleTree
from tamis.methods.site.x_cex import XCex
from tamis.page.addresses import find_host
from tamis.page.table import Page
from tamis.train.feature_table import CONTENT_SHARE
from tamis.train.labelled_pages import read_gold

OUT = script.RESULTS / "site_languages.json"
SETS = ("world-news", "mercury", "languages", "forum52", "wcxb-dev")
METHODS: dict[str, SiteMethod] = {
    "x_cex": XCex(),
    "x_cex, hamming": XCex(content="hamming"),
    "content_extractor": ContentExtractor(),
    "infodiscoverer": Infodiscoverer(),
    "site_style_tree": SiteStyleTree(),
}
_PIECE = re.compile(r"&[#\w]+;|[A-Za-z]+")
_CYRILLIC = {ord("a") + n: ord("а") + n for n in range(26)}
_CYRILLIC |= {ord("A") + n: ord("А") + n for n in range(26)}


def sites(shared: Path) -> dict[str, dict[str, list[Labelled]]]:
    """The pages with gold of sites with two or more, by language and site."""
    pages: dict[tuple[str, str], list[Labelled]] = {}
    for name in SETS:
        with click.progressbar(
            read_gold(shared / "datasets" / f"{name}.jsonl.xz"), label=name
        ) as bar:
            for document in bar:
                page = tamis.parse(document.html)
                language = "".join(page.declared.languages[:1])[:2].lower()
                host = find_host(document.url or "") or document.site or ""
                if document.text and host and language:
                    labelled = label(document.id, page, document.text)
                    pages.setdefault((language, host), []).append(labelled)
    result: dict[str, dict[str, list[Labelled]]] = {}
    for (language, host), chosen in pages.items():
        if len(chosen) > 1:
            result.setdefault(language, {})[host] = chosen[:3]
    return result


def label(name: str, page: Page, gold: str) -> Labelled:
    """A page with its visible blocks and which of them are content."""
    visible = visible_blocks(page)
    content = block_shares(page, gold)[visible] > CONTENT_SHARE
    return Labelled(name, page, visible, content, np.ones(len(visible), bool))


def verdicts(method: SiteMethod, pages: Sequence[Labelled]) -> list[Flags]:
    """Of each page, learnt from all of them."""
    fitted = method.fit([page.page for page in pages])
    return [(fitted.score(page.page) >= 0.5)[page.visible] for page in pages]


def by_language(shared: Path, sets: SiteYears) -> dict[str, dict[str, float]]:
    """The number of sites and pages, and the mean F over sites by method."""
    groups = {language: list(hosts.values()) for language, hosts in sorted(sites(shared).items())}
    groups["big9, 2 pages"] = [pages[:2] for pages in sets.values()]
    groups["big9, 3 pages"] = [pages[:3] for pages in sets.values()]
    rows: dict[str, dict[str, float]] = {}
    for language, group in groups.items():
        rows[language] = {"sites": len(group), "pages": sum(map(len, group))}
        for name, method in METHODS.items():
            f = [
                measured(verdicts(method, pages), [page.content for page in pages])["f"]
                for pages in group
            ]
            rows[language][name] = float(np.mean(f))
    return rows


def other_letters(page: Page) -> Page:
    """The page with Cyrillic letters in the place of Latin ones in its text."""

    def pieces() -> Iterator[bytes]:
        end = 0
        for start, stop in zip(page.texts.start.tolist(), page.texts.end.tolist(), strict=True):
            yield page.source[end:start]
            text = page.source[start:stop].decode("utf-8", "replace")
            yield _PIECE.sub(
                lambda match: match[0] if match[0][0] == "&" else match[0].translate(_CYRILLIC),
                text,
            ).encode()
            end = stop
        yield page.source[end:]

    return tamis.parse(b"".join(pieces()).decode("utf-8", "replace"))


def replaced(sets: SiteYears) -> dict[str, dict[str, float]]:
    """F with the letters of big9 and with others, and how many verdicts stay, by method."""
    rows: dict[str, dict[str, float]] = {}
    others = {
        key: [page._replace(page=other_letters(page.page)) for page in pages]
        for key, pages in sets.items()
    }
    alike = {
        key: [
            len(page.page.blocks) == len(other.page.blocks)
            for page, other in zip(pages, others[key], strict=True)
        ]
        for key, pages in sets.items()
    }
    assert all(map(all, alike.values())), "the blocks of a page must not change"
    for name, method in METHODS.items():
        before, after = {}, {}
        for key, pages in sets.items():
            before[key], after[key] = verdicts(method, pages), verdicts(method, others[key])
        f = [
            float(
                np.mean(
                    [
                        measured(kept[key], [page.content for page in pages])["f"]
                        for key, pages in sets.items()
                    ]
                )
            )
            for kept in (before, after)
        ]
        same = agreement(
            [flags for kept in before.values() for flags in kept],
            [flags for kept in after.values() for flags in kept],
        )
        rows[name] = {"big9": f[0], "other letters": f[1], "same": same}
    return rows


def show(result: dict[str, Any]) -> None:
    """Print both tables."""
    print(f"## By language\n\n| language | sites | pages | {' | '.join(METHODS)} |")
    print("|---|---|---|" + "---|" * len(METHODS))
    for language, row in result["languages"].items():
        cells = " | ".join(f"{row[name]:.3f}" for name in METHODS)
        print(f"| {language} | {row['sites']} | {row['pages']} | {cells} |")
    print("\n## Other letters\n")
    print("| method | F, big9 | F, other letters | same verdicts |\n|---|---|---|---|")
    for name, row in result["letters"].items():
        print(f"| {name} | {row['big9']:.3f} | {row['other letters']:.3f} | {row['same']:.2%} |")


def main() -> None:
    """Parse the command line and run."""
    parser = script.parser(__doc__)
    parser.add_argument("--stored", action="store_true", help="print the figures of the last run")
    arguments = parser.parse_args()
    if not arguments.stored:
        sets = big9(arguments.shared)
        languages = by_language(arguments.shared, sets)
        script.write(OUT, {"languages": languages, "letters": replaced(sets)})
    show(json.loads(OUT.read_text("utf-8")))


if __name__ == "__main__":
    main()
