"""Whole readings of a page, and the choice between them by what the ranker says."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.describe import forum_index_pages, thread_pages
from tests.uncompiled import from_source

import tamis
from tamis.decide import readings as module
from tamis.decide.candidates import Candidates
from tamis.decide.decision import READING, Choice, best_expected_f
from tamis.methods._base import Floats
from tamis.methods.tamis import Tamis
from tamis.model.features.reading_features import NAMES, READINGS
from tamis.page.arrays import Matrix
from tamis.page.reader import parse

PAGES = Path(__file__).parents[1] / "pages"
WORDS = " ".join(["island ferry harbour"] * 8)
HTML = f"<div>{f'<p>{WORDS}' * 4}</div>{'<p>x' * 7}<div>{f'<p>{WORDS} again' * 3}</div>"
PROBABILITIES = np.array([0.8] * 4 + [0.01] * 7 + [0.6] * 3)


@dataclass(frozen=True)
class Prefers(Tamis):
    """Likes one reading."""

    liked: str = ""

    def rank_readings(self, readings: Matrix) -> Floats | None:
        return 0.2 * readings[:, NAMES.index(self.liked)].astype(float) - 0.1


def choose(method: Tamis) -> tuple[list[int], Choice]:
    made = module.choose_reading(parse(HTML), PROBABILITIES, method, None, None)
    assert made is not None
    return np.flatnonzero(made[0]).tolist(), made[1]


def source(name: str) -> bytes:
    (page,) = (PAGES / name).glob("*.html")
    return page.read_bytes()


def test_a_better_reading_is_taken_and_it_is_said_why() -> None:
    kept, chosen = choose(Prefers(liked="longest run"))
    assert chosen.chosen == "longest run"
    gains = {reading.name: round(reading.gain, 3) for reading in chosen.readings}
    assert (gains["best"], gains["longest run"]) == (0.0, 0.1)
    assert kept == [0, 1, 2, 3]
    assert chosen.because == "the other 3 blocks share 96% of their words with the rest"


def test_without_a_gain_the_first_reading_stays() -> None:
    kept, chosen = choose(Prefers(liked="thread"))
    assert (chosen.chosen, len(kept)) == ("best", 7)


def test_a_method_that_cannot_rank_them_makes_no_choice() -> None:
    class Mute(Tamis):
        @property
        def ranks_readings(self) -> bool:
            return False

    assert module.choose_reading(parse(HTML), PROBABILITIES, Mute(), None, None) is None


def test_a_page_with_one_reading_has_no_choice() -> None:
    page = parse("<article><p>One story.<p>In one place.<p>Told to its end.</article>")
    assert module.choose_reading(page, np.full(3, 0.99), Tamis(), None, None) is None


def test_one_story_needs_no_look_at_the_type(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "is_likely_forum", None)
    page = parse(f"<article>{f'<p>{WORDS}' * 4}</article>")
    readings, _ = module.describe_readings(page, np.full(4, 0.9), lambda: 1 / 0 > 0)
    assert list(readings) == ["best"]


@pytest.mark.parametrize("make", [thread_pages.phpbb, thread_pages.vbulletin, thread_pages.nested])
def test_the_messages_of_a_thread_are_a_reading(make: thread_pages.Maker) -> None:
    page = parse(make())
    scores = np.full(len(page.blocks), 0.6)
    readings, table = module.describe_readings(page, scores, lambda: True)
    assert len(table) == len(readings)
    shown = "\n".join(page.block_texts(np.flatnonzero(readings["thread"])))
    assert all(message.split("\n")[0][:20] in shown for message in thread_pages.MESSAGES)


def test_an_index_of_topics_keeps_more_than_its_title() -> None:
    text = tamis.extract(forum_index_pages.nodebb()).text
    assert sum(title in text for title in forum_index_pages.TITLES) > 20


def test_what_a_reading_changed_is_under_its_name() -> None:
    result = tamis.extract(source("forum-en"))
    decision = result.decision
    if READING in decision.switched:
        assert decision.choice is not None and decision.choice.chosen != "best"
        block = int(np.flatnonzero(decision.switched[READING])[0])
        assert "by the choice of a reading (" in result.reasons[block].decision


def test_a_threshold_is_taken_by_its_word() -> None:
    result = tamis.extract(source("forum-en"), threshold=0.5)
    assert result.decision.choice is None
    assert "plumb_bob" in result.text.splitlines()


def test_focus_moves_a_choice_in_its_direction() -> None:
    page = tamis.parse(source("forum-en"))
    precise, usual, recall = (
        tamis.extract(page, focus=focus).kept for focus in ("precision", "balanced", "recall")
    )
    assert (recall | ~usual).all()
    assert (usual | ~precise).all()


def test_an_article_with_comments_is_no_thread() -> None:
    result = tamis.extract(thread_pages.wordpress())
    assert result.decision.choice is None or result.decision.choice.chosen != "thread"


# Readings that follow from probabilities

(SLOW,) = from_source("decide.candidates")
LINE = " ".join(["ferry"] * 20)


def read(html: str, probabilities: list[float]) -> dict[str, list[int]]:
    readings, _ = module.describe_readings(parse(html), np.array(probabilities), lambda: False)
    return {name: np.flatnonzero(kept).tolist() for name, kept in readings.items()}


def paragraphs(count: int) -> str:
    return f"<p>{LINE}" * count


def test_the_best_comes_first_and_no_reading_is_there_twice() -> None:
    assert read(paragraphs(3), [0.99, 0.98, 0.99]) == {"best": [0, 1, 2]}


def test_a_doubtful_part_is_left_out_of_the_precise_and_the_sure_reading() -> None:
    readings = read(paragraphs(6), [0.95, 0.9, 0.7, 0.7, 0.45, 0.45])
    assert next(iter(readings)) == "best"
    assert readings["sure"] == [0, 1]
    assert set(readings["precise"]) < set(readings["best"])


def test_a_gap_ends_a_run() -> None:
    story, gap, feed = [0.8] * 4, [0.01] * 7, [0.6] * 3
    readings = read(paragraphs(14), [*story, *gap, *feed])
    assert readings["best"] == [0, 1, 2, 3, 11, 12, 13]
    assert readings["longest run"] == [0, 1, 2, 3]
    assert "two runs" not in readings


def test_six_dropped_blocks_and_hidden_ones_end_no_run() -> None:
    assert "longest run" not in read(paragraphs(9), [0.9, *[0.01] * 6, 0.9, 0.9])
    html = f"<p>{LINE}{f'<p hidden>{LINE}' * 8}<p>{LINE}<p>{LINE}"
    assert "longest run" not in read(html, [0.8, *[0.01] * 8, 0.8, 0.8])


def test_of_three_runs_the_two_with_most_content_are_one_reading() -> None:
    gap = [0.01] * 7
    probabilities = [*[0.9] * 3, *gap, *[0.8] * 5, *gap, 0.85, 0.85]
    readings = read(paragraphs(len(probabilities)), probabilities)
    assert readings["longest run"] == [10, 11, 12, 13, 14]
    assert readings["two runs"] == [0, 1, 2, 10, 11, 12, 13, 14]


def test_the_deepest_element_with_half_of_the_words_is_a_reading() -> None:
    html = f"<div><p>{LINE}<div>{paragraphs(4)}</div></div><div>{paragraphs(2)}</div>"
    readings = read(html, [0.9] * 7)
    assert readings["element"] == [1, 2, 3, 4]


@given(st.lists(st.floats(0, 1), min_size=1, max_size=30))
def test_any_probabilities_have_readings(probabilities: list[float]) -> None:
    page = parse(paragraphs(len(probabilities)))
    values = np.array(probabilities)
    readings, _ = module.describe_readings(page, values, lambda: False)
    kept, _ = best_expected_f(values, page.blocks.words.astype(float))
    assert (readings["best"] == kept).all()
    assert set(readings) <= set(READINGS)
    assert all(own.any() for own in readings.values())
    if "sure" in readings:
        assert (values[readings["sure"]] >= 0.85).all()


@given(st.lists(st.sampled_from((0.01, 0.3, 0.6, 0.86, 0.99)), min_size=1, max_size=40))
def test_candidates_run_uncompiled_with_the_same_result(probabilities: list[float]) -> None:
    page = parse(
        f"<div>{paragraphs(len(probabilities) // 2)}</div>{paragraphs(len(probabilities))}"
    )
    values = np.resize(np.array(probabilities), len(page.blocks))
    fast, slow = Candidates(page, values), SLOW.Candidates(page, values)
    assert fast.count == slow.count
    assert (fast.made[: fast.count] == slow.made[: fast.count]).all()
    assert (fast.kinds_made == slow.kinds_made).all()
