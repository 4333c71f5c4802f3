"""Labels of Label Studio: regions of `HyperTextLabels`, read from an export and written as tasks.

A region names text by the XPath of a text node and a place in it, as a browser counts them: white
space between two tags is a text node, and a character outside the Basic Multilingual Plane counts
twice.
"""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from tamis.errors import DatasetError
from tamis.evaluate import block_labels
from tamis.evaluate.block_labels import LabelledSource, XPaths
from tamis.evaluate.datasets import (
    KINDS,
    BlockLabel,
    Entry,
    Example,
    get_optional,
    name_of,
    read_bytes,
)
from tamis.page.read import parse
from tamis.page.table import Page

_TEXT_STEP = re.compile(r"^(.*?)/?text\(\)(?:\[(\d{1,9})\])?$")
_PIECE = re.compile(r"&[#\w]{1,32};?|\r\n|.", re.DOTALL)
_NO_TEXT = re.compile(rb"<!--.*?(?:-->|$)|<[!?/][^>]*>", re.DOTALL)


def read(path: Path) -> Iterator[Entry]:
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
            yield _task(task, name_of(path), number)
        except DatasetError as error:
            yield DatasetError(f"{path}, task {number}: {error}")


def _task(task: Any, dataset: str, number: int) -> Example:
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
    labels = [label for each in _results(task) if (label := _region(page, paths, each))]
    kinds, _ = block_labels.paint_blocks(page, labels)
    return Example(
        id=str(data.get("id") or task.get("id") or number),
        dataset=dataset,
        html=source,
        url=get_optional(data, "url"),
        site=get_optional(data, "site"),
        page_type=get_optional(data, "page_type"),
        text=block_labels.text_of(page, kinds),
        blocks=block_labels.labels_of(page, kinds),
    )


def _results(task: dict[str, Any]) -> list[Any]:
    made = task.get("annotations") or task.get("completions") or []
    done = [
        each for each in made if isinstance(each, dict) and not each.get("was_cancelled", False)
    ]
    result = done[-1].get("result") if done else None
    if not isinstance(result, list):
        raise DatasetError("it has no annotation; label the page, or leave the task out")
    return result


def _region(page: Page, paths: XPaths, entry: Any) -> BlockLabel | None:
    """The label of a region, None of what is no region of text."""
    value = entry.get("value") if isinstance(entry, dict) else None
    if not isinstance(value, dict) or not value.get("hypertextlabels"):
        return None
    kind = str(value["hypertextlabels"][0]).lower()
    if kind not in KINDS:
        raise DatasetError(f"label {kind!r} is no kind; these are: {', '.join(KINDS)}")
    start = _offset(page, paths, value.get("start"), value.get("startOffset"), at_end=False)
    end = _offset(page, paths, value.get("end"), value.get("endOffset"), at_end=True)
    return BlockLabel(kind=kind, start=start, end=max(start, end))


def _offset(page: Page, paths: XPaths, xpath: Any, place: Any, *, at_end: bool) -> int:
    """Where a place in a text node, or in an element, is in the source."""
    if not isinstance(xpath, str) or not isinstance(place, int):
        raise DatasetError("a region has no `start`, `end`, `startOffset` and `endOffset`")
    parts = _TEXT_STEP.match(xpath)
    above = parts[1] if parts else xpath
    node = _element(paths, above)
    if node is None:
        raise DatasetError(f"the page has nothing at {xpath}; was it labelled on another version?")
    if not parts:
        return int((page.nodes.close if at_end else page.nodes.start)[node])
    runs = text_nodes(page, node)
    number = int(parts[2] or 1) - 1
    if not 0 <= number < len(runs):
        raise DatasetError(f"the page has no text at {xpath}; was it labelled on another version?")
    start, end = runs[number]
    return start + _bytes_of(page.source[start:end].decode("utf-8", "replace"), place)


def _element(paths: XPaths, xpath: str) -> int | None:
    """The element of a path from the root, or from the body as Label Studio shows the page."""
    if not xpath.strip("/"):
        return paths.first("body")
    body = paths.first("body")
    if body is not None and not re.match(r"/html\b", xpath, re.IGNORECASE):
        own = paths.node("/html/body" + (xpath if xpath.startswith("/") else f"/{xpath}"))
        if own is not None:
            return own
    return paths.node(xpath)


def text_nodes(page: Page, node: int) -> list[tuple[int, int]]:
    """Where the text nodes of an element are in the source, white space too, as in a browser."""
    nodes, source = page.nodes, page.source
    below = np.arange(node + 1, int(nodes.last[node]) + 1)
    children = below[nodes.parent[below] == node].tolist()
    end = int(nodes.close[node])
    borders = [(_inside(page, node), 0)]
    borders += [(_after(page, child), int(nodes.start[child])) for child in children]
    stops = [start for _, start in borders[1:]] + [end]
    runs: list[tuple[int, int]] = []
    for (begin, _), stop in zip(borders, stops, strict=True):
        place = begin
        for other in (*_NO_TEXT.finditer(source, begin, max(begin, stop)), None):
            until = other.start() if other else stop
            if until > place:
                runs.append((place, until))
            place = other.end() if other else place
    return runs


def _inside(page: Page, node: int) -> int:
    start = int(page.nodes.start[node])
    if page.source[start : start + 1] != b"<" or page.tag_name(node) != _name(
        page.source, start + 1
    ):
        return start
    return page.source.find(b">", start) + 1 or len(page.source)


def _after(page: Page, node: int) -> int:
    close = int(page.nodes.close[node])
    if page.source[close : close + 2] == b"</" and (
        page.tag_name(node) == _name(page.source, close + 2)
    ):
        return page.source.find(b">", close) + 1 or len(page.source)
    return max(close, _inside(page, node))


def _name(source: bytes, start: int) -> str:
    match = re.compile(rb"[^\s/>]*").match(source, start)
    return match[0].decode("utf-8", "replace").lower() if match else ""


def _bytes_of(raw: str, place: int) -> int:
    """Bytes of the source before a place that is counted as JavaScript does."""
    units = size = 0
    for piece in _PIECE.finditer(raw):
        if units >= place:
            break
        units += _units(html.unescape(piece[0]))
        size += len(piece[0].encode())
    return size


def _units(text: str) -> int:
    return len(text.replace("\r\n", "\n").encode("utf-16-le", "surrogatepass")) // 2


def tasks(pages: Iterable[LabelledSource]) -> Iterator[bytes]:
    """Tasks with one region per labelled block, to import with `HyperText value="$html"`."""
    separator = b"[\n"
    for source in pages:
        yield separator
        separator = b",\n"
        example = source.example
        named = ("id", "url", "site", "page_type")
        data = {name: value for name in named if (value := getattr(example, name)) is not None}
        result = [*_regions(source)]
        task = {
            "data": {**data, "html": source.page.source.decode("utf-8", "replace")},
            "annotations": [{"result": result}],
        }
        yield json.dumps(task).encode()
    yield b"[]\n" if separator == b"[\n" else b"\n]\n"


def _regions(source: LabelledSource) -> Iterator[dict[str, Any]]:
    page, texts = source.page, source.page.texts
    known: dict[int, list[tuple[int, int]]] = {}
    for block in np.flatnonzero(source.kinds != block_labels.UNLABELLED).tolist():
        kind = KINDS[source.kinds[block]]
        if kind == "other":
            continue
        ends = []
        for run, is_end in (
            (int(page.blocks.first_text[block]), False),
            (int(page.blocks.end_text[block]) - 1, True),
        ):
            node = int(texts.node[run])
            runs = known.setdefault(node, text_nodes(page, node))
            place = int((texts.end if is_end else texts.start)[run])
            ends.append(_place_in(page, node, runs, place))
        (start, start_offset), (end, end_offset) = ends
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


def _place_in(page: Page, node: int, runs: list[tuple[int, int]], place: int) -> tuple[str, int]:
    xpath = re.sub(r"^/html(?:\[1\])?/body(?:\[1\])?", "", page.xpath(node))
    steps = [step if step.endswith("]") else f"{step}[1]" for step in xpath.split("/") if step]
    number = next((n for n, (start, end) in enumerate(runs) if start <= place <= end), 0)
    start = runs[number][0] if runs else place
    before = html.unescape(page.source[start:place].decode("utf-8", "replace"))
    return "/" + "/".join([*steps, f"text()[{number + 1}]"]), _units(before)
