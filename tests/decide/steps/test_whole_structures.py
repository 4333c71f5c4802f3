"""Footnotes and callouts are kept whole, or not at all."""

from __future__ import annotations

import numpy as np
import pytest

import tamis
from tamis.decide.decision import WHOLE, Decision
from tamis.decide.steps import Context, complete_structures
from tamis.options import Options

STORY = "<p>" + "The ferry crosses the sound at noon and again when the tide has turned. " * 5


def keep(html: str, *blocks: int) -> tuple[tamis.Page, Decision]:
    page = tamis.parse(html)
    kept = np.isin(np.arange(len(page.blocks)), blocks)
    return page, Decision(kept.astype(float), kept, cut=0.5)


def complete(page: tamis.Page, decision: Decision) -> Decision:
    return complete_structures(Context(page, Options(), None), decision)


NOTES = (
    f"<article>{STORY} See <sup><a href=#n1>1</a></sup>.</p>"
    "<div class=footnotes><p id=n1>The timetable of spring.</p><p>The timetable of autumn.</p>"
    "</div></article>"
)


def test_the_rest_of_footnotes_is_kept_with_their_text() -> None:
    whole = complete(*keep(NOTES, 0, 1))
    assert whole.kept.all()
    assert np.flatnonzero(whole.switched[WHOLE]).tolist() == [2]


def test_footnotes_of_a_dropped_text_stay_dropped() -> None:
    page, decision = keep(NOTES, 1)
    assert complete(page, decision) is decision


CALLOUT = (
    f"{STORY}</p><div class='admonition note'><p>Note</p>"
    f"<p>The ferry does not run on the first Sunday of May.</p></div>{STORY}"
)


@pytest.mark.parametrize(
    ("kept", "whole"),
    [("0123", "0123"), ("013", "0123"), ("03", "0123"), ("0", "0"), ("3", "3"), ("", "")],
)
def test_a_callout_is_kept_whole_or_dropped_whole(kept: str, whole: str) -> None:
    page, decision = keep(CALLOUT, *map(int, kept))
    assert len(page.blocks) == 4
    completed = complete(page, decision)
    assert "".join(map(str, np.flatnonzero(completed.kept))) == whole
