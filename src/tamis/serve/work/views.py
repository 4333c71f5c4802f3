"""What people look at: the blocks of a page with their decisions, and a comparison of methods."""

from __future__ import annotations

import hashlib
import math
from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from typing import Any

import numpy as np

from tamis._runtime import limits
from tamis.bench.measures import bag_of_words
from tamis.labels.blocks import propose_kind
from tamis.render import original
from tamis.result import Result

_RIGHT_TO_LEFT = frozenset("ar arc ckb dv fa he ks ps sd syr ug ur yi".split())


def show_page(result: Result, *, document: bool, pictures: bool) -> dict[str, Any]:
    """Show the blocks of a page, and with `document` the original with a span around every text."""
    page = result.page
    rows = zip(
        result.blocks,
        page.blocks.words.tolist(),
        (page.text_lines[page.blocks.first_text] + 1).tolist(),
        strict=True,
    )
    about = _describe_page(result) if document else {}
    return {
        "url": result.url,
        **about,
        "method": result.method,
        "page_type": result.page_type,
        "cut": result.decision.cut if math.isfinite(result.decision.cut) else None,
        "focus": result.options.focus,
        "threshold": result.options.threshold,
        "embedded": result.embedded,
        "pictures": pictures,
        "document": original.render(page, result.url, pictures=pictures) if document else None,
        "blocks": [
            {
                "block": number,
                "kept": block.kept,
                "score": round(block.score, 4),
                "kind": block.kind,
                "label": propose_kind(block.kind, block.kept),
                "text": block.text,
                "words": words,
                "xpath": block.xpath,
                "start": block.start,
                "end": block.end,
                "line": line,
            }
            for number, (block, words, line) in enumerate(limits.check_each(rows))
        ],
        "hash": hashlib.sha256(page.source).hexdigest(),
    }


def _describe_page(result: Result) -> dict[str, Any]:
    language = result.metadata.language
    right_to_left = language.partition("-")[0] in _RIGHT_TO_LEFT
    return {
        "title": result.metadata.title or result.page.title,
        "language": language,
        "direction": "rtl" if right_to_left else "ltr",
    }


def compare_results(
    names: Sequence[str], results: Sequence[Result], gold: str | None
) -> dict[str, Any]:
    """Compare results by their names, with a score against the gold if it is given."""
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
                **({} if gold is None else {"score": _score_text(result.text, gold)}),
            }
            for name, result, counted in zip(names, results, words, strict=True)
        ],
        "agreement": [
            {
                "names": [names[one], names[other]],
                "f1": round(_measure_agreement(words[one], words[other]), 4),
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


def _score_text(text: str, gold: str) -> dict[str, float]:
    """Score the words, their order ignored, as `tamis bench` counts them."""
    return {name: round(value, 4) for name, value in bag_of_words(text, gold)._asdict().items()}


def _measure_agreement(one: Counter[str], other: Counter[str]) -> float:
    """Compute F1 of the words of two texts, as often as each occurs; two empty texts agree."""
    total = one.total() + other.total()
    return 2 * (one & other).total() / total if total else 1.0
