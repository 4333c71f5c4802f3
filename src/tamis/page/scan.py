"""One pass over the bytes of a page, into the columns of the page table.

`Lexer` follows the tokenizer of the HTML standard: tags, attributes, comments, raw text, script
data, CDATA in svg and math, character references. `Scanner` adds a reduced tree construction:
void elements, implied start and end tags, scopes, tables, forms, svg and math. It does not move
nodes: no adoption agency (an end tag such as `</b>` that comes too early ends the element for
the text that follows, the tree keeps its shape) and no foster parenting (text between table rows
stays where it is in the source). docs/conformance.md measures what that costs.

This is Cython in pure Python mode: an ordinary module, compiled where there is a compiler, with
bounds checks on. It keeps to C types and 2-D memory views, since every byte of every page passes
here. Every loop moves forward through the source, and every look-up among the open elements is
one comparison (`top` holds the deepest open element of each tag, `stack` the deepest one of each
class), so the time is linear in the size of the page whatever the page does.
"""

from __future__ import annotations

import time

import numpy as np

try:
    import cython
except ImportError:  # uncompiled, on a machine without Cython
    from tamis.page import uncompiled as cython

from tamis.errors import DeadlineError, TooDeepError, TooManyNodesError
from tamis.page import characters, tags
from tamis.page.references import REFERENCES, WINDOWS_1252

COMPILED = bool(cython.compiled)

NODE_COLUMNS = (
    "tag", "parent", "depth", "last", "start", "close", "attributes", "flags",
    "first_text", "end_text",
)  # fmt: skip
TEXT_COLUMNS = (
    "start", "end", "node", "block", "tags", "flags", "chars", "words", "punctuation",
    "capitals", "digits", "unspaced",
)  # fmt: skip
BLOCK_COLUMNS = (
    "first_text", "end_text", "node", "flags", "chars", "words", "link_chars", "link_words",
    "punctuation", "capitals", "digits", "unspaced", "lines", "line_words",
)  # fmt: skip
ATTRIBUTE_COLUMNS = ("name", "start", "end")

MAX_NAMES = 1024  # distinct tag names of one page; any further ones share number 0
LINE = cython.declare(cython.int, 80)  # width of the lines that text density is measured in
CHECK_EVERY = cython.declare(cython.int, 4096)  # tokens between two looks at the clock

# Kinds of token.
NOTHING = cython.declare(cython.int, 0)
TEXT = cython.declare(cython.int, 1)
START = cython.declare(cython.int, 2)
END = cython.declare(cython.int, 3)
COMMENT = cython.declare(cython.int, 4)
DOCTYPE = cython.declare(cython.int, 5)
CDATA = cython.declare(cython.int, 6)

# Rows of the column arrays, in the order of the names above.
N_TAG = cython.declare(cython.int, 0)
N_PARENT = cython.declare(cython.int, 1)
N_DEPTH = cython.declare(cython.int, 2)
N_LAST = cython.declare(cython.int, 3)
N_START = cython.declare(cython.int, 4)
N_CLOSE = cython.declare(cython.int, 5)
N_ATTRIBUTES = cython.declare(cython.int, 6)
N_FLAGS = cython.declare(cython.int, 7)
N_FIRST_TEXT = cython.declare(cython.int, 8)
N_END_TEXT = cython.declare(cython.int, 9)

# Columns of the stack of open elements: the node, the deepest open node of three classes, the
# deepest block-level node, and the flags that hold for what comes next.
S_NODE = cython.declare(cython.int, 0)
S_SPECIAL = cython.declare(cython.int, 1)
S_SCOPE = cython.declare(cython.int, 2)
S_ITEM = cython.declare(cython.int, 3)
S_BLOCK = cython.declare(cython.int, 4)
S_FLAGS = cython.declare(cython.int, 5)

BLOCK = cython.declare(cython.int, tags.BLOCK)
VOID = cython.declare(cython.int, tags.VOID)
SPECIAL = cython.declare(cython.int, tags.SPECIAL)
SCOPE = cython.declare(cython.int, tags.SCOPE)
ITEM_STOP = cython.declare(cython.int, tags.ITEM_STOP)
FORMATTING = cython.declare(cython.int, tags.FORMATTING)
CLOSES_P = cython.declare(cython.int, tags.CLOSES_P)
RAW = cython.declare(cython.int, tags.RAW)
RCDATA = cython.declare(cython.int, tags.RCDATA)
METADATA = cython.declare(cython.int, tags.METADATA)
BREAKOUT = cython.declare(cython.int, tags.BREAKOUT)
HEADING = cython.declare(cython.int, tags.HEADING)
TABLE_PART = cython.declare(cython.int, tags.TABLE_PART)
SKIPPED = cython.declare(cython.int, tags.SKIPPED)
INTEGRATION = cython.declare(cython.int, tags.INTEGRATION)
UNMATCHED_END = cython.declare(cython.int, tags.UNMATCHED_END)

STYLE_HIDDEN = cython.declare(cython.int, tags.STYLE_HIDDEN)
ATTRIBUTE_HIDDEN = cython.declare(cython.int, tags.ATTRIBUTE_HIDDEN)
ARIA_HIDDEN = cython.declare(cython.int, tags.ARIA_HIDDEN)
HIDDEN = cython.declare(cython.int, tags.HIDDEN)
IN_LINK = cython.declare(cython.int, tags.IN_LINK)
IN_PRE = cython.declare(cython.int, tags.IN_PRE)
FOREIGN = cython.declare(cython.int, tags.FOREIGN)
SPACE_BEFORE = cython.declare(cython.int, tags.SPACE_BEFORE)
BREAK_BEFORE = cython.declare(cython.int, tags.BREAK_BEFORE)
IMPLIED = cython.declare(cython.int, tags.IMPLIED)
CLOSED_EARLY = cython.declare(cython.int, tags.CLOSED_EARLY)

LOWER = cython.declare(cython.int, characters.LOWER)
SPACE = cython.declare(cython.int, characters.SPACE)
UPPER = cython.declare(cython.int, characters.UPPER)
DIGIT = cython.declare(cython.int, characters.DIGIT)
PUNCTUATION = cython.declare(cython.int, characters.PUNCTUATION)
SYMBOL = cython.declare(cython.int, characters.SYMBOL)
IGNORED = cython.declare(cython.int, characters.IGNORED)
HAN = cython.declare(cython.int, characters.HAN)
SEA = cython.declare(cython.int, characters.SEA)
MARKUP = cython.declare(cython.int, characters.MARKUP)
REFERENCE = cython.declare(cython.int, characters.REFERENCE)
HAN_WORD = cython.declare(cython.int, characters.HAN_WORD)
SEA_WORD = cython.declare(cython.int, characters.SEA_WORD)

A = cython.declare(cython.int, tags.ID["a"])
BODY = cython.declare(cython.int, tags.ID["body"])
BR = cython.declare(cython.int, tags.ID["br"])
BUTTON = cython.declare(cython.int, tags.ID["button"])
CAPTION = cython.declare(cython.int, tags.ID["caption"])
COL = cython.declare(cython.int, tags.ID["col"])
COLGROUP = cython.declare(cython.int, tags.ID["colgroup"])
DD = cython.declare(cython.int, tags.ID["dd"])
DIALOG = cython.declare(cython.int, tags.ID["dialog"])
DT = cython.declare(cython.int, tags.ID["dt"])
FORM = cython.declare(cython.int, tags.ID["form"])
FRAMESET = cython.declare(cython.int, tags.ID["frameset"])
H1 = cython.declare(cython.int, tags.ID["h1"])
HEAD = cython.declare(cython.int, tags.ID["head"])
HTML = cython.declare(cython.int, tags.ID["html"])
IMAGE = cython.declare(cython.int, tags.ID["image"])
IMG = cython.declare(cython.int, tags.ID["img"])
LI = cython.declare(cython.int, tags.ID["li"])
NOBR = cython.declare(cython.int, tags.ID["nobr"])
NOSCRIPT = cython.declare(cython.int, tags.ID["noscript"])
OL = cython.declare(cython.int, tags.ID["ol"])
OPTGROUP = cython.declare(cython.int, tags.ID["optgroup"])
OPTION = cython.declare(cython.int, tags.ID["option"])
P = cython.declare(cython.int, tags.ID["p"])
PLAINTEXT = cython.declare(cython.int, tags.ID["plaintext"])
RP = cython.declare(cython.int, tags.ID["rp"])
RT = cython.declare(cython.int, tags.ID["rt"])
SCRIPT = cython.declare(cython.int, tags.ID["script"])
SELECT = cython.declare(cython.int, tags.ID["select"])
TABLE = cython.declare(cython.int, tags.ID["table"])
TBODY = cython.declare(cython.int, tags.ID["tbody"])
TD = cython.declare(cython.int, tags.ID["td"])
TEMPLATE = cython.declare(cython.int, tags.ID["template"])
TFOOT = cython.declare(cython.int, tags.ID["tfoot"])
TH = cython.declare(cython.int, tags.ID["th"])
THEAD = cython.declare(cython.int, tags.ID["thead"])
TR = cython.declare(cython.int, tags.ID["tr"])
UL = cython.declare(cython.int, tags.ID["ul"])

AT_ARIA_HIDDEN = cython.declare(cython.int, tags.ATTRIBUTE_ID["aria-hidden"])
AT_HIDDEN = cython.declare(cython.int, tags.ATTRIBUTE_ID["hidden"])
AT_HREF = cython.declare(cython.int, tags.ATTRIBUTE_ID["href"])
AT_ONCLICK = cython.declare(cython.int, tags.ATTRIBUTE_ID["onclick"])
AT_OPEN = cython.declare(cython.int, tags.ATTRIBUTE_ID["open"])
AT_ROLE = cython.declare(cython.int, tags.ATTRIBUTE_ID["role"])
AT_STYLE = cython.declare(cython.int, tags.ATTRIBUTE_ID["style"])

ROLES = {name.encode(): flag for name, flag in tags.LANDMARKS.items()}
RAW_NAMES = {number: name.encode() for name, number in tags.ID.items()}

_MASK = cython.declare(cython.ulonglong, 0xFFFFFFFFFFFFFFFF)


def _hash(name: bytes) -> int:
    """The number under which `Lexer` looks up a lower-case name."""
    key = 0
    for byte in name:
        key = (key * 31 + byte) & _MASK
    return key


def _hash_table(names: tuple[str, ...], size: int) -> tuple[np.ndarray, np.ndarray]:
    """Open addressing: keys and numbers of `names`, the first of which stands for "none"."""
    keys = np.zeros(size, np.uint64)
    numbers = np.zeros(size, np.intc)
    for number, name in enumerate(names[1:], 1):
        slot = _hash(name.encode()) % size
        while numbers[slot]:
            slot = (slot + 1) % size
        keys[slot] = _hash(name.encode())
        numbers[slot] = number
    return keys, numbers


# Inside a tag: 1 white space, 2 "/", 3 ">", 4 "=", 5 quotes, 0 anything else.
_TAG_BYTES = bytearray(256)
for _bytes, _kind in ((b" \t\n\f\r", 1), (b"/", 2), (b">", 3), (b"=", 4), (b"\"'", 5)):
    for _byte in _bytes:
        _TAG_BYTES[_byte] = _kind

_TAG_SLOTS = cython.declare(cython.int, 1024)
_ATTRIBUTE_SLOTS = cython.declare(cython.int, 128)
_TABLES = (
    memoryview(characters.BYTE_KINDS),
    memoryview(characters.CODE_POINT_KINDS),
    memoryview(bytes(_TAG_BYTES)),
    *map(memoryview, _hash_table(tags.NAMES, 1024)),
    *map(memoryview, _hash_table(tags.ATTRIBUTES, 128)),
    memoryview(np.array(tags.TRAITS, np.intc)),
    memoryview(np.array(tags.CONTEXT, np.intc)),
)


@cython.cclass
class Lexer:
    """Tokens of a page, one at a time: `token(offset)` reads the markup that begins there."""

    source: bytes
    src: cython.const[cython.uchar][::1]
    size: cython.size_t
    byte_kinds: cython.const[cython.uchar][::1]
    code_point_kinds: cython.const[cython.uchar][::1]
    tag_bytes: cython.const[cython.uchar][::1]
    tag_keys: cython.const[cython.ulonglong][::1]
    tag_numbers: cython.const[cython.int][::1]
    attribute_keys: cython.const[cython.ulonglong][::1]
    attribute_numbers: cython.const[cython.int][::1]
    traits: cython.const[cython.int][::1]
    contexts: cython.const[cython.int][::1]
    names: dict
    # The token: its kind, its tag, where its name and (of a comment) its data are.
    kind: cython.int
    tag: cython.int
    self_closing: cython.int
    name_start: cython.size_t
    name_end: cython.size_t
    value_start: cython.size_t
    value_end: cython.size_t
    # Its attributes: rows first_attribute..n_attributes of the table; `seen` has a bit for each.
    attribute: cython.int
    attribute_start: cython.size_t
    attribute_end: cython.size_t
    seen: cython.ulonglong
    attribute_rows: object
    attributes_: cython.int[:, ::1]
    first_attribute: cython.int
    n_attributes: cython.int
    reference_end: cython.size_t
    foreign: cython.int

    def __init__(self, source: bytes) -> None:
        self.source = source
        self.src = memoryview(source)
        self.size = len(source)
        (
            self.byte_kinds,
            self.code_point_kinds,
            self.tag_bytes,
            self.tag_keys,
            self.tag_numbers,
            self.attribute_keys,
            self.attribute_numbers,
            self.traits,
            self.contexts,
        ) = _TABLES
        self.names = {}
        self.seen = 0
        self.n_attributes = self.first_attribute = 0
        self.attribute_rows = np.empty((3, 16 + len(source) // 100), np.intc)
        self.attributes_ = memoryview(self.attribute_rows)
        self.foreign = 0

    @cython.cfunc
    def token(self, i: cython.size_t) -> cython.size_t:
        """Read the markup at `i`, where "<" is; return where it ends.

        `kind` is TEXT when it is no markup at all, NOTHING when it is to be left out.
        """
        size: cython.size_t = self.size
        j: cython.size_t = i + 1
        c: cython.int
        if j >= size:
            self.kind = TEXT
            return j
        c = self.src[j]
        if (97 <= c <= 122) or (65 <= c <= 90):
            return self.read_tag(START, j)
        if c == 47:  # /
            j += 1
            if j >= size:
                self.kind = TEXT
                return j
            c = self.src[j]
            if (97 <= c <= 122) or (65 <= c <= 90):
                return self.read_tag(END, j)
            if c == 62:
                self.kind = NOTHING
                return j + 1
            return self.read_until_bracket(COMMENT, j)
        if c == 33:  # !
            j += 1
            if j + 1 < size and self.src[j] == 45 and self.src[j + 1] == 45:
                return self.read_comment(j + 2)
            if self.source[j : j + 7].lower() == b"doctype":
                return self.read_until_bracket(DOCTYPE, j + 7)
            if self.foreign and self.source.startswith(b"[CDATA[", j):
                self.kind = CDATA
                self.value_start = j + 7
                self.value_end = self.find_bytes(b"]]>", j + 7, size)
                return min(self.value_end + 3, size)
            return self.read_until_bracket(COMMENT, j)
        if c == 63:  # ?
            return self.read_until_bracket(COMMENT, j)
        self.kind = TEXT
        return j

    @cython.cfunc
    def read_until_bracket(self, kind: cython.int, i: cython.size_t) -> cython.size_t:
        """A doctype or a bogus comment: everything up to the next ">"."""
        self.kind = kind
        self.value_start = i
        self.value_end = self.find_bytes(b">", i, self.size)
        return min(self.value_end + 1, self.size)

    @cython.cfunc
    def read_comment(self, i: cython.size_t) -> cython.size_t:
        """A comment whose data begins at `i`."""
        end: cython.size_t
        other: cython.size_t
        self.kind = COMMENT
        self.value_start = self.value_end = i
        if i < self.size and self.src[i] == 62:
            return i + 1
        if i + 1 < self.size and self.src[i] == 45 and self.src[i + 1] == 62:
            return i + 2
        end = self.find_bytes(b"-->", i, self.size)
        other = self.find_bytes(b"--!>", i, end)
        if other < end:
            self.value_end = other
            return other + 4
        if end == self.size:
            # At the end of the page up to two dashes (or "--!") already belong to the closing.
            self.value_end = self.size
            for unfinished in (b"--!", b"--", b"-"):
                if self.source.endswith(unfinished) and self.size - len(unfinished) >= i:
                    self.value_end = self.size - len(unfinished)
                    break
            return self.size
        self.value_end = end
        return end + 3

    @cython.cfunc
    def read_tag(self, kind: cython.int, i: cython.size_t) -> cython.size_t:
        """A start or end tag whose name begins at `i`; NOTHING if the page ends inside it."""
        size: cython.size_t = self.size
        key: cython.ulonglong = 0
        c: cython.uint
        slot: cython.int
        row: cython.int
        self.name_start = i
        while i < size:
            c = self.src[i]
            if 1 <= self.tag_bytes[c] <= 3:
                break
            if 65 <= c <= 90:
                c += 32
            key = (key * 31 + c) & _MASK
            i += 1
        self.name_end = i
        slot = key & (_TAG_SLOTS - 1)
        while self.tag_numbers[slot] and self.tag_keys[slot] != key:
            slot = (slot + 1) & (_TAG_SLOTS - 1)
        self.tag = self.tag_numbers[slot]
        if self.tag == 0:
            self.tag = self.unknown_tag()

        self.seen = 0
        self.first_attribute = self.n_attributes
        while True:
            i = self.read_attribute(i)
            if self.attribute < 0:
                break
            if self.attribute and kind == START and not (self.seen >> self.attribute) & 1:
                self.seen |= cython.cast(cython.ulonglong, 1) << self.attribute
                row = self.n_attributes
                if row >= self.attributes_.shape[1]:
                    self.attribute_rows = _grown(self.attribute_rows)
                    self.attributes_ = memoryview(self.attribute_rows)
                self.attributes_[0, row] = self.attribute
                self.attributes_[1, row] = self.value_start
                self.attributes_[2, row] = self.value_end
                self.n_attributes = row + 1
        if i >= size:
            self.n_attributes = self.first_attribute
            self.kind = NOTHING
            return size
        self.kind = kind
        return i + 1

    @cython.cfunc
    def read_attribute(self, i: cython.size_t) -> cython.size_t:
        """The next attribute from `i` on, inside a tag; `attribute` is -1 if there is none."""
        size: cython.size_t = self.size
        key: cython.ulonglong = 0
        c: cython.uint = 0
        kind: cython.int = 0
        slot: cython.int
        self.self_closing = 0
        while i < size:
            kind = self.tag_bytes[self.src[i]]
            if kind != 1 and kind != 2:
                break
            self.self_closing = kind == 2
            i += 1
        if i >= size or kind == 3:
            self.attribute = -1
            return i
        self.attribute_start = i
        while i < size:
            c = self.src[i]
            kind = self.tag_bytes[c]
            if 1 <= kind <= 3 or (kind == 4 and i > self.attribute_start):
                break
            if 65 <= c <= 90:
                c += 32
            key = (key * 31 + c) & _MASK
            i += 1
        self.attribute_end = i
        slot = key & (_ATTRIBUTE_SLOTS - 1)
        while self.attribute_numbers[slot] and self.attribute_keys[slot] != key:
            slot = (slot + 1) & (_ATTRIBUTE_SLOTS - 1)
        self.attribute = self.attribute_numbers[slot]

        while i < size and self.tag_bytes[self.src[i]] == 1:
            i += 1
        self.value_start = self.value_end = i
        if i >= size or self.src[i] != 61:
            return i
        i += 1
        while i < size and self.tag_bytes[self.src[i]] == 1:
            i += 1
        self.value_start = self.value_end = i
        if i >= size:
            return i
        c = self.src[i]
        if self.tag_bytes[c] == 5:
            i += 1
            self.value_start = i
            i = self.find_byte(c, i)
            if i >= size:
                return size
            self.value_end = i
            return i + 1
        while i < size:
            kind = self.tag_bytes[self.src[i]]
            if kind == 1 or kind == 3:
                break
            i += 1
        self.value_end = i
        return i

    @cython.cfunc
    def find_byte(self, byte: cython.uint, i: cython.size_t) -> cython.size_t:
        """Where `byte`, one of < " ', is next from `i` on; the end of the page if nowhere.

        What is near is found by a loop; what is far by `bytes.find`, which looks at many bytes
        at once but costs as much as the loop over 200.
        """
        near: cython.size_t = min(i + 192, self.size)
        while i < near:
            if self.src[i] == byte:
                return i
            i += 1
        if i < self.size:
            needle = b"<" if byte == 60 else b'"' if byte == 34 else b"'"
            return self.find_bytes(needle, i, self.size)
        return i

    @cython.cfunc
    def find_bytes(self, needle: bytes, i: cython.size_t, end: cython.size_t) -> cython.size_t:
        """Where `needle` is next between `i` and `end`; `end` if nowhere."""
        found: cython.Py_ssize_t
        if end == self.size:
            found = self.source.find(needle, i)
        else:
            found = self.source.find(needle, i, end)
        return end if found < 0 else found

    @cython.cfunc
    def unknown_tag(self) -> cython.int:
        """A number for a name that is not in `tags.NAMES`, the same for the whole page."""
        name = self.source[self.name_start : self.name_end].lower()
        number = self.names.get(name)
        if number is None:
            number = len(tags.NAMES) + len(self.names)
            if number >= MAX_NAMES:
                return 0
            self.names[name] = number
        return number

    @cython.ccall
    def end_of_raw_text(self, i: cython.size_t, name: bytes) -> cython.size_t:
        """Where the end tag of the raw text element `name` begins, from `i` on."""
        size: cython.size_t = self.size
        is_script: cython.int = name == b"script"
        escaped: cython.int = 0  # 1 after "<!--", 2 after "<script" inside that
        after_comment: cython.size_t = 0
        c: cython.int
        while True:
            i = self.find_byte(60, i)
            if i + 1 >= size:
                return size
            c = self.src[i + 1]
            if escaped:
                if self.find_bytes(b"-->", after_comment, i) < i:
                    escaped = 0
                else:
                    after_comment = max(after_comment, i - 2)
            if c == 47:
                if self.is_name(i + 2, name):
                    if escaped < 2:
                        return i
                    escaped = 1
            elif is_script:
                if not escaped:
                    if c == 33 and self.source.startswith(b"--", i + 2):
                        escaped = 1
                        after_comment = i + 2
                elif escaped == 1 and self.is_name(i + 1, name):
                    escaped = 2
            i += 1

    @cython.cfunc
    def is_name(self, i: cython.size_t, name: bytes) -> cython.int:
        """Whether the tag name at `i` is `name`."""
        end: cython.size_t = i + len(name)
        if end >= self.size or not 1 <= self.tag_bytes[self.src[end]] <= 3:
            return 0
        return self.source[i:end].lower() == name

    @cython.cfunc
    def read_reference(self, i: cython.size_t) -> cython.int:
        """First code point of the character reference at `i`, where "&" is; -1 if it is none."""
        size: cython.size_t = self.size
        j: cython.size_t = i + 1
        number: cython.int = 0
        digit: cython.int
        base: cython.int = 10
        digits: cython.int = 0
        c: cython.int
        if j < size and self.src[j] == 35:  # #
            j += 1
            if j < size and (self.src[j] | 32) == 120:  # x
                base = 16
                j += 1
            while j < size:
                c = self.src[j]
                if 48 <= c <= 57:
                    digit = c - 48
                elif base == 16 and 97 <= (c | 32) <= 102:
                    digit = (c | 32) - 87
                else:
                    break
                number = min(number * base + digit, 0x110000)
                digits += 1
                j += 1
            if not digits:
                return -1
            self.reference_end = j + 1 if j < size and self.src[j] == 59 else j
            if 0x80 <= number < 0xA0:
                return WINDOWS_1252[number - 0x80]
            if number == 0 or number > 0x10FFFF or 0xD800 <= number < 0xE000:
                return 0xFFFD
            return number
        while j < size and j - i <= 32:
            c = self.src[j]
            if not (48 <= c <= 57 or 97 <= (c | 32) <= 122):
                break
            j += 1
        if j < size and self.src[j] == 59:
            found = REFERENCES.get(self.source[i + 1 : j + 1])
            if found is not None:
                self.reference_end = j + 1
                return found
        j = min(j, i + 7)  # the longest name that needs no semicolon has 6 letters
        while j > i + 2:
            found = REFERENCES.get(self.source[i + 1 : j])
            if found is not None:
                self.reference_end = j
                return found
            j -= 1
        return -1

    def read(self, i: cython.size_t) -> tuple[int, cython.size_t, bytes, int, bytes]:
        """The token at `i`, where "<" is, for a reader that wants tokens and no table.

        Its kind (0 nothing, 1 text, 2 start tag, 3 end tag, 4 comment, 5 doctype, 6 CDATA), its
        end, the name of a tag, whether a start tag is self-closing, and the data of the others.
        """
        end: cython.size_t = self.token(i)
        name = data = b""
        if self.kind == START or self.kind == END:
            name = self.source[self.name_start : self.name_end].lower()
        elif self.kind != TEXT and self.kind != NOTHING:
            data = self.source[self.value_start : self.value_end]
        return self.kind, end, name, self.self_closing, data

    def attribute_list(
        self, start: cython.size_t
    ) -> tuple[list[tuple[bytes, bytes]], cython.size_t]:
        """Names and raw values of the attributes of the start tag at `start`, and its end."""
        found = []
        i: cython.size_t = start
        if i < self.size and self.src[i] == 60:
            i += 1
            while i < self.size and not 1 <= self.tag_bytes[self.src[i]] <= 3:
                i += 1
        while True:
            i = self.read_attribute(i)
            if self.attribute < 0:
                return found, min(i + 1, self.size)
            name = self.source[self.attribute_start : self.attribute_end].lower()
            found.append((name, self.source[self.value_start : self.value_end]))


def attributes_at(source: bytes, start: int) -> tuple[list[tuple[bytes, bytes]], int]:
    """Names and raw values of the attributes of the start tag at `start`, and where it ends."""
    return Lexer(source).attribute_list(start)


def _grown(rows: np.ndarray) -> np.ndarray:
    """A copy of a column array with twice the capacity."""
    grown = np.empty((rows.shape[0], rows.shape[1] * 2), rows.dtype)
    grown[:, : rows.shape[1]] = rows
    return grown


@cython.final
@cython.cclass
class Scanner(Lexer):
    """Tokens into nodes, texts and blocks."""

    max_nodes: cython.int
    max_depth: cython.int
    deadline: object
    node_rows: object
    nodes: cython.int[:, ::1]
    n_nodes: cython.int
    text_rows: object
    texts: cython.int[:, ::1]
    n_texts: cython.int
    block_rows: object
    blocks: cython.int[:, ::1]
    n_blocks: cython.int
    # The open elements, and for each tag the deepest open element (0: none). While an element is
    # open, its `last` column holds the next one of its tag further up.
    stack_rows: object
    stack: cython.int[:, ::1]
    depth: cython.int
    top: cython.int[::1]
    # Where we are.
    start: cython.size_t
    after: cython.size_t
    n_tags: cython.int
    head_seen: cython.int
    in_body: cython.int
    quirks: cython.int
    links: cython.int  # open links whose end tag has not come
    lost_link: cython.int  # a link was closed by a block around it: the standard opens it again
    ended: cython.int  # the node whose own end tag is being read
    # The open block: its counts so far, and the word that may go on in the next run of text.
    block_start: cython.int
    block_hidden: cython.int
    flags: cython.int
    chars: cython.int
    words: cython.int
    link_chars: cython.int
    link_words: cython.int
    punctuation: cython.int
    capitals: cython.int
    digits: cython.int
    unspaced: cython.int
    lines: cython.int
    line_words: cython.int
    line_chars: cython.int
    word_state: cython.int
    word_chars: cython.int
    space: cython.int
    breaks: cython.int

    def __init__(
        self, source: bytes, max_nodes: int, max_depth: int, deadline: float | None
    ) -> None:
        Lexer.__init__(self, source)
        self.max_nodes = max_nodes
        self.max_depth = max_depth
        self.deadline = deadline
        rows = 16 + self.size // 150
        self.node_rows = np.empty((len(NODE_COLUMNS), rows), np.intc)
        self.text_rows = np.empty((len(TEXT_COLUMNS), rows // 2), np.intc)
        self.block_rows = np.empty((len(BLOCK_COLUMNS), rows // 2), np.intc)
        self.stack_rows = np.empty((6, 128), np.intc)
        self.nodes = memoryview(self.node_rows)
        self.texts = memoryview(self.text_rows)
        self.blocks = memoryview(self.block_rows)
        self.stack = memoryview(self.stack_rows)
        self.top = memoryview(np.zeros(MAX_NAMES, np.intc))
        self.n_nodes = self.n_texts = self.n_blocks = self.n_tags = self.depth = 0
        self.start = self.after = 0
        self.head_seen = self.in_body = self.links = self.lost_link = self.ended = 0
        self.quirks = 1
        self.block_start = self.breaks = self.space = 0
        self.reset_block()

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
            i = self.after = self.token(i)
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
                self.quirks = is_quirky(self.source[self.value_start : self.value_end])
        self.start = self.after = size
        self.first_attribute = self.n_attributes
        self.enter_body()
        self.close_from(0)
        self.end_block()
        self.check_clock()
        return (
            _trimmed(self.node_rows, self.n_nodes),
            _trimmed(self.text_rows, self.n_texts),
            _trimmed(self.block_rows, self.n_blocks),
            _trimmed(self.attribute_rows, self.n_attributes),
            self.names,
        )

    @cython.cfunc
    def check_clock(self) -> cython.int:
        if self.deadline is not None and time.monotonic() > self.deadline:
            raise DeadlineError(
                f"reading the page took too long (at byte {self.start} of {self.size});"
                " raise Options.max_seconds to give it more time"
            )
        return 0

    # Text

    @cython.cfunc
    def read_text(
        self,
        i: cython.size_t,
        stop: cython.size_t,
        raw: cython.int,
        literal: cython.size_t,
    ) -> cython.size_t:
        """Count a run of text from `i` to the next markup or `stop`; return where it ends.

        `raw` is 1 where "<" is no markup, 2 where "&" is no reference either; "<" before
        `literal` is text.
        """
        begin: cython.size_t = i
        first: cython.size_t = 0
        started: cython.int = 0
        ignored: cython.int = 0  # the run begins with characters that do not count
        end: cython.size_t = i
        j: cython.size_t
        kind: cython.int
        code: cython.int
        c: cython.uint
        space: cython.int = 0
        space_before: cython.int = 0
        chars: cython.int = 0
        words: cython.int = 0
        punctuation: cython.int = 0
        capitals: cython.int = 0
        digits: cython.int = 0
        han: cython.int = 0
        sea: cython.int = 0
        state: cython.int = self.word_state  # 0 between words, 1 in punctuation, 2 in a word
        word_chars: cython.int = self.word_chars
        line_chars: cython.int = self.line_chars
        lines: cython.int = self.lines
        line_words: cython.int = self.line_words

        while i < stop:
            kind = self.byte_kinds[self.src[i]]
            j = i + 1
            if kind >= MARKUP:
                if kind == MARKUP:
                    if not raw and i >= literal and j < stop:
                        c = self.src[j]
                        if 97 <= (c | 32) <= 122 or c == 47 or c == 33 or c == 63:
                            break
                    kind = SYMBOL
                elif kind == REFERENCE:
                    kind = PUNCTUATION
                    if raw < 2:
                        code = self.read_reference(i)
                        if code >= 0:
                            kind = self.kind_of(code)
                            j = self.reference_end
                else:
                    j = self.read_multibyte(i, stop)
                    kind = self.kind
                if kind == LOWER:
                    chars += 1
                    word_chars += 1
            elif kind == LOWER:
                while j < stop and self.byte_kinds[self.src[j]] == LOWER:
                    j += 1
                chars += j - i
                word_chars += j - i
            if kind == LOWER:
                if state != 2:
                    state = 2
                    words += 1
            elif kind == SPACE:
                if state == 2:
                    line_chars += word_chars + 1
                    if line_chars > LINE:
                        lines += 1
                        line_words = self.words + words + estimated_words(han, sea) - 1
                        line_chars = word_chars
                state = 0
                word_chars = 0
                space = 1
                i = j
                continue
            elif kind <= DIGIT:
                chars += 1
                word_chars += 1
                if kind == UPPER:
                    capitals += 1
                else:
                    digits += 1
                if state != 2:
                    state = 2
                    words += 1
            elif kind == IGNORED:
                if started:
                    end = j
                elif not ignored:
                    ignored = 1
                    first = i
                    space_before = space
                space = 0
                i = j
                continue
            elif kind <= SYMBOL:
                chars += 1
                word_chars += 1
                if kind == PUNCTUATION:
                    punctuation += 1
                if state == 0:
                    state = 1
            else:  # a script without spaces: every character may end a line
                if state == 2:
                    line_chars += word_chars
                state = 0
                word_chars = 0
                chars += 1
                line_chars += 1
                if line_chars > LINE:
                    lines += 1
                    line_words = self.words + words + estimated_words(han, sea)
                    line_chars = 1
                if kind == HAN:
                    han += 1
                else:
                    sea += 1
            if not started:
                started = 1
                if not ignored:
                    first = i
                    space_before = space
            space = 0
            i = j
            end = j

        flags: cython.int = self.stack[S_FLAGS, self.depth - 1] if self.depth else 0
        if chars == 0:
            if i > begin and not flags & HIDDEN:
                self.word_state = state
                self.word_chars = word_chars
                self.line_chars = line_chars
                self.lines = lines
                self.line_words = line_words
                self.space |= space_before | space
                if flags & IN_PRE and self.n_texts > self.block_start:
                    self.add_text(begin, i, flags, 0, 0, 0, 0, 0, 0)
            return i

        if not self.in_body:
            self.enter_body_for_text()
        flags = self.stack[S_FLAGS, self.depth - 1] & ~IN_LINK
        if self.links or self.lost_link:
            flags |= IN_LINK
        if self.space or space_before:
            flags |= SPACE_BEFORE
        if self.breaks:
            flags |= BREAK_BEFORE
        if flags & IN_PRE:
            first = begin
            end = i
        words += estimated_words(han, sea)
        self.add_text(first, end, flags, chars, words, punctuation, capitals, digits, han + sea)
        if self.n_texts > self.block_start + 1:
            if flags & HIDDEN and not self.block_hidden:
                # Hidden text inside a visible block has a row, but the block does not count it.
                return i
            if self.block_hidden and not flags & HIDDEN:
                self.reset_block()
                lines = line_words = line_chars = 0
        self.block_hidden = flags & HIDDEN
        self.flags &= flags
        self.chars += chars
        self.words += words
        if flags & IN_LINK:
            self.link_chars += chars
            self.link_words += words
        self.punctuation += punctuation
        self.capitals += capitals
        self.digits += digits
        self.unspaced += han + sea
        self.word_state = state
        self.word_chars = word_chars
        self.line_chars = line_chars
        self.lines = lines
        self.line_words = line_words
        self.space = space
        self.breaks = 0
        return i

    @cython.cfunc
    def read_multibyte(self, i: cython.size_t, stop: cython.size_t) -> cython.size_t:
        """The character beyond ASCII at `i`: its kind to `kind`, return where it ends."""
        c: cython.int = self.src[i]
        length: cython.int
        k: cython.int = 1
        if c < 0xC2 or c > 0xF4:
            self.kind = SYMBOL  # not UTF-8: shown as U+FFFD
            return i + 1
        if c < 0xE0:
            length = 2
            c &= 0x1F
        elif c < 0xF0:
            length = 3
            c &= 0x0F
        else:
            length = 4
            c &= 0x07
        while k < length and i + k < stop and (self.src[i + k] & 0xC0) == 0x80:
            c = (c << 6) | (self.src[i + k] & 0x3F)
            k += 1
        self.kind = self.kind_of(c) if k == length else SYMBOL
        return i + k

    @cython.cfunc
    @cython.inline
    def kind_of(self, code: cython.int) -> cython.int:
        """The kind of a code point."""
        if code < 0x10000:
            return self.code_point_kinds[code]
        if 0x20000 <= code < 0x40000:
            return HAN
        if 0x1F000 <= code < 0x20000:
            return SYMBOL
        return IGNORED if code >= 0xE0000 else LOWER

    @cython.cfunc
    def add_text(
        self,
        start: cython.size_t,
        end: cython.size_t,
        flags: cython.int,
        chars: cython.int,
        words: cython.int,
        punctuation: cython.int,
        capitals: cython.int,
        digits: cython.int,
        unspaced: cython.int,
    ) -> cython.int:
        """One row of `texts`, in the order of `TEXT_COLUMNS`."""
        row: cython.int = self.n_texts
        if row >= self.texts.shape[1]:
            self.text_rows = _grown(self.text_rows)
            self.texts = memoryview(self.text_rows)
        self.texts[0, row] = start
        self.texts[1, row] = end
        self.texts[2, row] = self.stack[S_NODE, self.depth - 1]
        self.texts[3, row] = self.n_blocks
        self.texts[4, row] = self.n_tags
        self.texts[5, row] = flags
        self.texts[6, row] = chars
        self.texts[7, row] = words
        self.texts[8, row] = punctuation
        self.texts[9, row] = capitals
        self.texts[10, row] = digits
        self.texts[11, row] = unspaced
        self.n_texts = row + 1
        return 0

    @cython.cfunc
    def end_block(self) -> cython.int:
        """A block-level tag: the open block, if it has text, becomes a row of `blocks`."""
        row: cython.int = self.n_blocks
        self.space = self.breaks = 0
        if self.n_texts == self.block_start:
            self.word_state = self.word_chars = 0
            return 0
        if row >= self.blocks.shape[1]:
            self.block_rows = _grown(self.block_rows)
            self.blocks = memoryview(self.block_rows)
        if self.word_state == 2 and self.line_chars + self.word_chars + 1 > LINE:
            self.lines += 1
            self.line_words = self.words - 1
        if not self.lines:
            self.lines = 1
            self.line_words = self.words
        self.blocks[0, row] = self.block_start
        self.blocks[1, row] = self.n_texts
        self.blocks[2, row] = self.stack[S_BLOCK, self.depth - 1]
        self.blocks[3, row] = self.flags & ~(SPACE_BEFORE | BREAK_BEFORE)
        self.blocks[4, row] = self.chars
        self.blocks[5, row] = self.words
        self.blocks[6, row] = self.link_chars
        self.blocks[7, row] = self.link_words
        self.blocks[8, row] = self.punctuation
        self.blocks[9, row] = self.capitals
        self.blocks[10, row] = self.digits
        self.blocks[11, row] = self.unspaced
        self.blocks[12, row] = self.lines
        self.blocks[13, row] = self.line_words
        self.n_blocks = row + 1
        self.block_start = self.n_texts
        return self.reset_block()

    @cython.cfunc
    @cython.inline
    def reset_block(self) -> cython.int:
        self.flags = -1
        self.chars = self.words = self.link_chars = self.link_words = 0
        self.punctuation = self.capitals = self.digits = self.unspaced = 0
        self.lines = self.line_words = self.line_chars = 0
        self.word_state = self.word_chars = self.block_hidden = 0
        return 0

    # The stack of open elements

    @cython.cfunc
    def open_node(self, tag: cython.int, own: cython.int) -> cython.int:
        """Append a node with flags `own` to those of its parent; it is open unless void."""
        node: cython.int = self.n_nodes
        depth: cython.int = self.depth
        known: cython.int = tag < self.traits.shape[0]
        traits: cython.int = self.traits[tag] if known else 0
        flags: cython.int = own
        inner: cython.int
        if node >= self.nodes.shape[1]:
            self.node_rows = _grown(self.node_rows)
            self.nodes = memoryview(self.node_rows)
        if node >= self.max_nodes:
            raise TooManyNodesError(
                f"the page has more than {self.max_nodes} elements;"
                " raise Options.max_nodes to read it"
            )
        if traits & BLOCK:
            self.end_block()
        if known:
            flags |= self.contexts[tag]
        if depth:
            flags |= self.stack[S_FLAGS, depth - 1]
            self.nodes[N_PARENT, node] = self.stack[S_NODE, depth - 1]
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
            self.stack_rows = _grown(self.stack_rows)
            self.stack = memoryview(self.stack_rows)
        inner = flags & ~(IMPLIED | CLOSED_EARLY)
        if depth and self.stack[S_FLAGS, depth - 1] & FOREIGN:
            if traits & INTEGRATION:
                inner &= ~FOREIGN
                traits |= SCOPE
            else:
                traits = 0
        self.nodes[N_LAST, node] = self.top[tag]
        self.top[tag] = node
        self.stack[S_NODE, depth] = node
        self.stack[S_FLAGS, depth] = inner
        self.foreign = inner & FOREIGN
        if depth:
            self.stack[S_SPECIAL, depth] = node if traits & SPECIAL else self.stack[S_SPECIAL, depth - 1]
            self.stack[S_SCOPE, depth] = node if traits & SCOPE else self.stack[S_SCOPE, depth - 1]
            self.stack[S_ITEM, depth] = node if traits & ITEM_STOP else self.stack[S_ITEM, depth - 1]
            self.stack[S_BLOCK, depth] = node if traits & BLOCK else self.stack[S_BLOCK, depth - 1]
        else:
            self.stack[S_SPECIAL, 0] = self.stack[S_SCOPE, 0] = node
            self.stack[S_ITEM, 0] = self.stack[S_BLOCK, 0] = node
        self.depth = depth + 1
        return node

    @cython.cfunc
    def close_from(self, node: cython.int) -> cython.int:
        """Close every open element from the deepest one up to and with `node`."""
        while self.depth and self.stack[S_NODE, self.depth - 1] >= node:
            self.close_one()
        while (
            self.depth > 1
            and self.nodes[N_FLAGS, self.stack[S_NODE, self.depth - 1]] & CLOSED_EARLY
        ):
            self.close_one()
        return 0

    @cython.cfunc
    def close_one(self) -> cython.int:
        """Close the deepest open element."""
        depth: cython.int = self.depth - 1
        node: cython.int = self.stack[S_NODE, depth]
        tag: cython.int = self.nodes[N_TAG, node]
        traits: cython.int = self.traits[tag] if tag < self.traits.shape[0] else 0
        if traits & BLOCK:
            self.end_block()
        if traits & SCOPE:
            self.lost_link = 0
        if not self.nodes[N_FLAGS, node] & CLOSED_EARLY:
            self.top[tag] = self.nodes[N_LAST, node]
            if tag == A and self.nodes[N_FLAGS, node] & IN_LINK:
                self.links -= 1
                if node != self.ended:
                    self.lost_link = 1
        self.nodes[N_LAST, node] = self.n_nodes - 1
        self.nodes[N_CLOSE, node] = self.start
        self.nodes[N_END_TEXT, node] = self.n_texts
        self.depth = depth
        self.foreign = self.stack[S_FLAGS, depth - 1] & FOREIGN if depth else 0
        return 0

    @cython.cfunc
    @cython.inline
    def close_early(self, node: cython.int) -> cython.int:
        """The end tag of `node` while blocks inside it are open: it ends for what follows."""
        tag: cython.int = self.nodes[N_TAG, node]
        self.nodes[N_FLAGS, node] |= CLOSED_EARLY
        self.top[tag] = self.nodes[N_LAST, node]
        if tag == A and self.nodes[N_FLAGS, node] & IN_LINK:
            self.links -= 1
        return 0

    @cython.cfunc
    def end_formatting(self, tag: cython.int) -> cython.int:
        """The end of a formatting element such as `a` or `b`, wherever blocks began inside it."""
        node: cython.int = self.top[tag]
        if tag == A:
            self.lost_link = 0
        if node <= self.stack[S_SCOPE, self.depth - 1]:
            return 0
        if self.stack[S_SPECIAL, self.depth - 1] > node:
            return self.close_early(node)
        self.ended = node
        self.close_from(node)
        self.ended = 0
        return 0

    @cython.cfunc
    def open_implied(self, tag: cython.int) -> cython.int:
        """Open an element whose start tag the source leaves out."""
        return self.open_node(tag, IMPLIED)

    @cython.cfunc
    @cython.inline
    def current_tag(self) -> cython.int:
        return self.nodes[N_TAG, self.stack[S_NODE, self.depth - 1]]

    # Before the body

    @cython.cfunc
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

    @cython.cfunc
    def enter_body_for_text(self) -> cython.int:
        """Text begins the body, unless it is inside noscript or template in the head."""
        self.first_attribute = self.n_attributes
        if self.depth <= 2:
            self.enter_body()
        return 0

    @cython.cfunc
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
        if tag == BODY or tag == FRAMESET:
            self.open_node(tag, self.own_flags(tag))
            return 1
        self.open_implied(BODY)
        return 0

    @cython.cfunc
    @cython.inline
    def drop(self) -> cython.int:
        """Leave out the start tag that was just read."""
        self.n_attributes = self.first_attribute
        return 1

    # Start tags

    @cython.cfunc
    def start_tag(self) -> cython.int:
        """Build what the start tag that was just read asks for."""
        tag: cython.int = self.tag
        traits: cython.int = self.traits[tag] if tag < self.traits.shape[0] else 0
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
            traits = self.traits[tag]
        if traits & (CLOSES_P | TABLE_PART):
            if self.start_block(tag, traits):
                return 0
        elif tag == A or tag == NOBR:
            self.end_formatting(tag)
        elif tag == BUTTON:
            if self.top[BUTTON] > self.stack[S_SCOPE, self.depth - 1]:
                self.close_from(self.top[BUTTON])
        elif tag == OPTION or tag == OPTGROUP:
            if self.current_tag() == OPTION:
                self.close_one()
            if tag == OPTGROUP and self.current_tag() == OPTGROUP:
                self.close_one()
        elif tag == SELECT:
            if self.top[SELECT] > self.stack[S_SCOPE, self.depth - 1]:
                self.close_from(self.top[SELECT])
                self.drop()
                return 0
        elif tag == RT or tag == RP:
            if self.current_tag() == RT or self.current_tag() == RP:
                self.close_one()
        elif tag == HTML or tag == HEAD or tag == BODY or tag == FRAMESET:
            self.drop()
            return 0
        if self.current_tag() == COLGROUP and tag != COL and tag != TEMPLATE:
            self.close_one()

        self.open_node(tag, self.own_flags(tag))
        if tag == BR:
            self.line_break()
        elif traits & (RAW | RCDATA):
            self.read_raw_text(tag, traits)
        return 0

    @cython.cfunc
    def start_block(self, tag: cython.int, traits: cython.int) -> cython.int:
        """What the start tag of a block closes; 1 if the tag is to be dropped."""
        item: cython.int
        if traits & TABLE_PART:
            return self.start_table_part(tag)
        if tag == LI:
            if self.top[LI] and self.top[LI] >= self.stack[S_ITEM, self.depth - 1]:
                self.close_from(self.top[LI])
        elif tag == DD or tag == DT:
            item = max(self.top[DD], self.top[DT])
            if item and item >= self.stack[S_ITEM, self.depth - 1]:
                self.close_from(item)
        elif tag == FORM:
            if self.top[FORM] and not self.top[TEMPLATE]:
                return self.drop()
        elif tag == TABLE:
            if self.top[TABLE] and self.top[TABLE] == self.stack[S_SCOPE, self.depth - 1]:
                self.close_from(self.top[TABLE])  # a table directly inside a table
        if not (tag == TABLE and self.quirks):
            self.close_paragraph()
        if traits & HEADING and self.traits_of_current() & HEADING:
            self.close_from(self.stack[S_NODE, self.depth - 1])
        return 0

    @cython.cfunc
    @cython.inline
    def traits_of_current(self) -> cython.int:
        tag: cython.int = self.current_tag()
        return self.traits[tag] if tag < self.traits.shape[0] else 0

    @cython.cfunc
    def close_paragraph(self) -> cython.int:
        """Close an open p in button scope; 1 if there was one."""
        p: cython.int = self.top[P]
        if p > self.stack[S_SCOPE, self.depth - 1] and p > self.top[BUTTON]:
            self.close_from(p)
            return 1
        return 0

    @cython.cfunc
    def start_table_part(self, tag: cython.int) -> cython.int:
        """Close and imply what the start tag of a cell, row, ... needs; 1 to drop the tag."""
        outer: cython.int = max(self.top[TEMPLATE], self.top[NOSCRIPT])
        table: cython.int = self.top[TABLE]
        section: cython.int
        if table <= outer:
            return 0 if outer and outer == self.top[TEMPLATE] else self.drop()
        if tag == COL:
            if self.top[COLGROUP] > table:
                self.close_from(self.top[COLGROUP] + 1)
            else:
                self.close_from(table + 1)
                self.open_implied(COLGROUP)
            return 0
        if tag == TD or tag == TH:
            if self.top[TR] > table:
                self.close_from(self.top[TR] + 1)
                return 0
            self.start_table_part(TR)
            self.open_implied(TR)
            return 0
        if tag == TR:
            section = max(self.top[TBODY], self.top[THEAD], self.top[TFOOT])
            if section > table:
                self.close_from(section + 1)
            else:
                self.close_from(table + 1)
                self.open_implied(TBODY)
            return 0
        self.close_from(table + 1)
        return 0

    @cython.cfunc
    def line_break(self) -> cython.int:
        """One `br` is a line break in the block, two in a row separate blocks."""
        if self.breaks:
            self.end_block()
        self.breaks = 1
        if self.word_state == 2:
            self.line_chars += self.word_chars + 1
        self.word_state = self.word_chars = 0
        return 0

    @cython.cfunc
    def read_raw_text(self, tag: cython.int, traits: cython.int) -> cython.int:
        """The content of script, style, title, textarea ...: up to its end tag."""
        end: cython.size_t = self.size
        if tag != PLAINTEXT:
            end = self.end_of_raw_text(self.after, RAW_NAMES[tag])
        if not traits & SKIPPED:
            self.read_text(self.after, end, 2 if traits & RAW else 1, 0)
        self.after = end
        return 0

    @cython.cfunc
    def own_flags(self, tag: cython.int) -> cython.int:
        """What the attributes of the start tag say about the node and all below it."""
        flags: cython.int = 0
        seen: cython.ulonglong = self.seen
        if tag == DIALOG and not (seen >> AT_OPEN) & 1:
            flags |= ATTRIBUTE_HIDDEN
        if not seen:
            return flags
        if tag == A and ((seen >> AT_HREF) & 1 or (seen >> AT_ONCLICK) & 1):
            flags |= IN_LINK
            self.links += 1
        if (seen >> AT_HIDDEN) & 1:
            flags |= ATTRIBUTE_HIDDEN
        if (seen >> AT_ARIA_HIDDEN) & 1 and self.is_true(self.row_of(AT_ARIA_HIDDEN)):
            flags |= ARIA_HIDDEN
        if (seen >> AT_STYLE) & 1 and self.may_hide(self.row_of(AT_STYLE)):
            if hides(self.value_of(AT_STYLE)):
                flags |= STYLE_HIDDEN
        if (seen >> AT_ROLE) & 1:
            flags |= ROLES.get(self.value_of(AT_ROLE).strip().lower(), 0)
        return flags

    @cython.cfunc
    def row_of(self, attribute: cython.int) -> cython.int:
        """The row of an attribute that the start tag has."""
        row: cython.int = self.first_attribute
        while self.attributes_[0, row] != attribute:
            row += 1
        return row

    @cython.cfunc
    def value_of(self, attribute: cython.int) -> bytes:
        """The value of an attribute that the start tag has, as it is in the source."""
        row: cython.int = self.row_of(attribute)
        return self.source[self.attributes_[1, row] : self.attributes_[2, row]]

    @cython.cfunc
    def is_true(self, row: cython.int) -> cython.int:
        """Whether the value in this row is "true"; no other word with four letters is likely."""
        start: cython.size_t = self.attributes_[1, row]
        return self.attributes_[2, row] - start == 4 and (self.src[start] | 32) == 116

    @cython.cfunc
    def may_hide(self, row: cython.int) -> cython.int:
        """Whether some value in a style begins with "n" or "h", as none and hidden do."""
        i: cython.size_t = self.attributes_[1, row]
        end: cython.size_t = self.attributes_[2, row]
        after_colon: cython.int = 0
        c: cython.int
        while i < end:
            c = self.src[i] | 32
            if c == 58:
                after_colon = 1
            elif after_colon and c != 32:
                if c == 104 or c == 110:
                    return 1
                after_colon = 0
            i += 1
        return 0

    # End tags

    @cython.cfunc
    def end_tag(self) -> cython.int:
        """Close what the end tag that was just read closes."""
        tag: cython.int = self.tag
        traits: cython.int = self.traits[tag] if tag < self.traits.shape[0] else 0
        node: cython.int = self.top[tag]
        scope: cython.int
        if not self.depth:
            return 0
        self.first_attribute = self.n_attributes
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
        if traits & HEADING:  # the end tag of any heading ends the open one
            for tag in range(H1, H1 + 6):
                node = max(node, self.top[tag])
        if not node or tag == HTML or tag == HEAD or tag == BODY:
            return 0
        if traits & FORMATTING and not self.foreign:
            return self.end_formatting(tag)
        if traits & UNMATCHED_END:
            return self.close_from(node)
        scope = self.stack[S_SCOPE, self.depth - 1]
        if traits & TABLE_PART or tag == TABLE:
            # Out of its own table an end tag does not reach, but it does out of a cell.
            scope = max(self.top[TEMPLATE], self.top[NOSCRIPT])
            if tag != TABLE:
                scope = max(scope, self.top[TABLE])
        elif tag == LI:
            scope = max(scope, self.top[UL], self.top[OL])
        elif tag == FORM:
            if node > scope and self.stack[S_SPECIAL, self.depth - 1] > node:
                return self.close_early(node)
        elif not traits & SPECIAL:
            scope = self.stack[S_SPECIAL, self.depth - 1]
        if node >= scope:
            self.close_from(node)
        return 0


def hides(style: bytes) -> bool:
    """Whether a style attribute takes the element off the screen."""
    style = style.lower().translate(None, b" \t\n\f\r")
    return b"display:none" in style or b"visibility:hidden" in style


@cython.cfunc
def estimated_words(han: cython.int, sea: cython.int) -> cython.int:
    """Words of a text in a script without spaces, from its code points."""
    return (han + HAN_WORD - 1) // HAN_WORD + (sea + SEA_WORD - 1) // SEA_WORD


def is_quirky(doctype: bytes) -> bool:
    """Whether a browser reads a page with this doctype in quirks mode (tables stay inside p)."""
    parts = doctype.decode("ascii", "replace").lower().replace("'", '"').split('"')
    words = parts[0].split()
    if not words or words[0] != "html":
        return True
    if len(words) < 2:
        return False
    identifier = parts[1] if len(parts) > 1 else ""
    if words[1] == "system":
        return identifier == "http://www.ibm.com/data/dtd/v11/ibmxhtml1-transitional.dtd"
    if words[1] != "public" or len(parts) < 3:
        return True
    if identifier.startswith(QUIRKY_WITHOUT_SYSTEM):
        return len(parts) < 5
    return identifier.startswith(QUIRKY)


QUIRKY_WITHOUT_SYSTEM = (
    "-//w3c//dtd html 4.01 frameset//",
    "-//w3c//dtd html 4.01 transitional//",
)
QUIRKY = (
    "+//silmaril//", "-//as//", "-//advasoft ltd//", "-//ietf//", "-//metrius//",
    "-//microsoft//", "-//netscape comm. corp.//", "-//o'reilly and associates//",
    "-//sq//", "-//softquad", "-//spyglass//", "-//sun microsystems corp.//",
    "-//w3c//dtd html 3", "-//w3c//dtd html 4.0 frameset//",
    "-//w3c//dtd html 4.0 transitional//", "-//w3c//dtd html experimental",
    "-//w3c//dtd w3 html//", "-//w3o//", "-//webtechs//", "-/w3c/dtd html 4.0 transitional/en",
    "html",
)  # fmt: skip


def _trimmed(rows: np.ndarray, count: int) -> np.ndarray:
    """The rows in use, read-only; copied when that frees much memory."""
    used = rows[:, :count]
    if rows.nbytes > 1 << 20 and count < rows.shape[1] * 3 // 4:
        used = used.copy()
    used.flags.writeable = False
    return used


def scan(
    source: bytes, max_nodes: int, max_depth: int, deadline: float | None
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, dict[bytes, int]]:
    """Columns of nodes, texts, blocks and attributes of a page in UTF-8, and its unlisted tags."""
    return Scanner(source, max_nodes, max_depth, deadline).scan()
