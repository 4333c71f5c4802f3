"""The tutorial of docs/how-to/teaching.md, command by command."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner
from tests.docs.blocks import blocks
from tests.train.harbour import timetable

from tamis.cli import main
from tamis.project.database import Database

DOC = Path(__file__).parents[2] / "docs" / "how-to" / "teaching.md"
HERE = "tests/train/test_teaching_doc.py"


def test_the_commands_of_the_tutorial_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "pages").mkdir()
    for number in range(10):
        page = timetable(number)
        link = f"<link rel=canonical href=https://{page.site}/{number}><title>"
        html = str(page.html).replace("<title>", link)
        (tmp_path / "pages" / f"day-{number}.html").write_text(html)
    (tmp_path / "page.html").write_text(str(timetable(10).html))
    Database(tmp_path / "mine").close()  # what the server makes
    monkeypatch.chdir(tmp_path)
    mine = [block for block in blocks(DOC) if block.not_run == f"run by {HERE}"]
    commands = "".join(block.text for block in mine if block.kind == "sh").splitlines()
    (program,) = [block.text for block in mine if block.kind == "python"]
    assert commands.pop(0) == "tamis serve --project mine/"
    drafts = commands.index("tamis extract pages/ --output pages/")
    for number, command in enumerate(commands):
        result = CliRunner().invoke(main, shlex.split(command)[1:])
        assert result.exit_code == 0, f"{command}: {result.output}"
        if number == drafts:  # the person corrects the drafts
            for day in range(10):
                text = timetable(day).text or ""
                Path("pages", f"day-{day}.txt").write_text(text)
    again = CliRunner().invoke(main, shlex.split(commands[drafts + 1])[1:])
    assert "10 pages of 6 sites" in again.output
    assert len(commands) == 8
    Path("mine.npz").unlink()
    exec(program, {})
    assert Path("mine.npz").exists()
