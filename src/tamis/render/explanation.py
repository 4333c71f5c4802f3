"""A page with the reason for every block, as one HTML file that needs nothing else, or as rows.

No script and no address but places in the file itself: what a hostile page says is text here, and
the policy in the head forbids everything but the style in the file.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict
from html import escape
from itertools import chain, groupby
from pathlib import Path
from typing import Any, Final

import numpy as np

from tamis._runtime import limits
from tamis.decide.decision import Decision
from tamis.describe.blocks import Block
from tamis.describe.reasons import Reason, write_choice
from tamis.describe.regions import KINDS
from tamis.methods._base import Unit
from tamis.page.table import Page

MOST_BLOCKS: Final = 20_000
"""Blocks that are shown."""
MOST_LETTERS: Final = 2_000
"""Letters of a block that are shown."""

# Log odds that fill half of the width of a bar.
_WIDEST = 4.0
# Blocks in a row that were dropped, from which on they are folded into a line.
_LONG_RUN = 3
# Cells of the map: more are too thin to be seen or hit.
_MAP_CELLS = 150


def render(
    page: Page,
    decision: Decision,
    blocks: Sequence[Block],
    reasons: Sequence[Reason],
    *,
    method: str,
    url: str | None,
) -> str:
    """Write the page as a list of its blocks."""
    shown = blocks[:MOST_BLOCKS]
    used = [kind for kind in reversed(KINDS) if any(block.kind == kind for block in shown)]
    title = page.title or url or "Page without a title"
    language = next(filter(None, page.declared.languages), "")[:35]
    indents = _find_indents(page)
    parts = chain(
        (write_head(f"Why: {title[:MOST_LETTERS]}", used),),
        _write_header(page, decision, title, method, url),
        write_filters(_list_boxes(shown, used)),
        _write_map(shown),
        (f'<main lang="{escape(language)}">',),
        _write_list(list(zip(range(len(shown)), shown, reasons, indents, strict=False))),
        ("</main></body></html>\n",),
    )
    return "".join(limits.limit_output(parts, len))


def list_rows(
    blocks: Sequence[Block],
    reasons: Sequence[Reason],
    units: Sequence[Unit],
    numbers: Iterable[int],
) -> list[dict[str, Any]]:
    """List some blocks with the reason for each as plain dictionaries, ready for JSON."""
    by_block = group_units(units)
    return [
        {
            "block": number,
            "kept": block.kept,
            "score": round(block.score, 4),
            "kind": block.kind,
            "text": block.text,
            "xpath": block.xpath,
            "start": block.start,
            "end": block.end,
            "decision": reason.decision,
            "because": reason.because,
            "signals": [
                {"name": signal.name, "words": signal.words, "effect": round(signal.effect, 3)}
                for signal in reason.signals
            ],
            **({"units": list(map(asdict, by_block[number]))} if number in by_block else {}),
        }
        for number in limits.check_each(numbers)
        for block, reason in [(blocks[number], reasons[number])]
    ]


def group_units(units: Sequence[Unit]) -> dict[int, list[Unit]]:
    """Group the units of the method by their block; those without words are left out."""
    found: dict[int, list[Unit]] = {}
    for unit in units:
        if unit.text:
            found.setdefault(unit.block, []).append(unit)
    return found


def _write_header(
    page: Page, decision: Decision, title: str, method: str, url: str | None
) -> Iterator[str]:
    kept, words = decision.kept, page.blocks.words
    yield f'<header><h1 dir="auto">{escape(title[:MOST_LETTERS])}</h1><p class="about">'
    if url:
        yield f'<bdi class="code">{escape(url[:MOST_LETTERS])}</bdi> · '
    yield f"method {escape(method)}</p><dl>"
    yield write_figure(f"{kept.sum():,} of {len(kept):,}", "blocks kept")
    yield write_figure(f"{int(words[kept].sum()):,} of {int(words.sum()):,}", "words kept")
    if kept.any():
        yield write_figure(f"{float(decision.scores[kept].min()):.2f}", "lowest score kept")
    scale = "".join(f'<i class="p{step}"></i>' for step in range(11))
    yield f'<div class="scale"><dt>score</dt><dd>0 <span>{scale}</span> 1</dd></div></dl>'
    yield (
        "<p>Open a block to see why it was kept or dropped, or rest the pointer on it. Runs of"
        " dropped blocks are folded: open them, too. The map at the side leads to each part.</p>"
    )
    if choice := write_choice(decision):
        yield f"<p>{escape(choice)}</p>"
    if not kept.any():
        yield "<p><strong>Nothing was kept.</strong></p>"
    if len(kept) > MOST_BLOCKS:
        yield f"<p>Only the first {MOST_BLOCKS:,} blocks are shown.</p>"
    yield "</header>"


def _list_boxes(blocks: Sequence[Block], used: Sequence[str]) -> list[tuple[str, str, int]]:
    kinds = Counter(block.kind for block in blocks)
    kept = sum(block.kept for block in blocks)
    verdicts = [("kept", "kept", kept), ("dropped", "dropped", len(blocks) - kept)]
    return verdicts + [(f"k-{kind}", kind, kinds[kind]) for kind in used]


_Row = tuple[int, Block, Reason, int]
"""The number of a block, the block, its reason, and how far it is moved in."""


def _write_map(blocks: Sequence[Block]) -> Iterator[str]:
    """A column beside the list: the whole page in little, kept parts in colour, as links."""
    size = max(1, -(-len(blocks) // _MAP_CELLS))
    yield '<nav class="map" aria-label="Map of the page">'
    for start in range(0, len(blocks), size):
        cell = blocks[start : start + size]
        first = next((number for number, block in enumerate(cell, start) if block.kept), start)
        letters = sum(min(len(block.text), MOST_LETTERS) for block in cell)
        verdict = "kept" if blocks[first].kept else "dropped"
        yield (
            f'<a href="#b{first}" class="{verdict} p{_round_score(blocks[first])}"'
            f' style="flex-grow:{letters + 40}" title="{escape(blocks[first].text[:80])}"></a>'
        )
    yield "</nav>"


def _write_list(rows: Sequence[_Row]) -> Iterator[str]:
    """The blocks in document order, neighbours of a kind together, long runs of dropped folded."""
    opened = next((number for number, block, _, _ in rows if block.kept), None)
    unfolded: list[_Row] = []
    for kept, group in groupby(rows, key=lambda row: row[1].kept):
        run = list(group)
        if kept or len(run) < _LONG_RUN or opened is None:
            unfolded += run
            continue
        yield from _write_sections(unfolded, opened)
        unfolded = []
        kinds = Counter(block.kind for _, block, _, _ in run)
        listed = ", ".join(f"{kind} {count:,}" for kind, count in kinds.most_common())
        yield (
            '<details class="fold all-dropped"><summary lang="en">'
            f"{len(run):,} blocks dropped: {listed}</summary>"
        )
        yield from _write_sections(run, opened)
        yield "</details>"
    yield from _write_sections(unfolded, opened)


def _write_sections(rows: Sequence[_Row], opened: int | None) -> Iterator[str]:
    for kind, group in groupby(rows, key=lambda row: row[1].kind):
        segment = list(group)
        verdicts = {block.kept for _, block, _, _ in segment}
        same = "" if len(verdicts) > 1 else " all-kept" if verdicts.pop() else " all-dropped"
        yield f'<section class="k-{kind}{same}"><h2 lang="en">{kind}</h2>'
        for number, block, reason, indent in segment:
            limits.check()
            yield _write_block(number, block, reason, indent, focused=number == opened)
        yield "</section>"


def _round_score(block: Block) -> int:
    return round(10 * min(max(block.score, 0.0), 1.0))


def _write_block(number: int, block: Block, reason: Reason, indent: int, *, focused: bool) -> str:
    """A block; a browser shows the focused one when it opens the file, and needs no script."""
    text = block.text[:MOST_LETTERS] + ("…" if len(block.text) > MOST_LETTERS else "")
    verdict, sign = ("kept", "✓") if block.kept else ("dropped", "·")
    signals = "".join(_write_signal(signal.words, signal.effect) for signal in reason.signals)
    return (
        f'<details id="b{number}" class="{verdict} p{_round_score(block)} i{indent}">'
        f'<summary{" autofocus" * focused} title="{escape(reason.text)}">'
        f'<b role="img" aria-label="{verdict}">{sign}</b>'
        f'<span class="score">{block.score:.2f}</span>'
        f'<span class="text" dir="auto">{escape(text) or "&nbsp;"}</span></summary>'
        f'<div class="why" lang="en"><p>{escape(reason.decision)}</p>'
        + (f"<ul>{signals}</ul>" if signals else f"<p>{escape(reason.because)}</p>")
        + f'<p class="code">block {number} · {escape(block.xpath)}</p></div></details>'
    )


def _write_signal(words: str, effect: float) -> str:
    width = round(50 * min(abs(effect) / _WIDEST, 1.0))
    side = "for" if effect > 0 else "against"
    return (
        f'<li><span class="effect {side}" aria-hidden="true"><i style="width:{width}%"></i></span>'
        f"<span>{side} it ({effect:+.1f}): <bdi>{escape(words)}</bdi></span></li>"
    )


def _find_indents(page: Page) -> list[int]:
    """How far to indent each block, 0 to 6: by its levels of elements with more blocks."""
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


# Shows or hides the elements of a class by the check box of that name.
_SWITCH = """
#NAME:not(:checked)~main .NAME{display:none}
#NAME:not(:checked)~.filters [for=NAME]{text-decoration:line-through;background:none}
#NAME:focus-visible~.filters [for=NAME]{outline:2px solid var(--ink)}
"""


def write_head(title: str, used: Sequence[str], style: str = "") -> str:
    """The beginning of the file, with a switch for each class `k-NAME` and more style.

    The colours of scores in `report.css` go from orange to blue, which people who do not see red or
    green can distinguish.
    """
    names = ("kept", "dropped", *(f"k-{name}" for name in used))
    switches = "".join(_SWITCH.replace("NAME", name) for name in names)
    css = Path(__file__).with_name("report.css").read_text("utf-8")
    template = Path(__file__).with_name("report.html").read_text("utf-8")
    return template.format(title=escape(title), style=f"{css}{switches}{style}")


def write_figure(value: str, name: str) -> str:
    return f"<div><dt>{name}</dt><dd>{value}</dd></div>"


def write_filters(boxes: Sequence[tuple[str, str, int]]) -> Iterator[str]:
    """Check boxes (class, label, count) that show or hide the elements of a class.

    They stand before the list, so that style without a script can hide elements of the list.
    """
    for name, _, _ in boxes:
        yield f'<input type="checkbox" id="{name}" checked>'
    yield '<div class="filters" role="group" aria-label="Show">'
    for name, label, count in boxes:
        yield f'<label for="{name}">{label} <small>{count:,}</small></label>'
    yield "</div>"
