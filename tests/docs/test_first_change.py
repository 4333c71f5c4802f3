"""The page "Your first change" (docs/project/first-change.md) is true of the current code.

Its diffs are applied, one after the other, to a copy of the package and of the tests that the page
names. In between, these tests fail and pass as the page says.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.docs.blocks import Block, blocks
from tests.docs.conftest import ROOT

PAGE = ROOT / "docs" / "project" / "first-change.md"
RECORD = "tests/describe/metadata/test_record.py"
SCHEMA = "tests/render/test_schema.py"
COPIED = (
    "src/tamis",
    "tests/describe/metadata",
    "tests/generators/unseen",
    "tests/pages",
    SCHEMA,
    "docs/reference/metadata.md",
)


def split_hunks(diff: str) -> tuple[str, list[tuple[str, str]]]:
    """Return the file that a diff is of, and the old and the new lines of each hunk."""
    head, *hunks = re.split(r"^@@ .*\n", diff, flags=re.MULTILINE)
    paths = re.fullmatch(r"--- a/(.+)\n\+\+\+ b/(.+)\n", head)
    assert paths, head
    assert paths[1] == paths[2]
    found = []
    for hunk in hunks:
        # An empty line of the file may have lost its space, which editors remove.
        lines = [line if line.strip("\n") else " \n" for line in hunk.splitlines(keepends=True)]
        assert {line[0] for line in lines} <= set(" +-"), hunk
        old, new = ("".join(line[1:] for line in lines if line[0] in kept) for kept in (" -", " +"))
        assert old != new
        found.append((old, new))
    assert found
    return paths[1], found


def apply(diff: str, folder: Path) -> None:
    """Apply a diff; the old lines of each hunk must be there exactly once."""
    name, hunks = split_hunks(diff)
    text = (folder / name).read_text("utf-8")
    for old, new in hunks:
        assert text.count(old) == 1, f"{name} has {text.count(old)} times:\n{old}"
        text = text.replace(old, new)
    (folder / name).write_text(text, "utf-8")


def run(folder: Path, *command: str) -> str:
    """Run Python in the copy, with the package of the copy."""
    environment = os.environ | {"PYTHONPATH": f"{folder / 'src'}{os.pathsep}{folder}"}
    finished = subprocess.run(
        [sys.executable, *command], cwd=folder, env=environment, capture_output=True, text=True
    )
    assert finished.returncode in (0, 1), finished.stdout + finished.stderr
    return finished.stdout + finished.stderr


def list_failures(folder: Path, *arguments: str) -> tuple[set[str], str]:
    """List the tests of the copy that fail, without parameters; and everything that is printed."""
    options = ("-p", "no:cacheprovider", "-c", os.devnull, "--rootdir", str(folder))
    printed = run(folder, "-m", "pytest", "-q", "--import-mode=importlib", *options, *arguments)
    assert "passed" in printed or "failed" in printed, printed
    return set(re.findall(r"^FAILED ([\w/.:]+)", printed, re.MULTILINE)), printed


def has_lines(printed: str, block: Block) -> bool:
    """Whether each line of a block begins a line that was printed."""
    return all(f"\n{line}" in f"\n{printed}" for line in block.text.splitlines())


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    for name in COPIED:
        source, target = ROOT / name, tmp_path / name
        target.parent.mkdir(parents=True, exist_ok=True)
        if source.is_dir():
            shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(source, target)
    (tmp_path / "tests" / "__init__.py").touch()
    return tmp_path


def test_the_change_fails_and_passes_as_the_page_says(copy: Path) -> None:
    page: Iterator[Block] = iter(
        block for block in blocks(PAGE) if block.kind in ("diff", "text", "python")
    )
    before, _ = list_failures(copy, RECORD)  # a defect of today is not one of the change

    apply(next(page).text, copy)  # the new test
    failed, printed = list_failures(copy, RECORD, "-k", "section")
    assert [name.partition("::")[0] for name in failed] == [RECORD]
    assert has_lines(printed, next(page))

    apply(next(page).text, copy)  # the code
    failed, printed = list_failures(copy, RECORD, SCHEMA, "-k", "not tamis-pages0 and not baseline")
    assert has_lines(printed, said := next(page))
    assert failed - before == set(re.findall(r"^FAILED (\S+)", said.text, re.MULTILINE))

    apply(next(page).text, copy)  # the test of the record
    apply(next(page).text, copy)  # the schema
    failed, printed = list_failures(copy, RECORD, SCHEMA, "-k", "not baseline")  # takes long
    assert failed <= before, printed

    assert run(copy, "-c", next(page).text) == next(page).text

    apply(next(page).text, copy)  # the row of the reference
    assert [block.kind for block in page] == ["text", "text"]  # the changelog, the commit message


def test_a_diff_whose_lines_are_not_in_the_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("one\n\ntwo\n", "utf-8")
    diff = "--- a/a.txt\n+++ b/a.txt\n@@ -1,3 +1,3 @@\n one\n\n-two\n+three\n"
    apply(diff, tmp_path)
    assert (tmp_path / "a.txt").read_text("utf-8") == "one\n\nthree\n"
    with pytest.raises(AssertionError, match="has 0 times"):
        apply(diff, tmp_path)
