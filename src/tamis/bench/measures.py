"""How near an output is to the gold: each measure with the paper that uses it.

A measure gives precision, recall and their harmonic mean. Where the gold is empty an empty output
is right and anything else is wrong. Words are those of `tokenize`, in every language.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from tamis.labels.alignment import block_shares, count_common, find_common, tokenize
from tamis.page import tags
from tamis.page.table import Page


class Score(NamedTuple):
    """Precision, recall and their harmonic mean."""

    precision: float
    recall: float
    f1: float


class BlockScore(NamedTuple):
    """Precision, recall and F1 of the content class, and the share of right decisions."""

    precision: float
    recall: float
    f1: float
    accuracy: float


def score_counts(common: float, predicted: float, gold: float) -> Score:
    """The score when `common` of `predicted` and of `gold` things are the same."""
    if not gold:
        return Score(0.0, 0.0, 0.0) if predicted else Score(1.0, 1.0, 1.0)
    if not predicted or not common:
        return Score(0.0, 0.0, 0.0)
    precision, recall = common / predicted, common / gold
    return Score(precision, recall, 2 * precision * recall / (precision + recall))


def bag_of_words(predicted: str, gold: str) -> Score:
    """Words, their order ignored (WCXB: Foley 2026)."""
    return _compare_bags(tokenize(predicted), tokenize(gold))


def compare_shingles(predicted: str, gold: str) -> Score:
    """Runs of four words (Scrapinghub article extraction benchmark, 2019)."""
    return _compare_bags(_cut_runs(tokenize(predicted)), _cut_runs(tokenize(gold)))


def compare_sequences(predicted: str, gold: str) -> Score:
    """Words in their order: the longest common subsequence (Dragnet 2013, after CETR 2010)."""
    ours, theirs = tokenize(predicted), tokenize(gold)
    return score_counts(count_common(ours, theirs), len(ours), len(theirs))


def compare_lengths(predicted: str, gold: str) -> Score:
    """Characters without spaces, in their order (Thanadechteemapat and Fung 2011).

    The paper takes the length of the missing content by hand; here it is what is not in the
    longest common subsequence of characters. Needs no words, so it holds for every script.
    """
    ours, theirs = "".join(predicted.split()), "".join(gold.split())
    return score_counts(count_common(ours, theirs), len(ours), len(theirs))


def rouge_lsum(predicted: str, gold: str) -> Score:
    """ROUGE-LSum over lines (Lin 2004; Bevendorff et al. 2023 compare extractors by it). Slow.

    For each line of the gold, the union of its longest common subsequences with the lines of the
    output; a word counts at most as often as both texts have it.
    """
    ours = [tokenize(line) for line in predicted.splitlines()]
    theirs = [tokenize(line) for line in gold.splitlines()]
    left = Counter(token for line in ours for token in line)
    total, total_gold = left.total(), sum(map(len, theirs))
    common = 0
    for line in theirs:
        union = sorted({i for own in ours for i in find_common(line, own)})
        for i in union:
            if left[line[i]] > 0:
                left[line[i]] -= 1
                common += 1
    return score_counts(common, total, total_gold)


BLOCKS = "blocks"
"""The measure that needs the page beside the texts: `align.block_score`."""

MEASURES: dict[str, Callable[[str, str], Score]] = {
    "bag_of_words": bag_of_words,
    "sequence": compare_sequences,
    "shingles": compare_shingles,
    "length": compare_lengths,
    "rouge_lsum": rouge_lsum,
}


# --- snippets -------------------------------------------------------------------------------


class Snippets(NamedTuple):
    """How many snippets are in an output that must be there, and that must not; they add up."""

    present: int = 0
    wanted: int = 0
    leaked: int = 0
    unwanted: int = 0

    @property
    def with_rate(self) -> float:
        return self.present / self.wanted if self.wanted else 1.0

    @property
    def without_rate(self) -> float:
        """Share of the snippets that must not be there and are."""
        return self.leaked / self.unwanted if self.unwanted else 0.0

    @property
    def score(self) -> Score:
        """Snippets as decisions: present ones are right, leaked and missing ones wrong."""
        return score_counts(self.present, self.present + self.leaked, self.wanted)


def count_snippets(predicted: str, with_: Iterable[str], without: Iterable[str]) -> Snippets:
    """Count the snippets in an output; case and kind of white space do not matter."""
    text = flatten(predicted)
    wanted = [flatten(snippet) in text for snippet in with_]
    unwanted = [flatten(snippet) in text for snippet in without]
    return Snippets(sum(wanted), len(wanted), sum(unwanted), len(unwanted))


def pool_counts(counts: Iterable[Snippets]) -> Snippets:
    return Snippets(*(sum(column) for column in zip(*counts, strict=True)))


def flatten(text: str) -> str:
    """The text in lower case, with one space between words."""
    return " ".join(text.lower().split())


# --- blocks ---------------------------------------------------------------------------------


def compare_blocks(predicted: npt.ArrayLike, gold: npt.ArrayLike) -> BlockScore:
    """One decision per block (Kim et al. 2013; Fernandes et al. 2021)."""
    ours, theirs = np.asarray(predicted, bool), np.asarray(gold, bool)
    if ours.shape != theirs.shape:
        raise ValueError(f"{ours.size} decisions for {theirs.size} blocks; there must be one each")
    common = int(np.count_nonzero(ours & theirs))
    score = score_counts(common, int(ours.sum()), int(theirs.sum()))
    return BlockScore(*score, float((ours == theirs).mean()) if ours.size else 1.0)


def score_blocks(page: Page, output: str, gold: str) -> BlockScore:
    """The decisions of an extractor on the visible blocks of a page that have words.

    A block was kept, and is content, if more than half of its words are in the output, and in the
    gold, in order: so an extractor that knows no blocks can be measured, too.
    """
    visible = (page.blocks.flags & tags.HIDDEN == 0) & (page.blocks.words > 0)
    kept, content = (block_shares(page, text)[visible] > 0.5 for text in (output, gold))
    return compare_blocks(kept, content)


# --- counting -------------------------------------------------------------------------------


def _compare_bags(predicted: Sequence[Hashable], gold: Sequence[Hashable]) -> Score:
    common = (Counter(predicted) & Counter(gold)).total()
    return score_counts(common, len(predicted), len(gold))


def _cut_runs(words: list[str]) -> list[tuple[str, ...]]:
    if len(words) < 4:
        return [tuple(words)] if words else []
    return list(zip(*(words[i:] for i in range(4)), strict=False))
