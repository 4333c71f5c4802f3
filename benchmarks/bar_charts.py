"""Bar charts of the figures in docs, as SVG files of their own."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape

from tamis.bench.charts import choose_colour, write_picture, write_text

MARGIN = 48

_BAR, _PLOT = 26, 180  # width of a bar, height of the tallest


def draw_bars(groups: Mapping[str, Mapping[str, Mapping[str, float]]]) -> str:
    """A panel per group, in it for each measure one bar per contestant, from 0 to 1.

    `groups` has group to contestant to measure to value. A picture of its own.
    """
    parts: list[str] = []
    left = MARGIN
    base = _PLOT + 40
    for group, values in groups.items():
        names = list(dict.fromkeys(name for own in values.values() for name in own))
        wide = (len(values) + 1) * _BAR
        for tick in range(0, 11, 2):
            y = base - tick / 10 * _PLOT
            end = left + wide * len(names)
            parts.append(
                f'<line x1="{left}" x2="{end}" y1="{y:.1f}" y2="{y:.1f}" stroke="#ddd"/>'
                + write_text(left - 6, y + 4, f"{tick / 10:.1f}", "end")
            )
        for place, name in enumerate(names):
            first = left + place * wide + _BAR / 2
            for number, own in enumerate(values.values()):
                if name not in own:
                    continue
                x, height = first + number * _BAR, own[name] * _PLOT
                parts.append(
                    f'<rect x="{x:.1f}" y="{base - height:.1f}" width="{_BAR - 2}"'
                    f' height="{height:.1f}" fill="{choose_colour(number)}"/>'
                    + write_text(
                        x + _BAR / 2 - 1, base - height - 4, _format_figure(own[name]), "middle"
                    )
                )
            parts.append(write_text(first + len(values) * _BAR / 2, base + 16, name, "middle"))
        parts.append(write_text(left + wide * len(names) / 2, 20, group, "middle"))
        left += wide * len(names) + MARGIN
    contestants = list(dict.fromkeys(name for values in groups.values() for name in values))
    for number, name in enumerate(contestants):
        y = base + 40 + number * 18
        parts.append(f'<rect x="{MARGIN}" y="{y - 10}" width="12" height="12"')
        parts.append(
            f' fill="{choose_colour(number)}"/>' + write_text(MARGIN + 18, y, name, "start")
        )
    return write_picture(max(left, 240), base + 40 + len(contestants) * 18, parts)


_THIN, _PANEL, _NAMES, _LABEL = 11, 190, 130, 44  # a bar, a panel, the names, room for a figure


def draw_bar_rows(
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
        write_text(_NAMES - 8, top + (place + 0.5) * row, name, "end")
        for place, name in enumerate(names)
    ]
    for number, (measure, values) in enumerate(panels.items()):
        left = _NAMES + number * _PANEL
        most = max(1.0, *(value for own in values.values() for value in own.values()))
        shown = "{:.1f}" if most > 1 else "{:.2f}"
        parts.append(write_text(left, top - 16, measure, "start"))
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
                    f' fill="{choose_colour(kind)}" stroke="#444" stroke-width="0.5">'
                    f"<title>{escape(name)}, {escape(contestant)}:"
                    f" {shown.format(value)}</title></rect>"
                    f'<text x="{left + width + 4:.1f}" y="{y + 9}" font-size="10">'
                    f"{shown.format(value)}</text>"
                )
    y, x = top + row * len(names) + 22, float(_NAMES)
    for kind, contestant in enumerate(contestants):
        parts.append(
            f'<rect x="{x}" y="{y - 10}" width="12" height="12" fill="{choose_colour(kind)}"/>'
        )
        parts.append(write_text(x + 18, y, contestant, "start"))
        x += _PANEL
    return write_picture(_NAMES + _PANEL * len(panels), y + 12, parts, title, about)


def _format_figure(value: float) -> str:
    return f"{value:.3f}".removeprefix("0")
