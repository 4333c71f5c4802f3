"""The default method on each training set by weights that saw neither the set nor its sites.

    python benchmarks/leave_one_out.py                     ten sets in five runs of 20 minutes
    python benchmarks/leave_one_out.py --without forum52   one of them alone
    python benchmarks/leave_one_out.py --trees 0.3         with a third of the trees, faster

Folds over sites show how well a method does on new sites of a known kind of data; this shows how
well on new data: other years, languages, kinds of pages and annotators. Most runs leave out two or
three sets of different kinds at once, which is harder than one alone. The sets that are never
trained on (dragnet, cleaneval-final, l3s-gn1, big9, languages) need no such run. Results are added
to benchmarks/results/leave_one_out.json run by run; what is there already is not made again.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import script

from tamis.decision import decide
from tamis.methods.tamis import Tamis
from tamis.model.features import spec
from tamis.model.weights.load import Card, save
from tamis.options import Options
from tamis.train import boosted, corpus
from tamis.train.boosted import TrainingTable, domain_of
from tamis.train.documents import LabelledPage
from tamis.train.labels import read
from tamis.train.run import PageMeasures, measures_of, summary

RUNS = (
    ("wcxb-dev",),
    ("news2023", "forum52"),
    ("scrapinghub", "mercury", "recipes"),
    ("readability", "world-news"),
    ("trafilatura-eval", "records"),
)
SETS = tuple(name for run in RUNS for name in run)
RESULTS = script.RESULTS / "leave_one_out.json"


def trained_without(pages: Sequence[LabelledPage], names: Sequence[str], folder: Path) -> Tamis:
    """The method by weights that saw neither some sets nor a page of their sites."""
    known = {domain_of(page.site) for page in pages if page.example.dataset in names}
    others = [page for page in pages if domain_of(page.site) not in known]
    whole = TrainingTable(list(corpus.samples(others)))
    made = boosted.train(whole, list(corpus.refusals()), say=print)
    path = folder / "without.npz"
    save(
        path,
        made.arrays,
        Card(method="tamis", spec=spec.VERSION, features=spec.NAMES, training_sets={}),
    )
    return Tamis(weights=str(path))


def measured(pages: Sequence[LabelledPage], method: Tamis) -> list[PageMeasures]:
    """F1 or snippets of each page."""
    result = []
    for source in pages:
        kept = decide(source.page, method.score(source.page), method, Options()).kept
        result.append(measures_of(source, kept))
    return result


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
    figures: dict[str, dict[str, float]] = {}
    if RESULTS.exists():
        figures = json.loads(RESULTS.read_text("utf-8"))["figures"]
    pages = read([chosen.shared / "datasets" / f"{name}.jsonl.xz" for name in SETS], print)
    for names in [chosen.without] if chosen.without else RUNS:
        if figures.keys() >= set(names):
            continue
        print("without", *names, flush=True)
        with tempfile.TemporaryDirectory() as folder:
            method = trained_without(pages, names, Path(folder))
            for name in names:
                own = [page for page in pages if page.example.dataset == name]
                figures[name] = summary(measured(own, method))
        script.write(RESULTS, {"settings": {"trees": chosen.trees}, "figures": figures})
    print("| set | F1 |\n|---|---|")
    for own_figures in figures.values():
        for label, value in own_figures.items():
            print(f"| {label} | {value:.4f} |")


if __name__ == "__main__":
    main()
