"""Features of small pages by name."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tamis.model.features import spec
from tamis.model.features.batch import Batch
from tamis.model.features.token_weights import TokenTable
from tamis.page.reader import parse

Column = Callable[[str, str], list[float]]


@pytest.fixture(scope="session")
def column() -> Column:
    """A column of a page: one number per block, rounded to six digits."""

    def of(html: str, name: str) -> list[float]:
        values = spec.make_table(Batch.from_pages([parse(html)]), TokenTable.make_empty())
        return [round(float(value), 6) for value in values[:, spec.NAMES.index(name)]]

    return of


@pytest.fixture
def batch(sources: dict[str, bytes]) -> Batch:
    """Some pages as one table."""
    return Batch.from_pages([parse(source) for source in list(sources.values())[:4]])
