"""The two decision trees of the paper, rule by rule."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import NamedTuple

import pytest

import tamis
from tamis.errors import MethodError

BOILERPIPE = tamis.Options(method="boilerpipe")


class Made(NamedTuple):
    """A block that we make: its words, and how many of them are links."""

    words: int
    links: int = 0

    @property
    def link_density(self) -> float:
        return self.links / self.words if self.words else 0.0

    @property
    def density(self) -> float:
        """Words a line of 80 characters, the last line left out; a word has 4 characters."""
        lines = line_words = 0
        length = -1  # there is no space before the first word
        for _ in range(self.words):
            line_words += 1
            length += 4 + 1
            if length > 80:
                lines += 1
                length, line_words = 4, 1
        return (self.words - line_words) / lines if lines else float(self.words)

    @property
    def html(self) -> str:
        if not self.words:
            return "<p>***</p>"
        linked, plain = ["<a href=x>word</a>"] * self.links, ["word"] * (self.words - self.links)
        return f"<p>{' '.join(linked + plain)}</p>"


NONE = Made(0)


def numwords(before: Made, block: Made, after: Made) -> bool:
    if block.link_density > 1 / 3:
        return False
    if before.link_density <= 5 / 9:
        if block.words <= 16:
            if after.words <= 15:
                return before.words > 4
            return True
        return True
    if block.words <= 40:
        return after.words > 17
    return True


def density(before: Made, block: Made, after: Made) -> bool:
    if block.link_density > 1 / 3:
        return False
    if before.link_density <= 5 / 9:
        if block.density <= 9:
            if after.density <= 10:
                return before.density > 4
            return True
        return after.density != 0
    return after.density > 11


TREES = {"numwords": numwords, "density": density}


def kept(variant: str, made: list[Made]) -> list[bool]:
    options = tamis.Options(method="boilerpipe", parameters={"variant": variant})
    result = tamis.extract("".join(block.html for block in made), options=options)
    assert len(result.kept) == len(made)
    keeps: list[bool] = result.kept.tolist()
    return keeps


def expected(variant: str, made: list[Made]) -> list[bool]:
    padded = [NONE, *made, NONE]
    return [TREES[variant](*padded[place : place + 3]) for place in range(len(made))]


# Each leaf of each tree, at both sides of its boundary: before, block, after, verdict.

LINKS = Made(9, 6)  # link density above 5/9
LEAVES = [
    ("numwords", Made(30), Made(30, 11), Made(30), False),
    ("numwords", Made(30), Made(30, 10), Made(30), True),
    ("numwords", Made(4), Made(16), Made(15), False),
    ("numwords", Made(5), Made(16), Made(15), True),
    ("numwords", Made(4), Made(16), Made(16), True),
    ("numwords", Made(4), Made(17), Made(15), True),
    ("numwords", LINKS, Made(40), Made(17), False),
    ("numwords", LINKS, Made(40), Made(18), True),
    ("numwords", LINKS, Made(41), Made(17), True),
    ("numwords", Made(9, 5), Made(17), Made(1), True),
    ("density", Made(30), Made(30, 11), Made(30), False),
    ("density", Made(30), Made(30, 10), Made(30), True),
    ("density", Made(4), Made(9), Made(10), False),
    ("density", Made(5), Made(9), Made(10), True),
    ("density", Made(4), Made(9), Made(11), True),
    ("density", Made(4), Made(10), Made(1), True),
    ("density", Made(4), Made(10), NONE, False),
    ("density", LINKS, Made(10), Made(11), False),
    ("density", LINKS, Made(10), Made(12), True),
    ("density", Made(9, 5), Made(10), Made(1), True),
]


@pytest.mark.parametrize(("variant", "before", "block", "after", "verdict"), LEAVES)
def test_a_leaf_of_the_tree_says_what_the_paper_says(
    variant: str, before: Made, block: Made, after: Made, verdict: bool
) -> None:
    assert TREES[variant](before, block, after) is verdict
    assert kept(variant, [before, block, after])[1] is verdict


@pytest.mark.parametrize("variant", TREES)
@pytest.mark.parametrize("seed", range(5))
def test_the_tree_agrees_with_its_transcription(variant: str, seed: int) -> None:
    chance = random.Random(seed)
    sizes = (0, 1, 3, 4, 5, 8, 9, 10, 11, 12, 15, 16, 17, 18, 19, 40, 41, 90)
    made = []
    for _ in range(2000):
        words = chance.choice(sizes)
        shares = (0, 0, words // 3, -(-words // 3), words * 5 // 9, -(-words * 5 // 9), words)
        made.append(Made(words, chance.choice(shares)))
    assert kept(variant, made) == expected(variant, made)


@pytest.mark.parametrize("variant", TREES)
@pytest.mark.parametrize("made", [[], [Made(3)], [Made(30)], [Made(30), Made(3)], [LINKS] * 5])
def test_outside_the_page_every_number_is_0(variant: str, made: list[Made]) -> None:
    assert kept(variant, made) == expected(variant, made)


def test_hidden_blocks_are_no_neighbours() -> None:
    words = "word " * 30
    html = f"<p>word<p hidden>{words}<p>short<p hidden>{words}<p>word"
    assert tamis.extract(html, options=BOILERPIPE).kept.tolist() == [False] * 5


def test_numwords_is_the_default() -> None:
    html = Made(20).html
    by_default = tamis.extract(html, options=BOILERPIPE).kept.tolist()
    assert by_default == kept("numwords", [Made(20)]) == [True]
    assert kept("density", [Made(20)]) == [False]


def test_an_unknown_variant_is_refused() -> None:
    with pytest.raises(MethodError, match=r"boilerpipe.*numwords, density, not 'other'"):
        tamis.extract("x", options=replace(BOILERPIPE, parameters={"variant": "other"}))
