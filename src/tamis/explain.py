"""A page with the reason for every block, as one HTML file that needs nothing else.

No script and no address: what a hostile page says is text here, and the policy in the head forbids
everything but the style in the file.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from itertools import groupby
from typing import Final

import numpy as np

from tamis.describe.regions import KINDS
from tamis.page import tags
from tamis.result import Block, Result

MOST_BLOCKS: Final = 20_000
"""Blocks that are shown."""
MOST_LETTERS: Final = 2_000
"""Letters of a block that are shown."""

# Log odds that fill half of the width of a bar.
_WIDEST = 4.0


def explain(result: Result) -> str:
    """The page as a list of its blocks."""
    blocks = result.blocks[:MOST_BLOCKS]
    used = [kind for kind in reversed(KINDS) if any(block.kind == kind for block in blocks)]
    title = result.page.title or result.url or "Page without a title"
    return "".join(
        (
            HEAD.format(title=escape(f"Why: {title[:MOST_LETTERS]}"), style=style(used)),
            *_header(result, title),
            *_filters(blocks, used),
            *_list(result, blocks),
            "</body></html>\n",
        )
    )


def _header(result: Result, title: str) -> Iterator[str]:
    kept, words = result.kept, result.page.blocks.words
    yield f'<header><h1 dir="auto">{escape(title[:MOST_LETTERS])}</h1><p class="about">'
    if result.url:
        yield f'<bdi class="code">{escape(result.url[:MOST_LETTERS])}</bdi> · '
    yield f"method {escape(result.method)}</p><dl>"
    yield figure(f"{kept.sum():,} of {len(kept):,}", "blocks kept")
    yield figure(f"{int(words[kept].sum()):,} of {int(words.sum()):,}", "words kept")
    if kept.any():
        yield figure(f"{float(result.scores[kept].min()):.2f}", "lowest score kept")
    scale = "".join(f'<i class="p{step}"></i>' for step in range(11))
    yield f'<div class="scale"><dt>score</dt><dd>0 <span>{scale}</span> 1</dd></div></dl>'
    yield "<p>Open a block to see why it was kept or dropped, or rest the pointer on it.</p>"
    if not kept.any():
        yield "<p><strong>Nothing was kept.</strong></p>"
    if len(result.blocks) > MOST_BLOCKS:
        yield f"<p>Only the first {MOST_BLOCKS:,} blocks are shown.</p>"
    yield "</header>"


def figure(value: str, name: str) -> str:
    """A number with its name, for the list in the header."""
    return f"<div><dt>{name}</dt><dd>{value}</dd></div>"


def _filters(blocks: Sequence[Block], used: Sequence[str]) -> Iterator[str]:
    """Check boxes before the list, so that the style alone can hide what they stand for."""
    counts = {kind: sum(block.kind == kind for block in blocks) for kind in used}
    boxes = [("kept", "kept", sum(block.label for block in blocks))]
    boxes.append(("dropped", "dropped", len(blocks) - boxes[0][2]))
    boxes += [(f"k-{kind}", kind, counts[kind]) for kind in used]
    for name, _, _ in boxes:
        yield f'<input type="checkbox" id="{name}" checked>'
    yield '<div class="filters" role="group" aria-label="Show">'
    for name, label, count in boxes:
        yield f'<label for="{name}">{label} <small>{count:,}</small></label>'
    yield "</div>"


def _list(result: Result, blocks: Sequence[Block]) -> Iterator[str]:
    """The blocks in document order, neighbours of a kind together."""
    yield f'<main lang="{escape(_language(result))}">'
    indents = _indents(result)
    for kind, run in groupby(enumerate(blocks), key=lambda pair: pair[1].kind):
        group = list(run)
        labels = {block.label for _, block in group}
        same = "" if len(labels) > 1 else " all-kept" if labels.pop() else " all-dropped"
        yield f'<section class="k-{kind}{same}"><h2 lang="en">{kind}</h2>'
        for number, block in group:
            yield _block(result, number, block, indents[number])
        yield "</section>"
    yield "</main>"


def _block(result: Result, number: int, block: Block, indent: int) -> str:
    reason = result.reasons[number]
    text = block.text[:MOST_LETTERS] + ("…" if len(block.text) > MOST_LETTERS else "")
    verdict, mark = ("kept", "✓") if block.label else ("dropped", "·")
    signals = "".join(_signal(signal.words, signal.effect) for signal in reason.signals)
    return (
        f'<details class="{verdict} p{round(10 * min(max(block.score, 0.0), 1.0))} i{indent}">'
        f'<summary title="{escape(reason.text)}"><b role="img" aria-label="{verdict}">{mark}</b>'
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


def _indents(result: Result) -> list[int]:
    """How far each block is moved in, 0 to 6: by how many levels of elements with more blocks."""
    nodes, blocks = result.page.nodes, result.page.blocks
    # Elements that begin or end between two texts make levels; of wrappers around one thing only
    # the outermost does.
    held = nodes.end_text - nodes.first_text
    new = (nodes.parent >= 0) & (held != held[nodes.parent]) & (held > 0)
    change = np.zeros(len(result.page.texts) + 1, np.int64)
    np.add.at(change, nodes.first_text[new], 1)
    np.add.at(change, nodes.end_text[new], -1)
    level = np.cumsum(change)[blocks.first_text]
    indents: list[int] = np.clip(level - level.min(initial=1 << 30) - 1, 0, 6).tolist()
    return indents


def _language(result: Result) -> str:
    nodes = result.page.nodes
    roots = np.flatnonzero(nodes.tag == tags.ID["html"])[:1].tolist()
    return next(filter(None, (result.page.attribute(node, "lang") for node in roots)), "")[:35]


def style(used: Sequence[str]) -> str:
    """The style of the page, with a switch for each class `k-NAME`."""
    dark = "".join(f".p{step}{{--c:{colour}}}" for step, colour in enumerate(_DARK))
    light = "".join(f".p{step}{{--c:{colour}}}" for step, colour in enumerate(_LIGHT))
    switches = "".join(
        _SWITCH.replace("NAME", name) for name in ("kept", "dropped", *(f"k-{k}" for k in used))
    )
    return f"{_STYLE}{light}@media(prefers-color-scheme:dark){{{dark}}}{switches}"


# From orange to blue, which people who do not see red or green tell apart.
_LIGHT = (
    "#b35806 #c8701c #e08214 #f0a24a #fdb863 #c9c9cf #b2abd2 #8f9bd0 #6b86c4 #3f6fb5 #17599e"
).split()
_DARK = (
    "#e08214 #e8973b #f0a24a #f7b365 #fdc98c #8e8e98 #a9b4e0 #8fa6e0 #7a9ae0 #6a95e6 #5b92ee"
).split()

HEAD = """<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" \
content="default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer"><title>{title}</title>
<style>{style}</style></head><body>
"""

_SWITCH = """
#NAME:not(:checked)~main .NAME{display:none}
#NAME:not(:checked)~.filters [for=NAME]{text-decoration:line-through;background:none}
#NAME:focus-visible~.filters [for=NAME]{outline:2px solid var(--ink)}
"""

_STYLE = """
:root{color-scheme:light dark;--ink:#1b1c20;--soft:#565a66;--paper:#fff;--line:#dfe1e8;
--tint:#f5f6f9}
@media(prefers-color-scheme:dark){:root{--ink:#ececf1;--soft:#a9adba;--paper:#16171c;--line:#33353f;
--tint:#1f2128}}
*{box-sizing:border-box}
body{margin:0 auto;padding:1.5rem;max-width:70rem;background:var(--paper);color:var(--ink);
font:16px/1.5 system-ui,sans-serif}
h1{font-size:1.5rem;line-height:1.25;margin:0 0 .25rem;overflow-wrap:anywhere}
.about,header>p{color:var(--soft);margin:.25rem 0}
.code{font:.8rem/1.4 ui-monospace,monospace;overflow-wrap:anywhere;color:var(--soft)}
dl{display:flex;flex-wrap:wrap;gap:.5rem 2rem;margin:1rem 0}
dl div{display:flex;flex-direction:column-reverse}
dt{color:var(--soft);font-size:.8rem}
dd{margin:0;font-weight:600}
.scale span{display:inline-flex;vertical-align:middle}
.scale i{width:1.1rem;height:.9rem;background:var(--c)}
body>input{position:absolute;opacity:0;pointer-events:none}
.filters{display:flex;flex-wrap:wrap;gap:.4rem;position:sticky;top:0;z-index:1;padding:.6rem 0;
background:var(--paper);border-bottom:1px solid var(--line)}
.filters label{border:1px solid var(--line);border-radius:1rem;padding:.1rem .7rem;cursor:pointer;
font-size:.875rem;background:var(--tint)}
.filters small{color:var(--soft)}
#kept:not(:checked)~main .all-kept,#dropped:not(:checked)~main .all-dropped{display:none}
section{margin:1rem 0}
h2{font-size:.75rem;font-weight:600;letter-spacing:.06em;text-transform:uppercase;margin:0 0 .2rem;
color:var(--soft)}
details{border-inline-start:.4rem solid var(--c);margin:0 0 2px;background:var(--tint);
background:color-mix(in srgb,var(--c) 9%,var(--paper))}
details.kept{border-inline-start-width:.7rem}
summary{display:flex;gap:.75rem;padding:.3rem .75rem;cursor:pointer;list-style:none}
summary::-webkit-details-marker{display:none}
summary:hover,details[open]>summary{background:color-mix(in srgb,var(--c) 18%,var(--paper))}
summary:focus-visible{outline:2px solid var(--ink);outline-offset:-2px}
summary b{width:1ch;flex:none}
.score{flex:none;font-variant-numeric:tabular-nums;color:var(--soft)}
.text{flex:1;min-width:0;overflow-wrap:anywhere;white-space:pre-line;unicode-bidi:isolate}
.dropped .text{color:var(--soft)}
details:not([open]) .text{display:-webkit-box;-webkit-box-orient:vertical;-webkit-line-clamp:3;
overflow:hidden}
.why{padding:.25rem .75rem .6rem 2.4rem;border-top:1px solid var(--line);font-size:.9rem}
.why p{margin:.3rem 0}
.why ul{list-style:none;margin:.3rem 0;padding:0}
.why li{display:flex;gap:.75rem;align-items:baseline}
.effect{flex:none;width:8rem;height:.7rem;display:flex;
background:linear-gradient(var(--soft),var(--soft)) 50%/1px 100% no-repeat}
.effect i{height:100%}
.for i{background:#3f6fb5;margin-inline-start:50%}
.against{justify-content:flex-end}
.against i{background:#c8701c;margin-inline-end:50%}
.i1{margin-inline-start:.75rem}.i2{margin-inline-start:1.5rem}.i3{margin-inline-start:2.25rem}
.i4{margin-inline-start:3rem}.i5{margin-inline-start:3.75rem}.i6{margin-inline-start:4.5rem}
@media(max-width:40rem){body{padding:1rem}.effect{display:none}
details{margin-inline-start:0!important}}
@media print{.filters{display:none}}
"""
