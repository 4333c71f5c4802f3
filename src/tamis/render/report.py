"""An HTML file that needs nothing else: its head and style, figures and filters.

No script and no address, and the policy in the head forbids everything but the style in the file.
What a hostile page says is text here.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path


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
    usual = Path(__file__).with_name("report.css").read_text("utf-8")
    return f"{usual}{light}@media(prefers-color-scheme:dark){{{dark}}}{switches}"


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
