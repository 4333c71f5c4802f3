"""Lines that a terminal can show, and messages that do not flood it."""

from __future__ import annotations

import io

import pytest

from tamis.cli.output import (
    cut_line,
    escape_for_terminal,
    report_first,
    shows_colours,
    to_one_line,
)


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_line_has_a_hundred_letters_at_most() -> None:
    assert cut_line("a" * 100) == "a" * 100
    assert cut_line("a" * 101) == "a" * 100 + "…"


def test_what_a_terminal_would_obey_is_escaped() -> None:
    assert to_one_line(" a\n\tb\x1b[2J ") == r"a b\x1b[2J"
    assert escape_for_terminal("a\n\tb\x1b[2J\u202e") == "a\n\tb\\x1b[2J\\u202e"


def test_only_the_first_messages_are_printed_and_all_are_counted(
    capsys: pytest.CaptureFixture[str],
) -> None:
    report_first([f"page {number}" for number in range(1200)], "left out: ", "pages left out")
    lines = capsys.readouterr().err.splitlines()
    assert lines == [
        *(f"tamis: left out: page {number}" for number in range(5)),
        "tamis: pages left out: 1,200",
    ]


def test_no_message_is_no_line(capsys: pytest.CaptureFixture[str]) -> None:
    report_first([], "left out: ", "pages left out")
    assert capsys.readouterr().err == ""


def test_colours_are_for_terminals_of_people_who_want_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    assert shows_colours(Terminal())
    assert not shows_colours(io.StringIO())
    monkeypatch.setenv("TERM", "dumb")
    assert not shows_colours(Terminal())
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("NO_COLOR", "1")
    assert not shows_colours(Terminal())
