"""The templates of a site model as one HTML file that needs nothing else.

No script and no address that could be followed: what a hostile site says is text here.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from typing import Final

from tamis.render.explanation import write_figure, write_filters, write_head
from tamis.site.counts import TEMPLATE_SHARE
from tamis.site.model import Site
from tamis.site.stored import TemplateBlock

MOST_LETTERS: Final = 2_000
"""Letters of a text that are shown."""

_STYLE = "\n.score{width:3rem;text-align:end}\n"

# How often a block is there, by the least share of the pages; rounding hides one page in 200.
_BANDS = {"every": 0.995, "most": 0.5, "some": 0.0}
_BAND_NAMES = {"every": "on every page", "most": "on at least half", "some": "on fewer"}


def group_by_template(site: Site) -> list[tuple[int, list[TemplateBlock]]]:
    """The pages and the blocks of each template that repeats something, the largest first."""
    groups: dict[int, list[TemplateBlock]] = {}
    for block in site.template_blocks:
        groups.setdefault(block.template, []).append(block)
    templates = [(round(group[0].pages / group[0].share), group) for group in groups.values()]
    return sorted(templates, key=lambda template: -template[0])


def render_templates(site: Site, name: str) -> str:
    """The templates of a site as lists of their blocks, the most frequent first."""
    templates = group_by_template(site)
    blocks = [block for _, group in templates for block in group]
    used = [band for band in _BANDS if any(_find_band(block) == band for block in blocks)]
    numbers = [f"t{number}" for number in range(len(templates))] if len(templates) > 1 else []
    title = f"Template of {name[:MOST_LETTERS]}"
    return "".join(
        (
            write_head(title, [*numbers, *used], _STYLE),
            *_write_header(site, title, len(blocks)),
            *write_filters(_list_boxes(templates, numbers, used)),
            "<main>",
            *(_write_section(number, *template, site) for number, template in enumerate(templates)),
            "</main></body></html>\n",
        )
    )


def _write_header(site: Site, title: str, blocks: int) -> Iterator[str]:
    yield f'<header><h1 dir="auto">{escape(title)}</h1>'
    yield '<p class="about">what its pages have in common, by a site model of tamis</p><dl>'
    yield write_figure(f"{site.pages:,}", "pages learned")
    if site.skipped:
        yield write_figure(f"{site.skipped:,}", "pages skipped")
    yield write_figure(f"{site.template_count:,}", "templates")
    yield write_figure(f"{blocks:,}", "blocks that repeat")
    yield write_figure(f"{site.confidence:.2f}", "confidence")
    scale = "".join(f'<i class="p{step}"></i>' for step in range(5, -1, -1))
    yield (
        '<div class="scale"><dt>share of the pages</dt>'
        f"<dd>{TEMPLATE_SHARE:.0%} <span>{scale}</span> 100%</dd></div></dl>"
    )
    if site.page_names:
        yield (
            f"<p>A block is shown if more than one page has it, with its {site.method.measure}."
            f" Open one to see on which pages; {len(site.page_names):,} are known by name.</p>"
        )
    else:
        yield (
            f"<p>A block is shown if at least {TEMPLATE_SHARE:.0%} of the pages of its template"
            " have it, digits aside. Open one to see on which page.</p>"
        )
    if not blocks:
        yield "<p><strong>No block repeats: there are too few pages, or no two are alike.</strong>"
    yield "</header>"


def _list_boxes(
    templates: Sequence[tuple[int, list[TemplateBlock]]], numbers: list[str], used: list[str]
) -> list[tuple[str, str, int]]:
    boxes = [
        (f"k-{name}", f"template {number + 1}", len(templates[number][1]))
        for number, name in enumerate(numbers)
    ]
    bands = [_find_band(block) for _, group in templates for block in group]
    return boxes + [(f"k-{band}", _BAND_NAMES[band], bands.count(band)) for band in used]


def _write_section(number: int, pages: int, blocks: list[TemplateBlock], site: Site) -> str:
    rows = "".join(_write_block(block, pages, site) for block in blocks)
    head = f"Template {number + 1} · {pages:,} pages"
    return f'<section class="k-t{number}"><h2>{head}</h2>{rows}</section>'


def _write_block(block: TemplateBlock, pages: int, site: Site) -> str:
    step = round(5 * (1 - block.share) / (1 - TEMPLATE_SHARE))
    example = escape((block.example or "")[:MOST_LETTERS])
    return (
        f'<details class="k-{_find_band(block)} p{min(max(step, 0), 5)}"><summary>'
        f'<span class="score">{block.share:.0%}</span>'
        f'<span class="text" dir="auto">{escape(block.text[:MOST_LETTERS]) or "&nbsp;"}</span>'
        f'</summary><div class="why"><p>On {block.pages:,} of {pages:,} pages.</p>'
        + (f"<p>{site.method.measure} {block.value:.3f}</p>" if block.value is not None else "")
        + "".join(
            f'<p><bdi class="code">{escape(site.page_names[page][:MOST_LETTERS])}</bdi></p>'
            for page in block.on
        )
        + (f'<p>One of them: <bdi class="code">{example}</bdi></p>' if example else "")
        + "</div></details>"
    )


def _find_band(block: TemplateBlock) -> str:
    return next(band for band, least in _BANDS.items() if block.share >= least)
