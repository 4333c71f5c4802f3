"""What kind of region each block is in: title, main, comments, navigation, related and so on.

Labels come first: landmarks, roles and the words of class names and ids, which are English on pages
of all languages. The nearest labelled element around a block decides. Without one, the links of
the block do.
"""

from __future__ import annotations

from functools import cache
from typing import Final

import numpy as np
import numpy.typing as npt

from tamis.describe.page_type import is_likely_forum
from tamis.describe.posts import values
from tamis.describe.posts.families import mark_covered
from tamis.describe.posts.messages import post_units
from tamis.describe.word_lists import word_lists
from tamis.model.features import names
from tamis.page import hashes, tags
from tamis.page.arrays import Flags, Indexes
from tamis.page.headline import IS_HEADING, headline
from tamis.page.subtree import nearest, nodes_within, texts_below
from tamis.page.table import Page

Kinds = npt.NDArray[np.uint8]

KINDS: Final = tuple(
    "other navigation footer form related promotion comments legal hidden title main".split()
)
"""The kinds by their numbers. Of two labels of an element the higher number counts."""

KIND: Final = {name: np.uint8(number) for number, name in enumerate(KINDS)}
"""Kind to number."""

# Words of class names and ids by the kind of region that they label.
_LABELS = word_lists("region_names.tsv")
# Most tokens label nothing, and these bits are enough to rule most of those out.
_LOW_BITS = np.uint64(0xFFF)
_NAMED = tuple(tags.ATTRIBUTE_ID[name] for name in ("class", "id"))
# In many more names than can be listed, such as commentBody, and in the type schema.org/Comment.
_COMMENT = b"omment"
_COMMENTED = np.zeros(len(tags.ATTRIBUTES), bool)
_COMMENTED[[*_NAMED, tags.ATTRIBUTE_ID["itemtype"]]] = True

_LANDMARKS = (
    (tags.IN_NAVIGATION, "navigation"),
    (tags.IN_FOOTER, "footer"),
    (tags.IN_FORM | tags.IN_SEARCH, "form"),
    (tags.IN_DIALOG, "promotion"),
)
_ALL_LANDMARKS = sum(bits for bits, _ in _LANDMARKS) | tags.IN_HEADER
_OF_CONTENT = tags.IN_MAIN | tags.IN_ARTICLE
_UNLABELLED = np.zeros(len(tags.NAMES) + 1, bool)
_UNLABELLED[[tags.ID[name] for name in ("html", "body", "main", "article")]] = True

# Kept words above a heading "comments", so that there is something to comment on.
_STORY = 30
# Dialogs that are looked into, and how far: "cookie" is the same word in most languages.
_MOST_DIALOGS = 20
_DIALOG = 4096
# An element with this share of what was kept, or of the page, is not the region its name says:
# themes write "menu" or "comments-open" on elements around everything.
_MOST_KEPT = 0.3
_MOST_WORDS = 0.6
# Comments that are this share of what was kept are what the page is about: a forum.
_FORUM = 0.7
# How probable a page must be a forum if a story above the posts may be the one that opens them.
_LIKELY_FORUM = 0.97
_FORUM_SIGNS = (b"DiscussionForumPosting", b"phpbb", b"phpBB", b"vBulletin", b"XenForo")
# Words of a link from which on it is a headline rather than an entry of a menu.
_HEADLINE = 4


def regions(page: Page, kept: Flags, url: str | None = None) -> Kinds:
    """The kind of each block, numbers of `KINDS`; `kept` are the blocks that are content.

    `url` is the address of the page, see `headline`.
    """
    blocks = page.blocks
    if not len(blocks):
        return np.zeros(0, np.uint8)
    own = _labels(page)
    own[_is_around_too_much(page, kept, own)] = 0
    own = _without_threads(page, kept, own, url)
    labelled = own[nearest(page, own > 0)][blocks.node]
    below = labelled[_below_a_heading(page, kept, own)]
    below[below == 0] = KIND["comments"]
    kinds = np.where(labelled > 0, labelled, _by_links(page, kept))
    # A menu in a footer is the footer's, a menu among comments theirs.
    for around, inner in (("footer", "related"), ("comments", "footer"), ("legal", "promotion")):
        inside = _inside(page, own == KIND[around]) & (kinds <= KIND[inner])
        kinds[inside] = KIND[around]
    kinds[blocks.flags & tags.HIDDEN != 0] = KIND["hidden"]
    kinds[kept & (kinds != KIND["comments"])] = KIND["main"]
    shown = blocks.flags & tags.HIDDEN == 0
    title = _title(page, kinds, shown & (labelled <= KIND["navigation"]) | kept, url)
    if title >= 0:
        kinds[title] = KIND["title"]
    return kinds


@cache
def _tokens() -> tuple[Flags, npt.NDArray[np.uint64], Kinds]:
    """The hashes of the words in `_LABELS`, sorted, and the kind of each; first their low bits."""
    tokens, kinds = [], []
    for kind, labels in _LABELS.items():
        source = " ".join(labels).encode()
        ends = np.array([_NAMED, (0, 0), (len(source), len(source))], np.intc)
        tokens.append(names.tokens(source, np.zeros(1, np.intc), ends)[1])
        kinds.append(np.full(len(tokens[-1]), KIND[kind]))
    listed, first = np.unique(np.concatenate(tokens), return_index=True)
    possible = np.zeros(int(_LOW_BITS) + 1, bool)
    possible[listed & _LOW_BITS] = True
    return possible, listed, np.concatenate(kinds)[first]


def _labels(page: Page) -> Kinds:
    """The kind that each element is labelled with, 0 for most."""
    nodes = page.nodes
    own = np.zeros(len(nodes), np.uint8)
    landmarks = np.flatnonzero(nodes.flags & _ALL_LANDMARKS)
    above = nodes.parent[landmarks]
    begun = nodes.flags[landmarks] & ~np.where(above < 0, 0, nodes.flags[above])
    for bits, kind in _LANDMARKS:
        own[landmarks[begun & bits != 0]] = KIND[kind]
    header = landmarks[begun & tags.IN_HEADER != 0]
    own[header[nodes.flags[header] & _OF_CONTENT == 0]] = KIND["navigation"]
    for node in landmarks[begun & tags.IN_DIALOG != 0][:_MOST_DIALOGS].tolist():
        start = int(nodes.start[node])
        if b"ookie" in page.source[start : min(start + _DIALOG, int(nodes.close[node]))]:
            own[node] = KIND["legal"]
    node, number, of_value, token, _ = names.values(
        page.source, nodes.attributes, page.attribute_rows
    )
    possible, listed, kinds = _tokens()
    candidates = np.flatnonzero(possible[token & _LOW_BITS])
    place, is_listed = hashes.find(listed, token[candidates])
    kind_of_value = np.zeros(len(number), np.uint8)
    np.maximum.at(kind_of_value, of_value[candidates[is_listed]], kinds[place[is_listed]])
    labelled = np.flatnonzero(kind_of_value[number])
    np.maximum.at(own, node[labelled], kind_of_value[number[labelled]])
    # The latest comments of the site are links, not comments on the page.
    commented = _find_comment_elements(page)
    own[commented[own[commented] != KIND["related"]]] = KIND["comments"]
    own[_UNLABELLED[np.minimum(nodes.tag, len(tags.NAMES))]] = 0
    return own


def _find_comment_elements(page: Page) -> Indexes:
    """The elements with a name or a type that has to do with comments."""
    number, starts, ends = page.attribute_rows
    rows = np.flatnonzero(_COMMENTED[number] & (starts >= page.texts.start[0]))
    rows = rows[values.holding(page.source, starts[rows], ends[rows], _COMMENT)]
    nodes: Indexes = np.searchsorted(page.nodes.attributes, rows, side="right") - 1
    return nodes


def _is_around_too_much(page: Page, kept: Flags, own: Kinds) -> Flags:
    """The elements that hold so much that a label on them cannot mean all of it."""
    counts = page.texts.words.astype(float)
    content = counts * kept[page.texts.block]
    below, content_below = page.sums_below(counts), page.sums_below(content)
    much = (below > _MOST_WORDS * counts.sum()) | (content_below > _MOST_KEPT * content.sum())
    too_much: Flags = much & (own != KIND["comments"])
    return too_much


def _inside(page: Page, labelled: Flags) -> Flags:
    """The blocks at or below labelled elements."""
    nodes = np.flatnonzero(labelled)
    if not len(nodes):
        return np.zeros(len(page.blocks), bool)
    return texts_below(page, nodes)[page.blocks.first_text]


def _below_a_heading(page: Page, kept: Flags, own: Kinds) -> slice:
    """The blocks from a heading "comments" on, where no element holds what comes below it."""
    nodes, texts = page.nodes, page.texts
    labelled = np.flatnonzero(own == KIND["comments"])
    labelled = labelled[IS_HEADING[np.minimum(nodes.tag[labelled], len(tags.NAMES))]]
    labelled = labelled[nodes.end_text[labelled] > nodes.first_text[labelled]]
    first = texts.block[nodes.first_text[labelled]]
    # A counter of comments may stand above the story.
    words_before = np.append(0, np.cumsum(page.blocks.words * kept))[first]
    labelled, first = labelled[words_before >= _STORY], first[words_before >= _STORY]
    if not len(labelled):
        return slice(0)
    last = int(texts.block[nodes.end_text[nodes.parent[labelled[0]]] - 1])
    return slice(int(first[0]), last + 1)


def _without_threads(page: Page, kept: Flags, own: Kinds, url: str | None) -> Kinds:
    """The labels, without those of comments that are what the page is about: a thread.

    Posts are, if there is no story above them or the page is quite likely a forum. The comments on
    a post, as below an answer, keep their label.
    """
    comments = own == KIND["comments"]
    if not comments.any():
        return own
    units = post_units(page)
    labelled = _inside(page, comments)
    counts = page.blocks.words * kept
    if units:
        first = np.array([unit.first for unit in units])
        before = np.arange(len(counts)) < page.texts.block[page.nodes.first_text[first[0]]]
        before &= ~mark_covered(page, units)[page.blocks.first_text]
        story = counts[before & (page.blocks.words >= _PARAGRAPH)].sum() >= _STORY
        if story and not is_likely_forum(page, _LIKELY_FORUM, url):
            return own
        inner = nodes_within(page, first)[page.nodes.parent[first]]
        below = mark_covered(
            page, [unit for unit, inside in zip(units, inner, strict=True) if inside]
        )
        own_words = page.texts.words * (mark_covered(page, units) & ~below)
        mostly = 2 * (own_words * labelled[page.texts.block]).sum() >= own_words.sum()
        if inner.any() and not mostly:
            comments &= ~nodes_within(page, first[~inner])
    elif not (
        any(sign in page.source for sign in _FORUM_SIGNS)
        or counts[labelled].sum() > _FORUM * counts.sum()
    ):
        return own
    return np.where(comments, 0, own)


def _by_links(page: Page, kept: Flags) -> Kinds:
    """The kind of blocks that nothing labels: from their links, controls and landmarks."""
    blocks = page.blocks
    kinds = np.zeros(len(blocks), np.uint8)
    linked = 2 * blocks.link_words >= np.maximum(blocks.words, 1)
    kinds[linked] = KIND["navigation"]
    # Long links above the content lead into the page or to the parts of the site.
    first = int(np.argmax(kept))
    kinds[first:][linked[first:] & (blocks.link_words[first:] >= _HEADLINE)] = KIND["related"]
    kinds[linked & (blocks.flags & tags.IN_ASIDE != 0)] = KIND["related"]
    kinds[blocks.flags & tags.IN_CONTROL != 0] = KIND["form"]
    return kinds


# Words of a paragraph: a heading that opens the content comes before the first that was kept.
_PARAGRAPH = 20


def _title(page: Page, kinds: Kinds, possible: Flags, url: str | None) -> int:
    """The block that is the title of the page, among the possible, -1 if there is none.

    The headline; if there is none, the heading that opens the content.
    """
    title = headline(page, url).block
    if title >= 0 and possible[title]:
        return title
    tag = np.minimum(page.nodes.tag[page.blocks.node], len(tags.NAMES))
    main = possible & (kinds == KIND["main"])
    headings = np.flatnonzero(main & IS_HEADING[tag])[:1]
    long = np.flatnonzero(main & (page.blocks.words >= _PARAGRAPH))[:1]
    opens = len(headings) and len(long) and headings[0] < long[0]
    return int(headings[0]) if opens else -1
