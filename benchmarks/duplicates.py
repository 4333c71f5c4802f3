"""How many copies the removal of duplicates finds, what else it takes for copies, and its cost.

    python benchmarks/duplicates.py --shared ../shared        about two minutes

The texts are those that tamis extracts, of at least eight words. Recall: changed copies of each
text of wcxb-dev, after the text and the three of the set that are most like the copy. Precision:
the true Jaccard similarity of pairs of pages of one site, and what is found when the pages of five
sets come one after the other.
Justifies `SIMILAR` of src/tamis/corpus/steps/duplicates.py. Writes
benchmarks/results/duplicates.json.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import time
from collections import Counter, defaultdict
from collections.abc import Callable
from itertools import combinations, pairwise
from pathlib import Path

import click
import numpy as np
import script

from tamis import TamisError, extract
from tamis.corpus.steps import duplicates
from tamis.corpus.steps.duplicates import FEWEST_WORDS, SIZE, Seen, make_signature
from tamis.labels import datasets
from tamis.model.features.word_hashes import hash_words
from tamis.train.labelled_pages import site_of

OUT = script.RESULTS / "duplicates.json"
SETS = ("wcxb-dev", "big9", "news2023", "trafilatura-eval", "dragnet")
THRESHOLDS = (0.6, 0.7, 0.8)
MOST_PAGES = 60  # of a site, whose pairs are compared
MANY = 200_000  # signatures, for time and memory


def texts_of(path: Path) -> list[tuple[str, str]]:
    """Site (empty if not known) and extracted text of each page."""
    pages = []
    for example in datasets.read(path):
        try:
            text = extract(example.html, url=example.url).text
        except TamisError:
            continue
        if len(hash_words(text.encode("utf-8", "replace"))) >= FEWEST_WORDS:
            site = site_of(example) if example.site or example.url else ""
            pages.append((site and f"{example.dataset} {site}", text))
    return pages


def changed(share: float, others: list[str], lot: random.Random) -> Callable[[str], str]:
    """Puts words of other texts in the place of some."""
    words = " ".join(others[:300]).split()
    return lambda text: "\n".join(
        " ".join(lot.choice(words) if lot.random() < share else word for word in line.split())
        for line in text.split("\n")
    )


def copies(texts: list[str]) -> dict[str, Callable[[str], str]]:
    """The ways in which a copy differs."""
    lot = random.Random(1)
    return {
        "in capitals, other white space": lambda text: text.upper().replace("\n", "  "),
        **{
            f"{share:.0%} of the words changed": changed(share, texts, lot)
            for share in (0.02, 0.05, 0.1, 0.2)
        },
        "60 words of another page added": lambda text: (
            f"{text}\n{' '.join(lot.choice(texts).split()[:60])}"
        ),
        "a tenth of the lines left out": lambda text: "\n".join(
            line for line in text.split("\n") if lot.random() > 0.1
        ),
    }


def recall(texts: list[str]) -> dict[str, dict[str, float]]:
    """Share of the copies of each kind that is found, by threshold."""
    originals = [make_signature(text) for text in texts]
    known = np.array([np.frombuffer(original, "<u2", offset=8) for original in originals])
    result: dict[str, dict[str, float]] = {}
    usual = duplicates.SIMILAR
    for name, change in copies(texts).items():
        made = [make_signature(change(text)) for text in texts]
        result[name] = {}
        for threshold in THRESHOLDS:
            duplicates.SIMILAR = threshold
            caught = 0
            for number, copy in enumerate(made):
                seen = Seen()
                minima = np.frombuffer(copy, "<u2", offset=8)
                nearest = np.argsort(-(known == minima).sum(axis=1), kind="stable")[:3]
                for other in sorted({number, *nearest.tolist()}):
                    seen.add(originals[other])
                caught += seen.add(copy) != ""
            result[name][str(threshold)] = caught / len(made)
        click.echo(f"{name}: {result[name]}", err=True)
    duplicates.SIMILAR = usual
    return result


def same_site(pages: list[tuple[str, str]]) -> dict[str, int]:
    """How many pairs of pages of one site have which true similarity of their pairs of words."""
    by_site: dict[str, list[set[tuple[int, int]]]] = defaultdict(list)
    for site, text in pages:
        if site and len(by_site[site]) < MOST_PAGES:
            words = hash_words(text.encode("utf-8", "replace")).tolist()
            by_site[site].append(set(pairwise(words)))
    similarities = [
        len(first & second) / len(first | second)
        for bags in by_site.values()
        for first, second in combinations(bags, 2)
    ]
    least = (0.3, 0.4, 0.6, 0.7)
    return {"all": len(similarities)} | {
        f"from {first}": sum(v >= first for v in similarities) for first in least
    }


def cost(texts: list[str]) -> dict[str, float]:
    """Milliseconds of a signature and of a comparison; bytes of memory for a text."""
    text = " ".join(" ".join(texts).split()[:600])
    times = []
    for _ in range(200):
        began = time.perf_counter()
        make_signature(text)
        times.append(time.perf_counter() - began)
    lot = np.random.default_rng(1)
    made = [lot.bytes(SIZE) for _ in range(MANY)]
    before = resident()
    seen = Seen()
    began = time.perf_counter()
    for sketch in made:
        seen.add(sketch)
    return {
        "signature of 600 words, ms": 1000 * min(times),
        "comparison, ms": 1000 * (time.perf_counter() - began) / MANY,
        f"memory for each of {MANY:,}, bytes": (resident() - before) / MANY,
    }


def resident() -> int:
    """Bytes of memory of this process."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def main() -> None:
    """Measure, print and write."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    script.add_data(parser)
    folder = parser.parse_args().shared / "datasets"
    pages = []
    for name in SETS:
        click.echo(f"extracting {name}", err=True)
        pages.append(texts_of(folder / f"{name}.jsonl.xz"))
    all_pages = [page for set_pages in pages for page in set_pages]
    seen = Seen()
    results = {
        "pages": len(all_pages),
        "found in order": Counter(seen.add(make_signature(text)) or "new" for _, text in all_pages),
        "recall": recall([text for _, text in pages[0]]),
        "pairs of one site": same_site(all_pages),
        "cost": cost([text for _, text in all_pages]),
    }
    script.write(OUT, results)
    click.echo(json.dumps(results, indent=1))


if __name__ == "__main__":
    main()
