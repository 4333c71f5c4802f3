"""A cloud as PNG, by the `wordcloud` library, with a font that has the letters."""

from __future__ import annotations

import io
import math
import warnings
from collections.abc import Sequence
from random import Random
from typing import Any

from tamis.cloud import fonts, palettes
from tamis.cloud.draw import Cloud, Style
from tamis.cloud.layout import MOST, shown
from tamis.errors import OutputError
from tamis.extras import library

_WIDTH, _HEIGHT = 1200, 700


class GlyphWarning(UserWarning):
    """Terms were left out of a picture, since its font cannot draw them."""


def png(clouds: Sequence[Cloud], style: Style | None = None, font: str | None = None) -> bytes:
    """One picture of the clouds, side by side, with `font` or the one that has most letters."""
    word_cloud, images, features = (
        library(module, "a PNG", "cloud") for module in ("wordcloud", "PIL.Image", "PIL.features")
    )
    if not features.check("raqm"):
        raise OutputError(
            "this Pillow cannot join letters or place marks, since it was built without raqm;"
            " install the wheel of Pillow and the Debian package libraqm0, or make an SVG"
        )
    style = style or Style()
    background = palettes.palette(style.palette, dark=style.dark).background
    whole = images.new("RGB", (_WIDTH * max(len(clouds), 1), _HEIGHT), background)
    for number, cloud in enumerate(clouds):
        heaviest = [term for term in cloud.terms if 0 < term.weight < math.inf][:MOST]
        weights = {shown(term.term): term.weight for term in heaviest}
        weights.pop("", None)
        if weights:
            whole.paste(
                _drawn(word_cloud.WordCloud, cloud, weights, style, font), (_WIDTH * number, 0)
            )
    data = io.BytesIO()
    # Shades of a few colours: a third of the bytes, and nothing to see of it.
    whole.quantize(128).save(data, "PNG", optimize=True)
    return data.getvalue()


def _drawn(
    draw: Any, cloud: Cloud, weights: dict[str, float], style: Style, path: str | None
) -> Any:
    font = fonts.from_file(path) if path else fonts.covering(weights, cloud.language)
    drawable = {text: weight for text, weight in weights.items() if font.covers(text)}
    if not drawable:
        raise OutputError(f"{path}: the font has the letters of no term; choose another")
    if len(drawable) < len(weights):
        missing = [text for text in weights if text not in drawable]
        warnings.warn(
            f"{len(missing)} terms are not in the picture, since its font {font.path} has no"
            f" letters for them: {', '.join(missing[:5])}",
            GlyphWarning,
            stacklevel=4,
        )
    colours = palettes.palette(style.palette, dark=style.dark)
    random = Random(style.seed)
    with fonts.file_of(font) as file:
        picture = draw(
            font_path=file,
            width=_WIDTH,
            height=_HEIGHT,
            margin=10,
            prefer_horizontal=1.0,
            relative_scaling=0.5,
            max_font_size=150,
            min_font_size=14,
            max_words=len(drawable),
            background_color=colours.background,
            color_func=lambda *_, **__: random.choice(colours.colours),
            random_state=style.seed,
        )
        return picture.generate_from_frequencies(drawable).to_image()
