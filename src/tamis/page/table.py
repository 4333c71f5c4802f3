"""The page table: a page as read-only columns in document order.

`Page.nodes`, `.texts` and `.blocks` hold one numpy array per column. Nodes are in preorder, so the
subtree of node `i` is `i..nodes.last[i]`, and the texts below it are the contiguous range
`nodes.first_text[i]..nodes.end_text[i]`: any sum over a subtree is the difference of two prefix
sums (`Page.sums_below`). Text is decoded when somebody asks for it.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, fields
from typing import Any, cast

import numpy as np
import numpy.typing as npt

from tamis._runtime import limits
from tamis._runtime.libraries import make_frame
from tamis.page import tags
from tamis.page.arrays import Floats, Indexes, Ints
from tamis.page.attributes import Attributes, value_of
from tamis.page.declared import Declared
from tamis.page.lazy import lazy
from tamis.page.scan.lexer import read_attributes
from tamis.page.text.references import resolve_references
from tamis.page.text.strings import Strings, join_blocks

# Steps of an XPath. One page in 2,000 of our data sets is deeper.
_LONGEST_PATH = 64
# Letters of the name of an element in an XPath; a longer one is a star. Names of HTML have 10.
_LONGEST_NAME = 100


class Tabular:
    """Arrays of one length, the fields of a dataclass."""

    __slots__ = ()

    def to_frame(self) -> Any:
        """The columns as a table of pandas, or of polars where there is no pandas."""
        names = [column.name for column in fields(cast(Any, self))]
        return make_frame({name: getattr(self, name) for name in names})


@dataclass(frozen=True, slots=True, eq=False)
class Nodes(Tabular):
    """Elements in document order."""

    tag: Ints
    """Number of the tag; `Page.tag_name` gives its name."""
    parent: Ints
    """Index of the parent, -1 for the root."""
    depth: Ints
    """0 for the root."""
    last: Ints
    """Index of the last descendant, the node itself if it has none."""
    start: Ints
    """Source offset of the start tag, or of the place where an implied element begins."""
    close: Ints
    """Source offset of the end tag, or of what ended the element."""
    attributes: Ints
    """First row of the element's attributes in `Page.attribute_rows`."""
    flags: Ints
    """What holds for the element and all below it: the bits of `tamis.page.tags`."""
    first_text: Ints
    """First text at or below the element."""
    end_text: Ints
    """One past the last text at or below the element."""

    def __len__(self) -> int:
        return len(self.tag)


@dataclass(frozen=True, slots=True, eq=False)
class Texts(Tabular):
    """Runs of text between tags. White space alone is not a run."""

    start: Ints
    end: Ints
    """Source offsets."""
    node: Ints
    """The element whose child the text is."""
    block: Ints
    """The block it belongs to."""
    tags: Ints
    """Number of start and end tags in the source before it."""
    flags: Ints
    """Its node's flags, whether it is in a link, and what separates it from the run before."""
    chars: Ints
    """Characters without white space."""
    words: Ints
    """Words that begin in it; see `tamis.page.text.characters` for scripts without spaces."""
    punctuation: Ints
    capitals: Ints
    digits: Ints
    unspaced: Ints
    """Code points of scripts without spaces."""

    def __len__(self) -> int:
        return len(self.start)


@dataclass(frozen=True, slots=True, eq=False)
class Blocks(Tabular):
    """Runs of texts that no block-level tag separates: paragraphs, headings, items, cells.

    Counts as those of `Texts`, over the visible texts of the block, or over all if all are hidden.
    """

    first_text: Ints
    end_text: Ints
    """One past the last text."""
    node: Ints
    """The lowest block-level element around it."""
    flags: Ints
    """What holds for all its visible texts."""
    chars: Ints
    words: Ints
    link_chars: Ints
    """Characters inside links."""
    link_words: Ints
    """Words inside links."""
    punctuation: Ints
    capitals: Ints
    digits: Ints
    unspaced: Ints
    lines: Ints
    """Full lines when the text is wrapped at 80 characters, 1 if it is shorter than a line."""
    line_words: Ints
    """Words in those lines."""

    def __len__(self) -> int:
        return len(self.node)

    @property
    def link_density(self) -> Floats:
        """Share of the words of each block that are in links."""
        return self.link_words / np.maximum(self.words, 1)

    @property
    def text_density(self) -> Floats:
        """Words per line of each block when it is wrapped, its last line left out."""
        return self.line_words / self.lines


@dataclass(frozen=True, eq=False)
class Page:
    """A page as columns. Read-only: nothing in tamis changes a page."""

    source: bytes
    """The page in UTF-8. All offsets count its bytes."""
    encoding: str
    """The encoding it came in."""
    nodes: Nodes
    texts: Texts
    blocks: Blocks
    attribute_rows: Ints
    """Name number (`tags.ATTRIBUTES`), start and end of the value: one column per attribute."""
    own_names: dict[bytes, int]
    """Numbers of the tags that are not in `tags.NAMES`."""

    def __repr__(self) -> str:
        return (
            f"<Page {len(self.source)} bytes, {len(self.nodes)} nodes, {len(self.texts)} texts,"
            f" {len(self.blocks)} blocks>"
        )

    def __reduce__(self) -> tuple[type[Page], tuple[object, ...]]:
        # The columns alone: what was made of them is made again.
        return Page, tuple(getattr(self, column.name) for column in fields(self))

    # Text

    def text(self, text: int) -> str:
        """A run of text, white space collapsed (but not inside pre)."""
        return self._strings.text(text)

    def block_text(self, block: int) -> str:
        """The text of a block as a browser shows it; hidden text only if all of it is hidden."""
        columns = self.blocks
        first, end = int(columns.first_text[block]), int(columns.end_text[block])
        return self._strings.block(first, end, int(columns.flags[block]) & tags.HIDDEN)

    def block_texts(self, blocks: Indexes) -> list[str]:
        """The texts of these blocks, see `block_text`."""
        return join_blocks(self, blocks)

    def node_text(self, node: int) -> str:
        """The text of a node and all below it, blocks separated by line breaks."""
        first, end = int(self.nodes.first_text[node]), int(self.nodes.end_text[node])
        hidden = int(self.nodes.flags[node]) & tags.HIDDEN
        if end == first + 1:
            return self._strings.block(first, end, hidden)
        lines = []
        while first < end:
            # Texts of a block are neighbours, so the block's end is its last text's.
            stop = min(end, int(self.blocks.end_text[self.texts.block[first]]))
            lines.append(self._strings.block(first, stop, hidden))
            first = stop
        return "\n".join(line for line in lines if line)

    @lazy
    def _strings(self) -> Strings:
        return Strings(self)

    def content(self, node: int) -> str:
        """What the source has between the tags of a node, as it is: scripts, styles, titles."""
        begin = int(self.nodes.start[node])
        if not self.nodes.flags[node] & tags.IMPLIED:
            _, begin = read_attributes(self.source, begin)
        return self.source[begin : self.nodes.close[node]].decode("utf-8", "replace")

    @lazy
    def declared(self) -> Declared:
        """What the page says about itself for machines."""
        return Declared(self)

    @lazy
    def title(self) -> str:
        """The text of the first title element of the head."""
        for node in np.flatnonzero(self.nodes.tag == tags.ID["title"]):
            if not self.nodes.flags[node] & tags.FOREIGN:
                return " ".join(resolve_references(_replace_nul(self.content(int(node)))).split())
        return ""

    @lazy
    def made(self) -> dict[Hashable, Any]:
        """What others have made of the page and will ask for again."""
        return {}

    # Elements

    def tag_name(self, node: int) -> str:
        """Lower-case name of an element."""
        tag = int(self.nodes.tag[node])
        if tag < len(tags.NAMES):
            return tags.NAMES[tag]
        return self._own_tag_names[tag - len(tags.NAMES)]

    @lazy
    def _own_tag_names(self) -> list[str]:
        return [name.decode("utf-8", "replace") for name in self.own_names]

    def attributes(self, node: int) -> dict[str, str]:
        """All attributes of an element, as the source has them, references resolved."""
        if self.nodes.flags[node] & tags.IMPLIED:
            return {}
        return parse_attributes(self.source, int(self.nodes.start[node]))

    def attribute(self, node: int, name: str) -> str | None:
        """The value of one of the attributes in `tags.ATTRIBUTES`, None if it is not there."""
        raw = self._attributes.raw(node, tags.ATTRIBUTE_ID[name])
        return None if raw is None else value_of(raw)

    @lazy
    def _attributes(self) -> Attributes:
        return Attributes(self)

    def xpath(self, node: int) -> str:
        """XPath of an element: its path, with positions among siblings of the same name.

        An element deeper than `_LONGEST_PATH` is identified by its place among all of its name,
        `(//p)[7]`: the paths of all blocks of a hostile page would fill the memory.
        """
        if self.nodes.depth[node] > _LONGEST_PATH:
            name = self.tag_name(node)
            if len(name) > _LONGEST_NAME:
                return f"(//*)[{node + 1}]"
            return f"(//{name})[{self._places_by_name[node]}]"
        parents, names = self._steps
        steps = []
        while node >= 0:
            steps.append(names[node])
            node = parents[node]
        return "/" + "/".join(reversed(steps))

    @lazy
    def _steps(self) -> tuple[list[int], list[str]]:
        place, count = _number_alike(self.nodes.tag, self.nodes.parent)
        among_all = _number_alike(self.nodes.parent)[0]
        names = []
        for node, (own, same) in enumerate(
            limits.check_each(zip(place.tolist(), count.tolist(), strict=True))
        ):
            name = self.tag_name(node)
            if len(name) > _LONGEST_NAME:
                name, own, same = "*", int(among_all[node]), 2
            names.append(f"{name}[{own}]" if same > 1 else name)
        return self.nodes.parent.tolist(), names

    @lazy
    def _places_by_name(self) -> Indexes:
        return _number_alike(self.nodes.tag)[0]

    # Columns that not every reader needs

    @lazy
    def text_lines(self) -> Indexes:
        """The source line of each text, from 0."""
        breaks = np.flatnonzero(np.frombuffer(self.source, np.uint8) == ord("\n"))
        return np.searchsorted(breaks, self.texts.start)

    def sums_below(self, values: npt.NDArray[np.generic]) -> npt.NDArray[np.generic]:
        """For each node the sum of a column of `texts` over the node and all below it."""
        sums = np.concatenate((np.zeros(1, values.dtype), np.cumsum(values)))
        result: npt.NDArray[np.generic] = sums[self.nodes.end_text] - sums[self.nodes.first_text]
        return result


def parse_attributes(source: bytes, start: int = 0) -> dict[str, str]:
    pairs, _ = read_attributes(source, start)
    values: dict[str, str] = {}
    for name, value in pairs:
        values.setdefault(_replace_nul(name.decode("utf-8", "replace")), value_of(value))
    return values


def _replace_nul(text: str) -> str:
    """What the standard makes of NUL wherever it does not drop it."""
    return text.replace("\0", "\ufffd")


def _number_alike(*keys: Ints) -> tuple[Indexes, Indexes]:
    """For each row its place among the rows with the same keys, from 1, and their number."""
    order = np.lexsort(keys)  # stable: document order inside a group
    new = np.ones(len(order), bool)
    new[1:] = np.any([key[order][1:] != key[order][:-1] for key in keys], axis=0)
    first = np.flatnonzero(new)
    group = np.cumsum(new) - 1
    place, count = np.empty_like(order), np.empty_like(order)
    place[order] = np.arange(len(order)) - first[group] + 1
    count[order] = np.diff(first, append=len(order))[group]
    return place, count
