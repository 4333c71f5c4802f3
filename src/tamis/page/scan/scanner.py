"""One pass over the bytes of a page, into the columns of the page table.

`lex` reads the tokens, `runs` the text between them; this module is the tree. It follows a reduced
form of the standard's tree construction: void elements, implied start and end tags, scopes,
tables, forms, svg and math. It does not move nodes: no adoption agency (an end tag such as `</b>`
that comes too early ends the element for the text that follows, the tree keeps its shape) and no
foster parenting (text between table rows stays where it is in the source).
docs/explanation/conformance.md measures what that costs.

Every loop moves forward through the source, and every look-up among the open elements is one
comparison (`top` holds the deepest open element of each tag, `stack` the deepest one of each
class), so the time is linear in the size of the page whatever the page does. Part of the hot
path, see `tamis.page.scan.lexer`.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import numpy as np

from tamis._runtime.compiled import view_numbers
from tamis.errors import DeadlineError, TooDeepError, TooManyNodesError
from tamis.page import tags
from tamis.page.arrays import grow_rows, trim_rows
from tamis.page.scan.lexer import ATTRIBUTE_COLUMNS, MAX_NAMES
from tamis.page.scan.runs import Runs
from tamis.page.tags import (
    ARIA_HIDDEN,
    ATTRIBUTE_HIDDEN,
    BLOCK,
    BREAKOUT,
    CDATA,
    CLOSED_EARLY,
    CLOSES_P,
    DOCTYPE,
    END,
    FOREIGN,
    FORMATTING,
    HEADING,
    IMPLIED,
    IN_LINK,
    INTEGRATION,
    IS_LINK,
    ITEM_STOP,
    METADATA,
    RAW,
    RCDATA,
    SCOPE,
    SKIPPED,
    SPECIAL,
    START,
    STYLE_HIDDEN,
    TABLE_PART,
    TEXT,
    UNMATCHED_END,
    VOID,
)

if TYPE_CHECKING:
    import cython

COMPILED = not __file__.endswith(".py")

(
    N_TAG, N_PARENT, N_DEPTH, N_LAST, N_START, N_CLOSE, N_ATTRIBUTES, N_FLAGS,
    N_FIRST_TEXT, N_END_TEXT,
) = NODE_COLUMNS = range(10)  # fmt: skip
A_NAME, A_START, A_END = ATTRIBUTE_COLUMNS

# The stack of open elements: the node, the deepest open node of three classes, the deepest
# block-level node, and the flags that hold for what comes next.
S_NODE, S_SPECIAL, S_SCOPE, S_ITEM, S_BLOCK, S_FLAGS = range(6)

LARGEST = 2**31 - 1  # what a column can hold
CHECK_EVERY = 4096  # tokens between two looks at the clock

(
    A, BODY, BR, BUTTON, CAPTION, COL, COLGROUP, DD, DIALOG, DT, FORM, FRAMESET, H1, HEAD, HTML,
    IMAGE, IMG, LI, NOBR, NOSCRIPT, OL, OPTGROUP, OPTION, P, PLAINTEXT, RP, RT, SCRIPT, SELECT,
    STYLE, TABLE, TBODY, TD, TEMPLATE, TFOOT, TH, THEAD, TITLE, TR, UL, XMP,
) = tags.find_ids(
    "a body br button caption col colgroup dd dialog dt form frameset h1 head html"
    " image img li nobr noscript ol optgroup option p plaintext rp rt script select"
    " style table tbody td template tfoot th thead title tr ul xmp"
)  # fmt: skip
AT_ARIA_HIDDEN, AT_HIDDEN, AT_HREF, AT_ONCLICK, AT_OPEN, AT_ROLE, AT_SRC, AT_STYLE = (
    tags.find_attribute_ids("aria-hidden hidden href onclick open role src style")
)

ROLES = {name.encode(): flag for name, flag in tags.LANDMARKS.items()}


def pad_table(listed: tuple[int, ...]) -> np.ndarray:
    """What is known of listed tags, and 0 for all others, by the number of the tag."""
    table = np.zeros(MAX_NAMES, np.intc)
    table[: len(listed)] = listed
    return table


TRAITS = view_numbers(pad_table(tags.TRAITS))
CONTEXTS = view_numbers(pad_table(tags.CONTEXT))


class Scanner(Runs):
    """Tokens into nodes, and with them texts and blocks."""

    def __init__(
        self, source: bytes, max_nodes: int, max_depth: int, deadline: float | None
    ) -> None:
        Runs.__init__(self, source)
        self.max_nodes = min(max_nodes, LARGEST)
        self.max_depth = min(max_depth, LARGEST)
        self.deadline = deadline
        self.node_rows = np.empty((len(NODE_COLUMNS), 16 + self.size // 100), np.intc)
        self.nodes = view_numbers(self.node_rows)
        self.stack_rows = np.empty((6, 128), np.intc)
        self.stack = view_numbers(self.stack_rows)
        self.top = view_numbers(np.zeros(MAX_NAMES, np.intc))
        self.n_nodes = self.depth = 0
        self.start = self.after = 0
        self.head_seen = self.ended = 0
        self.noscript_end = 0
        self.endless: set[int] = set()
        self.quirks = 1
        self.form = 0

    def scan(self) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, dict[bytes, int]]:
        """Read the whole page; the columns of nodes, texts, blocks, attributes, and new names."""
        i: cython.size_t = 0
        size: cython.size_t = self.size
        tokens: cython.int = 0
        while i < size:
            tokens += 1
            if tokens % CHECK_EVERY == 0:
                self.check_clock()
            self.start = i
            if self.src[i] != 60:
                i = self.read_text(i, size, 0, 0)
                continue
            i = self.after = self.read_token(i)
            if self.kind == START:
                self.n_tags += 1
                self.start_tag()
                i = self.after
            elif self.kind == END:
                self.n_tags += 1
                self.end_tag()
            elif self.kind == TEXT:
                i = self.read_text(self.start, size, 0, i)
            elif self.kind == CDATA:
                self.read_text(self.value_start, self.value_end, 2, 0)
            elif self.kind == DOCTYPE and not self.depth:
                self.quirks = tags.is_quirky(self.src[self.value_start : self.value_end])
        self.start = self.after = size
        self.first_attribute = self.n_attributes
        self.enter_body()
        self.close_from(0)
        self.end_block()
        self.check_clock()
        # One table after the other, so that only one table is in memory twice.
        self.nodes = self.texts = self.blocks = self.attributes = None
        self.node_rows = trim_rows(self.node_rows, self.n_nodes)
        self.text_rows = trim_rows(self.text_rows, self.n_texts)
        self.block_rows = trim_rows(self.block_rows, self.n_blocks)
        self.attribute_rows = trim_rows(self.attribute_rows, self.n_attributes)
        return self.node_rows, self.text_rows, self.block_rows, self.attribute_rows, self.names

    def check_clock(self) -> cython.int:
        if self.deadline is not None and time.monotonic() > self.deadline:
            raise DeadlineError(
                f"reading the page took too long (at byte {self.start} of {self.size});"
                " raise Options.max_seconds to give it more time"
            )
        return 0

    # The stack of open elements

    def open_node(self, tag: cython.int, own: cython.int) -> cython.int:
        """Append a node with flags `own` to those of its parent; it is open unless void."""
        node: cython.int = self.n_nodes
        depth: cython.int = self.depth
        traits: cython.int = TRAITS[tag]
        flags: cython.int = own
        if node >= self.nodes.shape[1]:
            self.node_rows = grow_rows(self.node_rows)
            self.nodes = view_numbers(self.node_rows)
        if node >= self.max_nodes:
            raise TooManyNodesError(
                f"the page has more than {self.max_nodes} elements;"
                " raise Options.max_nodes to read it"
            )
        if traits & BLOCK:
            self.end_block()
        flags |= CONTEXTS[tag]
        if depth:
            flags |= self.context
            self.nodes[N_PARENT, node] = self.node
        else:
            self.nodes[N_PARENT, node] = -1
        self.nodes[N_TAG, node] = tag
        self.nodes[N_DEPTH, node] = depth
        self.nodes[N_START, node] = self.start
        self.nodes[N_ATTRIBUTES, node] = self.first_attribute
        self.nodes[N_FLAGS, node] = flags
        self.nodes[N_FIRST_TEXT, node] = self.n_texts
        self.n_nodes = node + 1
        if traits & VOID or (self.self_closing and flags & FOREIGN and not own & IMPLIED):
            self.nodes[N_LAST, node] = node
            self.nodes[N_CLOSE, node] = self.after
            self.nodes[N_END_TEXT, node] = self.n_texts
            return node
        if depth >= self.max_depth:
            raise TooDeepError(
                f"the page nests elements deeper than {self.max_depth};"
                " raise Options.max_depth to read it"
            )
        if depth >= self.stack.shape[1]:
            self.stack_rows = grow_rows(self.stack_rows)
            self.stack = view_numbers(self.stack_rows)
        if own & IS_LINK:
            self.links += 1
        inner: cython.int = flags & ~(IMPLIED | CLOSED_EARLY | IS_LINK)
        if self.foreign:
            if traits & INTEGRATION:
                inner &= ~FOREIGN
                traits |= SCOPE
            else:
                traits = 0
        self.nodes[N_LAST, node] = self.top[tag]
        self.top[tag] = node
        self.stack[S_NODE, depth] = node
        self.stack[S_FLAGS, depth] = inner
        # The root is of all four classes, so there is always a row above to take from.
        above: cython.int = depth - 1
        self.stack[S_SPECIAL, depth] = node if traits & SPECIAL else self.stack[S_SPECIAL, above]
        self.stack[S_SCOPE, depth] = node if traits & SCOPE else self.stack[S_SCOPE, above]
        self.stack[S_ITEM, depth] = node if traits & ITEM_STOP else self.stack[S_ITEM, above]
        self.block_node = self.stack[S_BLOCK, depth] = node if traits & BLOCK else self.block_node
        self.depth = depth + 1
        self.node = node
        self.context = inner
        self.foreign = inner & FOREIGN
        return node

    def close_from(self, node: cython.int) -> cython.int:
        """Close every open element from the deepest one up to and with `node`."""
        while self.depth and self.node >= node:
            self.close_one()
        while self.depth > 1 and self.nodes[N_FLAGS, self.node] & CLOSED_EARLY:
            self.close_one()
        return 0

    def close_one(self) -> cython.int:
        depth: cython.int = self.depth - 1
        node: cython.int = self.stack[S_NODE, depth]
        tag: cython.int = self.nodes[N_TAG, node]
        traits: cython.int = TRAITS[tag]
        if traits & BLOCK:
            self.end_block()
        if traits & SCOPE:
            self.lost_link = 0
        if not self.nodes[N_FLAGS, node] & CLOSED_EARLY:
            self.top[tag] = self.nodes[N_LAST, node]
            if self.nodes[N_FLAGS, node] & IS_LINK:
                self.links -= 1
                if node != self.ended and not self.nodes[N_FLAGS, node] & FOREIGN:
                    self.lost_link = 1
        self.nodes[N_LAST, node] = self.n_nodes - 1
        self.nodes[N_CLOSE, node] = self.start
        self.nodes[N_END_TEXT, node] = self.n_texts
        self.depth = depth
        if depth:
            self.follow_stack()
        return 0

    def follow_stack(self) -> cython.int:
        self.node = self.stack[S_NODE, self.depth - 1]
        self.block_node = self.stack[S_BLOCK, self.depth - 1]
        self.context = self.stack[S_FLAGS, self.depth - 1]
        self.foreign = self.context & FOREIGN
        return 0

    def close_early(self, node: cython.int) -> cython.int:
        """The end tag of `node` while blocks inside it are open: it ends for what follows."""
        tag: cython.int = self.nodes[N_TAG, node]
        self.nodes[N_FLAGS, node] |= CLOSED_EARLY
        self.top[tag] = self.nodes[N_LAST, node]
        if self.nodes[N_FLAGS, node] & IS_LINK:
            self.links -= 1
        return 0

    def end_formatting(self, tag: cython.int) -> cython.int:
        """The end of a formatting element such as `a` or `b`, wherever blocks began inside it."""
        node: cython.int = self.top[tag]
        if tag == A:
            self.lost_link = 0
        if node <= self.find_scope():
            return 0
        if self.stack[S_SPECIAL, self.depth - 1] > node:
            return self.close_early(node)
        return self.end_node(node)

    def end_node(self, node: cython.int) -> cython.int:
        """Close up to `node` because of its own end tag."""
        self.ended = node
        self.close_from(node)
        self.ended = 0
        return 0

    def open_implied(self, tag: cython.int) -> cython.int:
        return self.open_node(tag, IMPLIED)

    def find_scope(self) -> cython.int:
        """The deepest open element that an end tag does not reach beyond."""
        return self.stack[S_SCOPE, self.depth - 1]

    def current_tag(self) -> cython.int:
        return self.nodes[N_TAG, self.node]

    # Before the body

    def enter_body(self) -> cython.int:
        """Make sure that html, head and body exist."""
        if not self.depth:
            self.open_implied(HTML)
        if not self.in_body:
            if not self.head_seen:
                self.open_implied(HEAD)
                self.head_seen = 1
            self.close_from(1)
            self.in_body = 1
            self.open_implied(BODY)
        return 0

    def begin_body(self) -> cython.int:
        """Text begins the body, unless it is inside noscript or template in the head."""
        self.first_attribute = self.n_attributes
        if self.depth <= 2:
            self.enter_body()
        return 0

    def start_before_body(self, tag: cython.int, traits: cython.int) -> cython.int:
        """A start tag before the body; 1 if that is all there is to do about it."""
        if not self.depth:
            if tag == HTML:
                self.open_node(tag, self.own_flags(tag))
                return 1
            self.open_implied(HTML)
        if self.depth > 2:
            return 0  # inside noscript or template in the head
        if tag == HTML:
            return self.drop()
        if tag == HEAD:
            if self.head_seen:
                return self.drop()
            self.head_seen = 1
            self.open_node(tag, self.own_flags(tag))
            return 1
        if not self.head_seen:
            self.head_seen = 1
            self.open_implied(HEAD)
        if traits & METADATA:
            return 0
        self.close_from(1)
        self.in_body = 1
        if tag in (BODY, FRAMESET):
            self.open_node(tag, self.own_flags(tag))
            return 1
        self.open_implied(BODY)
        return 0

    def drop(self) -> cython.int:
        """Leave out the start tag that was just read."""
        self.n_attributes = self.first_attribute
        return 1

    # Start tags

    def start_tag(self) -> cython.int:
        tag: cython.int = self.tag
        traits: cython.int = TRAITS[tag]
        if not self.in_body and self.start_before_body(tag, traits):
            return 0
        if self.foreign:
            if not traits & BREAKOUT:
                self.open_node(tag, self.own_flags(tag))
                return 0
            while self.foreign:
                self.close_one()
        if tag == IMAGE:
            tag = IMG
            traits = TRAITS[tag]
        if traits & (CLOSES_P | TABLE_PART):
            if self.start_block(tag, traits):
                return 0
        elif tag in (A, NOBR):
            self.end_formatting(tag)
        elif tag == BUTTON:
            if self.top[BUTTON] > self.find_scope():
                self.close_from(self.top[BUTTON])
        elif tag in (OPTION, OPTGROUP):
            if self.current_tag() == OPTION:
                self.close_one()
            if tag == OPTGROUP and self.current_tag() == OPTGROUP:
                self.close_one()
        elif tag == SELECT:
            if self.top[SELECT] > self.find_scope():
                self.close_from(self.top[SELECT])
                self.drop()
                return 0
        elif tag in (RT, RP):
            if self.current_tag() == RT or self.current_tag() == RP:
                self.close_one()
        elif tag in (HTML, HEAD, BODY, FRAMESET):
            self.drop()
            return 0
        if self.current_tag() == COLGROUP and tag != COL and tag != TEMPLATE:
            self.close_one()

        self.open_node(tag, self.own_flags(tag))
        if tag == BR:
            self.line_break()
        elif tag == FORM:
            if not self.top[TEMPLATE]:
                self.form = self.node
            if self.top[TABLE] and self.top[TABLE] == self.find_scope():
                self.close_one()  # directly in a table a form holds nothing
        elif traits & (RAW | RCDATA):
            self.read_raw_text(tag, traits)
        elif (
            tag == NOSCRIPT
            and self.end_of_noscript() == self.size
            and tags.STRUCTURE.search(self.source, self.after)
        ):
            self.end_here()
        return 0

    def start_block(self, tag: cython.int, traits: cython.int) -> cython.int:
        """What the start tag of a block closes; 1 if the tag is to be dropped."""
        if traits & TABLE_PART:
            return self.start_table_part(tag)
        if tag == LI:
            if self.top[LI] and self.top[LI] >= self.stack[S_ITEM, self.depth - 1]:
                self.close_from(self.top[LI])
        elif tag in (DD, DT):
            item: cython.int = max(self.top[DD], self.top[DT])
            if item and item >= self.stack[S_ITEM, self.depth - 1]:
                self.close_from(item)
        elif tag == FORM:
            if self.form and not self.top[TEMPLATE]:
                return self.drop()
        elif tag == TABLE and self.top[TABLE] and self.top[TABLE] == self.find_scope():
            self.close_from(self.top[TABLE])  # a table directly inside a table
        if not (tag == TABLE and self.quirks):
            self.close_paragraph()
        if traits & HEADING and TRAITS[self.current_tag()] & HEADING:
            self.close_from(self.node)
        return 0

    def close_paragraph(self) -> cython.int:
        """Close an open p in button scope; 1 if there was."""
        p: cython.int = self.top[P]
        if p > self.find_scope() and p > self.top[BUTTON]:
            self.close_from(p)
            return 1
        return 0

    def start_table_part(self, tag: cython.int) -> cython.int:
        """Close and imply what the start tag of a cell, row, ... needs; 1 to drop the tag."""
        outer: cython.int = max(self.top[TEMPLATE], self.top[NOSCRIPT])
        table: cython.int = self.top[TABLE]
        if table <= outer:
            return 0 if outer and outer == self.top[TEMPLATE] else self.drop()
        if tag == COL:
            if self.top[COLGROUP] > table:
                self.close_from(self.top[COLGROUP] + 1)
            else:
                self.close_from(table + 1)
                self.open_implied(COLGROUP)
            return 0
        if tag in (TD, TH):
            if self.top[TR] > table:
                self.close_from(self.top[TR] + 1)
                return 0
            self.start_table_part(TR)
            self.open_implied(TR)
            return 0
        if tag == TR:
            section: cython.int = max(self.top[TBODY], self.top[THEAD], self.top[TFOOT])
            if section > table:
                self.close_from(section + 1)
            else:
                self.close_from(table + 1)
                self.open_implied(TBODY)
            return 0
        self.close_from(table + 1)
        return 0

    def read_raw_text(self, tag: cython.int, traits: cython.int) -> cython.int:
        """The content of script, style, title, textarea ...: up to its end tag."""
        end: cython.size_t = self.size
        limit: cython.size_t = self.size
        endless: cython.int = 0
        if self.top[NOSCRIPT]:  # raw text itself for a browser, so nothing goes beyond its end
            limit = self.end_of_noscript()
        if tag != PLAINTEXT and (tag not in self.endless or limit < self.size):
            end = self.end_of_raw_text(self.after, tags.BYTE_NAMES[tag], limit)
        if end == self.size and tag != PLAINTEXT:
            end = self.end_without_tag(tag)
            endless = end < self.size and tag in self.endless
        if not traits & SKIPPED:
            self.read_text(self.after, end, 2 if traits & RAW else 1, 0)
        self.after = end
        if endless:
            self.end_here()
        return 0

    def end_without_tag(self, tag: cython.int) -> cython.size_t:
        """Where a raw text element ends whose end tag does not come.

        To the letter of the standard it takes the rest of the page with it. If that has tags of
        structure, a title, a style sheet or a field ends at the first of them, a frame, or a script
        with an address, where it begins, and another script at an end tag that the standard takes
        for a part of a comment. docs/explanation/decisions/012-raw-text-without-end.md
        """
        structure = tags.STRUCTURE.search(self.source, self.after)
        if structure is None or tag == XMP:
            return self.size
        end: cython.size_t = structure.start()
        if tag == SCRIPT:
            if tag not in self.endless:
                self.plain_scripts = 1
                end = self.end_of_raw_text(self.after, tags.BYTE_NAMES[tag], self.size)
                if end < self.size:
                    return end
            end = self.after if (self.seen >> AT_SRC) & 1 else self.size
        elif TRAITS[tag] & SKIPPED and tag != TITLE and tag != STYLE:
            end = self.after
        self.endless.add(tag)
        return end

    def end_of_noscript(self) -> cython.size_t:
        """Where the next end tag of a noscript begins, the end of the page if there is none."""
        if self.noscript_end < self.after:
            self.noscript_end = self.end_of_raw_text(
                self.after, tags.BYTE_NAMES[NOSCRIPT], self.size
            )
        return self.noscript_end

    def end_here(self) -> cython.int:
        """Close the element that was opened last, where what was read ends."""
        self.start = self.after
        return self.close_one()

    def own_flags(self, tag: cython.int) -> cython.int:
        """What the attributes of the start tag say about the node and all below it."""
        flags: cython.int = 0
        seen: cython.ulonglong = self.seen
        if tag == DIALOG and not (seen >> AT_OPEN) & 1:
            flags |= ATTRIBUTE_HIDDEN
        if not seen:
            return flags
        if tag == A and ((seen >> AT_HREF) & 1 or (seen >> AT_ONCLICK) & 1):
            flags |= IN_LINK | IS_LINK
        if (seen >> AT_HIDDEN) & 1:
            flags |= ATTRIBUTE_HIDDEN
        if (seen >> AT_ARIA_HIDDEN) & 1 and self.is_true(self.row_of(AT_ARIA_HIDDEN)):
            flags |= ARIA_HIDDEN
        if (
            (seen >> AT_STYLE) & 1
            and self.may_hide(self.row_of(AT_STYLE))
            and is_hiding(self.value_of(AT_STYLE))
        ):
            flags |= STYLE_HIDDEN
        if (seen >> AT_ROLE) & 1:
            flags |= ROLES.get(self.value_of(AT_ROLE).strip().lower(), 0)
        return flags

    def row_of(self, attribute: cython.int) -> cython.int:
        row: cython.int = self.first_attribute
        while self.attributes[A_NAME, row] != attribute:
            row += 1
        return row

    def value_of(self, attribute: cython.int) -> bytes:
        """The value of an attribute that the start tag has, as it is in the source."""
        row: cython.int = self.row_of(attribute)
        return self.src[self.attributes[A_START, row] : self.attributes[A_END, row]]

    def is_true(self, row: cython.int) -> cython.int:
        """Whether the value in this row is "true", in upper or lower case, without white space."""
        start: cython.size_t = self.attributes[A_START, row]
        return (
            self.attributes[A_END, row] - start == 4
            and (self.src[start] | 32) == 116
            and (self.src[start + 1] | 32) == 114
            and (self.src[start + 2] | 32) == 117
            and (self.src[start + 3] | 32) == 101
        )

    def may_hide(self, row: cython.int) -> cython.int:
        """Whether some value in a style begins with "n" or "h", as none and hidden do."""
        i: cython.size_t = self.attributes[A_START, row]
        end: cython.size_t = self.attributes[A_END, row]
        after_colon: cython.int = 0
        while i < end:
            c: cython.int = self.src[i] | 32
            if c == 58:
                after_colon = 1
            elif after_colon and self.src[i] > 32:
                if c == 104 or c == 110:
                    return 1
                after_colon = 0
            i += 1
        return 0

    # End tags

    def end_tag(self) -> cython.int:
        tag: cython.int = self.tag
        traits: cython.int = TRAITS[tag]
        node: cython.int = self.top[tag]
        self.first_attribute = self.n_attributes
        if tag == BR and self.depth <= 2:
            self.enter_body()
        if not self.depth:
            return 0
        if tag in (P, BR):
            while self.foreign:
                self.close_one()
        if tag == P:
            if self.in_body and not self.close_paragraph():
                self.open_implied(P)
                self.close_one()
            return 0
        if tag == BR:
            if self.in_body:
                self.open_implied(BR)
                self.line_break()
            return 0
        if traits & HEADING:  # the end tag of any heading ends the open heading
            for tag in range(H1, H1 + 6):
                node = max(node, self.top[tag])
        if tag == A and not self.foreign:
            self.lost_link = 0
        if tag == FORM and not self.top[TEMPLATE]:
            # After the end tag of a form another may begin, even where it ends nothing.
            node = node if node == self.form else 0
            self.form = 0
        if not node or tag in (HTML, HEAD, BODY):
            return 0
        if traits & FORMATTING and not self.foreign:
            return self.end_formatting(tag)
        if traits & UNMATCHED_END:
            return self.close_from(node)
        scope: cython.int = self.find_scope()
        if traits & TABLE_PART or tag == TABLE:
            # Out of its own table an end tag does not reach, but it does out of a cell.
            scope = max(self.top[TEMPLATE], self.top[NOSCRIPT])
            if tag != TABLE:
                scope = max(scope, self.top[TABLE])
        elif tag == LI:
            scope = max(scope, self.top[UL], self.top[OL])
        elif tag == FORM:
            while node > scope and self.current_tag() in (P, LI, DD, DT, OPTION, OPTGROUP, RT, RP):
                self.close_one()  # their end tags are implied
            if node > scope and self.stack[S_SPECIAL, self.depth - 1] > node:
                return self.close_early(node)
        elif not traits & SPECIAL and tag != DIALOG:
            scope = self.stack[S_SPECIAL, self.depth - 1]
        if node >= scope:
            self.end_node(node)
        return 0


def is_hiding(style: bytes) -> bool:
    style = style.lower().translate(None, b" \t\n\f\r")
    return b"display:none" in style or b"visibility:hidden" in style


def scan(
    source: bytes, max_nodes: int, max_depth: int, deadline: float | None
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, dict[bytes, int]]:
    """Columns of nodes, texts, blocks and attributes of a page in UTF-8, and its unlisted tags."""
    return Scanner(source, max_nodes, max_depth, deadline).scan()
