"""How often title, author and date are right, beside trafilatura, turbohtml and htmldate.

    python benchmarks/metadata.py                 everything, about four minutes
    python benchmarks/metadata.py --sample 100    a quick look, which writes nothing

Rates of exact matches over the pages that have gold, on wcxb-dev, news2023 and trafilatura-eval,
apart for two halves of the sites: rules and constants were chosen on the first, the second was only
looked at in the end. `false` counts the values on pages whose gold says there is none; the gold of
trafilatura-eval leaves out many that are there.

What is the same: titles without regard to case, white space and the shape of quotes and dashes;
authors as sets of such names, split at commas, semicolons, "&", "|", "and", "und", without a
leading "by" or "von"; dates by the day. The date of tamis is `Metadata.date`.

trafilatura is asked by `extract_metadata` with its defaults, turbohtml by `Document.article`,
htmldate, which knows dates alone, by `find_date` for the original date.
Times are the mean over the pages, of tamis from its page table and of turbohtml from its tree
(making those is timed apart), of trafilatura from the text of the page, with its parsing.
Needs the shared folder and the rivals. Prints Markdown and writes benchmarks/results/metadata.json.
"""

from __future__ import annotations

import importlib.metadata
import logging
import platform
import re
import sys
import time
import warnings
from collections.abc import Callable, Hashable
from pathlib import Path
from typing import Any

import click
import script
from training.folds import fold_of

import tamis
from tamis.describe.metadata.record import describe_page
from tamis.errors import TamisError
from tamis.labels import datasets
from tamis.labels.datasets import Example
from tamis.page.declared import Declared
from tamis.page.reader import parse
from tamis.train.labelled_pages import site_of

OUT = script.RESULTS / "metadata.json"
SETS = ("wcxb-dev", "news2023", "trafilatura-eval")
HALVES = ("chosen on", "held out")

RUNS = 5
"""Of what takes a millisecond, the fastest counts: the machine has other work, too."""

Values = dict[str, str]

_SHAPES = str.maketrans("‘’‚“”„–—\u00a0", "'''\"\"\"-- ", "\u00ad\u200b")
_SEPARATOR = re.compile(r"[,;&|]|\band\b|\bund\b")


def same_text(text: str) -> Hashable:
    """A title as it is compared."""
    return " ".join(text.casefold().translate(_SHAPES).replace("…", "...").split())


def same_names(text: str) -> Hashable:
    """Authors as they are compared."""
    names = re.sub(r"^(?:by|von)\s", "", str(same_text(text)))
    return frozenset(name.strip() for name in _SEPARATOR.split(names) if name.strip())


def same_day(text: str) -> Hashable:
    """A date as it is compared."""
    return text.strip()[:10]


FIELDS: dict[str, Callable[[str], Hashable]] = {
    "title": same_text,
    "author": same_names,
    "date": same_day,
}


class Clock:
    """Seconds a contestant took, and pages."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}
        self.pages = 0

    def timed(self, name: str, work: Callable[[], Any], runs: int = 1) -> Any:
        """What `work` gives; the time of its fastest run is added up under `name`."""
        fastest = float("inf")
        for _ in range(runs):
            started = time.perf_counter()
            result = work()
            fastest = min(fastest, time.perf_counter() - started)
        self.seconds[name] = self.seconds.get(name, 0.0) + fastest
        return result


def by_tamis(example: Example, clock: Clock) -> Values:
    """What tamis says."""
    page = clock.timed("tamis, page table", lambda: parse(example.html), RUNS)
    described = clock.timed("tamis", lambda: describe_page(page, example.url), RUNS)
    clock.timed(
        "tamis, structured data alone", lambda: (Declared(page).meta, Declared(page).objects), RUNS
    )
    return {"title": described.title, "author": described.author, "date": described.date}


def structured_data(declared: Declared) -> tuple[object, ...]:
    """All that is declared."""
    return declared.meta, declared.properties, declared.objects


def by_trafilatura(example: Example, clock: Clock) -> Values:
    """What trafilatura says."""
    import trafilatura

    described = clock.timed(
        "trafilatura",
        lambda: trafilatura.extract_metadata(example.html, default_url=example.url),
    )
    return {name: getattr(described, name, None) or "" for name in FIELDS}


def by_turbohtml(example: Example, clock: Clock) -> Values:
    """What turbohtml says."""
    import turbohtml

    document = clock.timed("turbohtml, parse", lambda: turbohtml.parse(example.html), RUNS)
    clock.timed("turbohtml, structured data alone", document.structured_data, RUNS)
    described = clock.timed("turbohtml, article", document.article, RUNS)
    return {
        "title": described.title or "",
        "author": described.byline or "",
        "date": str(described.date or ""),
    }


def by_htmldate(example: Example, clock: Clock) -> Values:
    """What htmldate says."""
    import htmldate

    day = clock.timed(
        "htmldate", lambda: htmldate.find_date(example.html, url=example.url, original_date=True)
    )
    return dict.fromkeys(FIELDS, "") | {"date": day or ""}


CONTESTANTS = {
    "tamis": by_tamis,
    "trafilatura": by_trafilatura,
    "turbohtml": by_turbohtml,
    "htmldate": by_htmldate,
}


def asked(contestant: str, example: Example, clock: Clock) -> Values:
    """What a contestant says of a page; nothing if it fails."""
    try:
        return CONTESTANTS[contestant](example, clock)
    except Exception as error:  # a rival that crashes has no value
        click.echo(f"{contestant} failed on {example.id}: {error!r}", err=True)
        return dict.fromkeys(FIELDS, "")


def measure(label: str, examples: list[Example], clock: Clock) -> dict[str, Any]:
    """Counts by half, field and contestant."""
    counts: dict[str, Any] = {
        half: {
            field: {"gold": 0, "no gold": 0}
            | {name: {"right": 0, "missing": 0, "false": 0} for name in CONTESTANTS}
            for field in FIELDS
        }
        for half in HALVES
    }
    with click.progressbar(examples, label=label, file=sys.stderr) as bar:
        for example in bar:
            clock.pages += 1
            half = counts[HALVES[fold_of(site_of(example)) % 2]]
            answers = {name: asked(name, example, clock) for name in CONTESTANTS}
            for field, same in FIELDS.items():
                gold = getattr(example, field)
                half[field]["gold" if gold else "no gold"] += 1
                for name, values in answers.items():
                    if not gold:
                        half[field][name]["false"] += bool(values[field])
                    else:
                        half[field][name]["right"] += same(values[field]) == same(gold)
                        half[field][name]["missing"] += not values[field]
    return counts


def rows(name: str, counts: dict[str, Any]) -> list[str]:
    """Lines of the table for a set."""
    lines = []
    for field in FIELDS:
        for half in HALVES:
            tally = counts[half][field]
            cells = [name, field, half, f"{tally['gold']:,}"]
            cells += [
                f"{tally[rival]['right'] / max(tally['gold'], 1):.3f}" for rival in CONTESTANTS
            ]
            cells += [f"{tally['no gold']:,}"]
            cells += [f"{tally[rival]['false']:,}" for rival in CONTESTANTS]
            lines.append(f"| {' | '.join(cells)} |")
    return lines


def main() -> None:
    """Parse the command line and run."""
    parser = script.parser(__doc__)
    parser.add_argument("--sample", type=int, help="pages a set")
    parser.add_argument("--out", type=Path, help=f"default {OUT.relative_to(script.ROOT)}")
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")
    logging.disable(logging.CRITICAL)
    results: dict[str, Any] = {"sets": {}, "milliseconds": {}}
    lines = [
        f"| set | field | sites | gold | {' | '.join(CONTESTANTS)} | no gold |"
        f" {' | '.join(f'{name} false' for name in CONTESTANTS)} |",
        "|---|---|---|" + "--:|" * (2 + 2 * len(CONTESTANTS)),
    ]
    for name in SETS:
        path = arguments.shared / "datasets" / f"{name}.jsonl.xz"
        try:
            examples = datasets.sample(datasets.read(path), arguments.sample)
        except TamisError as error:
            sys.exit(str(error))
        clock = Clock()
        results["sets"][name] = measure(name, examples, clock)
        results["milliseconds"][name] = {
            step: round(1000 * seconds / clock.pages, 3) for step, seconds in clock.seconds.items()
        }
        lines += rows(name, results["sets"][name])
    print("\n".join(lines))
    for name, steps in results["milliseconds"].items():
        print(f"\n{name}, ms a page: " + "; ".join(f"{step} {ms}" for step, ms in steps.items()))
    rivals = {name: importlib.metadata.version(name) for name in CONTESTANTS if name != "tamis"}
    results["versions"] = {
        "tamis": tamis.__version__,
        **rivals,
        "python": platform.python_version(),
        "machine": platform.machine(),
    }
    if out := arguments.out or (None if arguments.sample else OUT):
        script.write(out, results)


if __name__ == "__main__":
    main()
