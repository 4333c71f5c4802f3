"""The rules of Thanadechteemapat and Fung, by which leaves of a page are content."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from tamis._runtime import limits
from tamis.methods._base import Choices, Method, Unit, visible_texts
from tamis.methods._shared.verdicts import count_things, element_name, list_units, longest_runs
from tamis.page import tags
from tamis.page.arrays import Flags, Floats, Indexes
from tamis.page.structure.subtrees import find_nearest, mark_outside_forms, mark_texts
from tamis.page.table import Page
from tamis.page.text.references import resolve_references

VARIANTS = ("ours", "paper")

# Lower case. A phrase begins a leaf.
FOOTERS = (
    *("powered by", "copyright", "(c) 1", "(c) 2", "©", "all rights reserved"),
    *("proudly powered", "designed by", "hosted by", "terms of use", "privacy policy"),
    *("ลิขสิทธิ์", "สงวนลิขสิทธิ์", "สงวนสิทธิ์", "ขับเคลื่อนโดย", "พัฒนาโดย", "ออกแบบโดย"),
    *("alle rechte vorbehalten", "impressum", "bereitgestellt von", "urheberrecht"),
    *("tous droits réservés", "propulsé par", "mentions légales", "droits d'auteur"),
    *("todos los derechos reservados", "derechos reservados", "desarrollado por", "creado con"),
    *("todos os direitos reservados", "direitos autorais", "desenvolvido por"),
    *("tutti i diritti riservati", "realizzato da", "alle rechten voorbehouden"),
    *("все права защищены", "работает на", "wszelkie prawa zastrzeżone", "visas tiesības"),
    *("版权所有", "版權所有", "著作権", "無断転載", "저작권", "무단전재", "무단 전재"),
    *("جميع الحقوق محفوظة", "حقوق النشر", "सर्वाधिकार सुरक्षित", "tüm hakları saklıdır", "bản quyền"),
)
# Bytes of a leaf in which a footer phrase begins and ends.
_OPENING = 120
# Elements that are a part of what is around them.
_PARTS = tags.find_ids("ul ol dl blockquote pre table tbody tr")


@dataclass(frozen=True)
class LeafRules(Method):
    """Leaves whose lowest common block is not mostly links."""

    ratio: float = 0.6
    """A block with an anchor ratio under this is no navigation (sec. III.C of the paper)."""
    text_weight: float = 0.75
    """Weight of the characters in the anchor ratio; the leaves have the rest (sec. III.B)."""
    shortest: int = 2
    """Least characters of a leaf (sec. III.C)."""
    least_group: float = 0.2
    """Least plain text of a group, as a part of the richest group's; 0 takes every group."""
    variant: str = "ours"
    """`paper`: all forms go, a link is a leaf directly in `a`, and every group stays."""

    citation: ClassVar[str] = (
        "W. Thanadechteemapat, C. C. Fung: Automatic Web Content Extraction for Generating Tag"
        " Clouds from Thai Web Sites. ICEBE 2011."
    )
    decides_on: ClassVar[str] = "leaves"
    _choices: ClassVar[Choices] = {"variant": VARIANTS}

    def _find_noise(self, page: Page) -> Flags:
        """Texts that are not content, but count in the ratios of their block."""
        return np.zeros(len(page.texts), bool)

    def measure_leaves(self, page: Page) -> MeasuredLeaves:
        chars = page.texts.chars
        leaf, anchor = self._find_leaves(page)
        leaves = page.sums_below(leaf.astype(np.int64)).astype(float)
        anchors = page.sums_below(anchor.astype(np.int64)).astype(float)
        length = page.sums_below(chars * leaf).astype(float)
        anchor_length = page.sums_below(chars * anchor).astype(float)
        by_length = anchor_length / np.maximum(length, 1)
        by_leaves = anchors / np.maximum(leaves, 1)
        ratio = self.text_weight * by_length + (1 - self.text_weight) * by_leaves
        good_block = (ratio < self.ratio) | ((anchors < 2) & (leaves > 2))
        block = find_nearest(page, leaves > 1)[page.texts.node]
        noise = self._find_noise(page)
        good: Flags = leaf & (chars >= self.shortest) & good_block[block] & ~noise
        footer = _find_footers(page, good)
        good &= ~footer
        rich, group = _compare_groups(page, good & ~anchor, self.least_group)
        return MeasuredLeaves(
            leaf=leaf,
            anchor=anchor,
            footer=footer,
            block=block,
            leaves=leaves,
            anchors=anchors,
            by_leaves=by_leaves,
            by_length=by_length,
            ratio=ratio,
            good_block=good_block,
            noise=noise,
            good=good,
            group=group,
            kept=good & rich if self.variant != "paper" else good,
        )

    def units(self, page: Page) -> tuple[Unit, ...]:
        """The leaves, with their marks and the ratios of their block."""
        return self._list_leaves(page, {})

    def _list_leaves(
        self, page: Page, more: Mapping[str, Sequence[float | str]]
    ) -> tuple[Unit, ...]:
        """The leaves that R1 leaves, and `more` columns with one entry per text."""
        measured = self.measure_leaves(page)
        leaves = np.flatnonzero(measured.leaf)
        of_text = np.where(measured.leaf, np.cumsum(measured.leaf) - 1, -1)
        block = measured.block[leaves]
        marks = zip(measured.anchor[leaves], measured.footer[leaves], strict=True)
        if self.variant != "paper":
            more = {"group": measured.group.tolist(), **more}
        numbers = {
            "leaves": measured.leaves,
            "anchors": measured.anchors,
            "ANR": measured.by_leaves,
            "ATR": measured.by_length,
            "AR": measured.ratio,
        }
        paths = {node: page.xpath(node) for node in limits.check_each(np.unique(block).tolist())}
        return list_units(
            page,
            of_text,
            page.texts.node[leaves],
            measured.kept[leaves].astype(float),
            {
                "mark": ["footer" if foot else "anchor" if link else "" for link, foot in marks],
                "block": [paths[node] for node in block.tolist()],
                **{name: column[block].tolist() for name, column in numbers.items()},
                **{name: [column[own] for own in leaves.tolist()] for name, column in more.items()},
            },
        )

    def _find_leaves(self, page: Page) -> tuple[Flags, Flags]:
        """The texts that R1 leaves, and which of them are anchors (R2)."""
        dropped = page.nodes.tag == tags.ID["object"]
        if self.variant == "paper":
            dropped |= page.nodes.tag == tags.ID["form"]
            leaf: Flags = visible_texts(page)
            anchor: Flags = page.nodes.tag[page.texts.node] == tags.ID["a"]
        else:
            leaf = mark_outside_forms(page)
            anchor = page.texts.flags & tags.IN_LINK != 0
        if dropped.any():
            leaf &= ~mark_texts(page, np.flatnonzero(dropped))
        return leaf, anchor & leaf

    def because(self, page: Page, blocks: Indexes) -> list[str]:
        measured, runs = self.measure_leaves(page), longest_runs(page, blocks).tolist()
        return [self._explain_run(page, measured, run) for run in limits.check_each(runs)]

    def _explain_run(self, page: Page, measured: MeasuredLeaves, run: int) -> str:
        if not measured.leaf[run]:
            return "It is in a form or an object."
        if page.texts.chars[run] < self.shortest:
            length = count_things(int(page.texts.chars[run]), "character")
            return f"It has {length}, fewer than {self.shortest}."
        block = int(measured.block[run])
        leaves, anchors = int(measured.leaves[block]), int(measured.anchors[block])
        side = "below" if measured.ratio[block] < self.ratio else "not below"
        around = (
            f"The {element_name(page, block)} around it has {count_things(leaves, 'leaf text')},"
            f" {anchors:,} of them in links; its anchor ratio is {measured.ratio[block]:.2f},"
            f" {side} {self.ratio:g}"
        )
        if not measured.good_block[block]:
            return f"{around}."
        if side == "not below":
            around += ", but it has fewer than 2 links and more than 2 leaf texts"
        if not measured.good[run]:
            return (
                f"{around}. But it {'is noise' if measured.noise[run] else 'begins like a footer'}."
            )
        if self.variant == "paper":
            return f"{around}."
        side = "at least" if measured.kept[run] else "less than"
        return (
            f"{around}. Its group has {measured.group[run]:.0%} of the plain text of the richest,"
            f" {side} {self.least_group:.0%}."
        )


@dataclass(frozen=True, eq=False)
class MeasuredLeaves:
    """What the rules say about the texts and the nodes of a page."""

    leaf: Flags
    """The texts that R1 leaves."""
    anchor: Flags
    """Of these the links."""
    footer: Flags
    """Leaves that only the phrase of a footer, with which they begin, keeps out."""
    block: Indexes
    """The lowest element with more than one of them around each text."""
    leaves: Floats
    """Leaves of each node."""
    anchors: Floats
    """Of these the links."""
    by_leaves: Floats
    """Anchor node ratio (ANR) of each node."""
    by_length: Floats
    """Anchor text ratio (ATR) of each node."""
    ratio: Floats
    """Anchor ratio (AR) of each node."""
    good_block: Flags
    """The nodes that are not navigation."""
    noise: Flags
    """The texts that are on many pages."""
    good: Flags
    """The texts that are content by the rules of the paper."""
    group: Floats
    """Plain text of the group of each text, as a part of the richest's."""
    kept: Flags
    """The texts that are content."""


def _find_footers(page: Page, leaves: Flags) -> Flags:
    """The leaves that begin with the phrase of a footer (R2)."""
    footer = np.zeros(len(page.texts), bool)
    texts = np.flatnonzero(leaves)
    starts = page.texts.start[texts]
    stops = np.minimum(starts + _OPENING, page.texts.end[texts])
    runs = zip(texts.tolist(), starts.tolist(), stops.tolist(), strict=True)
    for text, start, stop in limits.check_each(runs):
        opening = resolve_references(page.source[start:stop].decode("utf-8", "ignore"))
        footer[text] = " ".join(opening.split()).lower().startswith(FOOTERS)
    return footer


def _compare_groups(page: Page, plain: Flags, least: float) -> tuple[Flags, Floats]:
    """Whether the group of each text has this part of the richest group's plain text, or more.

    And what part it has. A group is the blocks of the page around which there is the same element.
    A list or table also stays if the group around it does.
    """
    group = np.maximum(page.nodes.parent[page.blocks.node], 0)[page.texts.block]
    length = np.bincount(group, page.texts.chars * plain, len(page.nodes))
    rich: Flags = length >= least * length.max()
    around = find_nearest(page, ~np.isin(page.nodes.tag, _PARTS))[group]
    part: Floats = np.maximum(length[group], length[around]) / max(length.max(), 1)
    return rich[group] | rich[around], part
