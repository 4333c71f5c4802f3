"""The similarity against a plain transcription, the border, and the blocks that are compared."""

from __future__ import annotations

import math
from itertools import product

import numpy as np
import pytest

import tamis
from tamis.methods._shared.site import by_pages
from tamis.methods._shared.site_blocks import site_blocks
from tamis.methods.x_cex import XCex

TAGS = XCex().block_tags.split()
PAGES = [
    "<body><div class='nav top'>Home News Sport Weather</div><p>A dog bit the mayor.</p>",
    "<body><div class='nav top'>Home News Sport <b>Traffic</b></div><p>A cat sat on a roof.</p>",
    "<body><div class='nav'>Start News</div><div class=x>Home News Sport Weather</div>"
    "<p class=lead>Home</p><p>The mayor bit the dog, as was said before.</p>",
]


def transcribed(left: tuple[set[str], list[str], set[str]], right: tuple, weight: float) -> float:
    """Sim of the paper, from words, tags and class names."""
    words, tags, classes = left
    other_words, other_tags, other_classes = right
    in_both = sum(min(tags.count(tag), other_tags.count(tag)) for tag in set(tags))
    structure = 2 * in_both / (len(tags) + len(other_tags))
    either = classes | other_classes
    style = len(classes & other_classes) / len(either) if either else 1.0
    cosine = len(words & other_words) / math.sqrt(len(words) * len(other_words))
    return weight * (structure + style) / 2 + (1 - weight) * cosine


BLOCKS = [
    [("home news sport weather", "div", "nav top"), ("a dog bit the mayor", "p", "")],
    [("home news sport traffic", "div b", "nav top"), ("a cat sat on roof", "p", "")],
    [
        ("start news", "div", "nav"),
        ("home news sport weather", "div", "x"),
        ("home", "p", "lead"),
        ("the mayor bit dog as was said before", "p", ""),
    ],
]


@pytest.mark.parametrize("epsilon", [0.1, 0.3, 0.45, 0.5, 0.65, 0.8, 0.95])
def test_similar_is_what_the_paper_says(epsilon: float) -> None:
    method = XCex(epsilon=epsilon, search="all").fit([tamis.parse(PAGES[2])])
    index = method.learned
    assert index is not None
    theirs = np.array([index.neighbours.rows.tolist().index(row) for row in range(4)])
    plain = [[(set(w.split()), t.split(), set(c.split())) for w, t, c in page] for page in BLOCKS]
    for page in (0, 1):
        blocks = site_blocks(tamis.parse(PAGES[page]), TAGS)
        pairs = np.array(list(product(range(2), range(4))))
        similar = method._similar(blocks, index.blocks, pairs[:, 0], theirs[pairs[:, 1]])
        expected = [transcribed(plain[page][a], plain[2][b], 0.3) > epsilon for a, b in pairs]
        assert similar.tolist() == expected


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
    scores = by_pages(np.arange(1.0, 101.0), 20)
    assert scores[0] == 1.0
    assert (np.diff(scores) < 0).all()
    assert scores[18] > 0.5 > scores[19]


def test_only_text_directly_in_a_listed_element_counts() -> None:
    page = tamis.parse(
        "<body><h1>Title</h1><ul><li>Item</ul><table><tr><td>Cell</table><p>One <b>two</b></p>"
    )
    assert XCex().fit([page]).score(page).tolist() == [0, 0, 0, 1]
    assert XCex(block_tags="body p h1").fit([page]).score(page).tolist() == [1, 0, 0, 1]


@pytest.mark.parametrize("content", ["cosine", "hamming"])
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


@pytest.mark.parametrize(
    "wrong", [{"content": "dice"}, {"search": "none"}, {"block_tags": "p nonsense"}]
)
def test_unknown_names_are_refused(wrong: dict[str, str]) -> None:
    with pytest.raises(ValueError, match=r"one of|no elements of HTML: nonsense"):
        XCex(**wrong)
