"""Pages to learn from: the examples of a data set that have a gold text, and their sites."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from urllib.parse import urlsplit

from tamis.evaluate import datasets
from tamis.evaluate.datasets import Example
from tamis.methods._base import Floats
from tamis.page.table import Page

_NUMBER = re.compile(r"(?<=[^\W\d_])[-_.]?\d+$")


@dataclass(frozen=True, eq=False)
class LabelledPage:
    """A page of a training set with what is known about its blocks."""

    example: Example
    page: Page
    site: str
    labels: Floats
    """Share of content of each block, NaN where nobody knows."""


def documents(path: Path, *, comments: bool = False) -> Iterator[Example]:
    """The examples that have a gold text, with their sites; with `comments`, those are gold too."""
    for example in datasets.read(path):
        gold = example.text
        if gold is None:
            continue
        if comments and example.comments:
            gold = f"{gold}\n{example.comments}"
        yield replace(example, text=gold, site=site_of(example))


def site_of(example: Example) -> str:
    """The site of a page, as far as its set says: `bbc` for a page `bbc-1` without an address."""
    return example.site or urlsplit(example.url or "").hostname or _NUMBER.sub("", example.id)
