"""What a site model is worth: the default method alone beside the same with the site's evidence.

    python benchmarks/site.py --folds DIR          everything
    python benchmarks/site.py --only cost          only one part, see below

    sites    each site of big9 (and year), forum52, records and l3s-gn1, those of wcxb-dev with at
             least three pages, by two protocols: `same`, all its pages learned, each scored without
             its own counts; `half`, half of the pages learned, the others scored, and the other way
             round. How many sites are worse with the model, and the worst of them (`--folds`)
    curve    big9 with 1, 2, 3, 5 and 9 other pages of the site and year learned
    cost     learning 1,000 to 20,000 pages of a made-up site, size of the model, extraction time

F1 is of bags of words; of records, whose gold is the values that must be there, the share of these
in the output, beside the words of the output. A site is worse if it loses more than 0.002 of F1, or
0.005 of the values.

Needs the shared folder (`--shared`, default ../shared beside the repository). `--folds` is the
folder of the fold weights that `train.py tamis` and `train.py site` write: what was learned
from is measured by weights that did not see the site. Writes benchmarks/results/site.json if
everything was measured.
"""

from __future__ import annotations

import random
import statistics
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import script
from training.folds import fold_of

import tamis
from tamis.bench.measures import bag_of_words, count_snippets
from tamis.decide.decision import decide
from tamis.labels import datasets
from tamis.labels.alignment import tokenize
from tamis.labels.datasets import Example
from tamis.methods._base import Scores
from tamis.methods.tamis import Tamis
from tamis.model.weights.forest import Forest
from tamis.model.weights.load import load
from tamis.page.table import Page
from tamis.site.counts import SiteCounts
from tamis.site.joint import NAMES, VERSION, Alone, combine_counts, many_things, score_alone
from tamis.site.model import Site
from tamis.train.labelled_pages import site_of

UTF8 = "text/html; charset=utf-8"
PARTS = ("sites", "curve", "cost")
CURVE = (1, 2, 3, 5, 9)
WORSE, WORSE_VALUES = 0.002, 0.005
COST_PAGES = (1_000, 2_000, 5_000, 10_000, 20_000)


@dataclass(frozen=True)
class Output:
    """One output against its gold."""

    right: float
    """F1, or how many of the values are there."""
    of: int
    """1, or the number of the values."""
    words: int


@dataclass(frozen=True, eq=False)
class Known:
    """A page of a data set, scored by itself."""

    example: Example
    page: Page
    alone: Alone
    method: Tamis
    forest: Forest | None
    """That of the joint decision, None for the one that comes with tamis."""

    def output(self, scores: Scores) -> Output:
        """What these scores make of the page."""
        kept = decide(self.page, scores, self.method, tamis.Options()).kept
        text = "\n".join(self.page.block_texts(np.flatnonzero(kept)))
        words = len(tokenize(text))
        if self.example.text is not None:
            return Output(bag_of_words(text, self.example.text).f1, 1, words)
        values = count_snippets(text, self.example.with_, ())
        return Output(values.present, values.wanted, words)

    def pair(self, counts: SiteCounts) -> tuple[Output, Output]:
        """Alone, and beside the pages of some counts."""
        scores = combine_counts(counts, self.alone, self.forest)
        before = self.output(self.alone.scores)
        return before, before if scores is self.alone.scores else self.output(scores)


def learned(pages: Iterable[Known]) -> SiteCounts:
    """The counts of some pages."""
    counts = SiteCounts.make_empty()
    for page in pages:
        counts = counts.add_page(page.alone.reading)
    return counts


Sites = dict[str, list[Known]]
Pairs = list[tuple[Output, Output]]


def read_sites(path: Path, folds: Path | None = None, least: int = 2) -> Sites:
    """The pages of a set by site, and by split in big9; of sites with at least so many pages."""
    by_name: dict[str, list[Example]] = defaultdict(list)
    for example in datasets.read(path):
        site = site_of(example).lower().removeprefix("www.")
        by_name[f"{site} {example.split}" if example.dataset == "big9" else site].append(example)
    sites: Sites = {}
    for site, examples in sorted(by_name.items()):
        if len(examples) >= least:
            method, forest = weights(site, folds)
            sites[site] = [known(example, method, forest) for example in examples]
    return sites


def weights(site: str, folds: Path | None) -> tuple[Tamis, Forest | None]:
    """What scores a site: weights that did not see it, or those that come with tamis."""
    if folds is None:
        return Tamis(), None
    fold = fold_of(site)
    forest = load(folds / f"site-{fold}.npz", method="site", spec=VERSION).arrays
    return Tamis(weights=str(folds / f"fold-{fold}.npz")), Forest.from_arrays(forest, len(NAMES))


def known(example: Example, method: Tamis, forest: Forest | None) -> Known:
    """A page scored by itself."""
    page = tamis.parse(example.html)
    many = many_things(page, example.url)
    return Known(example, page, score_alone(method, page, many), method, forest)


def shuffled(site: str, pages: Sequence[Known]) -> list[Known]:
    """Always the same order for the same site."""
    return random.Random(site).sample(list(pages), len(pages))


# --- accuracy -----------------------------------------------------------------------------------


def same(site: str, pages: Sequence[Known]) -> Pairs:
    """All pages of a site learned, each scored as if it had not been."""
    counts = learned(pages)
    return [page.pair(counts) for page in pages]


def half(site: str, pages: Sequence[Known]) -> Pairs:
    """Half of the pages of a site learned, the others scored; then the other way round."""
    order = shuffled(site, pages)
    middle = len(order) // 2
    halves = order[:middle], order[middle:]
    pairs = []
    for pages_learned, rest in (halves, halves[::-1]):
        counts = learned(pages_learned)
        pairs += [page.pair(counts) for page in rest]
    return pairs


def share(outputs: Iterable[Output]) -> float:
    """The mean of F1, or the share of all values."""
    outputs = list(outputs)
    return sum(output.right for output in outputs) / sum(output.of for output in outputs)


def summary(pairs: Pairs) -> dict[str, float]:
    """What is right, and the words of a page, alone and with the model."""
    before, after = zip(*pairs, strict=True)
    return {
        "pages": len(pairs),
        "alone": round(share(before), 4),
        "with the model": round(share(after), 4),
        "words alone": round(statistics.fmean(page.words for page in before)),
        "words with the model": round(statistics.fmean(page.words for page in after)),
    }


def print_rows(title: str, rows: dict[str, dict[str, Any]]) -> None:
    """A Markdown table."""
    columns = list(next(iter(rows.values())))
    print(f"\n| {title} | " + " | ".join(columns) + " |")
    print("|---" * (len(columns) + 1) + "|")
    for name, row in rows.items():
        print(f"| {name} | " + " | ".join(str(row[column]) for column in columns) + " |")


def by_site(sets: dict[str, Sites]) -> dict[str, Any]:
    """All sets by both protocols, and each site that is another one with the model."""
    rows: dict[str, dict[str, Any]] = {}
    changed: dict[str, dict[str, Any]] = {}
    for name, sites in sets.items():
        for protocol in (same, half):
            pairs = {site: protocol(site, pages) for site, pages in sites.items()}
            figures = {site: summary(own) for site, own in pairs.items()}
            losses = {
                site: round(row["alone"] - row["with the model"], 4)
                for site, row in figures.items()
            }
            border = WORSE_VALUES if name == "records" else WORSE
            worst = max(losses, key=losses.__getitem__)
            whole = summary([pair for own in pairs.values() for pair in own])
            gained = (whole["with the model"] - whole["alone"]) / (1 - whole["alone"])
            rows[f"{name}, {protocol.__name__}"] = {
                "sites": len(sites),
                **whole,
                "of what is missing": round(gained, 3),
                "sites worse": sum(loss > border for loss in losses.values()),
                "sites better": sum(loss < -border for loss in losses.values()),
                "largest loss": f"{losses[worst]} {worst}" if losses[worst] > 0 else "",
            }
            for site, loss in sorted(losses.items(), key=lambda item: -item[1]):
                if loss > border:
                    changed[f"{name}, {protocol.__name__}, {site}"] = figures[site]
    print_rows("", rows)
    if changed:
        print_rows("worse with the model", changed)
    return {"sets": rows, "worse": changed}


def curve(sites: Sites) -> dict[str, Any]:
    """Each page with some others learned."""
    rows = {}
    for count in CURVE:
        pairs = []
        for site, pages in sites.items():
            order = shuffled(site, pages)
            for number, page in enumerate(order):
                others = (order[number + 1 :] + order[:number])[:count]
                pairs.append(page.pair(learned(others)))
        rows[f"{count} others"] = summary(pairs)
    print_rows("big9, learning curve", rows)
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
            site = site.fit(sources)
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
    parser.add_argument("--folds", type=Path, help="weights of the folds, for `sites`")
    parser.add_argument("--only", choices=PARTS, help="only this part")
    arguments = parser.parse_args()
    parts = [arguments.only] if arguments.only else PARTS
    if "sites" in parts and not arguments.folds:
        parser.error("`sites` needs --folds")
    data = arguments.shared / "datasets"
    big9 = read_sites(data / "big9.jsonl.xz")
    result: dict[str, Any] = {}
    if "sites" in parts:
        sets = {"big9": big9, "l3s-gn1": read_sites(data / "l3s-gn1.jsonl.xz")}
        for name, least in (("forum52", 2), ("records", 2), ("wcxb-dev", 3)):
            sets[name] = read_sites(data / f"{name}.jsonl.xz", arguments.folds, least)
        result["sites"] = by_site(sets)
    if "curve" in parts:
        result["curve"] = curve(big9)
    if "cost" in parts:
        sources = [page.page.source for pages in list(big9.values())[-4:] for page in pages]
        result["cost"] = cost(sources)
    if not arguments.only:
        script.write(script.RESULTS / "site.json", result)


if __name__ == "__main__":
    main()
