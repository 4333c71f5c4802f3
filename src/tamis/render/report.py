"""An HTML file that needs nothing else: its head and style, figures and filters.

No script and no address, and the policy in the head forbids everything but the style in the file.
What a hostile page says is text here.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from pathlib import Path

# Shows or hides the elements of a class by the check box of that name.
_SWITCH = """
#NAME:not(:checked)~main .NAME{display:none}
#NAME:not(:checked)~.filters [for=NAME]{text-decoration:line-through;background:none}
#NAME:focus-visible~.filters [for=NAME]{outline:2px solid var(--ink)}
"""


def head(title: str, used: Sequence[str], style: str = "") -> str:
    """The beginning of the file, with a switch for each class `k-NAME` and more style.

    The colours of scores in `report.css` go from orange to blue, which people who do not see red or
    green can distinguish.
    """
    names = ("kept", "dropped", *(f"k-{name}" for name in used))
    switches = "".join(_SWITCH.replace("NAME", name) for name in names)
    css = Path(__file__).with_name("report.css").read_text("utf-8")
    template = Path(__file__).with_name("report.html").read_text("utf-8")
    return template.format(title=escape(title), style=f"{css}{switches}{style}")


def figure(value: str, name: str) -> str:
    """A number with its name, for the list in the header."""
    return f"<div><dt>{name}</dt><dd>{value}</dd></div>"


def filters(boxes: Sequence[tuple[str, str, int]]) -> Iterator[str]:
    """Check boxes (class, label, count) that show or hide the elements of a class.

    They stand before the list, so that style without a script can hide elements of the list.
    """
    for name, _, _ in boxes:
        yield f'<input type="checkbox" id="{name}" checked>'
    yield '<div class="filters" role="group" aria-label="Show">'
    for name, label, count in boxes:
        yield f'<label for="{name}">{label} <small>{count:,}</small></label>'
    yield "</div>"
