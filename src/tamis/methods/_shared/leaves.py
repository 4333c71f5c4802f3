"""The rules of Thanadechteemapat and Fung, by which leaves of a page are content."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from tamis import limits
from tamis.methods._base import Flags, Method, check_choice
from tamis.page import tags
from tamis.page.references import resolve
from tamis.page.subtree import nearest, texts_below, texts_outside_forms
from tamis.page.table import Page

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
_PARTS = [tags.ID[name] for name in "ul ol dl blockquote pre table tbody tr".split()]


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

    def __post_init__(self) -> None:
        """Refuse an unknown variant."""
        check_choice("variant", self.variant, VARIANTS)

    def content_leaves(self, page: Page, noise: Flags | None = None) -> Flags:
        """Which texts are content; `noise` is not, but counts in the ratios of its block."""
        chars = page.texts.chars
        leaf, anchor = self._leaves(page)
        leaves = page.sums_below(leaf.astype(np.int64)).astype(float)
        anchors = page.sums_below(anchor.astype(np.int64)).astype(float)
        length = page.sums_below(chars * leaf).astype(float)
        anchor_length = page.sums_below(chars * anchor).astype(float)
        by_length = anchor_length / np.maximum(length, 1)
        by_leaves = anchors / np.maximum(leaves, 1)
        ratio = self.text_weight * by_length + (1 - self.text_weight) * by_leaves
        good_block = (ratio < self.ratio) | ((anchors < 2) & (leaves > 2))
        block = nearest(page, leaves > 1)[page.texts.node]
        kept: Flags = leaf & (chars >= self.shortest) & good_block[block]
        if noise is not None:
            kept &= ~noise
        _drop_footers(page, kept)
        if self.least_group and self.variant != "paper":
            kept &= _in_rich_group(page, kept & ~anchor, self.least_group)
        return kept

    def _leaves(self, page: Page) -> tuple[Flags, Flags]:
        """The texts that R1 leaves, and which of them are anchors (R2)."""
        dropped = page.nodes.tag == tags.ID["object"]
        if self.variant == "paper":
            dropped |= page.nodes.tag == tags.ID["form"]
            leaf: Flags = page.texts.flags & tags.HIDDEN == 0
            anchor: Flags = page.nodes.tag[page.texts.node] == tags.ID["a"]
        else:
            leaf = texts_outside_forms(page)
            anchor = page.texts.flags & tags.IN_LINK != 0
        if dropped.any():
            leaf &= ~texts_below(page, np.flatnonzero(dropped))
        return leaf, anchor & leaf


def _drop_footers(page: Page, kept: Flags) -> None:
    """Take away the leaves that begin with the phrase of a footer (R2)."""
    texts = np.flatnonzero(kept)
    starts = page.texts.start[texts]
    stops = np.minimum(starts + _OPENING, page.texts.end[texts])
    runs = zip(texts.tolist(), starts.tolist(), stops.tolist(), strict=True)
    for text, start, stop in limits.checked(runs):
        opening = resolve(page.source[start:stop].decode("utf-8", "ignore"))
        if " ".join(opening.split()).lower().startswith(FOOTERS):
            kept[text] = False


def _in_rich_group(page: Page, plain: Flags, least: float) -> Flags:
    """Whether the group of each text has this part of the richest group's plain text, or more.

    A group is the blocks of the page around which there is the same element. A list or table
    also stays if the group around it does.
    """
    group = np.maximum(page.nodes.parent[page.blocks.node], 0)[page.texts.block]
    length = np.bincount(group, page.texts.chars * plain, len(page.nodes))
    rich: Flags = length >= least * length.max()
    around = nearest(page, ~np.isin(page.nodes.tag, _PARTS))
    return rich[group] | rich[around[group]]
