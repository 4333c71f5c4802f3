"""Formulas: from TeX, MathML and pictures."""

from __future__ import annotations

from collections.abc import Callable

import pytest

import tamis

Markdown = Callable[..., str]


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ('<p>by <math alttext="x^2"><msup><mi>x</mi><mn>2</mn></msup></math> it', "by $x^2$ it"),
        (
            "<p>by <span class=katex><span class=katex-mathml><math><semantics><mi>x</mi>"
            '<annotation encoding="application/x-tex">x_1</annotation></semantics></math></span>'
            "<span class=katex-html aria-hidden=true>x1</span></span> it",
            "by $x_1$ it",
        ),
        ('<p>by <script type="math/tex">x_1</script> it', "by $x_1$ it"),
        (
            '<p>so<script type="math/tex; mode=display">x_1</script><p>it',
            "so$x_1$\n\nit",
        ),
        ('<p>by <math alttext="a<b\n\n```"><mi>a</mi></math> it', "by a&lt;b &#96;&#96;&#96; it"),
        ("<p>by $x_1$ and \\(y^2\\) it", "by $x_1$ and $y^2$ it"),
        ("<p>so<p>$$x_1$$<p>it", "so\n\n$$\nx_1\n$$\n\nit"),
        ("<p>$a_1`b$ and `c", "\\$a_1&#96;b$ and &#96;c"),
        ("<p>$f_1[x](y)$ of $5", "$f_1[x] (y)$ of \\$5"),
        ("<p>$\\href{javascript:x}{y}$", "$\\\\href\\{javascript:x}\\{y}$"),
    ],
)
def test_formulas_are_tex(as_markdown: Markdown, source: str, expected: str) -> None:
    assert as_markdown(source) == expected


def test_a_bracket_in_a_formula_does_not_end_a_link() -> None:
    result = tamis.extract("<a href=/x>$&lt;]$</a> <a href=/y>$a_[1]$</a>", method="baseline")
    assert result.markdown == "[\\$&lt;\\]\\$](/x) [$a_[1]$](/y)"


def test_text_has_the_source_of_a_formula_once(as_text: Callable[[str], str]) -> None:
    source = (
        "<p>by <span class=katex><span class=katex-mathml><math><semantics><mi>x</mi>"
        '<annotation encoding="application/x-tex">x_1</annotation></semantics></math></span>'
        "<span class=katex-html aria-hidden=true>x1</span></span> it"
    )
    assert as_text(source) == "by x_1 it"


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        (
            "<p><math><mfrac><mi>a</mi><mrow><mi>b</mi><mo>+</mo><mn>1</mn></mrow></mfrac>"
            "</math> it",
            "$\\frac{a}{b + 1}$ it",
        ),
        (
            "<p><math><msqrt><mi>x</mi></msqrt><mo>≤</mo><mroot><mi>y</mi><mn>3</mn>"
            "</mroot></math> it",
            "$\\sqrt{x} \\leq \\sqrt[3]{y}$ it",
        ),
        (
            "<p><math><munderover><mo>∑</mo><mi>i</mi><mi>n</mi></munderover><msubsup>"
            "<mi>x</mi><mi>i</mi><mn>2</mn></msubsup></math> it",
            "$\\sum_{i}^{n} x_{i}^{2}$ it",
        ),
        (
            "<p><math><mover><mi>x</mi><mo>→</mo></mover><mover><mi>x</mi><mo>~</mo>"
            "</mover><munder><mi>lim</mi><mi>n</mi></munder></math> it",
            "$\\vec{x} \\tilde{x} \\lim_{n}$ it",
        ),
        (
            "<p><math><mtable><mtr><mtd><mn>1</mn></mtd><mtd><mn>2</mn></mtd></mtr><mtr>"
            "<mtd><mn>3</mn></mtd><mtd><mn>4</mn></mtd></mtr></mtable></math> it",
            "$\\begin{matrix} 1 & 2 \\\\ 3 & 4 \\end{matrix}$ it",
        ),
        (
            "<p><math><mfenced open='[' close=')'><mi>a</mi><mi>b</mi></mfenced></math> it",
            "$\\left[ a , b \\right)$ it",
        ),
        (
            "<p><math><mi mathvariant=bold>x</mi><mi mathvariant=normal>d</mi><mi>sin</mi>"
            "<mtext>for all</mtext><mphantom><mi>q</mi></mphantom></math> it",
            "$\\mathbf{x} d \\sin \\text{for all}$ it",
        ),
        (
            "<p><math><mo>(</mo><mfrac><mn>1</mn><mn>2</mn></mfrac><mo>)</mo></math> it",
            "$\\left( \\frac{1}{2} \\right)$ it",
        ),
        (
            "<p><img src='https://latex.codecogs.com/gif.latex?\\dpi{120}&space;x^2' alt=x> it",
            "$x^2$ it",
        ),
        (
            "<p><img class=mwe-math-fallback src=/a.svg alt='{\\displaystyle x^{2}}'> it",
            "$x^{2}$ it",
        ),
        (
            "<p><mjx-container class='MathJax'><mjx-math data-latex='x^2'>x2</mjx-math>"
            "</mjx-container> it",
            "$x^2$ it",
        ),
        (
            "<p><math><msup><mi>α</mi><mn>2</mn></msup><msup><mrow><mi>a</mi><mo>+</mo>"
            "<mi>b</mi></mrow><mn>2</mn></msup></math> it",
            "$\\alpha^{2} {a + b}^{2}$ it",
        ),
        (
            "<p><math><mover><mo>∑</mo><mi>n</mi></mover><mover><mi>q</mi><mi>n</mi>"
            "</mover></math> it",
            "$\\sum^{n} \\overset{n}{q}$ it",
        ),
        (
            "<p><math><munder><mi>q</mi><mo>_</mo></munder><munder><mi>q</mi><mi>n</mi>"
            "</munder></math> it",
            "$\\underline{q} \\underset{n}{q}$ it",
        ),
        ("<p><span class='math-block'><math><mi>x</mi></math></span>", "$$\nx\n$$"),
        ("<p><span class='MathJax'>x1</span><script type='math/tex'>x_1</script> it", "$x_1$ it"),
    ],
)
def test_mathml_and_pictures_become_tex(as_markdown: Markdown, source: str, expected: str) -> None:
    assert as_markdown(source) == expected


def test_a_formula_and_the_script_that_it_was_drawn_from_are_one(as_markdown: Markdown) -> None:
    drawn = '<math alttext="x^2"><mi>x</mi></math>'
    assert as_markdown(f'<p>by {drawn}<script type="math/tex">x^2</script> it') == "by $x^2$ it"
    drawn = "<span class=MathJax>x2</span>"
    assert as_markdown(f'<p>by {drawn}<script type="math/tex">x^2</script> it') == "by $x^2$ it"
