"""TextSweeper: the element with most net text per tag; too little of it is an overview page.

Lang, Wohlgenannt and Weichselbraun weigh the text of each element, take away the text of links
and teasers, and divide by the number of tags inside and the depth. The best element and those
nearly as good point to one place in the tree; short and link-filled parts of it are cleaned
away. If little net text is left, the page is a list of teasers: an overview page.

Our reading: lengths are in characters without white space. The unit of weight is the text run, with
the weights of its element and of the parent of that; text of links is taken away with its weight.
The bias for long text is of the element: its net text is multiplied by its length, links and all,
to the power 0.5 (without it a tolerance of 0.9 returns single paragraphs; a bias of the run loses
even to none). Tags are the block-level elements with text. An element that reacts to a click, or
ends in a phrase such as "Read more", with its parent, or in dots, without, because quotations do
too, is a link unless it is longer than a teaser: else a click on a wrapper, or one "more", takes
the whole article. For the verdict on the page, teasers of any length are links where they repeat
(`tamis.page.structure.teasers`). Forms go, but a form around half of the page or more stays.
`variant="paper"` has none of these exceptions. The nodes near the best are joined by their lowest
common ancestor. What is cleaned away is short with its links; the verdict on the page is by net
text. The paper gives no number for the least length, the share of links nor the threshold of
overview pages. It wishes for a better smoothing over neighbours in the tree: two are here, neither
is better on all data sets.

When it fails: content in several distant places (forums, products) of which one wins, or whose
common ancestor is the page; short content, for the verdict, too; and an overview page whose teasers
lie in no order.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, fields
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from tamis._runtime import limits
from tamis.methods._base import Choices, Method, Scores, Unit, kept_share
from tamis.methods._shared.verdicts import (
    count_things,
    element_name,
    list_units,
    longest_runs,
    say_where,
)
from tamis.page import tags
from tamis.page.arrays import Flags, Floats, Indexes, Ints
from tamis.page.structure.subtrees import find_nearest, mark_nodes, mark_outside_forms, mark_texts
from tamis.page.structure.teasers import find_teasers
from tamis.page.table import Page
from tamis.page.text.references import resolve_references

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

VARIANTS = ("bounded", "paper")
NEIGHBOURS = ("parent", "siblings")
# Deviations over which the Gaussian reaches; beyond it is next to nothing.
_REACH = 4

_BLOCK = np.array([trait & tags.BLOCK != 0 for trait in tags.TRAITS] + [False])
_HEADING = np.array([trait & tags.HEADING != 0 for trait in tags.TRAITS] + [False])
_BOLD = np.array([name in ("b", "strong") for name in tags.NAMES] + [False])


@dataclass(frozen=True, eq=False)
class Swept:
    """What was found out about a page; lengths are in characters without white space."""

    length: Floats
    """Text of each node, that of links too."""
    link_length: Floats
    """Of that, what is in links and teasers."""
    ratio: Floats
    """Text-to-tag ratio of each node."""
    node: int
    """The common ancestor of the relevant nodes, -1 if no node has net text."""
    poor: Flags
    """The nodes inside it that are cleaned away."""
    seen: Flags
    """The texts that are shown and in no form."""
    kept: Flags
    """The texts that are returned."""
    linked: Flags
    """The texts in links and teasers."""


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
    """Part of the best ratio above which another element is relevant (sec. 3)."""
    smoothing: float = 0.0
    """How far ratios are smoothed over neighbours in the tree; 0: not at all (sec. 4, future)."""
    neighbours: str = "parent"
    """With `parent`, smoothing is the part of the parent's ratio in that of each element; with
    `siblings`, the deviation of a Gaussian over the siblings that have text."""
    longest_teaser: int = 200
    """Most characters of an element that a click, a teaser phrase or dots make a link."""
    shortest: int = 10
    """Least characters, those of links too, of an element inside what is returned (sec. 3)."""
    link_share: float = 0.5
    """Most characters in links of such an element, as a part of all (sec. 3)."""
    overview_below: float = 700.0
    """Net text, in characters, under which a page is an overview page (sec. 3)."""
    variant: str = "bounded"
    """`bounded`, or `paper`: clicks and teasers of any length, and parents with dots, are links,
    once or often; every form goes; elements without text count as tags."""

    citation: ClassVar[str] = (
        "H.-P. Lang, G. Wohlgenannt, A. Weichselbraun: TextSweeper - A System for Content"
        " Extraction and Overview Page Detection. CONF-IRM 2012."
    )
    decides_on: ClassVar[str] = "elements"
    _choices: ClassVar[Choices] = {"variant": VARIANTS, "neighbours": NEIGHBOURS}

    def __post_init__(self) -> None:
        super().__post_init__()
        for field in fields(self):
            value = getattr(self, field.name)
            part = field.name in ("tolerance", "link_share")
            part |= field.name == "smoothing" and self.neighbours == "parent"
            most = 1.0 if part else 1e9
            if not isinstance(value, str) and not 0 <= value <= most:
                raise ValueError(f"{field.name} is from 0 to {most:g}, not {value}")

    def score(self, page: Page) -> Scores:
        return kept_share(page, self.sweep(page).kept)

    def overview(self, page: Page) -> float:
        """Above one half if the net text is below the threshold, 1 if there is none."""
        below = self.overview_below
        return below / (below + self.net_length(page)) if below else 0.0

    def net_length(self, page: Page) -> float:
        """Text of what is returned, without links and teasers that repeat, in characters."""
        return self._measure_net(page, self.sweep(page))

    def _measure_net(self, page: Page, swept: Swept) -> float:
        net = swept.kept & ~swept.linked
        if self.variant != "paper" and net.any():
            phrases, dots = _find_endings(page, np.flatnonzero(swept.seen))
            net &= ~find_teasers(page, also=phrases + dots).inside
        return float(page.texts.chars[net].sum())

    def sweep(self, page: Page) -> Swept:
        seen = mark_outside_forms(page, frames=self.variant != "paper")
        chars = page.texts.chars * seen
        length = _sum_below(page, chars)
        linked = self._find_linked(page, seen, length)
        link_length = _sum_below(page, chars * linked)
        kept = np.zeros(len(page.texts), bool)
        ratio = self._measure_ratios(page, chars * ~linked, length)
        best = ratio.max(initial=0.0)
        if best <= 0:
            no_node = np.zeros(len(page.nodes), bool)
            return Swept(length, link_length, ratio, -1, no_node, seen, kept, linked)
        relevant = (ratio > self.tolerance * best) | (ratio == best)
        node = _common_ancestor(page, np.flatnonzero(relevant))
        kept[page.nodes.first_text[node] : page.nodes.end_text[node]] = True
        poor = (length < self.shortest) | (link_length > self.link_share * length)
        poor &= _BLOCK[_known_tags(page)]
        poor[: node + 1] = poor[page.nodes.last[node] + 1 :] = False
        kept &= seen & ~mark_texts(page, np.flatnonzero(poor))
        return Swept(length, link_length, ratio, node, poor, seen, kept, linked)

    def units(self, page: Page) -> tuple[Unit, ...]:
        """The block-level elements with text, by their ratio; inline ones are parts of them.

        Content is what is inside of the returned element and not cleaned away; it is the common
        ancestor of the `relevant` ones. Lengths of text are weighted (formula 1), `characters` not.
        """
        swept = self.sweep(page)
        block = _BLOCK[_known_tags(page)] & (swept.length > 0)
        block[:1] = True  # the root
        block[max(swept.node, 0)] = True
        rows = np.flatnonzero(block)
        of_node = np.cumsum(block) - 1
        cleaned = mark_nodes(page, np.flatnonzero(swept.poor))[rows]
        last = page.nodes.last[max(swept.node, 0)]
        content = (rows >= swept.node) & (rows <= last) & ~cleaned & (swept.node >= 0)
        best = swept.ratio.max(initial=0.0)
        relevant = (swept.ratio > self.tolerance * best) | (swept.ratio == best)
        short = swept.poor & (swept.length < self.shortest)
        weighted = page.texts.chars * swept.seen * self._weigh_texts(page)
        numbers: dict[str, Floats | Ints] = {
            "characters": swept.length,
            "text_length": _sum_below(page, weighted),
            "link_text_length": _sum_below(page, weighted * swept.linked),
            "tag_count": self._count_tags(page),
            "level": page.nodes.depth,
            "ratio": swept.ratio,
        }
        return list_units(
            page,
            np.where(swept.seen, of_node[find_nearest(page, block)[page.texts.node]], -1),
            rows,
            content.astype(float),
            {
                **{name: column[rows].astype(float).tolist() for name, column in numbers.items()},
                "relevant": say_where((relevant & (best > 0))[rows], "yes"),
                "cleaned": [
                    "short" if is_short else "links" if is_poor else ""
                    for is_short, is_poor in zip(short[rows], swept.poor[rows], strict=True)
                ],
            },
        )

    def _weigh_texts(self, page: Page) -> Floats:
        """The weight of each text: of its element times that of its parent (formula 1)."""
        nodes, tag = page.nodes, _known_tags(page)
        weight = np.where(_HEADING[tag], self.heading_weight, 1.0)
        weight[_BOLD[tag]] = self.bold_weight
        weight *= weight[np.maximum(nodes.parent, 0)]
        return weight[page.texts.node]

    def _count_tags(self, page: Page) -> Floats:
        """The tags of each node: the block-level elements in it, with text."""
        nodes = page.nodes
        full = (nodes.first_text < nodes.end_text) | (self.variant == "paper")
        counted = np.append(0, np.cumsum(_BLOCK[_known_tags(page)] & full))
        count: Floats = (counted[nodes.last + 1] - counted[:-1]).astype(float)
        return count

    def _measure_ratios(self, page: Page, net: Ints, length: Floats) -> Floats:
        """Weighted net text of each node over its tags and its depth."""
        nodes = page.nodes
        text = _sum_below(page, net * self._weigh_texts(page))
        tags_and_level = np.maximum(self._count_tags(page) + nodes.depth, 1)
        ratio: Floats = length**self.length_power * text / tags_and_level
        if self.smoothing and self.neighbours == "parent":
            ratio += self.smoothing * (ratio[np.maximum(nodes.parent, 0)] - ratio)
        elif self.smoothing:
            ratio = _smooth_siblings(page, ratio, self.smoothing)
        return ratio

    def _find_linked(self, page: Page, seen: Flags, length: Floats) -> Flags:
        """The texts in links, in elements that react to a click, and in teasers."""
        clicks = np.flatnonzero(page.attribute_rows[0] == tags.ATTRIBUTE_ID["onclick"])
        owner = np.searchsorted(page.nodes.attributes, clicks, side="right") - 1
        published = self.variant == "paper"
        phrases, dots = _find_endings(page, np.flatnonzero(seen))
        with_parents = np.array(phrases + dots if published else phrases, np.intp)
        parents = np.maximum(page.nodes.parent[with_parents], 0)
        elements = np.concatenate((owner, np.array(phrases + dots, np.intp), parents))
        if not published:
            # A click anywhere on the page makes no link of it.
            inside = page.nodes.depth[elements] > 1
            elements = elements[inside & (length[elements] <= self.longest_teaser)]
        in_link: Flags = page.texts.flags & tags.IN_LINK != 0
        return in_link | mark_texts(page, elements)

    def because(self, page: Page, blocks: Indexes) -> list[str]:
        swept = self.sweep(page)
        if swept.node < 0:
            return ["No element of the page has text outside of links."] * len(blocks)
        runs, name = longest_runs(page, blocks), element_name(page, swept.node)
        first, end = page.nodes.first_text[swept.node], page.nodes.end_text[swept.node]
        net = int(self._measure_net(page, swept))
        least = f"{self.tolerance * swept.ratio.max():,.1f}"
        inside = f"It is inside the {name} that holds every ratio above {least}"
        verdict = f", below {self.overview_below:,.0f}" if net < self.overview_below else ""
        cleaned_by = find_nearest(page, swept.poor)
        sentences = []
        for block, run in limits.check_each(zip(blocks.tolist(), runs.tolist(), strict=True)):
            own, element = int(page.blocks.node[block]), int(cleaned_by[page.texts.node[run]])
            poor = element_name(page, element)
            if not swept.seen[run]:
                sentence = "It is in a form."
            elif not first <= run < end:
                sentence = (
                    f"Its {element_name(page, own)} has a ratio of {swept.ratio[own]:,.1f}; it is"
                    f" outside the {name} that holds every ratio above {least}."
                )
            elif swept.kept[run]:
                sentence = f"{inside}; {count_things(net, 'character')} of net text{verdict}."
            elif swept.length[element] < self.shortest:
                length = count_things(int(swept.length[element]), "character")
                sentence = f"{inside}, but its {poor} has {length}, fewer than {self.shortest}."
            else:
                share = swept.link_length[element] / swept.length[element]
                sentence = (
                    f"{inside}, but {share:.0%} of its {poor} are links, more than"
                    f" {self.link_share:.0%}."
                )
            sentences.append(sentence)
        return sentences


def _find_endings(page: Page, texts: Indexes) -> tuple[list[int], list[int]]:
    """The elements that end in a teaser phrase, and those that end in dots."""
    ends = page.texts.end[texts]
    starts = np.maximum(page.texts.start[texts], ends - _TAIL)
    source, node = page.source, page.texts.node[texts]
    phrases, dots = [], []
    runs = zip(node.tolist(), starts.tolist(), ends.tolist(), strict=True)
    for element, start, end in limits.check_each(runs):
        tail = source[start:end].decode("utf-8", "ignore").rstrip().lower()
        if "&" in tail:
            tail = resolve_references(tail).rstrip()
        if tail.endswith(_DOTS):
            dots.append(element)
        else:
            tail = tail.strip(_ARROWS)
            if tail[-1:] in _LAST and (tail.endswith(_ENDINGS) or tail in _WHOLE):
                phrases.append(element)
    return phrases, dots


def _common_ancestor(page: Page, nodes: Indexes) -> int:
    """The lowest element at or above all of some nodes, which are in page order."""
    node = int(nodes[0])
    while page.nodes.last[node] < nodes[-1]:
        node = int(page.nodes.parent[node])
    return node


def _smooth_siblings(page: Page, ratio: Floats, deviation: float) -> Floats:
    """The ratio of each block-level element with text, by a Gaussian over those beside it."""
    nodes = page.nodes
    elements = np.flatnonzero(_BLOCK[_known_tags(page)] & (nodes.first_text < nodes.end_text))
    elements = elements[np.argsort(nodes.parent[elements], kind="stable")]
    parent, own = nodes.parent[elements], ratio[elements]
    sums, weights = own.copy(), np.ones(len(own))
    reach = min(math.ceil(_REACH * deviation), len(own) - 1)
    for step in limits.check_each(range(1, reach + 1), every=10):
        weight = math.exp(-(step**2) / (2 * deviation**2)) * (parent[step:] == parent[:-step])
        sums[step:] += weight * own[:-step]
        sums[:-step] += weight * own[step:]
        weights[step:] += weight
        weights[:-step] += weight
    result = ratio.copy()
    result[elements] = sums / weights
    return result


def _sum_below(page: Page, values: npt.NDArray[np.generic]) -> Floats:
    return page.sums_below(values).astype(float)


def _known_tags(page: Page) -> Ints:
    """The tag of each node; all names that only this page has are the last number."""
    return np.minimum(page.nodes.tag, len(tags.NAMES))
