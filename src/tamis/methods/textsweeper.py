"""TextSweeper: the element with most net text per tag; too little of it is an overview page.

Lang, Wohlgenannt and Weichselbraun weigh the text of each element, take away the text of links
and teasers, and divide by the number of tags inside and the depth. The best element and those
nearly as good point to one place in the tree; short and link-filled parts of it are cleaned
away. If little net text is left, the page is a list of teasers: an overview page.

Our reading: the unit of weight is the text run, with the weights of its element and of the
parent of that. The bias for long text is of the element: its sum is multiplied by its length to
the power 0.5 (0 to 1 tried on samples of nine data sets, 0.2 to 0.75 all gain; without it a
tolerance of 0.9 returns single paragraphs and mean F1 falls by 0.05; a bias of the run loses
even to none). Tags are the block-level elements with text. Elements with `onclick` count as
links. A phrase such as "Read more" at the end of an element makes it and its parent a link, dots
the element alone, because quotations end in dots too; and neither if it is longer than a
teaser, else one "more" takes the whole article. Forms go, but a form around half of the page or
more stays. The nodes near the best are joined by their lowest common ancestor. The paper gives
no number for the least length, the share of links nor the threshold of overview pages.

When it fails: content in several distant places (forums, products) of which one wins, or whose
common ancestor is the page; short content; an overview page with long teasers, or a short
article, for the verdict.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from tamis import limits
from tamis.methods._base import Flags, Floats, Indexes, Method, Scores, kept_share
from tamis.page import tags
from tamis.page.references import resolve
from tamis.page.subtree import texts_below, texts_outside_forms
from tamis.page.table import Column, Page

_DOTS = ("...", "…", "[…]", "[...]", "(...)", "(…)")
# What a link to the full text ends with, lower case.
_ENDINGS = (
    *("read more", "continue reading", "full story", "full article", "learn more", "see more"),
    *("read on", "find out more", "keep reading", "read the rest", "weiterlesen", "mehr lesen"),
    *("mehr erfahren", "zum artikel", "lire la suite", "lire plus", "en savoir plus"),
    *("leer más", "seguir leyendo", "leer mas", "ler mais", "leia mais", "continue lendo"),
    *("continua a leggere", "leggi tutto", "leggi di più", "lees meer", "lees verder", "läs mer"),
    *("læs mere", "les mer", "lue lisää", "czytaj więcej", "czytaj dalej", "číst dále"),
    *("читать далее", "читать дальше", "подробнее", "детальніше", "lasīt vairāk", "devamını oku"),
    *("xem thêm", "đọc tiếp", "selengkapnya", "อ่านต่อ", "อ่านเพิ่มเติม", "ดูเพิ่มเติม"),
    *("续读", "阅读全文", "查看更多", "閱讀更多", "続きを読む", "もっと見る"),
    *("더보기", "더 보기", "자세히 보기", "اقرأ المزيد", "المزيد", "और पढ़ें", "आगे पढ़ें"),
)
# The same, but only as the whole text: they end ordinary sentences too.
_WHOLE = frozenset(
    {"more", "mehr", "weiter", "suite", "más", "mais", "meer", "далее", "更多", "全文"}
)
_LAST = frozenset(phrase[-1] for phrase in (*_ENDINGS, *_WHOLE))
_ARROWS = " \t\n\r\f\xa0»›>→▶.:)]"
# Bytes at the end of a run in which a phrase is looked for.
_TAIL = 80

_BLOCK = np.array([trait & tags.BLOCK != 0 for trait in tags.TRAITS] + [False])
_HEADING = np.array([trait & tags.HEADING != 0 for trait in tags.TRAITS] + [False])
_BOLD = np.array([name in ("b", "strong") for name in tags.NAMES] + [False])


@dataclass(frozen=True)
class Textsweeper(Method):
    """The element with most net text per tag, and whether the page is an overview page."""

    heading_weight: float = 1.5
    """Weight of text in headings (sec. 3: above 1)."""
    bold_weight: float = 1.2
    """Weight of bold text (sec. 3: above 1)."""
    length_power: float = 0.5
    """Bias for elements with much text: the power of their length that multiplies it (sec. 3)."""
    tolerance: float = 0.9
    """Part of the best ratio that makes another element relevant (sec. 3)."""
    longest_teaser: int = 200
    """Most characters of an element that a teaser phrase or dots make a link."""
    shortest: int = 10
    """Least characters of an element inside what is returned."""
    link_share: float = 0.5
    """Most characters in links of such an element, as a part of all."""
    overview_below: float = 1000.0
    """Net text, in characters, under which a page is an overview page."""

    citation: ClassVar[str] = (
        "H.-P. Lang, G. Wohlgenannt, A. Weichselbraun: TextSweeper - A System for Content"
        " Extraction and Overview Page Detection. CONF-IRM 2012."
    )

    def score(self, page: Page) -> Scores:
        """The share of each block's characters that are in what is returned."""
        return kept_share(page, self._returned(page)[0])

    def overview_score(self, page: Page) -> float:
        """Net text of what is returned, in characters: the less, the more surely an overview."""
        kept, linked = self._returned(page)
        return float(page.texts.chars[kept & ~linked].sum())

    def is_overview(self, page: Page) -> bool:
        """Whether the page is a list of teasers rather than a text."""
        return self.overview_score(page) < self.overview_below

    def _returned(self, page: Page) -> tuple[Flags, Flags]:
        """The texts that are returned, and those that are links."""
        seen = texts_outside_forms(page)
        chars = page.texts.chars * seen
        length = _sums(page, chars)
        linked = self._linked(page, seen, length)
        kept = np.zeros(len(page.texts), bool)
        if not seen.any():
            return kept, linked
        ratio = self._ratios(page, chars * ~linked, length)
        best = ratio.max()
        if best > 0:
            node = _common_ancestor(page, np.flatnonzero(ratio >= self.tolerance * best))
            kept[page.nodes.first_text[node] : page.nodes.end_text[node]] = True
            poor = length < self.shortest
            poor |= _sums(page, chars * linked) > self.link_share * length
            poor &= _BLOCK[_tags(page)]
            poor[: node + 1] = poor[page.nodes.last[node] + 1 :] = False
            kept &= seen & ~texts_below(page, np.flatnonzero(poor))
        return kept, linked

    def _ratios(self, page: Page, net: Column, length: Floats) -> Floats:
        """Weighted net text of each node over its tags and its depth."""
        nodes, tag = page.nodes, _tags(page)
        weight = np.where(_HEADING[tag], self.heading_weight, 1.0)
        weight[_BOLD[tag]] = self.bold_weight
        weight *= weight[np.maximum(nodes.parent, 0)]
        text = _sums(page, net * weight[page.texts.node])
        counted = np.append(0, np.cumsum(_BLOCK[tag] & (nodes.first_text < nodes.end_text)))
        count = counted[nodes.last + 1] - counted[:-1]
        ratio: Floats = length**self.length_power * text / np.maximum(count + nodes.depth, 1)
        return ratio

    def _linked(self, page: Page, seen: Flags, length: Floats) -> Flags:
        """The texts in links, in elements that react to a click, and in teasers."""
        clicked = np.flatnonzero(page.attribute_rows[0] == tags.ATTRIBUTE_ID["onclick"])
        owner = np.searchsorted(page.nodes.attributes, clicked, side="right") - 1
        teasers = _teasers(page, np.flatnonzero(seen))
        teasers = teasers[length[teasers] <= self.longest_teaser]
        # A click anywhere on the page makes no link of it.
        below_body = owner[page.nodes.depth[owner] > 1]
        in_link: Flags = page.texts.flags & tags.IN_LINK != 0
        return in_link | texts_below(page, np.concatenate((below_body, teasers)))


def _teasers(page: Page, texts: Indexes) -> Indexes:
    """The elements that end in dots, and those that end in a phrase with their parents."""
    ends = page.texts.end[texts]
    starts = np.maximum(page.texts.start[texts], ends - _TAIL)
    source, node, parent = page.source, page.texts.node, page.nodes.parent
    elements = []
    runs = zip(texts.tolist(), starts.tolist(), ends.tolist(), strict=True)
    for text, start, end in limits.checked(runs):
        tail = source[start:end].decode("utf-8", "ignore").rstrip().lower()
        if "&" in tail:
            tail = resolve(tail).rstrip()
        if tail.endswith(_DOTS):
            elements.append(node[text])
        else:
            tail = tail.strip(_ARROWS)
            if tail[-1:] in _LAST and (tail.endswith(_ENDINGS) or tail in _WHOLE):
                elements += [node[text], max(parent[node[text]], 0)]
    return np.array(elements, np.intp)


def _common_ancestor(page: Page, nodes: Indexes) -> int:
    """The lowest element at or above all of some nodes, which are in page order."""
    node = int(nodes[0])
    while page.nodes.last[node] < nodes[-1]:
        node = int(page.nodes.parent[node])
    return node


def _sums(page: Page, values: npt.NDArray[np.generic]) -> Floats:
    return page.sums_below(values).astype(float)


def _tags(page: Page) -> Column:
    """The tag of each node; all names that only this page has are the last number."""
    return np.minimum(page.nodes.tag, len(tags.NAMES))
