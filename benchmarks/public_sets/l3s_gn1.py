"""L3S-GN1: pages whose annotators put classes around the text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from html.parser import HTMLParser
from pathlib import Path

import numpy as np

from public_sets.reading import each, page_beside
from tamis.labels.alignment import piece_shares
from tamis.labels.datasets import Entry, Example, read_bytes, read_text
from tamis.methods import text_block_context as context
from tamis.methods._base import Flags, Floats
from tamis.page.addresses import find_host
from tamis.page.arrays import Indexes
from tamis.page.reader import parse
from tamis.page.table import Page
from tamis.train import feature_table
from tamis.train.feature_table import CONTENT_SHARE, FeatureTable, Rows

_HEADLINE, _FULL_TEXT, _SUPPLEMENTAL, _COMMENT = "1", "2", "3", "5"
_ADDRESS = re.compile(r"([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\S*\s+.*?(https?://\S+)")


def read_l3s_gn1(folder: Path) -> Iterator[Entry]:
    """L3S-GN1: original/X.html and annotated/X.html with spans of class x-nc-selN."""
    mapping = folder / "url-mapping.txt"
    lines = read_text(mapping) if mapping.exists() else ""
    urls = {match[1]: match[2] for match in _ADDRESS.finditer(lines)}
    return each(sorted((folder / "annotated").glob("*.html")), partial(_l3s_gn1_page, folder, urls))


def _l3s_gn1_page(folder: Path, urls: Mapping[str, str], path: Path) -> Example:
    url = urls.get(path.stem)
    annotated = read_text(path)
    return Example(
        id=path.stem,
        dataset="l3s-gn1",
        html=read_bytes(page_beside(folder / "original", path.stem, path)),
        text=selected_text(annotated, _HEADLINE + _FULL_TEXT + _SUPPLEMENTAL),
        comments=selected_text(annotated, _COMMENT) or None,
        annotated=annotated,
        url=url,
        site=find_host(url or "") or None,
    )


def selected_text(annotated: str, labels: str) -> str:
    """The text of an annotated page of L3S-GN1 that has one of the labels, one line per span."""
    parser = _Selection(labels)
    parser.feed(annotated)
    parser.close()
    lines = (" ".join("".join(line).split()) for line in parser.lines)
    return "\n".join(line for line in lines if line)


class _Selection(HTMLParser):
    """Collects the text of the spans whose class is x-nc-sel and one of the labels."""

    def __init__(self, labels: str) -> None:
        super().__init__(convert_charrefs=True)
        self.labels = labels
        self.lines: list[list[str]] = []
        self._spans: list[str] = []
        self._silent = 0

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        if tag in ("script", "style"):
            self._silent += 1
        if tag != "span":
            return
        label = re.search(r"x-nc-sel(\d)", dict(attributes).get("class") or "")
        self._spans.append(label[1] if label else self._spans[-1] if self._spans else "0")
        if label:
            self.lines.append([])

    def handle_endtag(self, tag: str) -> None:
        if tag in ("script", "style"):
            self._silent = max(0, self._silent - 1)
        if tag == "span" and self._spans:
            self._spans.pop()

    def handle_data(self, data: str) -> None:
        if not self._silent and self._spans and self._spans[-1] in self.labels:
            self.lines[-1].append(data)


# --- the classes of the annotators ---

_SPAN = re.compile(rb"<(/?)span(?=[\s/>])([^>]*)>", re.IGNORECASE)
_CLASS = re.compile(rb"""class\s*=\s*["']?x-nc-sel(\d)""", re.IGNORECASE)

_CLASSES = 10
L3S_CONTENT = (1, 2, 3)
"""Classes of L3S-GN1 that are content: headline, full text, supplemental."""


def span_classes(annotated: str) -> tuple[Page, Indexes]:
    """An annotated page of L3S-GN1 without its annotation, and the class of each of its texts.

    The annotation is `<span class="x-nc-selN">` around text; left in, it would be the parent tag
    of every text and a tag between all of them.
    """
    source = annotated.encode("utf-8", "replace")
    kept: list[bytes] = []
    borders, classes = [0], [0]  # from this offset of the kept source on, the text has this class
    open_spans: list[int | None] = []  # class of the annotation, None for a span of the page
    done = length = 0
    for match in _SPAN.finditer(source):
        opens, own = not match[1], _CLASS.search(match[2])
        if opens:
            open_spans.append(int(own[1]) if own else None)
            if not own:
                continue
        elif not open_spans or open_spans.pop() is None:
            continue
        kept.append(source[done : match.start()])
        length += match.start() - done
        done = match.end()
        borders.append(length)
        classes.append(next((kind for kind in reversed(open_spans) if kind is not None), 0))
    kept.append(source[done:])
    borders.append(length + len(kept[-1]))
    page = parse(b"".join(kept), content_type="text/html; charset=utf-8")
    # Bytes of each class before an offset. Annotation may end inside a run: its longest part wins.
    sizes = np.diff(borders)
    covered = []
    for kind in range(_CLASSES):
        sums = np.concatenate(([0], np.cumsum(sizes * (np.array(classes) == kind))))
        covered.append(
            np.interp(page.texts.end, borders, sums) - np.interp(page.texts.start, borders, sums)
        )
    return page, np.argmax(covered, axis=0)


def unit_table(text: str, pages: Iterable[Example]) -> FeatureTable:
    """The attributes of Kim 2013, one row per text block in the paper's sense.

    Labels are the annotated classes where a page has them, else from the gold text.
    """
    return feature_table.collect_rows(pages, partial(_unit_rows, text))


def _unit_rows(text: str, example: Example) -> Rows:
    if example.annotated:
        page, classes = span_classes(example.annotated)
        units = context.cut_units(page, text)
        content = mostly_content(page, units, np.isin(classes, L3S_CONTENT), text)
    else:
        page = parse(example.html)
        units = context.cut_units(page, text)
        content = piece_shares(context.unit_texts(page, units), example.text or "") > CONTENT_SHARE
    return context.measure_units(units), content, units.words, []


def mostly_content(page: Page, units: context.Units, content: Flags, text: str) -> Flags:
    """Whether more than half of each unit is in texts that are content.

    Words are counted or, where units without a word are wanted, too, characters.
    """
    counted = page.texts.words if text == "visible" else page.texts.chars
    counts = counted[units.texts].astype(np.float64)
    signed = np.where(content[units.texts], counts, -counts)
    sums: Floats = np.concatenate((np.zeros(1), np.cumsum(signed)))
    return sums[units.end] > sums[units.first]
