"""The vocabulary: kinds of token, what the HTML standard says about each element, flags.

A tag is a small integer: its place in `NAMES`. 0 stands for names past the limit of distinct
unknown names; names that are not listed here get the next free integers, page by page.
"""

from __future__ import annotations

import re
from typing import Final

# Kinds of token. NOTHING is markup that stands for nothing, such as "</>".
NOTHING: Final = 0
TEXT: Final = 1
START: Final = 2
END: Final = 3
COMMENT: Final = 4
DOCTYPE: Final = 5
CDATA: Final = 6

# What an element is (`TRAITS` has one number per tag).
BLOCK: Final = 1 << 0  # its start and its end separate text blocks
VOID: Final = 1 << 1  # has no content and no end tag
SPECIAL: Final = 1 << 2  # the standard's "special" category: stops the search of an end tag
SCOPE: Final = 1 << 3  # an end tag does not reach beyond it ("has an element in scope")
ITEM_STOP: Final = 1 << 4  # stops the search for an open li, dd, dt: special, no address, div, p
FORMATTING: Final = 1 << 5  # an end tag closes it even across blocks
CLOSES_P: Final = 1 << 6  # its start tag ends an open paragraph
RAW: Final = 1 << 7  # its content is text up to its end tag, "&" is nothing special in it
RCDATA: Final = 1 << 8  # its content is text up to its end tag, character references count
METADATA: Final = 1 << 9  # belongs to the head while there is no body
BREAKOUT: Final = 1 << 10  # its start tag ends svg and math
HEADING: Final = 1 << 11
TABLE_PART: Final = 1 << 12  # only inside a table
SKIPPED: Final = 1 << 13  # its content is not text of the page: no rows for it
INTEGRATION: Final = 1 << 14  # inside svg and math: its content is HTML again
UNMATCHED_END: Final = 1 << 15  # its end tag closes it whatever is open inside

# What holds for a node and all below it (`nodes.flags`, `texts.flags`, `blocks.flags`).
STYLE_HIDDEN: Final = 1 << 0  # style says display:none or visibility:hidden
ATTRIBUTE_HIDDEN: Final = 1 << 1  # attribute hidden, or a dialog that is not open
ARIA_HIDDEN: Final = 1 << 2  # aria-hidden=true: seen on the screen all the same
IN_TEMPLATE: Final = 1 << 3
IN_NOSCRIPT: Final = 1 << 4
UNRENDERED: Final = 1 << 5  # fallback of video, canvas, object...; svg title; datalist
HIDDEN: Final = STYLE_HIDDEN | ATTRIBUTE_HIDDEN | IN_TEMPLATE | IN_NOSCRIPT | UNRENDERED
"""Any of the reasons for which a browser shows nothing. `ARIA_HIDDEN` is not one of them."""
IN_LINK: Final = 1 << 6
IN_PRE: Final = 1 << 7  # white space counts
IN_MAIN: Final = 1 << 8
IN_ARTICLE: Final = 1 << 9
IN_NAVIGATION: Final = 1 << 10
IN_HEADER: Final = 1 << 11
IN_FOOTER: Final = 1 << 12
IN_ASIDE: Final = 1 << 13
IN_SEARCH: Final = 1 << 14
IN_FORM: Final = 1 << 15
IN_DIALOG: Final = 1 << 16
IN_HEADING: Final = 1 << 17
IN_LIST: Final = 1 << 18
IN_TABLE: Final = 1 << 19
IN_FIGURE: Final = 1 << 20
IN_QUOTE: Final = 1 << 21
IN_CONTROL: Final = 1 << 22  # button, select, textarea
FOREIGN: Final = 1 << 23  # svg and math
# Of one row only.
SPACE_BEFORE: Final = 1 << 24  # texts: white space between this run and the run before
BREAK_BEFORE: Final = 1 << 25  # texts: a <br> between this run and the run before
VERBATIM: Final = 1 << 29  # texts: "&" is nothing special in it
IMPLIED: Final = 1 << 26  # nodes: the element has no start tag in the source
CLOSED_EARLY: Final = 1 << 27  # nodes: its end tag came while blocks inside were open
IS_LINK: Final = 1 << 28  # nodes: the element itself is a link

LANDMARKS: Final = {
    "main": IN_MAIN,
    "article": IN_ARTICLE,
    "navigation": IN_NAVIGATION,
    "menu": IN_NAVIGATION,
    "menubar": IN_NAVIGATION,
    "banner": IN_HEADER,
    "contentinfo": IN_FOOTER,
    "complementary": IN_ASIDE,
    "search": IN_SEARCH,
    "form": IN_FORM,
    "dialog": IN_DIALOG,
    "alertdialog": IN_DIALOG,
    "heading": IN_HEADING,
    "figure": IN_FIGURE,
}
"""Values of the role attribute that say where in a page we are."""


def _split(text: str) -> frozenset[str]:
    return frozenset(text.split())


_VOID = _split(
    "area base basefont bgsound br col embed frame hr img input keygen link meta param source"
    " track wbr"
)
_FORMATTING = _split("a b big code em font i nobr s small strike strong tt u")
_HEADING = _split("h1 h2 h3 h4 h5 h6")
_TABLE_PART = _split("caption col colgroup tbody td tfoot th thead tr")
_CLOSES_P = _HEADING | _split(
    "address article aside blockquote center dd details dialog dir div dl dt fieldset figcaption"
    " figure footer form header hgroup hr li listing main menu nav ol p plaintext pre search"
    " section summary table ul xmp"
)
_STRUCTURE = _CLOSES_P | _TABLE_PART
_SPECIAL = (_STRUCTURE - {"dialog"}) | _split(
    "applet area base basefont bgsound body br button embed frame frameset head html iframe"
    " img input keygen link marquee meta noembed noframes noscript object param script select"
    " source style template textarea title track wbr desc foreignobject mi mo mn ms mtext"
    " annotation-xml"
)
_INTEGRATION = _split("foreignobject desc title mi mo mn ms mtext annotation-xml")
_SCOPE = _split("applet caption html table td th marquee object template noscript")
_BLOCK = _STRUCTURE | _split(
    "body button frameset html iframe legend marquee noembed noframes noscript object optgroup"
    " option select template textarea audio video canvas applet"
)
_RAW = _split("iframe noembed noframes plaintext script style xmp")
_RCDATA = _split("textarea title")
_METADATA = _split("base basefont bgsound link meta noframes noscript script style template title")
_BREAKOUT = _HEADING | _split(
    "b big blockquote body br center code dd div dl dt em embed head hr i img li listing menu meta"
    " nobr ol p pre ruby s small span strong strike sub sup table tt u ul var"
)
_SKIPPED = _split("script style title iframe noembed noframes")

_KNOWN = _split(
    "abbr acronym bdi bdo cite data datalist del dfn image ins kbd label map mark math meter"
    " output path picture progress q rb rp rt rtc samp slot svg text time g use circle rect"
    " line polygon polyline ellipse defs symbol tspan"
).union(_SPECIAL, _BLOCK, _VOID, _FORMATTING, _BREAKOUT, _METADATA)

NAMES: Final = ("?", *sorted(_KNOWN))
"""Tag number to name."""

ID: Final = {name: number for number, name in enumerate(NAMES)}
"""Name to tag number."""

_TRAITS = (
    (BLOCK, _BLOCK),
    (VOID, _VOID),
    (SPECIAL, _SPECIAL),
    (SCOPE, _SCOPE),
    (ITEM_STOP, _SPECIAL - _split("address div p")),
    (FORMATTING, _FORMATTING),
    (CLOSES_P, _CLOSES_P),
    (RAW, _RAW),
    (RCDATA, _RCDATA),
    (METADATA, _METADATA),
    (BREAKOUT, _BREAKOUT),
    (HEADING, _HEADING),
    (TABLE_PART, _TABLE_PART),
    (SKIPPED, _SKIPPED),
    (INTEGRATION, _INTEGRATION),
    (UNMATCHED_END, _split("noscript template select")),
)
TRAITS: Final = tuple(sum(bit for bit, names in _TRAITS if name in names) for name in NAMES)
"""Tag number to what the element is."""

_CONTEXT = (
    (IN_TEMPLATE, "template"),
    (IN_NOSCRIPT, "noscript"),
    (UNRENDERED, "audio video canvas datalist desc rp script style title"),
    (IN_PRE, "pre listing plaintext xmp textarea"),
    (IN_MAIN, "main"),
    (IN_ARTICLE, "article"),
    (IN_NAVIGATION, "nav"),
    (IN_HEADER, "header"),
    (IN_FOOTER, "footer"),
    (IN_ASIDE, "aside"),
    (IN_SEARCH, "search"),
    (IN_FORM, "form"),
    (IN_DIALOG, "dialog"),
    (IN_HEADING, "h1 h2 h3 h4 h5 h6"),
    (IN_LIST, "ul ol dl menu dir"),
    (IN_TABLE, "table"),
    (IN_FIGURE, "figure"),
    (IN_QUOTE, "blockquote"),
    (IN_CONTROL, "button select textarea"),
    (FOREIGN, "svg math"),
)
CONTEXT: Final = tuple(
    sum(bit for bit, names in _CONTEXT if name in names.split()) for name in NAMES
)
"""Tag number to what holds inside the element."""

ATTRIBUTES: Final = (
    "",
    *(
        "alt aria-hidden aria-label charset class colspan content data-src datetime height hidden"
        " href http-equiv id itemprop itemscope itemtype lang name onclick open property rel role"
        " rowspan src srcset start style title type width"
    ).split(),
)
"""Attribute number to name: the attributes whose places are in the table. 0 is "any other"."""

ATTRIBUTE_ID: Final = {name: number for number, name in enumerate(ATTRIBUTES)}


def find_ids(names: str) -> tuple[int, ...]:
    return tuple(ID[name] for name in names.split())


def find_attribute_ids(names: str) -> tuple[int, ...]:
    return tuple(ATTRIBUTE_ID[name] for name in names.split())


BYTE_NAMES: Final = tuple(name.encode() for name in NAMES)
STRUCTURE: Final = re.compile(
    b"</?(?:%b)[\\s/>]"
    % b"|".join(
        name
        for name, traits in zip(BYTE_NAMES, TRAITS, strict=True)
        if traits & (BLOCK | METADATA) or name == b"head"
    ),
    re.IGNORECASE,
)
"""A tag of the head or of a block."""

_QUIRKY_WITHOUT_SYSTEM = (
    "-//w3c//dtd html 4.01 frameset//",
    "-//w3c//dtd html 4.01 transitional//",
)
_QUIRKY = (
    "+//silmaril//", "-//as//", "-//advasoft ltd//", "-//ietf//", "-//metrius//",
    "-//microsoft//", "-//netscape comm. corp.//", "-//o'reilly and associates//",
    "-//sq//", "-//softquad", "-//spyglass//", "-//sun microsystems corp.//",
    "-//w3c//dtd html 3", "-//w3c//dtd html 4.0 frameset//",
    "-//w3c//dtd html 4.0 transitional//", "-//w3c//dtd html experimental",
    "-//w3c//dtd w3 html//", "-//w3o//", "-//webtechs//", "-/w3c/dtd html 4.0 transitional/en",
    "html",
)  # fmt: skip


def is_quirky(doctype: bytes) -> bool:
    """Whether a browser reads a page with this doctype in quirks mode (tables stay inside p)."""
    parts = doctype.decode("ascii", "replace").lower().replace("'", '"').split('"')
    words = parts[0].split()
    if not words or words[0] != "html":
        return True
    if len(words) < 2:
        return False
    identifier = parts[1] if len(parts) > 1 else ""
    if words[1] == "system":
        return identifier == "http://www.ibm.com/data/dtd/v11/ibmxhtml1-transitional.dtd"
    if words[1] != "public" or len(parts) < 3:
        return True
    if identifier.startswith(_QUIRKY_WITHOUT_SYSTEM):
        return len(parts) < 5
    return identifier.startswith(_QUIRKY)
