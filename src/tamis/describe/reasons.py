"""Why each block has its score: the signals that moved it most, in words.

For the default method a signal is a family of features that one sentence stands for. Its effect is
measured: the features of the family are set to neutral values and the forest is asked again; what
the log odds lose is what the signal gave. A neutral value is the median of the places where the
trees of the forest ask about a feature, so it follows from the weights, whoever trained them; a
block of neutral values alone has a probability near one half. Other methods say themselves what a
score rests on (`Method.because`); of one that does not the score is given with the plain facts.
What the second stage of the default method changed is told apart: the probability that the first
one gave, and with which blocks the block has another; or that the page has it once too often.
"""

from __future__ import annotations

from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cache, lru_cache
from itertools import chain, islice, repeat

import numpy as np
import numpy.typing as npt

from tamis._runtime import limits
from tamis.decide.decision import AD_LABEL, THREAD, WHOLE, Decision
from tamis.describe.phrases import BlockPhrases, facts
from tamis.describe.word_lists import word_lists
from tamis.errors import MethodError
from tamis.methods._base import Method
from tamis.methods.tamis import ContentModel, Tamis
from tamis.model.features import once, spec, structure
from tamis.model.features.batch import Batch
from tamis.model.weights.forest import LEAF, Forest
from tamis.page import tags
from tamis.page.arrays import Floats, Matrix
from tamis.page.table import Page

GIVEN = "page.* description.words description.cover data.words data.cover"
"""The features that are the same for all blocks of a page, which they cannot distinguish."""

FAMILIES = word_lists("signals.tsv")
"""The signals and the patterns of their features; a feature belongs to the first that has it."""

MOST_BLOCKS = 20_000
"""Blocks of a page that are explained; of the others only the score is given."""

SIGNALS = 3
"""Signals that are named of each block."""

_UNSEEN = "A browser does not show it."
_NOTHING = "the page looks like one with nothing to extract"
# Log odds below which a signal did nothing.
_LEAST = 0.05
# Blocks that are measured at once: all families of them are 20 MB.
_AT_ONCE = 1024


@dataclass(frozen=True, slots=True)
class Signal:
    """What moved the score of a block, and by how much."""

    name: str
    """One of `FAMILIES`."""
    words: str
    """What it is, as part of a sentence."""
    effect: float
    """Log odds: above 0 it speaks for the block."""


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a block was kept or dropped."""

    decision: str
    """What was decided, a sentence."""
    because: str
    """What moved the score, in sentences."""
    signals: tuple[Signal, ...] = ()
    """The strongest first; of the default method alone."""

    @property
    def text(self) -> str:
        """The decision and what moved the score."""
        return f"{self.decision} {self.because}".rstrip()


def reasons(page: Page, decision: Decision, method: Method) -> tuple[Reason, ...]:
    """Why each block was kept or dropped."""
    if decision.embedded:
        taken = Reason(f"Kept: taken from {decision.embedded} in the page.", "")
        return (taken,) * len(decision.kept)
    verdicts = sentences(decision)
    explained = _explain_scores(page, method)
    unexplained = f"Only the first {MOST_BLOCKS:,} blocks are explained.", ()
    made = (
        Reason(verdict, because, moved)
        for verdict, (because, moved) in zip(
            limits.checked(verdicts), chain(explained, repeat(unexplained)), strict=False
        )
    )
    return tuple(limits.counted(made, limits.count_characters))


def _explain_scores(page: Page, method: Method) -> list[tuple[str, tuple[Signal, ...]]]:
    """For each block, up to `MOST_BLOCKS`, why it has its score, and the signals."""
    model = method.base
    if not isinstance(model, Tamis):
        return [(account, ()) for account in _accounts(page, method)]
    if not len(page.blocks):
        return []
    batch, weights = Batch.of([page]), model.model()
    features = spec.table(batch, weights.tokens)
    moved = signals(batch, features, weights)
    together = [
        f"{_sentences(own)} {account}".rstrip()
        for own, account in zip(moved, _explain_structures(batch, features, weights), strict=True)
    ]
    if not method.site_pages:
        return [*zip(together, moved, strict=True)]
    site = f"That is the page alone; {method.site_pages:,} pages of the site count too."
    return [
        (f"{alone} {site} {account}", own)
        for alone, own, account in zip(together, moved, _accounts(page, method), strict=True)
    ]


# Difference of the probabilities from which on the structures around a block moved it.
_CARRIED = 0.1
# Blocks like it, with itself, up to which there are too few to speak of.
_PAIR = 2


def _explain_structures(batch: Batch, features: Matrix, model: ContentModel) -> list[str]:
    """For each block, up to `MOST_BLOCKS`, what the structures that it is part of changed."""
    odds = model.forest.predict(features)
    alone = np.interp(odds, model.odds, model.probability)
    numbers = structure.groups(batch.columns)
    settled = model.settled(batch, numbers, features, odds)
    whole = np.interp(settled, model.odds, model.probability)
    extra = once.extra(batch.columns, numbers, settled)
    groups = dict(zip(structure.GROUP_NAMES, numbers, strict=True))
    like_it = np.bincount(groups["role"])[groups["role"]]
    in_list = groups["list"] >= 0
    return [
        _carried_by(*of_block)
        for of_block in zip(
            *(values[:MOST_BLOCKS].tolist() for values in (extra, alone, whole, like_it, in_list)),
            strict=True,
        )
    ]


_EXTRA = {
    "copy": "But the page has this passage twice, and keeps it once.",
    "story": "But it is in another story, after the one that the page's title names.",
}


def _carried_by(extra: int, alone: float, whole: float, like_it: int, in_list: bool) -> str:
    if extra:
        return _EXTRA[once.NAMES[extra]]
    if abs(whole - alone) < _CARRIED:
        return ""
    others = "the blocks around it"
    if like_it > _PAIR:
        others = f"the other {like_it - 1:,} blocks like it"
    elif in_list:
        others = "the rest of its list or table"
    return f"By itself it has {alone:.2f}, with {others} {whole:.2f}."


def _accounts(page: Page, method: Method) -> list[str]:
    """What the method says about each block, up to `MOST_BLOCKS`; the facts if it says nothing."""
    blocks = np.arange(min(len(page.blocks), MOST_BLOCKS))
    shown = page.blocks.flags[blocks] & tags.HIDDEN == 0
    asked = blocks[shown]
    own = method.because(page, asked) if len(asked) else ()
    if not own:
        return [
            f"Method {method.name} gave it that score; it has {fact}."
            for fact in islice(facts(page), len(blocks))
        ]
    if len(own) != len(asked):
        raise MethodError(
            f"method {method.name} gave {len(own)} reasons for {len(asked)} blocks; `because`"
            " returns one per block, or none at all"
        )
    sentence = iter(own)
    return [next(sentence) if seen else _UNSEEN for seen in shown.tolist()]


def signals(batch: Batch, features: Matrix, model: ContentModel) -> list[tuple[Signal, ...]]:
    """For each block, up to `MOST_BLOCKS`, what moved its score most."""
    features = features[:MOST_BLOCKS]
    neutral_values = neutral(model.forest)
    of_families = effects(features, model.forest, neutral_values)
    phrases = BlockPhrases(batch, features, neutral_values, model.tokens)
    names = tuple(FAMILIES)
    strongest = np.argsort(-np.abs(of_families), axis=1, kind="stable")[:, :SIGNALS]
    values = np.take_along_axis(of_families, strongest, axis=1)
    return [
        tuple(
            Signal(names[family], phrases.phrase(names[family], block, effect), effect)
            for family, effect in zip(families, own, strict=True)
            if abs(effect) >= _LEAST
        )
        for block, (families, own) in enumerate(
            limits.checked(zip(strongest.tolist(), values.tolist(), strict=True))
        )
    ]


def sentences(decision: Decision) -> list[str]:
    """What was decided about each block, as a sentence."""
    switches = [""] * len(decision.kept)
    for name, changed in decision.switched.items():
        for block in np.flatnonzero(changed).tolist():
            switches[block] = name
    rows = zip(decision.scores.tolist(), decision.kept.tolist(), switches, strict=True)
    return [
        _sentence(score, kept, decision.cut, switch) for score, kept, switch in limits.checked(rows)
    ]


def _sentence(score: float, kept: bool, cut: float, switch: str) -> str:
    verdict = "Kept" if kept else "Dropped"
    place = _NOTHING
    if cut <= 1:
        side = "below" if score < cut else "above" if score > cut else "at"
        place = f"{side} this page's cut of {cut:.2f}"
    if switch == THREAD:
        of_thread = "as a message of the thread" if kept else "since it is no message of the thread"
        return f"{verdict} {of_thread}: {score:.2f}, {place}."
    if switch == WHOLE:
        return f"{verdict} with the rest of its footnotes or callout: {score:.2f}, {place}."
    if switch == AD_LABEL:
        return f"{verdict} since it is nothing but an advertisement's label: {score:.2f}, {place}."
    if switch:
        return f"{verdict} by the option {switch}: {score:.2f}, {place}."
    return f"{verdict}: {score:.2f}{',' if cut <= 1 else ';'} {place}."


def effects(features: Matrix, forest: Forest, neutral_values: Matrix) -> Floats:
    """What each family gave to the log odds of each block."""
    lost = np.empty((len(features), len(FAMILIES)))
    for first in range(0, len(features), _AT_ONCE):
        limits.check()
        rows = features[first : first + _AT_ONCE]
        odds = forest.predict(rows)
        for place, columns in enumerate(columns_of_families()):
            changed = rows.copy()
            changed[:, columns] = neutral_values[columns]
            lost[first : first + _AT_ONCE, place] = odds - forest.predict(changed)
    return lost


@lru_cache(maxsize=8)
def neutral(forest: Forest) -> Matrix:
    """For each feature the median of the thresholds at which the forest asks about it."""
    arrays = forest.arrays()
    feature, value = arrays["feature"], arrays["value"]
    asked = np.flatnonzero(feature != LEAF)
    order = asked[np.lexsort((value[asked], feature[asked]))]
    firsts = np.searchsorted(feature[order], np.arange(forest.columns + 1))
    result = np.zeros(forest.columns, np.float32)
    used = np.flatnonzero(np.diff(firsts))
    result[used] = value[order[(firsts[used] + firsts[used + 1]) // 2]]
    return result


@cache
def columns_of_families() -> tuple[npt.NDArray[np.intp], ...]:
    """The columns of `spec.NAMES` that each family has."""
    listed = {"": GIVEN.split(), **FAMILIES}
    of_family: dict[str, list[int]] = {family: [] for family in listed}
    for column, name in enumerate(spec.NAMES):
        family = next(
            family
            for family, patterns in listed.items()
            if any(fnmatchcase(name, pattern) for pattern in patterns)
        )
        of_family[family].append(column)
    return tuple(np.array(of_family[family], np.intp) for family in FAMILIES)


def _sentences(moved: tuple[Signal, ...]) -> str:
    parts = [
        f"{start} it: {'; '.join(phrases)}."
        for start, sign in (("For", 1), ("Against", -1))
        if (phrases := [signal.words for signal in moved if sign * signal.effect > 0])
    ]
    # What moved it most comes first.
    if len(parts) == 2 and moved[0].effect < 0:
        parts.reverse()
    return " ".join(parts) or "Nothing speaks clearly for it or against it."
