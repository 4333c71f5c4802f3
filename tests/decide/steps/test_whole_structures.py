"""Footnotes and callouts are kept whole, or not at all."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from tests.describe import thread_pages

import tamis
from tamis.decide.decision import WHOLE, Decision
from tamis.decide.steps import Context, complete_structures, whole_structures
from tamis.options import Options
from tamis.page.reader import parse

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


PAGES = Path(__file__).parents[2] / "pages"


def source(name: str) -> bytes:
    (page,) = (PAGES / name).glob("*.html")
    return page.read_bytes()


@pytest.fixture
def surely_a_forum(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(whole_structures, "is_likely_forum", lambda *_: True)


def test_names_ranks_and_signatures_go_and_all_messages_stay() -> None:
    result = tamis.extract(source("forum-en"))
    messages = [line for post in result.posts for line in post.text.splitlines()]
    assert len(result.posts) == 6
    assert set(result.text.splitlines()) <= set(messages)
    assert len(result.text) >= 0.95 * sum(map(len, messages))


def test_it_is_said_why() -> None:
    result = tamis.extract(source("forum-en"))
    reasons = {
        block.text: reason for block, reason in zip(result.blocks, result.reasons, strict=True)
    }
    assert reasons["Roof whisperer"].decision.startswith(
        "Dropped since it is no message of the thread"
    )
    assert reasons["plumb_bob said:"].decision.startswith("Kept as a message of the thread: 0.")


def test_a_threshold_is_taken_by_its_word() -> None:
    result = tamis.extract(source("forum-en"), threshold=0.5)
    assert "plumb_bob" in result.text.splitlines()


def test_recall_adds_the_messages_to_what_it_keeps() -> None:
    page = tamis.parse(source("forum-en"))
    recall, usual = (tamis.extract(page, focus=focus).kept for focus in ("recall", "balanced"))
    assert (recall | ~usual).all()
    assert (recall & ~usual).any()


@pytest.mark.usefixtures("surely_a_forum")
@pytest.mark.parametrize("make", [thread_pages.phpbb, thread_pages.vbulletin, thread_pages.nested])
def test_what_the_model_missed_is_found(make: object) -> None:
    assert callable(make)
    page = parse(make())
    messages = whole_structures.find_messages(page, np.ones(len(page.blocks), bool), None, None)
    assert messages is not None
    written = whole_structures.find_messages(page, ~messages, None, None)
    assert written is not None
    shown = "\n".join(page.block_texts(np.flatnonzero(written)))
    assert all(message.split("\n")[0][:20] in shown for message in thread_pages.MESSAGES)


@pytest.mark.usefixtures("surely_a_forum")
def test_the_model_may_know_better_if_it_keeps_half() -> None:
    page = parse(thread_pages.phpbb())
    whole = whole_structures.find_messages(page, np.ones(len(page.blocks), bool), None, None)
    assert whole is not None
    messages = np.flatnonzero(whole)
    kept = np.zeros(len(page.blocks), bool)
    kept[messages[: len(messages) // 2]] = True
    assert whole_structures.find_messages(page, kept, None, None) is None


def test_an_article_with_comments_is_no_thread() -> None:
    result = tamis.extract(thread_pages.wordpress())
    assert not result.decision.switched


def test_one_story_needs_no_look_at_the_type(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(whole_structures, "is_likely_forum", None)
    page = parse("<article><p>One story.<p>In one place.<p>Told to its end.</article>")
    assert whole_structures.find_messages(page, np.ones(3, bool), None, None) is None
