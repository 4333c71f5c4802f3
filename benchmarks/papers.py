"""The tables of the papers, made again.

    python benchmarks/papers.py kim              text blocks: L3S-GN1 and wcxb-dev
    python benchmarks/papers.py peters-lecocq    pages: trained on Dragnet's 2012 training split
    python benchmarks/papers.py lang             CleanEval, and overview pages of wcxb-dev
    python benchmarks/papers.py thai             lengths on the pages of `languages`

Needs the shared folder (`--shared`, default ../shared beside the repository) and scikit-learn.
`kim` has the content class by ten-fold cross-validation over blocks, as the paper has it, and over
pages and sites, since blocks of one page in several folds flatter every method. `peters-lecocq` has
Table 1 and the mean F1 of a page, every word distinct, matched in order; gold is text and comments,
and pages without gold are left out, as the authors' program does. What is
done is kept in build/papers, so that a run that was stopped goes on where it was; `--again` starts
over. Writes benchmarks/results/papers-*.json and prints the tables beside the published figures.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import click
import numpy as np
import script

import tamis
from tamis.evaluate import datasets, measures
from tamis.evaluate.datasets import Example
from tamis.methods import dragnet
from tamis.methods import text_block_context as context
from tamis.methods.cetr import Cetr
from tamis.methods.textsweeper import Textsweeper
from tamis.model.weights.load import Arrays
from tamis.train import align, fit
from tamis.train import dragnet as fit_dragnet
from tamis.train.documents import documents

SEED = 2013
# wcxb-dev has half a million of the paper's text blocks; these take minutes instead of an hour.
ROWS = 100_000

PUBLISHED_KIM = {
    "boilerpipe features": {"precision": 0.858, "recall": 0.778, "f": 0.816},
    "text block context": {"precision": 0.873, "recall": 0.827, "f": 0.849},
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
PUBLISHED_TOKENS = {
    "menu": (1 / 373.6, 0.022), "widget": (1 / 314.1, 0.046), "nav": (1 / 68.9, 0.033),
    "facebook": (1 / 18.3, 0.013), "top": (1 / 13.3, 0.019), "twitter": (1 / 8.5, 0.023),
    "title": (1 / 3.3, 0.105), "header": (1 / 2.9, 0.037), "comment": (3.2, 0.213),
    "author": (4.9, 0.079), "thread": (5.0, 0.03), "avatar": (42.1, 0.032),
}  # fmt: skip
"""Table 1 of Peters and Lecocq: odds ratio, percent of blocks."""
TRAININGS = {
    "paper": fit_dragnet.Training(blocks="paper", most_words=200),
    "paper, blocks weigh the same": fit_dragnet.Training(blocks="paper", most_words=1),
    "text": fit_dragnet.Training(),
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
    with click.progressbar(documents(path, comments=comments), label=f"{name}, pages") as bar:
        yield from bar


# --- Kim, Kim, Song, Khil 2013 -----------------------------------------------------------------


def run_kim(shared: Path, cache: Cache) -> dict[str, Any]:
    """Precision, recall and F of the content class, by data set, features and folds."""
    result: dict[str, Any] = {}
    for name in ("l3s-gn1", "wcxb-dev"):
        result[name] = cache.get(f"kim {name}", partial(kim_rows, shared, name))
    print("| set | features | folds over | precision | recall | F | published P, R, F |")
    print("|---|---|---|---|---|---|---|")
    line = "| {} | {} | {} | {precision:.3f} | {recall:.3f} | {f:.3f} | {} |"
    for name, rows in result.items():
        for features, published in PUBLISHED_KIM.items():
            for by in ("block", "page", "site"):
                figures = ", ".join(f"{value:.3f}" for value in published.values())
                shown = figures if (name, by) == ("l3s-gn1", "block") else ""
                print(line.format(name, features, by, shown, **rows[features][by]))
    for name, rows in result.items():
        print(f"{name}: {rows['blocks']} blocks, {rows['content']:.2%} content")
    return result


def kim_rows(shared: Path, name: str) -> dict[str, Any]:
    """All rows of one data set."""
    table = fit.context_table(pages_of(shared, name)).sample(ROWS, SEED)
    width = len(context.ATTRIBUTES)
    # Word and link density of the block, the one before and the one after.
    shallow = [width * place + attribute for place in (1, 2, 3) for attribute in (0, 1)]
    tables = {
        "boilerpipe features": table.rows[:, shallow],
        "text block context": context.binary(table.rows),
    }
    result: dict[str, Any] = {"blocks": len(table), "content": float(table.content.mean())}
    todo = [(features, by) for features in tables for by in ("block", "page", "site")]
    with click.progressbar(todo, label=f"{name}, tables") as bar:
        for features, by in bar:
            measured = fit.cross_validated(
                tables[features], table, by, lambda: fit.tree_learner(SEED), folds=10, seed=SEED
            )
            figures = {"precision": measured.precision, "recall": measured.recall}
            result.setdefault(features, {})[by] = {**figures, "f": measured.f1}
    return result


# --- Peters and Lecocq 2013 --------------------------------------------------------------------


def run_peters_lecocq(shared: Path, cache: Cache) -> dict[str, Any]:
    """Table 1, and the mean F1 by method and data set, with published blocks and with ours."""
    fitted = {
        label: cache.get(f"peters-lecocq {label} model", partial(fitted_dragnet, shared, training))
        for label, training in TRAININGS.items()
    }
    models: dict[str, Arrays] = {
        label: {name: np.array(value) for name, value in stored["arrays"].items()}
        for label, stored in fitted.items()
    }
    tokens = {label: stored["tokens"] for label, stored in fitted.items()}
    result: dict[str, Any] = {"tokens": tokens}
    for name in ("cleaneval-final", "big9", "dragnet"):
        scores = cache.get(f"peters-lecocq {name}", partial(page_scores, shared, name, models))
        for column, rows in scores.items():
            result[column] = {method: float(np.mean(values)) for method, values in rows.items()}
            result[column]["pages"] = len(next(iter(rows.values())))
    print_tokens(tokens)
    print("\n| | blocks | " + " | ".join(COLUMNS) + " |")
    print("|---|---|" + "---|" * len(COLUMNS))
    for method, published in PUBLISHED_DRAGNET.items():
        print(f"| {method} | printed |", " | ".join(map("{:.3f}".format, published)), "|")
        for label in models:
            figures = [result[column].get(f"{method}, {label}") for column in COLUMNS]
            if None not in figures:
                print(f"| | {label} |", " | ".join(map("{:.3f}".format, figures)), "|")
    lines = " | ".join(f"{result[column][LINES]:.3f}" for column in COLUMNS)
    print(f"| {LINES} | | {lines} |")
    return result


def print_tokens(tokens: dict[str, dict[str, list[float]]]) -> None:
    """Table 1: content to no content, and the part of the blocks of the likelier kind."""
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


def fitted_dragnet(shared: Path, training: fit_dragnet.Training) -> dict[str, Any]:
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


def page_scores(
    shared: Path, name: str, models: dict[str, Arrays]
) -> dict[str, dict[str, list[float]]]:
    """F1 of each page that has a gold text, by column of the table and method."""
    result: dict[str, dict[str, list[float]]] = {}
    for document in pages_of(shared, name, comments=True):
        column = name if name != "dragnet" else f"2012 {document.split}"
        gold = measures.tokens(document.text or "")
        if column not in COLUMNS or not gold:
            continue
        page = tamis.parse(document.html)
        for label, arrays in models.items():
            units = dragnet.units_of(page, TRAININGS[label].blocks)
            words = [measures.tokens(text) for text in units.texts]
            verdicts = {
                f"{method}, {label}": scores_of(method, units, arrays) >= 0.5
                for method in PUBLISHED_DRAGNET
                if label in dragnet.BLOCKS or method not in ("baseline", "CETR")
            }
            if isinstance(units, dragnet.TextBlocks):
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
    return dragnet.probabilities(units, method.lower(), arrays)


def f1(kept_words: list[str], gold: list[str]) -> float:
    """F1 of words, every word distinct, by the longest common subsequence."""
    if not kept_words or not gold:
        return float(not kept_words and not gold)
    return 2 * int(align.matched(kept_words, gold).sum()) / (len(kept_words) + len(gold))


# --- Lang, Wohlgenannt, Weichselbraun 2012 -------------------------------------------------------

OVERVIEW_TYPES = ("listing", "collection")


def run_lang(shared: Path, cache: Cache) -> dict[str, Any]:
    """TextSweeper on CleanEval (their future work), and its verdict on overview pages."""
    result = {
        "cleaneval": cache.get("lang cleaneval", lambda: cleaneval_scores(shared)),
        **cache.get("lang overview", lambda: overview_figures(shared)),
    }
    print(f"cleaneval-final: bag-of-words F1 {result['cleaneval']:.3f}")
    print(
        "overview pages ({overview} of {pages}): area under the curve {area:.3f}; balanced accuracy"
        " {at_threshold:.3f} below {threshold:.0f} characters of net text, {at_best:.3f} below"
        " {best:.0f}, the best single threshold (chosen on these pages)".format(**result)
    )
    for kind, share in result["flagged"].items():
        print(f"  {kind}: {share:.0%} called overview pages")
    return result


def cleaneval_scores(shared: Path) -> float:
    """Mean bag-of-words F1 of the pages of CleanEval."""
    options = tamis.Options(method="textsweeper")
    scores = [
        measures.bag_of_words(tamis.extract(page.html, options=options).text, page.text or "").f1
        for page in pages_of(shared, "cleaneval-final")
    ]
    return float(np.mean(scores))


def overview_figures(shared: Path) -> dict[str, Any]:
    """How well the net text tells listings and collections from the other pages of wcxb-dev."""
    method = Textsweeper()
    path = shared / "datasets" / "wcxb-dev.jsonl.xz"
    with click.progressbar(datasets.read(path), label="wcxb-dev") as examples:
        scored = [
            (method.overview_score(tamis.parse(example.html)), example.page_type or "")
            for example in examples
        ]
    net = np.array([score for score, _ in scored])
    kinds = np.array([kind for _, kind in scored])
    overview = np.isin(kinds, OVERVIEW_TYPES)

    def balanced(threshold: float) -> float:
        flagged = net < threshold
        return float((flagged[overview].mean() + (~flagged)[~overview].mean()) / 2)

    best = max(np.unique(net), key=balanced)
    # The chance that an overview page has less net text than another, ties counting half.
    less = (net[overview][:, None] < net[~overview]).mean()
    equal = (net[overview][:, None] == net[~overview]).mean()
    return {
        "pages": len(net),
        "overview": int(overview.sum()),
        "area": float(less + equal / 2),
        "threshold": method.overview_below,
        "at_threshold": balanced(method.overview_below),
        "best": float(best),
        "at_best": balanced(best),
        "flagged": {
            str(kind): float((net[kinds == kind] < method.overview_below).mean())
            for kind in np.unique(kinds)
        },
    }


# --- Thanadechteemapat, Fung 2011 ----------------------------------------------------------------


def run_thai(shared: Path, cache: Cache) -> dict[str, Any]:
    """Precision, recall and F by length without spaces, for the paper's rules alone and ours."""
    result: dict[str, Any] = cache.get("thai", lambda: length_rows(shared))
    print("| page | rules of the paper: P | R | F | default: P | R | F |")
    print("|---|---|---|---|---|---|---|")
    rows = dict(result, mean=np.mean(list(result.values()), axis=0).tolist())
    for name, (paper, default) in rows.items():
        print(f"| {name} |", " | ".join(f"{value:.3f}" for value in (*paper, *default)), "|")
    return result


def length_rows(shared: Path) -> dict[str, Any]:
    """For each page the figures without and with the filter of small groups."""
    rows = {}
    for page in pages_of(shared, "languages"):
        scores = []
        for parameters in ({"least_group": 0.0}, {}):
            options = tamis.Options(method="xpath_blocks", parameters=parameters)
            text = tamis.extract(page.html, options=options).text
            scores.append(tuple(measures.length(text, page.text or "")))
        rows[page.id] = scores
    return rows


RUNS = {
    "kim": run_kim,
    "peters-lecocq": run_peters_lecocq,
    "lang": run_lang,
    "thai": run_thai,
}


def main() -> None:
    """Parse the command line and run."""
    parser = script.parser(__doc__)
    parser.add_argument("what", choices=tuple(RUNS))
    parser.add_argument("--cache", type=Path, default=script.ROOT / "build" / "papers")
    parser.add_argument("--again", action="store_true", help="do not use what is in the cache")
    arguments = parser.parse_args()
    cache = Cache(arguments.cache, arguments.again)
    result = RUNS[arguments.what](arguments.shared, cache)
    out = script.RESULTS / f"papers-{arguments.what}.json"
    script.write(out, result)


if __name__ == "__main__":
    main()
