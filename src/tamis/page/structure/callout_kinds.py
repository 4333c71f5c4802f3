"""Which elements are callouts, by their class names: notes, tips and warnings in boxes."""

from __future__ import annotations

import re

from tamis._runtime import limits
from tamis.page import tags
from tamis.page.table import Page

KINDS = frozenset(
    "note info tip hint important warning caution danger error success attention seealso todo"
    " example quote question faq bug abstract summary tldr failure check done help warn"
    " information critical deprecated primary secondary default neutral".split()
)
"""What class names call the kinds of callouts."""
_COLOURS = frozenset(("primary", "secondary", "default", "neutral"))
SAME = {"warn": "warning", "information": "info"} | dict.fromkeys(_COLOURS, "note")
"""Other names of the same kind."""
_KIND = "|".join(sorted(KINDS, key=len, reverse=True))
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
_BOXES = frozenset(tags.find_ids("div aside section p blockquote details figure article dl"))
_DETAILS, _FIGURE = tags.find_ids("details figure")
# Characters of a class that are read.
_LONGEST = 300


def find_callouts(page: Page, named: list[tuple[int, str]]) -> dict[int, str]:
    kinds: dict[tuple[str, bool], str] = {}
    boxes = {}
    for node, names in limits.check_each(named):
        tag = int(page.nodes.tag[node])
        if tag in _BOXES:
            key = names, tag == _DETAILS
            if key not in kinds:
                kinds[key] = _find_kind(names[:_LONGEST].lower().split(), tag == _DETAILS)
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


def _find_kind(names: list[str], folds: bool) -> str:
    """The kind of callout that class names speak of, empty if they do not."""
    if folds and any(name.startswith("details") for name in names):
        return ""
    typed = [match["after"] or match["before"] for match in map(_TYPED.fullmatch, names) if match]
    if typed:
        # Of two the one that does not speak of colours alone.
        return next((SAME.get(kind, kind) for kind in typed if kind not in _COLOURS), "note")
    kinds = [match["kind"] for match in map(_NAMES_KIND.fullmatch, names) if match]
    is_box = any(_IS_BASE.fullmatch(name) for name in names) or (folds and bool(kinds))
    if is_box and kinds:
        return SAME.get(kinds[0], kinds[0])
    if len(names) == 1 and names[0] in _ALONE:
        return names[0]
    return "note" if any(name in _UNTYPED for name in names) else ""
