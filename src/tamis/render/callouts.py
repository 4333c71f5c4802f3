"""Callouts: notes, tips and warnings in a box of their own, as the common generators write them."""

from __future__ import annotations

import re
from typing import NamedTuple

import numpy as np

from tamis._runtime import limits
from tamis.page import tags
from tamis.page.table import Column, Page


class Callout(NamedTuple):
    """A box in the text: what kind of remark it is."""

    kind: str
    """As the page names it: note, tip, warning ...; empty if it does not."""
    fold: str
    """A minus if it is closed until somebody opens it, a plus if it can be closed."""
    titled: bool
    """Whether its first leaf is its title."""


_KINDS = frozenset(
    "note info tip hint important warning caution danger error success attention seealso todo"
    " example quote question faq bug abstract summary tldr failure check done help warn"
    " information critical deprecated primary secondary default neutral".split()
)
_COLOURS = frozenset(("primary", "secondary", "default", "neutral"))
_SAME = {"warn": "warning", "information": "info"} | dict.fromkeys(_COLOURS, "note")
_KIND = "|".join(sorted(_KINDS, key=len, reverse=True))
# What boxes are called; with a kind after it, or as another name of the same element.
_BASE = (
    "markdown-alert|alert|admonish|callout|admonitionblock|admonition|custom-block|hint|notice|notecard"
    "|starlight-aside|information-macro|message|panel|infobox|flash"
)
_TYPED = re.compile(
    rf"(?:[a-z]+[-_])*?(?:{_BASE})[-_]{{1,2}}(?:is-|type-)?(?P<after>{_KIND})"
    rf"|(?P<before>{_KIND})[-_](?:{_BASE}|box|block)"
)
_IS_BASE = re.compile(rf"(?:[a-z]+-)?(?:{_BASE}|callout-card|blockindicator)")
_NAMES_KIND = re.compile(rf"(?:is-|type-)?(?P<kind>{_KIND})")
# Boxes even if nothing says of which kind.
_UNTYPED = frozenset("admonition theme-admonition notecard".split())
# Kinds that are enough as the only name of an element.
_ALONE = frozenset("note tip warning caution important danger".split())
_TITLE = re.compile(r"title|heading|header|summary|label", re.IGNORECASE)
_BOXES = frozenset(
    tags.ID[name] for name in "div aside section p blockquote details figure article dl".split()
)
_DETAILS, _FIGURE = tags.ID["details"], tags.ID["figure"]
_TITLE_TAGS = frozenset(tags.ID[name] for name in ("summary", "h2", "h3", "h4", "h5", "h6"))
# Elements at the beginning of a box among which its title is.
_NEAR = 12
# Characters of a class that are read.
_LONGEST = 300


def callouts(page: Page, named: list[tuple[int, str]], texts: Column) -> dict[int, Callout]:
    """The elements that are callouts; `named` have such classes, `texts` are the shown ones."""
    boxes: dict[int, Callout] = {}
    for node, kind in limits.checked(kinds_of(page, named).items(), 100):
        first, end = np.searchsorted(
            texts, (page.nodes.first_text[node], page.nodes.end_text[node])
        )
        if first < end:
            boxes[node] = _callout(page, node, kind, texts[first:end])
    return boxes


def kinds_of(page: Page, named: list[tuple[int, str]]) -> dict[int, str]:
    """The elements that are callouts by their names, with their kinds."""
    kinds: dict[tuple[str, bool], str] = {}
    boxes = {}
    for node, names in limits.checked(named):
        tag = int(page.nodes.tag[node])
        if tag in _BOXES:
            key = names, tag == _DETAILS
            if key not in kinds:
                kinds[key] = _kind(names[:_LONGEST].lower().split(), tag == _DETAILS)
            kind = kinds[key]
            if kind or _is_untyped(page, node, names):
                boxes[node] = kind
    return boxes


def _is_untyped(page: Page, node: int, names: str) -> bool:
    """Whether an element is a callout of no kind: others that are called so only stand out."""
    own = names.split()
    if "kg-callout-card" in own:
        return True
    is_callout = "callout" in own
    return is_callout and (
        page.nodes.tag[node] == _FIGURE or "data-callout" in page.attributes(node)
    )


def _kind(names: list[str], folds: bool) -> str:
    """The kind of callout that class names speak of, empty if they do not."""
    if folds and any(name.startswith("details") for name in names):
        return ""
    typed = [match["after"] or match["before"] for match in map(_TYPED.fullmatch, names) if match]
    if typed:
        # Of two the one that does not speak of colours alone.
        return next((_SAME.get(kind, kind) for kind in typed if kind not in _COLOURS), "note")
    kinds = [match["kind"] for match in map(_NAMES_KIND.fullmatch, names) if match]
    is_box = any(_IS_BASE.fullmatch(name) for name in names) or (folds and bool(kinds))
    if is_box and kinds:
        return _SAME.get(kinds[0], kinds[0])
    if len(names) == 1 and names[0] in _ALONE:
        return names[0]
    return "note" if any(name in _UNTYPED for name in names) else ""


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
    if word in _KINDS and (word == kind or _SAME.get(word, word) == kind):
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
