"""What the page shows of a page: its blocks with their decisions, and the original, harmless."""

from __future__ import annotations

import hashlib
import math
from typing import Any

from tamis._runtime import limits
from tamis.evaluate.block_labels import proposal
from tamis.render import original
from tamis.result import Result

_RIGHT_TO_LEFT = frozenset("ar arc ckb dv fa he ks ps sd syr ug ur yi".split())


def view(result: Result, *, document: bool, pictures: bool) -> dict[str, Any]:
    """The blocks of a page, and with `document` the original with a span around every text."""
    page = result.page
    rows = zip(
        result.blocks,
        page.blocks.words.tolist(),
        (page.text_lines[page.blocks.first_text] + 1).tolist(),
        strict=True,
    )
    about = _about(result) if document else {}
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
                "label": proposal(block.kind, block.kept),
                "text": block.text,
                "words": words,
                "xpath": block.xpath,
                "start": block.start,
                "end": block.end,
                "line": line,
            }
            for number, (block, words, line) in enumerate(limits.checked(rows))
        ],
        "hash": hashlib.sha256(page.source).hexdigest(),
    }


def _about(result: Result) -> dict[str, Any]:
    language = result.metadata.language
    right_to_left = language.partition("-")[0] in _RIGHT_TO_LEFT
    return {
        "title": result.metadata.title or result.page.title,
        "language": language,
        "direction": "rtl" if right_to_left else "ltr",
    }
