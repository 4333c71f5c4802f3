"""How near the default method comes to the gold, beside the published methods and other libraries.

    python benchmarks/accuracy.py --folds DIR                    everything, as the README has it
    python benchmarks/accuracy.py --folds DIR --rivals none      without the other libraries
    python benchmarks/accuracy.py --folds DIR --sample 30        a quick look

The figure of a set is the mean F1 of its pages, bag of words; of trafilatura-eval, which has no
gold text, the F1 of its snippets. On the sets that the shipped weights were trained on, each page
is measured by weights that did not see its site: `--folds` is the folder to which `train.py tamis`
writes them, fold-0.npz to fold-4.npz. The weights of all folds are tried on the other sets too, as
those have pages of sites that training knew. A published method that was trained on a set has its
figure there in brackets, and it cannot be the best.

Needs the shared folder (`--shared`, default ../shared beside the repository), scikit-learn,
LightGBM and the rivals. All results are kept in the cache of `tamis bench`, the pages of each fold
in build/accuracy. Prints Markdown and writes benchmarks/results/accuracy.json, which also has the
worst pages; a run that is not a whole one writes only where `--out` says.
"""

from __future__ import annotations

import contextlib
import datetime
import gzip
import importlib.metadata
import json
import platform
import sys
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import click
import script
from training import boosted
from training.folds import FOLDS, fold_of

import tamis
from tamis._runtime import storage
from tamis.bench import rivals
from tamis.bench.contestants import Contestant, make_contestant
from tamis.bench.report import (
    SummaryRow,
    group_rows,
    list_groups,
    mean_figure,
    summarise_sets,
    summarise_types,
)
from tamis.bench.run import Bench, Trial, find_cache
from tamis.errors import TamisError
from tamis.labels import datasets
from tamis.labels.alignment import tokenize
from tamis.labels.datasets import Example
from tamis.model.weights.load import path_of_shipped
from tamis.train.labelled_pages import site_of

OUT = script.RESULTS / "accuracy.json"
DEFAULT = "tamis"

# Not cleaneval-dev, which is cleaneval-final once more, nor structure, whose gold is Markdown.
SETS = (
    "wcxb-dev", "news2023", "scrapinghub", "readability", "trafilatura-eval", "forum52",
    "world-news", "mercury", "dragnet", "cleaneval-final", "l3s-gn1", "big9", "languages",
)  # fmt: skip
TRAINED = frozenset(SETS[:8])
"""Sets that the default method was trained on, beside those that its card names."""
TYPED = "wcxb-dev"
LANGUAGES = "languages"

WORST = 20
# Some names and a few words are Latin in every text; a page of another script has 0.9 and more.
NON_LATIN = 0.5

# --- folds --------------------------------------------------------------------------------------


def dealt(path: Path, sample: int | None, folder: Path) -> list[Path]:
    """The pages of a set as one file a fold; those that are there are used again."""
    stem = f"{datasets.name_of(path)}-{sample or 'all'}"
    targets = [folder / f"{stem}-fold-{fold}.jsonl.gz" for fold in range(FOLDS)]
    newest = max(Path(source).stat().st_mtime for source in (path, boosted.__file__, __file__))
    if all(target.exists() and target.stat().st_mtime > newest for target in targets):
        return targets
    folder.mkdir(parents=True, exist_ok=True)
    examples: Iterable[Example] = datasets.read(path)
    if sample is not None:
        examples = datasets.sample(examples, sample)
    with contextlib.ExitStack() as stack:
        packed = [stack.enter_context(storage.open_replacing(target)) for target in targets]
        files = [
            stack.enter_context(gzip.open(file, "wt", compresslevel=1, encoding="ascii"))
            for file in packed
        ]
        for example in examples:
            files[fold_of(site_of(example))].write(datasets.json_line(example))
    return targets


def by_folds(bench: Bench, paths: Sequence[Path], weights: Path, folder: Path) -> list[Trial]:
    """The default method on every page, by the weights that did not see its site."""
    files = []
    with click.progressbar(paths, label="folds of the sets", file=sys.stderr) as bar:
        for path in bar:
            files.append(dealt(path, bench.sample, folder))
    whole = replace(bench, sample=None)  # the files have the sample only
    results = []
    for fold in range(FOLDS):
        contestant = make_contestant(
            DEFAULT, {"weights": str((weights / f"fold-{fold}.npz").resolve())}
        )
        pages = [parts[fold] for parts in files]
        results += ran(whole, [contestant], pages, f"{DEFAULT}, fold {fold + 1} of {FOLDS}")
    return [replace(result, contestant=make_contestant(DEFAULT)) for result in results]


def merged(seen: Sequence[Trial], folds: Sequence[Trial], trained: Iterable[str]) -> list[Trial]:
    """The results by the shipped weights, those of the folds in the sets that were trained on."""
    trained = frozenset(trained)
    by_page = {(result.gold.dataset, result.gold.id): result for result in folds}
    if len(by_page) != len(seen):
        raise SystemExit(f"{len(by_page)} pages in the folds, {len(seen)} in the sets")
    return [
        by_page[result.gold.dataset, result.gold.id] if result.gold.dataset in trained else result
        for result in seen
    ]


# --- the runs -----------------------------------------------------------------------------------


def ran(
    bench: Bench, contestants: Sequence[Contestant], paths: Sequence[Path], label: str
) -> list[Trial]:
    """The results of some contestants, with a progress bar."""
    with click.progressbar(length=1, label=label, show_pos=True, file=sys.stderr) as bar:

        def show(done: int, total: int) -> None:
            bar.length = max(total, 1)
            bar.update(done - bar.pos)

        return bench.run(contestants, paths, progress=show)


def others(bench: Bench, paths: Sequence[Path], methods: str, libraries: str) -> list[Trial]:
    """The results of the published methods and the rivals, without their texts."""
    published = [
        make_contestant(name)
        for name in chosen(methods, [*tamis.list_methods()])
        if name != DEFAULT
    ]
    others = [rivals.make_rival(name) for name in chosen(libraries, [*rivals.list_installed()])]
    results: list[Trial] = []
    # One rival after the other: the texts of all of them at once are a gigabyte.
    for together in [published, *([contestant] for contestant in others)]:
        if together:
            label = together[0].name if len(together) == 1 else "published methods"
            results += map(without_text, ran(bench, together, paths, label))
    return results


def chosen(names: str, there: list[str]) -> list[str]:
    """What an option of the command line stands for."""
    if names in ("all", "none"):
        return there if names == "all" else []
    return [name.strip() for name in names.split(",") if name.strip()]


def without_text(result: Trial) -> Trial:
    """The result with its scores alone."""
    return replace(result, outcome=replace(result.outcome, text=""))


def training_sets(name: str) -> frozenset[str]:
    """The sets that the card of a method's shipped weights names, none if it has no weights."""
    card = Path(path_of_shipped(name)).with_suffix(".json")
    sets = json.loads(card.read_text("utf-8"))["training_sets"] if card.exists() else ()
    return frozenset(sets) | (TRAINED if name == DEFAULT else frozenset())


# --- the tables ---------------------------------------------------------------------------------

Figures = dict[str, dict[str, float]]
"""Contestant to column to figure."""


def figures(rows: Sequence[SummaryRow]) -> Figures:
    """The figure of each row."""
    return {
        name: {group: row.figure for group, row in by_group.items() if row.figure is not None}
        for name, by_group in group_rows(rows).items()
    }


def known_sets(names: Iterable[str]) -> dict[str, frozenset[str]]:
    """The sets of each contestant whose figures say nothing about new pages."""
    ours = set(tamis.list_methods()) - {DEFAULT}
    return {name: training_sets(name) for name in names if name in ours}


def markdown(
    by_contestant: Figures, columns: Mapping[str, str], bracketed: Mapping[str, frozenset[str]]
) -> str:
    """One table, the best of each column in bold; `columns` gives each its heading."""
    best = {
        column: max(
            (
                round(row[column], 3)
                for name, row in by_contestant.items()
                if column in row and column not in bracketed.get(name, ())
            ),
            default=None,
        )
        for column in columns
    }
    lines = [f"| | {' | '.join(columns.values())} |", "|---|" + "---:|" * len(columns)]
    for name, row in by_contestant.items():
        cells = []
        for column in columns:
            cell = number(row[column]) if column in row else ""
            if column in row and column in bracketed.get(name, ()):
                cell = f"({cell})"
            elif column in row and round(row[column], 3) == best[column]:
                cell = f"**{cell}**"
            cells.append(cell)
        lines.append(f"| {name} | {' | '.join(cells)} |")
    return "\n".join(lines)


def number(value: float) -> str:
    """A figure with three digits, as short as it can be."""
    return f"{value:.3f}".removeprefix("0")


def set_table(rows: Sequence[SummaryRow]) -> str:
    """Sets and their mean."""
    by_contestant = figures(rows)
    bracketed = known_sets(by_contestant)
    for name, row in by_contestant.items():
        if (mean := mean_figure(rows, name)) is not None:
            row["mean"] = mean
    # A mean over sets of which some were learned from is no measure of new pages either.
    bracketed = {name: sets | {"mean"} for name, sets in bracketed.items() if sets & set(SETS)}
    columns = {group: group for group in list_groups(rows)} | {"mean": "mean"}
    return markdown(by_contestant, columns, bracketed)


def type_table(rows: Sequence[SummaryRow]) -> str:
    """Page types of one set."""
    by_contestant = figures(rows)
    pages = {row.group: row.pages for row in rows}
    all_groups = frozenset(pages)
    bracketed = {
        name: all_groups for name, sets in known_sets(by_contestant).items() if TYPED in sets
    }
    columns = {kind: f"{kind} ({count})" for kind, count in pages.items()}
    return markdown(by_contestant, columns, bracketed)


def outside_latin(text: str) -> float:
    """Share of the letters that are of another script."""
    letters = [letter for letter in text if letter.isalpha()]
    other = sum(not unicodedata.name(letter, "").startswith("LATIN") for letter in letters)
    return other / len(letters) if letters else 0.0


def worst_pages(results: Iterable[Trial]) -> list[dict[str, Any]]:
    """The pages with the lowest F1, the worst first."""
    scored = sorted(
        ((value, result) for result in results if (value := page_f1(result)) is not None),
        key=lambda pair: (pair[0], pair[1].gold.id),
    )
    return [
        {
            "id": result.gold.id,
            "page_type": result.gold.page_type,
            "f1": round(value, 4),
            "gold_words": None if result.gold.text is None else len(tokenize(result.gold.text)),
            "output_words": len(tokenize(result.outcome.text)),
            "miss": result.outcome.miss,
        }
        for value, result in scored[:WORST]
    ]


def page_f1(result: Trial) -> float | None:
    """F1 of one page, of words or else of snippets."""
    outcome = result.outcome
    if "bag_of_words" in outcome.scores:
        return outcome.scores["bag_of_words"].f1
    return None if outcome.snippets is None else outcome.snippets.score.f1


# --- all of it ----------------------------------------------------------------------------------


def report(results: Sequence[Trial], folds: Sequence[Trial]) -> dict[str, Any]:
    """Print the tables and return all that there is to write down."""
    sets = summarise_sets(results)
    kinds = summarise_types(result for result in results if result.gold.dataset == TYPED)
    other_script = [
        result
        for result in results
        if result.gold.dataset == LANGUAGES and outside_latin(result.gold.text or "") > NON_LATIN
    ]
    ours = [result for result in results if result.contestant.name == DEFAULT]
    trained = training_sets(DEFAULT)
    unseen = {
        row.group: row.figure
        for row in summarise_sets(folds)
        if row.group not in trained and row.figure is not None
    }
    print(
        "\nMean page F1;",
        ", ".join(f"{row.pages:,} {row.group}" for row in summarise_sets(ours)) + "\n",
    )
    print(set_table(sets))
    if unseen:
        shown = ", ".join(f"{name} {number(value)}" for name, value in unseen.items())
        print(f"\n{DEFAULT} by weights that saw no page of the site: {shown}")
    if kinds:
        print(f"\n{TYPED} by page type\n")
        print(type_table(kinds))
    if other_script:
        pages = list(dict.fromkeys(result.gold.id for result in other_script))
        print(f"\nThe {len(pages)} pages of {LANGUAGES} that are not in Latin script\n")
        print(markdown(figures(summarise_sets(other_script)), {LANGUAGES: "F1"}, {}))
    return {
        "pages": {row.group: row.pages for row in summarise_sets(ours)},
        "trained_on": {name: sorted(training_sets(name)) for name in tamis.list_methods()},
        "sets": described(sets),
        "mean": {name: mean_figure(sets, name) for name in group_rows(sets)},
        "folds_on_unseen_sets": unseen,
        "page_types": described(kinds),
        "not_latin": {
            "pages": list(dict.fromkeys(result.gold.id for result in other_script)),
            "sets": described(summarise_sets(other_script)),
        },
        "worst": {
            name: worst_pages(result for result in ours if result.gold.dataset == name)
            for name in list_groups(sets)
        },
    }


def described(rows: Sequence[SummaryRow]) -> dict[str, dict[str, Any]]:
    """Contestant to group to everything measured but the time, which benchmarks/speed.py takes."""
    left_out = ("contestant", "group", "milliseconds", "median_milliseconds")
    return {
        name: {
            group: {key: value for key, value in row.to_dict().items() if key not in left_out}
            for group, row in by_group.items()
        }
        for name, by_group in group_rows(rows).items()
    }


def versions(folds: Path) -> dict[str, Any]:
    """What was measured: libraries, and the checksums of the weights."""
    weights = {"shipped": Path(path_of_shipped(DEFAULT))}
    weights |= {f"fold {fold}": folds / f"fold-{fold}.npz" for fold in range(FOLDS)}
    return {
        "python": platform.python_version(),
        "tamis": tamis.__version__,
        "numpy": importlib.metadata.version("numpy"),
        "weights": {
            name: json.loads(path.with_suffix(".json").read_text("utf-8"))["sha256"]
            for name, path in weights.items()
        },
        "rivals": {name: rivals.version_of(name) for name in rivals.list_installed()},
    }


def main() -> None:
    """Parse the command line and run."""
    parser = script.parser(__doc__)
    parser.add_argument("--folds", type=Path, required=True, help="fold-0.npz to fold-4.npz")
    parser.add_argument("--sets", default=",".join(SETS), help="names, with commas between")
    parser.add_argument("--methods", default="all", help="published methods: all, none or names")
    parser.add_argument("--rivals", default="all", help="other libraries: all, none or names")
    parser.add_argument("--sample", type=int, help="pages of each set")
    parser.add_argument("--workers", type=int, help="pages at once; one a processor unless given")
    parser.add_argument("--cache", type=Path, default=find_cache())
    parser.add_argument("--work", type=Path, default=script.ROOT / "build" / "accuracy")
    parser.add_argument("--out", type=Path, help="the JSON of a run that is not a whole one")
    arguments = parser.parse_args()
    names = chosen(arguments.sets, [*SETS])
    paths = [arguments.shared / "datasets" / f"{name}.jsonl.xz" for name in names]
    bench = Bench(sample=arguments.sample, workers=arguments.workers, cache=arguments.cache)
    try:
        used = versions(arguments.folds)
        folds = by_folds(bench, paths, arguments.folds, arguments.work)
        seen = ran(bench, [make_contestant(DEFAULT)], paths, f"{DEFAULT}, shipped weights")
        ours = merged(seen, folds, training_sets(DEFAULT))
        results = ours + others(bench, paths, arguments.methods, arguments.rivals)
    except (TamisError, OSError) as error:
        raise SystemExit(str(error)) from error
    result = {
        "date": datetime.date.today().isoformat(),
        "versions": used,
        "sample": arguments.sample,
        **report(results, folds),
    }
    whole = arguments.sample is None and set(names) == set(SETS)
    whole = whole and arguments.methods == arguments.rivals == "all"
    out = arguments.out or (OUT if whole else None)
    if out is not None:
        script.write(out, result)


if __name__ == "__main__":
    main()
