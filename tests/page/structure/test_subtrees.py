"""A part of a page is a page: the same texts, links and structure, and nothing else."""

from __future__ import annotations

import numpy as np
from tests.page.reading import node_of

import tamis
from tamis.page.structure.subtrees import copy_part

PAGE = """<nav><a href="/">Home</a></nav><div id="a"><ul><li>One <b>bold</b> word<li>Two</ul>
<p>Last <a href="/x">link</a></div><div id="b"><p>Other</p></div>"""


def test_a_part_has_the_texts_of_its_elements_alone() -> None:
    page = tamis.parse(PAGE)
    first = node_of(page, "ul")
    own = copy_part(page, first, int(page.nodes.last[first]) + 1)
    assert own.block_texts(np.arange(len(own.blocks))) == ["One bold word", "Two"]
    assert own.tag_name(0) == "div"


def test_a_part_without_some_texts_shows_the_others() -> None:
    page = tamis.parse(PAGE)
    first = node_of(page, "p")
    dropped = np.array([page.text(text) == "link" for text in range(len(page.texts))])
    own = copy_part(page, first, int(page.nodes.last[first]) + 1, dropped)
    assert own.block_text(0) == "Last"
