"""`tamis examples`: the pages that come with the package."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tamis.cli import main

WROTE = "tamis: wrote examples/forum.html, examples/news.html, examples/thai.html\n"
SHOWN = Path(__file__).parents[3] / "examples"


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["examples", *arguments])


def test_the_pages_are_those_of_the_folder_examples(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    result = run()
    assert (result.exit_code, result.stdout) == (0, "")
    assert result.stderr == WROTE
    written = {path.name: path.read_bytes() for path in Path("examples").iterdir()}
    assert written == {path.name: path.read_bytes() for path in SHOWN.glob("*.html")}


def test_a_second_time_nothing_changes_and_what_is_missing_comes_back(tmp_path: Path) -> None:
    folder = tmp_path / "a" / "b"
    run("--output", str(folder))
    before = (folder / "news.html").stat()
    (folder / "thai.html").unlink()
    assert run("-o", str(folder)).exit_code == 0
    assert (folder / "news.html").stat() == before
    assert (folder / "thai.html").exists()
    assert "already there: " in run("-o", str(folder)).stderr


@pytest.mark.parametrize("folder_in_the_way", [False, True])
def test_a_file_of_your_own_is_not_overwritten(tmp_path: Path, folder_in_the_way: bool) -> None:
    mine = tmp_path / "news.html"
    mine.mkdir() if folder_in_the_way else mine.write_text("mine")
    result = run("--output", str(tmp_path))
    assert result.exit_code == 2
    assert "news.html: exists and is not the example page; rename it" in result.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["news.html"]
    assert folder_in_the_way or mine.read_text() == "mine"
