"""Without a compiler the package gives the same results, from bytes to Markdown."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import tamis

PAGES = ("docs-en", "forum-th", "listing-en", "table-layout-1999")
CODE = """
import json, sys
import tamis
from tamis.page.scan.scanner import COMPILED

shown = {"compiled": COMPILED}
for path in sys.argv[1:]:
    result = tamis.extract(open(path, "rb").read(), url="https://page.example/a/")
    shown[path] = [result.to_dict(), result.markdown, result.html]
print(json.dumps(shown))
"""


def _results(package: Path, paths: list[str]) -> dict[str, object]:
    environment = os.environ | {"PYTHONPATH": str(package), "PYTHONWARNINGS": "ignore"}
    run = subprocess.run(
        [sys.executable, "-c", CODE, *paths], env=environment, capture_output=True, check=True
    )
    found: dict[str, object] = json.loads(run.stdout)
    return found


def test_the_source_alone_gives_the_same_results(tmp_path: Path) -> None:
    installed = Path(tamis.__file__).parent
    shutil.copytree(
        installed, tmp_path / "tamis", ignore=shutil.ignore_patterns("*.so", "*.pyd", "__pycache__")
    )
    pages = Path(__file__).parent / "pages"
    paths = [str(pages / name / "source.html") for name in PAGES]
    alone, here = _results(tmp_path, paths), _results(installed.parent, paths)
    assert alone.pop("compiled") is False
    here.pop("compiled")
    for path, expected in here.items():
        # Sums of single precision may differ in the last digit.
        assert _rounded(alone[path]) == _rounded(expected), path


def _rounded(value: object) -> object:
    if isinstance(value, float):
        return round(value, 5)
    if isinstance(value, dict):
        return {name: _rounded(one) for name, one in value.items()}
    return [_rounded(one) for one in value] if isinstance(value, list) else value
