"""Where each term of a cloud goes, without overlap and without knowing the font.

How wide a text will be is not known before a browser shows it, with the fonts of the reader's
machine. So each character has the advance of the widest usual sans-serif font, and a box the height
of the tallest. Then the boxes are packed: the heaviest goes to the middle, and each of the next to
the place nearest to the middle where it touches a corner of a box that is there already.
"""

from __future__ import annotations

import math
import operator
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from random import Random
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

from tamis.cloud import read_rows

if TYPE_CHECKING:
    from tamis.cloud.terms import Term

LARGEST: Final = 64.0
"""Font size of the heaviest term, in pixels."""
SMALLEST: Final = 13.0
"""Font size below which no term goes, however light."""
MOST: Final = 1000
"""Terms that are drawn, the heaviest ones."""
LONGEST: Final = 40
"""Characters of a term that are shown."""

# How much wider than high a cloud becomes.
_ASPECT = 1.7
GAP: Final = 2
"""Pixels between two terms, beside the space of `_SPACE`."""
# Beside a term, in units of its size: most of the width of a space, so that no two read as one.
_SPACE = 0.2
# Pixels around all terms.
_MARGIN = 12
# How far from the middle a term may aim, in pixels: what the seed changes.
_STRAY = 20.0


class Extent(NamedTuple):
    """The room that a text takes, in units of the font size."""

    width: float
    ascent: float
    descent: float


class Placed(NamedTuple):
    """A term and its place: the box, and in it the middle of the base line."""

    term: Term
    text: str
    """The term as it is shown."""
    size: float
    """Of the font, in pixels."""
    x: float
    y: float
    left: int
    top: int
    width: int
    height: int


class Layout(NamedTuple):
    """The places of all terms in a picture that is `width` by `height` pixels large."""

    places: tuple[Placed, ...]
    width: int
    height: int


def arrange_terms(terms: Sequence[Term], *, seed: int = 0) -> Layout:
    """Give each term a size by its weight, the area being in proportion, and a place."""
    weights = [term.weight for term in terms if math.isfinite(term.weight)]
    heaviest = max(weights, default=0.0)
    # Where all weights are near each other, as log-odds are, the picture still shows the order.
    nothing = max(min(weights, default=0.0) - heaviest / 10, 0.0)
    drawn = []
    for term in sorted(terms, key=lambda term: -_scale_weight(term.weight, nothing, heaviest))[
        :MOST
    ]:
        text = clean_text(term.term)
        area = _scale_weight(term.weight, nothing, heaviest)
        size = round(max(SMALLEST, LARGEST * math.sqrt(area)), 1)
        if text:
            drawn.append((term, text, size, measure_text(text)))
    sizes = [
        (
            math.ceil(size * (room.width + _SPACE)) + GAP,
            math.ceil(size * (room.ascent + room.descent)) + GAP,
        )
        for _, _, size, room in drawn
    ]
    boxes = _pack(sizes, Random(seed))
    leftmost = min((box[0] for box in boxes), default=0) - _MARGIN
    topmost = min((box[1] for box in boxes), default=0) - _MARGIN
    places = tuple(
        Placed(
            term,
            text,
            size,
            (left + right) / 2 - leftmost,
            round(top - topmost + GAP / 2 + size * room.ascent, 1),
            left - leftmost,
            top - topmost,
            right - left,
            bottom - top,
        )
        for (term, text, size, room), (left, top, right, bottom) in zip(drawn, boxes, strict=True)
    )
    return Layout(
        places,
        max((place.left + place.width for place in places), default=_MARGIN) + _MARGIN,
        max((place.top + place.height for place in places), default=_MARGIN) + _MARGIN,
    )


def _scale_weight(weight: float, nothing: float, heaviest: float) -> float:
    return (weight - nothing) / (heaviest - nothing) if nothing < weight <= heaviest else 0.0


def clean_text(text: str, longest: int = LONGEST) -> str:
    """A text as it can be drawn: on one line, not endless, without what XML forbids."""
    text = "".join(
        char for char in " ".join(text.split()) if unicodedata.category(char) not in _UNDRAWABLE
    )
    return text if len(text) <= longest else text[: longest - 1].rstrip() + "…"


_UNDRAWABLE = ("Cc", "Cn", "Co", "Cs")


# --- how large a text is, and in which fonts ----------------------------------------------------


class Script(NamedTuple):
    """A range of code points, and the room that its letters take in units of the font size."""

    first: int
    last: int
    name: str
    """As the Noto fonts have it."""
    advance: float
    """Of a letter in a word whose letters are wide, not of the widest letter."""
    ascent: float
    descent: float
    package: str
    """The Debian package of a font that has it."""


# font_scripts.tsv has the fields of `Script` and whose letters these are; of two that overlap the
# first counts. The widths were fitted to 51,600 words (the names of countries and languages in CLDR
# and the words of web pages), so that none is wider in Noto Sans and Serif, DejaVu Sans, Liberation
# Sans (as wide as Arial) and Loma; Kufi and Nastaliq need up to a tenth more.
# benchmarks/cloud_view.py measures clouds in a browser. The usual height is that of Noto Sans;
# Arial, Helvetica and DejaVu Sans have less.
_SCRIPTS = [
    Script(int(first, 16), int(last, 16), name, float(width), float(up), float(down), package)
    for first, last, name, width, up, down, package, _ in read_rows("font_scripts")
]
_OTHER = Script(0x0000, 0x10FFFF, "", 1.1, 1.17, 0.45, "fonts-noto-core")

# Letters that are much narrower or wider than the others of their script, and signs.
_ADVANCES = {
    letter: float(advance) for advance, letters in read_rows("font_advances") for letter in letters
}


@cache
def script_of(char: str) -> Script:
    code = ord(char)
    return next((script for script in _SCRIPTS if script.first <= code <= script.last), _OTHER)


@cache
def advance(char: str) -> float:
    """How far a character moves the pen, in units of the font size."""
    if unicodedata.category(char) in ("Mn", "Me", "Cf"):
        return 0.0
    plain = unicodedata.normalize("NFD", char)[0]
    return _ADVANCES.get(plain, 0.85 if plain.isupper() else script_of(char).advance)


def list_families(texts: Iterable[str], language: str = "") -> str:
    """The value of `font-family` for texts.

    The first font that is installed sets the height of all boxes, so low fonts come first.
    """
    scripts = {script_of(char) for text in texts for char in text}
    names = {script.name: None for script in _SCRIPTS if script in scripts and script.name}
    if script_of("一") in scripts:
        # The same character looks different in Chinese and Japanese: the first name decides.
        names = {_han_face(language, names): None} | names
    noto = [f"Noto Sans {name}" for name in names]
    noto += [name.replace("CJK ", "") for name in noto if "CJK" in name]
    usual = ("Arial", "Liberation Sans", "Helvetica", "Roboto", "Noto Sans")
    return ", ".join((*usual, *noto, "sans-serif"))


def _han_face(language: str, names: Iterable[str]) -> str:
    primary, _, region = language.lower().partition("-")
    if primary == "zh":
        return "CJK TC" if {"tw", "hk", "mo", "hant"} & set(region.split("-")) else "CJK SC"
    return {"ja": "CJK JP", "ko": "CJK KR"}.get(
        primary, next((name for name in names if name.startswith("CJK")), "CJK SC")
    )


# Added to the width of each text: short ones differ most from the mean of their letters.
_BEARING = 0.08


def measure_text(text: str) -> Extent:
    """The most room that the usual sans-serif fonts take for a text."""
    scripts = [script_of(char) for char in text]
    return Extent(
        _BEARING + sum(map(advance, text)),
        max(script.ascent for script in scripts),
        max(script.descent for script in scripts),
    )


# --- where the boxes go -------------------------------------------------------------------------

_Box: TypeAlias = tuple[int, int, int, int]
"""Left, top, right, bottom."""


@dataclass(slots=True)
class _Anchor:
    """A corner of a placed box, where a new box may have its left or right, top or bottom."""

    x: int
    y: int
    right: bool
    bottom: bool
    blocker: _Box
    """The box that the last box tried here overlapped: mostly the next one overlaps it, too."""


def _pack(sizes: Sequence[tuple[int, int]], random: Random) -> list[_Box]:
    """Boxes of these sizes, none over another, each as near to the origin as it then can be."""
    boxes: list[_Box] = []
    anchors: list[_Anchor] = []
    least = min((width for width, _ in sizes), default=0)
    lowest = min((height for _, height in sizes), default=0)
    for width, height in sizes:
        aim_x = random.uniform(-_STRAY, _STRAY) * _ASPECT - width / 2
        aim_y = random.uniform(-_STRAY, _STRAY) - height / 2
        places = []
        alive = []
        for anchor in anchors:
            left = anchor.x - width * anchor.right
            top = anchor.y - height * anchor.bottom
            if not _is_overlap(left, top, width, height, anchor.blocker):
                # The fourth power makes a rectangle with round corners, of which boxes take 0.68;
                # with the second it is an ellipse, and 0.62 of the rectangle around it.
                away = ((left - aim_x) / _ASPECT) ** 4 + (top - aim_y) ** 4
                places.append((away, left, top, anchor))
            elif _is_overlap(
                anchor.x - least * anchor.right,
                anchor.y - lowest * anchor.bottom,
                least,
                lowest,
                anchor.blocker,
            ):
                continue  # no box will ever fit
            alive.append(anchor)
        places.sort(key=operator.itemgetter(0))
        left, top = -(width // 2), -(height // 2)
        for _, left, top, anchor in places:
            right, bottom = left + width, top + height
            for box in boxes:
                if left < box[2] and top < box[3] and right > box[0] and bottom > box[1]:
                    anchor.blocker = box
                    break
            else:
                break
        box = left, top, left + width, top + height
        boxes.append(box)
        anchors = alive + _corner_anchors(box)
    return boxes


def _is_overlap(left: int, top: int, width: int, height: int, box: _Box) -> bool:
    return left < box[2] and top < box[3] and left + width > box[0] and top + height > box[1]


def _corner_anchors(box: _Box) -> list[_Anchor]:
    """Both ends of each side of a box."""
    left, top, right, bottom = box
    return [
        _Anchor(right, top, False, False, box),
        _Anchor(right, bottom, False, True, box),
        _Anchor(left, top, True, False, box),
        _Anchor(left, bottom, True, True, box),
        _Anchor(left, top, False, True, box),
        _Anchor(right, top, True, True, box),
        _Anchor(left, bottom, False, False, box),
        _Anchor(right, bottom, True, False, box),
    ]
