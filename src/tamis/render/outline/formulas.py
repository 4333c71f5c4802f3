"""Formulas: the TeX source that MathML, KaTeX, MathJax and pictures of formulas leave in a page."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path
from urllib.parse import unquote, unquote_plus

import numpy as np

from tamis._runtime import limits
from tamis.page import tags
from tamis.page.arrays import Indexes
from tamis.page.attributes import raw_values
from tamis.page.table import Page
from tamis.render.outline.events import Formula, Image
from tamis.render.outline.roles import TEX, WRAPPERS, may_have_formulas, may_have_wrappers

_MATH, _SCRIPT = tags.ID["math"], tags.ID["script"]
_TYPE = tags.ATTRIBUTE_ID["type"]
_WRAPPER = re.compile(rf"(?:^|\s)(?:MathJax\w*|{'|'.join(WRAPPERS)})(?:\s|$)")
_DISPLAY = re.compile(r"katex-display|math-block|MathJax_Display|mwe-math-element-block")
_SOURCES = ("data-math", "data-entry", "data-tex", "data-latex", "data-formula", "alttext")
_MACRO = re.compile(r"^\{\\(?:displaystyle|textstyle)\s(.*)\}$", re.DOTALL)


def may_need_search(page: Page, flags: int) -> bool:
    """Whether there may be formulas among the kept blocks, whose texts have these flags."""
    if may_have_formulas(page) and ((page.nodes.tag == _MATH).any() or _find_scripts(page)):
        return True
    if b"mjx-container" in page.own_names:
        return True
    # KaTeX without MathML is all hidden from screen readers.
    if not flags & tags.ARIA_HIDDEN or not may_have_wrappers(page):
        return False
    return page.source.find(b"katex") >= 0


def _find_scripts(page: Page) -> list[int]:
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

    def find(self) -> dict[int, Formula]:
        """The outermost element of each formula, and the formula."""
        formulas: dict[int, Formula] = {}
        nodes = self.page.nodes
        end = drawing = -1
        for node in limits.check_each(_find_candidates(self.page), 100):
            if node <= end:
                continue
            formula = self._read_formula(node)
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

    def _read_formula(self, node: int) -> Formula:
        """The formula at an element: a script, a math or something around one."""
        own, math = self.declared(node), self._find_first_below(node, self.maths)
        if self.page.nodes.tag[node] == _SCRIPT:
            return own
        if math < 0:
            return own if own.tex else self._read_container(node, own.display)
        inner = self.declared(math)
        source = self._find_first_below(node, self.sources)
        if source >= 0 and source not in self.sources_tex:
            self.sources_tex[source] = self._read_source(source)
        tex = own.tex or inner.tex or self.sources_tex.get(source, "")
        display = own.display or inner.display
        if tex:
            return Formula(tex, display)
        if math not in self.read and math > self.unread_end:
            tex = write_tex(self.page, math)
            text = " ".join(self.page.node_text(math).split()) if tex else ""
            self.read[math] = tex, text
            if not tex:
                self.unread_end = int(self.page.nodes.last[math])
        tex, text = self.read.get(math, ("", ""))
        return Formula(tex, display, text)

    def _read_container(self, node: int, display: bool) -> Formula:
        """The formula in an element of MathJax 4, whose first child has the source."""
        if self.page.nodes.tag[node] != self.container or node == self.page.nodes.last[node]:
            return Formula("", display)
        inner = self.declared(node + 1)
        text = " ".join(self.page.node_text(node).split()) if inner.tex else ""
        return Formula(inner.tex, display, text)

    def _read_source(self, node: int) -> str:
        """The TeX in an element below a math, empty if it is something else."""
        if node <= self.blank_end:
            return ""
        if "tex" not in self.page.attributes(node).get("encoding", "").lower():
            return ""
        text = self.page.node_text(node)
        if not text.strip():
            self.blank_end = int(self.page.nodes.last[node])
        return _clean_tex(text)

    def _find_first_below(self, node: int, among: Indexes) -> int:
        """The first of these elements at or below a node, -1 if there is none."""
        place = int(np.searchsorted(among, node))
        below = place < len(among) and among[place] <= self.page.nodes.last[node]
        return int(among[place]) if below else -1


def _find_declared(page: Page, node: int) -> Formula:
    attributes = page.attributes(node)
    tag = page.nodes.tag[node]
    if tag == _SCRIPT:
        display = "mode=display" in attributes.get("type", "").replace(" ", "")
        return Formula(page.content(node).strip(), display)
    display = bool(_DISPLAY.search(attributes.get("class", "")))
    display = display or attributes.get("display") in ("block", "true")
    sources = (_clean_tex(attributes.get(name, "")) for name in _SOURCES)
    return Formula(next(filter(None, sources), ""), display)


def _find_candidates(page: Page) -> list[int]:
    """Elements that are formulas or stand around one, in document order."""
    tag = page.nodes.tag
    candidates = {*np.flatnonzero(tag == _MATH).tolist(), *_find_scripts(page)}
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


def read_drawn_formula(image: Image, names: str) -> Formula | None:
    """The formula that a picture shows, by its address or its other text."""
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
    tex = _clean_tex(_SETTINGS.sub("", tex))
    tex = tex.removesuffix("\\\\").strip()  # a line break at its end
    return Formula(tex, False, "", image) if tex and _IS_TEX.search(tex) and tex != "=" else None


def _clean_tex(tex: str) -> str:
    tex = " ".join(tex.split())
    styled = _MACRO.match(tex)
    return styled[1].strip() if styled else tex


# Nobody writes formulas that are deeper or have more elements.
_DEEPEST = 60
_MOST = 5000

# Pairs of a sign and the name of its command.
_PAIRS = Path(__file__).with_name("tex_commands.txt").read_text("utf-8").split()
_COMMANDS = {
    **{sign: f"\\{name}" for sign, name in zip(_PAIRS[::2], _PAIRS[1::2], strict=True)},
    "−": "-",
    "{": "\\{",
    "}": "\\}",
    "%": "\\%",
}
_UNSEEN = dict.fromkeys(map(ord, "\u2061\u2062\u2063\u2064\u200b\xa0"))
_FUNCTIONS = frozenset(
    "sin cos tan cot sec csc arcsin arccos arctan sinh cosh tanh log ln lg exp lim max min sup inf"
    " det dim ker deg gcd arg Pr limsup liminf hom".split()
)
_ACCENTS = {
    "^": "hat", "ˆ": "hat", "~": "tilde", "˜": "tilde", "¯": "overline", "‾": "overline",
    "→": "vec", "⃗": "vec", "˙": "dot", "¨": "ddot", "ˇ": "check", "˘": "breve", "⏞": "overbrace",
    "―": "overline", "_": "overline",
}  # fmt: skip
_UNDER = {"_": "underline", "¯": "underline", "⏟": "underbrace", "‾": "underline"}
_FENCES = {"(": ")", "[": "]", "\\{": "\\}"}
_STYLES = {
    "bold": "mathbf", "double-struck": "mathbb", "script": "mathcal", "fraktur": "mathfrak",
    "normal": "mathrm", "sans-serif": "mathsf", "monospace": "mathtt",
}  # fmt: skip
_SIDES = frozenset(("\\sum", "\\prod", "\\lim", "\\max", "\\min", "\\sup", "\\inf", "\\int"))


def write_tex(page: Page, math: int) -> str:
    """Write a `math` element as TeX; empty if it has no text or no person wrote it."""
    nodes = page.nodes
    if nodes.last[math] - math > _MOST:
        return ""
    return _Reading(page).write_row(math, 0).strip()


class _Reading:
    """Elements to TeX, each read once."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def find_children(self, node: int) -> list[int]:
        children = []
        child, last = node + 1, int(self.page.nodes.last[node])
        while child <= last:
            children.append(child)
            child = int(self.page.nodes.last[child]) + 1
        return children

    def write_row(self, node: int, depth: int) -> str:
        return _fence_parts([self.write(child, depth + 1) for child in self.find_children(node)])

    def write(self, node: int, depth: int) -> str:
        name = self.page.tag_name(node)
        if depth > _DEEPEST or name in ("annotation", "annotation-xml"):
            return ""
        if name in ("mi", "mn", "mo", "mtext", "ms"):
            return self.write_token(node, name)
        if name in _FORMS:
            parts = [self.write(child, depth + 1) for child in self.find_children(node)]
            wanted = 3 if name in ("msubsup", "munderover") else 2
            return _FORMS[name](*parts) if len(parts) == wanted else " ".join(parts)
        if name == "msqrt":
            return f"\\sqrt{{{self.write_row(node, depth)}}}"
        if name == "mtable":
            rows = " \\\\ ".join(
                " & ".join(self.write_row(cell, depth + 1) for cell in self.find_children(row))
                for row in self.find_children(node)
            )
            return f"\\begin{{matrix}} {rows} \\end{{matrix}}"
        if name == "mfenced":
            attributes = self.page.attributes(node)
            inside = " , ".join(self.write(child, depth + 1) for child in self.find_children(node))
            before, after = attributes.get("open", "("), attributes.get("close", ")")
            return f"\\left{_write_sign(before) or '.'} {inside} \\right{_write_sign(after) or '.'}"
        if name == "mspace":
            return "\\quad" if self.page.attributes(node).get("width", "")[:1] in "123" else ""
        if name == "mphantom":
            return ""
        return self.write_row(node, depth)

    def write_token(self, node: int, name: str) -> str:
        text = " ".join(self.page.node_text(node).translate(_UNSEEN).split())
        if not text:
            return ""
        if name in ("mtext", "ms"):
            return f"\\text{{{text}}}"
        if text in _FUNCTIONS:
            return f"\\{text}"
        style = self.page.attributes(node).get("mathvariant", "")
        made = "".join(map(_write_sign, text)) if len(text) < 20 else text
        if name == "mi" and style in _STYLES and (style != "normal" or len(text) > 1):
            return f"\\{_STYLES[style]}{{{made}}}"
        return made


def _write_sign(sign: str) -> str:
    return _COMMANDS.get(sign, sign)


def _write_base(tex: str) -> str:
    """Put braces around what an index stands at if it is more than one sign."""
    is_one = len(tex) == 1 or (tex[:1] == "\\" and tex[1:].isalpha()) or tex.isalnum()
    return (
        tex if is_one or tex.startswith(("\\left", "\\math", "\\text", "\\hat")) else f"{{{tex}}}"
    )


def _write_over(base: str, above: str) -> str:
    name = _ACCENTS.get(above) or _ACCENTS.get({"\\to": "→"}.get(above, ""))
    if name:
        return f"\\{name}{{{base}}}"
    return f"{base}^{{{above}}}" if base in _SIDES else f"\\overset{{{above}}}{{{base}}}"


def _write_under(base: str, below: str) -> str:
    if below in _UNDER:
        return f"\\{_UNDER[below]}{{{base}}}"
    return f"{base}_{{{below}}}" if base in _SIDES else f"\\underset{{{below}}}{{{base}}}"


_FORMS: dict[str, Callable[..., str]] = {
    "msub": lambda base, below: f"{_write_base(base)}_{{{below}}}",
    "msup": lambda base, above: f"{_write_base(base)}^{{{above}}}",
    "msubsup": lambda base, below, above: f"{_write_base(base)}_{{{below}}}^{{{above}}}",
    "mfrac": lambda above, below: f"\\frac{{{above}}}{{{below}}}",
    "mroot": lambda base, root: f"\\sqrt[{root}]{{{base}}}",
    "munder": _write_under,
    "mover": _write_over,
    "munderover": lambda base, below, above: f"{base}_{{{below}}}^{{{above}}}",
}


def _fence_parts(parts: list[str]) -> str:
    """Join parts in a row; brackets that belong together grow with what they hold."""
    waiting: list[int] = []
    for place, part in enumerate(parts):
        if part in _FENCES:
            waiting.append(place)
        elif waiting and part == _FENCES[parts[waiting[-1]]]:
            begin = waiting.pop()
            parts[begin], parts[place] = f"\\left{parts[begin]}", f"\\right{part}"
    return " ".join(part for part in parts if part)
