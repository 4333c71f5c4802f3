"""A project of its own for each test."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tamis.project.database import Database


@pytest.fixture
def mine(tmp_path: Path) -> Iterator[Database]:
    database = Database(tmp_path / "mine")
    yield database
    database.close()
