"""A cloud as PNG: the places of the SVG, drawn with fonts that have the letters."""

from __future__ import annotations

import io
import warnings
from collections.abc import Mapping, Sequence
from typing import Any

from tamis._runtime.libraries import import_library
from tamis.cloud import fonts, palettes
from tamis.cloud.draw import HEADING, STRIP, Cloud, Style, heading_of, panel_width
from tamis.cloud.layout import GAP, Layout, arrange_terms
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
    background = palettes.choose_palette(style.palette, dark=style.dark).background
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
    colours = palettes.choose_palette(style.palette, dark=style.dark)
    weights = {place.text: place.size**2 for place in arranged.places}
    chosen = _choose_fonts(weights | ({heading: 0.0} if heading else {}), cloud.language, path)
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
    face = _load_face(font, size * _SCALE)
    if (wide := face.getlength(text) / _SCALE) > room:
        face = _load_face(font, size * _SCALE * room / wide)
    at = middle[0] * _SCALE, middle[1] * _SCALE
    canvas.text(at, text, font=face, fill=ink, anchor="ms")


def _load_face(font: fonts.Font, size: float) -> Any:
    faces = import_library("PIL.ImageFont", "a PNG", "cloud")
    if not font.path:
        return faces.load_default(size)
    return faces.truetype(font.path, size, index=font.index)


def _choose_fonts(
    weights: Mapping[str, float], language: str, path: str | None
) -> dict[str, fonts.Font]:
    """The font of each text; a warning names those that cannot be drawn."""
    shaping = import_library("PIL.features", "a PNG", "cloud").check("raqm")
    chosen: dict[str, fonts.Font] = {}
    if path:
        given = fonts.from_file(path)
        if weights and not any(given.covers(text) for text in weights):
            raise OutputError(f"{path}: the font has the letters of no term; choose another")
        chosen = {text: given for text in weights if given.draws(text, shaping)}
    left = {text: weight for text, weight in weights.items() if text not in chosen}
    chosen |= fonts.find_covering(left, language, shaping=shaping, most=not chosen)
    missing = [text for text in weights if text not in chosen]
    if missing:
        warnings.warn(
            f"{len(missing)} terms are not in the picture, since this machine cannot draw them:"
            f" {', '.join(missing[:5])}; on Debian: {fonts.what_to_install(missing, shaping)}",
            GlyphWarning,
            stacklevel=4,
        )
    return chosen
