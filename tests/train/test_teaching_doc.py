"""The tutorial of docs/teaching.md, command by command."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner
from tests.train.harbour import timetable

from tamis.cli import main

DOC = Path(__file__).parents[2] / "docs" / "teaching.md"


def test_the_commands_of_the_tutorial_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "pages").mkdir()
    for number in range(10):
        page = timetable(number)
        link = f"<link rel=canonical href=https://{page.site}/{number}><title>"
        html = str(page.html).replace("<title>", link)
        (tmp_path / "pages" / f"day-{number}.html").write_text(html)
    monkeypatch.chdir(tmp_path)
    lines = DOC.read_text("utf-8").splitlines()
    commands = [line.strip() for line in lines if line.startswith("    tamis ")]
    for number, command in enumerate(commands):
        result = CliRunner().invoke(main, shlex.split(command)[1:])
        assert result.exit_code == 0, f"{command}: {result.output}"
        if not number:  # the person corrects the drafts
            for day in range(10):
                text = timetable(day).text or ""
                Path("pages", f"day-{day}.txt").write_text(text)
    assert "10 pages of 6 sites" in CliRunner().invoke(main, shlex.split(commands[1])[1:]).output
    assert len(commands) == 7
