"""MathML without a TeX source in it, as TeX: what MathJax leaves for screen readers, and others."""

from __future__ import annotations

from collections.abc import Callable

from tamis.page.table import Page

# Deeper formulas are no formulas, and more elements are more than anybody wrote.
_DEEPEST = 60
_MOST = 5000

_LETTERS = (
    "α alpha β beta γ gamma δ delta ε varepsilon ϵ epsilon ζ zeta η eta θ theta ϑ vartheta ι iota"
    " κ kappa λ lambda μ mu ν nu ξ xi π pi ϖ varpi ρ rho ϱ varrho σ sigma ς varsigma τ tau"
    " υ upsilon φ varphi ϕ phi χ chi ψ psi ω omega Γ Gamma Δ Delta Θ Theta Λ Lambda Ξ Xi Π Pi"
    " Σ Sigma Υ Upsilon Φ Phi Ψ Psi Ω Omega ℏ hbar ℓ ell ℜ Re ℑ Im ℵ aleph ∂ partial ∇ nabla"
    " ∞ infty ∅ emptyset ı imath ȷ jmath"
)
_OPERATORS = (
    "⋅ cdot · cdot × times ÷ div ± pm ∓ mp ∗ ast ⋆ star ∘ circ ∙ bullet ⊕ oplus ⊗ otimes ⊙ odot"
    " ≤ leq ≥ geq ≪ ll ≫ gg ≠ neq ≈ approx ≃ simeq ≅ cong ≡ equiv ∼ sim ∝ propto ≺ prec ≻ succ"
    " ∈ in ∉ notin ∋ ni ⊂ subset ⊆ subseteq ⊃ supset ⊇ supseteq ∪ cup ∩ cap ∖ setminus ∧ wedge"
    " ∨ vee ¬ neg ∀ forall ∃ exists ⊢ vdash ⊨ models ⊥ perp ∥ parallel ∣ mid → to ← leftarrow"
    " ↔ leftrightarrow ⇒ Rightarrow ⇐ Leftarrow ⇔ Leftrightarrow ↦ mapsto ⟶ longrightarrow"
    " ⟹ Longrightarrow ↑ uparrow ↓ downarrow ∑ sum ∏ prod ∐ coprod ∫ int ∬ iint ∭ iiint ∮ oint"
    " ⋃ bigcup ⋂ bigcap ⋁ bigvee ⋀ bigwedge ⨁ bigoplus ⨂ bigotimes … dots ⋯ cdots ⋮ vdots"
    " ⋱ ddots ⟨ langle ⟩ rangle ⌊ lfloor ⌋ rfloor ⌈ lceil ⌉ rceil ‖ Vert † dagger ′ prime"
    " √ surd ∠ angle △ triangle □ square"
)


def _pairs(words: str) -> dict[str, str]:
    pieces = words.split()
    return {sign: f"\\{name}" for sign, name in zip(pieces[::2], pieces[1::2], strict=True)}


_COMMANDS = _pairs(_LETTERS) | _pairs(_OPERATORS) | {"−": "-", "{": "\\{", "}": "\\}", "%": "\\%"}
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


def tex_of(page: Page, math: int) -> str:
    """The TeX of a `math` element; empty if it has no text or is not what a person writes."""
    nodes = page.nodes
    if nodes.last[math] - math > _MOST:
        return ""
    return _Reading(page).row(math, 0).strip()


class _Reading:
    """Elements to TeX, each read once."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.forms: dict[str, Callable[[list[str], int], str]] = {
            "msub": lambda a, _: f"{_base(a[0])}_{{{a[1]}}}",
            "msup": lambda a, _: f"{_base(a[0])}^{{{a[1]}}}",
            "msubsup": lambda a, _: f"{_base(a[0])}_{{{a[1]}}}^{{{a[2]}}}",
            "mfrac": lambda a, _: f"\\frac{{{a[0]}}}{{{a[1]}}}",
            "mroot": lambda a, _: f"\\sqrt[{a[1]}]{{{a[0]}}}",
            "munder": lambda a, _: _under(a[0], a[1]),
            "mover": lambda a, _: _over(a[0], a[1]),
            "munderover": lambda a, _: f"{a[0]}_{{{a[1]}}}^{{{a[2]}}}",
        }

    def children(self, node: int) -> list[int]:
        """The elements right below an element."""
        children = []
        child, last = node + 1, int(self.page.nodes.last[node])
        while child <= last:
            children.append(child)
            child = int(self.page.nodes.last[child]) + 1
        return children

    def row(self, node: int, depth: int) -> str:
        """What stands one after the other."""
        return _fence_parts([self.of(child, depth + 1) for child in self.children(node)])

    def of(self, node: int, depth: int) -> str:
        """One element."""
        name = self.page.tag_name(node)
        if depth > _DEEPEST or name in ("annotation", "annotation-xml"):
            return ""
        if name in ("mi", "mn", "mo", "mtext", "ms"):
            return self.token(node, name)
        if name in self.forms:
            parts = [self.of(child, depth + 1) for child in self.children(node)]
            wanted = 3 if name in ("msubsup", "munderover") else 2
            return self.forms[name](parts, depth) if len(parts) == wanted else " ".join(parts)
        if name == "msqrt":
            return f"\\sqrt{{{self.row(node, depth)}}}"
        if name == "mtable":
            rows = " \\\\ ".join(self.cells(row, depth) for row in self.children(node))
            return f"\\begin{{matrix}} {rows} \\end{{matrix}}"
        if name == "mfenced":
            attributes = self.page.attributes(node)
            inside = " , ".join(self.of(child, depth + 1) for child in self.children(node))
            before, after = attributes.get("open", "("), attributes.get("close", ")")
            return f"\\left{_sign(before) or '.'} {inside} \\right{_sign(after) or '.'}"
        if name == "mspace":
            return "\\quad" if self.page.attributes(node).get("width", "")[:1] in "123" else ""
        if name == "mphantom":
            return ""
        return self.row(node, depth)

    def cells(self, row: int, depth: int) -> str:
        """A row of a matrix."""
        return " & ".join(self.row(cell, depth + 1) for cell in self.children(row))

    def token(self, node: int, name: str) -> str:
        """An identifier, a number, an operator or words."""
        text = " ".join(self.page.node_text(node).translate(_UNSEEN).split())
        if not text:
            return ""
        if name in ("mtext", "ms"):
            return f"\\text{{{text}}}"
        if text in _FUNCTIONS:
            return f"\\{text}"
        style = self.page.attributes(node).get("mathvariant", "")
        made = "".join(map(_sign, text)) if len(text) < 20 else text
        if name == "mi" and style in _STYLES and (style != "normal" or len(text) > 1):
            return f"\\{_STYLES[style]}{{{made}}}"
        return made


def _sign(sign: str) -> str:
    return _COMMANDS.get(sign, sign)


def _base(tex: str) -> str:
    """What an index stands at: more than one sign needs braces."""
    is_one = len(tex) == 1 or (tex[:1] == "\\" and tex[1:].isalpha()) or tex.isalnum()
    return (
        tex if is_one or tex.startswith(("\\left", "\\math", "\\text", "\\hat")) else f"{{{tex}}}"
    )


def _over(base: str, above: str) -> str:
    name = _ACCENTS.get(above) or _ACCENTS.get({"\\to": "→"}.get(above, ""))
    if name:
        return f"\\{name}{{{base}}}"
    return f"{base}^{{{above}}}" if base in _SIDES else f"\\overset{{{above}}}{{{base}}}"


def _under(base: str, below: str) -> str:
    if below in _UNDER:
        return f"\\{_UNDER[below]}{{{base}}}"
    return f"{base}_{{{below}}}" if base in _SIDES else f"\\underset{{{below}}}{{{base}}}"


def _fence_parts(parts: list[str]) -> str:
    """Parts in a row; brackets that belong together grow with what they hold."""
    waiting: list[int] = []
    for place, part in enumerate(parts):
        if part in _FENCES:
            waiting.append(place)
        elif waiting and part == _FENCES[parts[waiting[-1]]]:
            begin = waiting.pop()
            parts[begin], parts[place] = f"\\left{parts[begin]}", f"\\right{part}"
    return " ".join(part for part in parts if part)
