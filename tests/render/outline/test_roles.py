"""The roles of elements: what may be a formula, and what stands among the text."""

from __future__ import annotations

from collections.abc import Callable

import pytest

import tamis
from tamis.render.outline import roles

Markdown = Callable[..., str]


@pytest.mark.parametrize("name", [*roles.WRAPPERS, "MathJax", "MathJax_Display"])
def test_every_class_of_elements_around_formulas_is_noticed(name: str) -> None:
    assert roles.may_have_wrappers(tamis.parse(f"<p>a <span class='x {name}'>b</span>"))


def test_other_classes_are_not_taken_for_those_around_formulas() -> None:
    source = "<p class='related text-center'>katex <b class='widget-area metadata t at'>a</b>"
    assert not roles.may_have_wrappers(tamis.parse(source))
