# cython: annotation_typing=False, wraparound=True
"""The attributes of elements, by their places in the table of the page.

Part of the hot path, see `tamis.page.scan.lexer`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tamis._runtime import limits
from tamis.page import tags
from tamis.page.text.references import resolve_references

if TYPE_CHECKING:
    from tamis.page.table import Page

# Values after which the limits are looked at.
OFTEN = 1000


class Attributes:
    """The attributes of elements, as far as they are in `tags.ATTRIBUTES`."""

    def __init__(self, page: Page) -> None:
        self.source = page.source
        self.firsts = page.nodes.attributes.data
        self.names = page.attribute_rows[0].data
        self.starts = page.attribute_rows[1].data
        self.ends = page.attribute_rows[2].data

    def raw(self, node: int, number: int) -> bytes | None:
        """A value as it stands in the source, None if the attribute is not there."""
        end = self.firsts[node + 1] if node + 1 < len(self.firsts) else len(self.names)
        for row in range(self.firsts[node], end):
            if self.names[row] == number:
                return self.source[self.starts[row] : self.ends[row]]
        return None


def value_of(raw: bytes) -> str:
    """The value of an attribute, from how it stands in the source."""
    value = raw.decode("utf-8", "replace")
    if "&" not in value and "\0" not in value:
        return value
    value = value.replace("\0", "\ufffd")
    if value.count("&") == value.count("&amp;"):
        return value.replace("&amp;", "&")
    return resolve_references(value, attribute=True)


def raw_values(page: Page, name: str, or_name: str = "") -> list[tuple[int, str]]:
    """Each element with a value of one or two attributes as it stands in the source."""
    source, rows = page.source, page.attribute_rows
    kinds, starts, ends = rows[0].data, rows[1].data, rows[2].data
    firsts = page.nodes.attributes.data
    first, second = tags.ATTRIBUTE_ID[name], tags.ATTRIBUTE_ID[or_name or name]
    node = 0
    values = []
    for row in range(len(kinds)):
        if kinds[row] == first or kinds[row] == second:
            while node + 1 < len(firsts) and firsts[node + 1] <= row:
                node += 1
            values.append((node, source[starts[row] : ends[row]].decode("utf-8", "replace")))
            if len(values) % OFTEN == 0:
                limits.check()
    return values
