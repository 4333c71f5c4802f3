"""Why each block has its score: the signals that moved it most, in words.

For the default method a signal is a family of features that one sentence stands for. To measure its
effect, the features of the family are set to neutral values and the forest is asked again; the
effect is what the log odds lose. A neutral value is the median of the thresholds of a feature in
the forest, so that a block of neutral values has a probability near one half in every model.
Other methods say themselves what a score rests on (`Method.because`); if they do not, the plain
facts stand in. What the second stage of the default method changed is told separately.
"""

from __future__ import annotations

from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cache, lru_cache
from itertools import chain, islice, repeat

import numpy as np
import numpy.typing as npt

from tamis._runtime import limits
from tamis.decide.decision import AD_LABEL, READING, WHOLE, Decision
from tamis.describe import read_word_lists
from tamis.describe.phrases import BlockPhrases, list_facts
from tamis.errors import MethodError
from tamis.methods._base import Method
from tamis.methods.tamis import BlockOdds, ContentModel, Tamis
from tamis.model.features import corrections, group_features, spec
from tamis.model.features.batch import Batch
from tamis.model.weights.forest import LEAF, Forest
from tamis.page import tags
from tamis.page.arrays import Floats, Matrix
from tamis.page.table import Page

GIVEN = "page.* description.words description.cover data.words data.cover"
"""Features that are the same for all blocks of a page, so that they cannot distinguish blocks."""

FAMILIES = read_word_lists("signals.tsv")
"""The signals and the patterns of their features; a feature belongs to the first that has it."""

MOST_BLOCKS = 20_000
"""Blocks of a page that are explained; the others only get their score."""

SIGNALS = 3
"""Signals that are named for each block."""

_UNSEEN = "A browser does not show it."
_NOTHING = "the page looks like one with nothing to extract"
# Log odds below which a signal did nothing.
_LEAST = 0.05
# Blocks that are measured at once: with all families they take 20 MB.
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


def explain_blocks(page: Page, decision: Decision, method: Method) -> tuple[Reason, ...]:
    """Explain why each block was kept or dropped."""
    if decision.embedded:
        taken = Reason(f"Kept: taken from {decision.embedded} in the page.", "")
        return (taken,) * len(decision.kept)
    verdicts = write_verdicts(decision)
    explained = _explain_scores(page, method)
    unexplained = f"Only the first {MOST_BLOCKS:,} blocks are explained.", ()
    made = (
        Reason(verdict, because, moved)
        for verdict, (because, moved) in zip(
            limits.check_each(verdicts), chain(explained, repeat(unexplained)), strict=False
        )
    )
    return tuple(limits.limit_output(made, limits.count_characters))


def _explain_scores(page: Page, method: Method) -> list[tuple[str, tuple[Signal, ...]]]:
    """Explain the scores of blocks, up to `MOST_BLOCKS`, in words and as signals."""
    model = method.base
    if not isinstance(model, Tamis):
        return [(account, ()) for account in _explain_by_method(page, method)]
    if not len(page.blocks):
        return []
    batch, weights = Batch.from_pages([page]), model.load_model()
    features = np.empty((len(batch), len(spec.NAMES)), np.float32)
    odds = weights.compute_odds(batch, features)
    moved = find_signals(batch, features, weights)
    together = [
        f"{_write_signals(own)} {account}".rstrip()
        for own, account in zip(moved, _explain_structures(batch, odds, weights), strict=True)
    ]
    if not method.site_pages:
        return [*zip(together, moved, strict=True)]
    site = f"That is the page alone; {method.site_pages:,} pages of the site count too."
    return [
        (f"{alone} {site} {account}", own)
        for alone, own, account in zip(
            together, moved, _explain_by_method(page, method), strict=True
        )
    ]


# Difference of the probabilities from which on the structures around a block moved it.
_CARRIED = 0.1
# Blocks like it, including itself, up to which there are too few to mention.
_PAIR = 2


def _explain_structures(batch: Batch, odds: BlockOdds, model: ContentModel) -> list[str]:
    """Explain what the structures around each block changed, up to `MOST_BLOCKS`."""
    alone, whole = model.calibrate(odds.first), model.calibrate(odds.combined)
    extra = corrections.find_extra_blocks(batch.columns, odds.groups, odds.combined)
    groups = dict(zip(group_features.GROUP_NAMES, odds.groups, strict=True))
    like_it = np.bincount(groups["role"])[groups["role"]]
    in_list = groups["list"] >= 0
    return [
        _write_structure(*of_block)
        for of_block in zip(
            *(values[:MOST_BLOCKS].tolist() for values in (extra, alone, whole, like_it, in_list)),
            strict=True,
        )
    ]


_EXTRA = {
    "copy": "But the page has this passage twice, and keeps it once.",
    "story": "But it is in another story, after the one that the page's title names.",
}


def _write_structure(extra: int, alone: float, whole: float, like_it: int, in_list: bool) -> str:
    if extra:
        return _EXTRA[corrections.EXTRA_KINDS[extra]]
    if abs(whole - alone) < _CARRIED:
        return ""
    others = "the blocks around it"
    if like_it > _PAIR:
        others = f"the other {like_it - 1:,} blocks like it"
    elif in_list:
        others = "the rest of its list or table"
    return f"By itself it has {alone:.2f}, with {others} {whole:.2f}."


def _explain_by_method(page: Page, method: Method) -> list[str]:
    """Ask the method about each block, up to `MOST_BLOCKS`; give the facts if it says nothing."""
    blocks = np.arange(min(len(page.blocks), MOST_BLOCKS))
    shown = page.blocks.flags[blocks] & tags.HIDDEN == 0
    asked = blocks[shown]
    own = method.because(page, asked) if len(asked) else ()
    if not own:
        return [
            f"Method {method.name} gave it that score; it has {fact}."
            for fact in islice(list_facts(page), len(blocks))
        ]
    if len(own) != len(asked):
        raise MethodError(
            f"method {method.name} gave {len(own)} reasons for {len(asked)} blocks; `because`"
            " returns one per block, or none at all"
        )
    sentence = iter(own)
    return [next(sentence) if seen else _UNSEEN for seen in shown.tolist()]


def find_signals(batch: Batch, features: Matrix, model: ContentModel) -> list[tuple[Signal, ...]]:
    """Find what moved the score of each block most, up to `MOST_BLOCKS`."""
    features = features[:MOST_BLOCKS]
    neutral_values = find_neutral(model.forest)
    of_families = measure_effects(features, model.forest, neutral_values)
    phrases = BlockPhrases(batch, features, neutral_values, model.tokens)
    names = tuple(FAMILIES)
    strongest = np.argsort(-np.abs(of_families), axis=1, kind="stable")[:, :SIGNALS]
    values = np.take_along_axis(of_families, strongest, axis=1)
    return [
        tuple(
            Signal(names[family], phrases.write_phrase(names[family], block, effect), effect)
            for family, effect in zip(families, own, strict=True)
            if abs(effect) >= _LEAST
        )
        for block, (families, own) in enumerate(
            limits.check_each(zip(strongest.tolist(), values.tolist(), strict=True))
        )
    ]


def write_choice(decision: Decision) -> str:
    """Write which readings the page has, which one was taken and why; nothing if it has one."""
    choice = decision.choice
    if choice is None:
        return ""
    first, *others = (
        f"{reading.name} ({reading.words:,} words{_write_gain(reading.gain, place)})"
        for place, reading in enumerate(choice.readings)
    )
    because = f", since {choice.because}" if choice.chosen != choice.readings[0].name else ""
    return f"Readings of the page: {'; '.join((first, *others))}. Taken: {choice.chosen}{because}."


def _write_gain(gain: float, place: int) -> str:
    return f", expected F1 {gain:+.2f}" if place else ""


def write_verdicts(decision: Decision) -> list[str]:
    """Write what was decided about each block."""
    switches = [""] * len(decision.kept)
    for name, changed in decision.switched.items():
        for block in np.flatnonzero(changed).tolist():
            switches[block] = name
    rows = zip(decision.scores.tolist(), decision.kept.tolist(), switches, strict=True)
    because = decision.choice.because if decision.choice else ""
    return [
        _write_verdict(score, kept, decision.cut, switch, because)
        for score, kept, switch in limits.check_each(rows)
    ]


def _write_verdict(score: float, kept: bool, cut: float, switch: str, because: str) -> str:
    verdict = "Kept" if kept else "Dropped"
    place = _NOTHING
    if cut <= 1:
        side = "below" if score < cut else "above" if score > cut else "at"
        place = f"{side} this page's cut of {cut:.2f}"
    if switch == READING:
        return f"{verdict} by the choice of a reading ({because}): {score:.2f}, {place}."
    if switch == WHOLE:
        return f"{verdict} with the rest of its footnotes or callout: {score:.2f}, {place}."
    if switch == AD_LABEL:
        return f"{verdict} since it is nothing but an advertisement's label: {score:.2f}, {place}."
    if switch:
        return f"{verdict} by the option {switch}: {score:.2f}, {place}."
    return f"{verdict}: {score:.2f}{',' if cut <= 1 else ';'} {place}."


def measure_effects(features: Matrix, forest: Forest, neutral_values: Matrix) -> Floats:
    """Measure what each family adds to the log odds of each block."""
    lost = np.empty((len(features), len(FAMILIES)))
    for first in range(0, len(features), _AT_ONCE):
        limits.check()
        rows = features[first : first + _AT_ONCE]
        odds = forest.predict(rows)
        for place, columns in enumerate(find_family_columns()):
            changed = rows.copy()
            changed[:, columns] = neutral_values[columns]
            lost[first : first + _AT_ONCE, place] = odds - forest.predict(changed)
    return lost


@lru_cache(maxsize=8)
def find_neutral(forest: Forest) -> Matrix:
    """Find for each feature the median of the thresholds at which the forest asks about it."""
    arrays = forest.to_arrays()
    feature, value = arrays["feature"], arrays["value"]
    asked = np.flatnonzero(feature != LEAF)
    order = asked[np.lexsort((value[asked], feature[asked]))]
    firsts = np.searchsorted(feature[order], np.arange(forest.columns + 1))
    result = np.zeros(forest.columns, np.float32)
    used = np.flatnonzero(np.diff(firsts))
    result[used] = value[order[(firsts[used] + firsts[used + 1]) // 2]]
    return result


@cache
def find_family_columns() -> tuple[npt.NDArray[np.intp], ...]:
    """Find the columns of `spec.NAMES` that belong to each family."""
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


def _write_signals(moved: tuple[Signal, ...]) -> str:
    parts = [
        f"{start} it: {'; '.join(phrases)}."
        for start, sign in (("For", 1), ("Against", -1))
        if (phrases := [signal.words for signal in moved if sign * signal.effect > 0])
    ]
    # What moved it most comes first.
    if len(parts) == 2 and moved[0].effect < 0:
        parts.reverse()
    return " ".join(parts) or "Nothing speaks clearly for it or against it."
