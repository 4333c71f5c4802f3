"""Pages to learn from: those of a data set that have a gold text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from tamis.evaluate import datasets
from tamis.evaluate.datasets import Example

_NUMBER = re.compile(r"(?<=[^\W\d_])[-_.]?\d+$")


@dataclass(frozen=True)
class Document:
    """A page with its gold text."""

    dataset: str
    id: str
    site: str
    split: str
    html: str | bytes
    gold: str
    annotated: str = ""
    """The page with classes around its text, in L3S-GN1 alone."""


def documents(path: Path, *, comments: bool = False) -> Iterator[Document]:
    """The pages of a data set that have a gold text; with `comments`, those are gold too."""
    name = datasets.name_of(path)
    for example in datasets.read(path):
        if example.text is None:
            continue
        gold = example.text
        if comments and example.comments:
            gold = f"{gold}\n{example.comments}"
        yield Document(
            dataset=name,
            id=example.id,
            site=site_of(example),
            split=example.split or "",
            html=example.html,
            gold=gold,
            annotated=example.annotated or "",
        )


def site_of(example: Example) -> str:
    """The site of a page, as far as its set tells: `bbc` for a page `bbc-1` without an address."""
    return example.site or urlsplit(example.url or "").hostname or _NUMBER.sub("", example.id)
