"""Fonts: how large the letters of a script are in the usual ones, and which of them has them.

An SVG is shown with the fonts of whoever opens it, so a cloud is laid out by what the usual
sans-serif fonts need at most. For a PNG fontconfig finds a font of this machine.
"""

from __future__ import annotations

import subprocess
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from tempfile import NamedTemporaryFile
from typing import NamedTuple

from tamis.errors import OutputError


class Script(NamedTuple):
    """A range of code points, and the room that its letters take in units of the font size."""

    first: int
    last: int
    name: str
    """As the Noto fonts have it."""
    advance: float
    """Of a letter in a word whose letters are wide, not of the widest letter."""
    ascent: float = 1.07
    descent: float = 0.30
    package: str = "fonts-noto-core"
    """The Debian package of a font that has it."""


# The widths were fitted to 51,600 words (the names of countries and languages in CLDR and the words
# of web pages), so that none is wider in Noto Sans and Serif, DejaVu Sans, Liberation Sans (as wide
# as Arial) and Loma; Kufi and Nastaliq need up to a tenth more. benchmarks/cloud_view.py measures
# clouds in a browser. The usual height is that of Noto Sans; Arial, Helvetica and DejaVu Sans have
# less.
_CJK = "fonts-noto-cjk"
_LATIN = Script(0x0000, 0x036F, "", 0.65)
_HAN = Script(0x2E80, 0x9FFF, "CJK SC", 1.08, 1.16, package=_CJK)
_SCRIPTS = (
    _LATIN,
    Script(0x0370, 0x03FF, "", 0.66),  # Greek
    Script(0x0400, 0x052F, "", 0.67),  # Cyrillic
    Script(0x0530, 0x058F, "Armenian", 0.88),
    Script(0x0590, 0x05FF, "Hebrew", 0.70),
    Script(0x0600, 0x06FF, "Arabic", 0.69, 1.07, 0.45),
    Script(0x0900, 0x097F, "Devanagari", 0.70, 1.07, 0.42),
    Script(0x0980, 0x09FF, "Bengali", 0.90, 1.07, 0.42),
    Script(0x0A00, 0x0A7F, "Gurmukhi", 0.85, 1.07, 0.42),
    Script(0x0A80, 0x0AFF, "Gujarati", 0.85, 1.07, 0.42),
    Script(0x0B00, 0x0B7F, "Oriya", 0.88, 1.07, 0.42),
    Script(0x0B80, 0x0BFF, "Tamil", 1.46, 1.07, 0.48),
    Script(0x0C00, 0x0C7F, "Telugu", 1.42, 1.07, 0.50),
    Script(0x0C80, 0x0CFF, "Kannada", 1.20, 1.07, 0.58),
    Script(0x0D00, 0x0D7F, "Malayalam", 1.60, 1.07, 0.42),
    Script(0x0D80, 0x0DFF, "Sinhala", 1.06, 1.07, 0.42),
    Script(0x0E00, 0x0E7F, "Thai", 0.69, 1.15, 0.45, "fonts-tlwg-loma-ttf"),
    Script(0x0E80, 0x0EFF, "Lao", 0.68, 1.12, 0.45),
    Script(0x0F00, 0x0FFF, "Tibetan", 0.70, 1.17, 0.70),
    Script(0x1000, 0x109F, "Myanmar", 1.12, 1.09, 0.58),
    Script(0x10A0, 0x10FF, "Georgian", 0.83),
    Script(0x1200, 0x139F, "Ethiopic", 0.87),
    Script(0x1780, 0x17FF, "Khmer", 1.00, 1.33, 0.62),
    Script(0x1E00, 0x1FFF, "", 0.66),  # Latin and Greek with marks
    Script(0x3040, 0x30FF, "CJK JP", 1.08, 1.16, package=_CJK),  # Hiragana, Katakana
    _HAN,
    Script(0xA960, 0xD7FF, "CJK KR", 1.08, 1.16, package=_CJK),  # Hangul
    Script(0xF900, 0xFFEF, "CJK SC", 1.08, 1.16, package=_CJK),  # compatibility forms
    Script(0x1F000, 0x1FAFF, "", 1.3, 1.07, 0.30, "fonts-symbola"),  # emoji, in one colour
    Script(0x20000, 0x3FFFF, "CJK SC", 1.08, 1.16, package=_CJK),
)
_OTHER = Script(0x0000, 0x10FFFF, "", 1.1, 1.17, 0.45)

# Letters that are much narrower or wider than the others of their script, and signs.
_ADVANCES = {
    letter: advance
    for letters, advance in (
        ("'|", 0.30),
        ("ijlIıιΙ", 0.35),
        (" .,:;!()[]·’‘", 0.40),
        ("ftr-/", 0.42),
        ("cszJ", 0.56),
        ("ABCDEFGHKLNOPQRSTUVXYZ", 0.78),
        ("ГТЗУЕРАБВХЬЧКСЭЯЛНПИЙДЦОΓΤΣΞΕΚΡΥΑΔΛΒΖΧΗΠΝΩΘΟΦωψw", 0.80),
        ("MmWæœÆŒюфжшщыЪФЫМΜΨ@%&#+…—", 1.02),
        ("ШЖЮЩ", 1.10),
        ("וי־׳זןנ", 0.40),
        ("اأإآ", 0.35),
        ("سشصضطظ", 1.00),
        ("ािीोौॉ।", 0.32),
        ("अऊकखङछजझणफभ", 0.85),
        ("आऑओऔ", 1.10),
        ("\u0986\u099d\u0a86\u0a93", 1.30),  # Bengali, Gujarati
        ("\u09be\u09bf\u09c0\u0abe\u0abf\u0ac0", 0.40),
        ("\u0d08\u0d0a\u0d10\u0d13\u0d14", 2.20),  # Malayalam
        ("ญฑฒณ", 0.95),
        ("เโใไา", 0.56),
    )
    for letter in letters
}


@cache
def script_of(char: str) -> Script:
    """The script of a character, as far as fonts are concerned."""
    code = ord(char)
    return next((script for script in _SCRIPTS if script.first <= code <= script.last), _OTHER)


@cache
def advance(char: str) -> float:
    """How far a character moves the pen, in units of the font size."""
    if unicodedata.category(char) in ("Mn", "Me", "Cf"):
        return 0.0
    plain = unicodedata.normalize("NFD", char)[0]
    return _ADVANCES.get(plain, 0.85 if plain.isupper() else script_of(char).advance)


def families(texts: Iterable[str], language: str = "") -> str:
    """The value of `font-family` for texts.

    The first font that there is sets the height of all boxes, so low ones come first.
    """
    scripts = {script_of(char) for text in texts for char in text}
    names = {script.name: None for script in _SCRIPTS if script in scripts and script.name}
    if _HAN in scripts:
        # The same character looks different in Chinese and Japanese: the first name decides.
        names = {_han_face(language, names): None} | names
    noto = [f"Noto Sans {name}" for name in names]
    noto += [name.replace("CJK ", "") for name in noto if "CJK" in name]
    usual = ("Arial", "Liberation Sans", "Helvetica", "Roboto", "Noto Sans")
    return ", ".join((*usual, *noto, "sans-serif"))


def _han_face(language: str, names: Iterable[str]) -> str:
    spoken, _, region = language.lower().partition("-")
    if spoken == "zh":
        return "CJK TC" if {"tw", "hk", "mo", "hant"} & set(region.split("-")) else "CJK SC"
    return {"ja": "CJK JP", "ko": "CJK KR"}.get(
        spoken, next((name for name in names if name.startswith("CJK")), "CJK SC")
    )


# --- fonts of this machine ----------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Font:
    """A font file that can be drawn with, and the code points it has."""

    path: str
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


_FORMAT = "%{file}|%{index}|%{scalable}|%{color}|%{charset}\n"


def covering(texts: Sequence[str], weights: Sequence[float], language: str = "") -> Font:
    """The font that covers the most of the texts by weight, or an `OutputError`."""
    # Without a country fontconfig takes any Chinese; the page rather has this one.
    spoken = {"": "en", "zh": "zh-cn"}.get(language.lower(), language.lower())
    wanted = f"sans-serif:lang={spoken}:slant=0:weight=80"
    fonts = _listed(["fc-match", "--all", "--format", _FORMAT, wanted])
    best, most = None, 0.0
    for font in fonts:
        covered = sum(w for text, w in zip(texts, weights, strict=True) if font.covers(text))
        if covered > most * (1 + 1e-9):
            best, most = font, covered
        if most >= sum(weights) * (1 - 1e-9):
            break
    if best is None or most < sum(weights) / 2:
        raise OutputError(_nothing_covers(texts))
    return best


def given(path: str) -> Font:
    """The font in a file that the caller chose."""
    fonts = _listed(["fc-query", "--format", _FORMAT, path])
    font = next(fonts, None)
    if font is None:
        raise OutputError(f"{path}: not a font that can be drawn with; give a TTF or OTF file")
    return font


def _listed(command: Sequence[str]) -> Iterator[Font]:
    try:
        found = subprocess.run(command, capture_output=True, timeout=60, check=False).stdout
    except (OSError, subprocess.TimeoutExpired):
        raise OutputError(
            "a PNG needs fontconfig to find a font; install the Debian package fontconfig, or make"
            " an SVG"
        ) from None
    for line in found.decode("utf-8", "replace").splitlines():
        path, index, scalable, colour, charset = line.split("|")
        if scalable == "True" and colour != "True" and charset:
            codes = (part.partition("-") for part in charset.split())
            ranges = (range(int(first, 16), int(last or first, 16) + 1) for first, _, last in codes)
            yield Font(path, int(index) & 0xFFFF, tuple(ranges))


def _nothing_covers(texts: Iterable[str]) -> str:
    chars = [char for text in texts for char in text if not char.isascii() and advance(char)]
    packages = {script_of(char).package: None for char in chars} or {_LATIN.package: None}
    example = next(iter(chars), "a")
    return (
        f"no font of this machine has the letters of most terms ({unicodedata.name(example, '?')},"
        f" for example); install the Debian package {' and '.join(packages)}, or make an SVG"
    )


@contextmanager
def file_of(font: Font) -> Iterator[str]:
    """A path whose first font is this one: `wordcloud` can take no other from a collection."""
    if font.index == 0:
        yield font.path
        return
    with open(font.path, "rb") as collection, NamedTemporaryFile(suffix=".ttc") as file:
        data = bytearray(collection.read())
        # The header: a tag, a version and a number, then the offset of each font, 4 bytes each.
        data[12:16] = data[12 + 4 * font.index : 16 + 4 * font.index]
        file.write(data)
        file.flush()
        yield file.name
