"""XPath blocks: a leaf is content unless the smallest group it stands in is mostly links.

Thanadechteemapat and Fung made this for Thai pages, where words are hard to count: it counts
leaves of the tree and characters only. Each leaf belongs to the lowest element with more than
one leaf, its block; the anchor ratio of the block joins the share of leaves that are links and
the share of characters that are. Footers are known by the phrase they begin with.

Our reading: a leaf is a text run; it is an anchor if it is anywhere inside a link; lengths are
without white space. Hidden means all that a browser does not show. The paper keeps leaves of
"less than 2" characters, a slip: we keep 2 or more. Forms go, but a form around half of the page
or more is a frame of its server (ASP.NET) and stays: 0.015 mean F1 on samples of nine sets, no
set loses. A page with one leaf only has the root as its block. The paper finds the smallest
blocks because they can be grouped upwards later, and leaves that to the reader and "noise
filtering" to the future: we group the page's text blocks by the element around them and drop a
group whose plain text is under a fifth of the richest group's. `least_group=0` switches
that off. 0 to 0.5 were tried: 0.1 to 0.3 gain 0.045 to 0.05 mean F1 over the same samples, but
CleanEval loses 0.03.

When it fails: plain text that is no content and not short (donation boxes, cookie texts); pages
whose content is spread over many small groups (forums, products); content that is links.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from tamis import limits
from tamis.methods._base import (
    Flags,
    Floats,
    Indexes,
    Method,
    Scores,
    counted,
    kept_share,
    longest_runs,
)
from tamis.page import tags
from tamis.page.subtree import nearest, texts_outside_forms
from tamis.page.table import Page

# Lower case; "&copy;" because the source is compared as it is. A phrase begins a leaf.
_FOOTERS = (
    *("powered by", "copyright", "(c) 1", "(c) 2", "©", "&copy;", "&#169;", "all rights reserved"),
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


@dataclass(frozen=True)
class XpathBlocks(Method):
    """Leaves whose lowest common block is not mostly links."""

    ratio: float = 0.6
    """A block with an anchor ratio under this is no navigation (sec. III.C of the paper)."""
    text_weight: float = 0.75
    """Weight of the characters in the anchor ratio; the leaves have the rest (sec. III.B)."""
    shortest: int = 2
    """Least characters of a leaf (sec. III.C)."""
    least_group: float = 0.2
    """Least plain text of a group, as a part of the richest group's; 0 takes every group."""

    citation: ClassVar[str] = (
        "W. Thanadechteemapat, C. C. Fung: Automatic Web Content Extraction for Generating Tag"
        " Clouds from Thai Web Sites. ICEBE 2011."
    )

    def score(self, page: Page) -> Scores:
        """The share of each block's characters that are in content leaves."""
        if not len(page.texts):
            return np.zeros(len(page.blocks))
        return kept_share(page, self._measured(page).kept)

    def _measured(self, page: Page) -> Leaves:
        chars = page.texts.chars
        leaf = texts_outside_forms(page)  # R1
        anchor = leaf & (page.texts.flags & tags.IN_LINK != 0)
        leaves = page.sums_below(leaf.astype(np.int64)).astype(float)
        anchors = page.sums_below(anchor.astype(np.int64)).astype(float)
        length = page.sums_below(chars * leaf).astype(float)
        anchor_length = page.sums_below(chars * anchor).astype(float)
        by_length = anchor_length / np.maximum(length, 1)
        by_leaves = anchors / np.maximum(leaves, 1)
        ratio = self.text_weight * by_length + (1 - self.text_weight) * by_leaves
        good_block = (ratio < self.ratio) | ((anchors < 2) & (leaves > 2))
        block = nearest(page, leaves > 1)[page.texts.node]
        kept = leaf & (chars >= self.shortest) & good_block[block]
        _drop_footers(page, kept)
        group = _group_text(page, kept & ~anchor)
        kept_groups = kept & (group >= self.least_group)
        return Leaves(leaf, block, leaves, anchors, ratio, good_block, group, kept, kept_groups)

    def because(self, page: Page, blocks: Indexes) -> list[str]:
        """The anchor ratio of the element around its longest leaf, and the text of its group."""
        measured = self._measured(page)
        return [
            self._why(page, measured, run)
            for run in limits.checked(longest_runs(page, blocks).tolist())
        ]

    def _why(self, page: Page, measured: Leaves, run: int) -> str:
        if not measured.leaf[run]:
            return "It is in a form."
        if page.texts.chars[run] < self.shortest:
            length = counted(int(page.texts.chars[run]), "character")
            return f"It has {length}, fewer than {self.shortest}."
        block = int(measured.block[run])
        leaves, anchors = int(measured.leaves[block]), int(measured.anchors[block])
        side = "below" if measured.ratio[block] < self.ratio else "not below"
        around = (
            f"The {page.tag_name(block)} around it has {counted(leaves, 'leaf text')}, {anchors:,}"
            f" of them in links; its anchor ratio is {measured.ratio[block]:.2f}, {side}"
            f" {self.ratio:g}"
        )
        if not measured.good_block[block]:
            return f"{around}."
        if side == "not below":
            around += ", but it has fewer than 2 links and more than 2 leaf texts"
        if not measured.good[run]:
            return f"{around}. But it begins like a footer."
        side = "at least" if measured.group[run] >= self.least_group else "less than"
        return (
            f"{around}. Its group has {measured.group[run]:.0%} of the plain text of the richest,"
            f" {side} {self.least_group:.0%}."
        )


@dataclass(frozen=True, eq=False)
class Leaves:
    """What was found out about the texts and the nodes of a page."""

    leaf: Flags
    """The texts that count."""
    block: Indexes
    """The lowest element with more than one of them around each."""
    leaves: Floats
    """Leaves of each node."""
    anchors: Floats
    """Of these in links."""
    ratio: Floats
    """Anchor ratio of each node."""
    good_block: Flags
    """The nodes that are no navigation."""
    group: Floats
    """Plain text of the group of each text, as a part of the richest's."""
    good: Flags
    """The texts that are content by the rules of the paper."""
    kept: Flags
    """Those that are in a group with enough text, too."""


def _drop_footers(page: Page, kept: Flags) -> None:
    """Take away the leaves that begin with the phrase of a footer (R2)."""
    texts = np.flatnonzero(kept)
    starts = page.texts.start[texts]
    stops = np.minimum(starts + _OPENING, page.texts.end[texts])
    runs = zip(texts.tolist(), starts.tolist(), stops.tolist(), strict=True)
    for text, start, stop in limits.checked(runs):
        opening = page.source[start:stop].lstrip().decode("utf-8", "ignore").lower()
        if opening.startswith(_FOOTERS):
            kept[text] = False


def _group_text(page: Page, plain: Flags) -> Floats:
    """For each text the plain text of its group, as a part of the richest group's.

    A group is the blocks of the page around which there is the same element.
    """
    group = np.maximum(page.nodes.parent[page.blocks.node], 0)[page.texts.block]
    length = np.bincount(group, page.texts.chars * plain, len(page.nodes))
    share: Floats = length[group] / max(length.max(), 1)
    return share
