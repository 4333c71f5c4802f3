"""Formulas: the TeX source that MathML, KaTeX and MathJax leave in a page."""

from __future__ import annotations

import re
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from tamis.page import tags
from tamis.page.table import Page


class Formula(NamedTuple):
    """A formula as TeX."""

    tex: str
    display: bool


Found = dict[int, Formula]
Rows = npt.NDArray[np.intp]

_MATH, _SCRIPT = tags.ID["math"], tags.ID["script"]
_TYPE, _TEX = tags.ATTRIBUTE_ID["type"], b"math/tex"
# Elements around MathML that show the same formula in other ways.
_WRAPPER = re.compile(
    r"(?:^|\s)(?:katex(?:-display)?|MathJax\w*|mwe-math-element|math-inline|math-block|hurmet-tex"
    r"|ztext-math)(?:\s|$)"
)
_DISPLAY = re.compile(r"katex-display|math-block|MathJax_Display|mwe-math-element-block")
_SOURCES = ("data-math", "data-entry", "data-tex", "data-latex", "alttext")
_MACRO = re.compile(r"^\{\\(?:displaystyle|textstyle)\s(.*)\}$", re.DOTALL)


def may_be_in(page: Page, kept: npt.NDArray[np.bool_]) -> bool:
    """Whether it is worth to look for formulas among the kept blocks."""
    if (page.nodes.tag == _MATH).any() or _scripts(page):
        return True
    # KaTeX without MathML is all hidden from screen readers.
    hidden = np.flatnonzero(page.texts.flags & tags.ARIA_HIDDEN)
    return bool(kept[page.texts.block[hidden]].any()) and page.source.find(b"katex") >= 0


def _scripts(page: Page) -> list[int]:
    """Scripts that are TeX for MathJax."""
    rows = page.attribute_rows
    types = np.flatnonzero((rows[0] == _TYPE) & (rows[2] - rows[1] >= len(_TEX)))
    found = [
        row
        for row, start in zip(types.tolist(), rows[1, types].tolist(), strict=True)
        if page.source[start : start + len(_TEX)].lower() == _TEX
    ]
    if not found:
        return []
    owners = np.searchsorted(page.nodes.attributes, found, side="right") - 1
    return [node for node in owners.tolist() if page.nodes.tag[node] == _SCRIPT]


def formulas(page: Page) -> Found:
    """The element around each formula of a page, and the formula."""
    found: Found = {}
    maths = np.flatnonzero(page.nodes.tag == _MATH)
    annotation = page.own_names.get(b"annotation", -1)
    sources = np.flatnonzero(page.nodes.tag == annotation)
    end = -1
    for node in _candidates(page):
        if node > end:
            formula = _formula(page, node, maths, sources)
            if formula and formula.tex:
                found[node] = formula
                end = int(page.nodes.last[node])
    return found


def _candidates(page: Page) -> list[int]:
    """Elements that are formulas or stand around one, in document order."""
    tag = page.nodes.tag
    found = {*np.flatnonzero(tag == _MATH).tolist(), *_scripts(page)}
    rows = np.flatnonzero(page.attribute_rows[0] == tags.ATTRIBUTE_ID["class"])
    owner = np.searchsorted(page.nodes.attributes, rows, side="right") - 1
    starts, ends = page.attribute_rows[1, rows].tolist(), page.attribute_rows[2, rows].tolist()
    for node, start, end in zip(owner.tolist(), starts, ends, strict=True):
        if _WRAPPER.search(page.source[start:end].decode("utf-8", "replace")):
            found.add(node)
    return sorted(found)


def _formula(page: Page, node: int, maths: Rows, sources: Rows) -> Formula | None:
    """The formula at an element: a script, a math or something around one."""
    attributes = page.attributes(node)
    if page.nodes.tag[node] == _SCRIPT:
        display = "mode=display" in attributes.get("type", "").replace(" ", "")
        return Formula(page.content(node).strip(), display)
    display = bool(_DISPLAY.search(attributes.get("class", "")))
    math = _first_below(page, node, maths)
    inner = page.attributes(math) if math >= 0 else {}
    display = display or inner.get("display") == "block"
    for place in (attributes, inner):
        for name in _SOURCES:
            if place.get(name):
                return Formula(_plain(place[name]), display)
    source = _first_below(page, node, sources)
    if math < 0 or source < 0 or "tex" not in page.attributes(source).get("encoding", "").lower():
        return None
    return Formula(_plain(page.node_text(source)), display)


def _first_below(page: Page, node: int, among: Rows) -> int:
    """The first of some elements at or below a node, -1 if there is none."""
    place = int(np.searchsorted(among, node))
    return int(among[place]) if place < len(among) and among[place] <= page.nodes.last[node] else -1


def _plain(tex: str) -> str:
    tex = " ".join(tex.split())
    styled = _MACRO.match(tex)
    return styled[1].strip() if styled else tex
