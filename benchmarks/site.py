"""What a site model is worth: the default method alone beside the same with the site's evidence.

    python benchmarks/site.py                    everything
    python benchmarks/site.py --only cost        only one part, see below

    halves   big9, each site and year: learn on half of its pages, score the other half
    curve    the same pages with 1, 2, 3, 5 and 9 other pages of the site and year learned
    types    wcxb-dev, sites with several pages: each page with the others learned (`--folds`)
    cost     learning 1,000 to 20,000 pages of a made-up site, size of the model, extraction time

Wrong words are those that are missed and those that are added, as bags of words. Gold of big9 has
the headline, that of the training sets has not; so `halves` is also given with the headline of the
page, the heading that repeats the title, added to both outputs.

Needs the shared folder (`--shared`, default ../shared beside the repository). `--folds` is the
folder of the fold weights that `tamis train tamis` writes. The forest of the site model has seen
the pages of wcxb-dev; what folds by site say is on its card (src/tamis/model/weights/site-1.json).
Writes benchmarks/results/site.json if everything was measured.
"""

from __future__ import annotations

import random
import statistics
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import script

import tamis
from tamis.decision import decide
from tamis.describe.page_type import page_types
from tamis.evaluate import datasets
from tamis.evaluate.datasets import Example
from tamis.evaluate.measures import of_counts, tokens
from tamis.methods.tamis import Tamis
from tamis.page import tags
from tamis.page.table import Page
from tamis.site.evidence import SiteCounts
from tamis.site.joint import Alone, alone, together
from tamis.site.model import Site
from tamis.train.boosted import fold_of
from tamis.train.documents import site_of

UTF8 = "text/html; charset=utf-8"
PARTS = ("halves", "curve", "types", "cost")
CURVE = (1, 2, 3, 5, 9)
COST_PAGES = (1_000, 2_000, 5_000, 10_000, 20_000)


@dataclass(frozen=True)
class Output:
    """One output against its gold, in words."""

    missed: int
    added: int
    f1: float

    @property
    def wrong(self) -> int:
        """Words missed and added."""
        return self.missed + self.added


@dataclass(frozen=True, eq=False)
class Known:
    """A page of a data set, scored by itself."""

    example: Example
    page: Page
    alone: Alone
    method: Tamis

    def output(self, scores: np.ndarray[Any, Any], headline: bool = False) -> Output:
        """What these scores make of the page."""
        kept = decide(self.page, scores, self.method, tamis.Options()).kept
        if headline:
            kept = kept | headlines(self.page)
        text = "\n".join(self.page.block_texts(np.flatnonzero(kept)))
        ours, gold = Counter(tokens(text)), Counter(tokens(self.example.text or ""))
        common = (ours & gold).total()
        score = of_counts(common, ours.total(), gold.total())
        return Output(gold.total() - common, ours.total() - common, score.f1)


def headlines(page: Page) -> np.ndarray[Any, Any]:
    """The first heading most of whose words are in the title."""
    repeated = np.zeros(len(page.blocks), bool)
    title = set(tokens(page.title))
    for block in np.flatnonzero(page.blocks.flags & tags.IN_HEADING).tolist():
        words = tokens(page.block_text(block))
        if len(words) > 2 and sum(word in title for word in words) > 0.8 * len(words):
            repeated[block] = True
            break
    return repeated


def learned(pages: Iterable[Known]) -> SiteCounts:
    """The counts of some pages."""
    counts = SiteCounts.none()
    for page in pages:
        counts = counts.plus(page.alone.reading)
    return counts


def read_sites(
    path: Path, key: Callable[[Example], str], method: Callable[[str], Tamis]
) -> dict[str, list[Known]]:
    """The pages of a set by site, those with a gold text."""
    sites: dict[str, list[Known]] = defaultdict(list)
    for example in datasets.read(path):
        if example.text is not None:
            page = tamis.parse(example.html)
            site = key(example)
            chosen = method(site)
            forum = page_types(page, example.url)["forum"]
            sites[site].append(Known(example, page, alone(chosen, page, forum), chosen))
    return {site: pages for site, pages in sorted(sites.items()) if len(pages) > 1}


def shuffled(site: str, pages: Sequence[Known]) -> list[Known]:
    """Always the same order for the same site."""
    return random.Random(site).sample(list(pages), len(pages))


# --- accuracy -----------------------------------------------------------------------------------


def summary(pairs: Sequence[tuple[Output, Output]]) -> dict[str, float]:
    """Wrong words and F1, alone and with the model."""
    before, after = zip(*pairs, strict=True)
    wrong = [sum(page.wrong for page in pages) for pages in (before, after)]
    return {
        "pages": len(pairs),
        "wrong words alone": wrong[0],
        "wrong words with the model": wrong[1],
        "missed alone": sum(page.missed for page in before),
        "missed with the model": sum(page.missed for page in after),
        "change": round(wrong[1] / max(wrong[0], 1) - 1, 4),
        "F1 alone": round(statistics.fmean(page.f1 for page in before), 4),
        "F1 with the model": round(statistics.fmean(page.f1 for page in after), 4),
    }


def print_rows(title: str, rows: dict[str, dict[str, float]]) -> None:
    """A Markdown table."""
    columns = list(next(iter(rows.values())))
    print(f"\n| {title} | " + " | ".join(columns) + " |")
    print("|---" * (len(columns) + 1) + "|")
    for name, row in rows.items():
        print(f"| {name} | " + " | ".join(str(row[column]) for column in columns) + " |")


def halves(sites: dict[str, list[Known]]) -> dict[str, Any]:
    """Half of the pages of a site and year learned, the others scored; then the other way round."""
    result: dict[str, Any] = {}
    for headline in (False, True):
        groups: dict[str, list[tuple[Output, Output]]] = defaultdict(list)
        for site, pages in sites.items():
            order = shuffled(site, pages)
            middle = len(order) // 2
            for half, rest in ((order[:middle], order[middle:]), (order[middle:], order[:middle])):
                counts = learned(half)
                for page in rest:
                    pair = (
                        page.output(page.alone.scores, headline),
                        page.output(together(counts, page.alone), headline),
                    )
                    name, year = site.rsplit(" ", 1)
                    for group in (name, year, "all"):
                        groups[group].append(pair)
        rows = {group: summary(pairs) for group, pairs in sorted(groups.items())}
        title = "with headline" if headline else "as it is"
        print_rows(f"big9, half and half, {title}", rows)
        result[title] = rows
    return result


def curve(sites: dict[str, list[Known]]) -> dict[str, Any]:
    """Each page with some others learned."""
    rows = {}
    for count in CURVE:
        pairs = []
        for site, pages in sites.items():
            order = shuffled(site, pages)
            for number, page in enumerate(order):
                others = (order[number + 1 :] + order[:number])[:count]
                scores = together(learned(others), page.alone)
                pairs.append((page.output(page.alone.scores), page.output(scores)))
        rows[f"{count} others"] = summary(pairs)
    print_rows("big9, learning curve", rows)
    return rows


def types(sites: dict[str, list[Known]]) -> dict[str, Any]:
    """All pages of a site learned, each scored without itself; by the type of the page."""
    groups: dict[str, list[tuple[Output, Output]]] = defaultdict(list)
    for pages in sites.values():
        counts = learned(pages)
        for page in pages:
            scores = together(counts, page.alone)
            pair = page.output(page.alone.scores), page.output(scores)
            for group in (page.example.page_type or "other", "all"):
                groups[group].append(pair)
    rows = {group: summary(pairs) for group, pairs in sorted(groups.items())}
    print_rows("wcxb-dev, the other pages of the site learned", rows)
    return rows


# --- cost ---------------------------------------------------------------------------------------


def made_up(number: int) -> bytes:
    """A page of a site that does not exist: menus, teasers, an article and a footer."""
    draw = random.Random(number)
    word = [
        f"{draw.choice('bdfglmnprst')}{draw.choice('aeiou')}{draw.randrange(400)}"
        for _ in range(900)
    ]

    def text(count: int) -> str:
        return " ".join(draw.choice(word) for _ in range(count)).capitalize() + "."

    menu = "".join(f'<li class="item"><a href="/{n}">Section {n}</a></li>' for n in range(30))
    teasers = "".join(
        f'<div class="teaser"><h4><a href="/{draw.randrange(10**6)}">{text(8)}</a></h4>'
        f"<p>{text(18)}</p></div>"
        for _ in range(12)
    )
    article = "".join(
        f"<p>{text(draw.randrange(20, 90))}</p>" for _ in range(draw.randrange(6, 22))
    )
    footer = "".join(f'<li><a href="/f{n}">Legal and more {n}</a></li>' for n in range(25))
    title = text(7)
    return (
        f"<html><head><title>{title} - Example</title></head><body><div id=cookie>We use cookies."
        f" <button>Accept</button></div><nav><ul>{menu}</ul></nav><main><article><h1>{title}</h1>"
        f'<p class="date">{draw.randrange(1, 29)} May 20{draw.randrange(10, 25)}</p>{article}'
        f'</article><aside class="more">{teasers}</aside></main><footer><ul>{footer}</ul>'
        f"<p>© 20{draw.randrange(10, 25)} Example. All rights reserved.</p></footer></body></html>"
    ).encode()


def cost(real: Sequence[bytes]) -> dict[str, Any]:
    """CPU seconds of learning, bytes of the model, and the time of an extraction with it."""
    site, rows, seconds, done = Site(), {}, 0.0, 0
    for pages in COST_PAGES:
        while done < pages:
            sources = [made_up(number) for number in range(done, min(done + 250, pages))]
            started = time.process_time()
            site.fit(sources)
            seconds += time.process_time() - started
            done += len(sources)
            print(f"\r{done} pages", end="", file=sys.stderr)
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "site.npz"
            site.save(path)
            rows[f"{pages} pages"] = {
                "seconds": round(seconds, 2),
                "ms a page": round(1000 * seconds / pages, 2),
                "model, kB": round(path.stat().st_size / 1000),
            }
    print(file=sys.stderr)
    print_rows("learning a made-up site", rows)
    ratio = extraction_ratio(real)
    print(
        f"\nextraction, {len(real)} pages of big9: {ratio['alone_ms']:.2f} ms a page alone,"
        f" {ratio['with_model_ms']:.2f} ms with the model, ratio {ratio['ratio']:.2f}"
    )
    return {"learning": rows, "extraction": ratio}


def extraction_ratio(pages: Sequence[bytes], rounds: int = 5) -> dict[str, float]:
    """CPU time of an extraction with the model of all pages over that without; best of rounds."""
    site = Site().fit(pages)
    totals = [0.0, 0.0]
    for page in pages:
        best = [float("inf"), float("inf")]
        for _ in range(rounds):
            for number, extract in enumerate((tamis.extract, site.extract)):
                started = time.process_time()
                extract(page, content_type=UTF8).text  # noqa: B018  made when asked for
                best[number] = min(best[number], time.process_time() - started)
        totals = [total + figure for total, figure in zip(totals, best, strict=True)]
    alone_ms, with_model_ms = (1000 * total / len(pages) for total in totals)
    return {
        "alone_ms": round(alone_ms, 3),
        "with_model_ms": round(with_model_ms, 3),
        "ratio": round(with_model_ms / alone_ms, 3),
    }


def main() -> None:
    """Parse the command line and run."""
    parser = script.parser(__doc__)
    parser.add_argument("--folds", type=Path, help="weights of the folds, for `types`")
    parser.add_argument("--only", choices=PARTS, help="only this part")
    arguments = parser.parse_args()
    parts = (
        [arguments.only]
        if arguments.only
        else [part for part in PARTS if part != "types" or arguments.folds]
    )
    data = arguments.shared / "datasets"
    shipped = Tamis()
    result: dict[str, Any] = {}
    if {"halves", "curve", "cost"} & set(parts):
        big9 = read_sites(
            data / "big9.jsonl.xz",
            lambda example: f"{example.site} {example.split}",
            lambda site: shipped,
        )
    for part in parts:
        if part == "types":
            sites = read_sites(
                data / "wcxb-dev.jsonl.xz",
                lambda example: site_of(example).lower().removeprefix("www."),
                lambda site: Tamis(weights=str(arguments.folds / f"fold-{fold_of(site)}.npz")),
            )
            result[part] = types(sites)
        elif part == "cost":
            sources = [known.page.source for pages in list(big9.values())[-4:] for known in pages]
            result[part] = cost(sources)
        else:
            result[part] = {"halves": halves, "curve": curve}[part](big9)
    if not arguments.only and len(parts) == len(PARTS):
        out = script.RESULTS / "site.json"
        script.write(out, result)


if __name__ == "__main__":
    main()
