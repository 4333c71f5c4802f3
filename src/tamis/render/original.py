"""The page itself, made harmless, with every text run in a span that names its block.

For people who look at a page beside the decision about it. Nothing is copied from the source but
texts, style sheets and the values of a few attributes: elements are written anew from the table, so
that what a browser reads is what is meant here. What holds whatever the page says is the policy in
the first element of the head (and the sandbox that the document is shown in); the list of elements
keeps out what could do anything in the first place.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import escape
from typing import Final

from tamis._runtime import limits
from tamis.page import tags
from tamis.page.addresses import Base
from tamis.page.attributes import Attributes, value_of
from tamis.page.table import Page
from tamis.page.text.references import resolve_references
from tamis.render.outline.pictures import find_address

MARK: Final = "data-tamis"
"""The attribute with the number of a block. Nothing else has it."""

POLICY: Final = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"
"""Nothing runs and nothing is loaded."""

POLICY_WITH_PICTURES: Final = (
    "default-src 'none'; style-src 'unsafe-inline' http: https:; img-src data: http: https:;"
    " font-src data: http: https:"
)
"""Nothing runs; pictures and style sheets are loaded."""

_KEPT = (
    "a abbr acronym address article aside b bdi bdo big blockquote br caption center cite"
    " code col colgroup data dd del details dfn dir div dl dt em fieldset figcaption figure"
    " font footer h1 h2 h3 h4 h5 h6 header hgroup hr i img ins kbd label legend li main mark"
    " menu nav nobr ol output p picture pre q rb rp rt rtc ruby s samp search section small"
    " span strike strong sub summary sup table tbody td tfoot th thead time tr tt u ul var wbr"
).split()
# What would do something, by an element without meaning, which the style below gives a look.
_RENAMED = {
    name: other
    for other, names in (
        ("div", "form dialog marquee frameset"),
        ("pre", "listing plaintext xmp"),
        ("tamis-button", "button"),
        ("tamis-select", "select textarea"),
        ("tamis-option", "optgroup option"),
        ("tamis-unseen", "audio canvas datalist noscript template video"),
    )
    for name in names.split()
}
_DROPPED = (
    "area base basefont bgsound embed frame head iframe image input keygen link meta noembed"
    " noframes param script source style title track"
).split()
# Elements of HTML that are written in another way or not at all.
_ELSEWHERE = frozenset(("html", "body"))
# The name of an element that pages define themselves: without scripts it is nothing but a name.
_OWN_NAME = re.compile(r"(?!tamis-)[a-z][a-z0-9]{0,30}(?:-[a-z0-9]{1,30}){1,6}")
_OUTPUT: Final = tuple(
    name if name in _KEPT else "" if name in _DROPPED else _RENAMED.get(name, "span")
    for name in tags.NAMES
)
"""Tag number to the name that is written, empty if the element is not."""

_ATTRIBUTES = frozenset(
    "abbr align alt bgcolor border cellpadding cellspacing class color cols colspan datetime dir"
    " face height hidden id lang nowrap reversed role rowspan scope size span start title type"
    " valign value width".split()
)
_VOID = frozenset(("br", "col", "hr", "img", "wbr"))
_SPACE = frozenset(b" \t\n\r\f")
_DATA_PICTURE = re.compile(r"\s*data:image/[a-z0-9.+-]{1,20}[;,]", re.IGNORECASE)
_LONGEST_VALUE = 10_000
# Letters of a picture in the page itself; shorter ones stand there until a script loads another.
_SHORTEST_PICTURE = 200
_STYLE, _LINK, _PRE = (tags.ID[name] for name in ("style", "link", "pre"))

# Without weight, so that the page's own style decides where it says anything. Text that was hidden
# stays so, until somebody asks for it; closed parts are open.
_LOOK = (
    ":where(html){font:16px/1.5 system-ui,sans-serif;overflow-wrap:break-word;background:#fff;"
    "color:#1a1a1a}:where(body){margin:16px}:where(img){max-width:100%;height:auto}"
    ":where(a){color:#0b57d0;text-decoration:underline}:where(pre){overflow:auto}"
    ":where(tamis-picture){display:inline-block;border:1px dashed #8888;border-radius:4px;"
    "color:#777;font:12px/1.4 system-ui,sans-serif;padding:2px 8px;max-width:20em}"
    ":where(tamis-picture)::after{content:attr(alt)}tamis-picture:not([alt]),tamis-picture[alt='']"
    "{display:none}"
    "tamis-unseen{display:none}tamis-option{display:block}"
    ":where(tamis-button,tamis-select){display:inline-block;border:1px solid #8886;"
    "border-radius:4px;padding:0 .5em;max-height:8em;overflow:auto}"
)


def render(page: Page, url: str | None, *, pictures: bool = False) -> str:
    """Write a document that does nothing; with `pictures`, it loads these and style sheets."""
    parts = limits.check_each(_Writer(page, url, pictures).write())
    return "".join(limits.limit_output(parts, len))


class _Writer:
    """Writes the elements and texts of a page in the order of the document."""

    def __init__(self, page: Page, url: str | None, pictures: bool) -> None:
        self._page = page
        self._base = Base(page, url)
        self._pictures = pictures
        self._attributes = Attributes(page)
        nodes, texts = page.nodes, page.texts
        self._tag, self._flags = nodes.tag.tolist(), nodes.flags.tolist()
        self._start, self._close = nodes.start.tolist(), nodes.close.tolist()
        self._first_text, self._end_text = nodes.first_text.tolist(), nodes.end_text.tolist()
        self._text_rows = list(
            zip(
                texts.start.tolist(),
                texts.end.tolist(),
                texts.block.tolist(),
                texts.flags.tolist(),
                texts.node.tolist(),
                strict=True,
            )
        )

    def write(self) -> Iterator[str]:
        policy = POLICY_WITH_PICTURES if self._pictures else POLICY
        root = "".join(self._write_root("html"))
        yield (
            f'<!doctype html><html{root}><head><meta http-equiv="Content-Security-Policy"'
            f' content="{escape(policy)}"><meta charset="utf-8"><style>{_LOOK}</style>'
        )
        yield from self._write_styles()
        yield f"</head><body{''.join(self._write_root('body'))}>"
        yield from self._write_body()
        yield "</body></html>\n"

    def _write_root(self, name: str) -> Iterator[str]:
        """The attributes of the one element of a name."""
        for node, tag in enumerate(self._tag[:100]):
            if tag == tags.ID[name] and not self._flags[node] & tags.FOREIGN:
                return self._write_attributes(node)
        return iter(())

    def _write_styles(self) -> Iterator[str]:
        """The style sheets, wherever they stand."""
        for node, tag in enumerate(self._tag):
            if tag not in (_STYLE, _LINK) or self._flags[node] & (tags.FOREIGN | tags.IN_TEMPLATE):
                continue
            media = self._page.attributes(node).get("media", "")[:200]
            if tag == _STYLE:
                # Only an end tag ends it: no other element is begun or ended inside.
                sheet = re.sub(r"</", r"<\\/", self._page.content(node).replace("\0", ""))
                yield f'<style media="{escape(media)}">{sheet}</style>'
            elif self._pictures and self._is_sheet(node):
                href = self._base.web(self._page.attribute(node, "href") or "")
                if href and href.startswith(("http:", "https:")):
                    yield (
                        f'<link rel="stylesheet" media="{escape(media)}" href="{escape(href)}"'
                        ' referrerpolicy="no-referrer">'
                    )

    def _is_sheet(self, node: int) -> bool:
        words = (self._page.attribute(node, "rel") or "").lower().split()
        return "stylesheet" in words and "alternate" not in words

    def _write_body(self) -> Iterator[str]:
        """Elements and texts; an element is closed before the next that is not inside it."""
        opened: list[tuple[int, str]] = []
        text = 0
        for node, (parent, first_text) in enumerate(
            zip(self._page.nodes.parent.tolist(), self._first_text, strict=True)
        ):
            while opened and opened[-1][0] != parent:
                yield from self._write_texts(text, self._end_text[opened[-1][0]])
                text = max(text, self._end_text[opened[-1][0]])
                yield self._write_end(*opened.pop())
            yield from self._write_texts(text, first_text)
            text = max(text, first_text)
            name = self._choose_name(node)
            if name == "img":
                yield from self._write_picture(node)
            elif name:
                yield from self._write_begin(node, name)
            opened.append((node, "" if name in _VOID else name))
        while opened:
            yield from self._write_texts(text, self._end_text[opened[-1][0]])
            text = max(text, self._end_text[opened[-1][0]])
            yield self._write_end(*opened.pop())

    def _choose_name(self, node: int) -> str:
        """The name that an element is written with; empty if only its content is written."""
        tag = self._tag[node]
        if self._flags[node] & tags.FOREIGN:
            return ""
        if tag < len(_OUTPUT):
            return "" if tags.NAMES[tag] in _ELSEWHERE else _OUTPUT[tag]
        name = self._page.tag_name(node)
        return name if _OWN_NAME.fullmatch(name) else "span"

    def _write_begin(self, node: int, name: str) -> Iterator[str]:
        if self._is_spaced(self._start[node], self._flags[node]):
            yield " "
        yield f"<{name}"
        yield from self._write_attributes(node)
        if name == "details":
            yield " open"
        yield ">"

    def _write_end(self, node: int, name: str) -> str:
        if not name:
            return ""
        space = " " if self._is_spaced(self._close[node], self._flags[node]) else ""
        return f"{space}</{name}>"

    def _is_spaced(self, place: int, flags: int) -> bool:
        """Whether white space stands before a place; in a `pre` it is part of a text."""
        return place > 0 and not flags & tags.IN_PRE and self._page.source[place - 1] in _SPACE

    def _write_texts(self, first: int, end: int) -> Iterator[str]:
        for number, row in enumerate(self._text_rows[first:end], first):
            start, stop, block, flags, node = row
            text = self._page.source[start:stop].decode("utf-8", "replace").replace("\0", "")
            if not flags & tags.VERBATIM:
                text = resolve_references(text)
            if self._is_spaced(start, flags):
                yield " "
            if self._tag[node] == _PRE and self._first_text[node] == number:
                text = text.removeprefix("\n")
            span = f'<span {MARK}="{block}">{escape(text, quote=False)}</span>'
            # The title of a drawing, which is not written itself.
            unseen = flags & tags.FOREIGN and flags & tags.UNRENDERED
            yield f"<tamis-unseen>{span}</tamis-unseen>" if unseen else span

    def _write_attributes(self, node: int) -> Iterator[str]:
        if self._flags[node] & tags.IMPLIED:
            return
        for attribute, value in self._page.attributes(node).items():
            if attribute in _ATTRIBUTES or attribute == "style":
                yield f' {attribute}="{escape(value[:_LONGEST_VALUE])}"'

    def _write_picture(self, node: int) -> Iterator[str]:
        if src := self._find_source(node):
            yield "<img"
            yield from self._write_attributes(node)
            yield f' src="{escape(src)}" referrerpolicy="no-referrer">'
        else:
            alt = (self._page.attribute(node, "alt") or "")[:_LONGEST_VALUE]
            yield f'<tamis-picture alt="{escape(alt)}"></tamis-picture>'

    def _find_source(self, node: int) -> str | None:
        """Where a picture is: in the page itself or, if wanted, on the web."""
        if self._pictures and (src := find_address(self._page, self._attributes, node, self._base)):
            return src if src.startswith(("http:", "https:")) else None
        raw = self._attributes.raw(node, tags.ATTRIBUTE_ID["src"]) or b""
        src = value_of(raw)
        return src if len(src) > _SHORTEST_PICTURE and _DATA_PICTURE.match(src) else None
