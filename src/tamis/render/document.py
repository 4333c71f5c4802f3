# cython: annotation_typing=False, wraparound=True
"""The kept blocks as plain dictionaries and lists: `document` in `Result.to_dict`.

docs/reference/output.md has the schema.
"""

from __future__ import annotations

from typing import Any

from tamis._runtime import limits
from tamis.options import Options
from tamis.page.arrays import Flags
from tamis.page.table import Page
from tamis.render.outline.builder import build_outline
from tamis.render.outline.events import LEAF, OPEN, Event, Formula, Image, Span

_PLAIN = Options(links=False, images=False)
# Events after which the limits are checked, and spans from which on they are checked in between.
_OFTEN, _MANY = 50, 1000


def render(
    page: Page, kept: Flags, url: str | None, options: Options, length: int = 0
) -> list[dict[str, Any]]:
    """The kept blocks as a tree of dictionaries, in document order.

    `length` is how many characters the view has already.
    """
    document: list[dict[str, Any]] = []
    children = [document]
    for place, event in enumerate(build_outline(page, kept, url, options).events):
        if place % _OFTEN == 0:
            limits.check()
            limits.check_output(length)
        if event[0] == OPEN:
            container = _make_container(event)
            children[-1].append(container)
            children.append(container["children"])
        elif event[0] == LEAF:
            leaf = _make_leaf(event)
            children[-1].append(leaf)
            length += _count_characters(leaf)
        else:
            children.pop()
    limits.check_output(length)
    return document


def render_texts(page: Page, kept: Flags) -> list[str]:
    outline = build_outline(page, kept, None, _PLAIN, as_text=True)
    texts = []
    for place, event in enumerate(outline.events, 1):
        if place % _OFTEN == 0:
            limits.check()
        if event[0] == LEAF and event[1] != "rule":
            texts.append(_join_text(event[1], event[3]))
    return texts


def _make_container(event: Event) -> dict[str, Any]:
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


def _make_leaf(leaf: Event) -> dict[str, Any]:
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
    block["text"] = _join_text(kind, spans)
    if kind != "code" and _are_rich(spans):
        block["spans"] = _make_spans(spans)
    return block


def _join_text(kind: str, spans: list[Span]) -> str:
    text = (
        _read_text(spans[0]) if len(spans) == 1 else "".join([_read_text(span) for span in spans])
    )
    return text.strip("\n").rstrip() if kind == "code" else text.strip()


def _are_rich(spans: list[Span]) -> bool:
    for _, content, marks in spans:
        if marks or type(content) is not str:
            break
    else:
        return False
    return True


def _make_spans(spans: list[Span]) -> list[dict[str, Any]]:
    made = []
    for span in spans:
        made.append(_make_span(span))
        if len(made) % _MANY == 0:
            limits.check()
    return made


def _count_characters(leaf: dict[str, Any]) -> int:
    count = len(leaf.get("text", ""))
    for span in leaf.get("spans", ()):
        for value in span.values():
            if isinstance(value, str):
                count += len(value)
    return count


def _read_text(span: Span) -> str:
    separator, content, _ = span
    if isinstance(content, Image):
        return ""
    if isinstance(content, Formula):
        if content.image:
            return ""
        return separator + (content.text or content.tex)
    return separator + content


def _make_span(span: Span) -> dict[str, Any]:
    _, content, marks = span
    result: dict[str, Any] = {"text": _read_text(span)}
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
