"""A method of your own on the command line: a class of a module or of a file, with parameters."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner
from tests.site.pages import article
from tests.test_method_choices import LONG, OWN, PAGE

from tamis.cli import main

ENVIRONMENT = {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a method in it and some pages."""
    (tmp_path / "own_method.py").write_text(OWN)
    (tmp_path / "page.html").write_text(PAGE)
    (tmp_path / "my.jsonl").write_text(json.dumps({"id": "1", "html": PAGE, "text": LONG}))
    (tmp_path / "pages").mkdir()
    for number in range(4):
        (tmp_path / "pages" / f"{number}.html").write_text(article(number))
    return tmp_path


def run(folder: Path, *arguments: str, code: int = 0) -> str:
    """What a command prints in a process of its own, without the folder on Python's path."""
    program = "import sys; from tamis.cli import main; sys.path.remove(''); main()"
    finished = subprocess.run(
        [sys.executable, "-c", program, *arguments],
        cwd=folder,
        env=ENVIRONMENT | {"XDG_CACHE_HOME": str(folder / "cache")},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    assert finished.returncode == code, finished.stdout
    return finished.stdout


@pytest.mark.parametrize("method", ["own_method:LongBlocks", "./own_method.py:LongBlocks"])
def test_the_current_folder_has_modules_and_files(folder: Path, method: str) -> None:
    given = ("--method", method, "--parameter", "least=8")
    assert run(folder, "extract", "page.html", *given) == f"{LONG}\n"
    assert "Method LongBlocks gave it that score" in run(folder, "explain", "page.html", *given)


def test_every_worker_finds_a_module_of_the_current_folder(folder: Path) -> None:
    given = ("--method", "own_method:LongBlocks", "--workers", "2")
    run(folder, "corpus", "pages", "--output", "rows", "--format", "jsonl", *given)
    assert len((folder / "rows" / "part-00000.jsonl").read_text().splitlines()) == 4
    table = run(folder, "bench", "--data", "my.jsonl", "--methods", "own_method:LongBlocks:least=8")
    assert "| LongBlocks least=8 | 1.000 | 1.000 |" in table


def test_a_site_is_learned_by_a_class_and_read_with_it(folder: Path) -> None:
    run(folder, *"site learn pages --one-site --method own_method.py:Mine -o mine.npz".split())
    assert "name its class" in run(folder, *"site extract mine.npz page.html".split(), code=2)
    for method in ("own_method.py:Mine", "own_method:Mine"):
        given = ("--method", method)
        assert LONG in run(folder, "site", "extract", "mine.npz", "page.html", *given)
        assert "method Mine, 4 pages" in run(folder, "site", "show", "mine.npz", *given)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("extract page.html --method own_method.py:LongBlock", "did you mean LongBlocks?"),
        ("extract page.html --method own_method:LongBlocks --parameter most=1", "parameter 'most'"),
        ("extract page.html --method own_method:LongBlocks --parameter least=x", "a whole number"),
        ("extract page.html --method own_method:LongBlocks --weights x.npz", "has no weights"),
        ("bench --data my.jsonl --methods own_method.py:LongBlocks:most=1", "parameter 'most'"),
        ("bench --data my.jsonl --methods other.py:LongBlocks", "other.py: cannot be read"),
        ("site learn pages -o x.npz --method own_method.py:LongBlocks", "scores each page by itse"),
        ("corpus pages -o rows --method own_method.py:Mine", "--site-models"),
    ],
)
def test_what_is_wrong_is_said_in_a_line(
    folder: Path, monkeypatch: pytest.MonkeyPatch, arguments: str, message: str
) -> None:
    monkeypatch.chdir(folder)
    monkeypatch.setattr(sys, "path", [*sys.path])
    monkeypatch.delitem(sys.modules, "own_method", raising=False)
    result = CliRunner().invoke(main, arguments.split())
    assert result.exit_code == 2
    assert message in result.output
    assert result.output.startswith("tamis: ") and result.output.count("\n") == 1
