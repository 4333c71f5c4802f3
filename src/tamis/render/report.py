"""An HTML file that needs nothing else: its head and style, figures and filters.

No script and no address, and the policy in the head forbids everything but the style in the file.
What a hostile page says is text here.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence


def figure(value: str, name: str) -> str:
    """A number with its name, for the list in the header."""
    return f"<div><dt>{name}</dt><dd>{value}</dd></div>"


def filters(boxes: Sequence[tuple[str, str, int]]) -> Iterator[str]:
    """Check boxes (class, label, count) that show or hide the elements of a class.

    They stand before the list, so that the style alone can hide what they stand for.
    """
    for name, _, _ in boxes:
        yield f'<input type="checkbox" id="{name}" checked>'
    yield '<div class="filters" role="group" aria-label="Show">'
    for name, label, count in boxes:
        yield f'<label for="{name}">{label} <small>{count:,}</small></label>'
    yield "</div>"


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
