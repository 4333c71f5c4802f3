"""The pages of whole data sets with their labels, made by all processors.

Nothing heavy is imported here: the processes of a pool make the labels.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from operator import methodcaller
from pathlib import Path

from tamis._runtime.processes import Pool, Process, count_processors
from tamis.errors import LimitError
from tamis.labels import datasets
from tamis.labels.datasets import Example
from tamis.many import make_batches
from tamis.page.reader import parse
from tamis.train import labelled_pages as snippets
from tamis.train.feature_table import Say
from tamis.train.labelled_pages import LabelledPage, label_content, site_of


def read(paths: Sequence[Path], say: Say) -> list[LabelledPage]:
    """The pages of the sets with their labels."""
    pages: list[LabelledPage] = []
    with Pool(count_processors(), lambda kind: Process(f"{__name__}:make_labeller", None)) as pool:
        for path in paths:
            say(f"reading {path.name}")
            examples = make_batches(datasets.read(path), lambda example: len(example.html))
            jobs = (pool.submit(methodcaller("ask", batch)) for batch in examples)
            pages += (page for batch in pool.results(jobs) for page in batch)
    return [*snippets.relabel_pages(pages)]


def make_labeller(_: None) -> Callable[[Iterable[Example]], list[LabelledPage]]:
    """What a process of the pool answers: to examples their pages."""
    return labelled_pages


def labelled_pages(examples: Iterable[Example]) -> list[LabelledPage]:
    """The pages of a set with their labels; those over a limit are left out."""
    pages = []
    for example in examples:
        try:
            page = parse(example.html)
        except LimitError:
            continue
        pages.append(LabelledPage(example, page, site_of(example), label_content(page, example)))
    return pages
