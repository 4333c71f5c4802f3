"""What a paper decides on, as a list: from columns with one row per unit to units."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt

from tamis._runtime import limits
from tamis.methods._base import Unit
from tamis.page import tags
from tamis.page.arrays import Flags, Floats, Indexes
from tamis.page.table import Page


def list_units(
    page: Page,
    of_text: npt.NDArray[np.integer],
    nodes: npt.NDArray[np.integer],
    scores: Floats,
    attributes: Mapping[str, Sequence[float | str]],
    *,
    content: Flags | None = None,
) -> tuple[Unit, ...]:
    """One unit per row.

    `of_text` is the row that each text of the page belongs to, -1 for none; `nodes` the element of
    each row. The words of a unit are its own: an element around others has what is in none of
    them, and where that is nothing, its place is that of all text in it. Rows without any text
    are left out. Content is what scores one half or more, unless `content` says otherwise.
    """
    content = scores >= 0.5 if content is None else content
    order = np.argsort(of_text, kind="stable")
    bounds = np.searchsorted(of_text[order], np.arange(len(nodes) + 1))
    starts, ends, block = page.texts.start, page.texts.end, page.texts.block
    found: list[Unit] = []
    characters = 0
    for row, node in enumerate(limits.check_each(nodes.tolist())):
        own = order[bounds[row] : bounds[row + 1]].tolist()
        first, last = own[0] if own else 0, own[-1] if own else -1
        if not own:
            first, last = int(page.nodes.first_text[node]), int(page.nodes.end_text[node]) - 1
        if last < first:
            continue
        text, xpath = " ".join(map(page.text, own)), page.xpath(node)
        characters += len(text) + len(xpath)
        limits.check_output(characters)
        unit = Unit(
            text,
            int(starts[first]),
            int(ends[last]),
            int(block[first]),
            float(scores[row]),
            bool(content[row]),
            {name: values[row] for name, values in attributes.items()},
            xpath,
        )
        found.append(unit)
    return tuple(found)


def first_texts(of_text: npt.NDArray[np.integer], count: int) -> Indexes:
    """The first text of each of so many rows, -1 for a row that has none."""
    result = np.full(count, -1, np.intp)
    own = np.flatnonzero(of_text >= 0)[::-1]
    result[of_text[own]] = own
    return result


def say_where(flags: Flags, word: str) -> list[str]:
    """A word where something holds, else nothing: a column that reads well."""
    return [word if flag else "" for flag in flags.tolist()]


_LONGEST_NAME = 40


def longest_runs(page: Page, blocks: Indexes) -> Indexes:
    """Of each of these blocks the visible text run with most characters, the first of equals."""
    texts = page.texts
    end = int(page.blocks.end_text[blocks].max(initial=0))
    length = np.where(texts.flags[:end] & tags.HIDDEN == 0, texts.chars[:end], -1)
    order = np.lexsort((-length, texts.block[:end]))
    return order[np.searchsorted(texts.block[:end], blocks)]


def element_name(page: Page, node: int) -> str:
    """The name of an element, short enough for a sentence whatever the page has."""
    return page.tag_name(node)[:_LONGEST_NAME]


def count_things(count: int, thing: str) -> str:
    """A number of things, in words.

    >>> count_things(1, "word"), count_things(2000, "word")
    ('1 word', '2,000 words')
    """
    return f"1 {thing}" if count == 1 else f"{count:,} {thing}s"
