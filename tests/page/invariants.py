"""What holds for every page table; the tests and benchmarks/fuzz.py check it."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import numpy.typing as npt

from tamis.page import tags
from tamis.page.scan.lexer import MAX_NAMES
from tamis.page.table import Page

# Flags that an element does not hand down as they are.
_OWN = tags.IMPLIED | tags.CLOSED_EARLY | tags.IS_LINK | tags.FOREIGN
_OF_TEXT = tags.SPACE_BEFORE | tags.BREAK_BEFORE | tags.IN_LINK | tags.VERBATIM
_COUNTS = ("chars", "words", "punctuation", "capitals", "digits", "unspaced")

Numbers = npt.NDArray[Any]


def check_table(page: Page) -> None:
    """Assert everything that the docstrings of the table promise."""
    for table in (page.nodes, page.texts, page.blocks):
        for field in dataclasses.fields(table):
            column = getattr(table, field.name)
            name = f"{type(table).__name__}.{field.name}"
            assert column.dtype == np.intc, f"{name} is {column.dtype}"
            assert column.shape == (len(table),), f"{name} has shape {column.shape}"
            assert not column.flags.writeable, f"{name} is writable"
    _check_tree(page)
    _check_attributes(page)
    _check_texts(page)
    _check_blocks(page)
    _check_block_counts(page)


def _all(holds: Numbers, condition: str) -> None:
    """Assert that a condition holds in every row; the message names the first where it does not."""
    assert holds.all(), f"{condition}: not so in row {int(np.flatnonzero(~holds)[0])}"


def _check_tree(page: Page) -> None:
    nodes, size, count = page.nodes, len(page.source), len(page.nodes)
    assert count, "a page has at least an html element"
    index = np.arange(count)
    parent = nodes.parent[1:]
    assert nodes.parent[0] == -1, "the first node is not the root"
    assert nodes.tag[0] == tags.ID["html"], "the root is not html"
    _all((parent >= 0) & (parent < index[1:]), "parent < node")
    _all(nodes.depth[1:] == nodes.depth[parent] + 1, "depth is the parent's and 1")
    assert nodes.depth[0] == 0, "the root's depth is 0"
    _all((nodes.last >= index) & (nodes.last < count), "last >= node")
    _all(nodes.last[1:] <= nodes.last[parent], "last <= parent's last")
    # Each node is inside all its ancestors' ranges; if the ranges hold no more, the sums agree.
    assert (nodes.last - index).sum() == nodes.depth.sum(), "a subtree has a node too many"

    known = len(tags.NAMES)
    _all((nodes.tag >= 0) & (nodes.tag < known + len(page.own_names)), "the tag has a name")
    numbers = list(page.own_names.values())
    assert numbers == list(range(known, known + len(numbers))), "numbers of own names have gaps"
    assert known + len(numbers) <= MAX_NAMES, "too many own names"

    _all((nodes.start >= 0) & (nodes.start <= nodes.close), "start <= close")
    _all(nodes.close <= size, "close <= size of the source")
    _all(nodes.start[1:] >= nodes.start[:-1], "starts increase")
    _all(nodes.close[1:] <= nodes.close[parent], "close <= parent's close")
    written = nodes.start[nodes.flags & tags.IMPLIED == 0]
    source = np.frombuffer(page.source + b" ", np.uint8)
    _all(written < size, "a start tag is inside the source")
    _all(source[written] == ord("<"), "a start tag begins with <")
    letter = source[written + 1] | 32
    _all((letter >= ord("a")) & (letter <= ord("z")), "a letter follows the <")
    _all(written[1:] > written[:-1], "no two elements have one start tag")
    inherited = nodes.flags[parent] & ~_OWN
    _all(nodes.flags[1:] & inherited == inherited, "flags hold for all below")

    _all((nodes.first_text >= 0) & (nodes.first_text <= nodes.end_text), "first_text <= end_text")
    _all(nodes.first_text[1:] >= nodes.first_text[:-1], "first_text increases")
    _all(nodes.first_text[1:] >= nodes.first_text[parent], "first_text >= parent's")
    _all(nodes.end_text[1:] <= nodes.end_text[parent], "end_text <= parent's")
    texts = (nodes.first_text[0], nodes.end_text[0])
    assert texts == (0, len(page.texts)), "not all texts are below the root"


def _check_attributes(page: Page) -> None:
    nodes, rows, size = page.nodes, page.attribute_rows, len(page.source)
    assert rows.shape[0] == 3 and not rows.flags.writeable, "attribute_rows is not as promised"
    name, start, end = rows
    bounds = np.append(nodes.attributes, rows.shape[1])
    _all(np.diff(bounds) >= 0, "attributes increases")
    assert bounds[0] == 0, "the first rows belong to nobody"
    implied = nodes.flags & tags.IMPLIED != 0
    _all(~implied | (np.diff(bounds) == 0), "an implied element has no attributes")
    owner = np.repeat(np.arange(len(nodes)), np.diff(bounds))
    _all((name > 0) & (name < len(tags.ATTRIBUTES)), "the attribute is a listed one")
    _all((start <= end) & (end <= size), "the value is inside the source")
    _all(start > nodes.start[owner], "the value is behind its start tag's <")
    _all(start[1:] >= end[:-1], "values do not overlap")
    pairs = owner * len(tags.ATTRIBUTES) + name
    assert len(np.unique(pairs)) == len(pairs), "an element has an attribute twice"


def _check_texts(page: Page) -> None:
    nodes, texts, size = page.nodes, page.texts, len(page.source)
    index = np.arange(len(texts))
    _all((texts.start >= 0) & (texts.start < texts.end), "a text is not empty")
    _all(texts.end <= size, "a text is inside the source")
    _all(texts.start[1:] >= texts.end[:-1], "texts do not overlap")
    _all(np.diff(texts.tags) >= 0, "tags increases")
    _all((texts.node >= 0) & (texts.node < len(nodes)), "a text has a node")
    node = texts.node
    _all(
        (nodes.first_text[node] <= index) & (index < nodes.end_text[node]),
        "a text is in its node's range",
    )
    below = (nodes.end_text - nodes.first_text).sum()
    assert below == (nodes.depth[node] + 1).sum(), "a node's range has a text too many"
    _all(
        (nodes.start[node] <= texts.start) & (texts.end <= nodes.close[node]),
        "a text is between the tags of its node",
    )
    _all((texts.flags ^ nodes.flags[node]) & ~(_OWN | _OF_TEXT) == 0, "flags are the node's")

    for name in _COUNTS:
        _all(getattr(texts, name) >= 0, f"{name} >= 0")
        _all(getattr(texts, name) <= texts.chars, f"{name} <= chars")
    _all(texts.punctuation + texts.capitals + texts.digits <= texts.chars, "kinds add up to chars")
    _all(texts.chars <= texts.end - texts.start, "a character has at least a byte")
    _all((texts.chars > 0) | (texts.flags & tags.IN_PRE != 0), "white space is a text in pre only")
    if _is_utf8(page.source):
        source = np.frombuffer(page.source + b" ", np.uint8)
        _all(source[texts.start] & 0xC0 != 0x80, "a text does not begin inside a character")
        _all(source[texts.end] & 0xC0 != 0x80, "a text does not end inside a character")


def _check_blocks(page: Page) -> None:
    nodes, texts, blocks = page.nodes, page.texts, page.blocks
    if not len(texts):
        assert not len(blocks), "a block without text"
        return
    _all(blocks.first_text < blocks.end_text, "a block has text")
    _all(blocks.first_text[1:] == blocks.end_text[:-1], "blocks are contiguous")
    covered = (blocks.first_text[0], blocks.end_text[-1])
    assert covered == (0, len(texts)), "blocks do not cover all texts"
    sizes = blocks.end_text - blocks.first_text
    _all(texts.block == np.repeat(np.arange(len(blocks)), sizes), "a text knows its block")
    _all((blocks.node >= 0) & (blocks.node < len(nodes)), "a block has a node")
    node = blocks.node
    _all(
        (nodes.first_text[node] <= blocks.first_text) & (blocks.end_text <= nodes.end_text[node]),
        "a block is below its node",
    )
    tag = nodes.tag[node]
    _all(tag < len(tags.NAMES), "a block's node is a listed element")
    _all(np.array(tags.TRAITS)[tag] & tags.BLOCK != 0, "a block's node is block-level")


def _check_block_counts(page: Page) -> None:
    """The counts of a block are those of its visible texts, or of all if all are hidden."""
    texts, blocks = page.texts, page.blocks
    if not len(texts):
        return
    counted = texts.chars > 0  # white space inside pre says nothing about its block
    shown = counted & (texts.flags & tags.HIDDEN == 0)
    hidden = np.bitwise_or.reduceat(shown, blocks.first_text) == 0
    counted &= shown | np.repeat(hidden, blocks.end_text - blocks.first_text)
    linked = counted & (texts.flags & tags.IN_LINK != 0)

    def total(values: Numbers, chosen: Numbers) -> Numbers:
        sums: Numbers = np.add.reduceat(np.where(chosen, values, 0), blocks.first_text)
        return sums

    for name in _COUNTS:
        _all(getattr(blocks, name) == total(getattr(texts, name), counted), f"sum of {name}")
    _all(blocks.link_chars == total(texts.chars, linked), "sum of link_chars")
    _all(blocks.link_words == total(texts.words, linked), "sum of link_words")
    flags = np.bitwise_and.reduceat(np.where(counted, texts.flags, -1), blocks.first_text)
    flags &= ~(tags.SPACE_BEFORE | tags.BREAK_BEFORE)
    _all(blocks.flags == flags, "flags hold for all counted texts")
    _all((blocks.flags & tags.HIDDEN != 0) <= hidden, "a hidden block has no visible text")
    _all(blocks.lines >= 1, "lines >= 1")
    _all((blocks.line_words >= 0) & (blocks.line_words <= blocks.words), "0 <= line_words <= words")


def _is_utf8(source: bytes) -> bool:
    try:
        source.decode()
    except UnicodeDecodeError:
        return False
    return True
