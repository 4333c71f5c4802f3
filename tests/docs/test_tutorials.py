"""Each tutorial, from top to bottom in an empty folder, as a reader copies it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from tests.docs.blocks import blocks
from tests.docs.reader import Reader

FOLDER = Path(__file__).parents[2] / "docs" / "tutorials"
TUTORIALS = sorted(path for path in FOLDER.glob("*.md") if path.stem != "index")
NEEDS = {
    "crawl-to-parquet": ["fastwarc", "pyarrow"],
    "reproduce-a-paper": ["sklearn"],
    "teach": ["lightgbm", "sklearn"],
}
"""What the extras bring that a tutorial installs."""
NOT_RUN = {"installs", "needs a network", "opens a browser"}
"""Reasons for a block that no test runs."""


@pytest.mark.parametrize("path", TUTORIALS, ids=lambda path: path.stem)
def test_a_tutorial_works_from_an_empty_folder(path: Path, tmp_path: Path) -> None:
    for package in NEEDS.get(path.stem, ()):
        pytest.importorskip(package, reason=f"{path.name} needs {package}, which an extra brings")
    folder = tmp_path / "empty"
    folder.mkdir()
    reader = Reader(tmp_path / "home", folder, {})
    for block in blocks(path):
        is_named = block.kind != "python" or block.file_name or ">>>" in block.text
        assert is_named, f"line {block.line}: neither examples with >>> nor a file to save"
        if not block.not_run:
            reader.follow(block)


@pytest.mark.parametrize("path", TUTORIALS, ids=lambda path: path.stem)
def test_what_is_not_run_installs_or_needs_a_network_or_a_browser(path: Path) -> None:
    left_out = [block for block in blocks(path) if block.not_run]
    assert {block.not_run for block in left_out} <= NOT_RUN
    for block in left_out:
        if block.not_run == "installs":
            assert "pip install" in block.text, f"line {block.line} installs nothing"


def test_the_index_lists_every_tutorial_with_the_time_it_takes() -> None:
    index = (FOLDER / "index.md").read_text("utf-8")
    listed = re.findall(r"\]\(([\w-]+)\.md\).*?(\d+) minutes?", index)
    assert sorted(name for name, _ in listed) == [path.stem for path in TUTORIALS]
    for name, minutes in listed:
        assert f"{minutes} minute" in (FOLDER / f"{name}.md").read_text("utf-8").split("\n## ")[0]
    toctree = next(block.text for block in blocks(FOLDER / "index.md") if "toctree" in block.kind)
    assert toctree.split()[1:] == [name for name, _ in listed]
