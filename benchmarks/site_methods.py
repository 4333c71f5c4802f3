"""The methods that learn a site's template, on the pages of big9 and on synthetic sites.

    python benchmarks/site_methods.py              all tables
    python benchmarks/site_methods.py --only cost  one of: same, half, curve, hamming, cost
    python benchmarks/site_methods.py --stored     the tables of the last run
    python benchmarks/site_methods.py --figures    its charts: Figures 5 to 7 of Fernandes 2021

Needs the shared folder (`--shared`, default ../shared beside the repository). big9 has ten pages
of each of nine sites in four years: 36 site-years. A method learns from the pages of a site-year,
never from gold, and its verdict on the visible blocks is compared with gold: a block is content if
more than 10% of its words are in the gold text. Figures are means over site-years. The blocks of
the list are those directly in an element of the tag list of x_cex. Beside the published methods
stand the default method, on one page, and the same with a site model (`tamis.Site`); neither its
weights nor those of the site model have seen a page of big9.

`same` and `half` are the protocols of `tamis bench`: learnt from the ten pages that are scored, or
from five, the other five scored, both ways round. `curve`: each page is scored by what was learnt
from it and the pages after it, so many in all. `hamming`: the three forms of x_cex, of which
`positions` is the Hamming distance as published, and the search in buckets against all pairs.
`cost`: synthetic sites of up to 20,000 pages. Times are CPU seconds of the process. Writes
benchmarks/results/site_methods.json.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple, cast

import click
import numpy as np
import numpy.typing as npt
import script
import site_figures
from synthetic_site import SyntheticSite

import tamis
from tamis.bench import protocols
from tamis.decide.decision import decide
from tamis.labels.alignment import block_shares
from tamis.methods._base import visible_blocks
from tamis.methods._registry import create
from tamis.methods._shared.site_blocks import find_listed
from tamis.methods._shared.site_method import SiteMethod
from tamis.methods.site.x_cex import XCex
from tamis.methods.tamis import Tamis
from tamis.page.table import Page
from tamis.site.counts import SiteCounts
from tamis.site.joint import combine_counts, score_alone
from tamis.train.feature_table import CONTENT_SHARE
from tamis.train.labelled_pages import read_gold

Flags = npt.NDArray[np.bool_]
Verdict = Callable[[Page], Flags]
"""Which blocks of a page are content."""

OUT = script.RESULTS / "site_methods.json"
MEASURES = ("precision", "recall", "f", "accuracy")
CURVE = (1, 2, 3, 5, 10)
PAPER_TAGS = XCex().block_tags.split()


def site_method(name: str, **parameters: Any) -> Callable[[Sequence[Page]], Verdict]:
    """A method that is fitted to pages."""

    def learn(pages: Sequence[Page]) -> Verdict:
        fitted = cast(SiteMethod, create(name, parameters)).fit(pages)
        return lambda page: fitted.score(page) >= 0.5

    return learn


def page_method(pages: Sequence[Page]) -> Verdict:
    """The default method, which looks at one page."""
    method, options = Tamis(), tamis.Options()
    return lambda page: decide(page, method.score(page), method, options).kept


def site_model(pages: Sequence[Page]) -> Verdict:
    """The default method with what a site model learned from the pages."""
    method, options = Tamis(), tamis.Options()
    counts = SiteCounts.make_empty()
    for page in pages:
        counts = counts.add_page(score_alone(method, page).reading)
    return lambda page: (
        decide(page, combine_counts(counts, score_alone(method, page)), method, options).kept
    )


CONTESTANTS: dict[str, Callable[[Sequence[Page]], Verdict]] = {
    "content_extractor": site_method("content_extractor"),
    "content_extractor, 0.9": site_method("content_extractor", epsilon=0.9),
    "x_cex": site_method("x_cex"),
    "x_cex, hamming": site_method("x_cex", content="hamming"),
    "x_cex, positions": site_method("x_cex", content="positions"),
    "infodiscoverer": site_method("infodiscoverer"),
    "infodiscoverer, porter": site_method("infodiscoverer", stemmer="porter", threshold=0.45),
    "site_style_tree": site_method("site_style_tree"),
    "tamis": page_method,
    "tamis, site model": site_model,
}
"""What is compared: from pages of a site to a verdict on any page of it."""


class Labelled(NamedTuple):
    """A page, its visible blocks, which of them are content, and which the paper's tag list has."""

    id: str
    page: Page
    visible: npt.NDArray[np.intp]
    content: Flags
    in_list: Flags


SiteYears = dict[tuple[str, str], list[Labelled]]


def big9(shared: Path) -> SiteYears:
    """The pages by site and year."""
    path = shared / "datasets" / "big9.jsonl.xz"
    result: SiteYears = {}
    with click.progressbar(read_gold(path), label="big9") as bar:
        for document in bar:
            page = tamis.parse(document.html)
            visible = visible_blocks(page)
            content = block_shares(page, document.text or "")[visible] > CONTENT_SHARE
            in_list = find_listed(page, PAPER_TAGS)[page.blocks.node[visible]]
            labelled = Labelled(document.id, page, visible, content, in_list)
            result.setdefault((document.site or "", document.split or ""), []).append(labelled)
    return result


def measured(predictions: Sequence[Flags], gold: Sequence[Flags]) -> dict[str, float]:
    """Precision, recall and F of content, and accuracy, over the blocks of some pages."""
    predicted, content = np.concatenate(predictions), np.concatenate(gold)
    right = float((predicted & content).sum())
    precision, recall = right / max(int(predicted.sum()), 1), right / max(int(content.sum()), 1)
    f = 2 * precision * recall / max(precision + recall, 1e-9)
    return dict(
        zip(MEASURES, (precision, recall, f, float((predicted == content).mean())), strict=True)
    )


Pages = Sequence[Labelled]
Folds = Callable[[Pages], Iterable[tuple[Pages, Pages]]]
"""From the pages of a site to pairs: those that are learned from, and those that are scored."""


def by_protocol(protocol: protocols.Protocol) -> Folds:
    """The folds of a protocol, as `tamis bench` has them."""
    return lambda pages: protocols.split_pages(protocol, pages, lambda labelled: labelled.id)


def next_pages(number: int) -> Folds:
    """Each page by so many pages, itself the first."""

    def folds(pages: Pages) -> Iterator[tuple[Pages, Pages]]:
        for first in range(len(pages)):
            yield [pages[(first + step) % len(pages)] for step in range(number)], [pages[first]]

    return folds


def compared(sets: SiteYears, name: str, folds: Folds) -> dict[str, dict[str, float]]:
    """The figures of a contestant for each site-year."""
    learn = CONTESTANTS[name]
    rows: dict[str, dict[str, float]] = {}
    for (site, year), pages in sets.items():
        predictions, gold, in_list = [], [], []
        seconds, learnt = np.zeros(2), 0
        for known, asked in folds(pages):
            start = time.process_time()
            verdict = learn([page.page for page in known])
            between = time.process_time()
            predictions += [verdict(page.page)[page.visible] for page in asked]
            seconds += between - start, time.process_time() - between
            learnt += len(known)
            gold += [page.content for page in asked]
            in_list += [page.in_list for page in asked]
        inside = measured(
            [flags[mask] for flags, mask in zip(predictions, in_list, strict=True)],
            [flags[mask] for flags, mask in zip(gold, in_list, strict=True)],
        )
        rows[f"{site} {year}"] = measured(predictions, gold) | {
            "f_in_list": inside["f"],
            "learn_ms_a_page": 1000 * seconds[0] / learnt,
            "score_ms_a_page": 1000 * seconds[1] / len(predictions),
        }
    return rows


def mean_of(rows: dict[str, dict[str, float]], site: str = "") -> dict[str, float]:
    """The mean over site-years, all or those of a site."""
    chosen = [row for name, row in rows.items() if name.startswith(site)]
    return {figure: float(np.mean([row[figure] for row in chosen])) for figure in chosen[0]}


def table_of(sets: SiteYears, folds: Folds) -> dict[str, Any]:
    """All contestants, over all sites and site by site."""
    with click.progressbar(CONTESTANTS, label="methods") as bar:
        rows = {name: compared(sets, name, folds) for name in bar}
    return {
        name: mean_of(site_rows) | {"site_years": site_rows} for name, site_rows in rows.items()
    }


def x_cex_above(table: dict[str, Any]) -> dict[str, int]:
    """The number of sites, and of those on which x_cex has a higher F than each contestant."""
    f = {
        name: {site: mean_of(row["site_years"], site)["f"] for site in sites_of(table)}
        for name, row in table.items()
    }
    above = {
        name: sum(f["x_cex"][site] > figure for site, figure in row.items())
        for name, row in f.items()
    }
    return {"sites": len(sites_of(table)), **above}


def sites_of(table: dict[str, Any]) -> list[str]:
    """The sites of a stored table."""
    return sorted({name.split()[0] for row in table.values() for name in row["site_years"]})


def show_tables(table: dict[str, Any], title: str) -> None:
    """Two Markdown tables, of the means over all site-years and over those of each site."""
    figures = (
        "P | R | F | accuracy | F, blocks of the list | learn, ms per page | score, ms per page |"
    )
    for some_sites in ([""], sites_of(table)):
        print(f"\n## {f'Site by site, {title}' if len(some_sites) > 1 else title.capitalize()}\n")
        print("| site " * (len(some_sites) > 1) + f"| method | {figures}")
        print("|---" * (8 + (len(some_sites) > 1)) + "|")
        for site in some_sites:
            for name, row in table.items():
                *shares, learn, score = mean_of(row["site_years"], site).values()
                cells = [*filter(None, [site]), name, *(f"{cell:.3f}" for cell in shares)]
                print(f"| {' | '.join(cells)} | {learn:.2f} | {score:.2f} |")


def curve(sets: SiteYears) -> dict[str, Any]:
    """Mean F by the number of pages."""
    result: dict[str, Any] = {}
    todo = [(name, number) for name in CONTESTANTS for number in CURVE]
    with click.progressbar(todo, label="learning curve") as bar:
        for name, number in bar:
            rows = compared(sets, name, next_pages(number))
            result.setdefault(name, {})[str(number)] = mean_of(rows)["f"]
    return result


def show_curve(result: dict[str, Any]) -> None:
    """F by the number of pages learnt from, the scored page among them."""
    print("\n## By the number of pages\n")
    print("| method | " + " | ".join(map(str, CURVE)) + " |")
    print("|---|" + "---|" * len(CURVE))
    for name, row in result.items():
        print(f"| {name} | " + " | ".join(f"{f:.3f}" for f in row.values()) + " |")


# --- cosine and hamming, buckets and all pairs ----------------------------------------------------


def hamming(sets: SiteYears) -> dict[str, Any]:
    """Both forms of x_cex by both searches: F, time to compare, and whether the verdicts agree."""
    forms = {
        (content, search): XCex(content=content, search=search)
        for content in ("cosine", "hamming", "positions")
        for search in ("buckets", "all")
    }
    predictions: dict[tuple[str, str], list[Flags]] = {form: [] for form in forms}
    seconds = dict.fromkeys(forms, 0.0)
    f: dict[tuple[str, str], list[float]] = {form: [] for form in forms}
    with click.progressbar(sets.values(), label="cosine and hamming") as bar:
        for pages in bar:
            for form, method in forms.items():
                fitted = method.fit([page.page for page in pages])
                kept = [(fitted.score(page.page) >= 0.5)[page.visible] for page in pages]
                predictions[form] += kept
                f[form].append(measured(kept, [page.content for page in pages])["f"])
                seconds[form] += compare_seconds(fitted, pages)
    pages_in_all = sum(map(len, sets.values()))
    return {
        " ".join(form): {
            "f": float(np.mean(f[form])),
            "compare_ms_a_page": 1000 * seconds[form] / pages_in_all,
            "agree_with_all": agreement(predictions[form], predictions[form[0], "all"]),
        }
        for form in forms
    }


def show_hamming(result: dict[str, Any]) -> None:
    """A row per form and search."""
    print("\n## To compare\n\n| x_cex | F | compare, ms per page | verdicts as with all pairs |")
    print("|---|---|---|---|")
    for name, row in result.items():
        print(
            f"| {name} | {row['f']:.3f} | {row['compare_ms_a_page']:.2f} |"
            f" {row['agree_with_all']:.2%} |"
        )


def agreement(first: list[Flags], second: list[Flags]) -> float:
    """The share of blocks with the same verdict."""
    return float((np.concatenate(first) == np.concatenate(second)).mean())


def compare_seconds(fitted: XCex, pages: list[Labelled]) -> float:
    """Time of the comparison alone: words are read and signatures made before."""
    blocks = [fitted.read(page.page) for page in pages]
    for page_blocks in blocks:
        # B018: they are made when asked for, and that is not to be timed.
        page_blocks.keys, page_blocks.signatures, page_blocks.page_key  # noqa: B018  made when asked for
    start = time.process_time()
    for page_blocks in blocks:
        fitted._score_elements(page_blocks)
    return time.process_time() - start


# --- cost -----------------------------------------------------------------------------------------

SIZES = (1_000, 10_000)
LARGEST = 20_000
QUADRATIC = (25, 50, 100)


def learn_seconds(method: SiteMethod, pages: int) -> float:
    """CPU time to parse and learn so many pages."""
    site = SyntheticSite(pages)
    start = time.process_time()
    method.fit(site)
    return time.process_time() - start - site.made


def cost() -> dict[str, Any]:
    """Learning time by the number of pages, and the comparison of all pairs while bearable."""
    names = ("content_extractor", "x_cex", "infodiscoverer", "site_style_tree")
    todo = [(name, size) for name in names for size in SIZES] + [("x_cex", LARGEST)]
    linear: dict[str, dict[str, float]] = {name: {} for name in names}
    with click.progressbar(todo, label="synthetic sites") as bar:
        for name, size in bar:
            linear[name][str(size)] = learn_seconds(cast(SiteMethod, create(name, {})), size)
    return {"learn_seconds": linear, "compare_all_pages": quadratic()}


def show_cost(result: dict[str, Any]) -> None:
    """Seconds to learn, and of x_cex to learn and score all pages of a synthetic site."""
    print("\n## To learn\n")
    print("| method | " + " | ".join(map(str, (*SIZES, LARGEST))) + " | ratio of the first two |")
    print("|---|" + "---|" * (len(SIZES) + 2))
    for name, row in result["learn_seconds"].items():
        cells = [f"{row[str(size)]:.2f}" if str(size) in row else "" for size in (*SIZES, LARGEST)]
        ratio = row[str(SIZES[1])] / row[str(SIZES[0])]
        print(f"| {name} | " + " | ".join(cells) + f" | {ratio:.1f} |")
    compared_all = result["compare_all_pages"]
    print("\n## To learn and score\n\n| pages | buckets | all pairs | same verdicts |")
    print("|---|---|---|---|")
    for pages_in_all in map(str, QUADRATIC):
        times = " | ".join(f"{compared_all[how][pages_in_all]:.2f}" for how in ("buckets", "all"))
        print(f"| {pages_in_all} | {times} | {compared_all['agree'][pages_in_all]:.2%} |")


def quadratic() -> dict[str, Any]:
    """Seconds to learn and score all pages of synthetic sites, by buckets and by all pairs."""
    result: dict[str, Any] = {}
    todo = [(size, search) for size in QUADRATIC for search in ("buckets", "all")]
    kept: dict[str, list[Flags]] = {}
    with click.progressbar(todo, label="buckets and all pairs") as bar:
        for size, search in bar:
            pages = list(SyntheticSite(size))
            start = time.process_time()
            fitted = XCex(search=search).fit(pages)
            kept[search] = [fitted.score(page) >= 0.5 for page in pages]
            result.setdefault(search, {})[str(size)] = time.process_time() - start
            if search == "all":
                result.setdefault("agree", {})[str(size)] = agreement(*kept.values())
    return result


def show(result: dict[str, Any], only: str | None) -> None:
    """Print the tables."""
    shows: dict[str, Callable[[dict[str, Any]], None]] = {
        "same": lambda table: show_tables(table, "learnt from the ten pages that are scored"),
        "half": lambda table: show_tables(table, "learnt from five pages, the other five scored"),
        "curve": show_curve,
        "hamming": show_hamming,
        "cost": show_cost,
    }
    for part, print_part in shows.items():
        if only in (None, part):
            print_part(result[part])


def main() -> None:
    """Parse the command line and run."""
    parser = script.parser(__doc__)
    parts = ("same", "half", "curve", "hamming", "cost")
    parser.add_argument("--only", choices=parts, help="only this part; the others stay")
    parser.add_argument("--stored", action="store_true", help="print the figures of the last run")
    parser.add_argument("--figures", action="store_true", help="draw the charts of the last run")
    arguments = parser.parse_args()
    result = json.loads(OUT.read_text("utf-8")) if OUT.exists() else {}
    if arguments.figures:
        site_figures.write(result["same"])
        return
    if not arguments.stored:
        sets = {} if arguments.only == "cost" else big9(arguments.shared)
        runs: dict[str, Callable[[], dict[str, Any]]] = {
            "same": lambda: table_of(sets, by_protocol("same")),
            "half": lambda: table_of(sets, by_protocol("half")),
            "curve": lambda: curve(sets),
            "hamming": lambda: hamming(sets),
            "cost": cost,
        }
        result |= {part: runs[part]() for part in ([arguments.only] if arguments.only else parts)}
        result["x_cex above"] = x_cex_above(result["same"])
        script.write(OUT, result)
    show(result, arguments.only)


if __name__ == "__main__":
    main()
