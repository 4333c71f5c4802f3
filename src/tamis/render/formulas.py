"""Formulas: the TeX source that MathML, KaTeX, MathJax and pictures of formulas leave in a page."""

from __future__ import annotations

import re
from functools import cache, partial
from typing import NamedTuple
from urllib.parse import unquote, unquote_plus

import numpy as np

from tamis._runtime import limits
from tamis.page import tags
from tamis.page.arrays import Indexes
from tamis.page.attributes import raw_values
from tamis.page.table import Page
from tamis.render.mathml import tex_of
from tamis.render.pictures import Image
from tamis.render.walk import TEX, WRAPPERS, may_have_formulas, may_have_wrappers


class Formula(NamedTuple):
    """A formula as TeX."""

    tex: str
    display: bool
    text: str = ""
    """Its characters, if the page has no TeX source: these stand for it where TeX is not read."""
    image: Image | None = None
    """The picture that shows it, if it is no text of the page."""


_MATH, _SCRIPT = tags.ID["math"], tags.ID["script"]
_TYPE = tags.ATTRIBUTE_ID["type"]
_WRAPPER = re.compile(rf"(?:^|\s)(?:MathJax\w*|{'|'.join(WRAPPERS)})(?:\s|$)")
_DISPLAY = re.compile(r"katex-display|math-block|MathJax_Display|mwe-math-element-block")
_SOURCES = ("data-math", "data-entry", "data-tex", "data-latex", "data-formula", "alttext")
_MACRO = re.compile(r"^\{\\(?:displaystyle|textstyle)\s(.*)\}$", re.DOTALL)


def may_be_in(page: Page, flags: int) -> bool:
    """Whether there may be formulas among the kept blocks, whose texts have these flags."""
    if may_have_formulas(page) and ((page.nodes.tag == _MATH).any() or _scripts(page)):
        return True
    if b"mjx-container" in page.own_names:
        return True
    # KaTeX without MathML is all hidden from screen readers.
    if not flags & tags.ARIA_HIDDEN or not may_have_wrappers(page):
        return False
    return page.source.find(b"katex") >= 0


def _scripts(page: Page) -> list[int]:
    """Scripts that are TeX for MathJax."""
    names, starts, ends = page.attribute_rows
    types = np.flatnonzero((names == _TYPE) & (ends - starts >= len(TEX)))
    tex = [
        row
        for row, start in zip(types.tolist(), starts[types].tolist(), strict=True)
        if page.source[start : start + len(TEX)].lower() == TEX
    ]
    if not tex:
        return []
    owners = np.searchsorted(page.nodes.attributes, tex, side="right") - 1
    return [node for node in owners.tolist() if page.nodes.tag[node] == _SCRIPT]


class FormulaSearch:
    """One pass over the elements that may be formulas; each element is read once."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.maths = np.flatnonzero(page.nodes.tag == _MATH)
        self.sources = np.flatnonzero(page.nodes.tag == page.own_names.get(b"annotation", -1))
        self.container = page.own_names.get(b"mjx-container", -1)
        self.declared = cache(partial(_find_declared, page))
        self.sources_tex: dict[int, str] = {}
        self.read: dict[int, tuple[str, str]] = {}
        """The TeX of MathML without a source, and its characters."""
        self.unread_end = -1
        """Last element inside the MathML that gave no TeX: what is in there gives none, either."""
        self.blank_end = -1
        """Last element inside the source that was blank: what is in there is blank, too."""

    def run(self) -> dict[int, Formula]:
        """The outermost element of each formula, and the formula."""
        formulas: dict[int, Formula] = {}
        nodes = self.page.nodes
        end = drawing = -1
        for node in limits.checked(_candidates(self.page), 100):
            if node <= end:
                continue
            formula = self._formula(node)
            if formula.tex:
                is_drawn = drawing >= 0 and nodes.end_text[drawing] == nodes.first_text[node]
                if is_drawn and nodes.tag[node] == _SCRIPT:
                    # MathJax 2 draws a formula right before the script that it is the source of.
                    formulas[drawing] = formula
                    drawing = -1
                else:
                    formulas[node] = formula
                    drawing = node if nodes.tag[node] != _SCRIPT else -1
                end = int(nodes.last[node])
            elif drawing < 0 or nodes.last[drawing] < node:
                drawing = node if nodes.first_text[node] < nodes.end_text[node] else drawing
        return formulas

    def _formula(self, node: int) -> Formula:
        """The formula at an element: a script, a math or something around one."""
        own, math = self.declared(node), self._first_below(node, self.maths)
        if self.page.nodes.tag[node] == _SCRIPT:
            return own
        if math < 0:
            return own if own.tex else self._of_container(node, own.display)
        inner = self.declared(math)
        source = self._first_below(node, self.sources)
        if source >= 0 and source not in self.sources_tex:
            self.sources_tex[source] = self._source(source)
        tex = own.tex or inner.tex or self.sources_tex.get(source, "")
        display = own.display or inner.display
        if tex:
            return Formula(tex, display)
        if math not in self.read and math > self.unread_end:
            tex = tex_of(self.page, math)
            text = " ".join(self.page.node_text(math).split()) if tex else ""
            self.read[math] = tex, text
            if not tex:
                self.unread_end = int(self.page.nodes.last[math])
        tex, text = self.read.get(math, ("", ""))
        return Formula(tex, display, text)

    def _of_container(self, node: int, display: bool) -> Formula:
        """The formula in an element of MathJax 4, whose first child has the source."""
        if self.page.nodes.tag[node] != self.container or node == self.page.nodes.last[node]:
            return Formula("", display)
        inner = self.declared(node + 1)
        text = " ".join(self.page.node_text(node).split()) if inner.tex else ""
        return Formula(inner.tex, display, text)

    def _source(self, node: int) -> str:
        """The TeX in an element below a math, empty if it is something else."""
        if node <= self.blank_end:
            return ""
        if "tex" not in self.page.attributes(node).get("encoding", "").lower():
            return ""
        text = self.page.node_text(node)
        if not text.strip():
            self.blank_end = int(self.page.nodes.last[node])
        return _plain(text)

    def _first_below(self, node: int, among: Indexes) -> int:
        """The first of these elements at or below a node, -1 if there is none."""
        place = int(np.searchsorted(among, node))
        below = place < len(among) and among[place] <= self.page.nodes.last[node]
        return int(among[place]) if below else -1


def _find_declared(page: Page, node: int) -> Formula:
    """The formula in the attributes of an element, or in a script."""
    attributes = page.attributes(node)
    tag = page.nodes.tag[node]
    if tag == _SCRIPT:
        display = "mode=display" in attributes.get("type", "").replace(" ", "")
        return Formula(page.content(node).strip(), display)
    display = bool(_DISPLAY.search(attributes.get("class", "")))
    display = display or attributes.get("display") in ("block", "true")
    sources = (_plain(attributes.get(name, "")) for name in _SOURCES)
    return Formula(next(filter(None, sources), ""), display)


def _candidates(page: Page) -> list[int]:
    """Elements that are formulas or stand around one, in document order."""
    tag = page.nodes.tag
    candidates = {*np.flatnonzero(tag == _MATH).tolist(), *_scripts(page)}
    classes = raw_values(page, "class")
    candidates.update(node for node, names in classes if _WRAPPER.search(names))
    return sorted(candidates)


# Names of services that draw formulas, in the address of a picture or its class.
_DRAWN = re.compile(
    r"latex|[^a-z]tex[^a-z]|mathtex|mimetex|formula|equation|cht=tx|mwe-math|/math\?|codecogs|upmath",
    re.IGNORECASE,
)
_PARAMETER = re.compile(
    r"[?&](?:chl|latex|tex|math|formula|from|eq|equation)=([^&#]+)", re.IGNORECASE
)
_IS_TEX = re.compile(r"\\[A-Za-z]|[\^_]|\{[^{}\n]*\}|^[A-Za-z]$|[=<>+]")
_SETTINGS = re.compile(
    r"^(?:\s*\\(?:inline|dpi\{\d+\}|(?:bg|fg|fn)_\w+|large|small|huge|LARGE|Large|tiny|displaystyle)(?![A-Za-z])\s*)+"
)


def _may_be_drawn(name: str) -> bool:
    if "ormula" in name or "quation" in name or "tx" in name or "math" in name or "tex" in name:
        return bool(_DRAWN.search(name))
    return "cogs" in name


def drawn_formula(image: Image, names: str) -> Formula | None:
    """The formula that a picture shows, by its address or its other text; None if it shows none."""
    src, alt = image.src, image.alt
    if not _may_be_drawn(src) and not (names and _may_be_drawn(names)):
        return None
    parameter = _PARAMETER.search(src)
    tex = unquote_plus(parameter[1]) if parameter else ""
    if not tex:
        tail = src.partition("?")[2] or src.rpartition("/")[2]
        tex = unquote(tail).replace("&space;", " ")
        tex = tex if "\\" in tex or ("?" in src and _IS_TEX.search(tex)) else ""
    if not tex and _IS_TEX.search(alt):
        tex = alt.strip().removeprefix("\\(").removesuffix("\\)").strip("$")
    tex = _plain(_SETTINGS.sub("", tex))
    tex = tex.removesuffix("\\\\").strip()  # a line break at its end
    return Formula(tex, False, "", image) if tex and _IS_TEX.search(tex) and tex != "=" else None


def _plain(tex: str) -> str:
    tex = " ".join(tex.split())
    styled = _MACRO.match(tex)
    return styled[1].strip() if styled else tex
