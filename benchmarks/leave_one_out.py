"""The default method on each training set by weights that saw neither the set nor its sites.

    python benchmarks/leave_one_out.py                     ten sets in five runs of 20 minutes
    python benchmarks/leave_one_out.py --without forum52   one of them alone
    python benchmarks/leave_one_out.py --trees 0.3         with a third of the trees, faster

Folds over sites show how well a method does on new sites of a known kind of data; this shows how
well on new data: other years, languages, kinds of pages and annotators. Most runs leave out two or
three sets of different kinds at once, which is harder than one alone. The sets that are never
trained on (dragnet, cleaneval-final, l3s-gn1, big9, languages) need no such run. The weights stay
in build/leave_one_out and are not made again; benchmarks/results/leave_one_out.json has the table.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import script
from training import boosted, corpus
from training.boosted import TrainingTable
from training.default_method import PageMeasures, measures_of, summary
from training.reading import read

import tamis
from tamis.model.features import spec
from tamis.model.weights.load import Card, save
from tamis.train.labelled_pages import LabelledPage, domain_of

RUNS = (
    ("wcxb-dev",),
    ("news2023", "forum52"),
    ("scrapinghub", "mercury", "recipes"),
    ("readability", "world-news"),
    ("trafilatura-eval", "records"),
)
SETS = tuple(name for run in RUNS for name in run)
RESULTS = script.RESULTS / "leave_one_out.json"
WEIGHTS = script.ROOT / "build/leave_one_out"
FOLDS = ", folds by site"


def trained_without(pages: Sequence[LabelledPage], names: Sequence[str], path: Path) -> None:
    """Make the weights of the method that saw neither some sets nor a page of their sites."""
    known = {domain_of(page.site) for page in pages if page.example.dataset in names}
    others = [page for page in pages if domain_of(page.site) not in known]
    whole = TrainingTable(list(corpus.samples(others)))
    made = boosted.train(whole, list(corpus.refusals()), say=print)
    save(
        path,
        made.arrays,
        Card(method="tamis", spec=spec.VERSION, features=spec.NAMES, training_sets={}),
    )


def measured(pages: Sequence[LabelledPage], weights: Path) -> list[PageMeasures]:
    """F1 or snippets of each page."""
    options = tamis.Options(parameters={"weights": str(weights)})
    measures = []
    for source in pages:
        result = tamis.extract(source.page, url=source.example.url, options=options)
        measures.append(measures_of(replace(source, page=result.page), result.kept))
    return measures


def main() -> None:
    """Train what is missing and print the table."""
    parser = script.parser(__doc__)
    parser.add_argument("--without", nargs="+", choices=SETS, help="one run, without these sets")
    parser.add_argument("--trees", type=float, default=1.0, help="share of the usual trees")
    chosen = parser.parse_args()
    for stage in ("FIRST", "SECOND"):
        usual = getattr(boosted, stage)
        rate = {"learning_rate": usual.parameters["learning_rate"] / chosen.trees}
        trees = round(usual.trees * chosen.trees)
        setattr(
            boosted, stage, replace(usual, trees=trees, parameters={**usual.parameters, **rate})
        )
    WEIGHTS.mkdir(parents=True, exist_ok=True)
    figures: dict[str, float] = {}
    pages = read([chosen.shared / "datasets" / f"{name}.jsonl.xz" for name in SETS], print)
    for names in [chosen.without] if chosen.without else RUNS:
        weights = WEIGHTS / f"{'-'.join(names)}-{chosen.trees:g}.npz"
        if not weights.exists():
            print("without", *names, flush=True)
            trained_without(pages, names, weights)
        for name in names:
            own = [page for page in pages if page.example.dataset == name]
            for label, value in summary(measured(own, weights)).items():
                figures[label.removesuffix(FOLDS)] = value
        script.write(RESULTS, {"settings": {"trees": chosen.trees}, "figures": figures})
    print("| set | F1 |\n|---|---|")
    for label, value in figures.items():
        print(f"| {label} | {value:.4f} |")


if __name__ == "__main__":
    main()
