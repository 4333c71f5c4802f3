"""A cloud as PNG: the places of the SVG, drawn with fonts that have the letters.

fontconfig finds the fonts of this machine; where there is none, the font that Pillow ships draws
plain English.
"""

from __future__ import annotations

import io
import shutil
import subprocess
import unicodedata
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tamis._runtime.libraries import import_library
from tamis.cloud.draw import (
    HEADING,
    STRIP,
    Cloud,
    Style,
    choose_palette,
    heading_of,
    panel_width,
)
from tamis.cloud.layout import GAP, Layout, advance, arrange_terms, script_of
from tamis.errors import OutputError

# Pixels of the picture for one of the layout: sharp on the screens of today.
_SCALE = 2


class GlyphWarning(UserWarning):
    """Terms were left out of a picture, since this machine cannot draw them."""


def draw_png(clouds: Sequence[Cloud], style: Style | None = None, font: str | None = None) -> bytes:
    """One picture of the clouds, side by side.

    With `font`, as far as it has the letters, else with the fonts that have most of them.
    """
    images, drawing = (
        import_library(module, "a PNG", "cloud") for module in ("PIL.Image", "PIL.ImageDraw")
    )
    style = style or Style()
    layouts = [arrange_terms(cloud.terms, seed=style.seed) for cloud in clouds]
    headings = [heading_of(cloud, len(clouds)) for cloud in clouds]
    above = STRIP * any(headings)
    widths = [panel_width(*panel) for panel in zip(layouts, headings, strict=True)]
    size = sum(widths) or 1, max((each.height for each in layouts), default=1) + above
    background = choose_palette(style.palette, dark=style.dark).background
    whole = images.new("RGB", (size[0] * _SCALE, size[1] * _SCALE), background)
    canvas = drawing.Draw(whole)
    left = 0
    for cloud, arranged, heading, width in zip(clouds, layouts, headings, widths, strict=True):
        _draw(canvas, cloud, arranged, heading, (left, above, width), style, font)
        left += width
    data = io.BytesIO()
    # Shades of a few colours: a third of the bytes, and nothing to see of it.
    whole.quantize(128).save(data, "PNG", optimize=True)
    return data.getvalue()


def _draw(
    canvas: Any,
    cloud: Cloud,
    arranged: Layout,
    heading: str,
    panel: tuple[int, int, int],
    style: Style,
    path: str | None,
) -> None:
    left, above, width = panel
    colours = choose_palette(style.palette, dark=style.dark)
    weights = {place.text: place.size**2 for place in arranged.places}
    chosen = _choose_fonts(weights | ({heading: 0.0} if heading else {}), cloud.language, path)
    if heading in chosen:
        middle = left + width / 2, above - 14.0
        _write(canvas, heading, chosen[heading], HEADING, width, middle, colours.colours[0])
    for place in arranged.places:
        if place.text in chosen:
            middle = left + place.x, above + place.y
            room = place.width - GAP
            ink = colours.of_weight(place.term.weight)
            _write(canvas, place.text, chosen[place.text], place.size, room, middle, ink)


def _write(
    canvas: Any,
    text: str,
    font: Font,
    size: float,
    room: float,
    middle: tuple[float, float],
    ink: str,
) -> None:
    """A text, its base line around a point; smaller, if the font is wider than its place."""
    face = _load_face(font, size * _SCALE)
    if (wide := face.getlength(text) / _SCALE) > room:
        face = _load_face(font, size * _SCALE * room / wide)
    at = middle[0] * _SCALE, middle[1] * _SCALE
    canvas.text(at, text, font=face, fill=ink, anchor="ms")


def _load_face(font: Font, size: float) -> Any:
    faces = import_library("PIL.ImageFont", "a PNG", "cloud")
    if not font.path:
        return faces.load_default(size)
    return faces.truetype(font.path, size, index=font.index)


def _choose_fonts(weights: Mapping[str, float], language: str, path: str | None) -> dict[str, Font]:
    """The font of each text; a warning names those that cannot be drawn."""
    shaping = import_library("PIL.features", "a PNG", "cloud").check("raqm")
    chosen: dict[str, Font] = {}
    if path:
        given = from_file(path)
        if weights and not any(given.covers(text) for text in weights):
            raise OutputError(f"{path}: the font has the letters of no term; choose another")
        chosen = {text: given for text in weights if given.draws(text, shaping)}
    left = {text: weight for text, weight in weights.items() if text not in chosen}
    chosen |= find_covering(left, language, shaping=shaping, most=not chosen)
    missing = [text for text in weights if text not in chosen]
    if missing:
        warnings.warn(
            f"{len(missing)} terms are not in the picture, since this machine cannot draw them:"
            f" {', '.join(missing[:5])}; on Debian: {what_to_install(missing, shaping)}",
            GlyphWarning,
            stacklevel=4,
        )
    return chosen


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
