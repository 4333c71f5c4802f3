"""The tables of the papers, made again.

    python benchmarks/papers.py kim              text blocks: L3S-GN1 and wcxb-dev; Figure 5
    python benchmarks/papers.py peters-lecocq    pages: trained on Dragnet's 2012 training split
    python benchmarks/papers.py lang             words of nine sets, overview pages of wcxb-dev,
                                                 made-up ones with long teasers
    python benchmarks/papers.py thai             lengths on the pages of `languages`

Needs the shared folder (`--shared`, default ../shared beside the repository) and scikit-learn.
`kim` has the content class by ten-fold cross-validation over blocks, as the paper has it, and over
pages and sites, since blocks of one page in several folds flatter every method. `peters-lecocq` has
Table 1 and the mean F1 of a page, every word distinct, matched in order; gold is text and comments,
and pages without gold are left out, as the authors' program does; a last row has CETD's densities
as a fourth feature set. What is done is kept in build/papers, so that a run that was stopped goes
on where it was; `--again` starts over. Writes benchmarks/results/papers-*.json and prints the
tables beside the published figures; `--stored` prints those of the last run.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, TypeAlias

import bar_charts
import click
import numpy as np
import script
import text_blocks
from public_sets.l3s_gn1 import unit_table
from tests.describe import teaser_pages

import tamis
from tamis.bench import measures
from tamis.describe.types.page_type import estimate_types, is_overview, sum_overview
from tamis.labels import alignment as align
from tamis.labels import datasets
from tamis.labels.alignment import tokenize
from tamis.labels.datasets import Example
from tamis.methods import dragnet
from tamis.methods.cetr import Cetr
from tamis.methods.textsweeper import Textsweeper
from tamis.model.weights.load import Arrays
from tamis.train import dragnet as fit_dragnet
from tamis.train.labelled_pages import read_gold

SEED = 2013
# wcxb-dev has half a million of the paper's text blocks; these take minutes instead of an hour.
ROWS = 100_000

# The second set of the paper is not public; wcxb-dev stands in.
PUBLISHED_KIM = {
    "boilerpipe features": {
        "l3s-gn1": {"precision": 0.858, "recall": 0.778, "f": 0.816},
        "wcxb-dev": {"precision": 0.793, "recall": 0.521, "f": 0.629},
    },
    "text block context": {
        "l3s-gn1": {"precision": 0.873, "recall": 0.827, "f": 0.849},
        "wcxb-dev": {"precision": 0.837, "recall": 0.795, "f": 0.815},
    },
}
PUBLISHED_DRAGNET = {
    "baseline": (0.899, 0.625, 0.621, 0.623),
    "CETR": (0.919, 0.794, 0.741, 0.735),
    "IC": (0.887, 0.641, 0.709, 0.701),
    "ST": (0.904, 0.854, 0.817, 0.809),
    "ST+IC": (0.896, 0.858, 0.836, 0.824),
    "ST+IC+CETR": (0.907, 0.877, 0.848, 0.836),
}
COLUMNS = ("cleaneval-final", "big9", "2012 train", "2012 test")
LINES = "CETR by lines"
MORE_SETS = "ST+IC+CETR+CETD"
"""The paper's future work; it prints no figure."""
PUBLISHED_TOKENS = {
    "menu": (1 / 373.6, 0.022), "widget": (1 / 314.1, 0.046), "nav": (1 / 68.9, 0.033),
    "facebook": (1 / 18.3, 0.013), "top": (1 / 13.3, 0.019), "twitter": (1 / 8.5, 0.023),
    "title": (1 / 3.3, 0.105), "header": (1 / 2.9, 0.037), "comment": (3.2, 0.213),
    "author": (4.9, 0.079), "thread": (5.0, 0.03), "avatar": (42.1, 0.032),
}  # fmt: skip
"""Table 1 of Peters and Lecocq: odds ratio, percent of blocks."""
TRAININGS = {
    "paper": fit_dragnet.DragnetTraining(blocks="paper", most_words=200),
    "paper, blocks weigh the same": fit_dragnet.DragnetTraining(blocks="paper", most_words=1),
    "text": fit_dragnet.DragnetTraining(),
}
"""As published, with and without the weights of the authors' program; `tamis train dragnet`."""


class Cache:
    """Results by name, each a JSON file."""

    def __init__(self, folder: Path, again: bool) -> None:
        self.folder, self.again = folder, again
        folder.mkdir(parents=True, exist_ok=True)

    def get(self, name: str, make: Callable[[], Any]) -> Any:
        """The stored result, made if there is none."""
        path = self.folder / f"{name.replace(' ', '-')}.json"
        if self.again or not path.exists():
            path.write_text(json.dumps(make()), encoding="utf-8")
        return json.loads(path.read_text("utf-8"))


def pages_of(shared: Path, name: str, *, comments: bool = False) -> Iterator[Example]:
    """The pages of a data set, with a progress bar."""
    path = shared / "datasets" / f"{name}.jsonl.xz"
    with click.progressbar(read_gold(path, comments=comments), label=f"{name}, pages") as bar:
        yield from bar


# --- Kim, Kim, Song, Khil 2013 -----------------------------------------------------------------


FIGURE_5 = script.ROOT / "docs" / "images" / "kim-figure-5.svg"


def run_kim(shared: Path, cache: Cache) -> dict[str, Any]:
    """Precision, recall and F of the content class, by data set, features and folds."""
    result: dict[str, Any] = {}
    for name in ("l3s-gn1", "wcxb-dev"):
        result[name] = cache.get(f"kim {name}", partial(kim_rows, shared, name))
    FIGURE_5.write_text(figure_5(result), encoding="utf-8")
    return result


def show_kim(result: dict[str, Any]) -> None:
    """Table 3, over three kinds of folds."""
    print("## Table 3\n")
    print("| set | features | folds over | P | R | F | F of both classes | published P, R, F |")
    print("|---|---|---|---|---|---|---|---|")
    line = "| {} | {} | {} | {precision:.3f} | {recall:.3f} | {f:.3f} | {weighted:.3f} | {} |"
    for name, rows in result.items():
        for features, of_sets in PUBLISHED_KIM.items():
            for by in ("block", "page", "site"):
                shown = ", ".join(f"{value:.3f}" for value in of_sets[name].values())
                shown = f"other set: {shown}" if name == "wcxb-dev" else shown
                shown = shown if by == "block" else ""
                print(line.format(name, features, f"{by}s", shown, **rows[features][by]))
    for name, rows in result.items():
        print(f"{name}: {rows['blocks']:,} text blocks, {rows['content']:.1%} content")


def figure_5(result: dict[str, Any]) -> str:
    """Bars of precision, recall and F over blocks, ours and the published ones."""
    measured = ("precision", "recall", "f")
    return bar_charts.draw_bars(
        {
            label: {
                f"{features}{kind}": dict(zip(("precision", "recall", "F"), own, strict=True))
                for features, of_sets in PUBLISHED_KIM.items()
                for kind, own in (
                    (", published", of_sets[name].values()),
                    (", here", [result[name][features]["block"][key] for key in measured]),
                )
            }
            for name, label in (
                ("l3s-gn1", "L3S-GN1"),
                ("wcxb-dev", "965-GWeb (published), wcxb-dev (here)"),
            )
        }
    )


def kim_rows(shared: Path, name: str) -> dict[str, Any]:
    """All rows of one data set."""
    table = unit_table("visible", pages_of(shared, name)).sample(ROWS, SEED)
    tables = text_blocks.feature_sets(table.rows)
    result: dict[str, Any] = {"blocks": len(table), "content": float(table.content.mean())}
    todo = [(features, by) for features in tables for by in ("block", "page", "site")]
    with click.progressbar(todo, label=f"{name}, tables") as bar:
        for features, by in bar:
            figures = text_blocks.figures(tables[features], table, by, SEED)
            result.setdefault(features, {})[by] = figures
    return result


# --- Peters and Lecocq 2013 --------------------------------------------------------------------


def run_peters_lecocq(shared: Path, cache: Cache) -> dict[str, Any]:
    """Tokens, and the mean F1 by method and data set, with published blocks and with ours."""
    fitted = {
        label: cache.get(f"peters-lecocq {label} model", partial(fitted_dragnet, shared, training))
        for label, training in TRAININGS.items()
    }
    richer = {
        label: cache.get(f"peters-lecocq {label} cetd model", partial(richer_arrays, shared, own))
        for label, own in TRAININGS.items()
    }
    tokens = {label: stored["tokens"] for label, stored in fitted.items()}
    result: dict[str, Any] = {"tokens": tokens}
    models = as_arrays({label: stored["arrays"] for label, stored in fitted.items()})
    rows, more_rows = (*PUBLISHED_DRAGNET, LINES), (MORE_SETS,)
    for name in ("cleaneval-final", "big9", "dragnet"):
        for part, arrays, methods in (("", models, rows), (" cetd", as_arrays(richer), more_rows)):
            scores = cache.get(
                f"peters-lecocq {name}{part}", partial(page_scores, shared, name, arrays, methods)
            )
            for column, of_methods in scores.items():
                means = {method: float(np.mean(values)) for method, values in of_methods.items()}
                pages = len(next(iter(of_methods.values())))
                result.setdefault(column, {}).update(means, pages=pages)
    result["content"] = {label: stored["content"] for label, stored in fitted.items()}
    return result


def show_peters_lecocq(result: dict[str, Any]) -> None:
    """Tables 1 and 2."""
    print("## Table 1\n")
    print_tokens(result["tokens"])
    print("\n## Table 2\n")
    print("| | blocks | " + " | ".join(COLUMNS) + " |")
    print("|---|---|" + "---|" * len(COLUMNS))
    for method in (*PUBLISHED_DRAGNET, MORE_SETS):
        published = map("{:.3f}".format, PUBLISHED_DRAGNET.get(method, ()))
        print(f"| {method} | printed |", " | ".join(published) or "| | |", "|")
        for label in TRAININGS:
            figures = [result[column].get(f"{method}, {label}") for column in COLUMNS]
            if None not in figures:
                print(f"| | {label} |", " | ".join(map("{:.3f}".format, figures)), "|")
    lines = " | ".join(f"{result[column][LINES]:.3f}" for column in COLUMNS)
    print(f"| {LINES} | | {lines} |")


def print_tokens(tokens: dict[str, dict[str, list[float]]]) -> None:
    """Content to no content, and the part of the blocks of the likelier kind."""
    print("| token | printed | paper | text | printed | paper | text |")
    print("|---|---|---|---|---|---|---|")
    for token, (odds, share) in PUBLISHED_TOKENS.items():
        ours = [tokens[blocks].get(f"class:{token}", [0.0, 0.0]) for blocks in ("paper", "text")]
        cells = [as_ratio(odds), *(as_ratio(ratio) for ratio, _ in ours)]
        cells += [f"{share:.1%}", *(f"{part:.1%}" for _, part in ours)]
        print(f"| {token} | " + " | ".join(cells) + " |")


def as_ratio(odds: float) -> str:
    """Odds as the paper writes them, 1 : 3.3 for 0.3."""
    if not odds:
        return "-"
    return f"{odds:.1f} : 1" if odds >= 1 else f"1 : {1 / odds:.1f}"


def fitted_dragnet(shared: Path, training: fit_dragnet.DragnetTraining) -> dict[str, Any]:
    """The weights and the tokens by Table 1, from the training split alone."""
    pages = pages_of(shared, "dragnet", comments=True)
    table = fit_dragnet.block_table(training, (page for page in pages if page.split == "train"))
    arrays = fit_dragnet.fit_weights(training, table, SEED)
    counts = {
        count.token: (count.odds_ratio, count.share) for count in fit_dragnet.token_counts(table)
    }
    listed = {f"class:{token}" for token in PUBLISHED_TOKENS}
    return {
        "arrays": {name: array.tolist() for name, array in arrays.items()},
        "tokens": {token: count for token, count in counts.items() if token in listed},
        "content": float(table.content.mean()),
    }


def richer_arrays(shared: Path, training: fit_dragnet.DragnetTraining) -> dict[str, Any]:
    """The weights with one more feature set, from the same pages."""
    training = replace(training, features=MORE_SETS.lower())
    pages = pages_of(shared, "dragnet", comments=True)
    table = fit_dragnet.block_table(training, (page for page in pages if page.split == "train"))
    arrays = fit_dragnet.fit_weights(training, table, SEED, (training.mix,))
    return {name: array.tolist() for name, array in arrays.items()}


def as_arrays(stored: dict[str, dict[str, Any]]) -> dict[str, Arrays]:
    """Weights by label, as they were before they were stored."""
    return {
        label: {name: np.array(value) for name, value in arrays.items()}
        for label, arrays in stored.items()
    }


def page_scores(
    shared: Path, name: str, models: dict[str, Arrays], methods: Sequence[str]
) -> dict[str, dict[str, list[float]]]:
    """F1 of each page that has a gold text, by column of the table and method."""
    result: dict[str, dict[str, list[float]]] = {}
    for document in pages_of(shared, name, comments=True):
        column = name if name != "dragnet" else f"2012 {document.split}"
        gold = tokenize(document.text or "")
        if column not in COLUMNS or not gold:
            continue
        page = tamis.parse(document.html)
        for label, arrays in models.items():
            units = dragnet.units_of(page, TRAININGS[label].blocks)
            words = [tokenize(text) for text in units.texts]
            verdicts = {
                f"{method}, {label}": scores_of(method, units, arrays) >= 0.5
                for method in methods
                if method != LINES
                and (label in dragnet.BLOCKS or method not in ("baseline", "CETR"))
            }
            if LINES in methods and isinstance(units, dragnet.TextBlocks):
                verdicts[LINES] = Cetr(unit="line").score(page)[units.blocks] >= 0.5
            for method, kept in verdicts.items():
                kept_words = [word for row in np.flatnonzero(kept) for word in words[row]]
                result.setdefault(column, {}).setdefault(method, []).append(f1(kept_words, gold))
    return result


def scores_of(method: str, units: dragnet.Units, arrays: Arrays) -> Any:
    """Scores of blocks, by a row of the table."""
    if method == "baseline":
        return np.ones(len(units.texts))
    if method == "CETR":
        return dragnet.columns_of(units, "cetr", ())[:, dragnet.NAMES["cetr"].index("cetr_verdict")]
    return dragnet.predict_blocks(units, method.lower(), arrays)


def f1(kept_words: list[str], gold: list[str]) -> float:
    """F1 of words, every word distinct, by the longest common subsequence."""
    if not kept_words or not gold:
        return float(not kept_words and not gold)
    return 2 * int(align.match_words(kept_words, gold).sum()) / (len(kept_words) + len(gold))


# --- Lang, Wohlgenannt, Weichselbraun 2012 -------------------------------------------------------

OVERVIEW_TYPES = ("listing", "collection")
OTHER_TYPES = ("article", "documentation", "service", "product", "forum")
LANG_SETS = (
    *("cleaneval-final", "wcxb-dev", "news2023", "scrapinghub", "readability", "dragnet"),
    *("l3s-gn1", "big9", "languages"),
)
LANG_ROWS: dict[str, dict[str, Any]] = {
    "default": {},
    "`variant=paper`": {"variant": "paper"},
    "`length_power=0`": {"length_power": 0.0},
    "`smoothing=0.2`": {"smoothing": 0.2},
    "`smoothing=0.5 neighbours=siblings`": {"smoothing": 0.5, "neighbours": "siblings"},
    "`smoothing=1 neighbours=siblings`": {"smoothing": 1.0, "neighbours": "siblings"},
}


def run_lang(shared: Path, cache: Cache) -> dict[str, Any]:
    """TextSweeper on CleanEval (their future work) and others, and its verdict on overviews."""
    scores = {
        name: cache.get(f"lang {name}", partial(sweeper_scores, shared, name)) for name in LANG_SETS
    }
    overview = cache.get("lang overview", lambda: overview_figures(shared))
    teasers = cache.get("lang teasers", lambda: teaser_figures(shared))
    return {"f": scores, "overview": overview, "teasers": teasers}


def show_lang(result: dict[str, Any]) -> None:
    """Precision, recall and F, and who is called an overview page."""
    scores, overview, teasers = result["f"], result["overview"], result["teasers"]
    cleaneval = scores["cleaneval-final"]
    print(f"## CleanEval\n\n{cleaneval['pages']} pages with gold:\n")
    print("| | precision | recall | F |\n|---|---|---|---|")
    for row in LANG_ROWS:
        print(f"| {row} |", " | ".join(f"{figure:.3f}" for figure in cleaneval[row]), "|")
    print("\n## F, all pages with gold\n")
    print("| |", " | ".join(f"{name} ({scores[name]['pages']:,})" for name in LANG_SETS), "|")
    print("|---|" + "---|" * len(LANG_SETS))
    for row in LANG_ROWS:
        print(f"| {row} |", " | ".join(f"{scores[name][row][2]:.3f}" for name in LANG_SETS), "|")
    print(
        "\n## Overview pages\n\n{overview} of {pages}: area under the curve {area:.3f}, against"
        " articles only {area_articles:.3f}; balanced accuracy {at_threshold:.3f} below"
        " {threshold:.0f} characters of net text, {at_best:.3f} below {best:.0f}, the best single"
        " threshold (chosen on these pages). Called overview pages:\n".format(**overview)
    )
    kinds = (*OTHER_TYPES, *OVERVIEW_TYPES)
    print(f"| below | {' | '.join(kinds)} |\n|---|" + "---|" * len(kinds))
    for below, shares in overview["flagged"].items():
        print(f"| {below} |", " | ".join(f"{shares[kind]:.0%}" for kind in kinds), "|")
    print(
        "\n## Made-up pages of teasers\n\nFound, of {pages} pages of each length:\n".format(
            **teasers
        )
    )
    print(f"| | {' | '.join(f'{words} words' for words in teaser_pages.LENGTHS)} |")
    print("|---|" + "---|" * len(teaser_pages.LENGTHS))
    for name, found in teasers["found"].items():
        print(f"| {name} |", " | ".join(map(str, found.values())), "|")
    print("\n## Articles rejected\n")
    print(f"| | pages | {' | '.join(VERDICTS)} |\n|---|---|" + "---|" * len(VERDICTS))
    for name, own in teasers["rejected"].items():
        shares = (f"{own[verdict]:.1%}" for verdict in VERDICTS)
        print(f"| {name} | {own['pages']:,} |", " | ".join(shares), "|")


def sweeper_scores(shared: Path, name: str) -> dict[str, Any]:
    """Mean precision, recall and F of words, by parameters; pages with empty gold are left out."""
    sums = {row: np.zeros(3) for row in LANG_ROWS}
    pages = 0
    for document in pages_of(shared, name):
        if not tokenize(document.text or ""):
            continue
        page, pages = tamis.parse(document.html), pages + 1
        for row, parameters in LANG_ROWS.items():
            result = tamis.extract(page, method="textsweeper", parameters=parameters)
            sums[row] += measures.bag_of_words(result.text, document.text or "")
    return {"pages": pages, **{row: (total / pages).tolist() for row, total in sums.items()}}


def overview_figures(shared: Path) -> dict[str, Any]:
    """How well the net text tells listings and collections from the other pages of wcxb-dev."""
    method = Textsweeper()
    path = shared / "datasets" / "wcxb-dev.jsonl.xz"
    with click.progressbar(datasets.read(path), label="wcxb-dev") as examples:
        scored = [
            (method.net_length(tamis.parse(example.html)), example.page_type or "")
            for example in examples
        ]
    net = np.array([length for length, _ in scored])
    kinds = np.array([kind for _, kind in scored])
    overview = np.isin(kinds, OVERVIEW_TYPES)

    def balanced(threshold: float) -> float:
        flagged = net < threshold
        return float((flagged[overview].mean() + (~flagged)[~overview].mean()) / 2)

    def area(others: Any) -> float:
        """The chance that an overview page has less net text than another; ties count half."""
        less = net[overview][:, None] < net[others]
        return float(less.mean() + (net[overview][:, None] == net[others]).mean() / 2)

    best = max(np.unique(net), key=balanced)
    return {
        "pages": len(net),
        "overview": int(overview.sum()),
        "area": area(~overview),
        "area_articles": area(kinds == "article"),
        "threshold": method.overview_below,
        "at_threshold": balanced(method.overview_below),
        "best": float(best),
        "at_best": balanced(best),
        "flagged": {
            below: {
                kind: float((net[kinds == kind] < below).mean())
                for kind in (*OTHER_TYPES, *OVERVIEW_TYPES)
            }
            for below in (500, 700, 1000, 2000)
        },
    }


VERDICTS = {"`variant=paper`": Textsweeper(variant="paper"), "default": Textsweeper()}
REJECTED = ("wcxb-dev", "news2023", "scrapinghub", "l3s-gn1", "big9")
"""Sets of articles; of wcxb-dev those of this type."""


def teaser_figures(shared: Path) -> dict[str, Any]:
    """Made-up pages of long teasers that are found, and real articles that are rejected.

    The default method has no verdict of its own, so that of the page type counts. Its weights have
    seen some of these articles: benchmarks/page_type.py has its figures on them, by folds.
    """
    found: dict[str, dict[str, int]] = {}
    for name, layouts in (("", teaser_pages.SEEN), (", set aside", teaser_pages.SET_ASIDE)):
        for words in teaser_pages.LENGTHS:
            pages = [
                tamis.parse(html) for row in layouts for html in teaser_pages.pages(row, words)
            ]
            count = {
                verdict: sum(is_overview(method.overview(page)) for page in pages)
                for verdict, method in VERDICTS.items()
            }
            count["page type"] = sum(
                is_overview(sum_overview(estimate_types(page))) for page in pages
            )
            for verdict, number in count.items():
                found.setdefault(f"{verdict}{name}", {})[str(words)] = number
    return {
        "pages": len(teaser_pages.SEEN) * teaser_pages.PAGES,
        "found": found,
        "rejected": {name: rejected(shared, name) for name in REJECTED},
    }


def rejected(shared: Path, name: str) -> dict[str, Any]:
    """The share of the articles of a set that each verdict takes for overview pages."""
    count, pages = dict.fromkeys(VERDICTS, 0), 0
    with click.progressbar(
        datasets.read(shared / "datasets" / f"{name}.jsonl.xz"), label=f"{name}, articles"
    ) as examples:
        for example in examples:
            if example.page_type in (None, "article"):
                page, pages = tamis.parse(example.html), pages + 1
                for verdict, method in VERDICTS.items():
                    count[verdict] += is_overview(method.overview(page))
    return {"pages": pages, **{verdict: number / pages for verdict, number in count.items()}}


# --- Thanadechteemapat, Fung 2011 ----------------------------------------------------------------


def run_thai(shared: Path, cache: Cache) -> dict[str, Any]:
    """Precision, recall and F by length without spaces, for the paper's rules alone and ours."""
    result: dict[str, Any] = cache.get("thai", lambda: length_rows(shared))
    return dict(result, mean=np.mean(list(result.values()), axis=0).tolist())


def show_thai(result: dict[str, Any]) -> None:
    """A row per page."""
    print("| page | rules of the paper: P | R | F | default: P | R | F |")
    print("|---|---|---|---|---|---|---|")
    for name, (paper, default) in result.items():
        print(f"| {name} |", " | ".join(f"{value:.3f}" for value in (*paper, *default)), "|")


def length_rows(shared: Path) -> dict[str, Any]:
    """For each page the figures as published and by default."""
    rows = {}
    for page in pages_of(shared, "languages"):
        scores = []
        for parameters in ({"variant": "paper"}, {}):
            options = tamis.Options(method="xpath_blocks", parameters=parameters)
            text = tamis.extract(page.html, options=options).text
            scores.append(tuple(measures.compare_lengths(text, page.text or "")))
        rows[page.id] = scores
    return rows


Measure: TypeAlias = Callable[[Path, Cache], dict[str, Any]]
Show: TypeAlias = Callable[[dict[str, Any]], None]
RUNS: dict[str, tuple[Measure, Show]] = {
    "kim": (run_kim, show_kim),
    "peters-lecocq": (run_peters_lecocq, show_peters_lecocq),
    "lang": (run_lang, show_lang),
    "thai": (run_thai, show_thai),
}
"""What measures, and what prints the tables."""


def main() -> None:
    """Parse the command line and run."""
    parser = script.parser(__doc__)
    parser.add_argument("what", choices=tuple(RUNS))
    parser.add_argument("--cache", type=Path, default=script.ROOT / "build" / "papers")
    parser.add_argument("--again", action="store_true", help="do not use what is in the cache")
    parser.add_argument("--stored", action="store_true", help="print the figures of the last run")
    arguments = parser.parse_args()
    out = script.RESULTS / f"papers-{arguments.what}.json"
    measure, show = RUNS[arguments.what]
    if not arguments.stored:
        script.write(out, measure(arguments.shared, Cache(arguments.cache, arguments.again)))
    show(json.loads(out.read_text("utf-8")))


if __name__ == "__main__":
    main()
