"""The work of a view grows like the page, whatever is in it.

benchmarks/growth.py measures the time of all views of larger pages.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import tamis

VIEWS = ("text", "Markdown", "HTML", "JSON", "original")
# Each of its blocks has a link of its own in the output, up to the length that a link may have.
LONG_OUTPUT = "one long link around blocks"


@pytest.fixture(scope="module")
def works(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, list[int]]]:
    """The work by kind of page and view, at three sizes, each twice the one before.

    Counted in the modules from their sources, as calls inside compiled ones are not seen; the
    reader of pages stays compiled, which saves most of the time.
    """
    package = tmp_path_factory.mktemp("package") / "tamis"
    shutil.copytree(Path(tamis.__file__).parent, package, ignore=_views_from_source)
    script = Path(__file__).with_name("count_work.py")
    environment = os.environ | {"PYTHONPATH": str(package.parent)}
    run = subprocess.run(
        [sys.executable, str(script), *VIEWS], env=environment, capture_output=True, check=True
    )
    counted: dict[str, dict[str, list[int]]] = json.loads(run.stdout)
    return counted


def _views_from_source(folder: str, names: list[str]) -> list[str]:
    from_source = "" if Path(folder).name == "render" else ("strings.", "buffer.")
    return [
        name for name in names if name.endswith((".so", ".pyd")) and name.startswith(from_source)
    ]


@pytest.mark.parametrize("view", VIEWS)
def test_twice_the_page_is_twice_the_work(
    works: dict[str, dict[str, list[int]]], view: str
) -> None:
    assert len(works) > 80
    steep = {}
    for kind, views in works.items():
        small, middle, large = views[view]
        # By three sizes, so that what a call costs at least does not count; and by two, so that
        # what is loaded once does not.
        if large > 2.3 * middle and large - middle > 2.6 * (middle - small) + 300:
            steep[kind] = (small, middle, large)
    steep.pop(LONG_OUTPUT, None)
    assert not steep
