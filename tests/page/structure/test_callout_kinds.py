"""Which elements are callouts by their class names, and of which kind."""

from __future__ import annotations

import numpy as np
import pytest

import tamis
from tamis.page.structure.callout_kinds import find_callouts
from tamis.page.structure.class_names import find_named


def kinds(html: str) -> list[str]:
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
    assert kinds(f"<div class='{names}'>x</div>") == [kind]


@pytest.mark.parametrize("names", ["note big", "info", "alert", "callout", "panel", "noted"])
def test_other_names_are_no_callouts(names: str) -> None:
    assert kinds(f"<div class='{names}'>x</div>") == []


def test_only_boxes_are_callouts() -> None:
    assert kinds("<p><span class='admonition note'>x</span>") == []


def test_a_callout_of_no_kind_says_so_by_its_data() -> None:
    assert kinds("<div class=callout data-callout=faq>x</div>") == [""]
    assert kinds("<figure class=callout>x</figure>") == [""]
