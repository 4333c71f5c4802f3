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


def colour(index: int) -> str:
    """The colour of a contestant by its place in the tables."""
    return COLOURS[index % len(COLOURS)]


def scatter(
    points: Mapping[str, tuple[float, float]],
    labels: tuple[str, str],
    *,
    logarithmic: bool = False,
) -> str:
    """One point per contestant, named beside it. `logarithmic` is about the horizontal axis."""
    if logarithmic:
        points = {name: (math.log10(max(x, 1e-3)), y) for name, (x, y) in points.items()}
    left, right = _span([x for x, _ in points.values()])
    low, high = _span([y for _, y in points.values()])

    def place(x: float, y: float) -> tuple[float, float]:
        return (
            _MARGIN + (x - left) / (right - left) * (_WIDTH - 2 * _MARGIN),
            _HEIGHT - _MARGIN - (y - low) / (high - low) * (_HEIGHT - 2 * _MARGIN),
        )

    parts = [_frame(labels)]
    names: list[tuple[float, float]] = []
    for tick in _ticks(left, right):
        x, _ = place(tick, low)
        shown = f"{10**tick:.3g}" if logarithmic else f"{tick:.2f}"
        parts.append(_text(x, _HEIGHT - _MARGIN + 16, shown, "middle"))
    for tick in _ticks(low, high):
        _, y = place(left, tick)
        parts.append(
            f'<line class="grid" x1="{_MARGIN}" x2="{_WIDTH - _MARGIN}" y1="{y:.1f}" y2="{y:.1f}"/>'
        )
        parts.append(_text(_MARGIN - 6, y + 4, f"{tick:.2f}", "end"))
    for index, (name, point) in enumerate(points.items()):
        x, y = place(*point)
        parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="5" fill="{colour(index)}"/>')
        beyond = x > _WIDTH * 0.75
        while any(abs(y - down) < _LINE and abs(x - across) < _NEAR for across, down in names):
            y += _LINE
        names.append((x, y))
        # In the colour of its point, from which a crowd may have pushed it away.
        side, anchor = (x - 8, "end") if beyond else (x + 8, "start")
        parts.append(_text(side, y + 4, name, anchor, colour(index)))
    return _svg(_WIDTH, _HEIGHT, parts)


def histograms(values: Mapping[str, Sequence[float]], bins: int = 20) -> str:
    """One row of bars per contestant: how many pages have which F1."""
    row, left = 46, 190
    parts = []
    step = (_WIDTH - left - 16) / bins
    for index, (name, scores) in enumerate(values.items()):
        counts = [0] * bins
        for score in scores:
            counts[min(bins - 1, int(score * bins))] += 1
        most, base = max([*counts, 1]), (index + 1) * row
        parts.append(_text(left - 8, base - 6, name, "end"))
        for place, count in enumerate(counts):
            height = (row - 10) * count / most
            title = (
                f"{count} of {len(scores)} pages, F1 {place / bins:.2f} to {(place + 1) / bins:.2f}"
            )
            parts.append(
                f'<rect x="{left + place * step:.1f}" y="{base - height:.1f}"'
                f' width="{step - 1:.1f}" height="{height:.1f}" fill="{colour(index)}">'
                f"<title>{title}</title></rect>"
            )
    end = len(values) * row + 18
    for tick in (0.0, 0.25, 0.5, 0.75, 1.0):
        parts.append(_text(left + tick * bins * step, end, f"{tick:.2f}", "middle"))
    return _svg(_WIDTH, end + 6, parts)


_BAR, _PLOT = 26, 180  # width of a bar, height of the tallest


def bars(groups: Mapping[str, Mapping[str, Mapping[str, float]]]) -> str:
    """A panel per group, in it for each measure one bar per contestant, from 0 to 1.

    `groups` has group to contestant to measure to value. A picture of its own.
    """
    parts: list[str] = []
    left = _MARGIN
    base = _PLOT + 40
    for group, values in groups.items():
        names = list(dict.fromkeys(name for own in values.values() for name in own))
        wide = (len(values) + 1) * _BAR
        for tick in range(0, 11, 2):
            y = base - tick / 10 * _PLOT
            end = left + wide * len(names)
            parts.append(
                f'<line x1="{left}" x2="{end}" y1="{y:.1f}" y2="{y:.1f}" stroke="#ddd"/>'
                + _text(left - 6, y + 4, f"{tick / 10:.1f}", "end")
            )
        for place, name in enumerate(names):
            first = left + place * wide + _BAR / 2
            for number, own in enumerate(values.values()):
                if name not in own:
                    continue
                x, height = first + number * _BAR, own[name] * _PLOT
                parts.append(
                    f'<rect x="{x:.1f}" y="{base - height:.1f}" width="{_BAR - 2}"'
                    f' height="{height:.1f}" fill="{colour(number)}"/>'
                    + _text(x + _BAR / 2 - 1, base - height - 4, _figure(own[name]), "middle")
                )
            parts.append(_text(first + len(values) * _BAR / 2, base + 16, name, "middle"))
        parts.append(_text(left + wide * len(names) / 2, 20, group, "middle"))
        left += wide * len(names) + _MARGIN
    contestants = list(dict.fromkeys(name for values in groups.values() for name in values))
    for number, name in enumerate(contestants):
        y = base + 40 + number * 18
        parts.append(f'<rect x="{_MARGIN}" y="{y - 10}" width="12" height="12"')
        parts.append(f' fill="{colour(number)}"/>' + _text(_MARGIN + 18, y, name, "start"))
    return picture(max(left, 240), base + 40 + len(contestants) * 18, parts)


_THIN, _PANEL, _NAMES, _LABEL = 11, 190, 130, 44  # a bar, a panel, the names, room for a figure


def bar_rows(
    panels: Mapping[str, Mapping[str, Mapping[str, float]]], title: str, about: str
) -> str:
    """A row per name and a panel per measure, in it one bar per contestant, all from 0.

    `panels` has measure to contestant to name to value. Measures of shares end at 1, others at
    their largest value. A picture of its own; `title` and `about` are for those who hear it.
    """
    contestants = list(next(iter(panels.values())))
    names = list(next(iter(panels.values()))[contestants[0]])
    row, top = _THIN * len(contestants) + 10, 44
    parts = [
        _text(_NAMES - 8, top + (place + 0.5) * row, name, "end")
        for place, name in enumerate(names)
    ]
    for number, (measure, values) in enumerate(panels.items()):
        left = _NAMES + number * _PANEL
        most = max(1.0, *(value for own in values.values() for value in own.values()))
        shown = "{:.1f}" if most > 1 else "{:.2f}"
        parts.append(_text(left, top - 16, measure, "start"))
        parts.append(
            f'<line x1="{left}" x2="{left}" y1="{top - 8}" y2="{top + row * len(names)}"'
            ' stroke="#777"/>'
        )
        for kind, contestant in enumerate(contestants):
            for place, name in enumerate(names):
                value, y = values[contestant][name], top + place * row + kind * _THIN
                width = (_PANEL - _LABEL - 8) * value / most
                parts.append(
                    f'<rect x="{left}" y="{y}" width="{width:.1f}" height="{_THIN - 1}"'
                    f' fill="{colour(kind)}" stroke="#444" stroke-width="0.5">'
                    f"<title>{escape(name)}, {escape(contestant)}:"
                    f" {shown.format(value)}</title></rect>"
                    f'<text x="{left + width + 4:.1f}" y="{y + 9}" font-size="10">'
                    f"{shown.format(value)}</text>"
                )
    y, x = top + row * len(names) + 22, float(_NAMES)
    for kind, contestant in enumerate(contestants):
        parts.append(f'<rect x="{x}" y="{y - 10}" width="12" height="12" fill="{colour(kind)}"/>')
        parts.append(_text(x + 18, y, contestant, "start"))
        x += _PANEL
    return picture(_NAMES + _PANEL * len(panels), y + 12, parts, title, about)


def _figure(value: float) -> str:
    return f"{value:.3f}".removeprefix("0")


def dots(
    rows: Mapping[str, Sequence[tuple[float, int]]],
    bands: Sequence[tuple[float, float]],
    labels: Sequence[str],
    across: str,
) -> str:
    """A row of dots per name, each at its place from 0 to 1 in one of the colours of `labels`.

    `bands` are shaded, from place to place; `across` says what the places are. A picture of its
    own; dots that would cover each other are drawn once.
    """
    row, left, wide = 16, 110, 900
    height = len(rows) * row
    parts = [
        f'<rect x="{left + start * wide:.1f}" y="24" width="{max((end - start) * wide, 1):.1f}"'
        f' height="{height}" fill="#0b6e4f" opacity="0.12"/>'
        for start, end in bands
    ]
    for number, (name, points) in enumerate(rows.items()):
        y = 24 + number * row + row / 2
        parts.append(_text(left - 8, y + 4, name, "end"))
        parts += [
            f'<circle cx="{left + place}" cy="{y:.1f}" r="2" fill="{colour(kind)}"/>'
            for place, kind in sorted({(round(at * wide), kind) for at, kind in points})
        ]
    for kind, label in enumerate(labels):
        x = left + kind * wide / max(len(labels), 1)
        parts.append(
            f'<circle cx="{x:.1f}" cy="{height + 40}" r="4" fill="{colour(kind)}"/>'
            + _text(x + 10, height + 44, label, "start")
        )
    parts.append(_text(left, 16, across, "start"))
    return picture(left + wide + 20, height + 60, parts)


def _span(values: Sequence[float]) -> tuple[float, float]:
    low, high = min(values), max(values)
    room = (high - low) * 0.1 or 0.05
    return low - room, high + room


def _ticks(low: float, high: float) -> list[float]:
    rough = (high - low) / 5
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(power * times for times in (1, 2, 5, 10) if power * times >= rough)
    first = math.ceil(low / step)
    return [tick * step for tick in range(first, math.floor(high / step) + 1)]


def _frame(labels: tuple[str, str]) -> str:
    across, up = labels
    return (
        _text(_WIDTH / 2, _HEIGHT - 8, across, "middle")
        + f'<text x="14" y="{_HEIGHT / 2}" text-anchor="middle"'
        f' transform="rotate(-90 14 {_HEIGHT / 2})">{escape(up)}</text>'
        f'<rect class="frame" x="{_MARGIN}" y="{_MARGIN}" width="{_WIDTH - 2 * _MARGIN}"'
        f' height="{_HEIGHT - 2 * _MARGIN}"/>'
    )


def _text(x: float, y: float, text: str, anchor: str, colour: str = "") -> str:
    fill = f' fill="{colour}"' if colour else ""
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"{fill}>{escape(text)}</text>'


def picture(
    width: float, height: float, parts: Sequence[str], title: str = "", about: str = ""
) -> str:
    """A file of its own: on white, which dark pages leave white, with its own font."""
    ground = f'<rect width="{width:.0f}" height="{height:.0f}" fill="white"/>'
    text = '<g font-family="sans-serif" font-size="12">'
    said = [f"<title>{escape(title)}</title>"] * bool(title)
    said += [f"<desc>{escape(about)}</desc>"] * bool(about)
    return _svg(width, height, [*said, ground, text, *parts, "</g>"]) + "\n"


def _svg(width: float, height: float, parts: Sequence[str]) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" viewBox="0 0 {width:.0f} {height:.0f}"'
        f' width="{width:.0f}" height="{height:.0f}">{"".join(parts)}</svg>'
    )
