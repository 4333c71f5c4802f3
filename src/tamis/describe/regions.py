"""What kind of region each block is in: title, main, comments, navigation, related and so on.

Labels come first: landmarks, roles, and words in class names and ids, which are English on pages in
all languages. The nearest labelled element around a block decides; without one, its links do.
"""

from __future__ import annotations

from functools import cache
from typing import Final

import numpy as np
import numpy.typing as npt

from tamis.describe import attribute_values as values
from tamis.describe import read_word_lists
from tamis.describe.posts.families import mark_covered
from tamis.describe.posts.messages import find_post_units
from tamis.describe.types.page_type import is_likely_forum
from tamis.model.features import element_hashes
from tamis.page import tags
from tamis.page.arrays import Flags, Indexes, find_hashes
from tamis.page.headline import IS_HEADING, find_headline
from tamis.page.structure.subtrees import find_nearest, mark_nodes, mark_texts
from tamis.page.table import Page

Kinds = npt.NDArray[np.uint8]

KINDS: Final = tuple(
    "other navigation footer form related promotion comments legal hidden title main".split()
)
"""The kinds by their numbers. If an element has two labels, the higher number counts."""

KIND: Final = {name: np.uint8(number) for number, name in enumerate(KINDS)}
"""Kind to number."""

# Words in class names and ids, by the kind of region that they label.
_LABELS = read_word_lists("region_names.tsv")
# Most tokens label nothing, and these bits are enough to rule most of them out.
_LOW_BITS = np.uint64(0xFFF)
_NAMED = tuple(tags.ATTRIBUTE_ID[name] for name in ("class", "id"))
# In more names than can be listed, such as commentBody, and in the type schema.org/Comment.
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

# Kept words above a heading "comments": there must be something to comment on.
_STORY = 30
# Dialogs that are read, and how far: "cookie" is the same word in most languages.
_MOST_DIALOGS = 20
_DIALOG = 4096
# An element with this share of what was kept, or of the page, is not the region that its name says:
# themes write "menu" or "comments-open" on elements around everything.
_MOST_KEPT = 0.3
_MOST_WORDS = 0.6
# Comments with this share of what was kept are what the page is about: a forum.
_FORUM = 0.7
# Probability of a forum from which on a story above the posts is the post that opens the thread.
_LIKELY_FORUM = 0.97
_FORUM_SIGNS = (b"DiscussionForumPosting", b"phpbb", b"phpBB", b"vBulletin", b"XenForo")
# Words of a link from which on it is a headline rather than an entry of a menu.
_HEADLINE = 4
# Words of a paragraph: a heading that opens the content comes before the first that was kept.
_PARAGRAPH = 20


def find_regions(page: Page, kept: Flags, url: str | None = None) -> Kinds:
    """Find the kind of each block, as numbers of `KINDS`; `kept` are the blocks with content.

    `url` is the address of the page, see `find_headline`.
    """
    blocks = page.blocks
    if not len(blocks):
        return np.zeros(0, np.uint8)
    own = _label_elements(page)
    own[_mark_too_large(page, kept, own)] = 0
    own = _drop_threads(page, kept, own, url)
    labelled = own[find_nearest(page, own > 0)][blocks.node]
    below = labelled[_find_below_heading(page, kept, own)]
    below[below == 0] = KIND["comments"]
    kinds = np.where(labelled > 0, labelled, _classify_by_links(page, kept))
    # A menu in a footer is the footer's, a menu among comments theirs.
    for around, inner in (("footer", "related"), ("comments", "footer"), ("legal", "promotion")):
        inside = _mark_inside(page, own == KIND[around]) & (kinds <= KIND[inner])
        kinds[inside] = KIND[around]
    kinds[blocks.flags & tags.HIDDEN != 0] = KIND["hidden"]
    kinds[kept & (kinds != KIND["comments"])] = KIND["main"]
    shown = blocks.flags & tags.HIDDEN == 0
    title = _find_title(page, kinds, shown & (labelled <= KIND["navigation"]) | kept, url)
    if title >= 0:
        kinds[title] = KIND["title"]
    return kinds


@cache
def _hash_labels() -> tuple[Flags, npt.NDArray[np.uint64], Kinds]:
    """Hash the words of `_LABELS`: the low bits of the hashes, the sorted hashes, their kinds."""
    tokens, kinds = [], []
    for kind, labels in _LABELS.items():
        source = " ".join(labels).encode()
        ends = np.array([_NAMED, (0, 0), (len(source), len(source))], np.intc)
        tokens.append(element_hashes.read_tokens(source, np.zeros(1, np.intc), ends)[1])
        kinds.append(np.full(len(tokens[-1]), KIND[kind]))
    listed, first = np.unique(np.concatenate(tokens), return_index=True)
    possible = np.zeros(int(_LOW_BITS) + 1, bool)
    possible[listed & _LOW_BITS] = True
    return possible, listed, np.concatenate(kinds)[first]


def _label_elements(page: Page) -> Kinds:
    """Find the kind that each element is labelled with, 0 for most."""
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
    node, number, of_value, token, _ = element_hashes.read_values(
        page.source, nodes.attributes, page.attribute_rows
    )
    possible, listed, kinds = _hash_labels()
    candidates = np.flatnonzero(possible[token & _LOW_BITS])
    place, is_listed = find_hashes(listed, token[candidates])
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
    """Find the elements with a name or a type that contains "comment"."""
    number, starts, ends = page.attribute_rows
    rows = np.flatnonzero(_COMMENTED[number] & (starts >= page.texts.start[0]))
    rows = rows[values.mark_containing(page.source, starts[rows], ends[rows], _COMMENT)]
    nodes: Indexes = np.searchsorted(page.nodes.attributes, rows, side="right") - 1
    return nodes


def _mark_too_large(page: Page, kept: Flags, own: Kinds) -> Flags:
    """Mark elements that hold so much that their label cannot mean all of it."""
    counts = page.texts.words.astype(float)
    content = counts * kept[page.texts.block]
    below, content_below = page.sums_below(counts), page.sums_below(content)
    much = (below > _MOST_WORDS * counts.sum()) | (content_below > _MOST_KEPT * content.sum())
    too_much: Flags = much & (own != KIND["comments"])
    return too_much


def _mark_inside(page: Page, labelled: Flags) -> Flags:
    """Mark the blocks at or below labelled elements."""
    nodes = np.flatnonzero(labelled)
    if not len(nodes):
        return np.zeros(len(page.blocks), bool)
    return mark_texts(page, nodes)[page.blocks.first_text]


def _find_below_heading(page: Page, kept: Flags, own: Kinds) -> slice:
    """Find the blocks from a heading "comments" on, where no element holds what follows it."""
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


def _drop_threads(page: Page, kept: Flags, own: Kinds, url: str | None) -> Kinds:
    """Drop the labels of comments that are what the page is about: a thread.

    Posts are, if there is no story above them or the page very likely is a forum. Comments on a
    post, as below an answer, keep their label.
    """
    comments = own == KIND["comments"]
    if not comments.any():
        return own
    units = find_post_units(page)
    labelled = _mark_inside(page, comments)
    counts = page.blocks.words * kept
    if units:
        first = np.array([unit.first for unit in units])
        before = np.arange(len(counts)) < page.texts.block[page.nodes.first_text[first[0]]]
        before &= ~mark_covered(page, units)[page.blocks.first_text]
        story = counts[before & (page.blocks.words >= _PARAGRAPH)].sum() >= _STORY
        if story and not is_likely_forum(page, _LIKELY_FORUM, url):
            return own
        inner = mark_nodes(page, first)[page.nodes.parent[first]]
        below = mark_covered(
            page, [unit for unit, inside in zip(units, inner, strict=True) if inside]
        )
        own_words = page.texts.words * (mark_covered(page, units) & ~below)
        mostly = 2 * (own_words * labelled[page.texts.block]).sum() >= own_words.sum()
        if inner.any() and not mostly:
            comments &= ~mark_nodes(page, first[~inner])
    elif not (
        any(sign in page.source for sign in _FORUM_SIGNS)
        or counts[labelled].sum() > _FORUM * counts.sum()
    ):
        return own
    return np.where(comments, 0, own)


def _classify_by_links(page: Page, kept: Flags) -> Kinds:
    """Classify blocks without a label by their links, controls and landmarks."""
    blocks = page.blocks
    kinds = np.zeros(len(blocks), np.uint8)
    linked = 2 * blocks.link_words >= np.maximum(blocks.words, 1)
    kinds[linked] = KIND["navigation"]
    # Long links above the content lead into the page or to parts of the site.
    first = int(np.argmax(kept))
    kinds[first:][linked[first:] & (blocks.link_words[first:] >= _HEADLINE)] = KIND["related"]
    kinds[linked & (blocks.flags & tags.IN_ASIDE != 0)] = KIND["related"]
    kinds[blocks.flags & tags.IN_CONTROL != 0] = KIND["form"]
    return kinds


def _find_title(page: Page, kinds: Kinds, possible: Flags, url: str | None) -> int:
    """Find the title among possible blocks, -1 if there is none.

    It is the headline, or else the heading that opens the content.
    """
    title = find_headline(page, url).block
    if title >= 0 and possible[title]:
        return title
    tag = np.minimum(page.nodes.tag[page.blocks.node], len(tags.NAMES))
    main = possible & (kinds == KIND["main"])
    headings = np.flatnonzero(main & IS_HEADING[tag])[:1]
    long = np.flatnonzero(main & (page.blocks.words >= _PARAGRAPH))[:1]
    opens = len(headings) and len(long) and headings[0] < long[0]
    return int(headings[0]) if opens else -1
