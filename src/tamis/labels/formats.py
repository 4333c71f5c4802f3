"""Labelled pages in the formats of other tools: Label Studio and WebMainBench.

Label Studio has regions of `HyperTextLabels`. A region names text by the XPath of a text node and a
place in it, as a browser counts them: white space between two tags is a text node, and a character
outside the Basic Multilingual Plane counts twice.

WebMainBench marks elements in the page itself, with `cc-select="true"`. The mark, and what the
annotation tool leaves beside it, must not stay in a page that somebody learns from.
"""

from __future__ import annotations

import html
import json
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from typing import Any

import numpy as np

from tamis._runtime import storage
from tamis.errors import DatasetError
from tamis.labels import blocks as block_labels
from tamis.labels.blocks import LabelledSource, XPaths
from tamis.labels.datasets import (
    KINDS,
    BlockLabel,
    Entry,
    Example,
    get_optional,
    get_required,
    json_line,
    name_of,
    read_bytes,
)
from tamis.page.reader import parse
from tamis.page.table import Page

_TEXT_STEP = re.compile(r"^(.*?)/?text\(\)(?:\[(\d{1,9})\])?$")
_PIECE = re.compile(r"&[#\w]{1,32};?|\r\n|.", re.DOTALL)
_NO_TEXT = re.compile(rb"<!--.*?(?:-->|$)|<[!?/][^>]*>", re.DOTALL)


def read_tasks(path: Path) -> Iterator[Entry]:
    """The tasks of an export in JSON: the page in the field that `HyperText` shows, one label each.

    Of several annotations of a task the last one that was not cancelled counts.
    """
    try:
        tasks = json.loads(read_bytes(path))
    except (ValueError, RecursionError) as error:
        yield DatasetError(f"{path}: not valid JSON ({error})")
        return
    if not isinstance(tasks, list):
        yield DatasetError(f"{path}: no list of tasks; export the project as JSON")
        return
    for number, task in enumerate(tasks, 1):
        try:
            yield _read_task(task, name_of(path), number)
        except DatasetError as error:
            yield DatasetError(f"{path}, task {number}: {error}")


def _read_task(task: Any, dataset: str, number: int) -> Example:
    data = task.get("data") if isinstance(task, dict) else None
    if not isinstance(data, dict):
        raise DatasetError("field 'data' is missing; is this an export of Label Studio?")
    source = next(
        (data[name] for name in ("html", "text") if isinstance(data.get(name), str)), None
    )
    if not isinstance(source, str):
        raise DatasetError("the page must be in the field 'html' of 'data'")
    page = parse(source)
    paths = XPaths(page)
    labels = [label for each in _get_result(task) if (label := _read_region(page, paths, each))]
    kinds, _ = block_labels.paint_blocks(page, labels)
    return Example(
        id=str(data.get("id") or task.get("id") or number),
        dataset=dataset,
        html=source,
        url=get_optional(data, "url"),
        site=get_optional(data, "site"),
        page_type=get_optional(data, "page_type"),
        text=block_labels.join_main(page, kinds),
        blocks=block_labels.label_kinds(page, kinds),
    )


def _get_result(task: dict[str, Any]) -> list[Any]:
    made = task.get("annotations") or task.get("completions") or []
    done = [
        each for each in made if isinstance(each, dict) and not each.get("was_cancelled", False)
    ]
    result = done[-1].get("result") if done else None
    if not isinstance(result, list):
        raise DatasetError("it has no annotation; label the page, or leave the task out")
    return result


def _read_region(page: Page, paths: XPaths, entry: Any) -> BlockLabel | None:
    """The label of a region, None of what is no region of text."""
    value = entry.get("value") if isinstance(entry, dict) else None
    if not isinstance(value, dict) or not value.get("hypertextlabels"):
        return None
    kind = str(value["hypertextlabels"][0]).lower()
    if kind not in KINDS:
        raise DatasetError(f"label {kind!r} is not a kind; choose from: {', '.join(KINDS)}")
    start = _find_offset(page, paths, value.get("start"), value.get("startOffset"), at_end=False)
    end = _find_offset(page, paths, value.get("end"), value.get("endOffset"), at_end=True)
    return BlockLabel(kind=kind, start=start, end=max(start, end))


def _find_offset(page: Page, paths: XPaths, xpath: Any, place: Any, *, at_end: bool) -> int:
    """Where a place in a text node, or in an element, is in the source."""
    if not isinstance(xpath, str) or not isinstance(place, int):
        raise DatasetError("a region has no `start`, `end`, `startOffset` and `endOffset`")
    parts = _TEXT_STEP.match(xpath)
    above = parts[1] if parts else xpath
    node = _find_element(paths, above)
    if node is None:
        raise DatasetError(f"the page has nothing at {xpath}; was it labelled on another version?")
    if not parts:
        return int((page.nodes.close if at_end else page.nodes.start)[node])
    runs = find_text_nodes(page, node)
    number = int(parts[2] or 1) - 1
    if not 0 <= number < len(runs):
        raise DatasetError(f"the page has no text at {xpath}; was it labelled on another version?")
    start, end = runs[number]
    return start + _count_bytes(page.source[start:end].decode("utf-8", "replace"), place)


def _find_element(paths: XPaths, xpath: str) -> int | None:
    """The element of a path from the root, or from the body as Label Studio shows the page."""
    if not xpath.strip("/"):
        return paths.find_first("body")
    body = paths.find_first("body")
    if body is not None and not re.match(r"/html\b", xpath, re.IGNORECASE):
        own = paths.find_node("/html/body" + (xpath if xpath.startswith("/") else f"/{xpath}"))
        if own is not None:
            return own
    return paths.find_node(xpath)


def find_text_nodes(page: Page, node: int) -> list[tuple[int, int]]:
    """Where the text nodes of an element are in the source, white space too, as in a browser."""
    nodes, source = page.nodes, page.source
    below = np.arange(node + 1, int(nodes.last[node]) + 1)
    children = below[nodes.parent[below] == node].tolist()
    begins = [_start_inside(page, node), *(_end_after(page, child) for child in children)]
    stops = [*nodes.start[children].tolist(), int(nodes.close[node])]
    runs: list[tuple[int, int]] = []
    for place, stop in zip(begins, stops, strict=True):
        for other in (*_NO_TEXT.finditer(source, place, max(place, stop)), None):
            until = other.start() if other else stop
            if until > place:
                runs.append((place, until))
            place = other.end() if other else place
    return runs


def _start_inside(page: Page, node: int) -> int:
    start = int(page.nodes.start[node])
    return _skip_tag(page, node, b"<", start) or start


def _end_after(page: Page, node: int) -> int:
    close = int(page.nodes.close[node])
    return _skip_tag(page, node, b"</", close) or max(close, _start_inside(page, node))


def _skip_tag(page: Page, node: int, opening: bytes, start: int) -> int | None:
    """Where the tag of an element ends, None if the tag is not there but implied."""
    tag = opening + page.tag_name(node).encode()
    begin = re.compile(rb"</?[^\s/>]*").match(page.source, start)
    if not begin or begin[0].lower() != tag:
        return None
    return page.source.find(b">", start) + 1 or len(page.source)


def _count_bytes(raw: str, place: int) -> int:
    """Bytes of the source before a place that is counted as JavaScript does."""
    units = size = 0
    for piece in _PIECE.finditer(raw):
        if units >= place:
            break
        units += _count_units(html.unescape(piece[0]))
        size += len(piece[0].encode())
    return size


def _count_units(text: str) -> int:
    return len(text.replace("\r\n", "\n").encode("utf-16-le", "surrogatepass")) // 2


def write_tasks(pages: Iterable[LabelledSource]) -> Iterator[bytes]:
    """Tasks with one region per labelled block, to import with `HyperText value="$html"`."""
    separator = b"[\n"
    for source in pages:
        yield separator
        separator = b",\n"
        example = source.example
        named = ("id", "url", "site", "page_type")
        data = {name: value for name in named if (value := getattr(example, name)) is not None}
        result = [*_describe_regions(source)]
        task = {
            "data": {**data, "html": source.page.source.decode("utf-8", "replace")},
            "annotations": [{"result": result}],
        }
        yield json.dumps(task).encode()
    yield b"[]\n" if separator == b"[\n" else b"\n]\n"


def _describe_regions(source: LabelledSource) -> Iterator[dict[str, Any]]:
    page, texts = source.page, source.page.texts
    find_runs = cache(partial(find_text_nodes, page))
    for block in np.flatnonzero(source.kinds != block_labels.UNLABELLED).tolist():
        kind = KINDS[source.kinds[block]]
        if kind == "other":
            continue
        first, last = int(page.blocks.first_text[block]), int(page.blocks.end_text[block]) - 1
        node = int(texts.node[first])
        start, start_offset = _locate(page, node, find_runs(node), int(texts.start[first]))
        node = int(texts.node[last])
        end, end_offset = _locate(page, node, find_runs(node), int(texts.end[last]))
        yield {
            "id": f"block-{block}",
            "from_name": "labels",
            "to_name": "page",
            "type": "hypertextlabels",
            "value": {
                "start": start,
                "end": end,
                "startOffset": start_offset,
                "endOffset": end_offset,
                "hypertextlabels": [kind],
            },
        }


def _locate(page: Page, node: int, runs: list[tuple[int, int]], place: int) -> tuple[str, int]:
    xpath = re.sub(r"^/html(?:\[1\])?/body(?:\[1\])?", "", page.xpath(node))
    steps = [step if step.endswith("]") else f"{step}[1]" for step in xpath.split("/") if step]
    number = next((n for n, (start, end) in enumerate(runs) if start <= place <= end), 0)
    start = runs[number][0] if runs else place
    before = html.unescape(page.source[start:place].decode("utf-8", "replace"))
    return "/" + "/".join([*steps, f"text()[{number + 1}]"]), _count_units(before)


# WebMainBench: elements that are marked in the page itself

_TAG = re.compile(rb"<[A-Za-z](?:[^<>\"']|\"[^\"]*\"|'[^']*')*>")
_SELECTED = re.compile(rb"""\scc-select\s*=\s*["']?true["']?""", re.IGNORECASE)
_TRACES = re.compile(
    rb"""\s(?:cc-select|data-anno-uid|_item_id)\s*=\s*(?:"[^"]*"|'[^']*'|[^\s>]*)""", re.IGNORECASE
)
_SELECTED_CLASS = re.compile(rb"""(\sclass\s*=\s*["'][^"']*?)\s*\bmark-selected\b""", re.IGNORECASE)


def read_row(row: dict[str, Any], dataset: str) -> Example:
    """A line of WebMainBench: `html` with marked elements, without what the marking left in it."""
    source = get_required(row, "html").encode("utf-8", "replace")
    clean, marked, length, done = [], [], 0, 0
    for match in _TAG.finditer(source):
        tag = match[0]
        own = _SELECTED_CLASS.sub(rb"\1", _TRACES.sub(b"", tag))
        if own == tag:
            continue
        clean += [source[done : match.start()], own]
        if _SELECTED.search(tag):
            marked.append(length + match.start() - done)
        length += match.start() - done + len(own)
        done = match.end()
    html_text = b"".join((*clean, source[done:])).decode()
    page = parse(html_text)
    nodes = np.flatnonzero(np.isin(page.nodes.start, marked) & ~_imply_tags(page))
    if not len(nodes):
        raise DatasetError('no element has cc-select="true"; this page is not labelled')
    selected = [BlockLabel(kind="main", xpath=page.xpath(int(node))) for node in nodes]
    kinds, _ = block_labels.paint_blocks(page, selected)
    meta = row.get("meta")
    return Example(
        id=get_required(row, "track_id", (str, int)),
        dataset=dataset,
        html=html_text,
        url=get_optional(row, "url"),
        text=block_labels.join_main(page, kinds),
        lang=get_optional(meta, "language") if isinstance(meta, dict) else None,
        blocks=block_labels.label_kinds(page, kinds),
    )


def _imply_tags(page: Page) -> Any:
    source = np.frombuffer(page.source + b"\0", np.uint8)
    return source[np.minimum(page.nodes.start, len(page.source))] != ord("<")


def write_rows(pages: Iterable[LabelledSource]) -> Iterator[bytes]:
    for source in pages:
        example = source.example
        row = {
            "track_id": example.id,
            "url": example.url,
            "html": _with_marks(source),
            "convert_main_content": block_labels.join_main(source.page, source.kinds),
            "meta": {"language": example.lang},
        }
        yield (json.dumps(row) + "\n").encode()


def _with_marks(source: LabelledSource) -> str:
    """The page with a mark on the highest elements that hold main content alone.

    Text beside other text in one element gets an element of its own.
    """
    page = source.page
    nodes, texts = page.nodes, page.texts
    main = np.isin(texts.block, np.flatnonzero(source.kinds == KINDS.index("main")))
    sums = np.concatenate(([0], np.cumsum(main)))
    inside = sums[nodes.end_text] - sums[nodes.first_text]
    whole = (inside > 0) & (inside == nodes.end_text - nodes.first_text) & ~_imply_tags(page)
    places: list[tuple[int, bytes]] = []
    covered = np.zeros(len(texts), bool)
    for node in np.flatnonzero(whole).tolist():
        run = int(nodes.first_text[node])
        if not covered[run]:
            covered[run : int(nodes.end_text[node])] = True
            name = page.tag_name(node).encode()
            places.append((int(nodes.start[node]) + 1 + len(name), b' cc-select="true"'))
    for run in np.flatnonzero(main & ~covered).tolist():
        places.append((int(texts.start[run]), b'<span cc-select="true">'))
        places.append((int(texts.end[run]), b"</span>"))
    pieces, done = [], 0
    for place, inserted in sorted(places):
        pieces += [page.source[done:place], inserted]
        done = place
    return b"".join((*pieces, page.source[done:])).decode("utf-8", "replace")


# Files in any format


def write_labels(path: Path, pages: Iterable[LabelledSource], to: str) -> int:
    """Write labelled pages in one of `FORMATS`; how many there were."""
    count = 0
    with storage.open_replacing(path) as file:
        for piece in FORMATS[to](pages):
            count += piece.startswith(b"{")
            file.write(piece)
    return count


def _write_lines(pages: Iterable[LabelledSource]) -> Iterator[bytes]:
    for source in pages:
        own = replace(
            source.example,
            html=source.page.source.decode("utf-8", "replace"),
            text=source.example.text or block_labels.join_main(source.page, source.kinds),
            blocks=block_labels.label_kinds(source.page, source.kinds),
        )
        yield json_line(own).encode()


FORMATS: dict[str, Callable[[Iterable[LabelledSource]], Iterator[bytes]]] = {
    "tamis": _write_lines,
    "label-studio": write_tasks,
    "webmainbench": write_rows,
}
"""What labels can be written as, by name."""
