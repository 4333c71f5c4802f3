"""How clean, how whole and how fast the terms of a tag cloud are.

    python benchmarks/cloud.py                   everything, about a minute
    python benchmarks/cloud.py --folds DIR       the wider sample by weights that did not see a site
    python benchmarks/cloud.py --only thai       one part; the others stay as they were written

    thai         the Thai page of the set `languages` and the Thai pages of the tests: how many of
                 the 30 heaviest terms are not in the gold, by method, and how well the boundaries
                 of words in its Thai runs agree with ours if newmm or ICU alone, guessing from what
                 repeats or spaces cut them (`benchmarks/thai.py` measures ours against text in
                 which words are marked)
    boilerplate  pages of wcxb-dev: the share of words that are not in the gold among the 30
                 heaviest terms, of all visible text of the page and of its extracted content
    speed        texts of 5,000 words: segmenting, weighing, and drawing as SVG

The pages of wcxb-dev are drawn with a fixed seed from those with at least 150 words of gold, the
page types taking turns: the first ten make the table, the first 140 the wider sample. The rules of
`tamis.cloud.terms` were chosen on those; the next 140 only check them. The shipped weights were
trained on wcxb-dev; `--folds` is the folder to which `train.py tamis` writes fold-0.npz to
fold-4.npz, and takes for each page the weights that did not see its site.

A term counts as not in the gold if one of its words is not, in any spelling. Time is that of the
processor, the least of some runs; the first call, which loads dictionaries, is shown apart.
Needs the shared folder (`--shared`, default ../shared beside the repository), pythainlp, nlpo3,
rjieba and icu4py. Prints Markdown and writes benchmarks/results/cloud.json.
"""

from __future__ import annotations

import datetime
import importlib.metadata
import json
import platform
import random
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import accumulate
from pathlib import Path
from typing import Any

import click
import numpy as np
import script
from icu4py.breakers import WordBreaker
from training.folds import fold_of

import tamis
from tamis.cloud.draw import Cloud
from tamis.cloud.segment import choose_segmenter, guess_words, split_words
from tamis.cloud.terms import Term, Text, weigh_terms
from tamis.cloud.thai import load_newmm
from tamis.cloud.vocabulary import RUN, normalize_word, strip_affixes
from tamis.errors import TamisError
from tamis.labels import datasets
from tamis.labels.datasets import Example
from tamis.page.tags import HIDDEN
from tamis.result import Result
from tamis.train.labelled_pages import site_of

OUT = script.RESULTS / "cloud.json"
LIBRARIES = ("pythainlp", "nlpo3", "rjieba", "icu4py")

HEAVIEST = 30
TEN, WIDER = 10, 140
SEED = 7
LEAST_GOLD = 150
"""Words of gold text; a shorter one cannot fill a cloud."""

METHODS = {
    "tamis": tamis.Options(),
    "xpath_blocks": tamis.Options(method="xpath_blocks"),
    "xpath_blocks, paper": tamis.Options(method="xpath_blocks", parameters={"variant": "paper"}),
}
"""How the content of the Thai pages is found; the last is the way of Thanadechteemapat and Fung."""

WORDS = 5_000
RUNS = 20

# --- what is measured ---------------------------------------------------------------------------


def visible(result: Result) -> str:
    """All text that a browser shows."""
    shown_blocks = np.flatnonzero((result.page.blocks.flags & HIDDEN) == 0)
    return "\n".join(result.page.block_texts(shown_blocks))


def not_in(gold: str, heaviest: Iterable[Term], language: str) -> list[str]:
    """The terms of which a word is not in the gold text."""
    known = {
        normalize_word(form)
        for word in split_words(gold, language)
        for form in (word, strip_affixes(word, language))
    }
    return [
        term.term
        for term in heaviest
        if not all(
            normalize_word(word) in known or normalize_word(strip_affixes(word, language)) in known
            for word in split_words(term.term, language)
        )
    ]


def agreement(words_of_run: Iterable[Sequence[str]], reference: Iterable[Sequence[str]]) -> float:
    """F1 of the places where words end, over runs."""
    ours, theirs = set(ends(words_of_run)), set(ends(reference))
    return 2 * len(ours & theirs) / (len(ours) + len(theirs))


def ends(runs: Iterable[Sequence[str]]) -> Iterator[int]:
    """Where words end, the runs one after the other."""
    return accumulate(len(word) for words_of_run in runs for word in words_of_run)


# --- Thai ---------------------------------------------------------------------------------------


def thai_pages(shared: Path) -> Iterator[tuple[str, str | bytes, str]]:
    """Name, HTML and gold text."""
    for example in datasets.read(shared / "datasets" / "languages.jsonl.xz"):
        if example.id == "thai_article":
            yield f"languages/{example.id}", example.html, example.text or ""
    for folder in sorted((script.ROOT / "tests" / "pages").glob("*-th")):
        expected = json.loads((folder / "expected.json").read_text("utf-8"))
        html = (folder / "source.html").read_text("utf-8")
        yield f"tests/pages/{folder.name}", html, expected["text"]


def thai(shared: Path) -> list[dict[str, Any]]:
    """One row a page."""
    rows: list[dict[str, Any]] = []
    for name, html, gold in thai_pages(shared):
        results = {how: tamis.extract(html, options=options) for how, options in METHODS.items()}
        texts: dict[str, Text | str] = {
            how: Text(result.weighed_blocks(), "th") for how, result in results.items()
        }
        texts["whole page"] = visible(results["tamis"])
        outside = {
            how: not_in(gold, weigh_terms([text], language="th", most=HEAVIEST), "th")
            for how, text in texts.items()
        }
        rows.append({"page": name, "outside": outside, **other_cuts(RUN.findall(gold))})
    others = ("newmm", "icu", "guessed", "spaces")
    print(f"\n| not in the gold, of {HEAVIEST} | {' | '.join(rows[0]['outside'])} |")
    print("|---|---|---|---|---|")
    for row in rows:
        print(
            f"| {row['page']} | {' | '.join(str(len(each)) for each in row['outside'].values())} |"
        )
    print(f"\n| boundaries as ours, F1 | {' | '.join(others)} |\n|---|---|---|---|---|")
    for row in rows:
        print(f"| {row['page']} | {' | '.join(f'{row[other]:.3f}' for other in others)} |")
    return rows


def other_cuts(runs: list[str]) -> dict[str, float]:
    """How the other ways to cut Thai agree with ours."""
    by_newmm = load_newmm()
    assert by_newmm
    cuts = {
        "newmm": {run: list(by_newmm(run)) for run in runs},
        "icu": {run: list(WordBreaker(run, "th")) for run in runs},
        "guessed": guess_words(runs),
        "spaces": {run: [run] for run in runs},
    }
    ours = choose_segmenter("Thai")(runs)
    reference = [ours[run] for run in runs]
    return {name: agreement([cut[run] for run in runs], reference) for name, cut in cuts.items()}


# --- boilerplate --------------------------------------------------------------------------------


def drawn(shared: Path) -> list[Example]:
    """The pages, types in turns."""
    by_type: dict[str, list[Example]] = {}
    for example in datasets.read(shared / "datasets" / "wcxb-dev.jsonl.xz"):
        if len(split_words(example.text or "")) >= LEAST_GOLD:
            by_type.setdefault(example.page_type or "", []).append(example)
    draw = random.Random(SEED)
    for name in sorted(by_type):
        draw.shuffle(by_type[name])
    turns = 2 * WIDER // len(by_type)
    return [by_type[name][turn] for turn in range(turns) for name in sorted(by_type)]


def boilerplate(examples: Sequence[Example], folds: Path | None) -> list[dict[str, Any]]:
    """One row a page; by the weights of the folds if there are any."""
    rows = []
    with click.progressbar(examples, label="pages of wcxb-dev", file=sys.stderr) as bar:
        for example in bar:
            chosen = (
                {"weights": str(folds / f"fold-{fold_of(site_of(example))}.npz")} if folds else {}
            )
            result = tamis.extract(
                example.html, url=example.url, options=tamis.Options(parameters=chosen)
            )
            language = str(result.metadata.language)
            row: dict[str, Any] = {"page": example.id, "type": example.page_type}
            content = Text(result.weighed_blocks())
            for name, text in (("raw", visible(result)), ("ours", content)):
                heaviest = weigh_terms([text], language=language, most=HEAVIEST)
                row[name] = not_in(example.text or "", heaviest, language)
                row[f"{name}_terms"] = len(heaviest)
            rows.append(row)
    return rows


def shares(rows: Sequence[dict[str, Any]]) -> dict[str, float]:
    """Boilerplate among the terms of all pages together."""
    share = {
        name: sum(len(row[name]) for row in rows) / sum(row[f"{name}_terms"] for row in rows)
        for name in ("raw", "ours")
    }
    return {**share, "ratio": share["ours"] / share["raw"]}


def boilerplate_tables(shared: Path, folds: Path | None) -> dict[str, Any]:
    """The ten pages one by one, and the shares of all samples."""
    examples = drawn(shared)
    rows = boilerplate(examples, None)
    print("\n| page | type | raw | ours |\n|---|---|---|---|")
    for row in rows[:TEN]:
        numbers = (f"{len(row[name])} of {row[f'{name}_terms']}" for name in ("raw", "ours"))
        print(f"| {row['page']} | {row['type']} | {' | '.join(numbers)} |")
    runs = {"": rows}
    if folds:
        runs[", sites unseen"] = boilerplate(examples, folds)
    samples = {
        f"{name}{how}": shares(parts[part])
        for how, parts in runs.items()
        for name, part in (
            (f"{TEN} pages", slice(TEN)),
            (f"{WIDER} pages", slice(WIDER)),
            (f"{WIDER} pages held out", slice(WIDER, None)),
        )
    }
    print("\n| boilerplate among the terms | raw | ours | ours / raw |\n|---|---|---|---|")
    for name, share in samples.items():
        print(f"| {name} | {share['raw']:.3f} | {share['ours']:.3f} | {share['ratio']:.3f} |")
    return {"samples": samples, "pages": [row["page"] for row in rows[:TEN]]}


# --- speed --------------------------------------------------------------------------------------


def long_text(language: str, names: Sequence[str]) -> str:
    """The gold text of test pages, over and over to 5,000 words."""
    folder = script.ROOT / "tests" / "pages"
    texts = [
        json.loads((folder / name / "expected.json").read_text("utf-8"))["text"] for name in names
    ]
    lines = "\n".join(texts).splitlines()
    text, count, line = "", 0, 0
    while count < WORDS:
        text += lines[line % len(lines)] + "\n"
        count += len(split_words(lines[line % len(lines)], language))
        line += 1
    return text


def milliseconds(call: Callable[[], object]) -> float:
    """Time of the processor."""
    start = time.thread_time()
    call()
    return (time.thread_time() - start) * 1000


def speed() -> dict[str, dict[str, float]]:
    """Milliseconds of each step, by language."""
    rows = {
        "Thai": timed("th", ["news-th", "forum-th", "shop-th"]),
        "English": timed("en", ["news-en", "forum-en", "docs-en", "product-en"]),
    }
    print(f"\n| {WORDS:,} words, ms | {' | '.join(rows['Thai'])} |\n|---|---|---|---|---|")
    for name, row in rows.items():
        print(f"| {name} | {' | '.join(f'{value:.1f}' for value in row.values())} |")
    return rows


def timed(language: str, pages: Sequence[str]) -> dict[str, float]:
    """Milliseconds of each step on one text."""
    first = milliseconds(lambda: weigh_terms(["ข่าว news"], language=language))
    text = long_text(language, pages)
    steps: dict[str, Callable[[], object]] = {
        "segment": lambda: split_words(text, language),
        "segment and weigh": lambda: weigh_terms([text], language=language),
        "segment, weigh and draw": lambda: Cloud(
            tuple(weigh_terms([text], language=language))
        ).svg(),
    }
    least = {step: min(milliseconds(call) for _ in range(RUNS)) for step, call in steps.items()}
    return {**least, "first call": first}


def main() -> None:
    """Parse the command line and run."""
    parser = script.parser(__doc__)
    parser.add_argument("--folds", type=Path, help="fold-0.npz to fold-4.npz")
    parser.add_argument("--only", choices=("speed", "thai", "boilerplate"))
    parser.add_argument("--out", type=Path, default=OUT)
    arguments = parser.parse_args()
    parts: dict[str, Callable[[], Any]] = {
        "speed": speed,
        "thai": lambda: thai(arguments.shared),
        "boilerplate": lambda: boilerplate_tables(arguments.shared, arguments.folds),
    }
    about = {
        "date": datetime.date.today().isoformat(),
        "python": platform.python_version(),
        "libraries": {name: importlib.metadata.version(name) for name in LIBRARIES},
        "seed": SEED,
    }
    try:
        before = json.loads(arguments.out.read_text("utf-8")) if arguments.only else {}
        new = {name: run() for name, run in parts.items() if arguments.only in (None, name)}
    except (TamisError, OSError, ImportError) as error:
        raise SystemExit(str(error)) from error
    script.write(arguments.out, before | about | new)


if __name__ == "__main__":
    main()
