"""A cloud as PNG: the places of the SVG, drawn with fonts of this machine that have the letters."""

from __future__ import annotations

import io
import warnings
from collections.abc import Mapping, Sequence
from typing import Any

from tamis.cloud import fonts, palettes
from tamis.cloud.draw import HEADING, STRIP, Cloud, Style, heading_of, panel_width
from tamis.cloud.layout import GAP, Layout, layout
from tamis.errors import OutputError
from tamis.extras import library

# Pixels of the picture for one of the layout: sharp on the screens of today.
_SCALE = 2


class GlyphWarning(UserWarning):
    """Terms were left out of a picture, since no font can draw them."""


def png(clouds: Sequence[Cloud], style: Style | None = None, font: str | None = None) -> bytes:
    """One picture of the clouds, side by side.

    With `font`, as far as it has the letters, else with the fonts that have most of them.
    """
    modules = ("PIL.Image", "PIL.ImageDraw", "PIL.features")
    images, drawing, features = (library(module, "a PNG", "cloud") for module in modules)
    if not features.check("raqm"):
        raise OutputError(
            "this Pillow cannot join letters or place marks, since it was built without raqm;"
            " install the wheel of Pillow and the Debian package libraqm0, or make an SVG"
        )
    style = style or Style()
    layouts = [layout(cloud.terms, seed=style.seed) for cloud in clouds]
    headings = [heading_of(cloud, len(clouds)) for cloud in clouds]
    above = STRIP * any(headings)
    widths = [panel_width(*panel) for panel in zip(layouts, headings, strict=True)]
    size = sum(widths) or 1, max((each.height for each in layouts), default=1) + above
    background = palettes.palette(style.palette, dark=style.dark).background
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
    colours = palettes.palette(style.palette, dark=style.dark)
    weights = {place.text: place.size**2 for place in arranged.places}
    chosen = _fonts(weights | ({heading: 0.0} if heading else {}), cloud.language, path)
    if heading in chosen:
        _write(
            canvas,
            heading,
            chosen[heading],
            HEADING,
            width,
            (left + width / 2, above - 14),
            colours.colours[0],
        )
    for place in arranged.places:
        if place.text in chosen:
            middle = left + place.x, above + place.y
            room = place.width - GAP
            ink = colours.of_weight(place.term.weight)
            _write(canvas, place.text, chosen[place.text], place.size, room, middle, ink)


def _write(
    canvas: Any,
    text: str,
    font: fonts.Font,
    size: float,
    room: float,
    middle: tuple[float, float],
    ink: str,
) -> None:
    """A text, its base line around a point; smaller, if the font is wider than its place."""
    faces = library("PIL.ImageFont", "a PNG", "cloud")
    face = faces.truetype(font.path, size * _SCALE, index=font.index)
    if (wide := face.getlength(text) / _SCALE) > room:
        face = faces.truetype(font.path, size * _SCALE * room / wide, index=font.index)
    at = middle[0] * _SCALE, middle[1] * _SCALE
    canvas.text(at, text, font=face, fill=ink, anchor="ms")


def _fonts(weights: Mapping[str, float], language: str, path: str | None) -> dict[str, fonts.Font]:
    """The font of each text; a warning names those that none has."""
    chosen: dict[str, fonts.Font] = {}
    if path:
        given = fonts.from_file(path)
        chosen = {text: given for text in weights if given.covers(text)}
        if weights and not chosen:
            raise OutputError(f"{path}: the font has the letters of no term; choose another")
    left = {text: weight for text, weight in weights.items() if text not in chosen}
    chosen |= fonts.covering(left, language, most=not path)
    missing = [text for text in weights if text not in chosen]
    if missing:
        warnings.warn(
            f"{len(missing)} terms are not in the picture, since no font of this machine has"
            f" letters for them: {', '.join(missing[:5])}",
            GlyphWarning,
            stacklevel=4,
        )
    return chosen
