# cython: annotation_typing=False, wraparound=True
"""The kept blocks as plain dictionaries and lists: `document` in `Result.to_dict`.

docs/reference/output.md has the schema.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from tamis._runtime import limits
from tamis.options import Options
from tamis.page.table import Page
from tamis.render.formulas import Formula
from tamis.render.outline import LEAF, OPEN, Event, Span, outline
from tamis.render.pictures import Image

_PLAIN = Options(links=False, images=False)
# Events after which the limits are checked, and spans from which on they are checked in between.
_OFTEN, _MANY = 50, 1000


def render(
    page: Page, kept: npt.NDArray[np.bool_], url: str | None, options: Options, length: int = 0
) -> list[dict[str, Any]]:
    """The kept blocks as a tree of dictionaries, in document order.

    `length` is how many characters the view has already.
    """
    document: list[dict[str, Any]] = []
    children = [document]
    for place, event in enumerate(outline(page, kept, url, options)):
        if place % _OFTEN == 0:
            limits.check()
            limits.check_output(length)
        if event[0] == OPEN:
            container = _container(event)
            children[-1].append(container)
            children.append(container["children"])
        elif event[0] == LEAF:
            leaf = _leaf(event)
            children[-1].append(leaf)
            length += _characters(leaf)
        else:
            children.pop()
    limits.check_output(length)
    return document


def texts(page: Page, kept: npt.NDArray[np.bool_]) -> list[str]:
    """The texts of all leaves."""
    texts = []
    for place, event in enumerate(outline(page, kept, None, _PLAIN, as_text=True), 1):
        if place % _OFTEN == 0:
            limits.check()
        if event[0] == LEAF and event[1] != "rule":
            texts.append(_joined(event[1], event[3]))
    return texts


def _container(event: Event) -> dict[str, Any]:
    _, kind, value, _ = event
    container: dict[str, Any] = {"kind": kind}
    if kind == "list":
        container["start"] = value
    elif kind == "cell":
        container["header"], container["columns"], container["rows"] = value
    elif kind == "callout":
        container["callout"], container["titled"] = value.kind, value.titled
    elif value is not None:
        container["footnote"] = value.label
    return container | {"children": []}


def _leaf(leaf: Event) -> dict[str, Any]:
    _, kind, value, spans = leaf
    block: dict[str, Any] = {"kind": kind}
    if kind == "rule":
        return block
    if kind == "heading":
        block["level"] = value
    elif kind == "code":
        block["language"] = value or None
    elif value is not None:
        block["footnote"] = value.label
    block["text"] = _joined(kind, spans)
    if kind != "code" and _are_more_than_text(spans):
        block["spans"] = _spans(spans)
    return block


def _joined(kind: str, spans: list[Span]) -> str:
    """The text of a leaf."""
    text = _text(spans[0]) if len(spans) == 1 else "".join([_text(span) for span in spans])
    return text.strip("\n").rstrip() if kind == "code" else text.strip()


def _are_more_than_text(spans: list[Span]) -> bool:
    for _, content, marks in spans:
        if marks or type(content) is not str:
            break
    else:
        return False
    return True


def _spans(spans: list[Span]) -> list[dict[str, Any]]:
    made = []
    for span in spans:
        made.append(_span(span))
        if len(made) % _MANY == 0:
            limits.check()
    return made


def _characters(leaf: dict[str, Any]) -> int:
    count = len(leaf.get("text", ""))
    for span in leaf.get("spans", ()):
        for value in span.values():
            if isinstance(value, str):
                count += len(value)
    return count


def _text(span: Span) -> str:
    separator, content, _ = span
    if isinstance(content, Image):
        return ""
    if isinstance(content, Formula):
        if content.image:
            return ""
        return separator + (content.text or content.tex)
    return separator + content


def _span(span: Span) -> dict[str, Any]:
    _, content, marks = span
    result: dict[str, Any] = {"text": _text(span)}
    if isinstance(content, Image):
        result = {"image": content.src, "alt": content.alt}
    elif isinstance(content, Formula):
        result["formula"] = "display" if content.display else "inline"
        if content.text or content.image:
            result["tex"] = content.tex
    for name, value in marks:
        if name in ("link", "anchor"):
            result["link"] = value
        elif name == "note":
            result["footnote"] = value.label
        else:
            result.setdefault("marks", []).append(name)
    return result
