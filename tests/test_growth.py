"""The work of every view grows like the page, whatever is in it.

benchmarks/growth.py measures the time of all views of larger pages.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import tamis

SHARES = 4


@pytest.fixture(scope="session")
def sources(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the package whose views run from their sources.

    Calls inside compiled modules are not seen. What reads pages and what the model computes stay
    compiled, which saves most of the time.
    """
    package = tmp_path_factory.mktemp("package") / "tamis"
    shutil.copytree(Path(tamis.__file__).parent, package, ignore=_compiled_views)
    return package.parent


def _compiled_views(folder: str, names: list[str]) -> list[str]:
    parts = Path(folder).relative_to(Path(tamis.__file__).parent).parts
    if not {"render", "describe", "page"}.intersection(parts):
        return []
    compiled = [name for name in names if name.endswith((".so", ".pyd"))]
    return [
        name
        for name in compiled
        if name.partition(".")[0] not in ("lexer", "references", "runs", "scanner")
    ]


def count_work(sources: Path, *arguments: object) -> dict[str, Any]:
    """What count_work.py says."""
    script = Path(__file__).with_name("count_work.py")
    run = subprocess.run(
        [sys.executable, "-W", "ignore", str(script), *map(str, arguments)],
        env=os.environ | {"PYTHONPATH": str(sources)},
        capture_output=True,
        check=True,
    )
    answer: dict[str, Any] = json.loads(run.stdout)
    return answer


@pytest.mark.parametrize("share", range(SHARES))
def test_twice_the_page_is_twice_the_work(sources: Path, share: int) -> None:
    answer = count_work(sources, share, SHARES)
    assert answer["kinds"] > 50
    assert len(answer["views"]) > 14
    assert not answer["steep"]
    assert not answer["too_long"], "cut what these patterns read"


def test_quadratic_work_is_noticed(sources: Path) -> None:
    answer = count_work(sources, "quadratic")
    assert answer["steep"]["rules"].keys() == set(answer["views"])
