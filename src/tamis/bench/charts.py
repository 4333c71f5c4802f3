"""Small charts as SVG, written by hand so that a report needs no library and no network."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from html import escape

COLOURS = (
    "#0b6e4f #c8553d #3d5a80 #e09f3e #7b2d8b #4a7c59"
    " #9c6644 #2a9d8f #b5179e #6c757d #d62828 #003049"
).split()
_WIDTH, _HEIGHT, _MARGIN = 640, 380, 48
_LINE, _NEAR = 13, 120  # height of a name, and about its width: names must not cover each other


def choose_colour(index: int) -> str:
    """The colour of a contestant by its place in the tables."""
    return COLOURS[index % len(COLOURS)]


def draw_scatter(
    points: Mapping[str, tuple[float, float]],
    labels: tuple[str, str],
    *,
    logarithmic: bool = False,
) -> str:
    """One point per contestant, named beside it. `logarithmic` is about the horizontal axis."""
    if logarithmic:
        points = {name: (math.log10(max(x, 1e-3)), y) for name, (x, y) in points.items()}
    left, right = _widen_span([x for x, _ in points.values()])
    low, high = _widen_span([y for _, y in points.values()])

    def place(x: float, y: float) -> tuple[float, float]:
        return (
            _MARGIN + (x - left) / (right - left) * (_WIDTH - 2 * _MARGIN),
            _HEIGHT - _MARGIN - (y - low) / (high - low) * (_HEIGHT - 2 * _MARGIN),
        )

    parts = [_draw_frame(labels)]
    names: list[tuple[float, float]] = []
    for tick in _place_ticks(left, right):
        x, _ = place(tick, low)
        shown = f"{10**tick:.3g}" if logarithmic else f"{tick:.2f}"
        parts.append(write_text(x, _HEIGHT - _MARGIN + 16, shown, "middle"))
    for tick in _place_ticks(low, high):
        _, y = place(left, tick)
        parts.append(
            f'<line class="grid" x1="{_MARGIN}" x2="{_WIDTH - _MARGIN}" y1="{y:.1f}" y2="{y:.1f}"/>'
        )
        parts.append(write_text(_MARGIN - 6, y + 4, f"{tick:.2f}", "end"))
    for index, (name, point) in enumerate(points.items()):
        x, y = place(*point)
        parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="5" fill="{choose_colour(index)}"/>')
        beyond = x > _WIDTH * 0.75
        while any(abs(y - down) < _LINE and abs(x - across) < _NEAR for across, down in names):
            y += _LINE
        names.append((x, y))
        # In the colour of its point, from which a crowd may have pushed it away.
        side, anchor = (x - 8, "end") if beyond else (x + 8, "start")
        parts.append(write_text(side, y + 4, name, anchor, choose_colour(index)))
    return _write_svg(_WIDTH, _HEIGHT, parts)


def draw_histograms(values: Mapping[str, Sequence[float]], bins: int = 20) -> str:
    """One row of bars per contestant: how many pages have which F1."""
    row, left = 46, 190
    parts = []
    step = (_WIDTH - left - 16) / bins
    for index, (name, scores) in enumerate(values.items()):
        counts = [0] * bins
        for score in scores:
            counts[min(bins - 1, int(score * bins))] += 1
        most, base = max([*counts, 1]), (index + 1) * row
        parts.append(write_text(left - 8, base - 6, name, "end"))
        for place, count in enumerate(counts):
            height = (row - 10) * count / most
            title = (
                f"{count} of {len(scores)} pages, F1 {place / bins:.2f} to {(place + 1) / bins:.2f}"
            )
            parts.append(
                f'<rect x="{left + place * step:.1f}" y="{base - height:.1f}"'
                f' width="{step - 1:.1f}" height="{height:.1f}" fill="{choose_colour(index)}">'
                f"<title>{title}</title></rect>"
            )
    end = len(values) * row + 18
    for tick in (0.0, 0.25, 0.5, 0.75, 1.0):
        parts.append(write_text(left + tick * bins * step, end, f"{tick:.2f}", "middle"))
    return _write_svg(_WIDTH, end + 6, parts)


def _widen_span(values: Sequence[float]) -> tuple[float, float]:
    low, high = min(values), max(values)
    room = (high - low) * 0.1 or 0.05
    return low - room, high + room


def _place_ticks(low: float, high: float) -> list[float]:
    rough = (high - low) / 5
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(power * times for times in (1, 2, 5, 10) if power * times >= rough)
    first = math.ceil(low / step)
    return [tick * step for tick in range(first, math.floor(high / step) + 1)]


def _draw_frame(labels: tuple[str, str]) -> str:
    across, up = labels
    return (
        write_text(_WIDTH / 2, _HEIGHT - 8, across, "middle")
        + f'<text x="14" y="{_HEIGHT / 2}" text-anchor="middle"'
        f' transform="rotate(-90 14 {_HEIGHT / 2})">{escape(up)}</text>'
        f'<rect class="frame" x="{_MARGIN}" y="{_MARGIN}" width="{_WIDTH - 2 * _MARGIN}"'
        f' height="{_HEIGHT - 2 * _MARGIN}"/>'
    )


def write_text(x: float, y: float, text: str, anchor: str, colour: str = "") -> str:
    fill = f' fill="{colour}"' if colour else ""
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"{fill}>{escape(text)}</text>'


def write_picture(
    width: float, height: float, parts: Sequence[str], title: str = "", about: str = ""
) -> str:
    """A file of its own: on white, which dark pages leave white, with its own font."""
    ground = f'<rect width="{width:.0f}" height="{height:.0f}" fill="white"/>'
    text = '<g font-family="sans-serif" font-size="12">'
    said = [f"<title>{escape(title)}</title>"] * bool(title)
    said += [f"<desc>{escape(about)}</desc>"] * bool(about)
    return _write_svg(width, height, [*said, ground, text, *parts, "</g>"]) + "\n"


def _write_svg(width: float, height: float, parts: Sequence[str]) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" viewBox="0 0 {width:.0f} {height:.0f}"'
        f' width="{width:.0f}" height="{height:.0f}">{"".join(parts)}</svg>'
    )
