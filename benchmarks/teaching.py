"""Whether a few pages of one's own make the shipped weights better, and never worse.

    python benchmarks/teaching.py --folds DIR              the table of docs/how-to/teaching.md
    python benchmarks/teaching.py --folds DIR --quick      a quick look, one draw of each

Sites, page types and data sets with labels of their own taste play "mine": `tamis train tamis`
learns from k of their pages, and the others are the test, of the same site where
the kind is a site, else of other sites. Each page starts from weights that did not see its site:
`--folds` is the folder to which `train.py tamis` writes them. A draw is better or worse if the
mean F1 of its test pages is; if the cross-validation of the k pages sees no gain, nothing changes.

Needs the shared folder (`--shared`). Prints Markdown, writes benchmarks/results/teaching.json.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import script
from training.folds import fold_of, load_methods

from tamis.labels import datasets
from tamis.labels.datasets import Example, hash_of
from tamis.methods.tamis import Tamis
from tamis.train.correction import Teacher
from tamis.train.labelled_pages import LabelledPage, align_pages, domain_of, site_of
from tamis.train.teaching import Course, choose_strength

OUT = script.RESULTS / "teaching.json"
SIZES = (5, 20, 100)
DRAWS = 4
SITE_DRAWS = 1
LARGE_DRAWS = 1  # of 100 pages
MOST_TESTED = 40
FEWEST_TESTED = 5
MOST_PAGES = 200  # of a kind
LONGEST = 1_500_000  # characters of a page
FEWEST_OF_SITE = 10

TYPES = ("forum", "product", "listing", "collection", "service", "documentation")
WHOLE_SETS = (
    "cleaneval-final", "dragnet", "forum52", "l3s-gn1", "mercury", "news2023", "recipes", "records",
)  # fmt: skip
SITES = ("big9", "records", "l3s-gn1", "wcxb-dev")


@dataclass(frozen=True)
class Kind:
    """Pages that play "mine"."""

    name: str
    group: str
    """What it is shown with: all sites of a set are one line."""
    examples: Sequence[Example]
    one_site: bool = False


def kinds(shared: Path) -> Iterator[Kind]:
    """Sets, page types, and sites with enough pages."""
    for name in sorted({*WHOLE_SETS, *SITES}):
        examples = [
            example
            for example in datasets.read(shared / "datasets" / f"{name}.jsonl.xz")
            if len(example.html) < LONGEST
        ]
        if name == "dragnet":  # which does not say the sites of its pages
            examples = [replace(example, site=f"{example.id}.example") for example in examples]
        if name in WHOLE_SETS:
            yield Kind(name, name, drawn(examples))
        if name == "dragnet":
            yield Kind(
                "dragnet, comments wanted", "dragnet, comments wanted", with_comments(examples)
            )
        if name == "wcxb-dev":
            for page_type in TYPES:
                own = [example for example in examples if example.page_type == page_type]
                yield Kind(f"{page_type} pages", f"{page_type} pages", drawn(own))
        if name in SITES:
            counts = Counter(map(site_of, examples))
            for site in sorted(site for site, count in counts.items() if count >= FEWEST_OF_SITE):
                own = [example for example in examples if site_of(example) == site]
                yield Kind(f"{name}: {site}", f"sites of {name}", own, one_site=True)


def drawn(examples: Iterable[Example]) -> list[Example]:
    """At most so many, the same on every run."""
    return datasets.sample(examples, MOST_PAGES)


def with_comments(examples: Iterable[Example]) -> list[Example]:
    """The pages with comments, which are wanted here."""
    return drawn(
        replace(example, text=f"{example.text}\n{example.comments}")
        for example in examples
        if example.comments and len(example.comments) > 200
    )


@dataclass(frozen=True)
class Draw:
    """What was taught by k pages of a kind, and what came of it."""

    kind: str
    group: str
    pages: int
    before: float
    gain: float
    strength: float


def draws(kind: Kind, methods: Sequence[Tamis], *, quick: bool) -> Iterator[Draw]:
    """Teach with k pages of a kind, test on the others."""
    pages = align_pages(sorted(kind.examples, key=site_of))[0]
    if not any(enough(pages, size) for size in SIZES):
        return
    teacher = Teacher(pages, [methods[fold_of(page.site)] for page in pages])
    before = teacher.measure(range(len(pages))).f1
    for size in SIZES:
        count = SITE_DRAWS if kind.one_site else DRAWS if size < SIZES[-1] else LARGE_DRAWS
        for number in range((1 if quick else count) if enough(pages, size) else 0):
            seed = int.from_bytes(hash_of(f"{kind.name} {size} {number}")[:4], "big")
            order = np.random.default_rng(seed).permutation(len(pages))
            own, others = order[:size], tested(pages, order, size, kind.one_site)
            if len(others) < FEWEST_TESTED:
                continue
            strength = choose_strength(Course(teacher, own).cross_validate())
            gain = 0.0
            if strength:
                correction = teacher.learn(own).scale(strength)
                gain = float((teacher.measure(others, correction).f1 - before[others]).mean())
            tested_before = float(before[others].mean())
            yield Draw(kind.name, kind.group, size, tested_before, gain, strength)


def enough(pages: Sequence[LabelledPage], size: int) -> bool:
    """Whether some are left to test."""
    return len(pages) >= size + FEWEST_TESTED


def tested(
    pages: Sequence[LabelledPage], order: np.ndarray, size: int, one_site: bool
) -> np.ndarray:
    """The pages of a draw that are tested: of other sites than those that taught."""
    known = set() if one_site else {domain_of(pages[page].site) for page in order[:size]}
    others = [page for page in order[size:] if domain_of(pages[page].site) not in known]
    return np.array(others[:MOST_TESTED], np.intp)


# --- the table --------------------------------------------------------------------------------


def row(name: str, own: Sequence[Draw]) -> dict[str, object]:
    """The draws of a kind with k pages in one line."""
    gains = np.array([draw.gain for draw in own])
    return {
        "kind": name,
        "pages": own[0].pages,
        "draws": len(own),
        "before": round(float(np.mean([draw.before for draw in own])), 4),
        "gain": round(float(gains.mean()), 4),
        "better": round(float((gains > 0).mean()), 3),
        "unchanged": round(float((gains == 0).mean()), 3),
        "worse": round(float((gains < 0).mean()), 3),
    }


def table(results: Sequence[Draw]) -> list[dict[str, object]]:
    """A line for each kind and number of pages, and one for all."""
    rows = []
    for size in SIZES:
        of_size = [draw for draw in results if draw.pages == size]
        for group in sorted({draw.group for draw in of_size}):
            rows.append(row(group, [draw for draw in of_size if draw.group == group]))
        if of_size:
            rows.append(row("all", of_size))
    return rows


def main() -> None:
    """Run it."""
    parser = script.parser(__doc__)
    parser.add_argument("--folds", type=Path, required=True)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--kind", help="only kinds whose name has this in it")
    parser.add_argument("--out", type=Path)
    arguments = parser.parse_args()
    methods = load_methods(arguments.folds)
    results: list[Draw] = []
    print("| kind | k | draws | F1 before | gain | better | unchanged | worse |")
    print("|---|---|---|---|---|---|---|---|")
    for kind in kinds(arguments.shared):
        if arguments.kind and arguments.kind not in kind.name:
            continue
        results += draws(kind, methods, quick=arguments.quick)
        print(f"{kind.name}: {len(results)} draws", file=sys.stderr, flush=True)
    rows = table(results)
    for each in rows:
        print("| " + " | ".join(map(str, each.values())) + " |", flush=True)
    out = arguments.out or (None if arguments.quick or arguments.kind else OUT)
    if out:
        script.write(out, {"rows": rows, "draws": [vars(draw) for draw in results]})


if __name__ == "__main__":
    main()
