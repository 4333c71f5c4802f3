"""Labelled pages in the formats of several tools."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from pathlib import Path

from tamis._runtime import storage
from tamis.evaluate import block_labels, label_studio, web_main_bench
from tamis.evaluate.block_labels import LabelledSource
from tamis.evaluate.datasets import json_line


def write(path: Path, pages: Iterable[LabelledSource], to: str) -> int:
    """Write labelled pages in one of `FORMATS`; how many there were."""
    count = 0
    with storage.open_replacing(path) as file:
        for piece in FORMATS[to](pages):
            count += piece.startswith(b"{")
            file.write(piece)
    return count


def _lines(pages: Iterable[LabelledSource]) -> Iterator[bytes]:
    for source in pages:
        own = replace(
            source.example,
            html=source.page.source.decode("utf-8", "replace"),
            text=source.example.text or block_labels.text_of(source.page, source.kinds),
            blocks=block_labels.labels_of(source.page, source.kinds),
        )
        yield json_line(own).encode()


FORMATS: dict[str, Callable[[Iterable[LabelledSource]], Iterator[bytes]]] = {
    "tamis": _lines,
    "label-studio": label_studio.tasks,
    "webmainbench": web_main_bench.rows,
}
"""What labels can be written as, by name."""
