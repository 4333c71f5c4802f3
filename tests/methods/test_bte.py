"""The best segment against the naive square of the paper; the slope curve token by token."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tamis
from tamis.errors import MethodError
from tamis.methods.bte import Bte, best_segment

# A page as its runs: tags before each, and words of it.
pages = st.lists(st.tuples(st.integers(0, 6), st.integers(0, 9)), max_size=15)


def tokens_of(runs: list[tuple[int, int]]) -> list[int]:
    """1 for a tag, 0 for a word."""
    return [bit for tags, words in runs for bit in [1] * tags + [0] * words]


def columns(runs: list[tuple[int, int]]) -> tuple[np.ndarray, np.ndarray]:
    tags = np.cumsum([tags for tags, _ in runs], dtype=np.intc)
    return tags, np.array([words for _, words in runs], np.intc)


def aim(tokens: list[int], i: int, j: int) -> int:
    return sum(tokens[:i]) + sum(1 - bit for bit in tokens[i : j + 1]) + sum(tokens[j + 1 :])


@given(pages)
def test_no_segment_is_better_than_ours(runs: list[tuple[int, int]]) -> None:
    tokens = tokens_of(runs)
    if 0 not in tokens:
        return
    best = max(aim(tokens, i, j) for i in range(len(tokens)) for j in range(i, len(tokens)))
    ours = best_segment(*columns(runs))
    ends = np.cumsum([tags + words for tags, words in runs])
    i = int(ends[ours.start]) - runs[ours.start][1]
    assert aim(tokens, i, int(ends[ours.stop - 1]) - 1) == best


@given(pages, st.integers(1, 30), st.sampled_from([0.0, 0.25, 0.5]), st.sampled_from([0.0, 0.25]))
def test_a_run_is_in_a_flat_part_if_few_tokens_around_it_are_tags(
    runs: list[tuple[int, int]], window: int, low: float, plain: float
) -> None:
    tokens = tokens_of(runs)
    rise, width, most = Bte("many", window, low, plain)._measure_slopes(*columns(runs))
    got = rise <= width * most
    steepest = max(low * sum(tokens) / max(len(tokens), 1), plain)
    start = 0
    for (tags, words), flat in zip(runs, got.tolist(), strict=True):
        middle = start + tags + words / 2
        left, right = max(middle - window / 2, 0), min(middle + window / 2, len(tokens))
        rise = sum(
            max(0.0, min(right, at + 1) - max(left, at)) for at, bit in enumerate(tokens) if bit
        )
        if abs(rise - (right - left) * steepest) > 1e-9:
            assert flat == (rise < (right - left) * steepest)
        start += tags + words


HTML = """<ul><li><a href=1>Home</a><li><a href=2>News</a><li><a href=3>About us</a></ul>
<h1>A heading</h1><p>The first paragraph has a good many words in it, more than there are tags.</p>
<p>Another one that is as long as the first, and a <b>bold</b> word in the middle of it.</p>
<ul><li><a href=1>Imprint</a><li><a href=2>Contact</a></ul>"""


def kept(html: str, **parameters: object) -> list[str]:
    options = tamis.Options(method="bte", parameters=parameters)
    return tamis.extract(html, options=options).text.splitlines()


def test_one_segment_is_the_text_between_the_menus() -> None:
    first, *_, last = kept(HTML)
    assert first.startswith(("A heading", "The first paragraph"))
    assert last.endswith("middle of it.")


def test_one_segment_takes_what_is_between_two_texts() -> None:
    text = "<p>" + "word " * 50
    menu = "<ul><li><a href=x>between</a></ul>"
    assert "between" in kept(text + menu + text)
    assert "between" not in kept(text + menu + text, variant="many", window=4)


def test_many_segments_are_all_that_is_flat() -> None:
    menu = "".join(f"<li><a href={n}>Item</a>" for n in range(30))
    text = "<p>" + "word " * 60
    assert len(kept(menu + text + menu + text + menu, variant="many")) == 2


def test_words_without_spaces_are_words() -> None:
    text = "กรมอุตุนิยมวิทยาคาดการณ์ว่าฝนจะตกหนัก" * 10
    menu = "".join(f"<li><a href={n}>หน้าแรก</a>" for n in range(10))
    assert kept(f"<ul>{menu}</ul><p>{text}</p><ul>{menu}</ul>") == [text]


def test_hidden_words_are_no_tokens() -> None:
    hidden = "<p hidden>" + "word " * 100
    assert kept(hidden + "<p>These words are seen.") == ["These words are seen."]


def test_runs_are_in_page_order() -> None:
    page = tamis.parse(HTML)
    assert all(before <= after for before, after in pairwise(page.texts.tags.tolist()))


@pytest.mark.parametrize(
    ("parameters", "message"),
    [({"variant": "two"}, "variant is one of"), ({"window": 0}, "window is at least 1")],
)
def test_what_means_nothing_is_refused(parameters: dict[str, object], message: str) -> None:
    with pytest.raises(MethodError, match=message):
        kept(HTML, **parameters)
