"""The similarity by hand from the paper's formulas, the border, the blocks that are compared."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import tamis
from tamis.methods._shared.site_method import score_by_pages
from tamis.methods.site.x_cex import XCex

HOME = "<div class='nav top'>Home News Sport Weather</div>"
# Each with HOME, or with the first of two, and the similarity of sec. 3.2, worked out by hand:
# 0.3 * (tags + classes) / 2 + 0.7 * words.
PAIRS = {
    # Tags div, and div b: 2 * 1 / 3. The classes are the same, 3 of 4 words: 3 / sqrt(4 * 4).
    "one more tag, one other word": (
        HOME,
        "<div class='nav top'>Home News Sport <b>Traffic</b></div>",
        {},
        0.3 * (2 / 3 + 1) / 2 + 0.7 * 0.75,
    ),
    # html body div, and html body div b, as the library reads them: 2 * 3 / 7.
    "the same by sequence": (
        HOME,
        "<div class='nav top'>Home News Sport <b>Traffic</b></div>",
        {"tag_similarity": "sequence"},
        0.3 * (6 / 7 + 1) / 2 + 0.7 * 0.75,
    ),
    # One class of two, and one word of four and of one: 1 / sqrt(4 * 1).
    "half the classes, a quarter of the words": (
        HOME,
        "<div class=nav>Home</div>",
        {},
        0.3 * (1 + 0.5) / 2 + 0.7 * 0.5,
    ),
    # No class at all is the same as none; tags that are not in the order of the other.
    "another order of tags": (
        "<p>one <b>two</b> <i>three</i></p>",
        "<p><i>one</i> <b>two</b> three</p>",
        {},
        1.0,
    ),
    # html body p b i and html body p i b: 4 of 5 match, 2 * 4 / 10.
    "another order of tags by sequence": (
        "<p>one <b>two</b> <i>three</i></p>",
        "<p><i>one</i> <b>two</b> three</p>",
        {"tag_similarity": "sequence"},
        0.3 * (0.8 + 1) / 2 + 0.7,
    ),
    # "weather" and "heather": 6 of 7 letters are the same, the words are not.
    "another letter": ("<p>Weather</p>", "<p>Heather</p>", {"content": "positions"}, 0.3 + 0.6),
    # One letter before the others moves all: "a" at the fourth place of both is all there is.
    "a letter more": ("<p>abcabca</p>", "<p>xabcabca</p>", {"content": "positions"}, 0.3),
}


@pytest.mark.parametrize("name", PAIRS)
def test_the_similarity_is_that_of_the_paper(name: str) -> None:
    left, right, parameters, similarity = PAIRS[name]
    pages = [
        tamis.parse(f"<body>{html}<p>{n} only here</p>") for n, html in enumerate((left, right))
    ]
    for epsilon, alike in ((similarity - 0.001, True), (similarity + 0.001, False)):
        if epsilon < 1:
            method = XCex(epsilon=epsilon, search="all", **parameters).fit(pages)
            assert (method.repetition(pages[0]).pages[0] == 2) == alike


def test_ibdf_is_the_inverse_of_the_pages_with_a_similar_block() -> None:
    # Three of ten pages have the letter: 1/3, under the border 1/(0.2 * 10).
    known = site(10, 3)
    repetition = XCex().fit(known).repetition(known[0])
    assert repetition.values.tolist() == [1.0, 1 / 3]
    assert repetition.border == 1 / 2
    assert repetition.list_names(1) == ["page 1", "page 2", "page 3"]


def site(pages: int, repeated: int) -> list[tamis.Page]:
    """Pages of their own text, of which some have one more paragraph in common."""
    return [
        tamis.parse(
            f"<body><p>{' '.join(f'w{number}x{word}' for word in range(8))}</p>"
            + "<p>Subscribe to our weekly letter now</p>" * (number < repeated)
        )
        for number in range(pages)
    ]


@pytest.mark.parametrize(
    ("pages", "repeated", "content"),
    [(2, 2, False), (10, 1, True), (10, 2, False), (30, 5, True), (30, 6, False)],
)
def test_a_fifth_of_the_pages_and_at_least_two_make_a_template(
    pages: int, repeated: int, content: bool
) -> None:
    for search in ("buckets", "all"):
        known = site(pages, repeated)
        scores = XCex(search=search).fit(known).score(known[0])
        assert scores[0] == 1.0
        assert (scores[1] >= 0.5) == content


def test_scores_fall_with_the_pages_and_cross_one_half_at_the_border() -> None:
    scores = score_by_pages(np.arange(1.0, 101.0), 20)
    assert scores[0] == 1.0
    assert (np.diff(scores) < 0).all()
    assert scores[18] > 0.5 > scores[19]


def test_only_text_directly_in_a_listed_element_counts() -> None:
    page = tamis.parse(
        "<body><h1>Title</h1><ul><li>Item</ul><table><tr><td>Cell</table><p>One <b>two</b></p>"
    )
    assert XCex().fit([page]).score(page).tolist() == [0, 0, 0, 1]
    assert XCex(block_tags="body p h1").fit([page]).score(page).tolist() == [1, 0, 0, 1]


@pytest.mark.parametrize("content", ["cosine", "hamming", "positions"])
def test_a_changed_number_makes_no_other_block(content: str) -> None:
    pages = [
        tamis.parse(
            f"<body><p>{' '.join(f'w{n}x{word}' for word in range(9))}</p>"
            f"<div>There are {n} comments by readers of this article</div>"
        )
        for n in range(6)
    ]
    scores = XCex(content=content).fit(pages).score(pages[4])
    assert scores[0] == 1.0
    assert scores[1] < 0.2


@pytest.mark.parametrize("content", ["cosine", "hamming"])
def test_buckets_find_what_all_pairs_find(content: str) -> None:
    chance = np.random.default_rng(5)
    words = np.array([f"w{number}" for number in range(400)])
    boxes = [chance.choice(words[:80], 12) for _ in range(30)]
    pages = []
    for _ in range(12):
        parts = []
        for box in boxes:
            changed = np.where(
                chance.random(12) < chance.random() / 2, chance.choice(words, 12), box
            )
            parts.append(f"<div class=box>{' '.join(changed)}</div>")
        parts += [f"<p>{' '.join(chance.choice(words, 40))}</p>" for _ in range(10)]
        pages.append(tamis.parse("<body>" + "".join(parts)))
    quick = XCex(content=content).fit(pages)
    exact = XCex(content=content, search="all").fit(pages)
    same = [(quick.score(page) >= 0.5) == (exact.score(page) >= 0.5) for page in pages]
    assert np.concatenate(same).mean() >= 0.995


@settings(max_examples=25, deadline=None)
@given(
    pages=st.integers(100, 300),
    share=st.sampled_from([0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9]),
    on=st.sampled_from([0.05, 0.25, 0.45, 0.65, 0.85, 1.0]),
)
def test_near_duplicates_are_counted_for_every_share(pages: int, share: float, on: float) -> None:
    # Of more than 128 pages a part is searched: within three standard errors nothing is said.
    assume(abs(on - share) > 0.13)
    known = [
        tamis.parse(
            f"<body><p>{' '.join(f'w{number}x{word}' for word in range(8))}</p>"
            + f"<p>Story {number} of this week was read by many of our readers</p>"
            * ((number * 7) % pages < on * pages)
        )
        for number in range(pages)
    ]
    quick, exact = (
        XCex(share=share, search=search).fit(known).score(known[0]) for search in ("buckets", "all")
    )
    np.testing.assert_array_equal(quick >= 0.5, exact >= 0.5)
    assert (exact[1] >= 0.5) == (on < share)


@pytest.mark.parametrize("pages", [100, 160, 300])
def test_what_is_nearly_the_same_on_all_pages_is_dropped_at_a_share_of_one_half(pages: int) -> None:
    known = [
        tamis.parse(f"<body><p>Only {n}</p><p>Page {n} is one of our many pages</p>")
        for n in range(pages)
    ]
    assert XCex(share=0.5).fit(known).score(known[7])[1] < 0.5


@pytest.mark.parametrize(
    "wrong",
    [
        *({"content": "dice"}, {"search": "none"}, {"block_tags": "p nonsense"}),
        *({"nesting": "flat"}, {"tag_similarity": "equal"}),
    ],
)
def test_unknown_names_are_refused(wrong: dict[str, str]) -> None:
    with pytest.raises(ValueError, match=r"one of|no elements of HTML: nonsense"):
        XCex(**wrong)
