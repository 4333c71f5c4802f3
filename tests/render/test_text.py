"""Plain text: a line per block."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

import tamis
from tamis._runtime import limits
from tamis.errors import TooMuchOutputError
from tamis.render import text

Markdown = Callable[..., str]


LONG = "<p>" + "word " * 5_000


def test_text_ends_at_its_limits() -> None:
    page = tamis.parse(LONG)
    with pytest.raises(TooMuchOutputError), limits.within(60, 1_000):
        text.render(page, np.ones(len(page.blocks), bool))


def test_blocks_are_lines_and_line_breaks_stay(as_text: Callable[[str], str]) -> None:
    assert as_text("<h1>One</h1><p>two<br>three <b>f</b>our<ul><li>five<li>six</ul>") == (
        "One\ntwo\nthree four\nfive\nsix"
    )
