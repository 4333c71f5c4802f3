"""A server with a project, for the tests of its endpoints."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

Server = Any


@pytest.fixture
def own(serve: Callable[..., Any], tmp_path: Path) -> Iterator[Server]:
    """A server with a project for one test."""
    with serve(project=str(tmp_path / "mine")) as server:
        yield server
