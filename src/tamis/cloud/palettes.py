"""Colours for clouds: readable ones, each at least 4.5 to 1 against its background."""

from __future__ import annotations

from typing import Final, NamedTuple

from tamis.errors import InputError


class Palette(NamedTuple):
    """A background and the colours of terms on it, as #rrggbb."""

    background: str
    colours: tuple[str, ...]


_WHITE, _NIGHT = "#ffffff", "#14171c"

# The light one and the dark one of each name.
_PALETTES: Final = {
    "sea": (
        Palette(_WHITE, ("#0b3c5d", "#14638a", "#1d6f6d", "#2f5d8c", "#3a6b52")),
        Palette(_NIGHT, ("#9ad1f5", "#5fb3e0", "#6fd0c4", "#a8c5f0", "#8fd6a8")),
    ),
    "clay": (
        Palette(_WHITE, ("#7a2e1d", "#a3431f", "#8a5a00", "#6b4a3a", "#9c2f4a")),
        Palette(_NIGHT, ("#f2a488", "#ffb86b", "#e8c46a", "#d9b8a6", "#f59ab0")),
    ),
    "garden": (
        Palette(_WHITE, ("#234f1e", "#3f6b1f", "#6a3d7c", "#0f6b5c", "#8c3a6b")),
        Palette(_NIGHT, ("#9edb8a", "#c3d96a", "#d3a6ea", "#7adcc4", "#f0a0cc")),
    ),
    "ink": (
        Palette(_WHITE, ("#111111", "#333a44", "#4d5560", "#b3261e")),
        Palette(_NIGHT, ("#f5f5f5", "#cfd6df", "#a9b2bd", "#ff8a80")),
    ),
}

NAMES: Final = tuple(_PALETTES)
"""The palettes there are; the first is the default."""


def palette(name: str, *, dark: bool = False) -> Palette:
    """The colours of that name on a light or a dark background."""
    try:
        return _PALETTES[name][dark]
    except KeyError:
        raise InputError(f"no palette {name!r}; there are: {', '.join(NAMES)}") from None
