"""A cloud and its forms: SVG, HTML, PNG, a list and CSV.

The text in an SVG stays text, so that it can be searched, selected and read aloud; the fonts are
those of the reader's machine. An HTML page needs no script, loads nothing, and its policy forbids
both.
"""

from __future__ import annotations

import csv
import io
import math
import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from html import escape
from itertools import takewhile
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple
from urllib.parse import quote, urldefrag, urlsplit

from tamis.cloud import read_rows
from tamis.cloud.layout import Layout, arrange_terms, clean_text, list_families, measure_text
from tamis.errors import InputError

if TYPE_CHECKING:
    from tamis.cloud.terms import Term, Text


# --- colours, each palette of one hue: the heavier a term, the further from the background ------

# All can be read: they have at least 4.5 to 1 against their background.


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

PALETTES: Final = tuple(_PALETTES)
"""The palettes there are; the first is the default."""


def choose_palette(name: str, *, dark: bool = False) -> Palette:
    try:
        return _PALETTES[name][dark]
    except KeyError:
        raise InputError(f"no palette {name!r}; there are: {', '.join(PALETTES)}") from None


# --- clouds -------------------------------------------------------------------------------------

# Letters of a title that stands before each term of a table.
_LONGEST_NAME = 1_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Style:
    """How a cloud looks."""

    palette: str = PALETTES[0]
    """One of `PALETTES`."""
    dark: bool = False
    """Light letters on a dark background."""
    seed: int = 0
    """Another seed gives another arrangement, the same seed the same arrangement."""


@dataclass(frozen=True)
class Cloud:
    """Terms with their weights, ready to be drawn."""

    terms: tuple[Term, ...]
    """The heaviest first."""
    title: str = ""
    """The title of the page or of whatever else was drawn."""
    links: Mapping[str, str] = field(default_factory=dict)
    """Where a term links to, by the term."""
    language: str = ""
    """Of the terms, `th` or `zh-TW`: it decides between fonts."""

    def svg(self, style: Style | None = None) -> str:
        """A picture with text in it."""
        return draw_svg([self], style)

    def _repr_svg_(self) -> str:
        """What a notebook shows."""
        return self.svg()

    def html(self, style: Style | None = None) -> str:
        """A page of its own that shows for each term how often it occurs."""
        return draw_html([self], style)

    def png(self, style: Style | None = None, font: str | None = None) -> bytes:
        """A picture like the SVG, with `font` or the fonts that fontconfig finds."""
        from tamis.cloud.png import draw_png

        return draw_png([self], style, font)

    def to_list(self) -> list[dict[str, Any]]:
        """The terms as plain dictionaries, ready for JSON."""
        return [{**asdict(term), "weight": round(term.weight, 6)} for term in self.terms]

    def csv(self) -> str:
        """The terms as a table with a header."""
        return write_csv([self])


def write_csv(clouds: Sequence[Cloud]) -> str:
    """The terms of clouds as CSV, of several with the title of the cloud before each."""
    several = len(clouds) > 1
    output = io.StringIO()
    rows = csv.writer(output, lineterminator="\n")
    rows.writerow(("cloud",) * several + ("term", "weight", "count"))
    rows.writerows(
        (cloud.title[:_LONGEST_NAME],) * several + (term.term, round(term.weight, 6), term.count)
        for cloud in clouds
        for term in cloud.terms
    )
    return output.getvalue()


def cloud_of(
    texts: Sequence[Text],
    *,
    title: str = "",
    url: str | None = None,
    most: int = 80,
    against: Sequence[Text] = (),
) -> Cloud:
    """The cloud of texts; with the address of a single text, its terms link into that page."""
    from tamis.cloud.terms import weigh_terms

    heaviest = tuple(weigh_terms(texts, most=most, against=against))
    targets = (
        link_terms(heaviest, texts[0].plain, url) if url is not None and len(texts) == 1 else {}
    )
    return Cloud(heaviest, title, targets, _common_language([text.language for text in texts]))


def _common_language(tags: Sequence[str]) -> str:
    """The tag of all texts, or as much of it as they share."""
    parts = zip(*(tag.split("-") for tag in tags), strict=False)
    return "-".join(part[0] for part in takewhile(lambda part: len({*part}) == 1, parts))


# --- links into the page ------------------------------------------------------------------------

# Words beside a term that distinguish its first occurrence from the same word in a menu, and how
# long they may be together: a phrase of a script without spaces would make a long address.
_BESIDE = 3
_CONTEXT = 40
# Occurrences that are tried: in a script without spaces nearly none stands alone.
_TRIED = 50


def link_terms(terms: Sequence[Term], text: str, url: str) -> dict[str, str]:
    """For each term the address of its first occurrence in a text, as a text fragment."""
    lowered = text.lower()
    if len(lowered) != len(text):  # a letter or two of Turkish become longer
        lowered = text
    page = urldefrag(url).url
    targets = {}
    for term in terms:
        start = _find_word(lowered, term.term.lower())
        if start >= 0:
            targets[term.term] = page + _write_fragment(text, start, start + len(term.term))
    return targets


def _find_word(text: str, word: str) -> int:
    """Where a word occurs first as a whole; if it seems never to, where it occurs at all."""
    first = start = text.find(word) if word else -1
    for _ in range(_TRIED):
        before, after = text[start - 1 : start], text[start + len(word) : start + len(word) + 1]
        if start < 0 or not (before.isalnum() or after.isalnum()):
            break
        start = text.find(word, start + len(word))
    else:
        start = -1
    return start if start >= 0 else first


def _write_fragment(text: str, start: int, end: int) -> str:
    before = text[max(start - 200, 0) : start].rpartition("\n")[2].split()[-_BESIDE:]
    after = text[end : end + 200].partition("\n")[0].split()[:_BESIDE]
    prefix, suffix = " ".join(before), " ".join(after)
    word = _encode(text[start:end])
    if 0 < len(prefix) <= _CONTEXT:
        return f"#:~:text={_encode(prefix)}-,{word}"
    if 0 < len(suffix) <= _CONTEXT:
        return f"#:~:text={word},-{_encode(suffix)}"
    return f"#:~:text={word}"


def _encode(text: str) -> str:
    return quote(text, safe="").replace("-", "%2D")


# --- SVG ----------------------------------------------------------------------------------------

HEADING = 22
STRIP = 44  # room for a heading or a caption
_LONGEST_TITLE = 80


def draw_svg(clouds: Sequence[Cloud], style: Style | None = None) -> str:
    """One picture of the clouds, side by side and each with its title if there are several."""
    style = style or Style()
    panels = list(_draw_panels(clouds, style, captions=False))
    width = sum(panel.width for panel in panels)
    height = max((panel.height for panel in panels), default=0)
    name = escape(_name(clouds))
    background = choose_palette(style.palette, dark=style.dark).background
    drawn = "".join(_shift_panels(panels))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}"'
        f' viewBox="0 0 {width} {height}" style="max-width:100%;height:auto" role="group"'
        f' aria-label="{name}"><title>{name}</title>'
        "<style>a:hover,a:focus{text-decoration:underline}</style>"
        f'<rect width="100%" height="100%" fill="{background}"/>{drawn}</svg>\n'
    )


def heading_of(cloud: Cloud, clouds: int) -> str:
    """The title above a cloud that is one of several."""
    return clean_text(cloud.title, _LONGEST_TITLE) if clouds > 1 else ""


def panel_width(arranged: Layout, heading: str) -> int:
    """The room of a cloud and its heading."""
    if not heading:
        return arranged.width
    return max(arranged.width, math.ceil(HEADING * measure_text(heading).width) + 2 * HEADING)


class _Panel(NamedTuple):
    body: str
    width: int
    height: int


def _draw_panels(clouds: Sequence[Cloud], style: Style, *, captions: bool) -> Iterator[_Panel]:
    """Each cloud as SVG elements; `captions` puts the count of a term into a strip below."""
    for cloud in clouds:
        arranged = arrange_terms(cloud.terms, seed=style.seed)
        colours = choose_palette(style.palette, dark=style.dark)
        heading = "" if captions else heading_of(cloud, len(clouds))
        above = STRIP if heading else 0
        width = panel_width(arranged, heading)
        names = list_families((heading, *(term.term for term in cloud.terms)), cloud.language)
        lines = [
            f'<g font-family="{escape(names)}"'
            f' text-anchor="middle"{_lang_attribute(cloud)} transform="translate(0 {above})">'
        ]
        if heading:
            lines.append(
                f'<text x="{width / 2:g}" y="-14" font-size="{HEADING}" fill="{colours.colours[0]}"'
                f"{_direction_attribute(heading)}>{escape(heading)}</text>"
            )
        lines += _draw_words(cloud, arranged, colours, captions)
        yield _Panel("".join((*lines, "</g>")), width, arranged.height + above + STRIP * captions)


def _draw_words(cloud: Cloud, arranged: Layout, colours: Palette, captions: bool) -> Iterator[str]:
    total = sum(term.count for term in cloud.terms)
    for place in arranged.places:
        direction = _direction_attribute(place.text)
        # Isolated, or the count after an Arabic word would go to its other side.
        name = f"\u2068{place.text}\u2069" if direction else place.text
        about = escape(f"{name}: {_describe_frequency(place.term, total)}")
        text = (
            f'<text x="{place.x:g}" y="{place.y:g}" font-size="{place.size:g}"'
            f' fill="{colours.of_weight(place.term.weight)}"{direction}>'
            + ("" if captions else f"<title>{about}</title>")
            + f"{escape(place.text)}</text>"
        )
        if captions:
            text += (
                f'<text class="caption" x="{arranged.width / 2:g}" y="{arranged.height + 22}"'
                f' font-size="18" fill="{colours.colours[0]}" aria-hidden="true">{about}</text>'
            )
        link = cloud.links.get(place.term.term, "")
        if _is_safe(link):
            yield f'<a href="{escape(link)}" aria-label="{about}">{text}</a>'
        elif captions:
            yield f'<g tabindex="0" role="img" aria-label="{about}">{text}</g>'
        else:
            yield text


def _shift_panels(panels: Sequence[_Panel]) -> Iterator[str]:
    left = 0
    for panel in panels:
        yield f'<g transform="translate({left} 0)">{panel.body}</g>' if left else panel.body
        left += panel.width


def _name(clouds: Sequence[Cloud]) -> str:
    titles = " and ".join(
        filter(None, (clean_text(cloud.title, _LONGEST_TITLE) for cloud in clouds))
    )
    return f"Tag cloud: {titles}" if titles else "Tag cloud"


def _describe_frequency(term: Term, total: int) -> str:
    times = "once" if term.count == 1 else f"{term.count:,} times"
    return f"{times}, {term.count / total:.1%} of what is shown" if total > 0 else times


def _lang_attribute(cloud: Cloud) -> str:
    return f' lang="{cloud.language}"' if re.fullmatch(r"[A-Za-z0-9-]+", cloud.language) else ""


def _direction_attribute(text: str) -> str:
    """Right to left if the first letter says so."""
    sides = (unicodedata.bidirectional(char) for char in text)
    first = next((side for side in sides if side in ("L", "R", "AL")), "L")
    return "" if first == "L" else ' direction="rtl"'


def _is_safe(link: str) -> bool:
    try:
        return bool(link) and urlsplit(link).scheme in ("", "http", "https", "file")
    except ValueError:
        return False


# --- HTML ---------------------------------------------------------------------------------------


def draw_html(clouds: Sequence[Cloud], style: Style | None = None) -> str:
    """One page of the clouds, each with its title and a table of its terms."""
    style = style or Style()
    colours = choose_palette(style.palette, dark=style.dark)
    template = Path(__file__).with_name("head.html").read_text("utf-8")
    head = template.format(
        name=escape(_name(clouds)),
        background=colours.background,
        ink=colours.colours[0],
        scheme="dark" if style.dark else "light",
    )
    panels = _draw_panels(clouds, style, captions=True)
    sections = (_draw_section(cloud, panel) for cloud, panel in zip(clouds, panels, strict=True))
    return "".join((head, *sections, "</body></html>\n"))


def _draw_section(cloud: Cloud, panel: _Panel) -> str:
    total = sum(term.count for term in cloud.terms)
    rows = "".join(
        f'<tr><td dir="auto"{_lang_attribute(cloud)}>{escape(clean_text(term.term))}</td>'
        f"<td>{term.count:,}</td><td>{term.count / total if total else 0:.1%}</td>"
        f"<td>{term.weight:.4g}</td></tr>"
        for term in cloud.terms
    )
    title = escape(clean_text(cloud.title, _LONGEST_TITLE) or "Tag cloud")
    return (
        f'<section><h1 dir="auto"{_lang_attribute(cloud)}>{title}</h1>'
        "<p>Point at a term, or go there with the Tab key, to see how often it occurs.</p>"
        f'<svg viewBox="0 0 {panel.width} {panel.height}" style="max-width:{panel.width}px"'
        f' role="group" aria-label="{title}">{panel.body}</svg>'
        "<details><summary>All terms</summary><table><thead><tr><th>term<th>count"
        f"<th>share of what is shown<th>weight</thead><tbody>{rows}</tbody></table></details>"
        "</section>"
    )
