"""Labels of advertisements that the default method would keep: how many, and what dropping gives.

    python benchmarks/advertisements.py              all sets but cleaneval-dev
    python benchmarks/advertisements.py --list       and the labels, with the pages

A label counts as gold if the gold text has it as a line. F1 is that of the bag of words, the mean
over the pages of a set that have a gold text. The time is that of the rule as a share of an
extraction. Prints Markdown and writes benchmarks/results/advertisements.json.
"""

from __future__ import annotations

import re
import time
from collections import defaultdict
from pathlib import Path
from typing import Any

import numpy as np
import script

import tamis
from tamis.bench import measures
from tamis.decide.decision import AD_LABEL
from tamis.decide.steps import advertisements
from tamis.labels import datasets

OUT = script.RESULTS / "advertisements.json"
# Once more in cleaneval-final.
LEFT_OUT = ("cleaneval-dev",)


def measure(path: Path, listed: bool) -> dict[str, float]:
    """The figures of one set; the time is in seconds."""
    sums: dict[str, float] = defaultdict(float)
    for example in datasets.read(path):
        began = time.perf_counter()
        try:
            result = tamis.extract(example.html, url=example.url)
        except tamis.TamisError:
            continue
        extracted = time.perf_counter()
        labels = result.decision.switched.get(AD_LABEL, result.kept & False)
        kept = result.kept | labels
        began_rule = time.perf_counter()
        advertisements.find_labels(result.page, kept)
        sums["rule"] += time.perf_counter() - began_rule
        sums["extract"] += extracted - began
        gold = example.text or ""
        sums["pages"] += 1
        sums["scored"] += bool(gold)
        if not labels.any():
            continue
        texts = result.page.block_texts(np.flatnonzero(labels))
        sums["with labels"] += 1
        sums["labels"] += len(texts)
        sums["gold"] += sum(is_line(text, gold) for text in texts)
        if gold:
            sums["gain"] += f1(result.page, result.kept, gold) - f1(result.page, kept, gold)
        if listed:
            print(f"- {path.name.partition('.')[0]} {example.id}:", " | ".join(texts))
    return dict(sums)


def is_line(text: str, gold: str) -> bool:
    """Whether a text is a line of the gold, whatever stands around it."""
    return bool(re.search(rf"(?im)^[\W_]*{re.escape(' '.join(text.split()))}[\W_]*$", gold))


def f1(page: tamis.Page, kept: Any, gold: str) -> float:
    """F1 of the words of the kept blocks."""
    return measures.bag_of_words("\n".join(page.block_texts(np.flatnonzero(kept))), gold)[2]


def show(result: dict[str, Any]) -> None:
    """A row for each set that has labels, and all sets together."""
    print("| set | pages | with labels | labels | of them gold | F1 by dropping them |")
    print("|---|---|---|---|---|---|")
    for name, row in result["sets"].items():
        if row["labels"]:
            print(
                "| {} | {pages:,} | {with labels} | {labels} | {gold} | {gain:+.5f} |".format(
                    name, **row
                )
            )
    print(f"\n{result['share of time']:.1%} of the time of an extraction")


def main() -> None:
    """Measure and print."""
    parser = script.parser(__doc__)
    parser.add_argument("--list", action="store_true", help="print each label")
    arguments = parser.parse_args()
    paths = sorted((arguments.shared / "datasets").glob("*.jsonl.xz"))
    sums = {
        name: measure(path, arguments.list)
        for path in paths
        if (name := path.name.partition(".")[0]) not in LEFT_OUT
    }
    rows = {
        name: {key: int(row.get(key, 0)) for key in ("pages", "with labels", "labels", "gold")}
        | {"gain": row.get("gain", 0.0) / max(row.get("scored", 0), 1)}
        for name, row in sums.items()
    }
    keys = ("pages", "with labels", "labels", "gold", "gain")
    rows["all"] = {key: sum(row[key] for row in rows.values()) for key in keys}
    rows["all"]["gain"] = sum(row.get("gain", 0.0) for row in sums.values()) / sum(
        row.get("scored", 0) for row in sums.values()
    )
    seconds = {key: sum(row[key] for row in sums.values()) for key in ("rule", "extract")}
    result = {"sets": rows, "share of time": seconds["rule"] / seconds["extract"]}
    script.write(OUT, result)
    show(result)


if __name__ == "__main__":
    main()
