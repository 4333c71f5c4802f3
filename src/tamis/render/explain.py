"""A page with the reason for every block, as one HTML file that needs nothing else.

No script and no address: what a hostile page says is text here, and the policy in the head forbids
everything but the style in the file.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from html import escape
from itertools import groupby
from typing import Final

import numpy as np

from tamis import limits
from tamis.decision import Decision
from tamis.describe.blocks import Block
from tamis.describe.reasons import Reason
from tamis.describe.regions import KINDS
from tamis.page.table import Page
from tamis.render.report import figure, filters, head

MOST_BLOCKS: Final = 20_000
"""Blocks that are shown."""
MOST_LETTERS: Final = 2_000
"""Letters of a block that are shown."""

# Log odds that fill half of the width of a bar.
_WIDEST = 4.0


def render(
    page: Page,
    decision: Decision,
    blocks: Sequence[Block],
    reasons: Sequence[Reason],
    *,
    method: str,
    url: str | None,
) -> str:
    """The page as a list of its blocks."""
    shown = blocks[:MOST_BLOCKS]
    used = [kind for kind in reversed(KINDS) if any(block.kind == kind for block in shown)]
    title = page.title or url or "Page without a title"
    language = next(filter(None, page.declared.languages), "")[:35]
    indents = _indents(page)
    return "".join(
        (
            head(f"Why: {title[:MOST_LETTERS]}", used),
            *_header(page, decision, title, method, url),
            *filters(_boxes(shown, used)),
            f'<main lang="{escape(language)}">',
            *_list(list(zip(shown, reasons, indents, strict=False))),
            "</main></body></html>\n",
        )
    )


def _header(
    page: Page, decision: Decision, title: str, method: str, url: str | None
) -> Iterator[str]:
    kept, words = decision.kept, page.blocks.words
    yield f'<header><h1 dir="auto">{escape(title[:MOST_LETTERS])}</h1><p class="about">'
    if url:
        yield f'<bdi class="code">{escape(url[:MOST_LETTERS])}</bdi> · '
    yield f"method {escape(method)}</p><dl>"
    yield figure(f"{kept.sum():,} of {len(kept):,}", "blocks kept")
    yield figure(f"{int(words[kept].sum()):,} of {int(words.sum()):,}", "words kept")
    if kept.any():
        yield figure(f"{float(decision.scores[kept].min()):.2f}", "lowest score kept")
    scale = "".join(f'<i class="p{step}"></i>' for step in range(11))
    yield f'<div class="scale"><dt>score</dt><dd>0 <span>{scale}</span> 1</dd></div></dl>'
    yield "<p>Open a block to see why it was kept or dropped, or rest the pointer on it.</p>"
    if not kept.any():
        yield "<p><strong>Nothing was kept.</strong></p>"
    if len(kept) > MOST_BLOCKS:
        yield f"<p>Only the first {MOST_BLOCKS:,} blocks are shown.</p>"
    yield "</header>"


def _boxes(blocks: Sequence[Block], used: Sequence[str]) -> list[tuple[str, str, int]]:
    kinds = Counter(block.kind for block in blocks)
    kept = sum(block.kept for block in blocks)
    verdicts = [("kept", "kept", kept), ("dropped", "dropped", len(blocks) - kept)]
    return verdicts + [(f"k-{kind}", kind, kinds[kind]) for kind in used]


def _list(rows: Sequence[tuple[Block, Reason, int]]) -> Iterator[str]:
    """The blocks in document order, neighbours of a kind together."""
    number = 0
    for kind, run in groupby(rows, key=lambda row: row[0].kind):
        segment = list(run)
        verdicts = {block.kept for block, _, _ in segment}
        same = "" if len(verdicts) > 1 else " all-kept" if verdicts.pop() else " all-dropped"
        yield f'<section class="k-{kind}{same}"><h2 lang="en">{kind}</h2>'
        for block, reason, indent in segment:
            limits.check()
            yield _block(number, block, reason, indent)
            number += 1
        yield "</section>"


def _block(number: int, block: Block, reason: Reason, indent: int) -> str:
    text = block.text[:MOST_LETTERS] + ("…" if len(block.text) > MOST_LETTERS else "")
    verdict, sign = ("kept", "✓") if block.kept else ("dropped", "·")
    signals = "".join(_signal(signal.words, signal.effect) for signal in reason.signals)
    return (
        f'<details class="{verdict} p{round(10 * min(max(block.score, 0.0), 1.0))} i{indent}">'
        f'<summary title="{escape(reason.text)}"><b role="img" aria-label="{verdict}">{sign}</b>'
        f'<span class="score">{block.score:.2f}</span>'
        f'<span class="text" dir="auto">{escape(text) or "&nbsp;"}</span></summary>'
        f'<div class="why" lang="en"><p>{escape(reason.decision)}</p>'
        + (f"<ul>{signals}</ul>" if signals else f"<p>{escape(reason.because)}</p>")
        + f'<p class="code">block {number} · {escape(block.xpath)}</p></div></details>'
    )


def _signal(words: str, effect: float) -> str:
    width = round(50 * min(abs(effect) / _WIDEST, 1.0))
    side = "for" if effect > 0 else "against"
    return (
        f'<li><span class="effect {side}" aria-hidden="true"><i style="width:{width}%"></i></span>'
        f"<span>{side} it ({effect:+.1f}): <bdi>{escape(words)}</bdi></span></li>"
    )


def _indents(page: Page) -> list[int]:
    """How far each block is moved in, 0 to 6: by how many levels of elements with more blocks."""
    nodes, blocks = page.nodes, page.blocks
    # Elements that begin or end between two texts make levels; of wrappers around one thing only
    # the outermost does.
    held = nodes.end_text - nodes.first_text
    new = (nodes.parent >= 0) & (held != held[nodes.parent]) & (held > 0)
    change = np.zeros(len(page.texts) + 1, np.int64)
    np.add.at(change, nodes.first_text[new], 1)
    np.add.at(change, nodes.end_text[new], -1)
    level = np.cumsum(change)[blocks.first_text]
    indents: list[int] = np.clip(level - level.min(initial=1 << 30) - 1, 0, 6).tolist()
    return indents
