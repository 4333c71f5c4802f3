"""The rules of the paper, leaf by leaf."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

import numpy as np
import pytest

import tamis
from tamis.errors import MethodError
from tamis.methods._shared.leaves import FOOTERS
from tamis.methods.xpath_blocks import XpathBlocks
from tamis.page import tags
from tamis.page.structure.subtrees import mark_outside_forms

PAPER = XpathBlocks(variant="paper")
EVERY_GROUP = XpathBlocks(least_group=0)


def ancestors(page: tamis.Page, text: int) -> list[int]:
    node, path = int(page.texts.node[text]), []
    while node >= 0:
        path.append(node)
        node = int(page.nodes.parent[node])
    return path


def content_leaves(page: tamis.Page, paper: bool) -> set[int]:
    """A transcription of sections III.A to III.C."""
    # A slow form of R1: our forms are tested on their own below.
    shown = page.texts.flags & tags.HIDDEN == 0 if paper else mark_outside_forms(page)
    no_content = {"object", "form"} if paper else {"object"}
    leaves = [
        text
        for text in np.flatnonzero(shown).tolist()
        if not any(page.tag_name(node) in no_content for node in ancestors(page, text))
    ]
    number: dict[int, int] = defaultdict(int)
    anchors: dict[int, int] = defaultdict(int)
    length: dict[int, int] = defaultdict(int)
    anchor_length: dict[int, int] = defaultdict(int)
    for leaf in leaves:
        chars = len("".join(page.text(leaf).split()))
        for node in ancestors(page, leaf):
            number[node] += 1
            length[node] += chars
            own = page.tag_name(int(page.texts.node[leaf])) == "a"
            if own if paper else page.texts.flags[leaf] & tags.IN_LINK:
                anchors[node] += 1
                anchor_length[node] += chars
    content = set()
    for leaf in leaves:
        block = next((node for node in ancestors(page, leaf) if number[node] > 1), 0)
        text = "".join(page.text(leaf).split())
        footer = page.text(leaf).strip().lower().startswith(FOOTERS)
        ratio = 0.75 * anchor_length[block] / length[block] + 0.25 * anchors[block] / number[block]
        title = anchors[block] < 2 and number[block] > 2
        if not footer and len(text) >= 2 and (ratio < 0.6 or title):
            content.add(leaf)
    return content


@pytest.mark.parametrize("method", [PAPER, EVERY_GROUP], ids=["paper", "ours"])
def test_a_block_has_the_share_of_its_content_leaves(folder: Path, method: XpathBlocks) -> None:
    page = tamis.parse((folder / "source.html").read_bytes())
    content = content_leaves(page, paper=method is PAPER)
    scores = method.score(page)
    for block, score in enumerate(scores.tolist()):
        texts = range(int(page.blocks.first_text[block]), int(page.blocks.end_text[block]))
        seen = [text for text in texts if not page.texts.flags[text] & tags.HIDDEN]
        kept = sum(int(page.texts.chars[text]) for text in seen if text in content)
        every = sum(int(page.texts.chars[text]) for text in seen)
        assert score == pytest.approx(kept / every if every else 0.0), page.block_text(block)


def kept(html: str, method: XpathBlocks = EVERY_GROUP) -> list[str]:
    page = tamis.parse(html)
    return page.block_texts(np.flatnonzero(method.score(page) >= 0.5))


LONG_AND_BOX = (
    "<article>"
    + f"<p>{'A sentence of the text. ' * 10}</p>" * 3
    + "</article><div><p>A box</p><p>of few words</p></div>"
)
PLAIN = "<div><p>One paragraph.</p><p>Another paragraph.</p></div>"


def test_a_menu_goes_and_paragraphs_stay() -> None:
    menu = "<ul><li><a href=1>Home</a><li><a href=2>News</a></ul>"
    assert kept(menu + PLAIN) == ["One paragraph.", "Another paragraph."]


def test_one_link_among_many_leaves_stays() -> None:
    # The rule for a headline that is a link and much longer than the leaves around it.
    html = "<div><h1><a href=x>A headline that is a link</a></h1><i>by</i> <i>me</i></div>" + PLAIN
    assert kept(html)[0] == "A headline that is a link"
    assert "A headline that is a link" not in kept(html.replace("<i>me</i>", ""))


@pytest.mark.parametrize(
    "footer",
    [
        "Powered by a machine",
        "Powered&nbsp;by a machine",
        "&nbsp; Powered\n by&#32;a machine",
        "&#169; 2011 The Owners",
        "COPYRIGHT 2011 The Owners",
        "&copy; 2011 The Owners",
        "© The Owners",
        "สงวนลิขสิทธิ์ 2554",
        "ลิขสิทธิ์ของเว็บไซต์",
        "Alle Rechte vorbehalten",
        "版权所有 2011",
    ],
)
def test_what_begins_as_a_footer_goes(footer: str) -> None:
    assert kept(f"<p>One.<p>Two.<p> {footer}") == ["One.", "Two."]
    assert len(kept(f"<p>One.<p>Two.<p>Not so: {footer}")) == 3


def test_a_leaf_of_one_character_goes() -> None:
    assert kept("<p>One.<p>|<p>Two.") == ["One.", "Two."]


@pytest.mark.parametrize(
    "hidden",
    [
        "<p style='display:none'>Not seen.",
        "<noscript><p>Not seen.</noscript>",
        "<form><p>Not seen.</form>",
        "<script>Not seen</script>",
        "<object data=film.swf><p>Not seen.</object>",
        "<!-- Not seen. -->",
    ],
)
def test_what_holds_no_content_goes(hidden: str) -> None:
    assert kept(PLAIN + hidden + PLAIN) == kept(PLAIN) * 2


def test_a_form_around_the_page_stays() -> None:
    assert kept(f"<p>One.<form>{PLAIN}</form>") == ["One.", *kept(PLAIN)]
    assert kept(f"<form>{PLAIN}<form><p>Two.</form></form>") == [*kept(PLAIN), "Two."]


def test_in_the_paper_every_form_goes() -> None:
    assert kept(f"<p>One.<form>{PLAIN}</form><p>Two.", PAPER) == ["One.", "Two."]


def test_in_the_paper_a_link_is_a_leaf_directly_in_an_anchor() -> None:
    menu = "<ul>" + "<li><a href=x><b>Somewhere else</b></a>" * 3 + "</ul>"
    assert kept(PLAIN + menu) == kept(PLAIN)
    assert len(kept(PLAIN + menu, PAPER)) == 5


def test_in_the_paper_every_group_stays() -> None:
    assert len(kept(LONG_AND_BOX, PAPER)) == 5


def test_an_unknown_variant_is_refused() -> None:
    with pytest.raises(MethodError, match="variant is one of ours, paper, not 'mine'"):
        tamis.extract("<p>One.", method="xpath_blocks", parameters={"variant": "mine"})


def test_a_page_of_one_leaf_is_content_unless_it_is_a_link() -> None:
    assert kept("<p>One leaf.") == ["One leaf."]
    assert kept("<p><a href=x>One leaf.</a>") == []


def test_a_group_with_little_text_goes() -> None:
    assert len(kept(LONG_AND_BOX)) == 5
    assert len(kept(LONG_AND_BOX, XpathBlocks())) == 3


@pytest.mark.parametrize(
    "part",
    [
        "<ul><li>Two eggs<li>Flour</ul>",
        "<blockquote><p>So be it,<p>she wrote.</blockquote>",
        "<table><tr><td>Weight<td>2 kg</table>",
    ],
)
def test_a_list_or_table_stays_with_the_group_around_it(part: str) -> None:
    inside = LONG_AND_BOX.replace("</article>", f"{part}</article>")
    beside = LONG_AND_BOX.replace("<article>", f"<div>{part}</div><article>")
    assert len(kept(inside, XpathBlocks())) == 5
    assert len(kept(beside, XpathBlocks())) == 3


def test_a_group_is_measured_by_its_plain_text() -> None:
    links = "<p>See " + "<a href=x>a link of many words</a> " * 3 + "of these long plain words</p>"
    text = f"<article><p>{'A sentence of the text. ' * 40}</p></article>"
    assert len(kept(f"{text}<div>{links * 9}</div>", XpathBlocks(least_group=0.9))) == 1


def test_a_thai_page_keeps_its_text(sources: dict[str, bytes]) -> None:
    page = tamis.parse(sources["news-th"])
    scores = XpathBlocks().score(page)
    longest = int(np.argmax(page.blocks.chars * (page.blocks.link_chars == 0)))
    assert scores[longest] == 1
    assert not scores[page.blocks.link_chars == page.blocks.chars].all()
