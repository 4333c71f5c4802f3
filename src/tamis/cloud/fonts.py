"""Fonts: how large the letters of a script are in the usual fonts, and which font has them.

An SVG is shown with the fonts of the reader's machine, so a cloud is laid out with the most room
that the usual sans-serif fonts need. For a PNG fontconfig finds a font of this machine; where there
is none, the font that Pillow ships draws plain English.
"""

from __future__ import annotations

import shutil
import subprocess
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

from tamis.cloud import tables
from tamis.errors import OutputError


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
    for first, last, name, width, up, down, package, _ in tables.read_rows("font_scripts")
]
_OTHER = Script(0x0000, 0x10FFFF, "", 1.1, 1.17, 0.45, "fonts-noto-core")

# Letters that are much narrower or wider than the others of their script, and signs.
_ADVANCES = {
    letter: float(advance)
    for advance, letters in tables.read_rows("font_advances")
    for letter in letters
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


# --- fonts of this machine ----------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Font:
    """A font that can be drawn with, and the code points it has."""

    path: str
    """Of its file; empty for the font that Pillow ships."""
    index: int
    """Which font of a collection it is."""
    ranges: tuple[range, ...]

    def covers(self, text: str) -> bool:
        """Whether it has a glyph for all there is to see in a text."""
        return all(
            any(ord(char) in codes for codes in self.ranges)
            for char in set(unicodedata.normalize("NFC", text))
            if not char.isspace() and unicodedata.category(char) != "Cf"
        )

    def draws(self, text: str, shaping: bool) -> bool:
        """Whether it has the glyphs of a text, and they can be put together."""
        return (shaping or not needs_shaping(text)) and self.covers(text)


BUILT_IN = Font("", 0, (range(0x20, 0x7F), range(0x2018, 0x201A)))


def needs_shaping(text: str) -> bool:
    """Whether letters must be joined, turned round or given marks, which Pillow leaves to raqm."""
    return any(
        unicodedata.category(char) in ("Mn", "Mc", "Me")
        or unicodedata.bidirectional(char) in ("R", "AL")
        for char in unicodedata.normalize("NFC", text)
    )


_FORMAT = "%{file}|%{index}|%{scalable}|%{color}|%{charset}\n"


def find_covering(
    weights: Mapping[str, float], language: str = "", *, shaping: bool = True, most: bool = True
) -> dict[str, Font]:
    """A font for each text that can be drawn: as few fonts as can be, those that cover most first.

    An `OutputError` if less than half of the weight is covered, unless `most` says otherwise.
    """
    # Without a country fontconfig takes any Chinese; most pages are in this one.
    tag = {"": "en", "zh": "zh-cn"}.get(language.lower(), language.lower())
    wanted = f"sans-serif:lang={tag}:slant=0:weight=80"
    chosen: dict[str, Font] = {}
    left = dict(weights)
    try:
        listed = (
            list(_list_fonts(["fc-match", "--all", "--format", _FORMAT, wanted])) if left else []
        )
    except OSError:  # no fontconfig
        listed = []
    while (best := _choose_font([*listed, BUILT_IN], left, shaping)) is not None:
        chosen |= {text: best for text in left if best.draws(text, shaping)}
        left = {text: weight for text, weight in left.items() if text not in chosen}
    if most and weights and sum(left.values()) >= sum(weights.values()) / 2:
        raise OutputError(
            f"this machine cannot draw most terms ({', '.join(list(left)[:3])}) as PNG;"
            f" on Debian: {what_to_install(left, shaping)}; or make an SVG"
        )
    return chosen


def _choose_font(
    listed: Sequence[Font], weights: Mapping[str, float], shaping: bool
) -> Font | None:
    """The first of the fonts that cover most of the texts, None if none covers any."""
    best, most = None, (0.0, 0)
    for font in listed:
        covered = [weight for text, weight in weights.items() if font.draws(text, shaping)]
        if (sum(covered), len(covered)) > most:
            best, most = font, (sum(covered), len(covered))
        if len(covered) == len(weights):
            break
    return best


def from_file(path: str) -> Font:
    try:
        font = next(_list_fonts(["fc-query", "--format", _FORMAT, path]), None)
    except OSError:
        raise OutputError(
            "fontconfig is missing, which says what letters a font has; on Debian: apt install"
            " fontconfig"
        ) from None
    if font is None:
        raise OutputError(f"{path}: not a font that can be drawn with; give a TTF or OTF file")
    return font


def _list_fonts(command: Sequence[str]) -> Iterator[Font]:
    """The fonts that a program of fontconfig prints; an `OSError` if it is not installed."""
    try:
        output = subprocess.run(command, capture_output=True, timeout=60, check=False).stdout
    except subprocess.TimeoutExpired:
        raise OutputError(f"{command[0]} takes over a minute; try again, or make an SVG") from None
    for line in output.decode("utf-8", "replace").splitlines():
        path, index, scalable, colour, charset = line.split("|")
        if scalable == "True" and colour != "True" and charset:
            codes = (part.partition("-") for part in charset.split())
            ranges = (range(int(first, 16), int(last or first, 16) + 1) for first, _, last in codes)
            yield Font(path, int(index) & 0xFFFF, tuple(ranges))


def what_to_install(texts: Iterable[str], shaping: bool) -> str:
    """The command after which a Debian machine can draw some texts."""
    packages = [] if shutil.which("fc-match") else ["fontconfig"]
    # The wheel of Pillow brings raqm, which loads this library from the system.
    packages += [] if shaping or not any(map(needs_shaping, texts)) else ["libfribidi0"]
    chars = [char for text in texts for char in text if not char.isascii() and advance(char)]
    fonts = {script_of(char).package: None for char in chars or ["a"]}
    return f"apt install {' '.join([*packages, *fonts])}"
