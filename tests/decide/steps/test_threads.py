"""Threads are what was written in their posts."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from tests.describe import thread_pages

import tamis
from tamis.decide.steps import threads
from tamis.page.read import parse

PAGES = Path(__file__).parents[2] / "pages"


def source(name: str) -> bytes:
    (page,) = (PAGES / name).glob("*.html")
    return page.read_bytes()


@pytest.fixture
def surely_a_forum(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(threads, "is_likely_forum", lambda *_: True)


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
    messages = threads.find_messages(page, np.ones(len(page.blocks), bool), None, None)
    assert messages is not None
    written = threads.find_messages(page, ~messages, None, None)
    assert written is not None
    shown = "\n".join(page.block_texts(np.flatnonzero(written)))
    assert all(message.split("\n")[0][:20] in shown for message in thread_pages.MESSAGES)


@pytest.mark.usefixtures("surely_a_forum")
def test_the_model_may_know_better_if_it_keeps_half() -> None:
    page = parse(thread_pages.phpbb())
    whole = threads.find_messages(page, np.ones(len(page.blocks), bool), None, None)
    assert whole is not None
    messages = np.flatnonzero(whole)
    kept = np.zeros(len(page.blocks), bool)
    kept[messages[: len(messages) // 2]] = True
    assert threads.find_messages(page, kept, None, None) is None


def test_an_article_with_comments_is_no_thread() -> None:
    result = tamis.extract(thread_pages.wordpress())
    assert not result.decision.switched


def test_one_story_needs_no_look_at_the_type(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(threads, "is_likely_forum", None)
    page = parse("<article><p>One story.<p>In one place.<p>Told to its end.</article>")
    assert threads.find_messages(page, np.ones(3, bool), None, None) is None
