"""Passes of the search for posts, on small pages."""

from __future__ import annotations

import numpy as np
import pytest

import tamis
from tamis.describe.posts.clues import POST, Clues
from tamis.describe.posts.families import Families
from tamis.describe.posts.threads import accumulate_rows

UNITS = """<div class=post><p>The quay was rebuilt in oak last autumn.</div>
<div class=post><p>Larch would have lasted longer under water.</div>
<div class=card><p>Nobody asked the harbour master about it.</div>"""


def test_the_share_of_named_units_is_a_share_and_no_whole_number() -> None:
    page = tamis.parse(UNITS)
    clues = Clues(page)
    units = np.array([node for node in range(len(page.nodes)) if page.tag_name(node) == "div"])
    first = units.astype(np.intc)
    families = Families(page, clues)
    of_texts = accumulate_rows(families.clue_columns[0])
    is_post = (clues.kinds & POST != 0).view(np.uint8)
    plain = np.full(3, 8.0)
    end = page.nodes.last[first] + np.intc(1)
    assert families.elements.share_named(is_post, of_texts, first, end, plain) == pytest.approx(
        2 / 3
    )
