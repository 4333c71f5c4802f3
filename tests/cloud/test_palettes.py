"""Colours: all can be read, and the heavier a term the stronger its colour."""

from __future__ import annotations

import colorsys

import pytest

from tamis.cloud import palettes
from tamis.cloud.draw import Cloud, Style
from tamis.cloud.terms import Term


def luminance(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("name", palettes.NAMES)
def test_every_colour_can_be_read_on_its_background(name: str, dark: bool) -> None:
    chosen = palettes.choose_palette(name, dark=dark)
    for colour in chosen.colours:
        low, high = sorted((luminance(colour), luminance(chosen.background)))
        assert (high + 0.05) / (low + 0.05) >= 4.5, colour


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("name", palettes.NAMES)
def test_the_heavier_a_term_the_stronger_its_colour_of_one_hue(name: str, dark: bool) -> None:
    chosen = palettes.choose_palette(name, dark=dark)
    steps = [luminance(chosen.of_weight(weight)) for weight in (1.0, 0.5, 0.3, 0.1, 0.0)]
    assert steps == sorted(steps, reverse=dark)
    assert len(set(steps)) > 3
    hues = [
        colorsys.rgb_to_hsv(*(int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)))[0]
        for colour in chosen.colours
    ]
    assert max(hues) - min(hues) < 0.06
    picture = Cloud((Term("ferry", 1.0, 7),)).svg(Style(palette=name, dark=dark))
    assert chosen.colours[0] in picture
