"""The steps after the scores: their order, their names, and what each may look at."""

from __future__ import annotations

import numpy as np
import pytest

import tamis
from tamis.decide import steps
from tamis.decide.decision import Decision
from tamis.decide.steps import RULES, SWITCHES, Context, run_steps
from tamis.options import Options

STORY = "<p>" + "The ferry crosses the sound at noon and again when the tide has turned. " * 5
PAGE = f"<h1>The ferry</h1>{STORY}<table><tr><th>Pier<th>Time<tr><td>North<td>12:00</table>"


def keep_all(html: str) -> tuple[tamis.Page, Decision]:
    page = tamis.parse(html)
    kept = np.ones(len(page.blocks), bool)
    return page, Decision(kept.astype(float), kept, cut=0.5)


@pytest.mark.parametrize("step", [*RULES[1:], *SWITCHES])
def test_a_step_with_nothing_to_change_returns_the_same_decision(step: steps.Step) -> None:
    page, decision = keep_all(PAGE)
    assert step(Context(page, Options(), None), decision) is decision


def test_a_step_says_under_its_name_what_it_changed() -> None:
    page, decision = keep_all(PAGE)
    context = Context(page, Options(tables=False, title=False), None)
    changed = run_steps(SWITCHES, context, decision)
    assert list(changed.switched) == ["tables", "title"]
    assert page.block_texts(np.flatnonzero(changed.switched["title"])) == ["The ferry"]
    assert page.block_texts(np.flatnonzero(changed.kept)) == [page.block_text(1)]
    assert (changed.chosen == decision.kept).all()


def test_blocks_that_two_steps_would_drop_belong_to_the_first() -> None:
    page, decision = keep_all(f"{STORY}<table hidden><tr><th>a<th>b<tr><td>1<td>2</table>")
    context = Context(page, Options(tables=False, hidden=False), None)
    assert list(run_steps(SWITCHES, context, decision).switched) == ["tables"]


def test_comments_are_found_by_the_content_and_not_by_the_entries_of_a_list() -> None:
    page, decision = keep_all(PAGE)
    entries = np.arange(len(page.blocks)) == 0
    switched = {"overview": decision.kept != entries}
    listed = Decision(decision.scores, entries, cut=0.5, switched=switched)
    seen = []

    def regions(page: tamis.Page, kept: np.ndarray, url: str | None) -> np.ndarray:
        seen.append(kept)
        return np.zeros(len(kept), np.uint8)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("tamis.describe.regions.find_regions", regions)
        steps.add_comments(Context(page, Options(comments=True), None), listed)
    assert seen[0].all()
