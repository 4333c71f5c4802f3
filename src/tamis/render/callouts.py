"""Callouts: notes, tips and warnings in a box of their own, as the common generators write them."""

from __future__ import annotations

import re
from typing import NamedTuple

import numpy as np

from tamis._runtime import limits
from tamis.page import tags
from tamis.page.callout_kinds import KINDS, SAME, find_callouts
from tamis.page.table import Column, Page


class Callout(NamedTuple):
    """A box in the text: what kind of remark it is."""

    kind: str
    """As the page names it: note, tip, warning ...; empty if it does not."""
    fold: str
    """A minus if it is closed until somebody opens it, a plus if it can be closed."""
    titled: bool
    """Whether its first leaf is its title."""


_TITLE = re.compile(r"title|heading|header|summary|label", re.IGNORECASE)
_DETAILS = tags.ID["details"]
_TITLE_TAGS = frozenset(tags.ID[name] for name in ("summary", "h2", "h3", "h4", "h5", "h6"))
# Elements at the beginning of a box among which its title is.
_NEAR = 12


def callouts(page: Page, named: list[tuple[int, str]], texts: Column) -> dict[int, Callout]:
    """The elements that are callouts; `named` have such classes, `texts` are the shown ones."""
    boxes: dict[int, Callout] = {}
    for node, kind in limits.checked(find_callouts(page, named).items(), 100):
        first, end = np.searchsorted(
            texts, (page.nodes.first_text[node], page.nodes.end_text[node])
        )
        if first < end:
            boxes[node] = _callout(page, node, kind, texts[first:end])
    return boxes


def _callout(page: Page, node: int, kind: str, texts: Column) -> Callout:
    attributes = page.attributes(node)
    declared = attributes.get("data-callout", "").lower()
    kind = declared if re.fullmatch(r"[a-z][a-z-]{0,30}", declared) else kind
    names = attributes.get("class", "").split()
    fold = attributes.get("data-callout-fold", "") or ("-" if "is-collapsed" in names else "")
    if page.nodes.tag[node] == _DETAILS:
        fold = "+" if "open" in attributes else "-"
    return Callout(kind, fold if fold in ("-", "+") else "", _is_titled(page, node, kind, texts))


def _first_block(page: Page, texts: Column) -> tuple[int, int]:
    """The block of the first of some texts, and how many of them it has."""
    block = int(page.texts.block[texts[0]])
    return block, int(np.searchsorted(texts, page.blocks.end_text[block]))


def _is_titled(page: Page, node: int, kind: str, texts: Column) -> bool:
    """Whether the first block of a callout is its title: it is named so, or says its kind."""
    block, after = _first_block(page, texts)
    if after == len(texts):
        return False
    word = page.block_text(block).strip(" :.!\xa0").casefold()
    if not re.search(r"\w", word):
        # An icon, and what follows may be the title.
        texts = texts[after:]
        block, after = _first_block(page, texts)
        if after == len(texts):
            return False
        word = page.block_text(block).strip(" :.!\xa0").casefold()
    if word in KINDS and (word == kind or SAME.get(word, word) == kind):
        return True
    nodes = page.nodes
    for inner in range(node + 1, min(int(nodes.last[node]), node + _NEAR) + 1):
        if nodes.first_text[inner] > texts[0] or nodes.end_text[inner] > texts[after]:
            continue
        if nodes.end_text[inner] <= texts[after - 1]:
            continue
        if int(nodes.tag[inner]) in _TITLE_TAGS:
            return True
        if _TITLE.search(page.attribute(inner, "class") or ""):
            return True
    return False
