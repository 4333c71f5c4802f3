"""Several results of one page: what each keeps, how far they agree, where they differ."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from typing import Any

import numpy as np

from tamis.evaluate.measures import bag_of_words
from tamis.result import Result


def compare(names: Sequence[str], results: Sequence[Result], gold: str | None) -> dict[str, Any]:
    """The results by their names, with a score against the gold if it is given."""
    words = [Counter(result.text.split()) for result in results]
    # What is made of embedded content has blocks of its own.
    numbered = [number for number, result in enumerate(results) if not result.embedded]
    blocks = results[numbered[0]].blocks if numbered else ()
    differing = [
        block
        for block in range(len(blocks))
        if len({bool(results[number].kept[block]) for number in numbered}) > 1
    ]
    return {
        "results": [
            {
                "name": name,
                "text": result.text,
                "words": counted.total(),
                "blocks": int(result.kept.sum()),
                "kept": np.flatnonzero(result.kept).tolist(),
                "embedded": result.embedded,
                **({} if gold is None else {"score": _score(result.text, gold)}),
            }
            for name, result, counted in zip(names, results, words, strict=True)
        ],
        "agreement": [
            {
                "names": [names[one], names[other]],
                "f1": round(_agreement(words[one], words[other]), 4),
            }
            for one, other in combinations(range(len(names)), 2)
        ],
        "differences": [
            {
                "block": block,
                "text": blocks[block].text,
                "xpath": blocks[block].xpath,
                "start": blocks[block].start,
                "end": blocks[block].end,
                "kept_by": [names[i] for i in numbered if results[i].kept[block]],
                "scores": {names[i]: round(float(results[i].scores[block]), 4) for i in numbered},
            }
            for block in differing
        ],
    }


def _score(text: str, gold: str) -> dict[str, float]:
    """Words, their order ignored, as `tamis bench` counts them."""
    return {name: round(value, 4) for name, value in bag_of_words(text, gold)._asdict().items()}


def _agreement(one: Counter[str], other: Counter[str]) -> float:
    """F1 of the words of two texts, as often as each occurs; two empty texts agree."""
    total = one.total() + other.total()
    return 2 * (one & other).total() / total if total else 1.0
