"""Colours for clouds, each of one hue: the heavier a term, the further from the background.

All can be read: they have at least 4.5 to 1 against their background.
"""

from __future__ import annotations

import math
from typing import Final, NamedTuple

from tamis.cloud.tables import read_rows
from tamis.errors import InputError


class Palette(NamedTuple):
    """A background and the colours of terms on it, as #rrggbb."""

    background: str
    colours: tuple[str, ...]
    """That of the heaviest terms first."""

    def of_weight(self, weight: float) -> str:
        """The colour of a term, which like its size follows the root of the weight."""
        away = 1 - math.sqrt(min(max(weight, 0.0), 1.0)) if math.isfinite(weight) else 1.0
        return self.colours[min(int(away * len(self.colours)), len(self.colours) - 1)]


# The light palette and the dark palette of each name.
_PALETTES: Final = {
    name: (Palette("#ffffff", tuple(light.split())), Palette("#14171c", tuple(dark.split())))
    for name, light, dark in read_rows("palettes")
}

NAMES: Final = tuple(_PALETTES)
"""The palettes there are; the first is the default."""


def choose_palette(name: str, *, dark: bool = False) -> Palette:
    try:
        return _PALETTES[name][dark]
    except KeyError:
        raise InputError(f"no palette {name!r}; there are: {', '.join(NAMES)}") from None
