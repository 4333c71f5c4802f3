"""Colours for clouds: readable ones, each at least 4.5 to 1 against its background."""

from __future__ import annotations

from typing import Final, NamedTuple

from tamis.cloud.tables import rows
from tamis.errors import InputError


class Palette(NamedTuple):
    """A background and the colours of terms on it, as #rrggbb."""

    background: str
    colours: tuple[str, ...]


# The light palette and the dark palette of each name.
_PALETTES: Final = {
    name: (Palette("#ffffff", tuple(light.split())), Palette("#14171c", tuple(dark.split())))
    for name, light, dark in rows("palettes")
}

NAMES: Final = tuple(_PALETTES)
"""The palettes there are; the first is the default."""


def palette(name: str, *, dark: bool = False) -> Palette:
    """The colours of that name on a light or a dark background."""
    try:
        return _PALETTES[name][dark]
    except KeyError:
        raise InputError(f"no palette {name!r}; there are: {', '.join(NAMES)}") from None
