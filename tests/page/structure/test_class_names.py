"""What elements may be by their class names."""

from __future__ import annotations

import numpy as np
import pytest
from tests.uncompiled import from_source

import tamis
from tamis.page.structure.class_names import find_callouts, find_named, may_be_torn


def kinds(html: str) -> dict[str, list[str]]:
    """The class names that were found, by kind."""
    page = tamis.parse(html)
    named = find_named(page, np.arange(len(page.texts), dtype=np.intc))
    return {kind: [names for _, names in found] for kind, found in named.items() if found}


@pytest.mark.parametrize(
    ("names", "kind"),
    [
        ("footnotes", "note"),
        ("fnA-3", "note"),
        ("markdown-alert", "callout"),
        ("c tip", "callout"),
        ("headerlink", "heading link"),
        ("token-line", "line"),
    ],
)
def test_a_class_is_known_by_its_letters(names: str, kind: str) -> None:
    assert kinds(f'<div class="{names}">x</div>').get(kind) == [names]


def test_names_are_read_to_their_end_and_in_any_case() -> None:
    assert kinds("<div class='tips'>x</div><div class=typewriter>y</div>") == {}
    assert kinds("<p class='FootNotes'>x")["note"] == ["FootNotes"]


def test_a_page_without_text_has_no_names() -> None:
    assert kinds("<div class=footnote></div>") == {}


PAGE = "<p>a</p><div><div class='admonition'><p>b</p><p>c</p></div></div><p>d</p>"


@pytest.mark.parametrize(
    ("kept", "torn"),
    [("1111", False), ("0000", False), ("1101", True), ("1001", True), ("1000", True)],
)
def test_a_structure_may_be_torn_where_kept_and_dropped_blocks_meet(kept: str, torn: bool) -> None:
    flags = np.array([*map(int, kept)], bool)
    assert may_be_torn(tamis.parse(PAGE), flags) is torn
    assert may_be_torn(tamis.parse(PAGE.replace("admonition", "story")), flags) is False


def test_the_passes_are_the_same_compiled_or_not() -> None:
    (uncompiled,) = from_source("page.structure.class_names")
    page = tamis.parse(PAGE)
    texts = np.arange(len(page.texts), dtype=np.intc)
    assert uncompiled.find_named(page, texts) == find_named(page, texts)
    for bits in range(16):
        kept = np.array([bits >> block & 1 for block in range(4)], bool)
        assert uncompiled.may_be_torn(page, kept) == may_be_torn(page, kept)


def callout_kinds(html: str) -> list[str]:
    """The kinds of the callouts of a page, in order."""
    page = tamis.parse(html)
    named = find_named(page, np.arange(len(page.texts), dtype=np.intc))
    return list(find_callouts(page, named["callout"]).values())


@pytest.mark.parametrize(
    ("names", "kind"),
    [
        ("admonition warning", "warning"),
        ("admonition-tip", "tip"),
        ("alert alert-info", "info"),
        ("warn-box", "warning"),
        ("note", "note"),
        ("theme-admonition", "note"),
        ("alert alert-primary alert-danger", "danger"),
    ],
)
def test_the_kind_is_what_the_class_names_say(names: str, kind: str) -> None:
    assert callout_kinds(f"<div class='{names}'>x</div>") == [kind]


@pytest.mark.parametrize("names", ["note big", "info", "alert", "callout", "panel", "noted"])
def test_other_names_are_no_callouts(names: str) -> None:
    assert callout_kinds(f"<div class='{names}'>x</div>") == []


def test_only_boxes_are_callouts() -> None:
    assert callout_kinds("<p><span class='admonition note'>x</span>") == []


def test_a_callout_of_no_kind_says_so_by_its_data() -> None:
    assert callout_kinds("<div class=callout data-callout=faq>x</div>") == [""]
    assert callout_kinds("<figure class=callout>x</figure>") == [""]
